/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_PROC_H
#define RF_MECHANISM_PROC_H

#include "setup.h"

/*
 * Mounts a fresh procfs for the own pid namespace. Where the kernel refuses one (something covers a
 * part of the /proc outside, as in containers) the old one stays, read-only, provided a Landlock
 * layer will lie around the command; otherwise the step fails.
 */
int proc_apply(struct setup *setup, struct rf_error *err);

/*
 * For uid 0, who owns these files whatever its capabilities: the kernel's own switches in a fresh
 * /proc become read-only.
 */
int proc_close_kernel_files(struct setup *setup, struct rf_error *err);

/*
 * Where the old /proc stayed: proves that the processes in it cannot be inspected, by trying on the
 * launcher. Runs inside the command's Landlock layer.
 */
int proc_check_inspect(struct setup *setup, struct rf_error *err);

#endif
