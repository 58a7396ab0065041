/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_TERMINAL_H
#define RF_MECHANISM_TERMINAL_H

#include "setup.h"

#include <sys/types.h>

/* The terminal of the launcher, as it was found. */
struct terminal {
	int fd;		  /* the first of 0, 1, 2 that is a terminal, -1: none */
	pid_t foreground; /* the group that was in front of it */
	pid_t own_group;
};

/* Looks at descriptors 0 to 2; changes nothing. */
void terminal_probe(struct terminal *ret);

/* True if the launcher's own group is the one in front. */
bool terminal_is_ours(const struct terminal *terminal);

/*
 * In the command's process: a process group of its own (below Landlock ABI 6, where no scope keeps
 * signals to the group inside), with the terminal handed over if it was ours.
 */
int terminal_apply(const struct terminal *terminal, struct setup *setup, struct rf_error *err);

/* Puts a group in front of the terminal, from whichever group the caller is in. */
void terminal_give(const struct terminal *terminal, pid_t group);

#endif
