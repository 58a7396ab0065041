/* SPDX-License-Identifier: MIT */
/*
 * Attacks as tables. A row is one attempt to break one claim. It runs unconfined as the control,
 * which has to succeed and to change the world outside, and confined on each backend, in each
 * mode, as root and as an ordinary user, where it has to fail and to change nothing.
 */
#ifndef RF_TEST_ESCAPE_H
#define RF_TEST_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "policy/claims.h"

enum attempt_flag {
	ONLY_ROOT = 1 << 0,
	ONLY_USER = 1 << 1,
	ONLY_READ_ONLY = 1 << 2,
	ONLY_WRITE = 1 << 3, /* workspace-write */
	ONLY_NAMESPACE = 1 << 4,
	ONLY_LANDLOCK = 1 << 5,
	CONTROL_ROOT = 1 << 6,	  /* the control runs as root: a user cannot do it at all */
	CONTROL_USER = 1 << 7,	  /* … as a user: as root it would reach the whole machine */
	CONTROL_PRIVATE = 1 << 8, /* … with power over namespaces of its own */
	QUIET = 1 << 9,		  /* nothing outside shows that the control succeeded */
	ANY_EXIT = 1 << 10,	  /* the act may say what it likes, only the world counts */
	HELD_ANYWAY = 1 << 11,	  /* also where the claim as a whole is missing */
	IN_OUT = 1 << 12,	  /* starts in the directory outside */
	SAME_GROUP = 1 << 13,	  /* in the process group of the victim */
	ON_TERMINAL = 1 << 14,	  /* with a controlling terminal as fd 0 */
	FDS = 1 << 15,		  /* inherits 7: a directory, 8: a file to write, 9: a socket */
	FD0_FILE = 1 << 16,	  /* fd 0 is a file outside, opened for reading */
	FD0_DIR = 1 << 17,	  /* fd 0 is the directory outside */
	FD2_DIR = 1 << 18,	  /* fd 2 is the directory outside */
	KEEP_DIR = 1 << 19,	  /* --keep-fd 7, the directory outside */
	KEEP_FILE = 1 << 20,	  /* --keep-fd 10, a file outside that was opened for reading */
	KILLED = 1 << 21,	  /* the launcher is killed when the act is ready */
	NETWORK_HOST = 1 << 22,	  /* --net host */
	WITH_VICTIM = 1 << 24,	  /* with a victim that the words do not name */
	OLDER_ABI = 1 << 23,	  /* also with Landlock as of ABI 1, 2, 3 and 5 */
};

struct attempt {
	const char *family; /* attempts by the same means, at least three of them */
	const char *act;    /* words for the program of attacks, with placeholders (world.h) */
	unsigned flags;
	const char *namespace; /* errnos that mean "denied", NULL: those of the table */
	const char *landlock;
	const char *control; /* errnos that the control may give instead; never those above */
};

struct attempts {
	enum rf_claim claim;
	const char *namespace;
	const char *landlock;
	const struct attempt *rows; /* ended by a row without family */
};

extern const struct attempts attempts_write, attempts_mount, attempts_metadata, attempts_setuid,
	attempts_network, attempts_abstract, attempts_signal, attempts_inspect, attempts_processes,
	attempts_terminal, attempts_descriptors, attempts_privilege, attempts_kept, attempts_kernel,
	attempts_lifetime;

/* All of them, ended by NULL. */
extern const struct attempts *const attempts_all[];

/* Under what a row runs. A backend of NULL is the control. */
struct variant {
	const char *backend;
	const char *mode;
	unsigned cap_abi;
	bool root;
};

/* Whether the row speaks of this variant at all. */
bool attempt_applies(const struct attempt *a, const struct variant *v);

/* Whether the launcher has to list the claim as missing there. */
bool claim_is_missing(enum rf_claim claim, const struct variant *v);

/* Runs one row; NULL when all is well, else heap memory that says what is not. */
char *attempt_run(const struct attempts *of, const struct attempt *a, const struct variant *v);

/* Whether the start event tells the truth about the claim; as above. */
char *claim_check(enum rf_claim claim, const struct variant *v);

/* Whether a name is one of the words of a list. */
bool is_listed(const char *list, const char *name);

#endif
