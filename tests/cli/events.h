/* SPDX-License-Identifier: MIT */
/* What the events of the status channel have to look like. */
#ifndef RF_TEST_EVENTS_H
#define RF_TEST_EVENTS_H

#include "cli.h"

#define OR_NULL 64 /* beside a type of jansson */

struct key {
	const char *name;
	int type;
};

/* The keys in the order in which they are written: people read the lines too. */
extern const struct key start_keys[], unconfined_keys[], refused_keys[], failed_keys[], exit_keys[];

void expect_keys(json_t *event, const struct key *keys);
void expect_text(json_t *event, const char *key, const char *value);
/* A negative number stands for null. */
void expect_number(json_t *event, const char *key, int value);
bool has_text(json_t *array, const char *text);

#endif
