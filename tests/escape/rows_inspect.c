/* SPDX-License-Identifier: MIT */
/* Claims `inspect` and `processes`. The victim keeps a canary; acts print what they find. */
#include "escape.h"

static const struct attempt rows[] = {
	{ "trace", "ptrace-attach @pid", QUIET },
	{ "trace", "ptrace-seize @pid", QUIET },
	{ "trace", "child ptrace-attach @pid", QUIET },

	{ "memory", "vm-read @pid @address" },
	{ "memory", "vm-write @pid @address" },
	{ "memory", "mem-read @pid @address" },
	{ "memory", "mem-write @pid @address" },
	{ "memory", "call process_madvise pf=@pid zero 0 20 0", QUIET | CONTROL_ROOT, NULL, NULL,
	  "EINVAL" },

	{ "environment", "read /proc/@pid/environ" },
	{ "environment", "read /proc/@pid/task/@pid/environ" },
	{ "environment", "read /proc/@pid/auxv", QUIET },
	{ "environment", "read /proc/@pid/maps", QUIET },
	{ "environment", "read /proc/@pid/smaps", QUIET },
	{ "environment", "call open /proc/@pid/pagemap 0", QUIET },

	{ "links", "link /proc/@pid/exe", QUIET },
	{ "links", "link /proc/@pid/cwd", QUIET },
	{ "links", "link /proc/@pid/root", QUIET },
	{ "links", "read /proc/@pid/root/etc/passwd", QUIET },
	{ "links", "link /proc/@pid/ns/mnt", QUIET },

	{ "fds", "read /proc/@pid/fd/3" },
	{ "fds", "link /proc/@pid/fd/0", QUIET },
	/* on the other backend the numbers can be listed, which says nothing of what they are */
	{ "fds", "list /proc/@pid/fd 3", QUIET | ONLY_NAMESPACE },
	{ "fds", "read /proc/@pid/fdinfo/3", QUIET },
	{ "fds", "getfd @pid 3" },

	/* whoever watches over the run is none of its processes */
	{ "watcher", "ptrace-attach parent", QUIET | CONTROL_ROOT },
	{ "watcher", "ptrace-seize parent", QUIET | CONTROL_ROOT },
	{ "watcher", "call pidfd_getfd pf=parent 0 0", QUIET | CONTROL_ROOT },

	{ "calls", "call kcmp self @pid 0 0 0", QUIET },
	{ "calls", "call get_robust_list @pid zero zero", QUIET },
	{ "calls", "call perf_event_open u64=0x8000000001 @pid -1 -1 0", QUIET | CONTROL_ROOT },
	{ "calls", "i386 349 self @pid 0 0 0", QUIET },
	{ 0 },
};

const struct attempts attempts_inspect = { RF_CLAIM_INSPECT, "ESRCH ENOENT EPERM", "EPERM EACCES",
					   rows };

static const struct attempt process_rows[] = {
	{ "proc", "call newfstatat -100 /proc/@pid zero 0", QUIET },
	{ "proc", "list /proc @pid", QUIET },
	{ "proc", "read /proc/@pid/stat", QUIET },
	{ "proc", "read /proc/@pid/cmdline", QUIET },
	{ "proc", "call chdir /proc/@pid", QUIET },

	{ "calls", "call kill @pid 0", QUIET },
	{ "calls", "call getpgid @pid", QUIET },
	{ "calls", "call getsid @pid", QUIET },
	{ "calls", "call pidfd_open @pid 0", QUIET },
	{ "calls", "call sched_getscheduler @pid", QUIET },
	{ "calls", "call getpriority 0 @pid", QUIET },
	{ "calls", "call ioprio_get 1 @pid", QUIET },
	{ "calls", "i386 132 @pid", QUIET },
	{ 0 },
};

const struct attempts attempts_processes = { RF_CLAIM_PROCESSES, "ESRCH ENOENT", NULL,
					     process_rows };
