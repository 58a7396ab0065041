/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SECCOMP_TREE_H
#define RF_MECHANISM_SECCOMP_TREE_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SECCOMP_NODES_MAX 1024
#define SECCOMP_NUMBERS_MAX 256

/*
 * A filter under construction: instructions that name what follows instead of how far away it is.
 * A node comes after those that it leads to and equal nodes are one, so whatever two calls or two
 * architectures have in common is written once. For the build machine only.
 */
struct seccomp_node {
	uint16_t code; /* as in struct sock_filter */
	uint32_t k;
	unsigned yes; /* where a jump leads, or what follows a statement; nothing for a return */
	unsigned no;
};

struct seccomp_nodes {
	size_t count;
	bool full; /* what was built since is not to be used */
	struct seccomp_node node[SECCOMP_NODES_MAX];
};

/* These return the number of a node, an old one where there is an equal. */
unsigned seccomp_return(struct seccomp_nodes *nodes, uint32_t action);
unsigned seccomp_statement(struct seccomp_nodes *nodes, uint16_t code, uint32_t k, unsigned then);
unsigned seccomp_jump(struct seccomp_nodes *nodes, uint16_t comparison, uint32_t k, unsigned yes,
		      unsigned no);

/* System call numbers, ends included, that get the same answer. */
struct seccomp_range {
	uint32_t first;
	uint32_t last;
	unsigned answer; /* a node */
};

/*
 * Builds the search for a number, which the accumulator holds already, and returns its first
 * node. The ranges are sorted and apart; a number from `first` on that is in none of them gets
 * the answer `other`. Nothing but the number is looked at, so that the kernel can remember the
 * answer for it.
 */
unsigned seccomp_search(struct seccomp_nodes *nodes, const struct seccomp_range *ranges,
			size_t count, uint32_t first, unsigned other);

struct seccomp_code {
	size_t length;
	struct sock_filter code[BPF_MAXINSNS];
};

/* Writes the program that starts with node `first`. Returns false if something did not fit. */
bool seccomp_write(struct seccomp_code *code, const struct seccomp_nodes *nodes, unsigned first);

#endif
