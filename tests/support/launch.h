/* SPDX-License-Identifier: MIT */
/* Runs a command through the launcher and reads its status channel. */
#ifndef RF_TEST_LAUNCH_H
#define RF_TEST_LAUNCH_H

#include <jansson.h>
#include <stdbool.h>

#include "run.h"

/* Options that are NULL or 0 are not given. */
struct launch_spec {
	struct run_spec run; /* argv is that of the command; `capture` is taken */
	const char *backend;
	const char *mode;
	const char *workspace;
	unsigned cap_abi;
	const char *const *options; /* more of them, NULL at the end */
	bool loud;		    /* without --quiet */
};

struct launch_result {
	struct run_result run;
	json_t *events; /* an array of objects, in the order of the status channel */
};

/* The launcher, from RINGFENCE; NULL where the tests were started without it. */
const char *launcher_path(void);
/* The program of attacks, from RINGFENCE_ACT. */
const char *act_path(void);

/*
 * Negative errno where the harness failed: -ENOENT without RINGFENCE, -EPROTO for a status
 * channel that is not lines of JSON objects without duplicate keys.
 */
int launch(const struct launch_spec *spec, struct launch_result *ret);
void launch_release(struct launch_result *r);

/* The first event with this name, borrowed; NULL if there is none. */
json_t *launch_event(const struct launch_result *r, const char *name);
/* A string of that event; "" if it is not there. */
const char *launch_text(const struct launch_result *r, const char *event, const char *key);
/* Whether the start event names the claim as missing. */
bool launch_is_missing(const struct launch_result *r, const char *claim);

#endif
