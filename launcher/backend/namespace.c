/* SPDX-License-Identifier: MIT */
#include "backend.h"

/* one step a line */
/* clang-format off */
static const struct backend_step beside[] = {
	{ "id-map", idmap_apply }, /* first: every later step needs the capabilities it gives */
	{ "nesting", namespace_close_nesting }, /* while the /proc outside is writable */
	{ "mounts", mounts_apply },
	{ "proc", proc_apply }, /* after the mounts, or it would be read-only */
	{ "proc-kernel", proc_close_kernel_files },
	{ "terminals", devices_mount_terminals },
	{ "shared-memory", devices_mount_shared_memory },
	{ "descriptors", descriptors_reopen }, /* through the finished view */
	{ "directory", mounts_enter_directory },
	{ "capabilities", capabilities_apply }, /* last: nothing can be mounted after it */
	{ 0 },
};

static const struct backend_step inside[] = {
	{ "landlock", landlock_apply },
	{ "inspect", proc_check_inspect },
	{ "seccomp", seccomp_apply }, /* after Landlock, whose calls it need not allow for */
	{ "close", descriptors_apply },
	{ 0 },
};
/* clang-format on */

static uint32_t missing(const struct setup *setup, bool supervised)
{
	uint32_t claims = backend_missing_everywhere(setup->plan);

	(void)supervised;
	/* below ABI 6 a net namespace would do it, but the host's network was asked for */
	if (setup->plan->network == RF_NETWORK_HOST && setup->landlock_abi < 6)
		claims |= RF_CLAIM_BIT(RF_CLAIM_ABSTRACT_SOCKETS);
	if (setup->result.host_pids)
		claims |= RF_CLAIM_BIT(RF_CLAIM_PROCESSES);
	return claims;
}

const struct backend backend_namespace = {
	.name = "namespace",
	.choice = RF_BACKEND_NAMESPACE,
	.in_view = true,
	.pid_view = "private",
	.beside = beside,
	.inside = inside,
	.namespaces = namespace_plan,
	.missing = missing,
};
