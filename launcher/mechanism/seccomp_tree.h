/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SECCOMP_TREE_H
#define RF_MECHANISM_SECCOMP_TREE_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SECCOMP_TREE_MAX 512

/* System call numbers, ends included, that get the same answer. */
struct seccomp_range {
	uint32_t first;
	uint32_t last; /* below UINT32_MAX */
	uint32_t action;
};

struct seccomp_tree {
	size_t length;
	struct sock_filter code[SECCOMP_TREE_MAX];
};

/*
 * Compiles ranges, which are sorted and apart, into a search over the number: it is loaded once
 * and nothing else is read, so that the kernel can remember the answer for a number. What lies in
 * no range is allowed. For the build machine only. Returns false if the ranges do not fit.
 */
bool seccomp_tree_build(struct seccomp_tree *tree, const struct seccomp_range *ranges,
			size_t count);

#endif
