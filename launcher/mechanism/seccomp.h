/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SECCOMP_H
#define RF_MECHANISM_SECCOMP_H

#include "seccomp_traits.h"
#include "setup.h"

/* Which of the filters that were compiled at build time the plan takes: traits; pure. */
unsigned seccomp_plan(const struct setup *setup);

/* Installs the filter for good. Needs no_new_privs. */
int seccomp_apply(struct setup *setup, struct rf_error *err);

#endif
