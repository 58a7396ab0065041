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
 * A call that is judged by its arguments gets a marker for an answer: the action SECCOMP_RET_TRACE
 * with the number of a block. At the end the blocks are appended once for all architectures and
 * each marker becomes a jump to its block; jumps are relative, so nothing else moves.
 */
#include <errno.h>
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

#define BLOCKS_MAX 32
#define CALL_RULES_MAX 32
#define CALLS_MAX 256
#define SUBARCHES_MAX 2
#define X32_FIRST 0x40000000u

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

struct program {
	size_t length;
	struct sock_filter code[BPF_MAXINSNS];
};

struct blocks {
	size_t count;
	struct seccomp_block block[BLOCKS_MAX];
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

static void append(struct program *program, const struct sock_filter *code, size_t count)
{
	if (count > BPF_MAXINSNS - program->length)
		die("program too long", "append", E2BIG);
	memcpy(program->code + program->length, code, count * sizeof(*code));
	program->length += count;
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
		if (count == CALL_RULES_MAX)
			die("too many rules", call, E2BIG);
		list[count++] = &seccomp_rules[i];
	}
	return count;
}

/* Equal blocks are one: chmod, creat and mkdir look at their modes in the same way. */
static size_t find_block(struct blocks *blocks, const struct seccomp_block *wanted)
{
	for (size_t i = 0; i < blocks->count; i++) {
		const struct seccomp_block *have = &blocks->block[i];

		if (have->length == wanted->length &&
		    memcmp(have->code, wanted->code, have->length * sizeof(*have->code)) == 0)
			return i;
	}
	if (blocks->count == BLOCKS_MAX)
		die("too many blocks", "find_block", E2BIG);
	blocks->block[blocks->count] = *wanted;
	return blocks->count++;
}

/* What a call is answered with: the error, or the marker for its block. */
static uint32_t choose_action(struct blocks *blocks, const struct seccomp_rule **list, size_t count)
{
	struct seccomp_block block;

	for (size_t i = 0; i < count; i++)
		if (list[i]->when[0].compare == SECCOMP_END)
			return SECCOMP_RET_ERRNO | list[i]->error;
	if (!seccomp_block_build(&block, list, count))
		die("block too long", list[0]->call, E2BIG);
	return SECCOMP_RET_TRACE | find_block(blocks, &block);
}

static int compare_ranges(const void *a, const void *b)
{
	uint32_t first_a = ((const struct seccomp_range *)a)->first;
	uint32_t first_b = ((const struct seccomp_range *)b)->first;

	return (first_a > first_b) - (first_a < first_b);
}

static void add_range(struct ranges *ranges, uint32_t first, uint32_t last, uint32_t action)
{
	if (ranges->count == CALLS_MAX)
		die("too many calls", "add_range", E2BIG);
	ranges->range[ranges->count++] = (struct seccomp_range){ first, last, action };
}

/* Sorts by number and joins neighbours with the same answer. */
static void join_ranges(struct ranges *ranges)
{
	size_t kept = 0;

	qsort(ranges->range, ranges->count, sizeof(ranges->range[0]), compare_ranges);
	for (size_t i = 1; i < ranges->count; i++) {
		struct seccomp_range *last = &ranges->range[kept];
		const struct seccomp_range *next = &ranges->range[i];

		if (next->first == last->last)
			die("two names for one number", "join_ranges", EEXIST);
		if (next->first == last->last + 1 && next->action == last->action)
			last->last = next->last;
		else
			ranges->range[++kept] = *next;
	}
	ranges->count = kept + 1;
}

/*
 * The search for one architecture, its markers still in place. x32 calls carry the architecture
 * of x86_64 and a bit in the number; -1 has that bit too, but it is what a tracer sets to skip a
 * call, and an error would replace the result that it has chosen.
 */
static void append_search(struct program *out, uint32_t token, unsigned traits,
			  struct blocks *blocks)
{
	const struct seccomp_rule *list[CALL_RULES_MAX];
	struct ranges ranges = { 0 };
	struct seccomp_tree tree;

	for (size_t i = 0; i < seccomp_rules_count; i++) {
		int number = find_number(token, &seccomp_rules[i]);
		size_t count = gather(i, traits, list);

		if (number >= 0 && count)
			add_range(&ranges, number, number, choose_action(blocks, list, count));
	}
	if (token == SCMP_ARCH_X86_64)
		add_range(&ranges, X32_FIRST, UINT32_MAX - 1, SECCOMP_RET_ERRNO | ENOSYS);
	join_ranges(&ranges);
	if (!seccomp_tree_build(&tree, ranges.range, ranges.count))
		die("search too long", "append_search", E2BIG);
	append(out, tree.code, tree.length);
}

/*
 * The architecture comes first, since every number after it means something else elsewhere. Where
 * it is another one, a jump leads past the search, however long that has become.
 */
static void append_part(struct program *out, uint32_t token, unsigned traits, struct blocks *blocks)
{
	const struct sock_filter test[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, token, 1, 0),
		BPF_STMT(BPF_JMP | BPF_JA, 0),
	};
	size_t at = out->length;

	append(out, test, 2);
	append_search(out, token, traits, blocks);
	out->code[at + 1].k = out->length - at - 2;
}

/* Puts the blocks at the end and turns each marker before them into a jump there. */
static void append_blocks(struct program *out, const struct blocks *blocks)
{
	size_t start[BLOCKS_MAX];
	size_t searches_end = out->length;

	for (size_t i = 0; i < blocks->count; i++) {
		start[i] = out->length;
		append(out, blocks->block[i].code, blocks->block[i].length);
	}
	for (size_t i = 0; i < searches_end; i++) {
		struct sock_filter *at = &out->code[i];

		if (at->code != (BPF_RET | BPF_K) ||
		    (at->k & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_TRACE)
			continue;
		*at = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA,
						   start[at->k & SECCOMP_RET_DATA] - i - 1);
	}
}

static void build(const struct architecture *arch, unsigned traits, struct program *out)
{
	const struct sock_filter load =
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	const struct sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	struct blocks blocks = { 0 };

	out->length = 0;
	append(out, &load, 1);
	for (size_t i = 0; i < SUBARCHES_MAX && arch->token[i]; i++)
		append_part(out, arch->token[i], traits, &blocks);
	append(out, &refuse, 1);
	append_blocks(out, &blocks);
}

static void print_program(const struct architecture *arch, unsigned traits,
			  const struct program *program)
{
	printf("\nstatic const struct sock_filter seccomp_%s_%u[] = {", arch->name, traits);
	for (size_t i = 0; i < program->length; i++) {
		const struct sock_filter *at = &program->code[i];

		printf("%s{%#x,%u,%u,%#x},", i % 4 ? " " : "\n\t", at->code, at->jt, at->jf, at->k);
	}
	printf("\n};\n");
}

static bool same(const struct program *a, const struct program *b)
{
	return a->length == b->length &&
	       memcmp(a->code, b->code, a->length * sizeof(*a->code)) == 0;
}

/* Every set of traits has a row, so that no lookup can miss; equal programs are written once. */
static void print_architecture(const struct architecture *arch)
{
	static struct program built[SECCOMP_TRAITS_END];
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
