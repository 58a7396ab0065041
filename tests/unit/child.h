/* SPDX-License-Identifier: MIT */
/*
 * A part of a test in a process of its own: for what changes descriptors, limits, ids or the state
 * of getopt. Criterion must not be called there, so the child notes what it saw in shared memory
 * and the test compares.
 */
#ifndef RF_TEST_UNIT_CHILD_H
#define RF_TEST_UNIT_CHILD_H

#include <stddef.h>

/* An ordinary user without an entry in passwd. */
#define CHILD_USER 64001

/* Zeroed memory that a child shares with the test; given back with child_memory_release(). */
void *child_memory(size_t size);
void child_memory_release(void *memory, size_t size);

/*
 * Forks, runs `body`, and waits. Returns what `body` returned (0 to 127), 128 + N for a signal, or
 * a negative errno.
 */
int child_run(int (*body)(void *data), void *data);

/* Becomes the ordinary user if the caller is root: 0, or a negative errno. */
int child_drop_root(void);

/* How many descriptors are open. */
int child_count_fds(void);

#endif
