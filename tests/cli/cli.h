/* SPDX-License-Identifier: MIT */
/* The launcher by its command line alone: what it prints, how it ends, what it changes. */
#ifndef RF_TEST_CLI_H
#define RF_TEST_CLI_H

#include <jansson.h>
#include <stdbool.h>

#include "../support/fixture.h"
#include "../support/launch.h"
#include "../support/run.h"

#define REFUSED 125

/* What one invocation needs beside its words. */
struct invocation {
	const char *const *condition; /* names of conditions to run under, NULL at the end */
	const char *const *env;	      /* instead of the test's own */
	const char *cwd;	      /* default: the workspace */
	bool status;		      /* capture the status channel as fd 60 */
	unsigned flags;		      /* of run_command() */
	const struct run_fd *fds;
	size_t fds_len;
};

/* A place whose workspace has `file` and a program `mark` that makes a file `ran` beside itself;
 * no run that is refused leaves one. */
void cli_place(struct fixture *f, struct run_who who);

/*
 * Runs the launcher with these words in the workspace of `f`. A word that starts with BASE stands
 * for a path in the place. Fails the test where the harness fails.
 */
struct run_result cli_run(const struct fixture *f, const struct invocation *how,
			  const char *const *words);

/*
 * Fails the test unless the output is nothing on stdout and, on stderr, exactly one line of the
 * error with this code, at most one hint after it, and no control bytes.
 */
void cli_expect_error(const struct run_result *r, const char *code, const char *what);
/* The same, and status 125. */
void cli_expect_refused(const struct run_result *r, const char *code, const char *what);

/* The events of a captured status channel; the caller releases the array. */
json_t *cli_events(const struct run_result *r);
json_t *cli_event(json_t *events, size_t index, const char *name);

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

#endif
