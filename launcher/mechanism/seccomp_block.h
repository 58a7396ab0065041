/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SECCOMP_BLOCK_H
#define RF_MECHANISM_SECCOMP_BLOCK_H

#include "seccomp_rules.h"
#include "seccomp_tree.h"

#define SECCOMP_BLOCK_RULES_MAX 32

/*
 * Builds the judgement of one call by its arguments and returns its first node. The rules are
 * asked in their order; there are at most SECCOMP_BLOCK_RULES_MAX, else the nodes are full. For
 * the build machine only: the launcher carries finished programs.
 */
unsigned seccomp_block(struct seccomp_nodes *nodes, const struct seccomp_rule **rules,
		       size_t count);

#endif
