/* SPDX-License-Identifier: MIT */
/*
 * A fresh place for one run, not below /tmp or TMPDIR, which are writable roots:
 *	BASE/work	the workspace
 *	BASE/out	what lies next to it and is nobody's to touch
 * All of it belongs to whoever runs the command.
 */
#ifndef RF_TEST_FIXTURE_H
#define RF_TEST_FIXTURE_H

#include <limits.h>
#include <sys/types.h>

#include "run.h"

struct fixture {
	char base[PATH_MAX];
	char work[PATH_MAX];
	char out[PATH_MAX];
	struct run_who who;
};

/*
 * Makes one below RINGFENCE_TEST_DIR; without it below /var/lib as root, below HOME otherwise.
 * Negative errno; -ENOTDIR when there is no such place.
 */
int fixture_make(struct fixture *f, struct run_who who);
void fixture_remove(struct fixture *f);

/* Make an entry under BASE; the path is relative to it. The owner is that of the fixture. */
int fixture_dir(const struct fixture *f, const char *path, mode_t mode);
int fixture_file(const struct fixture *f, const char *path, const char *text, mode_t mode);
int fixture_link(const struct fixture *f, const char *path, const char *target);
/* A copy of a program; with `mode` 04755 a setuid one, of its owner. */
int fixture_program(const struct fixture *f, const char *path, const char *source, uid_t owner,
		    mode_t mode);

/* Removes a tree, whatever modes its directories have; stays on its file system. */
int remove_tree(const char *path);

#endif
