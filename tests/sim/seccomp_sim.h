/* SPDX-License-Identifier: MIT */
#ifndef RF_TESTS_SIM_SECCOMP_SIM_H
#define RF_TESTS_SIM_SECCOMP_SIM_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launcher/mechanism/seccomp_traits.h"

/* The compiled filters of every architecture, asked without a kernel. */
#define SIM_ARCHITECTURES 4
#define SIM_NUMBERS_END 600 /* above every number in use */

struct sim_arch {
	const char *name;
	uint32_t token;
	bool wide; /* registers have a high half */
	const struct seccomp_program *programs;
};

extern const struct sim_arch sim_archs[SIM_ARCHITECTURES];

/* What a test has looked at; `wrong` decides, and each wrong answer has been logged. */
struct sim_tally {
	size_t checked;
	size_t wrong;
};

/* The number of a call, or false where the architecture lacks it. An unknown name is a failure. */
bool sim_number(const struct sim_arch *arch, const char *call, int *ret_number);

/* The error that the filter answers with, 0 for an allowed call, -1 for anything else. */
int sim_decide(const struct sim_arch *arch, unsigned traits, const struct seccomp_data *data);

/* Counts one decision and logs it if it is not the wanted one. */
void sim_expect(struct sim_tally *tally, const struct sim_arch *arch, unsigned traits,
		const struct seccomp_data *data, const char *call, int wanted);

#endif
