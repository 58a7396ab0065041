/* SPDX-License-Identifier: MIT */
/* The interpreter that the other tests here rely on. */
#include <criterion/criterion.h>
#include <errno.h>

#include "tests/support/bpf.h"

#define ARGUMENT offsetof(struct seccomp_data, args)

static const struct seccomp_data sample = {
	.nr = 7,
	.arch = 0xc000003e,
	.args = { 0x1122334455667788 },
};

/* A starts as 12 and X as 5, then the instruction runs, then A is returned. */
static const struct {
	struct sock_filter instruction;
	uint32_t result;
} steps[] = {
	{ BPF_STMT(BPF_LD | BPF_IMM, 3), 3 },
	{ BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0), sizeof(struct seccomp_data) },
	{ BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), 7 },
	{ BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4), 0xc000003e },
	{ BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT), 0x55667788 },
	{ BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT + 4), 0x11223344 },
	{ BPF_STMT(BPF_LD | BPF_MEM, 15), 0 },
	{ BPF_STMT(BPF_MISC | BPF_TXA, 0), 5 },
	{ BPF_STMT(BPF_MISC | BPF_TAX, 0), 12 },
	{ BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, UINT32_MAX), 11 },
	{ BPF_STMT(BPF_ALU | BPF_ADD | BPF_X, 0), 17 },
	{ BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, 13), UINT32_MAX },
	{ BPF_STMT(BPF_ALU | BPF_SUB | BPF_X, 0), 7 },
	{ BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, 0x80000001), 12 },
	{ BPF_STMT(BPF_ALU | BPF_MUL | BPF_X, 0), 60 },
	{ BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 5), 2 },
	{ BPF_STMT(BPF_ALU | BPF_DIV | BPF_X, 0), 2 },
	{ BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 6), 4 },
	{ BPF_STMT(BPF_ALU | BPF_AND | BPF_X, 0), 4 },
	{ BPF_STMT(BPF_ALU | BPF_OR | BPF_K, 3), 15 },
	{ BPF_STMT(BPF_ALU | BPF_OR | BPF_X, 0), 13 },
	{ BPF_STMT(BPF_ALU | BPF_XOR | BPF_K, 15), 3 },
	{ BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0), 9 },
	{ BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 30), 0 },
	{ BPF_STMT(BPF_ALU | BPF_LSH | BPF_X, 0), 384 },
	{ BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 2), 3 },
	{ BPF_STMT(BPF_ALU | BPF_RSH | BPF_X, 0), 0 },
	{ BPF_STMT(BPF_ALU | BPF_NEG, 0), -12u },
};

Test(bpf_interpreter, one_instruction)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct sock_filter code[] = {
			BPF_STMT(BPF_LDX | BPF_IMM, 5),
			BPF_STMT(BPF_LD | BPF_IMM, 12),
			steps[i].instruction,
			BPF_STMT(BPF_RET | BPF_A, 0),
		};
		struct bpf_outcome outcome;

		cr_assert_eq(bpf_validate(code, 4), 0, "row %zu", i);
		cr_assert_eq(bpf_run(code, 4, &sample, &outcome), 0, "row %zu", i);
		cr_assert_eq(outcome.action, steps[i].result, "row %zu: %#x", i, outcome.action);
		cr_assert_eq(outcome.steps, 4);
	}
}

/* A is 12, X is 5; a taken jump returns 1, another 2. */
static const struct {
	struct sock_filter instruction;
	uint32_t result;
} jumps[] = {
	{ BPF_STMT(BPF_JMP | BPF_JA, 1), 1 },
	{ BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 12, 1, 0), 1 },
	{ BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 5, 1, 0), 2 },
	{ BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 12, 1, 0), 2 },
	{ BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 12, 1, 0), 2 },
	{ BPF_JUMP(BPF_JMP | BPF_JGT | BPF_X, 12, 1, 0), 1 },
	{ BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 12, 1, 0), 1 },
	{ BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, UINT32_MAX, 1, 0), 2 },
	{ BPF_JUMP(BPF_JMP | BPF_JGE | BPF_X, 0, 1, 0), 1 },
	{ BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 3, 1, 0), 2 },
	{ BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 6, 1, 0), 1 },
	{ BPF_JUMP(BPF_JMP | BPF_JSET | BPF_X, 0, 0, 1), 2 },
};

Test(bpf_interpreter, one_jump)
{
	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		const struct sock_filter code[] = {
			BPF_STMT(BPF_LDX | BPF_IMM, 5), BPF_STMT(BPF_LD | BPF_IMM, 12),
			jumps[i].instruction,		BPF_STMT(BPF_RET | BPF_K, 2),
			BPF_STMT(BPF_RET | BPF_K, 1),
		};
		struct bpf_outcome outcome;

		cr_assert_eq(bpf_validate(code, 5), 0, "row %zu", i);
		cr_assert_eq(bpf_run(code, 5, &sample, &outcome), 0, "row %zu", i);
		cr_assert_eq(outcome.action, jumps[i].result, "row %zu: %u", i, outcome.action);
	}
}

Test(bpf_interpreter, cells_and_arguments)
{
	static const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT),
		BPF_STMT(BPF_ST, 3),
		BPF_STMT(BPF_LDX | BPF_MEM, 3),
		BPF_STMT(BPF_STX, 4),
		BPF_STMT(BPF_LD | BPF_MEM, 4),
		BPF_STMT(BPF_RET | BPF_A, 0),
	};
	static const struct sock_filter number[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_STMT(BPF_RET | BPF_A, 0),
	};
	struct bpf_outcome outcome;

	cr_assert_eq(bpf_run(code, 6, &sample, &outcome), 0);
	cr_assert_eq(outcome.action, 0x55667788);
	cr_assert(outcome.read_arguments);
	cr_assert_eq(bpf_run(number, 2, &sample, &outcome), 0);
	cr_assert_not(outcome.read_arguments);
}

Test(bpf_interpreter, division_by_an_empty_register_ends_with_0)
{
	static const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_IMM, 1),
		BPF_STMT(BPF_ALU | BPF_DIV | BPF_X, 0),
		BPF_STMT(BPF_RET | BPF_K, 1),
	};
	struct bpf_outcome outcome;

	cr_assert_eq(bpf_run(code, 3, &sample, &outcome), 0);
	cr_assert_eq(outcome.action, 0);
}

/* Each is refused as the first of two instructions, by the validator and when it is reached. */
static const struct sock_filter refused[] = {
	BPF_STMT(0xffff, 0),
	BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),
	BPF_STMT(BPF_LD | BPF_W | BPF_IND, 0),
	BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, 2),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, sizeof(struct seccomp_data)),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2),
	BPF_STMT(BPF_LD | BPF_MEM, BPF_MEMWORDS),
	BPF_STMT(BPF_ST, UINT32_MAX),
	BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0),
	BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 32),
	BPF_STMT(BPF_JMP | BPF_JA, 1),
	BPF_STMT(BPF_JMP | BPF_JA, UINT32_MAX),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
};

Test(bpf_interpreter, refuses_what_the_kernel_refuses)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const struct sock_filter code[] = { refused[i], BPF_STMT(BPF_RET | BPF_K, 0) };
		struct bpf_outcome outcome;

		cr_assert_eq(bpf_validate(code, 2), -EINVAL, "row %zu", i);
		cr_assert_eq(bpf_run(code, 2, &sample, &outcome), -EINVAL, "row %zu", i);
	}
}

Test(bpf_interpreter, refuses_a_program_without_an_end)
{
	static struct sock_filter code[BPF_MAXINSNS + 1];
	struct bpf_outcome outcome;

	for (size_t i = 0; i <= BPF_MAXINSNS; i++)
		code[i] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	cr_assert_eq(bpf_validate(code, 0), -EINVAL);
	cr_assert_eq(bpf_validate(code, BPF_MAXINSNS), 0);
	cr_assert_eq(bpf_validate(code, BPF_MAXINSNS + 1), -EINVAL);
	code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, 0);
	cr_assert_eq(bpf_validate(code, 1), -EINVAL);
	cr_assert_eq(bpf_run(code, 1, &sample, &outcome), -EINVAL);
}
