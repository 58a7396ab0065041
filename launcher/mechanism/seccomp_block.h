/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SECCOMP_BLOCK_H
#define RF_MECHANISM_SECCOMP_BLOCK_H

#include <linux/filter.h>

#include "seccomp_rules.h"

#define SECCOMP_BLOCK_MAX 96

/* The instructions that judge one call by its arguments; they end in returns on every path. */
struct seccomp_block {
	size_t length;
	struct sock_filter code[SECCOMP_BLOCK_MAX];
};

/*
 * Compiles the rules of one call, each of which has a condition, in their order. For the build
 * machine only: the launcher carries finished programs. Returns false if they do not fit.
 */
bool seccomp_block_build(struct seccomp_block *block, const struct seccomp_rule **rules,
			 size_t count);

#endif
