/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SETUP_H
#define RF_MECHANISM_SETUP_H

#include "policy/policy.h"

/* How many device nodes work in every mode. */
#define SETUP_DEVICES 6

/*
 * One set-up in progress: what the steps of a backend work on. It is filled in before the clone;
 * the steps allocate nothing, use sys_*() calls only, and note what came out in `result`.
 */
struct setup {
	const struct rf_plan *plan;
	int landlock_abi;      /* what the kernel has, or less where the caller caps it; 0: none */
	bool own_group;	       /* the command gets a process group of its own */
	bool change_directory; /* the command starts elsewhere than the launcher */
	bool in_view;	       /* the namespace backend: a mount view lies around the command */

	const int *kept_fds; /* what the command inherits beside 0, 1 and 2 */
	size_t kept_fds_len;

	int devices[SETUP_DEVICES]; /* clones of the device nodes, -1 where there is none */
	int sync_fd;		    /* the child reads here whether its parent wrote the id map */
	int *trees;	  /* two for each root: the detached tree and the place it goes to */
	int host_proc;	  /* O_PATH fd of the /proc outside, -1 where there is none */
	int launcher_pid; /* in the caller's pid namespace */

	struct {
		unsigned terminals; /* bit N: descriptor N (0 to 2) is a terminal */
		unsigned reopened;  /* bit N: the file on descriptor N (0 to 2) was opened again */
		bool host_pids;	    /* no fresh /proc was to be had: the command sees the old one */
	} result;
};

/* Sets err to setup-failed; for the lowest place that knows which system call failed on what. */
#define setup_error(err, ret, ...) rf_error_set(err, RF_CODE_SETUP_FAILED, -(ret), __VA_ARGS__)

#endif
