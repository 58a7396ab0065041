/* SPDX-License-Identifier: MIT */
/* Hand-made findings for the pure half of the policy: nothing here exists, no descriptor is open.
 */
#ifndef RF_TEST_UNIT_OBJECTS_H
#define RF_TEST_UNIT_OBJECTS_H

#include "policy/policy.h"

/* Any number that is not negative stands for "was opened". */
#define OBJECTS_FD 1000
#define OBJECTS_UID 1000

/* A directory of OBJECTS_UID, not sticky. */
struct rf_object object_directory(const char *path);

/* A workspace, /tmp unless `tmp` is NULL, and no TMPDIR. Paths are borrowed. */
struct rf_found found_make(const char *workspace, const char *tmp);

/* Adds one that `write` named; released by found_drop(), with nothing closed or freed beside it. */
void found_add(struct rf_found *found, struct rf_object object);
void found_drop(struct rf_found *found);

#endif
