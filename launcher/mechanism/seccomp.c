/* SPDX-License-Identifier: MIT */
#include "seccomp.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#include "seccomp_filters.h"

#if defined(__x86_64__)
#define PROGRAMS seccomp_programs_x86_64
#elif defined(__aarch64__)
#define PROGRAMS seccomp_programs_aarch64
#elif defined(__riscv)
#define PROGRAMS seccomp_programs_riscv64
#endif

unsigned seccomp_plan(const struct setup *setup)
{
	const struct {
		bool applies;
		unsigned trait;
	} traits[] = {
		{ setup->plan->network == RF_NETWORK_OFF, SECCOMP_NETWORK_OFF },
		{ setup->plan->allow_userns, SECCOMP_ALLOW_USERNS },
		{ setup->plan->uid == 0, SECCOMP_ROOT },
		{ !setup->in_view, SECCOMP_LANDLOCK_BACKEND },
		{ setup->landlock_abi < 3, SECCOMP_TRUNCATE_HOLE },
		{ setup->plan->mode == RF_MODE_READ_ONLY, SECCOMP_FREEZE_METADATA },
	};
	unsigned ret = 0;

	for (size_t i = 0; i < ARRAY_LEN(traits); i++)
		if (traits[i].applies)
			ret |= traits[i].trait;
	return seccomp_traits_canonical(ret);
}

int seccomp_apply(struct setup *setup, struct rf_error *err)
{
	const struct seccomp_program *program = &PROGRAMS[seccomp_plan(setup)];
	struct sock_fprog filter = {
		.len = program->length,
		.filter = (struct sock_filter *)program->code,
	};
	int ret = (int)SYS3(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);

	return ret < 0 ? setup_error(err, ret, "cannot install the system call filter") : 0;
}
