/* SPDX-License-Identifier: MIT */
/* Claims `network`, with network=off, and `abstract-sockets`, with either. */
#include "escape.h"

#define NOT_BUILT "EAFNOSUPPORT EPROTONOSUPPORT ESOCKTNOSUPPORT"

static const struct attempt rows[] = {
	{ "reach", "tcp-connect @tcp" },
	{ "reach", "tcp-fastopen @tcp" },
	{ "reach", "udp-send @udp" },
	{ "reach", "udp-sendmmsg @udp" },
	{ "reach", "child tcp-connect @tcp" },

	{ "internet", "call socket 2 1 0", QUIET },
	{ "internet", "call socket 2 2 0", QUIET },
	{ "internet", "call socket 10 1 0", QUIET, NULL, NULL, NOT_BUILT },
	{ "internet", "call socket 10 2 0", QUIET, NULL, NULL, NOT_BUILT },
	{ "internet", "call socket 0x700000002 1 0", QUIET },
	{ "internet", "call socket 2 0x80801 0", QUIET },
	{ "internet", "call socket 2 3 1", QUIET | CONTROL_ROOT },
	{ "internet", "call socket 10 3 58", QUIET | CONTROL_ROOT, NULL, NULL, NOT_BUILT },
	{ "internet", "call socket 2 2 1", QUIET, NULL, NULL, "EACCES" },
	{ "internet", "call socket 2 1 262", QUIET, NULL, NULL, NOT_BUILT " ENOPROTOOPT" },
	{ "internet", "call socket 2 1 132", QUIET, NULL, NULL, NOT_BUILT },

	{ "netlink", "call socket 16 3 15", QUIET, NULL, NULL, NOT_BUILT },
	{ "netlink", "call socket 16 3 16", QUIET, NULL, NULL, NOT_BUILT },
	{ "netlink", "call socket 16 3 4", QUIET, NULL, NULL, NOT_BUILT },
	{ "netlink", "call socket 16 3 9", QUIET, NULL, NULL, NOT_BUILT },
	{ "netlink", "call socket 16 3 12", QUIET, NULL, NULL, NOT_BUILT },

	{ "other family", "call socket 17 3 0", QUIET | CONTROL_ROOT, NULL, NULL, NOT_BUILT },
	{ "other family", "call socket 38 5 0", QUIET, NULL, NULL, NOT_BUILT },
	{ "other family", "call socket 40 1 0", QUIET, NULL, NULL, NOT_BUILT " ENODEV" },
	{ "other family", "call socket 31 3 0", QUIET, NULL, NULL, NOT_BUILT },
	{ "other family", "call socket 30 5 0", QUIET, NULL, NULL, NOT_BUILT },
	{ "other family", "call socket 44 3 0", QUIET | CONTROL_ROOT, NULL, NULL, NOT_BUILT },
	{ "other family", "call socket 46 1 0", QUIET, NULL, NULL, NOT_BUILT },

	/* RTM_NEWLINK, RTM_SETLINK and RTM_NEWADDR for the loopback, which change nothing */
	{ "rtnetlink", "route 16", QUIET | CONTROL_ROOT },
	{ "rtnetlink", "route 19", QUIET | CONTROL_ROOT },
	{ "rtnetlink", "route 20", QUIET | CONTROL_ROOT, NULL, NULL, "EINVAL EOPNOTSUPP" },

	{ "pair", "call socketpair 2 1 0 zero", QUIET, NULL, NULL, "EOPNOTSUPP" },
	{ "pair", "call socketpair 30 5 0 zero", QUIET, NULL, NULL, NOT_BUILT },
	{ "pair", "call socketpair 10 2 0 zero", QUIET, NULL, NULL, NOT_BUILT " EOPNOTSUPP" },

	{ "32-bit", "i386 359 2 1 0", QUIET },
	{ "32-bit", "i386 359 10 2 0", QUIET, NULL, NULL, NOT_BUILT },
	{ "32-bit", "i386 102 1 u32=2,1,0", QUIET },
	{ "32-bit", "i386 102 1 u32=2,2,0", QUIET },
	{ "32-bit", "i386 102 8 u32=2,1,0,0", QUIET, NULL, NULL, "EOPNOTSUPP EFAULT" },

	{ "io_uring", "ring-socket 2 1", QUIET, "ENOSYS", "ENOSYS", "EINVAL" },
	{ "io_uring", "ring-socket 10 2", QUIET, "ENOSYS", "ENOSYS", "EINVAL" NOT_BUILT },
	{ "io_uring", "child ring-socket 2 2", QUIET, "ENOSYS", "ENOSYS", "EINVAL" },
	{ 0 },
};

const struct attempts attempts_network = { RF_CLAIM_NETWORK, "EPERM", "EPERM", rows };

/* The names of another network namespace do not exist; a Landlock scope says EPERM. */
static const struct attempt abstract_rows[] = {
	{ "connect", "unix-connect @stream", OLDER_ABI },
	{ "connect", "unix-dgram-connect @dgram", OLDER_ABI },
	{ "connect", "child unix-connect @stream", OLDER_ABI },
	{ "connect", "unix-connect @stream", NETWORK_HOST },
	{ "connect", "unix-dgram-connect @dgram", NETWORK_HOST },

	{ "send", "unix-sendto @dgram", OLDER_ABI },
	{ "send", "unix-sendmsg @dgram", OLDER_ABI },
	{ "send", "unix-sendto @dgram", NETWORK_HOST },
	{ "send", "unix-sendmsg @dgram", NETWORK_HOST },
	{ 0 },
};

const struct attempts attempts_abstract = { RF_CLAIM_ABSTRACT_SOCKETS, "EPERM ECONNREFUSED",
					    "EPERM", abstract_rows };
