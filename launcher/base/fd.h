/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_FD_H
#define RF_BASE_FD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Our own descriptors start here, so that none meets a number that the caller has given a meaning.
 */
#define RF_FD_FLOOR 100

/* Closes once and never again: on Linux the number is free after EINTR too. Ignores negatives. */
void fd_close(int fd);

static inline void fd_closep(int *fd)
{
	fd_close(*fd);
}

#define _cleanup_fd_ __attribute__((cleanup(fd_closep)))

/* Hands the descriptor on and forgets it, for `return take_fd(&fd)` beside _cleanup_fd_. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/*
 * Moves a descriptor to RF_FD_FLOOR or above with close-on-exec set; the old number is closed,
 * also on failure. A negative argument is passed through, so that calls nest:
 * fd = fd_raise(sys_openat(…)). Where the soft limit is in the way it goes up to the hard one;
 * fd_limit_restore() sets it back for the command. Returns the new number or a negative errno.
 */
int fd_raise(int fd);

/* The same, with the old number left open: for a caller that closes a whole range in the end. */
int fd_copy_high(int fd);

/*
 * For the first descriptor that a launch opens: moves it away from 0, 1 and 2, and fills what was
 * closed there with close-on-exec placeholders, so that nothing opened later lands there and the
 * command finds them closed as they were given. Returns the new number or a negative errno.
 */
int fd_above_stdio(int fd);

/* True for a number from 0 to 2 that was closed at the start and holds a placeholder. */
int fd_is_placeholder(int fd);

/* Closes all from `first` to `last`, both included. */
void fd_close_range(unsigned first, unsigned last);

/* Raises the soft limit on descriptors to the hard one: 0, or -EMFILE where that brings nothing. */
int fd_limit_raise(void);

/* Gives the soft limit on descriptors back as it was before fd_raise() met it. */
void fd_limit_restore(void);

/* The flags of an open descriptor (fcntl(2), F_GETFL), or a negative errno. */
int fd_flags(int fd);

/* What an open descriptor refers to. */
struct fd_object {
	uint64_t device, inode;
	uint64_t mount; /* 0 where the kernel does not tell (before Linux 5.8, or under a filter) */
	uint32_t links, uid;
	mode_t mode;
};

/*
 * Identifies the object behind a descriptor, O_PATH ones included. By statx(2), or by fstat(2)
 * where an old container filter refuses that. 0 or a negative errno; never triggers an automount.
 */
int fd_identify(int fd, struct fd_object *ret);

/* True if both are the same object (the mount may be another one). */
static inline bool fd_object_same(const struct fd_object *a, const struct fd_object *b)
{
	return a->device == b->device && a->inode == b->inode;
}

#endif
