/* SPDX-License-Identifier: MIT */
/*
 * Claim `kernel`: closed calls. The arguments do no harm; what the kernel says to them unconfined
 * is not what the filter says. Where only root gets that far, the control runs as root.
 */
#include "escape.h"

#define ROOT (CONTROL_ROOT | QUIET)
#define NOT_BUILT "ENOSYS EINVAL EFAULT"

static const struct attempt rows[] = {
	{ "bpf", "call bpf 0 u32=1,4,4,1 72", ROOT },
	{ "bpf", "call bpf 5 zero 72", ROOT, NULL, NULL, "EINVAL E2BIG" },
	{ "bpf", "i386 357 0 u32=1,4,4,1 72", ROOT },

	/* a software clock, of nobody and of the act itself */
	{ "perf", "call perf_event_open u64=0x8000000001 0 -1 -1 0", ROOT },
	{ "perf", "call perf_event_open u64=0x8000000001 -1 0 -1 0", ROOT },
	{ "perf", "i386 336 u64=0x8000000001 0 -1 -1 0", ROOT },

	{ "faults", "call userfaultfd 1", QUIET, NULL, NULL, NOT_BUILT },
	{ "faults", "call userfaultfd 0", ROOT, NULL, NULL, NOT_BUILT },
	{ "faults", "i386 374 1", QUIET, NULL, NULL, NOT_BUILT },

	/* the keyring of the thread dies with it */
	{ "keys", "call add_key s=user s=name s=text 4 -1", QUIET, NULL, NULL, NOT_BUILT },
	{ "keys", "call keyctl 0 -1 1", QUIET, NULL, NULL, NOT_BUILT },
	{ "keys", "call request_key s=user s=none 0 0", QUIET, NULL, NULL, "ENOKEY ENOSYS" },
	{ "keys", "i386 288 0 -1 1", QUIET, NULL, NULL, NOT_BUILT },

	{ "another kernel", "call kexec_load 0 99999 0 0", ROOT, NULL, NULL, NOT_BUILT },
	{ "another kernel", "call kexec_file_load -1 -1 0 0 0xff", ROOT, NULL, NULL, NOT_BUILT },
	{ "another kernel", "call reboot 0 0 0 0", ROOT, NULL, NULL, "EINVAL" },
	{ "another kernel", "i386 88 0 0 0 0", ROOT, NULL, NULL, "EINVAL" },

	{ "modules", "call init_module zero 0 s=", ROOT, NULL, NULL, "ENOEXEC ENOSYS" },
	{ "modules", "call finit_module -1 s= 0", ROOT, NULL, NULL, "EBADF ENOSYS" },
	{ "modules", "call delete_module s=no_such_module 0x800", ROOT, NULL, NULL,
	  "ENOENT ENOSYS" },

	{ "storage", "call swapon 0 0", ROOT, NULL, NULL, "EFAULT ENOSYS" },
	{ "storage", "call swapoff /nonexistent", ROOT, NULL, NULL, "ENOENT ENOSYS" },
	{ "storage", "call acct /nonexistent", ROOT, NULL, NULL, "ENOENT ENOSYS" },
	{ "storage", "call quotactl 0x80000700 /nonexistent 0 0", ROOT, NULL, NULL,
	  "ENOENT ENOSYS ENOTBLK EINVAL" },
	{ "storage", "call quotactl_fd -1 0x80000700 0 0", QUIET, NULL, NULL, "EBADF ENOSYS" },

	{ "clock", "call settimeofday u64=0,2000000 0", QUIET, NULL, NULL, "EINVAL" },
	{ "clock", "call clock_settime 99 u64=0,0", QUIET, NULL, NULL, "EINVAL" },
	{ "clock", "call clock_adjtime 0 zero", QUIET },
	{ "clock", "call adjtimex zero", QUIET },
	{ "clock", "i386 79 u32=0,2000000 0", QUIET, NULL, NULL, "EINVAL" },
	{ "clock", "i386 264 99 u32=0,0", QUIET, NULL, NULL, "EINVAL" },

	{ "identity", "call sethostname 0 -1", ROOT, NULL, NULL, "EINVAL" },
	{ "identity", "call setdomainname 0 -1", ROOT, NULL, NULL, "EINVAL" },
	{ "identity", "i386 74 0 -1", ROOT, NULL, NULL, "EINVAL" },

	/* READ_IMPLIES_EXEC, and others that change how programs are loaded */
	{ "personality", "call personality 0x400000", QUIET },
	{ "personality", "call personality 0x100000", QUIET },
	{ "personality", "i386 136 0x400000", QUIET },

	{ "ports", "call iopl 0", QUIET, NULL, NULL, "ENOSYS" },
	{ "ports", "call ioperm 0 0 0", QUIET, NULL, NULL, "EINVAL ENOSYS" },
	{ "ports", "i386 101 0 0 0", QUIET, NULL, NULL, "EINVAL ENOSYS" },

	{ "legacy", "call modify_ldt 0 zero 16", QUIET, NULL, NULL, "ENOSYS" },
	{ "legacy", "call ustat 0xffff zero", QUIET, NULL, NULL, "EINVAL ENOSYS" },
	{ "legacy", "call sysfs 3", QUIET, NULL, NULL, "ENOSYS EINVAL" },
	{ "legacy", "call syslog 10 0 0", ROOT },
	{ "legacy", "i386 103 10 0 0", ROOT },

	/* FAN_REPORT_FID, which needs no privilege; a file without its name */
	{ "watching", "call fanotify_init 0x200 0", QUIET, NULL, NULL, "EINVAL ENOSYS" },
	{ "watching", "call name_to_handle_at -100 / u32=128 zero 0", QUIET },
	{ "watching", "call open_by_handle_at -1 u32=8,1 0", ROOT, NULL, NULL,
	  "EBADF ESTALE EINVAL" },
	{ "watching", "i386 338 0x200 0", QUIET, NULL, NULL, "EINVAL ENOSYS" },

	{ "io_uring", "call io_uring_setup 2 zero", QUIET, "ENOSYS", "ENOSYS" },
	{ "io_uring", "call io_uring_enter -1 0 0 0 0 0", QUIET, "ENOSYS", "ENOSYS", "EBADF" },
	{ "io_uring", "call io_uring_register -1 0 0 0", QUIET, "ENOSYS", "ENOSYS",
	  "EBADF EINVAL" },
	{ "io_uring", "i386 425 2 zero", QUIET, "ENOSYS", "ENOSYS" },

	{ "in memory", "call clone3 zero 0", QUIET, "ENOSYS", "ENOSYS", "EINVAL" },
	{ "in memory", "call openat2 -100 / u64=0,0,0 24", QUIET, "ENOSYS", "ENOSYS" },
	{ "in memory", "i386 437 -100 / u64=0,0,0 24", QUIET, "ENOSYS", "ENOSYS" },
	{ 0 },
};

const struct attempts attempts_kernel = { RF_CLAIM_KERNEL, "EPERM", "EPERM", rows };
