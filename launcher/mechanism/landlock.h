/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_LANDLOCK_H
#define RF_MECHANISM_LANDLOCK_H

#include "setup.h"

/* The newest ABI whose rights are in the table; of a newer kernel these are used. */
#define LANDLOCK_ABI_NEWEST 11

/* What a right is about; a plan restricts some of these groups and leaves the others alone. */
enum landlock_group {
	LANDLOCK_GROUP_WRITE,	/* changing files and directories: always restricted */
	LANDLOCK_GROUP_DEVICE,	/* ioctl on device files: always restricted */
	LANDLOCK_GROUP_READ,	/* reading and executing: free */
	LANDLOCK_GROUP_SOCKET,	/* connecting to pathname sockets: free */
	LANDLOCK_GROUP_NETWORK, /* ports: restricted with the network off, beside the filter */
	LANDLOCK_GROUP_SCOPE,	/* what lies outside the domain: always restricted */
};

/* To which attribute of a ruleset the bit belongs. */
enum landlock_field { LANDLOCK_FIELD_FS, LANDLOCK_FIELD_NET, LANDLOCK_FIELD_SCOPE };

/* One row a right: everything that lists rights reads this table. */
struct landlock_right {
	const char *name;
	uint64_t bit;
	enum landlock_field field;
	enum landlock_group group;
	int abi;      /* the first that has it */
	bool on_file; /* may stand in a rule on a file */
};

const struct landlock_right *landlock_rights(size_t *ret_len);

/* struct landlock_ruleset_attr of ABI 6 and later (landlock(7)). */
struct landlock_attributes {
	uint64_t fs, net, scope;
};

/* What a domain restricts at an ABI; pure. */
struct landlock_attributes landlock_plan(const struct rf_plan *plan, int abi);

/* The rights that a rule grants on a writable root, and on a device node; pure. */
uint64_t landlock_root_rights(int abi, bool is_directory);
uint64_t landlock_device_rights(int abi, bool is_terminal);

/* The kernel's ABI, 0 without Landlock (not built in, or disabled at boot). */
int landlock_probe(void);

/* Confines the calling process for good. Needs no_new_privs. */
int landlock_apply(struct setup *setup, struct rf_error *err);

/* A domain that only keeps signals inside, for the guardian. Nothing is done below ABI 6. */
int landlock_apply_signal_scope(struct setup *setup, struct rf_error *err);

#endif
