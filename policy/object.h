/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_OBJECT_H
#define RF_POLICY_OBJECT_H

#include "base/base.h"

/*
 * A file or directory of the policy, opened once. Invariants while fd >= 0: the descriptor is
 * close-on-exec, `path` is the canonical name at the moment of opening (heap, owned), `is`
 * identifies the object whatever happens to its name later.
 */
struct rf_object {
	int fd;
	char *path;
	struct fd_object is;
};

#define RF_OBJECT_NONE                                                                             \
	{                                                                                          \
		.fd = -1                                                                           \
	}

enum rf_object_need {
	RF_OBJECT_NAMED,   /* O_PATH: nothing is asked of the object itself */
	RF_OBJECT_ENTERED, /* a directory that can be read and entered */
};

/*
 * Opens what a path names, links followed, and finds its canonical name. The launcher closes
 * everything below RF_FD_FLOOR once the sandbox is being set up; a `lasting` object stays. Returns
 * 0 or a negative errno. Kernel: a /proc, unless the path is "." or holds no link, "." or "..".
 */
int rf_object_open(const char *path, enum rf_object_need need, bool lasting, struct rf_object *ret);
void rf_object_release(struct rf_object *object);

/* "/proc", "/sys" or "/dev" where a canonical path lies in one of them, else NULL. */
const char *rf_path_kernel_directory(const char *path);

/* True if `path` is `ancestor` or lies below it, both canonical: compared by components. */
bool rf_path_within(const char *path, const char *ancestor);

/* True for an absolute path in which every component is a name of its own; pure. */
bool rf_path_is_normal(const char *path);

#endif
