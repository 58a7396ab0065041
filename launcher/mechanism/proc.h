/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_PROC_H
#define RF_MECHANISM_PROC_H

#include "setup.h"

/*
 * Mounts a fresh procfs for the own pid namespace, read-only for uid 0. Where the kernel refuses
 * one (something covers a part of the /proc outside, as in containers) the old one stays,
 * read-only, provided a Landlock layer will lie around the command; otherwise the step fails.
 */
int proc_apply(struct setup *setup, struct rf_error *err);

/* For uid 0 with a writable /proc: the kernel's own switches in it become read-only. */
int proc_close_kernel_files(struct setup *setup, struct rf_error *err);

/*
 * Where the old /proc stayed: proves that the processes in it cannot be inspected, by trying on the
 * launcher. Runs inside the command's Landlock layer.
 */
int proc_check_inspect(struct setup *setup, struct rf_error *err);

#endif
