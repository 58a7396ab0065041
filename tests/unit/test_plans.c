/* SPDX-License-Identifier: MIT */
/* The pure half of the mechanisms: what the kernel will be told, from plans made by hand. */
#include "backend/backend.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <string.h>

static struct rf_plan plan_of(enum rf_mode mode, enum rf_network network, uid_t uid)
{
	return (struct rf_plan){ .mode = mode, .network = network, .uid = uid };
}

static struct setup setup_of(const struct rf_plan *plan, int abi, bool in_view)
{
	return (struct setup){ .plan = plan, .landlock_abi = abi, .in_view = in_view };
}

/* From the kernel's documentation of Landlock: bits 1, 4 to 12 are the writing rights of ABI 1. */
static const struct {
	int abi;
	uint64_t fs, net, scope;
} domains[] = {
	{ 1, 0x1ff2, 0, 0 },	  { 2, 0x3ff2, 0, 0 },	    { 3, 0x7ff2, 0, 0 },
	{ 4, 0x7ff2, 0x3, 0 },	  { 5, 0xfff2, 0x3, 0 },    { 6, 0xfff2, 0x3, 0x3 },
	{ 7, 0xfff2, 0x3, 0x3 },  { 8, 0xfff2, 0x3, 0x3 },  { 9, 0xfff2, 0x3, 0x3 },
	{ 10, 0xfff2, 0xf, 0x3 }, { 11, 0xfff2, 0xf, 0x3 },
};

Test(plans, landlock_by_abi)
{
	struct rf_plan plan = plan_of(RF_MODE_WORKSPACE_WRITE, RF_NETWORK_OFF, 1000);

	for (size_t i = 0; i < ARRAY_LEN(domains); i++) {
		struct landlock_attributes a = landlock_plan(&plan, domains[i].abi);

		cr_expect_eq(a.fs, domains[i].fs, "abi %d: fs %#lx", domains[i].abi, (long)a.fs);
		cr_expect_eq(a.net, domains[i].net, "abi %d: net", domains[i].abi);
		cr_expect_eq(a.scope, domains[i].scope, "abi %d: scope", domains[i].abi);
	}
	cr_expect_eq(domains[ARRAY_LEN(domains) - 1].abi, LANDLOCK_ABI_NEWEST);
}

Test(plans, landlock_leaves_the_hosts_network_alone)
{
	struct rf_plan plan = plan_of(RF_MODE_READ_ONLY, RF_NETWORK_HOST, 1000);

	cr_expect_eq(landlock_plan(&plan, LANDLOCK_ABI_NEWEST).net, 0);
	cr_expect_eq(landlock_plan(&plan, LANDLOCK_ABI_NEWEST).fs, 0xfff2);
}

Test(plans, landlock_rules)
{
	/* a rule may hold only what its domain handles, and on a file only what files have */
	for (int abi = 1; abi <= LANDLOCK_ABI_NEWEST; abi++) {
		struct rf_plan plan = plan_of(RF_MODE_WORKSPACE_WRITE, RF_NETWORK_OFF, 0);
		uint64_t handled = landlock_plan(&plan, abi).fs;

		cr_expect_eq(landlock_root_rights(abi, true) & ~handled, 0);
		cr_expect_eq(landlock_device_rights(abi, true) & ~handled, 0);
		cr_expect_eq(landlock_root_rights(abi, false), abi < 3 ? 0x2 : 0x4002);
		cr_expect_eq(landlock_root_rights(abi, true) & 0x8000, 0, "ioctl on any device");
		cr_expect_eq(!!(landlock_device_rights(abi, true) & 0x8000), abi >= 5);
		cr_expect_eq(landlock_device_rights(abi, false) & 0x8000, 0);
	}
}

Test(plans, landlock_rights_have_one_row_each)
{
	size_t len;
	const struct landlock_right *rights = landlock_rights(&len);

	for (size_t i = 0; i < len; i++) {
		cr_expect_eq(rights[i].bit & (rights[i].bit - 1), 0, "%s", rights[i].name);
		for (size_t j = 0; j < i; j++)
			cr_expect_not(rights[i].field == rights[j].field &&
				      rights[i].bit == rights[j].bit);
	}
	cr_expect_eq(len, 23);
}

Test(plans, seccomp_traits)
{
	static const struct {
		enum rf_mode mode;
		enum rf_network network;
		uid_t uid;
		int abi;
		bool in_view;
		unsigned traits;
	} rows[] = {
		{ RF_MODE_READ_ONLY, RF_NETWORK_OFF, 1, 7, true, SECCOMP_NETWORK_OFF },
		{ RF_MODE_READ_ONLY, RF_NETWORK_OFF, 1, 1, true, SECCOMP_NETWORK_OFF },
		{ RF_MODE_WORKSPACE_WRITE, RF_NETWORK_HOST, 0, 7, true, SECCOMP_ROOT },
		{ RF_MODE_WORKSPACE_WRITE, RF_NETWORK_HOST, 1, 7, false, SECCOMP_LANDLOCK_BACKEND },
		{ RF_MODE_WORKSPACE_WRITE, RF_NETWORK_HOST, 1, 2, false,
		  SECCOMP_LANDLOCK_BACKEND | SECCOMP_TRUNCATE_HOLE },
		{ RF_MODE_READ_ONLY, RF_NETWORK_OFF, 0, 3, false,
		  SECCOMP_NETWORK_OFF | SECCOMP_ROOT | SECCOMP_LANDLOCK_BACKEND |
			  SECCOMP_FREEZE_METADATA },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct rf_plan plan = plan_of(rows[i].mode, rows[i].network, rows[i].uid);
		struct setup setup = setup_of(&plan, rows[i].abi, rows[i].in_view);

		cr_expect_eq(seccomp_plan(&setup), rows[i].traits, "row %zu: %#x", i,
			     seccomp_plan(&setup));
		plan.allow_userns = true;
		cr_expect_eq(seccomp_plan(&setup), rows[i].traits | SECCOMP_ALLOW_USERNS);
	}
}

Test(plans, capabilities)
{
	struct rf_plan user = plan_of(RF_MODE_WORKSPACE_WRITE, RF_NETWORK_OFF, 1000);
	struct rf_plan root = plan_of(RF_MODE_WORKSPACE_WRITE, RF_NETWORK_OFF, 0);
	struct setup view = setup_of(&root, 7, true), bare = setup_of(&root, 7, false);
	struct setup users = setup_of(&user, 7, true);

	/* CHOWN 0, DAC_OVERRIDE 1, FOWNER 3, FSETID 4, KILL 5, SETGID 6, SETUID 7 */
	cr_expect_eq(capabilities_plan(&view), 0xfb);
	cr_expect_eq(capabilities_plan(&bare), 0);
	root.foreign_root = true;
	cr_expect_eq(capabilities_plan(&bare), 0x2);
	user.foreign_root = true;
	cr_expect_eq(capabilities_plan(&users), 0);
}

Test(plans, namespaces)
{
	const unsigned long always = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC |
				     CLONE_NEWUTS | CLONE_NEWCGROUP;
	struct rf_plan off = plan_of(RF_MODE_READ_ONLY, RF_NETWORK_OFF, 1);
	struct rf_plan host = plan_of(RF_MODE_READ_ONLY, RF_NETWORK_HOST, 1);

	cr_expect_eq(namespace_plan(&off, 6), always);
	cr_expect_eq(namespace_plan(&off, 5), always | CLONE_NEWNET);
	cr_expect_eq(namespace_plan(&off, 0), always | CLONE_NEWNET);
	cr_expect_eq(namespace_plan(&host, 5), always);
}

#define BIT(claim) RF_CLAIM_BIT(RF_CLAIM_##claim)
#define OPEN (BIT(HIDE) | BIT(CONTROL_SOCKETS))

Test(plans, missing_claims)
{
	static const struct {
		const struct backend *backend;
		enum rf_mode mode;
		enum rf_network network;
		int abi;
		bool supervised, host_pids;
		uint32_t missing;
	} rows[] = {
		{ &backend_namespace, RF_MODE_READ_ONLY, RF_NETWORK_OFF, 7, true, false, OPEN },
		{ &backend_namespace, RF_MODE_WORKSPACE_WRITE, RF_NETWORK_OFF, 0, true, false,
		  OPEN | BIT(PROTECT) },
		{ &backend_namespace, RF_MODE_READ_ONLY, RF_NETWORK_HOST, 5, true, false,
		  OPEN | BIT(ABSTRACT_SOCKETS) },
		{ &backend_namespace, RF_MODE_READ_ONLY, RF_NETWORK_OFF, 7, true, true,
		  OPEN | BIT(PROCESSES) },
		{ &backend_landlock, RF_MODE_READ_ONLY, RF_NETWORK_OFF, 7, true, false,
		  OPEN | BIT(PROCESSES) },
		{ &backend_landlock, RF_MODE_WORKSPACE_WRITE, RF_NETWORK_OFF, 6, true, false,
		  OPEN | BIT(PROTECT) | BIT(PROCESSES) | BIT(METADATA) },
		{ &backend_landlock, RF_MODE_READ_ONLY, RF_NETWORK_OFF, 7, false, false,
		  OPEN | BIT(PROCESSES) | BIT(LIFETIME) },
		{ &backend_landlock, RF_MODE_READ_ONLY, RF_NETWORK_HOST, 5, true, false,
		  OPEN | BIT(PROCESSES) | BIT(ABSTRACT_SOCKETS) | BIT(SIGNAL) | BIT(LIFETIME) },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct rf_plan plan = plan_of(rows[i].mode, rows[i].network, 1);
		struct setup setup = setup_of(&plan, rows[i].abi, rows[i].backend->in_view);

		setup.result.host_pids = rows[i].host_pids;
		cr_expect_eq(rows[i].backend->missing(&setup, rows[i].supervised), rows[i].missing,
			     "row %zu", i);
	}
}

static int place_of(const struct backend_step *steps, const char *name)
{
	for (int i = 0; steps[i].name; i++)
		if (!strcmp(steps[i].name, name))
			return i;
	return -1;
}

static void expect_order(const struct backend_step *steps, const char *first, const char *second)
{
	cr_expect_geq(place_of(steps, first), 0, "no step '%s'", first);
	cr_expect_lt(place_of(steps, first), place_of(steps, second), "'%s' is not before '%s'",
		     first, second);
}

Test(plans, order_of_steps)
{
	const struct backend_step *view = backend_namespace.beside;

	expect_order(view, "id-map", "mounts");
	expect_order(view, "nesting", "mounts");
	expect_order(view, "mounts", "proc");
	expect_order(view, "proc", "descriptors");
	expect_order(view, "descriptors", "capabilities");
	expect_order(view, "directory", "capabilities");
	expect_order(backend_namespace.inside, "landlock", "seccomp");
	expect_order(backend_namespace.inside, "seccomp", "close");
	expect_order(backend_landlock.beside, "capabilities", "signal-scope");
	expect_order(backend_landlock.inside, "landlock", "seccomp");
	expect_order(backend_landlock.direct, "capabilities", "landlock");
	expect_order(backend_landlock.direct, "landlock", "seccomp");
	expect_order(backend_landlock.direct, "seccomp", "close");
	cr_expect_null(backend_namespace.direct);
}

static int fail(struct setup *setup, struct rf_error *err)
{
	(void)setup;
	return rf_error_set(err, RF_CODE_SETUP_FAILED, 5, "planted");
}

static int count(struct setup *setup, struct rf_error *err)
{
	(void)err;
	setup->sync_fd++;
	return 0;
}

Test(plans, the_first_failing_step_ends_a_set_up)
{
	const struct backend_step steps[] = {
		{ "one", count }, { "two", fail }, { "three", count }, { NULL, NULL }
	};
	struct setup setup = { .sync_fd = 0 };
	struct rf_error error = { 0 };

	cr_expect_eq(backend_run(steps, &setup, &error), -5);
	cr_expect_str_eq(error.step, "two");
	cr_expect_eq(setup.sync_fd, 1);
}
