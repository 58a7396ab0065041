/* SPDX-License-Identifier: MIT */
/* Claims `terminal` and `descriptors`: what the caller hands over, or left open by mistake. */
#include "escape.h"

/* 0x5412 is TIOCSTI, 0x541c TIOCLINUX; the kernel looks at 32 bits of them. */
static const struct attempt rows[] = {
	{ "TIOCSTI", "call ioctl 0 0x5412 s=x", ON_TERMINAL },
	{ "TIOCSTI", "call ioctl 0 0x100005412 s=x", ON_TERMINAL },
	{ "TIOCSTI", "call ioctl 0 0x7fffffff00005412 s=x", ON_TERMINAL },
	{ "TIOCSTI", "i386 54 0 0x5412 s=x", ON_TERMINAL },
	{ "TIOCSTI", "child call ioctl 0 0x5412 s=x", ON_TERMINAL },
	{ "TIOCSTI", "call ioctl w=/dev/tty 0x5412 s=x", ON_TERMINAL },
	/* its devpts entry does not exist in a devpts of one's own */
	{ "TIOCSTI", "call ioctl w=@tty 0x5412 s=x", ON_TERMINAL, "EPERM ENOENT" },

	/* only a console knows this one, others say so */
	{ "TIOCLINUX", "call ioctl 0 0x541c u32=2", ON_TERMINAL, NULL, NULL, "ENOTTY" },
	{ "TIOCLINUX", "call ioctl 0 0x10000541c u32=2", ON_TERMINAL, NULL, NULL, "ENOTTY" },
	{ "TIOCLINUX", "i386 54 0 0x541c u32=2", ON_TERMINAL, NULL, NULL, "ENOTTY" },
	{ 0 },
};

const struct attempts attempts_terminal = { RF_CLAIM_TERMINAL, "EPERM", "EPERM", rows };

/* The file lies in the mount of outside, which no view changes: Landlock denies. */
#define BY_LANDLOCK "EACCES EROFS"

static const struct attempt fd_rows[] = {
	{ "inherited", "write-fd 8", FDS },
	{ "inherited", "call ftruncate 8 0", FDS },
	{ "inherited", "reopen-fd 8", FDS, "ENOENT", "ENOENT" },
	{ "inherited", "send-fd 9", FDS },
	{ "inherited", "write-at 7 victim", FDS },
	{ "inherited", "call unlinkat 7 s=victim 0", FDS },
	{ "inherited", "call fchmod 8 0600", FDS, NULL, "EBADF EPERM" },

	{ "reopened", "reopen-fd 0", FD0_FILE, BY_LANDLOCK },
	{ "reopened", "call truncate /proc/self/fd/0 0", FD0_FILE, BY_LANDLOCK },
	{ "reopened", "call open /dev/stdin 01001", FD0_FILE, BY_LANDLOCK },
	{ "reopened", "reopen-fd 10", KEEP_FILE, BY_LANDLOCK },
	{ "reopened", "call open /proc/self/fd/10 01001", KEEP_FILE, BY_LANDLOCK },
	{ "reopened", "call linkat 10 s= -100 @work/new 0x1000", KEEP_FILE | CONTROL_ROOT,
	  "EXDEV ENOENT EPERM", "EXDEV ENOENT EACCES" },

	{ "directory", "write-at 0 victim", FD0_DIR },
	{ "directory", "call mkdirat 0 s=new 0755", FD0_DIR },
	{ "directory", "call unlinkat 0 s=victim 0", FD0_DIR },
	{ "directory", "write-at 0 ../out/victim", FD0_DIR },
	{ "directory", "write-at 2 victim", FD2_DIR },
	{ "directory", "call mkdirat 2 s=new 0755", FD2_DIR },
	{ "directory", "write-at 7 victim", KEEP_DIR },
	{ "directory", "write-at 7 ../out/victim", KEEP_DIR },
	{ "directory", "call renameat2 7 s=victim 7 s=new 0", KEEP_DIR },
	{ "directory", "call openat -100 /proc/self/fd/7/victim 01001", KEEP_DIR },

	{ "working directory", "write victim", IN_OUT },
	{ "working directory", "call mkdir ./new 0755", IN_OUT },
	{ "working directory", "call unlink ./victim", IN_OUT },
	{ "working directory", "write /proc/self/cwd/victim", IN_OUT },
	{ "working directory", "write ../out/victim", IN_OUT },
	{ 0 },
};

const struct attempts attempts_descriptors = { RF_CLAIM_DESCRIPTORS, "EBADF EROFS", "EBADF EACCES",
					       fd_rows };
