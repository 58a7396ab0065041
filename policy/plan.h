/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_PLAN_H
#define RF_POLICY_PLAN_H

#include "resolve.h"

/*
 * Policy and system brought together: nothing is left to decide but how a backend does it.
 * Invariants: `roots` are disjoint (none lies in another), in the order of the policy; every
 * pointer borrows from the rf_found that it was made of.
 */
struct rf_plan {
	enum rf_mode mode;
	enum rf_network network;
	bool allow_userns;
	uid_t uid;
	gid_t gid;
	const struct rf_object *workspace;
	const struct rf_object *directory;
	const struct rf_object **roots; /* empty in read-only mode */
	size_t roots_len;
	struct strv kernel_mounts; /* below a root, and to be kept from writing all the same */
	bool foreign_root;	   /* a writable root belongs to somebody else */
};

/*
 * Makes the plan; pure. Fails with root-refused for a root that would open the system: "/", an
 * ancestor of the workspace, or anything in /proc, /sys or /dev. The plan holds heap memory only.
 */
int rf_plan_make(const struct rf_policy *policy, const struct rf_found *found, struct rf_plan *ret,
		 struct rf_error *err);
/* True if a canonical path lies in a writable root. */
bool rf_plan_allows(const struct rf_plan *plan, const char *path);

void rf_plan_release(struct rf_plan *plan);

#endif
