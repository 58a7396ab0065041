/* SPDX-License-Identifier: MIT */
#include "escape.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "tests/support/launch.h"

#define LEAST 3

const struct attempts *const attempts_all[] = {
	&attempts_write,     &attempts_mount,	 &attempts_metadata,	&attempts_setuid,
	&attempts_network,   &attempts_abstract, &attempts_signal,	&attempts_inspect,
	&attempts_processes, &attempts_terminal, &attempts_descriptors, &attempts_privilege,
	&attempts_kept,	     &attempts_kernel,	 &attempts_lifetime,	NULL,
};

/* Claims that no option of today asks for, with the reason why nothing attacks them. */
static const struct {
	enum rf_claim claim;
	const char *reason;
} later[] = {
	{ RF_CLAIM_PROTECT, "arrives with the policy issue" },
	{ RF_CLAIM_HIDE, "arrives with the policy issue" },
	{ RF_CLAIM_CONTROL_SOCKETS, "arrives with the policy issue" },
	{ RF_CLAIM_LIMITS, "arrives with the policy issue" },
};

#define READ_ONLY "read-only"
#define WORKSPACE_WRITE "workspace-write"

/* Controls first; root comes last, so that an ordinary user takes the first half. */
static const struct variant variants[] = {
	{ NULL, READ_ONLY, 0, false },
	{ "namespace", READ_ONLY, 0, false },
	{ "namespace", WORKSPACE_WRITE, 0, false },
	{ "landlock", READ_ONLY, 0, false },
	{ "landlock", WORKSPACE_WRITE, 0, false },
	{ "landlock", WORKSPACE_WRITE, 1, false },
	{ "landlock", WORKSPACE_WRITE, 2, false },
	{ "landlock", WORKSPACE_WRITE, 3, false },
	{ "landlock", WORKSPACE_WRITE, 5, false },
	{ "namespace", WORKSPACE_WRITE, 5, false },
	{ NULL, READ_ONLY, 0, true },
	{ "namespace", READ_ONLY, 0, true },
	{ "namespace", WORKSPACE_WRITE, 0, true },
	{ "landlock", READ_ONLY, 0, true },
	{ "landlock", WORKSPACE_WRITE, 0, true },
	{ "landlock", WORKSPACE_WRITE, 1, true },
	{ "landlock", WORKSPACE_WRITE, 2, true },
	{ "landlock", WORKSPACE_WRITE, 3, true },
	{ "landlock", WORKSPACE_WRITE, 5, true },
	{ "namespace", WORKSPACE_WRITE, 5, true },
};

#define VARIANTS (sizeof(variants) / sizeof(variants[0]))

static size_t variant_count(void)
{
	return geteuid() == 0 ? VARIANTS : VARIANTS / 2;
}

static void expect(const char *what, const char *act, const struct variant *v, char *wrong)
{
	cr_expect(!wrong, "%s '%s' by %s, %s, %s, abi %u: %s", what, act, v->root ? "root" : "user",
		  v->backend ? v->backend : "unconfined", v->mode, v->cap_abi, wrong);
	free(wrong);
}

/*
 * A launcher that lets an attack of root through must not cost the machine its /proc or its name:
 * the test as a whole goes to namespaces of its own, for which that is the outside. Its threads
 * are those of the framework, which look at nothing there.
 */
static void leave_the_machine(void)
{
	if (geteuid() != 0)
		return;
	cr_assert(unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC) == 0, "unshare: %m");
	cr_assert(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "mount: %m");
}

static void attack(const struct attempts *of, size_t index)
{
	const struct variant *v = &variants[index];
	bool missing = v->backend && claim_is_missing(of->claim, v);

	cr_assert(act_path() && launcher_path(), "RINGFENCE and RINGFENCE_ACT are not set");
	leave_the_machine();
	if (v->backend)
		expect("claim", rf_claim_name(of->claim), v, claim_check(of->claim, v));
	for (const struct attempt *a = of->rows; a->family; a++)
		if (attempt_applies(a, v) && (!missing || a->flags & HELD_ANYWAY))
			expect(a->family, a->act, v, attempt_run(of, a, v));
}

/* Numbers, since pointers mean nothing in the process that gets the parameter. */
static struct criterion_test_params numbers(void)
{
	static size_t list[VARIANTS];

	for (size_t i = 0; i < VARIANTS; i++)
		list[i] = i;
	return cr_make_param_array(size_t, list, variant_count(), NULL);
}

#define ATTACK(name)                                                                               \
	ParameterizedTestParameters(escape, name)                                                  \
	{                                                                                          \
		return numbers();                                                                  \
	}                                                                                          \
	ParameterizedTest(size_t *index, escape, name, .timeout = 120)                             \
	{                                                                                          \
		attack(&attempts_##name, *index);                                                  \
	}

ATTACK(write)
ATTACK(mount)
ATTACK(metadata)
ATTACK(setuid)
ATTACK(network)
ATTACK(abstract)
ATTACK(signal)
ATTACK(inspect)
ATTACK(processes)
ATTACK(terminal)
ATTACK(descriptors)
ATTACK(privilege)
ATTACK(kept)
ATTACK(kernel)
ATTACK(lifetime)

static bool comes_later(enum rf_claim claim)
{
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		if (later[i].claim == claim)
			return true;
	return false;
}

static size_t attempts_at(enum rf_claim claim)
{
	size_t n = 0;

	for (size_t i = 0; attempts_all[i]; i++)
		for (const struct attempt *a = attempts_all[i]->rows; a->family; a++)
			n += attempts_all[i]->claim == claim;
	return n;
}

Test(coverage, every_claim_is_attacked)
{
	for (int claim = 0; claim < RF_CLAIM_COUNT; claim++) {
		size_t n = attempts_at(claim);

		if (comes_later(claim))
			cr_expect(n == 0, "'%s' is attacked: strike it off the list",
				  rf_claim_name(claim));
		else
			cr_expect(n >= LEAST, "'%s' has %zu attempts only", rf_claim_name(claim),
				  n);
	}
}

static size_t attempts_like(const struct attempts *of, const char *family)
{
	size_t n = 0;

	for (const struct attempt *a = of->rows; a->family; a++)
		n += strcmp(a->family, family) == 0;
	return n;
}

Test(coverage, every_family_is_tried_often_enough)
{
	for (size_t i = 0; attempts_all[i]; i++) {
		for (const struct attempt *a = attempts_all[i]->rows; a->family; a++) {
			size_t n = attempts_like(attempts_all[i], a->family);

			cr_expect(n >= LEAST, "'%s' of '%s' has %zu attempts only", a->family,
				  rf_claim_name(attempts_all[i]->claim), n);
		}
	}
}

static bool overlap(const char *controls, const char *denials)
{
	char name[32];

	for (const char *at = controls; at && *at;) {
		size_t len = strcspn(at, " ");

		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		if (is_listed(denials, name))
			return true;
		at += len + strspn(at + len, " ");
	}
	return false;
}

/* An errno that the control gives, too, would make a row that cannot fail. */
Test(coverage, controls_differ_from_denials)
{
	for (size_t i = 0; attempts_all[i]; i++) {
		const struct attempts *of = attempts_all[i];

		for (const struct attempt *a = of->rows; a->family; a++) {
			const char *view = a->namespace ? a->namespace : of->namespace;
			const char *landlock = a->landlock ? a->landlock : of->landlock;

			cr_expect(!overlap(a->control, view) && !overlap(a->control, landlock),
				  "'%s': control and denial are alike", a->act);
		}
	}
}
