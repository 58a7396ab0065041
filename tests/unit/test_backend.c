/* SPDX-License-Identifier: MIT */
/* What holds for every backend and every plan, beside the single rows of test_plans.c. */
#include "backend/backend.h"

#include <criterion/criterion.h>
#include <string.h>

#define BIT(claim) RF_CLAIM_BIT(RF_CLAIM_##claim)

/* Every plan that the backends tell apart. */
struct combination {
	enum rf_mode mode;
	enum rf_network network;
	uid_t uid;
	bool allow_userns, host_pids, supervised;
	int abi;
};

static bool next_combination(struct combination *c, unsigned *index)
{
	unsigned bits = (*index)++;

	*c = (struct combination){
		.mode = bits & 1 ? RF_MODE_WORKSPACE_WRITE : RF_MODE_READ_ONLY,
		.network = bits & 2 ? RF_NETWORK_HOST : RF_NETWORK_OFF,
		.uid = bits & 4 ? 0 : 1000,
		.allow_userns = bits & 8,
		.host_pids = bits & 16,
		.supervised = bits & 32,
		.abi = (int)(bits >> 6),
	};
	return c->abi <= LANDLOCK_ABI_NEWEST;
}

static struct rf_plan plan_of(const struct combination *c)
{
	return (struct rf_plan){ .mode = c->mode,
				 .network = c->network,
				 .uid = c->uid,
				 .allow_userns = c->allow_userns };
}

static uint32_t missing_of(const struct backend *backend, const struct combination *c)
{
	struct rf_plan plan = plan_of(c);
	struct setup setup = { .plan = &plan,
			       .landlock_abi = c->abi,
			       .in_view = backend->in_view,
			       .result.host_pids = c->host_pids };

	return backend->missing(&setup, c->supervised);
}

/* As the specification says it, claim by claim. */
static uint32_t expected_missing(const struct backend *backend, const struct combination *c)
{
	const bool view = backend == &backend_namespace, scopes = c->abi >= 6;
	const struct {
		bool is_missing;
		uint32_t claim;
	} claims[] = {
		{ true, BIT(HIDE) },
		{ true, BIT(CONTROL_SOCKETS) },
		{ c->mode == RF_MODE_WORKSPACE_WRITE, BIT(PROTECT) },
		{ view ? c->host_pids : true, BIT(PROCESSES) },
		{ !view && c->mode == RF_MODE_WORKSPACE_WRITE, BIT(METADATA) },
		{ !scopes && (!view || c->network == RF_NETWORK_HOST), BIT(ABSTRACT_SOCKETS) },
		{ !scopes && !view, BIT(SIGNAL) },
		{ !view && (!scopes || !c->supervised), BIT(LIFETIME) },
	};
	uint32_t missing = 0;

	for (size_t i = 0; i < ARRAY_LEN(claims); i++)
		missing |= claims[i].is_missing ? claims[i].claim : 0;
	return missing;
}

Test(backend, missing_claims_of_every_plan)
{
	struct combination c;

	for (size_t i = 0; backend_chain[i]; i++)
		for (unsigned index = 0; next_combination(&c, &index);)
			cr_expect_eq(missing_of(backend_chain[i], &c),
				     expected_missing(backend_chain[i], &c),
				     "%s, combination %u: %#x", backend_chain[i]->name, index - 1,
				     missing_of(backend_chain[i], &c));
}

/* The landlock backend cannot do without Landlock at all: its first step says so. */
Test(backend, what_is_core_everywhere_is_never_missing)
{
	const uint32_t core = BIT(WRITE) | BIT(NETWORK) | BIT(INSPECT) | BIT(TERMINAL) |
			      BIT(DESCRIPTORS) | BIT(PRIVILEGE) | BIT(KERNEL);
	struct combination c;

	for (size_t i = 0; backend_chain[i]; i++)
		for (unsigned index = 0; next_combination(&c, &index);)
			cr_expect_eq(missing_of(backend_chain[i], &c) & core, 0, "%s, %u",
				     backend_chain[i]->name, index - 1);
}

Test(backend, the_chain)
{
	cr_assert_eq(backend_chain[0], &backend_namespace);
	cr_assert_eq(backend_chain[1], &backend_landlock);
	cr_assert_null(backend_chain[2]);
	for (size_t i = 0; backend_chain[i]; i++) {
		cr_expect_str_eq(backend_chain[i]->name,
				 rf_backend_choice_name(backend_chain[i]->choice));
		cr_expect_neq(backend_chain[i]->choice, RF_BACKEND_AUTO);
		cr_expect_eq(backend_chain[i]->in_view, backend_chain[i]->pid_view != NULL);
	}
}

static void expect_names(const struct backend_step *steps)
{
	for (size_t i = 0; steps[i].name; i++) {
		cr_expect_not_null(steps[i].apply, "'%s' does nothing", steps[i].name);
		cr_expect_lt(strlen(steps[i].name), sizeof(((struct rf_error *)0)->step),
			     "'%s' is cut in an error", steps[i].name);
		for (size_t j = 0; j < i; j++) {
			cr_expect_str_neq(steps[i].name, steps[j].name);
			cr_expect_neq(steps[i].apply, steps[j].apply, "'%s' is done twice",
				      steps[i].name);
		}
	}
}

static bool has_step(const struct backend_step *steps,
		     int (*apply)(struct setup *, struct rf_error *))
{
	for (; steps->name; steps++)
		if (steps->apply == apply)
			return true;
	return false;
}

static const char *last_step(const struct backend_step *steps)
{
	const char *name = "";

	for (; steps->name; steps++)
		name = steps->name;
	return name;
}

Test(backend, steps_have_names_of_their_own)
{
	for (size_t i = 0; backend_chain[i]; i++) {
		expect_names(backend_chain[i]->beside);
		expect_names(backend_chain[i]->inside);
		if (backend_chain[i]->direct)
			expect_names(backend_chain[i]->direct);
	}
}

/* What no way into a command may leave out. */
Test(backend, every_way_ends_with_all_the_locks)
{
	for (size_t i = 0; backend_chain[i]; i++) {
		const struct backend *backend = backend_chain[i];

		cr_expect(has_step(backend->beside, capabilities_apply), "%s", backend->name);
		cr_expect(has_step(backend->inside, landlock_apply), "%s", backend->name);
		cr_expect(has_step(backend->inside, seccomp_apply), "%s", backend->name);
		cr_expect_str_eq(last_step(backend->inside), "close");
		if (!backend->direct)
			continue;
		cr_expect(has_step(backend->direct, capabilities_apply));
		cr_expect(has_step(backend->direct, landlock_apply));
		cr_expect(has_step(backend->direct, seccomp_apply));
		cr_expect_str_eq(last_step(backend->direct), "close");
	}
	cr_expect_str_eq(last_step(backend_namespace.beside), "capabilities");
	cr_expect(has_step(backend_namespace.beside, mounts_apply));
	cr_expect(has_step(backend_namespace.beside, namespace_close_nesting));
	cr_expect(has_step(backend_namespace.beside, descriptors_reopen));
}

/* Without a supervisor the same is done in one process, in the same order. */
Test(backend, direct_is_the_two_halves_less_the_guardian)
{
	const struct backend_step *direct = backend_landlock.direct;
	const struct backend_step *const halves[] = { backend_landlock.beside,
						      backend_landlock.inside };

	for (size_t i = 0; i < ARRAY_LEN(halves); i++)
		for (const struct backend_step *step = halves[i]; step->name; step++) {
			if (step->apply == landlock_apply_signal_scope)
				continue;
			cr_assert_not_null(direct->name, "'%s' is left out", step->name);
			cr_expect_str_eq(direct->name, step->name);
			cr_expect_eq(direct->apply, step->apply);
			direct++;
		}
	cr_expect_null(direct->name);
}

Test(backend, namespaces_of_every_plan)
{
	struct combination c;

	for (unsigned index = 0; next_combination(&c, &index);) {
		struct rf_plan plan = plan_of(&c);

		cr_expect_eq(backend_landlock.namespaces(&plan, c.abi), 0);
		cr_expect_eq(backend_namespace.namespaces(&plan, c.abi),
			     namespace_plan(&plan, c.abi));
	}
}

/* A filter is looked up by its traits: an index that was never compiled would be one of garbage. */
Test(backend, every_plan_has_a_filter_that_was_compiled)
{
	struct combination c;

	for (size_t i = 0; backend_chain[i]; i++)
		for (unsigned index = 0; next_combination(&c, &index);) {
			struct rf_plan plan = plan_of(&c);
			struct setup setup = { .plan = &plan,
					       .landlock_abi = c.abi,
					       .in_view = backend_chain[i]->in_view };
			unsigned traits = seccomp_plan(&setup);

			cr_expect_lt(traits, SECCOMP_TRAITS_END);
			cr_expect_eq(traits, seccomp_traits_canonical(traits));
		}
}

/* A domain of a higher ABI never restricts less. */
Test(backend, domains_only_grow)
{
	struct rf_plan plan = { .mode = RF_MODE_READ_ONLY, .network = RF_NETWORK_OFF };
	struct landlock_attributes before = landlock_plan(&plan, 0);

	cr_expect_eq(before.fs | before.net | before.scope, 0);
	for (int abi = 1; abi <= LANDLOCK_ABI_NEWEST; abi++) {
		struct landlock_attributes now = landlock_plan(&plan, abi);

		cr_expect_eq(before.fs & ~now.fs, 0, "abi %d", abi);
		cr_expect_eq(before.net & ~now.net, 0, "abi %d", abi);
		cr_expect_eq(before.scope & ~now.scope, 0, "abi %d", abi);
		before = now;
	}
}

Test(backend, devices)
{
	static const char *const others[] = { "/dev",	    "/dev/",	"/dev/nul",
					      "/dev/null/", "/dev/sda", "/dev/mem",
					      "/dev/kmsg",  "null",	"" };
	size_t len, terminals = 0;
	const struct device *table = devices_table(&len);

	cr_assert_eq(len, SETUP_DEVICES);
	for (size_t i = 0; i < len; i++) {
		cr_expect(devices_is_node(table[i].path), "%s", table[i].path);
		cr_expect_eq(strncmp(table[i].path, "/dev/", 5), 0);
		terminals += table[i].terminal;
		cr_expect_eq(table[i].terminal, !strcmp(table[i].path, "/dev/tty"));
	}
	cr_expect_eq(terminals, 1);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		cr_expect(!devices_is_node(others[i]), "'%s'", others[i]);
}
