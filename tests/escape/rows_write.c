/* SPDX-License-Identifier: MIT */
/* Claim `write`: nothing outside the writable roots is created, changed, moved or removed. */
#include "escape.h"

#define ANY_DENIAL "EROFS EACCES EPERM ENOENT"
#define CROSSING "EXDEV EACCES EROFS"

static const struct attempt rows[] = {
	/* 01001 is O_WRONLY | O_TRUNC, 0101 O_WRONLY | O_CREAT, 02001 O_WRONLY | O_APPEND */
	{ "open", "write @out/victim", OLDER_ABI },
	{ "open", "write @out/victim 2", OLDER_ABI },
	{ "open", "write @out/victim 02001", OLDER_ABI },
	{ "open", "call open @out/victim 01001", OLDER_ABI },
	{ "open", "call openat -100 @out/new 0101 0644", OLDER_ABI },
	{ "open", "call creat @out/victim 0644", OLDER_ABI },
	{ "open", "call openat2 -100 @out/victim u64=01001,0,0 24", OLDER_ABI, "ENOSYS", "ENOSYS" },
	{ "open", "i386 5 @out/victim 01001", OLDER_ABI },
	{ "open", "i386 295 -100 @out/new 0101 0644", OLDER_ABI },
	{ "open", "child write @out/victim", OLDER_ABI },
	{ "open", "tmpfile-link @out @out/new 0644", OLDER_ABI },

	/* access mode 3 asks for neither reading nor writing, and truncates all the same */
	{ "truncate", "call truncate @out/victim 3", OLDER_ABI },
	{ "truncate", "call ftruncate w=@out/victim 3", OLDER_ABI },
	{ "truncate", "call open @out/victim 01000", OLDER_ABI },
	{ "truncate", "call openat -100 @out/victim 01000", OLDER_ABI },
	{ "truncate", "call open @out/victim 01003", OLDER_ABI },
	{ "truncate", "call openat -100 @out/victim 01003", OLDER_ABI },
	{ "truncate", "call open @out/victim 0x100000000200", OLDER_ABI },
	{ "truncate", "call openat2 -100 @out/victim u64=01000,0,0 24", OLDER_ABI, "ENOSYS",
	  "ENOSYS" },
	{ "truncate", "call openat2 -100 @out/victim u64=01003,0,0 24", OLDER_ABI, "ENOSYS",
	  "ENOSYS" },
	{ "truncate", "i386 5 @out/victim 01000", OLDER_ABI },
	{ "truncate", "i386 5 @out/victim 01003", OLDER_ABI },
	{ "truncate", "i386 295 -100 @out/victim 01000", OLDER_ABI },
	{ "truncate", "i386 92 @out/victim 3", OLDER_ABI },
	{ "truncate", "i386 193 @out/victim 3 0", OLDER_ABI },
	{ "truncate", "i386 8 @out/victim 0644", OLDER_ABI },
	{ "truncate", "call truncate @work/way/victim 3", OLDER_ABI },

	{ "content", "map @out/victim", OLDER_ABI },
	{ "content", "copy-range @work/file @out/victim", OLDER_ABI },
	{ "content", "splice @out/victim", OLDER_ABI },
	{ "content", "call pwrite64 w=@out/victim s=x 1 0", OLDER_ABI },
	{ "content", "call fallocate w=@out/victim 0 0 100", OLDER_ABI },
	{ "content", "call fallocate w=@out/victim 3 0 4", OLDER_ABI },

	{ "io_uring", "ring-open @out/victim", OLDER_ABI, "ENOSYS", "ENOSYS" },
	{ "io_uring", "ring-unlink @out/victim", OLDER_ABI, "ENOSYS", "ENOSYS" },
	{ "io_uring", "child ring-open @out/victim", OLDER_ABI, "ENOSYS", "ENOSYS" },

	{ "create", "call mkdir @out/new 0755", OLDER_ABI },
	{ "create", "call mkdirat -100 @out/new 0755" },
	{ "create", "call mknod @out/new 0100644 0", OLDER_ABI },
	{ "create", "call mknod @out/new 010644 0", OLDER_ABI },
	{ "create", "call mknodat -100 @out/new 0140644 0", OLDER_ABI },
	{ "create", "call symlink @work @out/new", OLDER_ABI },
	{ "create", "call symlinkat @work -100 @out/new" },
	{ "create", "bind-unix @out/new", OLDER_ABI },
	{ "create", "i386 39 @out/new 0755" },

	{ "link", "call link @out/victim @out/new", OLDER_ABI, NULL, CROSSING },
	{ "link", "call link @out/victim @work/new", OLDER_ABI, CROSSING, CROSSING },
	{ "link", "call linkat -100 @work/file -100 @out/new 0", OLDER_ABI, CROSSING, CROSSING },
	{ "link", "link-fd @out/victim @work/new", OLDER_ABI, CROSSING, CROSSING },
	{ "link", "i386 9 @out/victim @work/new", 0, CROSSING, CROSSING },

	{ "rename", "call rename @out/victim @out/new", OLDER_ABI },
	{ "rename", "call rename @out/victim @work/new", OLDER_ABI, CROSSING, CROSSING },
	{ "rename", "call rename @work/file @out/victim", OLDER_ABI, CROSSING, CROSSING },
	{ "rename", "call rename @work/dir @out/new", OLDER_ABI, CROSSING, CROSSING },
	{ "rename", "call renameat2 -100 @out/victim -100 @work/file 2", OLDER_ABI, CROSSING,
	  CROSSING },
	{ "rename", "call renameat2 -100 @out/victim -100 @out/dir 2", OLDER_ABI, NULL, CROSSING },
	{ "rename", "call renameat2 -100 @out/victim -100 @out/new 1", OLDER_ABI },
	{ "rename", "call rename @work @base/moved", OLDER_ABI, "EROFS EBUSY EXDEV", CROSSING },
	{ "rename", "i386 38 @out/victim @out/new" },

	{ "remove", "call unlink @out/victim", OLDER_ABI },
	{ "remove", "call unlinkat -100 @out/victim 0", OLDER_ABI },
	{ "remove", "call rmdir @out/empty", OLDER_ABI },
	{ "remove", "call unlinkat -100 @out/empty 0x200" },
	{ "remove", "i386 10 @out/victim" },

	/* names that lead out of the workspace */
	{ "way", "write @work/way/victim" },
	{ "way", "write @work/../out/victim" },
	{ "way", "write ../out/victim" },
	{ "way", "call openat -100 @work/hanging 0101 0644" },
	{ "way", "call mkdir @work/way/new 0755" },
	{ "way", "write //@out//victim" },

	/* magic links: 0x200000 is O_PATH */
	{ "magic", "reopen @out/victim 0", OLDER_ABI },
	{ "magic", "reopen @out/victim 0x200000", OLDER_ABI },
	{ "magic", "write /proc/self/root@out/victim", 0, ANY_DENIAL, ANY_DENIAL },
	{ "magic", "write /proc/thread-self/root@out/victim", 0, ANY_DENIAL, ANY_DENIAL },
	{ "magic", "write /proc/@pid/root@out/victim", 0, ANY_DENIAL, ANY_DENIAL },
	{ "magic", "write /proc/@pid/cwd@out/victim", 0, ANY_DENIAL, ANY_DENIAL },
	{ "magic", "write /proc/@foreign/root@out/victim", CONTROL_ROOT, ANY_DENIAL, ANY_DENIAL },
	{ "magic", "write /proc/@foreign/cwd@out/victim", CONTROL_ROOT, ANY_DENIAL, ANY_DENIAL },
	{ "magic", "handle @out/victim @out", CONTROL_ROOT, "EPERM", "EPERM" },

	/* what the kernel itself lets root, or the owner of a process, write */
	/* a read-only mount lets everybody write to pipes and devices; nobody reads these */
	{ "pipe", "write @out/pipe 2", QUIET, "EACCES" },
	{ "pipe", "call open @out/pipe 2", QUIET, "EACCES" },
	{ "pipe", "call open @work/way/pipe 04002", QUIET, "EACCES" },

	{ "kernel", "rewrite /proc/sys/kernel/core_pattern", ONLY_ROOT | QUIET, ANY_DENIAL },
	{ "kernel", "rewrite /proc/sys/vm/swappiness", ONLY_ROOT | QUIET, ANY_DENIAL },
	{ "kernel", "rewrite /proc/sys/kernel/hostname", ONLY_ROOT | QUIET, ANY_DENIAL },
	{ "kernel", "rewrite /proc/sys/net/ipv4/ip_forward", ONLY_ROOT | QUIET, ANY_DENIAL },
	{ "kernel", "call open /proc/irq/default_smp_affinity 1", ONLY_ROOT | QUIET, ANY_DENIAL },
	{ "kernel", "call open /sys/kernel/mm/transparent_hugepage/enabled 1", ONLY_ROOT | QUIET,
	  ANY_DENIAL },
	{ "kernel", "rewrite /proc/@pid/oom_score_adj", QUIET, ANY_DENIAL },
	{ "kernel", "rewrite /proc/self/root/proc/sys/vm/swappiness", ONLY_ROOT | QUIET, ANY_DENIAL,
	  ANY_DENIAL },

	/* for reading, only the view's nodev refuses it: Landlock leaves all reading free */
	{ "device", "call open @disk 0", ONLY_ROOT | ONLY_NAMESPACE | QUIET, ANY_DENIAL },
	{ "device", "call open @disk 1", ONLY_ROOT | QUIET, ANY_DENIAL },
	{ "device", "call open /dev/kmsg 1", ONLY_ROOT | QUIET, ANY_DENIAL },
	{ "device", "call mknod @work/disk 060600 0xfe00", ONLY_ROOT, ANY_DENIAL, ANY_DENIAL },
	{ "device", "call mknod @work/mem 020600 0x101", ONLY_ROOT, ANY_DENIAL, ANY_DENIAL },

	/* in this mode nothing at all; 020200002 is O_TMPFILE | O_RDWR */
	{ "read-only", "write @work/file", ONLY_READ_ONLY },
	{ "read-only", "call openat -100 @work/new 0101 0644", ONLY_READ_ONLY },
	{ "read-only", "call truncate @work/file 0", ONLY_READ_ONLY },
	{ "read-only", "call mkdir @work/new 0755", ONLY_READ_ONLY },
	{ "read-only", "call unlink @work/file", ONLY_READ_ONLY },
	{ "read-only", "call rename @work/file @work/new", ONLY_READ_ONLY },
	{ "read-only", "call openat -100 /tmp 020200002 0600", ONLY_READ_ONLY | QUIET },
	{ "read-only", "call openat -100 /var/tmp 020200002 0600", ONLY_READ_ONLY | QUIET },
	{ "read-only", "call openat -100 /dev/shm 020200002 0600", ONLY_READ_ONLY | QUIET,
	  ANY_DENIAL, ANY_DENIAL },
	{ 0 },
};

const struct attempts attempts_write = { RF_CLAIM_WRITE, "EROFS", "EACCES", rows };
