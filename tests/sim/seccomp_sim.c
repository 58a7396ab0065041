/* SPDX-License-Identifier: MIT */
#include "seccomp_sim.h"

#include <criterion/criterion.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <seccomp.h>
#include <string.h>

#include "seccomp_all.h"
#include "tests/support/bpf.h"

#define TOKEN_I386 AUDIT_ARCH_I386

const struct sim_arch sim_archs[SIM_ARCHITECTURES] = {
	{ "x86_64", AUDIT_ARCH_X86_64, true, seccomp_programs_x86_64 },
	{ "i386", TOKEN_I386, false, seccomp_programs_x86_64 },
	{ "aarch64", AUDIT_ARCH_AARCH64, true, seccomp_programs_aarch64 },
	{ "riscv64", AUDIT_ARCH_RISCV64, true, seccomp_programs_riscv64 },
};

/*
 * What libseccomp 2.5.4 does not say: names that are newer, alike on every architecture (token
 * 0), and the direct 32-bit calls that it names by their place in a multiplexer.
 */
static const struct {
	const char *call;
	uint32_t token;
	int number;
} own_numbers[] = {
	{ "cachestat", 0, 451 },
	{ "fchmodat2", 0, 452 },
	{ "map_shadow_stack", 0, 453 },
	{ "futex_wake", 0, 454 },
	{ "futex_wait", 0, 455 },
	{ "futex_requeue", 0, 456 },
	{ "statmount", 0, 457 },
	{ "listmount", 0, 458 },
	{ "lsm_get_self_attr", 0, 459 },
	{ "lsm_set_self_attr", 0, 460 },
	{ "lsm_list_modules", 0, 461 },
	{ "mseal", 0, 462 },
	{ "setxattrat", 0, 463 },
	{ "getxattrat", 0, 464 },
	{ "listxattrat", 0, 465 },
	{ "removexattrat", 0, 466 },
	{ "open_tree_attr", 0, 467 },
	{ "file_getattr", 0, 468 },
	{ "file_setattr", 0, 469 },
	{ "socket", TOKEN_I386, 359 },
	{ "socketpair", TOKEN_I386, 360 },
	{ "bind", TOKEN_I386, 361 },
	{ "connect", TOKEN_I386, 362 },
	{ "listen", TOKEN_I386, 363 },
	{ "accept4", TOKEN_I386, 364 },
	{ "getsockopt", TOKEN_I386, 365 },
	{ "setsockopt", TOKEN_I386, 366 },
	{ "getsockname", TOKEN_I386, 367 },
	{ "getpeername", TOKEN_I386, 368 },
	{ "sendto", TOKEN_I386, 369 },
	{ "sendmsg", TOKEN_I386, 370 },
	{ "recvfrom", TOKEN_I386, 371 },
	{ "recvmsg", TOKEN_I386, 372 },
	{ "shutdown", TOKEN_I386, 373 },
	{ "semget", TOKEN_I386, 393 },
	{ "semctl", TOKEN_I386, 394 },
	{ "shmget", TOKEN_I386, 395 },
	{ "shmctl", TOKEN_I386, 396 },
	{ "shmat", TOKEN_I386, 397 },
	{ "shmdt", TOKEN_I386, 398 },
	{ "msgget", TOKEN_I386, 399 },
	{ "msgsnd", TOKEN_I386, 400 },
	{ "msgrcv", TOKEN_I386, 401 },
	{ "msgctl", TOKEN_I386, 402 },
};

bool sim_number(const struct sim_arch *arch, const char *call, int *ret_number)
{
	int number;

	for (size_t i = 0; i < sizeof(own_numbers) / sizeof(own_numbers[0]); i++) {
		if (strcmp(own_numbers[i].call, call) != 0 ||
		    (own_numbers[i].token && own_numbers[i].token != arch->token))
			continue;
		*ret_number = own_numbers[i].number;
		return true;
	}
	number = seccomp_syscall_resolve_name_arch(arch->token, call);
	cr_assert(number != __NR_SCMP_ERROR, "no such call: '%s'", call);
	*ret_number = number;
	return number >= 0;
}

int sim_decide(const struct sim_arch *arch, unsigned traits, const struct seccomp_data *data)
{
	const struct seccomp_program *program = &arch->programs[traits];
	struct bpf_outcome outcome;

	if (bpf_run(program->code, program->length, data, &outcome))
		return -1;
	if (outcome.action == SECCOMP_RET_ALLOW)
		return 0;
	if ((outcome.action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO)
		return outcome.action & SECCOMP_RET_DATA;
	return -1;
}

void sim_expect(struct sim_tally *tally, const struct sim_arch *arch, unsigned traits,
		const struct seccomp_data *data, const char *call, int wanted)
{
	int got = sim_decide(arch, traits, data);

	tally->checked++;
	if (got == wanted)
		return;
	tally->wrong++;
	if (tally->wrong > 20) /* the first ones tell enough */
		return;
	cr_log_error("%s traits %u '%s' %d(%#llx %#llx %#llx %#llx): %d instead of %d", arch->name,
		     traits, call, data->nr, (unsigned long long)data->args[0],
		     (unsigned long long)data->args[1], (unsigned long long)data->args[2],
		     (unsigned long long)data->args[3], got, wanted);
}
