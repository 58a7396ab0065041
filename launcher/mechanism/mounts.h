/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_MOUNTS_H
#define RF_MECHANISM_MOUNTS_H

#include "setup.h"

/*
 * Makes the mount view in place: everything private, read-only, nosuid and nodev, but for the
 * writable roots (with the mounts below them) and the few device nodes, which are mounted over
 * themselves. New mount API (Linux 5.12); where the kernel or a filter lacks it, the classic calls.
 * Needs CAP_SYS_ADMIN in the user namespace that owns the mount namespace, which must be our own.
 */
int mounts_apply(struct setup *setup, struct rf_error *err);

/* The same by mount(2) alone: one remount for each mount of /proc/self/mountinfo. */
int mounts_classic_apply(struct setup *setup, struct rf_error *err);

/*
 * Opens the path of an object again, inside the view, and compares: O_PATH fd, or path-changed.
 * The plan's own descriptors belong to the mount namespace outside and can neither be cloned nor
 * mounted on (EINVAL). No link is followed: the path is canonical.
 */
int mounts_reopen(const struct rf_object *object, struct rf_error *err);

/* Enters the directory where the command starts, by its name in the view. */
int mounts_enter_directory(struct setup *setup, struct rf_error *err);

#endif
