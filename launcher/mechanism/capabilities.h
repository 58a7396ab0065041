/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_CAPABILITIES_H
#define RF_MECHANISM_CAPABILITIES_H

#include "setup.h"

/*
 * The capabilities that the command keeps, as a mask (capabilities(7)); pure. None for ordinary
 * users. Root keeps what it needs for its work in its own writable roots, in the namespace view
 * only; on the Landlock backend DAC_OVERRIDE, and that only if a root belongs to someone else.
 */
uint64_t capabilities_plan(const struct setup *setup);

/* Gives up everything else, for good, and sets no_new_privs. */
int capabilities_apply(struct setup *setup, struct rf_error *err);

#endif
