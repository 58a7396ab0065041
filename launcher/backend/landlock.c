/* SPDX-License-Identifier: MIT */
#include "backend.h"

static int enter_directory(struct setup *setup, struct rf_error *err)
{
	const struct rf_object *directory = setup->plan->directory;
	int ret;

	if (!setup->change_directory) /* it is there already */
		return 0;
	ret = (int)SYS1(SYS_fchdir, directory->fd);
	return ret < 0 ? setup_error(err, ret, "cannot enter directory '%s'", directory->path) : 0;
}

/* Refused here already, so that a kernel without Landlock is told apart from a failing set-up. */
static int require_landlock(struct setup *setup, struct rf_error *err)
{
	if (setup->landlock_abi > 0)
		return 0;
	return rf_error_set(err, RF_CODE_SETUP_FAILED, 0, "this kernel has no Landlock");
}

/* A rule covers what is mounted below it, and Landlock cannot take a part of a rule back. */
static int refuse_kernel_mounts(struct setup *setup, struct rf_error *err)
{
	int ret;

	if (setup->plan->kernel_mounts.len == 0)
		return 0;
	ret = rf_error_set(err, RF_CODE_POLICY_NOT_EXPRESSIBLE, 0,
			   "root could change the kernel through the mount '%s' in a writable root",
			   setup->plan->kernel_mounts.items[0]);
	rf_error_hint(err, "unmount it, or use the namespace backend");
	return ret;
}

/* one step a line */
/* clang-format off */
static const struct backend_step beside[] = {
	{ "landlock-abi", require_landlock },
	{ "kernel-mounts", refuse_kernel_mounts },
	{ "directory", enter_directory },
	{ "capabilities", capabilities_apply },		 /* no_new_privs, which a domain needs */
	{ "signal-scope", landlock_apply_signal_scope }, /* the outer domain: the guardian's own */
	{ 0 },
};

static const struct backend_step inside[] = {
	{ "landlock", landlock_apply }, /* the inner domain: the guardian lies outside of it */
	{ "seccomp", seccomp_apply },
	{ "close", descriptors_apply },
	{ 0 },
};

static const struct backend_step direct[] = {
	{ "landlock-abi", require_landlock },
	{ "kernel-mounts", refuse_kernel_mounts },
	{ "directory", enter_directory },
	{ "capabilities", capabilities_apply },
	{ "landlock", landlock_apply },
	{ "seccomp", seccomp_apply },
	{ "close", descriptors_apply },
	{ 0 },
};
/* clang-format on */

static unsigned long no_namespaces(const struct rf_plan *plan, int landlock_abi)
{
	(void)plan;
	(void)landlock_abi;
	return 0;
}

static uint32_t missing(const struct setup *setup, bool supervised)
{
	uint32_t claims = backend_missing_everywhere(setup->plan);

	claims |= RF_CLAIM_BIT(RF_CLAIM_PROCESSES);
	/* in read-only mode the filter closes the metadata calls wholesale */
	if (setup->plan->mode == RF_MODE_WORKSPACE_WRITE)
		claims |= RF_CLAIM_BIT(RF_CLAIM_METADATA);
	/* without the scopes, and so without a guardian that the command cannot kill */
	if (setup->landlock_abi < 6)
		claims |= RF_CLAIM_BIT(RF_CLAIM_ABSTRACT_SOCKETS) | RF_CLAIM_BIT(RF_CLAIM_SIGNAL) |
			  RF_CLAIM_BIT(RF_CLAIM_LIFETIME);
	if (!supervised)
		claims |= RF_CLAIM_BIT(RF_CLAIM_LIFETIME);
	return claims;
}

const struct backend backend_landlock = {
	.name = "landlock",
	.choice = RF_BACKEND_LANDLOCK,
	.in_view = false,
	.beside = beside,
	.inside = inside,
	.direct = direct,
	.namespaces = no_namespaces,
	.missing = missing,
};
