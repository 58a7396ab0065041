/* SPDX-License-Identifier: MIT */
#include "seccomp_block.h"

#include <linux/seccomp.h>
#include <string.h>

#define ERRORS_MAX 4
#define NOTHING_LOADED (-1)

/*
 * While a block is written its jumps hold these names in place of distances that are not known
 * yet. A block is shorter than the smallest of them, so a real distance is never taken for one.
 */
enum label {
	LABEL_NEXT_RULE = SECCOMP_BLOCK_MAX,
	LABEL_ALLOW,
	LABEL_ERROR, /* and the following: one for each error number */
};

struct assembler {
	struct seccomp_block *block;
	bool full;
	int loaded; /* offset of what the accumulator holds */
	size_t error_count;
	int errors[ERRORS_MAX];
};

static void emit(struct assembler *as, struct sock_filter instruction)
{
	if (as->block->length == SECCOMP_BLOCK_MAX)
		as->full = true;
	else
		as->block->code[as->block->length++] = instruction;
}

static void load(struct assembler *as, int offset)
{
	if (as->loaded != offset)
		emit(as, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
	as->loaded = offset;
}

/* All supported architectures are little-endian: the low half lies first. */
static int low_half(const struct seccomp_condition *condition)
{
	return offsetof(struct seccomp_data, args) + 8 * condition->argument;
}

static unsigned char error_label(struct assembler *as, int error)
{
	size_t i = 0;

	while (i < as->error_count && as->errors[i] != error)
		i++;
	if (i == ERRORS_MAX) {
		as->full = true;
		return LABEL_ALLOW;
	}
	as->errors[i] = error;
	if (i == as->error_count)
		as->error_count++;
	return LABEL_ERROR + i;
}

static void emit_test(struct assembler *as, const struct seccomp_condition *condition,
		      unsigned char pass)
{
	bool bits = condition->compare == SECCOMP_ANY || condition->compare == SECCOMP_NONE;
	bool inverted = condition->compare == SECCOMP_IS_NOT || condition->compare == SECCOMP_NONE;
	unsigned short code = BPF_JMP | BPF_K | (bits ? BPF_JSET : BPF_JEQ);
	unsigned char yes = inverted ? LABEL_NEXT_RULE : pass;
	unsigned char no = inverted ? pass : LABEL_NEXT_RULE;

	load(as, low_half(condition));
	emit(as, (struct sock_filter)BPF_JUMP(code, condition->value, yes, no));
}

/* Not NULL if either half is not 0; a low half that is not jumps over the look at the high one. */
static void emit_pointer(struct assembler *as, const struct seccomp_condition *condition,
			 unsigned char pass)
{
	unsigned char decided = pass ? pass : 2;

	load(as, low_half(condition));
	emit(as, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, decided));
	load(as, low_half(condition) + 4);
	emit(as, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, LABEL_NEXT_RULE, pass));
	as->loaded = NOTHING_LOADED;
}

static void name_label(struct assembler *as, size_t from, unsigned char label, size_t target)
{
	for (size_t i = from; i < as->block->length; i++) {
		struct sock_filter *at = &as->block->code[i];

		if (BPF_CLASS(at->code) != BPF_JMP)
			continue;
		if (at->jt == label)
			at->jt = target - i - 1;
		if (at->jf == label)
			at->jf = target - i - 1;
	}
}

static size_t count_conditions(const struct seccomp_rule *rule)
{
	size_t count = 0;

	while (count < SECCOMP_CONDITIONS_MAX && rule->when[count].compare != SECCOMP_END)
		count++;
	return count;
}

static void emit_rule(struct assembler *as, const struct seccomp_rule *rule)
{
	size_t from = as->block->length;
	size_t count = count_conditions(rule);
	bool one_argument = true;

	for (size_t i = 0; i < count; i++) {
		const struct seccomp_condition *condition = &rule->when[i];
		unsigned char pass = i + 1 < count ? 0 : error_label(as, rule->error);

		one_argument = one_argument && condition->argument == rule->when[0].argument;
		if (condition->compare == SECCOMP_POINTER)
			emit_pointer(as, condition, pass);
		else
			emit_test(as, condition, pass);
	}
	/* The next rule is reached from any of the tests: only if all of them looked at the same
	 * argument is it known what is loaded there. */
	if (!one_argument)
		as->loaded = NOTHING_LOADED;
	name_label(as, from, LABEL_NEXT_RULE, as->block->length);
}

bool seccomp_block_build(struct seccomp_block *block, const struct seccomp_rule **rules,
			 size_t count)
{
	struct assembler as = { .block = block, .loaded = NOTHING_LOADED };

	memset(block, 0, sizeof(*block));
	for (size_t i = 0; i < count; i++)
		emit_rule(&as, rules[i]);
	emit(&as, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	for (size_t i = 0; i < as.error_count; i++) {
		name_label(&as, 0, LABEL_ERROR + i, block->length);
		emit(&as, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						       SECCOMP_RET_ERRNO | as.errors[i]));
	}
	return !as.full;
}
