/* SPDX-License-Identifier: MIT */
/*
 * Experiments as scripts whose "$@" is the launcher in workspace-write. Each prints the same on
 * each backend and for each user that it is for; $BASE, $WORK, $OUT are the place (fixture.h),
 * $BASE/swap is a directory, and no process and no mount may be left.
 */
#ifndef RF_TEST_VIEW_H
#define RF_TEST_VIEW_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "../support/run.h"

enum trait {
	NAMESPACE = 1,
	LANDLOCK = 2,
	BOTH = NAMESPACE | LANDLOCK,
	PRIVATE = 4, /* with mounts of its own to change, as root */
	ROOT = 8,    /* only where the test is root */
};

/* The names of conditions that the launcher runs under, NULL at the end. */
extern const char *const view_normal[];

void view_place(struct fixture *f, struct run_who who);
struct run_result view_run(const struct fixture *f, const char *backend, unsigned traits,
			   const char *const *conditions, const char *script);

/* Fails the test unless the script prints what is expected: on one backend for one user … */
void view_check(const char *backend, struct run_who who, unsigned traits,
		const char *const *conditions, const char *script, const char *expected);
/* … and on each that the traits name, for each user. */
void view_check_users(unsigned traits, const char *const *conditions, const char *script,
		      const char *expected);

#define EXPERIMENT(name, traits, script, expected)                                                 \
	Test(view, name, .timeout = 120)                                                           \
	{                                                                                          \
		if ((traits)&ROOT && geteuid() != 0)                                               \
			cr_skip("this is about root");                                             \
		view_check_users(traits, view_normal, script, expected);                           \
	}

/* The script with the launcher left out succeeds where the confined one must not. */
#define CONTROL(name, traits, script, expected)                                                    \
	Test(view_control, name, .timeout = 60)                                                    \
	{                                                                                          \
		view_check("namespace", run_own(), traits, view_normal, script, expected);         \
	}

#endif
