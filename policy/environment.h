/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_ENVIRONMENT_H
#define RF_POLICY_ENVIRONMENT_H

#include "fields.h"

/* What the launcher knows when it fills in the variables that it injects. */
struct rf_environment_facts {
	const char *mode;
	const char *workspace;
	const char *backend;
	const char *enforcement;
	const char *network;
	const char *pid_view; /* NULL where the backend has no view of its own */
};

/* How a variable of the table comes to be set. */
enum rf_variable_class {
	RF_VARIABLE_ALWAYS,	 /* injected in confined modes */
	RF_VARIABLE_PER_BACKEND, /* injected where the backend has a value for it */
	RF_VARIABLE_CONDITIONAL, /* injected under its gate, unless inherited */
	RF_VARIABLE_RESERVED,	 /* never injected, never set by a caller */
};

/* One row of the single list of names; docs and tests read it too. */
struct rf_variable {
	const char *name;
	enum rf_variable_class class;
	const char *gate;  /* for people; NULL without one */
	const char *value; /* what it says, for people */
};

/* The table, ended by a row without a name. */
const struct rf_variable *rf_environment_table(void);

/* The names that env=clean keeps, ended by NULL; "LC_*" stands for every name with that start. */
const char *const *rf_environment_clean_names(void);

/* May a caller set (set = true) or unset this variable? 0, usage, or reserved-name. */
int rf_environment_check_name(const char *name, size_t len, bool set, struct rf_error *err);

/*
 * Builds the command's environment from `inherited`: base, keep, unset, set, then what the table
 * injects. Bytes pass as they are; entries of `inherited` and of the policy are borrowed, the
 * injected ones are allocated. Free the result with rf_environment_free(). Returns NULL when
 * memory is short.
 */
struct rf_environment *rf_environment_build(const struct rf_policy *policy, char *const inherited[],
					    const struct rf_environment_facts *facts);

struct rf_environment {
	struct strv entries; /* what execve(2) gets */
	char **injected;     /* the allocated ones, ended by NULL */
};

void rf_environment_free(struct rf_environment *environment);

/* Of two values for one name the last one counts: is there one after the entry at `index`? */
bool rf_environment_is_set_again(const struct strv *list, size_t index);

/* The value of NAME in a list of NAME=VALUE, or NULL. */
const char *rf_environment_get(char *const entries[], const char *name);

/* The last place that holds NAME in the list, to put another NAME=VALUE there; NULL without one. */
const char **rf_environment_slot(const struct rf_environment *environment, const char *name);

#endif
