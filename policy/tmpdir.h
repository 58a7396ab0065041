/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_TMPDIR_H
#define RF_POLICY_TMPDIR_H

#include "resolve.h"

/*
 * Why the opened TMPDIR does not count as a writable root, or NULL if it does. Reads /etc/passwd.
 */
const char *rf_tmpdir_refusal(const struct rf_found *found);

/* The same for one home directory: a TMPDIR that is one, or holds one, would open too much. */
bool rf_tmpdir_opens_home(const char *tmpdir, const char *home);

#endif
