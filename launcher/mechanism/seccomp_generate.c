/* SPDX-License-Identifier: MIT */
/*
 * Runs at build time: `seccomp_generate ARCHITECTURE…` writes every filter as a C header.
 *
 * libseccomp knows the numbers that each architecture gives to a call. The programs are put
 * together here and not exported from it for three reasons: a rule there cannot say "any of these
 * bits" or compare an argument twice; it cannot answer one foreign architecture with ENOSYS and
 * the others with EPERM; and what a filter costs at each launch grows with its length and with the
 * way through it, both of which are shorter in a search over ranges with shared returns.
 *
 * Searches and judgements are first built as nodes that name each other. Then they are written
 * one after the other, which turns names into distances; what several places lead to is written
 * once, behind all of them, since a filter can only jump forward.
 */
#include <errno.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seccomp_block.h"
#include "seccomp_rules.h"
#include "seccomp_tree.h"

#define CALLS_MAX 256
#define SUBARCHES_MAX 2
#define X32_FIRST 0x40000000u
#define COMMON_FIRST 424u /* calls since Linux 5.1 have one number on all architectures */

struct architecture {
	const char *name;
	uint32_t token[SUBARCHES_MAX]; /* as in struct seccomp_data, the native one first */
};

static const struct architecture architectures[] = {
	{ "x86_64", { SCMP_ARCH_X86_64, SCMP_ARCH_X86 } },
	{ "aarch64", { SCMP_ARCH_AARCH64, 0 } },
	{ "riscv64", { SCMP_ARCH_RISCV64, 0 } },
};

/* libseccomp names these by their place in socketcall, though they have numbers of their own. */
static const struct {
	const char *call;
	int number;
} i386_direct[] = {
	{ "socket", 359 },
	{ "socketpair", 360 },
};

struct ranges {
	size_t count;
	struct seccomp_range range[CALLS_MAX];
};

static void die(const char *what, const char *name, int error)
{
	fprintf(stderr, "seccomp_generate: %s '%s': %s\n", what, name, strerror(error));
	exit(EXIT_FAILURE);
}

/* The number of the rule's call, negative where the architecture has no such call. */
static int find_number(uint32_t token, const struct seccomp_rule *rule)
{
	int number = seccomp_syscall_resolve_name_arch(token, rule->call);

	for (size_t i = 0; i < sizeof(i386_direct) / sizeof(i386_direct[0]); i++)
		if (token == SCMP_ARCH_X86 && strcmp(i386_direct[i].call, rule->call) == 0)
			return i386_direct[i].number;
	if (number != __NR_SCMP_ERROR)
		return number;
	if (!rule->number)
		die("unknown system call", rule->call, EINVAL);
	return rule->number;
}

/* All rules that hold for the call of rule `first`; none if an earlier rule was of this call. */
static size_t gather(size_t first, unsigned traits, const struct seccomp_rule **list)
{
	const char *call = seccomp_rules[first].call;
	size_t count = 0;

	for (size_t i = 0; i < seccomp_rules_count; i++) {
		if (strcmp(seccomp_rules[i].call, call) != 0)
			continue;
		if (i < first)
			return 0;
		if (!seccomp_rule_holds(&seccomp_rules[i], traits))
			continue;
		if (count == SECCOMP_BLOCK_RULES_MAX)
			die("too many rules", call, E2BIG);
		list[count++] = &seccomp_rules[i];
	}
	return count;
}

/* The node that answers a call: an error for the whole of it, or a look at its arguments. */
static unsigned find_answer(struct seccomp_nodes *nodes, const struct seccomp_rule **list,
			    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i]->when[0].compare == SECCOMP_END)
			return seccomp_return(nodes, SECCOMP_RET_ERRNO | list[i]->error);
	return seccomp_block(nodes, list, count);
}

static int compare_ranges(const void *a, const void *b)
{
	uint32_t first_a = ((const struct seccomp_range *)a)->first;
	uint32_t first_b = ((const struct seccomp_range *)b)->first;

	return (first_a > first_b) - (first_a < first_b);
}

static void add_range(struct ranges *ranges, uint32_t first, uint32_t last, unsigned answer)
{
	if (ranges->count == CALLS_MAX)
		die("too many calls", "add_range", E2BIG);
	ranges->range[ranges->count++] = (struct seccomp_range){ first, last, answer };
}

/* Sorts by number and joins neighbours with the same answer. */
static void join_ranges(struct ranges *ranges)
{
	size_t kept = 0;

	if (!ranges->count)
		return;
	qsort(ranges->range, ranges->count, sizeof(ranges->range[0]), compare_ranges);
	for (size_t i = 1; i < ranges->count; i++) {
		struct seccomp_range *last = &ranges->range[kept];
		const struct seccomp_range *next = &ranges->range[i];

		if (next->first == last->last)
			die("two names for one number", "join_ranges", EEXIST);
		if (next->first == last->last + 1 && next->answer == last->answer)
			last->last = next->last;
		else
			ranges->range[++kept] = *next;
	}
	ranges->count = kept + 1;
}

/* The closed calls of one architecture from number `first` to `last`. */
static void collect(struct seccomp_nodes *nodes, struct ranges *ranges, uint32_t token,
		    unsigned traits, int first, int last)
{
	const struct seccomp_rule *list[SECCOMP_BLOCK_RULES_MAX];

	ranges->count = 0;
	for (size_t i = 0; i < seccomp_rules_count; i++) {
		int number = find_number(token, &seccomp_rules[i]);
		size_t count = gather(i, traits, list);

		if (number >= first && number <= last && count)
			add_range(ranges, number, number, find_answer(nodes, list, count));
	}
}

/*
 * The search for one architecture. The common numbers have one of their own, which others share.
 * x32 calls carry the architecture of x86_64 and a bit in the number; -1 has that bit too, but it
 * is what a tracer sets to skip a call, and an error would replace the result that it has chosen.
 */
static unsigned build_search(struct seccomp_nodes *nodes, uint32_t token, unsigned traits)
{
	unsigned allow = seccomp_return(nodes, SECCOMP_RET_ALLOW);
	unsigned absent = seccomp_return(nodes, SECCOMP_RET_ERRNO | ENOSYS);
	bool x32 = token == SCMP_ARCH_X86_64;
	struct ranges ranges;
	unsigned common;

	collect(nodes, &ranges, token, traits, COMMON_FIRST, INT_MAX);
	join_ranges(&ranges);
	common = seccomp_search(nodes, ranges.range, ranges.count, COMMON_FIRST, allow);
	collect(nodes, &ranges, token, traits, 0, COMMON_FIRST - 1);
	add_range(&ranges, COMMON_FIRST, x32 ? X32_FIRST - 1 : UINT32_MAX, common);
	if (x32)
		add_range(&ranges, X32_FIRST, UINT32_MAX - 1, absent);
	join_ranges(&ranges);
	return seccomp_search(nodes, ranges.range, ranges.count, 0, allow);
}

/* The test for one architecture and what belongs to it. */
static unsigned build_part(struct seccomp_nodes *nodes, uint32_t token, unsigned traits,
			   unsigned otherwise)
{
	unsigned search = build_search(nodes, token, traits);
	unsigned load = seccomp_statement(nodes, BPF_LD | BPF_W | BPF_ABS,
					  offsetof(struct seccomp_data, nr), search);

	return seccomp_jump(nodes, BPF_JEQ, token, load, otherwise);
}

/*
 * When a filter is loaded the kernel tries it with the numbers of both architectures, to remember
 * those that pass by their number. It gives up on an instruction that it does not expect, such as
 * BPF_TAX, which does nothing else here. That is wanted for the second architecture: nearly no run
 * has a 32-bit program, and every run would pay for remembering its calls.
 */
static unsigned build_nodes(const struct architecture *arch, unsigned traits,
			    struct seccomp_nodes *nodes)
{
	unsigned node = seccomp_return(nodes, SECCOMP_RET_ERRNO | EPERM);

	if (arch->token[1]) {
		node = build_part(nodes, arch->token[1], traits, node);
		node = seccomp_statement(nodes, BPF_MISC | BPF_TAX, 0, node);
	}
	node = build_part(nodes, arch->token[0], traits, node);
	return seccomp_statement(nodes, BPF_LD | BPF_W | BPF_ABS,
				 offsetof(struct seccomp_data, arch), node);
}

static void build(const struct architecture *arch, unsigned traits, struct seccomp_code *out)
{
	static struct seccomp_nodes nodes;
	unsigned first;

	nodes.count = 0;
	first = build_nodes(arch, traits, &nodes);
	if (!seccomp_write(out, &nodes, first))
		die("filter too long", arch->name, E2BIG);
}

static void print_program(const struct architecture *arch, unsigned traits,
			  const struct seccomp_code *program)
{
	printf("\nstatic const struct sock_filter seccomp_%s_%u[] = {", arch->name, traits);
	for (size_t i = 0; i < program->length; i++) {
		const struct sock_filter *at = &program->code[i];

		printf("%s{%#x,%u,%u,%#x},", i % 4 ? " " : "\n\t", at->code, at->jt, at->jf, at->k);
	}
	printf("\n};\n");
}

static bool same(const struct seccomp_code *a, const struct seccomp_code *b)
{
	return a->length == b->length &&
	       memcmp(a->code, b->code, a->length * sizeof(*a->code)) == 0;
}

/* Every set of traits has a row, so that no lookup can miss; equal programs are written once. */
static void print_architecture(const struct architecture *arch)
{
	static struct seccomp_code built[SECCOMP_TRAITS_END];
	unsigned first[SECCOMP_TRAITS_END];

	for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++) {
		build(arch, traits, &built[traits]);
		for (first[traits] = 0; !same(&built[first[traits]], &built[traits]);)
			first[traits]++;
		if (first[traits] == traits)
			print_program(arch, traits, &built[traits]);
	}
	printf("\nstatic const struct seccomp_program seccomp_programs_%s[SECCOMP_TRAITS_END] = "
	       "{\n",
	       arch->name);
	for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
		printf("\t[%u] = { seccomp_%s_%u, %zu },\n", traits, arch->name, first[traits],
		       built[traits].length);
	printf("};\n");
}

static const struct architecture *find_architecture(const char *name)
{
	for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++)
		if (strcmp(architectures[i].name, name) == 0)
			return &architectures[i];
	die("unknown architecture", name, EINVAL);
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		die("no architecture in", "arguments", EINVAL);
	printf("/* SPDX-License-Identifier: MIT */\n"
	       "/* Generated by seccomp_generate; include seccomp_traits.h before it. */\n"
	       "#include <linux/filter.h>\n");
	for (int i = 1; i < argc; i++)
		print_architecture(find_architecture(argv[i]));
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
