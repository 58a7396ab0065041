/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_NAMESPACE_H
#define RF_MECHANISM_NAMESPACE_H

#include "setup.h"

/*
 * The clone(2) flags that the plan asks for. A net namespace is among them only below Landlock
 * ABI 6 with the network off: above, the Landlock scope closes abstract sockets and the filter the
 * families, and a net namespace is the dearest of all.
 */
unsigned long namespace_plan(const struct rf_plan *plan, int landlock_abi);

/*
 * In the parent, for a root caller: maps every id to itself in the user namespace of `pid`, so that
 * root can work with files of other owners in its writable roots. 0, or a negative errno where the
 * kernel does not allow it.
 */
int idmap_write_full(int pid);

/* In the child: waits for the parent's map (root), or maps the own ids to themselves (others). */
int idmap_apply(struct setup *setup, struct rf_error *err);

/* Closes further user namespaces: user.max_user_namespaces = 0 in our own one. */
int namespace_close_nesting(struct setup *setup, struct rf_error *err);

#endif
