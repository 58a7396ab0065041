/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_RESOLVE_H
#define RF_POLICY_RESOLVE_H

#include "fields.h"
#include "object.h"

#include <sys/types.h>

/* What the system holds of the things that a policy names. */
struct rf_found {
	uid_t uid;
	gid_t gid;
	struct rf_object workspace;
	struct rf_object
		directory;	 /* where the command starts; fd -1: the workspace, or unchanged */
	struct rf_object tmp;	 /* fd -1: there is no /tmp */
	struct rf_object tmpdir; /* fd -1: no TMPDIR, or one that does not count */
	struct rf_object *extra; /* what `write` and `write-if-present` name, in their order */
	size_t extra_len;
	struct strv kernel_mounts;  /* uid 0 only: where windows to the kernel are mounted (heap) */
	const char *tmpdir_skipped; /* why TMPDIR does not count, NULL when it does or is not set */
};

/*
 * Opens every path of the policy once, follows links, and looks at nothing a second time.
 * `directory` is where the command shall start (NULL: the current directory), `tmpdir` the value
 * of TMPDIR or NULL. Fails with workspace-*, root-missing or setup-failed, and then holds nothing.
 * Kernel: O_PATH and a mounted /proc.
 */
int rf_resolve(const struct rf_policy *policy, const char *directory, const char *tmpdir,
	       struct rf_found *ret, struct rf_error *err);
void rf_found_release(struct rf_found *found);

/* Where the command starts. */
const struct rf_object *rf_found_directory(const struct rf_found *found);

#endif
