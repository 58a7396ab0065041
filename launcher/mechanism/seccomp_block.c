/* SPDX-License-Identifier: MIT */
#include "seccomp_block.h"

#include <linux/seccomp.h>

#define NOTHING_LOADED (-1)

/* What is known on the way from the first test to the present one, the newest first. */
struct fact {
	const struct fact *before;
	const struct seccomp_condition *condition;
	bool holds;
};

struct block {
	struct seccomp_nodes *nodes;
	size_t count;
	struct seccomp_rule rule[SECCOMP_BLOCK_RULES_MAX];
};

/* The place where the judgement stands. */
struct place {
	size_t rule;
	size_t condition;
	int loaded; /* offset of what the accumulator holds */
	const struct fact *facts;
};

static unsigned judge(const struct block *block, struct place place);

static bool looks_at_bits(const struct seccomp_condition *condition)
{
	return condition->compare == SECCOMP_ANY || condition->compare == SECCOMP_NONE;
}

static bool inverted(const struct seccomp_condition *condition)
{
	return condition->compare == SECCOMP_IS_NOT || condition->compare == SECCOMP_NONE;
}

static bool evaluate(const struct seccomp_condition *condition, uint32_t value)
{
	bool found = looks_at_bits(condition) ? (value & condition->value) != 0
					      : value == condition->value;

	return found != inverted(condition);
}

/* Whether the fact decides the condition, too: the value is known, or it was the same test. */
static bool decides(const struct fact *fact, const struct seccomp_condition *condition,
		    bool *ret_holds)
{
	const struct seccomp_condition *known = fact->condition;
	bool found = fact->holds != inverted(known);

	if (known->argument != condition->argument || known->compare == SECCOMP_POINTER ||
	    condition->compare == SECCOMP_POINTER)
		return false;
	if (!looks_at_bits(known) && found) {
		*ret_holds = evaluate(condition, known->value);
		return true;
	}
	if (looks_at_bits(known) != looks_at_bits(condition) || known->value != condition->value)
		return false;
	*ret_holds = found != inverted(condition);
	return true;
}

static unsigned go_on(const struct block *block, struct place place, int loaded,
		      const struct fact *facts, bool holds)
{
	place.loaded = loaded;
	place.facts = facts;
	if (holds) {
		place.condition++;
	} else {
		place.rule++;
		place.condition = 0;
	}
	return judge(block, place);
}

/* All supported architectures are little-endian: the low half lies first. */
static int low_half(const struct seccomp_condition *condition)
{
	return offsetof(struct seccomp_data, args) + 8 * condition->argument;
}

static unsigned load(const struct block *block, int loaded, int offset, unsigned then)
{
	return loaded == offset
		       ? then
		       : seccomp_statement(block->nodes, BPF_LD | BPF_W | BPF_ABS, offset, then);
}

static unsigned test_value(const struct block *block, struct place place,
			   const struct seccomp_condition *condition)
{
	struct fact fact = { place.facts, condition, true };
	uint16_t comparison = looks_at_bits(condition) ? BPF_JSET : BPF_JEQ;
	int offset = low_half(condition);
	unsigned holds = go_on(block, place, offset, &fact, true);
	unsigned fails;

	fact.holds = false;
	fails = go_on(block, place, offset, &fact, false);
	if (inverted(condition))
		return load(block, place.loaded, offset,
			    seccomp_jump(block->nodes, comparison, condition->value, fails, holds));
	return load(block, place.loaded, offset,
		    seccomp_jump(block->nodes, comparison, condition->value, holds, fails));
}

/* Not NULL if either half is not 0; only a low half that is 0 leads to a look at the high one. */
static unsigned test_pointer(const struct block *block, struct place place,
			     const struct seccomp_condition *condition)
{
	int low = low_half(condition);
	int high = low + 4;
	unsigned null = go_on(block, place, high, place.facts, false);
	unsigned above = go_on(block, place, high, place.facts, true);
	unsigned below = go_on(block, place, low, place.facts, true);
	unsigned second =
		load(block, low, high, seccomp_jump(block->nodes, BPF_JEQ, 0, null, above));

	return load(block, place.loaded, low,
		    seccomp_jump(block->nodes, BPF_JEQ, 0, second, below));
}

static unsigned judge(const struct block *block, struct place place)
{
	const struct seccomp_condition *condition;
	const struct seccomp_rule *rule;
	bool holds;

	if (place.rule == block->count)
		return seccomp_return(block->nodes, SECCOMP_RET_ALLOW);
	rule = &block->rule[place.rule];
	condition = &rule->when[place.condition];
	if (place.condition == SECCOMP_CONDITIONS_MAX || condition->compare == SECCOMP_END)
		return seccomp_return(block->nodes, SECCOMP_RET_ERRNO | rule->error);
	for (const struct fact *fact = place.facts; fact; fact = fact->before)
		if (decides(fact, condition, &holds))
			return go_on(block, place, place.loaded, place.facts, holds);
	if (condition->compare == SECCOMP_POINTER)
		return test_pointer(block, place, condition);
	return test_value(block, place, condition);
}

static bool same_condition(const struct seccomp_condition *a, const struct seccomp_condition *b)
{
	return a->compare == b->compare && a->argument == b->argument && a->value == b->value;
}

/* Two rules that differ only in the bits that they look for first are one rule for all the bits. */
static bool join(struct seccomp_rule *rule, const struct seccomp_rule *next)
{
	if (rule->error != next->error || rule->when[0].compare != SECCOMP_ANY ||
	    next->when[0].compare != SECCOMP_ANY ||
	    rule->when[0].argument != next->when[0].argument)
		return false;
	for (size_t i = 1; i < SECCOMP_CONDITIONS_MAX; i++)
		if (!same_condition(&rule->when[i], &next->when[i]))
			return false;
	rule->when[0].value |= next->when[0].value;
	return true;
}

unsigned seccomp_block(struct seccomp_nodes *nodes, const struct seccomp_rule **rules, size_t count)
{
	struct block block = { .nodes = nodes };

	for (size_t i = 0; i < count; i++) {
		if (block.count && join(&block.rule[block.count - 1], rules[i]))
			continue;
		if (block.count == SECCOMP_BLOCK_RULES_MAX) {
			nodes->full = true;
			return 0;
		}
		block.rule[block.count++] = *rules[i];
	}
	return judge(&block, (struct place){ .loaded = NOTHING_LOADED });
}
