/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SECCOMP_RULES_H
#define RF_MECHANISM_SECCOMP_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seccomp_traits.h"

#define SECCOMP_CONDITIONS_MAX 3

/*
 * How an argument is looked at. All but SECCOMP_POINTER read the low 32 bits only, because the
 * kernel does so too for an int, whatever a register holds above.
 */
enum seccomp_compare {
	SECCOMP_END,	 /* no further condition */
	SECCOMP_IS,	 /* equals the value */
	SECCOMP_IS_NOT,	 /* does not */
	SECCOMP_ANY,	 /* has at least one bit of the value */
	SECCOMP_NONE,	 /* has no bit of the value */
	SECCOMP_POINTER, /* is not NULL, in all 64 bits */
};

struct seccomp_condition {
	enum seccomp_compare compare;
	unsigned argument;
	uint32_t value;
};

/*
 * One closed call, or one closed use of a call. A call may have several rules: one without
 * conditions speaks for the whole call, else the first that matches answers; a call that none
 * matches is allowed. A name that an architecture does not have is left out there.
 */
struct seccomp_rule {
	const char *call;
	int number; /* for names newer than the libseccomp we ask for; alike on all architectures */
	unsigned on;  /* holds only where all of these traits are set */
	unsigned off; /* … and none of these */
	int error;    /* what the call fails with */
	struct seccomp_condition when[SECCOMP_CONDITIONS_MAX]; /* all of them, none: always */
};

extern const struct seccomp_rule seccomp_rules[];
extern const size_t seccomp_rules_count;

/* Whether the rule belongs in the filter for these traits. */
bool seccomp_rule_holds(const struct seccomp_rule *rule, unsigned traits);

#endif
