/* SPDX-License-Identifier: MIT */
/*
 * Behaviours that both backends share. A behaviour is a command with the exit status, the output
 * and the changes on disk that it has to have; it runs on each backend, in each of its modes, as
 * root and as an ordinary user. The place of a run, BASE, holds
 *	work	the workspace, with `file`, `a/` and `b/`; the command starts in it
 *	out	what is nobody's to touch, with `file` and `dir/`
 *	home	HOME; tmp: for a TMPDIR
 * The scripts find these as $BASE, $WORK, $OUT, $HOME, and the launcher's backend as $BACKEND.
 */
#ifndef RF_TEST_PARITY_H
#define RF_TEST_PARITY_H

#include <stdbool.h>
#include <stddef.h>

#include "../support/fixture.h"
#include "../support/run.h"

enum trait {
	READ_ONLY = 1,
	WRITABLE = 2, /* workspace-write */
	EITHER = READ_ONLY | WRITABLE,
	AS_ROOT = 4, /* only as root; with neither of the two as both */
	AS_USER = 8,
	PRIVATE = 16,	 /* `around` has mount, uts and ipc namespaces of its own to change */
	ANY_TREE = 32,	 /* what was prepared has bytes that no two runs share */
	ANY_EFFECT = 64, /* what changes on disk has names that no two runs share */
};

/* What a run shows. `effect` names the entries of BASE that changed, in order, one blank between:
 * +new -gone =other-content !other-mode-or-owner. */
struct outcome {
	int status;
	const char *out; /* BASE in it stands for the place; NULL: nothing */
	const char *effect;
};

struct behaviour {
	const char *id;
	unsigned traits;
	const char *command; /* for /bin/sh -c */
	struct outcome expected;
	const char *prepare; /* a script that runs unconfined in the workspace before it */
	const char *around;  /* one whose "$@" is the launcher with the command */
	const char *options; /* more options, split at blanks; a leading BASE is the place */
	/* In place of `command`: the words, NULL at the end, heap memory. */
	const char **(*words)(void);
	/* What has to come out instead of expected.out. */
	char *(*out)(void);
};

/* A difference that is allowed: what the behaviour shows on that backend instead. */
struct difference {
	const char *id;
	const char *backend;
	unsigned traits; /* modes and users for which it is so; none of a kind: all of it */
	struct outcome expected;
	const char *reason;
};

struct group {
	const char *name;
	const struct behaviour *behaviours;
	size_t len;
};

extern const struct group group_files, group_outside, group_devices, group_processes, group_tools,
	group_environment, group_places, group_descriptors, group_bytes, group_network,
	group_kernel;
extern const struct group *const all_groups[]; /* NULL at the end */

extern const struct difference differences[];
extern const size_t differences_len;
/* The row for a run, NULL where the behaviour's own expectation counts. */
const struct difference *difference_find(const char *id, const char *backend, unsigned traits);

/* One run of one behaviour, measured. */
struct measured {
	int harness; /* 0, or the negative errno of a harness that failed */
	int status;
	char *out; /* BASE put in for the place */
	char *err;
	char *effect; /* as in struct outcome */
	char *tree;   /* everything in BASE with mode, owner, links and content */
	size_t left;  /* processes of the run that outlived it */
};
struct measured measure(const struct behaviour *b, const char *backend, bool writable,
			struct run_who who);
void measured_release(struct measured *m);

/* The entries below `base`, a line each, sorted by name; heap memory, NULL with errno set. */
char *effect_list(const char *base);
/* The effect between two lists; heap memory. */
char *effect_between(const char *before, const char *after);

/* Every occurrence of `from` replaced; heap memory, takes `text`. */
char *text_replace(char *text, const char *from, const char *to);

#define GROUP(label)                                                                               \
	const struct group group_##label = { #label, label, sizeof(label) / sizeof(label[0]) }

#endif
