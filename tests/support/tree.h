/* SPDX-License-Identifier: MIT */
/* The children of the test process, orphans of a run among them: it is a child subreaper. */
#ifndef RF_TEST_TREE_H
#define RF_TEST_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TREE_MAX 512

struct tree_known {
	pid_t pid[TREE_MAX];
	size_t n;
	bool vanished; /* somebody was listed and gone a moment later */
};

/* The living and the unreaped children at this moment. */
void tree_children(struct tree_known *ret);

/*
 * Waits up to `grace_ms` until all children but the known ones are gone, then kills the rest.
 * Returns how many were there when time was up.
 */
size_t tree_wait_and_kill(const struct tree_known *known, unsigned grace_ms);

#endif
