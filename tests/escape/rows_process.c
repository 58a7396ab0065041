/* SPDX-License-Identifier: MIT */
/* Claims `signal` and `lifetime`. */
#include "escape.h"

/* 23 is SIGURG, which nobody minds but the victim, who counts it. */
static const struct attempt rows[] = {
	{ "kill", "call kill @pid 23" },
	{ "kill", "call kill -@pid 23" },
	{ "kill", "call kill -1 23", CONTROL_USER | WITH_VICTIM | ANY_EXIT },
	{ "kill", "call tkill @pid 23" },
	{ "kill", "call tgkill @pid @pid 23" },
	{ "kill", "i386 37 @pid 23" },
	{ "kill", "child call kill @pid 23" },

	/* the group is shared with whoever started the launcher */
	{ "group", "call kill 0 23", SAME_GROUP | ANY_EXIT | OLDER_ABI },
	{ "group", "call setpriority 1 0 5", SAME_GROUP | ANY_EXIT | OLDER_ABI },
	{ "group", "call ioprio_set 2 0 0x4007", SAME_GROUP | ANY_EXIT | OLDER_ABI },
	{ "group", "call setpriority 1 @pid 5", SAME_GROUP },
	{ "group", "call kill -@pid 23", SAME_GROUP | ANY_EXIT },
	{ "group", "i386 97 1 0 5", SAME_GROUP | ANY_EXIT | OLDER_ABI },

	{ "queue", "call rt_sigqueueinfo @pid 23 u32=23,0,-1" },
	{ "queue", "call rt_tgsigqueueinfo @pid @pid 23 u32=23,0,-1" },
	{ "queue", "call pidfd_send_signal pf=@pid 23 0 0" },
	{ "queue", "call pidfd_send_signal pf=@pid 23 0 4", 0, NULL, NULL, "EINVAL" },

	/* the kernel sends it on behalf of an fd, and drops it without a word where it may not */
	{ "owner of an fd", "sigio @pid", ANY_EXIT },
	{ "owner of an fd", "sigio -@pid", ANY_EXIT },
	{ "owner of an fd", "child sigio @pid", ANY_EXIT },

	{ "limits", "call prlimit64 @pid 7 u64=100,100 0" },
	{ "limits", "call prlimit64 @pid 7 u64=100,100 zero" },
	{ "limits", "i386 340 @pid 7 u64=100,100 0" },

	{ "priority", "call setpriority 0 @pid 5" },
	{ "priority", "call setpriority 1 @pid 5" },
	{ "priority", "call setpriority 2 @uid 5",
	  ONLY_USER | CONTROL_USER | WITH_VICTIM | ANY_EXIT },
	{ "priority", "call ioprio_set 3 @uid 0x4007",
	  ONLY_USER | CONTROL_USER | WITH_VICTIM | ANY_EXIT },
	{ "priority", "call ioprio_set 1 @pid 0x4007" },
	{ "priority", "call ioprio_set 2 @pid 0x4007" },
	{ "priority", "i386 97 0 @pid 5" },

	{ "scheduler", "call sched_setaffinity @pid 8 u64=1" },
	{ "scheduler", "call sched_setscheduler @pid 3 u32=0" },
	{ "scheduler", "call sched_setparam @pid u32=0", QUIET },
	{ "scheduler", "call sched_setattr @pid u32=48,3,0,0,5 0" },
	{ "scheduler", "i386 241 @pid 4 u32=1" },
	{ 0 },
};

const struct attempts attempts_signal = { RF_CLAIM_SIGNAL, "ESRCH EPERM", "EPERM", rows };

static const struct attempt lifetime_rows[] = {
	{ "stays", "daemon plain 1 0", ANY_EXIT },
	{ "stays", "daemon deaf 1 0", ANY_EXIT },
	{ "stays", "daemon stopped 2 0", ANY_EXIT },
	{ "stays", "daemon moving 2 0", ANY_EXIT },
	{ "stays", "kill-ancestors", ANY_EXIT },
	{ "stays", "daemon sibling 2 0", ANY_EXIT },

	{ "launcher killed", "daemon sibling 1 1", KILLED },
	{ "launcher killed", "daemon plain 3 1", KILLED },
	{ "launcher killed", "daemon deaf 1 1", KILLED },
	{ "launcher killed", "daemon stopped 1 1", KILLED },
	{ "launcher killed", "daemon moving 2 1", KILLED },
	{ 0 },
};

const struct attempts attempts_lifetime = { RF_CLAIM_LIFETIME, NULL, NULL, lifetime_rows };
