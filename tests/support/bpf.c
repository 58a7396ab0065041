/* SPDX-License-Identifier: MIT */
#include "bpf.h"

#include <errno.h>
#include <string.h>

/* What an instruction needs of its operand, beside being known at all. */
enum operand {
	OPERAND_UNKNOWN,
	OPERAND_ANY,
	OPERAND_DATA,	 /* an aligned offset into struct seccomp_data */
	OPERAND_CELL,	 /* a scratch cell */
	OPERAND_DIVISOR, /* not 0 */
	OPERAND_SHIFT,	 /* below 32 */
	OPERAND_JUMP,	 /* a distance that stays inside */
	OPERAND_BRANCH,	 /* both distances do */
};

/* By opcode; the rest is 0 and unknown. */
static const unsigned char operands[UINT8_MAX + 1] = {
	[BPF_LD | BPF_W | BPF_ABS] = OPERAND_DATA,
	[BPF_LD | BPF_W | BPF_LEN] = OPERAND_ANY,
	[BPF_LDX | BPF_W | BPF_LEN] = OPERAND_ANY,
	[BPF_LD | BPF_IMM] = OPERAND_ANY,
	[BPF_LDX | BPF_IMM] = OPERAND_ANY,
	[BPF_LD | BPF_MEM] = OPERAND_CELL,
	[BPF_LDX | BPF_MEM] = OPERAND_CELL,
	[BPF_ST] = OPERAND_CELL,
	[BPF_STX] = OPERAND_CELL,
	[BPF_RET | BPF_K] = OPERAND_ANY,
	[BPF_RET | BPF_A] = OPERAND_ANY,
	[BPF_MISC | BPF_TAX] = OPERAND_ANY,
	[BPF_MISC | BPF_TXA] = OPERAND_ANY,
	[BPF_ALU | BPF_NEG] = OPERAND_ANY,
	[BPF_ALU | BPF_ADD | BPF_K] = OPERAND_ANY,
	[BPF_ALU | BPF_ADD | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_SUB | BPF_K] = OPERAND_ANY,
	[BPF_ALU | BPF_SUB | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_MUL | BPF_K] = OPERAND_ANY,
	[BPF_ALU | BPF_MUL | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_DIV | BPF_K] = OPERAND_DIVISOR,
	[BPF_ALU | BPF_DIV | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_AND | BPF_K] = OPERAND_ANY,
	[BPF_ALU | BPF_AND | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_OR | BPF_K] = OPERAND_ANY,
	[BPF_ALU | BPF_OR | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_XOR | BPF_K] = OPERAND_ANY,
	[BPF_ALU | BPF_XOR | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_LSH | BPF_K] = OPERAND_SHIFT,
	[BPF_ALU | BPF_LSH | BPF_X] = OPERAND_ANY,
	[BPF_ALU | BPF_RSH | BPF_K] = OPERAND_SHIFT,
	[BPF_ALU | BPF_RSH | BPF_X] = OPERAND_ANY,
	[BPF_JMP | BPF_JA] = OPERAND_JUMP,
	[BPF_JMP | BPF_JEQ | BPF_K] = OPERAND_BRANCH,
	[BPF_JMP | BPF_JEQ | BPF_X] = OPERAND_BRANCH,
	[BPF_JMP | BPF_JGE | BPF_K] = OPERAND_BRANCH,
	[BPF_JMP | BPF_JGE | BPF_X] = OPERAND_BRANCH,
	[BPF_JMP | BPF_JGT | BPF_K] = OPERAND_BRANCH,
	[BPF_JMP | BPF_JGT | BPF_X] = OPERAND_BRANCH,
	[BPF_JMP | BPF_JSET | BPF_K] = OPERAND_BRANCH,
	[BPF_JMP | BPF_JSET | BPF_X] = OPERAND_BRANCH,
};

struct machine {
	uint32_t a;
	uint32_t x;
	uint32_t cell[BPF_MEMWORDS];
	size_t at;
	bool returned;
	const struct seccomp_data *data;
	struct bpf_outcome outcome;
};

/* `left` is the number of instructions behind this one. */
static bool instruction_valid(const struct sock_filter *in, size_t left)
{
	if (in->code > UINT8_MAX)
		return false;
	switch (operands[in->code]) {
	case OPERAND_ANY:
		return true;
	case OPERAND_DATA:
		return in->k < sizeof(struct seccomp_data) && in->k % sizeof(uint32_t) == 0;
	case OPERAND_CELL:
		return in->k < BPF_MEMWORDS;
	case OPERAND_DIVISOR:
		return in->k != 0;
	case OPERAND_SHIFT:
		return in->k < 32;
	case OPERAND_JUMP:
		return in->k < left;
	case OPERAND_BRANCH:
		return in->jt < left && in->jf < left;
	}
	return false;
}

int bpf_validate(const struct sock_filter *code, size_t length)
{
	if (length == 0 || length > BPF_MAXINSNS)
		return -EINVAL;
	for (size_t i = 0; i < length; i++)
		if (!instruction_valid(&code[i], length - i - 1))
			return -EINVAL;
	return BPF_CLASS(code[length - 1].code) == BPF_RET ? 0 : -EINVAL;
}

static uint32_t calculate(uint16_t code, uint32_t a, uint32_t operand)
{
	switch (BPF_OP(code)) {
	case BPF_ADD:
		return a + operand;
	case BPF_SUB:
		return a - operand;
	case BPF_MUL:
		return a * operand;
	case BPF_DIV:
		return a / operand;
	case BPF_AND:
		return a & operand;
	case BPF_OR:
		return a | operand;
	case BPF_XOR:
		return a ^ operand;
	case BPF_LSH:
		return a << (operand & 31); /* as the kernel masks a variable shift */
	case BPF_RSH:
		return a >> (operand & 31);
	default:
		return -a;
	}
}

static bool compare(uint16_t code, uint32_t a, uint32_t operand)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return a == operand;
	case BPF_JGT:
		return a > operand;
	case BPF_JGE:
		return a >= operand;
	default:
		return a & operand;
	}
}

static uint32_t load(struct machine *m, const struct sock_filter *in)
{
	uint32_t word;

	switch (BPF_MODE(in->code)) {
	case BPF_IMM:
		return in->k;
	case BPF_MEM:
		return m->cell[in->k];
	case BPF_LEN:
		return sizeof(*m->data);
	default:
		if (in->k >= offsetof(struct seccomp_data, instruction_pointer))
			m->outcome.read_arguments = true;
		memcpy(&word, (const unsigned char *)m->data + in->k, sizeof(word));
		return word;
	}
}

static void jump(struct machine *m, const struct sock_filter *in, uint32_t operand)
{
	if (BPF_OP(in->code) == BPF_JA)
		m->at += in->k;
	else
		m->at += compare(in->code, m->a, operand) ? in->jt : in->jf;
}

/* A division by a zero in X ends the program with 0, which for seccomp is a kill. */
static void finish(struct machine *m, uint32_t action)
{
	m->outcome.action = action;
	m->returned = true;
}

static void step(struct machine *m, const struct sock_filter *in)
{
	uint32_t operand = BPF_SRC(in->code) == BPF_X ? m->x : in->k;

	switch (BPF_CLASS(in->code)) {
	case BPF_LD:
		m->a = load(m, in);
		break;
	case BPF_LDX:
		m->x = load(m, in);
		break;
	case BPF_ST:
		m->cell[in->k] = m->a;
		break;
	case BPF_STX:
		m->cell[in->k] = m->x;
		break;
	case BPF_ALU:
		if (BPF_OP(in->code) == BPF_DIV && operand == 0)
			finish(m, 0);
		else
			m->a = calculate(in->code, m->a, operand);
		break;
	case BPF_JMP:
		jump(m, in, operand);
		break;
	case BPF_RET:
		finish(m, BPF_RVAL(in->code) == BPF_A ? m->a : in->k);
		break;
	default:
		if (BPF_MISCOP(in->code) == BPF_TAX)
			m->x = m->a;
		else
			m->a = m->x;
	}
}

int bpf_run(const struct sock_filter *code, size_t length, const struct seccomp_data *data,
	    struct bpf_outcome *ret_outcome)
{
	struct machine m = { .data = data };

	while (!m.returned) {
		const struct sock_filter *in = code + m.at;

		if (m.at >= length || !instruction_valid(in, length - m.at - 1))
			return -EINVAL;
		m.at++;
		m.outcome.steps++;
		step(&m, in);
	}
	*ret_outcome = m.outcome;
	return 0;
}
