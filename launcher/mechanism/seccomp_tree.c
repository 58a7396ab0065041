/* SPDX-License-Identifier: MIT */
#include "seccomp_tree.h"

#include <linux/seccomp.h>
#include <string.h>

/*
 * Ranges that are compared one after the other at the end of the search. When a filter is loaded
 * the kernel tries every number on it, so both instructions and the way through them cost time;
 * with four their sum was the smallest that was measured.
 */
#define LEAF_RANGES 4
#define EXITS_MAX 40
#define NEXT (-1) /* no exit: go on with the following instruction */

struct builder {
	struct seccomp_tree *tree;
	bool full;
	size_t exit_count;
	uint32_t exits[EXITS_MAX];	/* the returns behind the tree, each answer once */
	int yes_exit[SECCOMP_TREE_MAX]; /* which of them an instruction jumps to, or NEXT */
	int no_exit[SECCOMP_TREE_MAX];
};

static int find_exit(struct builder *b, uint32_t action)
{
	size_t i = 0;

	while (i < b->exit_count && b->exits[i] != action)
		i++;
	if (i == EXITS_MAX) {
		b->full = true;
		return NEXT;
	}
	b->exits[i] = action;
	if (i == b->exit_count)
		b->exit_count++;
	return i;
}

static size_t emit(struct builder *b, struct sock_filter instruction, int yes_exit, int no_exit)
{
	size_t at = b->tree->length;

	if (at == SECCOMP_TREE_MAX) {
		b->full = true;
		return 0;
	}
	b->tree->code[at] = instruction;
	b->yes_exit[at] = yes_exit;
	b->no_exit[at] = no_exit;
	b->tree->length++;
	return at;
}

static size_t emit_jump(struct builder *b, int comparison, uint32_t value, int yes_exit,
			int no_exit)
{
	struct sock_filter jump = BPF_JUMP(BPF_JMP | BPF_K | comparison, value, 0, 0);

	return emit(b, jump, yes_exit, no_exit);
}

/* A jump reaches 255 instructions far. */
static unsigned char distance(struct builder *b, size_t from, size_t to)
{
	if (to - from - 1 > UINT8_MAX)
		b->full = true;
	return to - from - 1;
}

static void emit_leaf(struct builder *b, const struct seccomp_range *ranges, size_t count)
{
	int allow = find_exit(b, SECCOMP_RET_ALLOW);

	for (size_t i = 0; i < count; i++) {
		int answer = find_exit(b, ranges[i].action);
		int otherwise = i + 1 < count ? NEXT : allow;

		if (ranges[i].first == ranges[i].last) {
			emit_jump(b, BPF_JEQ, ranges[i].first, answer, otherwise);
			continue;
		}
		emit_jump(b, BPF_JGE, ranges[i].first, NEXT, allow);
		emit_jump(b, BPF_JGE, ranges[i].last + 1, otherwise, answer);
	}
}

static void emit_search(struct builder *b, const struct seccomp_range *ranges, size_t count)
{
	size_t middle = count / 2;
	size_t at;

	if (count <= LEAF_RANGES) {
		emit_leaf(b, ranges, count);
		return;
	}
	at = emit_jump(b, BPF_JGE, ranges[middle].first, NEXT, NEXT);
	emit_search(b, ranges, middle);
	b->tree->code[at].jt = distance(b, at, b->tree->length);
	emit_search(b, ranges + middle, count - middle);
}

static void emit_exits(struct builder *b)
{
	size_t start = b->tree->length;

	for (size_t i = 0; i < b->exit_count; i++)
		emit(b, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, b->exits[i]), NEXT, NEXT);
	for (size_t i = 0; i < start; i++) {
		if (b->yes_exit[i] != NEXT)
			b->tree->code[i].jt = distance(b, i, start + b->yes_exit[i]);
		if (b->no_exit[i] != NEXT)
			b->tree->code[i].jf = distance(b, i, start + b->no_exit[i]);
	}
}

bool seccomp_tree_build(struct seccomp_tree *tree, const struct seccomp_range *ranges, size_t count)
{
	struct builder b = { .tree = tree };

	memset(tree, 0, sizeof(*tree));
	emit(&b,
	     (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					  offsetof(struct seccomp_data, nr)),
	     NEXT, NEXT);
	emit_search(&b, ranges, count);
	emit_exits(&b);
	return !b.full;
}
