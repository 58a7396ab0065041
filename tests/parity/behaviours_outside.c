/* SPDX-License-Identifier: MIT */
/* What lies outside the writable roots can be read, and nothing more. */
#include "parity.h"

#define REFUSED(id, command)                                                                       \
	{                                                                                          \
		id, EITHER, "(" command ") >&- 2>&- || echo refused",                              \
		{                                                                                  \
			0, "refused\n"                                                             \
		}                                                                                  \
	}

/* Tries every mount and the usual suspects: new entries, and regular files that are there. */
#define WALK                                                                                       \
	"python3 - <<'X'\n"                                                                        \
	"import os, stat\n"                                                                        \
	"base = os.environ['BASE']\n"                                                              \
	"dirs = {'/', '/tmp', '/var/tmp', '/dev/shm', '/dev', '/run', '/run/lock', '/etc', "       \
	"'/usr',\n"                                                                                \
	"        '/var/lib', '/var/log', '/home', '/root', '/srv', '/opt', '/proc', "              \
	"'/proc/self',\n"                                                                          \
	"        '/sys', base, base + '/work', base + '/work/a', base + '/out', base + '/home'}\n" \
	"dirs |= {l.split(' ')[4].encode().decode('unicode_escape')\n"                             \
	"         for l in open('/proc/self/mountinfo')}\n"                                        \
	"dirs |= {e.path for e in os.scandir('/') if e.is_dir(follow_symlinks=False)}\n"           \
	"for d in sorted(dirs):\n"                                                                 \
	"    if d.startswith(('/proc/', '/sys/')) and d.count('/') > 3 or not os.path.isdir(d): "  \
	"continue\n"                                                                               \
	"    name = d + '/parity.' + str(os.getpid())\n"                                           \
	"    try:\n"                                                                               \
	"        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY)); os.unlink(name)\n" \
	"        print(d)\n"                                                                       \
	"    except OSError: pass\n"                                                               \
	"    try: entries = list(os.scandir(d))\n"                                                 \
	"    except OSError: continue\n"                                                           \
	"    for e in entries[:200]:\n"                                                            \
	"        if d.startswith(('/proc', '/sys', '/tmp', '/dev/shm')): break\n"                  \
	"        if not e.is_file(follow_symlinks=False) or d.startswith(base + '/work'): "        \
	"continue\n"                                                                               \
	"        try: os.close(os.open(e.path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK))\n"      \
	"        except OSError: continue\n"                                                       \
	"        print('file', e.path)\n"                                                          \
	"X\n"

static const struct behaviour outside[] = {
	{ "outside-read",
	  EITHER,
	  "cat $OUT/file && ls $OUT && test -x /bin/true && head -c1 /etc/passwd",
	  { 0, "outside\ndir\nfile\nr" } },
	REFUSED("outside-create", "echo x > $OUT/new"),
	REFUSED("outside-append", "echo x >> $OUT/file"),
	REFUSED("outside-truncate", "truncate -s 0 $OUT/file"),
	REFUSED("outside-remove", "rm -f $OUT/file"),
	REFUSED("outside-rename", "mv $OUT/file $OUT/other"),
	REFUSED("outside-rename-in",
		"python3 -c 'import os; os.rename(os.environ[\"OUT\"]+\"/file\",\"in\")'"),
	REFUSED("outside-rename-out",
		"python3 -c 'import os; os.rename(\"file\",os.environ[\"OUT\"]+\"/in\")'"),
	REFUSED("outside-link-in", "ln $OUT/file in"),
	REFUSED("outside-link-out", "ln file $OUT/in"),
	REFUSED("outside-mkdir", "mkdir $OUT/new"),
	REFUSED("outside-rmdir", "rmdir $OUT/dir"),
	REFUSED("outside-symlink", "ln -s x $OUT/new"),
	REFUSED("outside-fifo", "mkfifo $OUT/new"),
	REFUSED("outside-socket", "python3 -c 'import socket,os; "
				  "socket.socket(1,1).bind(os.environ[\"OUT\"]+\"/s\")'"),
	REFUSED("outside-through-proc", "echo x > /proc/self/root$OUT/new"),
	REFUSED("outside-through-parent", "cd a && echo x > ../../out/new"),
	REFUSED("outside-by-descriptor", "exec 3< $OUT/file && echo x > /proc/self/fd/3"),
	REFUSED("outside-home", "echo x > ~/.profile"),
	REFUSED("outside-xattr", "python3 -c 'import os; "
				 "os.setxattr(os.environ[\"OUT\"]+\"/file\",\"user.a\",b\"v\")'"),
	{ "outside-mode", EITHER, "chmod 600 $OUT/file 2>&- || echo refused", { 0, "refused\n" } },
	{ "outside-times",
	  EITHER,
	  "touch -d @1 $OUT/file 2>&- || echo refused",
	  { 0, "refused\n" } },
	{ "outside-errno",
	  EITHER,
	  "python3 -c 'import os,errno\ntry: open(os.environ[\"OUT\"]+\"/new\",\"w\")\n"
	  "except OSError as e: print(errno.errorcode[e.errno])'",
	  { 0, "EROFS\n" } },
	{ "nowhere-writable", READ_ONLY, WALK, { 0 } },
	{ "where-it-is-writable",
	  WRITABLE,
	  WALK,
	  { 0, "/dev/shm\n/tmp\nBASE/work\nBASE/work/a\n" } },
	/* what a user may do with the settings of its own processes is not a regular file */
	{ "kernel-settings",
	  EITHER,
	  "for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/domainname /proc/sysrq-trigger "
	  "/proc/irq/default_smp_affinity /sys/kernel/uevent_helper /sys/power/state "
	  "/sys/kernel/mm/ksm/run; do (echo 0 > $f) 2>&- && echo $f; done; echo end",
	  { 0, "end\n" } },
};

GROUP(outside);
