/* SPDX-License-Identifier: MIT */
#ifndef RF_BACKEND_H
#define RF_BACKEND_H

#include "mechanism/mechanism.h"

/* One step of a set-up. The first that fails ends it; nothing has been executed then. */
struct backend_step {
	const char *name;
	int (*apply)(struct setup *setup, struct rf_error *err);
};

/*
 * A backend is three ordered arrays of steps, each ended by a row without a name. The order is part
 * of the security of it; the reasons stand beside the rows.
 */
struct backend {
	const char *name;
	enum rf_backend_choice choice;
	bool in_view;
	const char *pid_view;		   /* for the environment; NULL: it has none of its own */
	const struct backend_step *beside; /* in the process that stays beside the command */
	const struct backend_step *inside; /* then in the command's own process */
	const struct backend_step *direct; /* without a supervisor (--exec); NULL: cannot */

	/* clone(2) flags of the process that stays */
	unsigned long (*namespaces)(const struct rf_plan *plan, int landlock_abi);

	/* the claims that this backend does not hold for the plan, as a mask */
	uint32_t (*missing)(const struct setup *setup, bool supervised);
};

extern const struct backend backend_namespace;
extern const struct backend backend_landlock;

/* The chain, most capable first, ended by NULL. */
extern const struct backend *const backend_chain[];

/* Runs the steps in order; on failure err->step names the one that failed. */
int backend_run(const struct backend_step *steps, struct setup *setup, struct rf_error *err);

/* What no backend enforces yet for this mode. */
uint32_t backend_missing_everywhere(const struct rf_plan *plan);

#endif
