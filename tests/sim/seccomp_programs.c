/* SPDX-License-Identifier: MIT */
/* The programs as such: valid, small, closed to foreign numbers, and fast where it counts. */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>

#include "launcher/mechanism/seccomp_rules.h"
#include "seccomp_sim.h"
#include "tests/support/bpf.h"

#define LENGTH_MAX 260 /* of 4096; loading time grows with it */
#define STEPS_MAX 19
#define X32_BIT 0x40000000

static const uint32_t foreign_tokens[] = {
	AUDIT_ARCH_ARM,	  AUDIT_ARCH_MIPS64,	       AUDIT_ARCH_PPC64LE,
	AUDIT_ARCH_S390X, EM_X86_64 | __AUDIT_ARCH_LE, 0,
	UINT32_MAX,
};

static bool return_known(const struct sock_filter *at)
{
	static const uint32_t known[] = {
		SECCOMP_RET_ALLOW,
		SECCOMP_RET_ERRNO | EPERM,
		SECCOMP_RET_ERRNO | EACCES,
		SECCOMP_RET_ERRNO | ENOSYS,
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (at->code == (BPF_RET | BPF_K) && at->k == known[i])
			return true;
	return BPF_CLASS(at->code) != BPF_RET;
}

Test(seccomp_programs, every_set_of_traits_has_a_valid_program)
{
	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++) {
			const struct seccomp_program *program = &sim_archs[a].programs[traits];

			cr_assert_eq(bpf_validate(program->code, program->length), 0, "%s %u",
				     sim_archs[a].name, traits);
			cr_assert_leq(program->length, LENGTH_MAX);
			for (size_t i = 0; i < program->length; i++)
				cr_assert(return_known(&program->code[i]), "%s %u: %#x at %zu",
					  sim_archs[a].name, traits, program->code[i].k, i);
		}
}

Test(seccomp_programs, traits_without_meaning_change_nothing)
{
	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
			cr_assert_eq(sim_archs[a].programs[traits].code,
				     sim_archs[a].programs[seccomp_traits_canonical(traits)].code);
	cr_assert_neq(sim_archs[0].programs[SECCOMP_LANDLOCK_BACKEND].code,
		      sim_archs[0].programs[0].code);
	cr_assert_neq(sim_archs[0].programs[SECCOMP_NETWORK_OFF].code,
		      sim_archs[0].programs[0].code);
}

/* i386 is no foreigner to the x86_64 program, and the other way round. */
static bool belongs(const struct sim_arch *arch, uint32_t token)
{
	for (size_t i = 0; i < SIM_ARCHITECTURES; i++)
		if (sim_archs[i].token == token && sim_archs[i].programs == arch->programs)
			return true;
	return false;
}

static void expect_foreign(struct sim_tally *tally, const struct sim_arch *arch, uint32_t token)
{
	struct seccomp_data data = { .arch = token };

	for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
		for (data.nr = -1; data.nr < SIM_NUMBERS_END; data.nr++)
			sim_expect(tally, arch, traits, &data, "foreign", EPERM);
}

Test(seccomp_programs, foreign_architectures_are_refused)
{
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++) {
		for (size_t i = 0; i < sizeof(foreign_tokens) / sizeof(foreign_tokens[0]); i++)
			expect_foreign(&tally, &sim_archs[a], foreign_tokens[i]);
		for (size_t b = 0; b < SIM_ARCHITECTURES; b++)
			if (!belongs(&sim_archs[a], sim_archs[b].token))
				expect_foreign(&tally, &sim_archs[a], sim_archs[b].token);
	}
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}

Test(seccomp_programs, x32_does_not_exist)
{
	struct sim_tally tally = { 0 };
	struct seccomp_data data = { .arch = AUDIT_ARCH_X86_64 };

	for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++) {
		for (int nr = 0; nr < SIM_NUMBERS_END; nr++) {
			data.nr = nr | X32_BIT;
			sim_expect(&tally, &sim_archs[0], traits, &data, "x32", ENOSYS);
		}
		data.nr = -2;
		sim_expect(&tally, &sim_archs[0], traits, &data, "x32", ENOSYS);
	}
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}

/* A tracer sets -1 to skip a call; an error here would hide the result that it has chosen. */
Test(seccomp_programs, a_skipped_call_passes)
{
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++) {
			struct seccomp_data data = { .arch = sim_archs[a].token, .nr = -1 };

			sim_expect(&tally, &sim_archs[a], traits, &data, "skipped", 0);
		}
	cr_assert_eq(tally.wrong, 0);
}

/* Whether a rule looks at the arguments of this number. */
static bool looked_into(const struct sim_arch *arch, int nr)
{
	int number;

	for (size_t i = 0; i < seccomp_rules_count; i++)
		if (sim_number(arch, seccomp_rules[i].call, &number) && number == nr &&
		    seccomp_rules[i].when[0].compare != SECCOMP_END)
			return true;
	return false;
}

/* The kernel remembers the answer for a call only if it follows from the number alone. */
Test(seccomp_programs, the_number_alone_decides)
{
	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (int nr = 0; nr < SIM_NUMBERS_END; nr++) {
			bool arguments = looked_into(&sim_archs[a], nr);

			for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++) {
				const struct seccomp_program *program =
					&sim_archs[a].programs[traits];
				struct seccomp_data data = { .arch = sim_archs[a].token, .nr = nr };
				struct bpf_outcome outcome;

				if (bpf_run(program->code, program->length, &data, &outcome))
					cr_assert_fail("%s %u: bad program", sim_archs[a].name,
						       traits);
				if (!arguments &&
				    (outcome.read_arguments || outcome.steps > STEPS_MAX))
					cr_assert_fail("%s %u: call %d takes %u steps",
						       sim_archs[a].name, traits, nr,
						       outcome.steps);
			}
		}
}

/* What the kernel follows while it looks for calls that it can remember. */
static bool followed(uint16_t code)
{
	static const uint16_t known[] = {
		BPF_LD | BPF_W | BPF_ABS,  BPF_RET | BPF_K,	      BPF_JMP | BPF_JA,
		BPF_JMP | BPF_JEQ | BPF_K, BPF_JMP | BPF_JGE | BPF_K, BPF_JMP | BPF_JSET | BPF_K,
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (code == known[i])
			return true;
	return false;
}

/* Copies a program such that running into anything else is an error. */
static size_t copy_followed(struct sock_filter *copy, const struct seccomp_program *program)
{
	static const struct sock_filter bad = { .code = UINT16_MAX };

	for (size_t i = 0; i < program->length; i++)
		copy[i] = followed(program->code[i].code) ? program->code[i] : bad;
	return program->length;
}

/* Native calls are remembered; 32-bit ones are given up on at once, to save the time for it. */
Test(seccomp_programs, native_calls_can_be_remembered)
{
	static struct sock_filter copy[LENGTH_MAX];
	struct bpf_outcome outcome;

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++) {
			bool native = sim_archs[a].token != AUDIT_ARCH_I386;
			size_t length = copy_followed(copy, &sim_archs[a].programs[traits]);
			struct seccomp_data data = { .arch = sim_archs[a].token };

			for (data.nr = 0; data.nr < SIM_NUMBERS_END; data.nr++)
				cr_assert_eq(bpf_run(copy, length, &data, &outcome),
					     native ? 0 : -EINVAL, "%s %u: call %d",
					     sim_archs[a].name, traits, data.nr);
		}
}
