/* SPDX-License-Identifier: MIT */
#include "backend.h"

#include <stdio.h>

const struct backend *const backend_chain[] = { &backend_namespace, &backend_landlock, NULL };

int backend_run(const struct backend_step *steps, struct setup *setup, struct rf_error *err)
{
	for (; steps->name; steps++) {
		int ret = steps->apply(setup, err);

		if (ret < 0) {
			snprintf(err->step, sizeof(err->step), "%s", steps->name);
			return ret;
		}
	}
	return 0;
}

uint32_t backend_missing_everywhere(const struct rf_plan *plan)
{
	uint32_t missing = RF_CLAIM_BIT(RF_CLAIM_HIDE) | RF_CLAIM_BIT(RF_CLAIM_CONTROL_SOCKETS);

	/*
	 * the repository's own files; in read-only mode nothing is writable, so nothing is missing
	 */
	if (plan->mode == RF_MODE_WORKSPACE_WRITE)
		missing |= RF_CLAIM_BIT(RF_CLAIM_PROTECT);
	return missing;
}
