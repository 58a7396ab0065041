/* SPDX-License-Identifier: MIT */
/* Calls that are closed, with the errno that programs have a way to live with. */
#include "parity.h"

/* By number, as on all architectures since 424; the others by the C library. */
#define CALL(arguments)                                                                            \
	"python3 -c 'import ctypes,errno; l=ctypes.CDLL(None,use_errno=True); r=l." arguments ";"  \
	"print(errno.errorcode[ctypes.get_errno()] if r<0 else \"done\")'"
#define CLOSED(id, arguments)                                                                      \
	{                                                                                          \
		id, EITHER, CALL(arguments),                                                       \
		{                                                                                  \
			0, "EPERM\n"                                                               \
		}                                                                                  \
	}
#define ABSENT(id, arguments)                                                                      \
	{                                                                                          \
		id, EITHER, CALL(arguments),                                                       \
		{                                                                                  \
			0, "ENOSYS\n"                                                              \
		}                                                                                  \
	}

static const struct behaviour kernel[] = {
	CLOSED("new-user-namespace", "unshare(0x10000000)"),
	CLOSED("new-mount-namespace", "unshare(0x20000)"),
	CLOSED("new-network-namespace", "unshare(0x40000000)"),
	CLOSED("change-root", "chroot(b\"/\")"),
	CLOSED("host-name-change", "sethostname(b\"x\",1)"),
	CLOSED("keys", "syscall(250,0,0)"),
	CLOSED("performance-events", "syscall(298,0,0,0,0,0)"),
	CLOSED("bpf-programs", "syscall(321,0,0,0)"),
	CLOSED("file-handles", "syscall(303,-100,b\".\",0,0,0)"),
	CLOSED("kernel-log", "syscall(103,10,0,0)"),
	CLOSED("new-mount-calls", "syscall(428,-100,b\"/\",1)"),
	CLOSED("clock", "syscall(159,0)"),
	CLOSED("descriptors-of-others", "syscall(438,0,0,0)"),
	ABSENT("rings", "syscall(425,1,0)"),
	ABSENT("clone3", "syscall(435,0,0)"),
	ABSENT("openat2", "syscall(437,-100,b\".\",0,0)"),
	ABSENT("unknown-call", "syscall(999)"),
	{ "newer-calls", EITHER, CALL("syscall(439,-100,b\"file\",4,0)"), { 0, "done\n" } },
	{ "user-namespace-allowed",
	  EITHER,
	  CALL("unshare(0x10000000)"),
	  { 0, "done\n" },
	  .options = "--allow-userns" },
	{ "user-namespace-mapped",
	  EITHER | AS_USER,
	  "unshare -r id -u 2>&- || echo refused",
	  { 0, "0\n" },
	  .options = "--allow-userns" },
	/* Mapping uid 0 takes CAP_SETFCAP, by which root could leave a file on the host that gives
	 * capabilities to whoever executes it there: it is not among those that root keeps. */
	{ "user-namespace-of-root",
	  EITHER | AS_ROOT,
	  "unshare -r id -u 2>&- || echo refused",
	  { 0, "refused\n" },
	  .options = "--allow-userns" },
};

GROUP(kernel);
