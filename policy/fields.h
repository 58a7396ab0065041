/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_FIELDS_H
#define RF_POLICY_FIELDS_H

#include "base/base.h"

#include <stdbool.h>

/* From narrow to wide; the first two are the confined modes. */
enum rf_mode {
	RF_MODE_READ_ONLY,
	RF_MODE_WORKSPACE_WRITE,
	RF_MODE_DANGER_FULL_ACCESS,
};

enum rf_network {
	RF_NETWORK_OFF,
	RF_NETWORK_HOST,
};

enum rf_environment_base {
	RF_ENVIRONMENT_INHERIT,
	RF_ENVIRONMENT_CLEAN,
};

enum rf_backend_choice {
	RF_BACKEND_AUTO,
	RF_BACKEND_NAMESPACE,
	RF_BACKEND_LANDLOCK,
};

/* Fields that were set by name. A restriction set beside danger-full-access must not be lost. */
enum rf_field {
	RF_FIELD_WRITE = 1 << 0,
	RF_FIELD_NETWORK = 1 << 1,
	RF_FIELD_ENVIRONMENT = 1 << 2,
	RF_FIELD_BACKEND = 1 << 3,
	RF_FIELD_ALLOW_USERNS = 1 << 4,
};

/*
 * What one command may do, as it was asked for. Invariants: every string is borrowed from the
 * caller, who keeps it until the policy is released; a zeroed policy is the default policy.
 */
struct rf_policy {
	enum rf_mode mode;
	const char *workspace; /* NULL: the current directory */
	struct strv write;
	struct strv write_if_present;
	enum rf_network network;
	enum rf_environment_base environment;
	struct strv set_variables;   /* NAME=VALUE */
	struct strv unset_variables; /* NAME */
	struct strv keep_variables;  /* NAME */
	enum rf_backend_choice backend;
	bool allow_userns;
	unsigned fields_set; /* of enum rf_field */
};

void rf_policy_release(struct rf_policy *policy);

/* Names of values, as they are written and printed. NULL for a value out of range. */
const char *rf_mode_name(enum rf_mode mode);
const char *rf_network_name(enum rf_network network);
const char *rf_environment_name(enum rf_environment_base base);
const char *rf_backend_choice_name(enum rf_backend_choice choice);

/* The value of a name; a negative errno with code `usage` for a name that is none. */
int rf_mode_parse(const char *name, enum rf_mode *ret, struct rf_error *err);
int rf_network_parse(const char *name, enum rf_network *ret, struct rf_error *err);
int rf_environment_parse(const char *name, enum rf_environment_base *ret, struct rf_error *err);
int rf_backend_choice_parse(const char *name, enum rf_backend_choice *ret, struct rf_error *err);

/* What contradicts itself without a look at the system: 0, or policy-not-expressible. */
int rf_policy_check(const struct rf_policy *policy, struct rf_error *err);

/*
 * Writes the effective policy as one JSON document with sorted lists of what was given and the
 * canonical workspace; equal policies give equal bytes. Its SHA-256 is the policy's identity.
 */
void rf_policy_document(const struct rf_policy *policy, const char *workspace, struct str *out);

#endif
