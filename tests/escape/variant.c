/* SPDX-License-Identifier: MIT */
/* Where a claim is promised, and where a row applies. */
#include "escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/fixture.h"
#include "tests/support/launch.h"

#define NR_LANDLOCK_CREATE_RULESET 444
#define ABI_OF_SCOPES 6

/* The version that the launcher is to act by. */
static unsigned landlock_abi(const struct variant *v)
{
	long abi = syscall(NR_LANDLOCK_CREATE_RULESET, NULL, 0, 1);
	unsigned have = abi > 0 ? (unsigned)abi : 0;

	return v->cap_abi && v->cap_abi < have ? v->cap_abi : have;
}

static bool is_view(const struct variant *v)
{
	return strcmp(v->backend, "namespace") == 0;
}

static bool is_read_only(const struct variant *v)
{
	return strcmp(v->mode, "read-only") == 0;
}

bool claim_is_missing(enum rf_claim claim, const struct variant *v)
{
	if (is_view(v))
		return false;
	switch (claim) {
	case RF_CLAIM_METADATA:
		return !is_read_only(v);
	case RF_CLAIM_PROCESSES:
		return true;
	case RF_CLAIM_SIGNAL:
	case RF_CLAIM_ABSTRACT_SOCKETS:
	case RF_CLAIM_LIFETIME:
		return landlock_abi(v) < ABI_OF_SCOPES;
	default:
		return false;
	}
}

bool attempt_applies(const struct attempt *a, const struct variant *v)
{
	if (a->flags & (v->root ? ONLY_USER : ONLY_ROOT))
		return false;
	if (geteuid() != 0 && (strstr(a->act, "@suid") || strstr(a->act, "@foreign")))
		return false; /* nobody else can make these */
	if (!v->backend)      /* the other controls are proved by the run of the suite as root */
		return geteuid() == 0 || !(a->flags & (CONTROL_ROOT | CONTROL_USER));
	if (a->flags & (is_view(v) ? ONLY_LANDLOCK : ONLY_NAMESPACE))
		return false;
	if (v->cap_abi && !(a->flags & OLDER_ABI))
		return false;
	return !(a->flags & (is_read_only(v) ? ONLY_WRITE : ONLY_READ_ONLY));
}

static char *compare(enum rf_claim claim, const struct variant *v, const struct launch_result *got)
{
	bool missing = claim_is_missing(claim, v);
	char *text = NULL;

	if (!launch_event(got, "start")) {
		if (asprintf(&text, "no start event: %s", got->run.err.data) < 0)
			return NULL;
	} else if (launch_is_missing(got, rf_claim_name(claim)) != missing) {
		if (asprintf(&text, "the start event does not list '%s' as %s",
			     rf_claim_name(claim), missing ? "missing" : "held") < 0)
			return NULL;
	}
	return text;
}

char *claim_check(enum rf_claim claim, const struct variant *v)
{
	const char *argv[] = { act_path(), "caps", "0", NULL };
	struct launch_spec spec = { .backend = v->backend, .mode = v->mode, .cap_abi = v->cap_abi };
	struct launch_result got;
	struct fixture f;
	char *text = NULL;
	int r = fixture_make(&f, v->root ? run_root() : run_user());

	spec.run = (struct run_spec){ .argv = argv, .who = f.who, .cwd = f.work };
	spec.workspace = f.work;
	if (!r)
		r = launch(&spec, &got);
	if (r && asprintf(&text, "harness: %s", strerror(-r)) < 0)
		text = NULL;
	if (!r) {
		text = compare(claim, v, &got);
		launch_release(&got);
	}
	fixture_remove(&f);
	return text;
}
