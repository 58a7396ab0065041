/* SPDX-License-Identifier: MIT */
/* libseccomp compiles the calls that close as a whole, and both programs must agree on them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/filter.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "launcher/mechanism/seccomp_rules.h"
#include "seccomp_sim.h"
#include "tests/support/bpf.h"

static bool whole(const struct seccomp_rule *rule, unsigned traits)
{
	return seccomp_rule_holds(rule, traits) && rule->when[0].compare == SECCOMP_END;
}

/* It takes the numbers of the machine that it runs on and translates them itself. */
static size_t add_rules(scmp_filter_ctx ctx, const struct sim_arch *arch, unsigned traits)
{
	size_t added = 0;

	for (size_t i = 0; i < seccomp_rules_count; i++) {
		const struct seccomp_rule *rule = &seccomp_rules[i];
		int number = seccomp_syscall_resolve_name(rule->call);

		if (!whole(rule, traits) || number == __NR_SCMP_ERROR ||
		    seccomp_syscall_resolve_name_arch(arch->token, rule->call) < 0)
			continue;
		cr_assert_eq(seccomp_rule_add(ctx, SCMP_ACT_ERRNO(rule->error), number, 0), 0);
		added++;
	}
	return added;
}

static size_t compile(const struct sim_arch *arch, unsigned traits, struct sock_filter *code,
		      size_t *ret_added)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
	int fd = memfd_create("filter", MFD_CLOEXEC);
	ssize_t size;

	cr_assert_neq(ctx, NULL);
	if (arch->token != seccomp_arch_native()) {
		cr_assert_eq(seccomp_arch_remove(ctx, SCMP_ARCH_NATIVE), 0);
		cr_assert_eq(seccomp_arch_add(ctx, arch->token), 0);
	}
	*ret_added = add_rules(ctx, arch, traits);
	cr_assert_eq(seccomp_export_bpf(ctx, fd), 0);
	size = pread(fd, code, BPF_MAXINSNS * sizeof(*code), 0);
	cr_assert_gt(size, 0);
	close(fd);
	seccomp_release(ctx);
	return size / sizeof(*code);
}

/* Calls that are judged by their arguments, and those that the library does not know yet. */
static bool beyond_the_library(const struct sim_arch *arch, int nr, unsigned traits)
{
	for (size_t i = 0; i < seccomp_rules_count; i++) {
		int number;

		if (!seccomp_rule_holds(&seccomp_rules[i], traits) ||
		    !sim_number(arch, seccomp_rules[i].call, &number) || number != nr)
			continue;
		return !whole(&seccomp_rules[i], traits) ||
		       seccomp_syscall_resolve_name(seccomp_rules[i].call) == __NR_SCMP_ERROR;
	}
	return false;
}

static void compare(struct sim_tally *tally, const struct sim_arch *arch, unsigned traits)
{
	static struct sock_filter code[BPF_MAXINSNS];
	size_t added;
	size_t length = compile(arch, traits, code, &added);
	struct seccomp_data data = { .arch = arch->token };
	size_t closed = 0;

	cr_assert_eq(bpf_validate(code, length), 0);
	for (data.nr = 0; data.nr < SIM_NUMBERS_END; data.nr++) {
		struct bpf_outcome theirs;

		cr_assert_eq(bpf_run(code, length, &data, &theirs), 0);
		closed += theirs.action != SECCOMP_RET_ALLOW;
		if (!beyond_the_library(arch, data.nr, traits))
			sim_expect(tally, arch, traits, &data, "compared",
				   theirs.action == SECCOMP_RET_ALLOW
					   ? 0
					   : (int)(theirs.action & SECCOMP_RET_DATA));
	}
	cr_assert_eq(closed, added, "%s %u: %zu of %zu", arch->name, traits, closed, added);
}

Test(seccomp_library, agrees)
{
	static const unsigned sets[] = { 0, SECCOMP_ALLOW_USERNS, SECCOMP_TRAITS_END - 1 };
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
			compare(&tally, &sim_archs[a], sets[i]);
	cr_assert_gt(tally.checked, 0);
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}
