/* SPDX-License-Identifier: MIT */
#include "landlock.h"

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

/*
 * By numbers of our own, since the headers of the oldest supported distribution stop at ABI 2.
 * Source: include/uapi/linux/landlock.h of Linux 7.3; the asserts below hold it against whatever
 * header is there.
 */
#define FS(name, shift, group, abi, on_file)                                                       \
	{                                                                                          \
		name, UINT64_C(1) << (shift), LANDLOCK_FIELD_FS, group, abi, on_file               \
	}
#define NET(name, shift, abi)                                                                      \
	{                                                                                          \
		name, UINT64_C(1) << (shift), LANDLOCK_FIELD_NET, LANDLOCK_GROUP_NETWORK, abi,     \
			false                                                                      \
	}
#define SCOPE(name, shift)                                                                         \
	{                                                                                          \
		name, UINT64_C(1) << (shift), LANDLOCK_FIELD_SCOPE, LANDLOCK_GROUP_SCOPE, 6, false \
	}

static const struct landlock_right table[] = {
	FS("execute", 0, LANDLOCK_GROUP_READ, 1, true),
	FS("write-file", 1, LANDLOCK_GROUP_WRITE, 1, true),
	FS("read-file", 2, LANDLOCK_GROUP_READ, 1, true),
	FS("read-dir", 3, LANDLOCK_GROUP_READ, 1, false),
	FS("remove-dir", 4, LANDLOCK_GROUP_WRITE, 1, false),
	FS("remove-file", 5, LANDLOCK_GROUP_WRITE, 1, false),
	FS("make-char", 6, LANDLOCK_GROUP_WRITE, 1, false),
	FS("make-dir", 7, LANDLOCK_GROUP_WRITE, 1, false),
	FS("make-reg", 8, LANDLOCK_GROUP_WRITE, 1, false),
	FS("make-sock", 9, LANDLOCK_GROUP_WRITE, 1, false),
	FS("make-fifo", 10, LANDLOCK_GROUP_WRITE, 1, false),
	FS("make-block", 11, LANDLOCK_GROUP_WRITE, 1, false),
	FS("make-sym", 12, LANDLOCK_GROUP_WRITE, 1, false),
	FS("refer", 13, LANDLOCK_GROUP_WRITE, 2, false),
	FS("truncate", 14, LANDLOCK_GROUP_WRITE, 3, true),
	FS("ioctl-dev", 15, LANDLOCK_GROUP_DEVICE, 5, true),
	FS("resolve-unix", 16, LANDLOCK_GROUP_SOCKET, 9, true),
	NET("bind-tcp", 0, 4),
	NET("connect-tcp", 1, 4),
	NET("bind-udp", 2, 10),
	NET("connect-send-udp", 3, 10),
	SCOPE("abstract-unix-socket", 0),
	SCOPE("signal", 1),
};

#ifdef LANDLOCK_ACCESS_FS_REFER
_Static_assert(LANDLOCK_ACCESS_FS_REFER == 1 << 13, "refer");
_Static_assert(LANDLOCK_ACCESS_FS_MAKE_SYM == 1 << 12, "make-sym");
_Static_assert(LANDLOCK_ACCESS_FS_WRITE_FILE == 1 << 1, "write-file");
_Static_assert(LANDLOCK_ACCESS_FS_REMOVE_DIR == 1 << 4, "remove-dir");
#endif
#ifdef LANDLOCK_ACCESS_FS_TRUNCATE
_Static_assert(LANDLOCK_ACCESS_FS_TRUNCATE == 1 << 14, "truncate");
#endif
#ifdef LANDLOCK_ACCESS_FS_IOCTL_DEV
_Static_assert(LANDLOCK_ACCESS_FS_IOCTL_DEV == 1 << 15, "ioctl-dev");
#endif
#ifdef LANDLOCK_ACCESS_NET_CONNECT_TCP
_Static_assert(LANDLOCK_ACCESS_NET_BIND_TCP == 1 && LANDLOCK_ACCESS_NET_CONNECT_TCP == 2, "tcp");
#endif
#ifdef LANDLOCK_SCOPE_SIGNAL
_Static_assert(LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET == 1 && LANDLOCK_SCOPE_SIGNAL == 2, "scope");
#endif

const struct landlock_right *landlock_rights(size_t *ret_len)
{
	*ret_len = ARRAY_LEN(table);
	return table;
}

static bool is_restricted(enum landlock_group group, const struct rf_plan *plan)
{
	switch (group) {
	case LANDLOCK_GROUP_WRITE:
	case LANDLOCK_GROUP_DEVICE:
	case LANDLOCK_GROUP_SCOPE:
		return true;
	case LANDLOCK_GROUP_NETWORK:
		return plan->network == RF_NETWORK_OFF;
	case LANDLOCK_GROUP_READ:
	case LANDLOCK_GROUP_SOCKET:
		return false;
	}
	return true;
}

struct landlock_attributes landlock_plan(const struct rf_plan *plan, int abi)
{
	struct landlock_attributes attributes = { 0 };
	uint64_t *const fields[] = { [LANDLOCK_FIELD_FS] = &attributes.fs,
				     [LANDLOCK_FIELD_NET] = &attributes.net,
				     [LANDLOCK_FIELD_SCOPE] = &attributes.scope };

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].abi <= abi && is_restricted(table[i].group, plan))
			*fields[table[i].field] |= table[i].bit;
	return attributes;
}

static uint64_t rights_of(int abi, enum landlock_group group, bool only_on_file)
{
	uint64_t rights = 0;

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].abi <= abi && table[i].group == group &&
		    (table[i].on_file || !only_on_file))
			rights |= table[i].bit;
	return rights;
}

uint64_t landlock_root_rights(int abi, bool is_directory)
{
	return rights_of(abi, LANDLOCK_GROUP_WRITE, !is_directory);
}

uint64_t landlock_device_rights(int abi, bool is_terminal)
{
	uint64_t rights = rights_of(abi, LANDLOCK_GROUP_WRITE, true);

	return is_terminal ? rights | rights_of(abi, LANDLOCK_GROUP_DEVICE, true) : rights;
}
