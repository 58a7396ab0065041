/* SPDX-License-Identifier: MIT */
/* Claim `privilege`: no way to power, and what root keeps inside is no power outside. */
#include "escape.h"

#define POWER (CONTROL_ROOT | QUIET)
#define NO_ID "EPERM EINVAL"

static const struct attempt rows[] = {
	/* 0xfb: CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID */
	{ "capabilities", "caps 0", ONLY_USER | POWER },
	{ "capabilities", "caps 0xfb", ONLY_ROOT | POWER },
	{ "capabilities", "caps 0", ONLY_ROOT | ONLY_LANDLOCK | POWER },
	{ "capabilities", "bounding 0xfb", ONLY_ROOT | ONLY_NAMESPACE | POWER },
	/* CAP_SYS_ADMIN, then CAP_DAC_READ_SEARCH, effective and permitted */
	{ "capabilities", "call capset u32=0x20080522,0 u32=0x200000,0x200000,0,0,0,0", POWER },
	{ "capabilities", "call capset u32=0x20080522,0 u32=4,4,0,0,0,0", POWER },
	{ "capabilities", "child caps 0xfb", POWER },
	{ "capabilities", "call prctl 28 0x2f", POWER },
	{ "capabilities", "call prctl 24 21", POWER },

	/* EINVAL: in the map of a namespace of one's own there is no such id */
	{ "setuid program", "exec @suid call setuid 0", ONLY_USER | QUIET, NO_ID },
	{ "setuid program", "exec @suid caps 0", ONLY_USER | QUIET },
	{ "setuid program", "exec @suid write @out/foreign", ONLY_USER, "EACCES EROFS", "EACCES" },
	{ "setuid program", "exec @suid call kill @foreign 23", ONLY_USER, "ESRCH EPERM" },

	{ "ids", "call setuid 0", ONLY_USER | POWER, NO_ID },
	{ "ids", "call setresuid 0 0 0", ONLY_USER | POWER, NO_ID },
	{ "ids", "call setgid 0", ONLY_USER | POWER, NO_ID },
	{ "ids", "call setgroups 1 u32=0", ONLY_USER | POWER },

	{ "user namespace", "call unshare 0x10000000", QUIET },
	{ "user namespace", "call unshare 0x10020000", QUIET },
	{ "user namespace", "clone 0x10000000", QUIET },
	{ "user namespace", "clone3 0x10000000", QUIET, "ENOSYS", "ENOSYS" },
	{ "user namespace", "userns-map", QUIET },
	{ "user namespace", "i386 310 0x10000000", QUIET },
	{ "user namespace", "rewrite /proc/sys/user/max_user_namespaces",
	  CONTROL_USER | CONTROL_PRIVATE, "EROFS EACCES EPERM", "EACCES" },

	{ "namespace", "call unshare 0x20000", CONTROL_PRIVATE },
	{ "namespace", "call unshare 0x4000000", CONTROL_PRIVATE },
	{ "namespace", "call unshare 0x8000000", CONTROL_PRIVATE },
	{ "namespace", "call unshare 0x20000000", CONTROL_PRIVATE },
	{ "namespace", "call unshare 0x40000000", CONTROL_PRIVATE },
	{ "namespace", "call unshare 0x2000000", CONTROL_PRIVATE },
	{ "namespace", "call unshare 0x80", CONTROL_PRIVATE, NULL, NULL, "EINVAL" },
	{ "namespace", "clone 0x20020000", CONTROL_PRIVATE },
	{ "namespace", "clone3 0x20000", CONTROL_PRIVATE, "ENOSYS", "ENOSYS" },
	{ "namespace", "call setns r=/proc/self/ns/uts 0", CONTROL_PRIVATE },
	{ "namespace", "call setns pf=self 0x4000000", CONTROL_PRIVATE },
	{ "namespace", "call setns r=/proc/@foreign/ns/uts 0", POWER, "EPERM ENOENT",
	  "EACCES EPERM" },
	{ "namespace", "call sethostname s=attacked 8", CONTROL_PRIVATE },
	{ "namespace", "call setdomainname s=attacked 8", CONTROL_PRIVATE },
	{ 0 },
};

const struct attempts attempts_privilege = { RF_CLAIM_PRIVILEGE, "EPERM", "EPERM", rows };

/* 65001 and 65002 own what is foreign outside. */
#define KEPT (ONLY_ROOT | ONLY_NAMESPACE)
#define WRITE_DENIED "EROFS", "EACCES EPERM"
#define SIGNAL_DENIED "ESRCH EPERM", "EPERM"

static const struct attempt kept_rows[] = {
	{ "CHOWN", "call chown @out/victim 1 1", KEPT },
	{ "CHOWN", "call fchown r=@out/victim 1 1", KEPT },
	{ "CHOWN", "call lchown @out/foreign 0 0", KEPT },

	{ "DAC_OVERRIDE", "write @out/foreign", ONLY_ROOT, WRITE_DENIED, NULL },
	{ "DAC_OVERRIDE", "call truncate @out/foreign 0", ONLY_ROOT, WRITE_DENIED, NULL },
	{ "DAC_OVERRIDE", "call unlink @out/foreign", ONLY_ROOT, WRITE_DENIED, NULL },

	{ "FOWNER", "call chmod @out/foreign 0666", KEPT },
	{ "FOWNER", "call utimensat -100 @out/foreign u64=1,0,1,0 0", KEPT },
	{ "FOWNER", "call unlink @out/sticky/foreign", ONLY_ROOT, WRITE_DENIED, NULL },

	{ "FSETID", "call chmod @out/foreign 02755", ONLY_ROOT, "EPERM", "EPERM" },
	{ "FSETID", "call chmod @out/setgid 02777", ONLY_ROOT, "EPERM", "EPERM" },
	{ "FSETID", "call mkdir @out/setgid/new 0755", ONLY_ROOT, WRITE_DENIED, NULL },

	{ "SETUID", "as 65001 65002 write @out/foreign", ONLY_ROOT, WRITE_DENIED, NULL },
	{ "SETUID", "as 65001 65002 call kill @foreign 23", ONLY_ROOT, SIGNAL_DENIED, NULL },
	{ "SETUID", "as 65001 65002 ptrace-attach @foreign", ONLY_ROOT | QUIET, SIGNAL_DENIED,
	  NULL },
	{ "SETUID", "as 65001 65002 read /proc/@foreign/environ", ONLY_ROOT, "ENOENT ESRCH",
	  "EPERM", NULL },
	{ "SETUID", "as 65001 65002 call prlimit64 @foreign 7 u64=100,100 0", ONLY_ROOT,
	  SIGNAL_DENIED, NULL },

	{ "SETGID", "with-group 65002 write @out/group", ONLY_ROOT, WRITE_DENIED, NULL },
	{ "SETGID", "with-group 65002 call truncate @out/group 0", ONLY_ROOT, WRITE_DENIED, NULL },
	{ "SETGID", "as 1 65002 write @out/group", ONLY_ROOT, WRITE_DENIED, NULL },

	{ "KILL", "call kill @foreign 23", ONLY_ROOT, SIGNAL_DENIED, NULL },
	{ "KILL", "call kill -@foreign 23", ONLY_ROOT, SIGNAL_DENIED, NULL },
	{ "KILL", "call pidfd_send_signal pf=@foreign 23 0 0", ONLY_ROOT, SIGNAL_DENIED, NULL },
	{ "KILL", "call tgkill @foreign @foreign 23", ONLY_ROOT, SIGNAL_DENIED, NULL },
	{ 0 },
};

const struct attempts attempts_kept = { RF_CLAIM_PRIVILEGE, "EROFS", "EACCES", kept_rows };
