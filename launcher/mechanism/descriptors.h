/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_DESCRIPTORS_H
#define RF_MECHANISM_DESCRIPTORS_H

#include "setup.h"

/*
 * Inside the view: descriptors that would lead out of it are opened again through it. That is every
 * directory among 0, 1, 2 and the kept ones, and every regular file outside the writable roots that
 * was open for reading. The offset is carried over; for 0, 1 and 2 it is carried back after the
 * run.
 */
int descriptors_reopen(struct setup *setup, struct rf_error *err);

/* Marks every descriptor from 3 up to be closed by the exec, but for the kept ones. */
int descriptors_apply(struct setup *setup, struct rf_error *err);

/*
 * Closes everything but two descriptors (the second may be negative: none) and those of 0, 1 and 2
 * whose bits are set in `stdio`, for the process that stays beside the command.
 */
void descriptors_close_all_but(unsigned stdio, int first, int second);

#endif
