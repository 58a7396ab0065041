/* SPDX-License-Identifier: MIT */
#ifndef RF_PROCESS_H
#define RF_PROCESS_H

#include "backend/backend.h"

/* One launch on one backend. */
struct process_request {
	const struct rf_policy *policy;
	const struct rf_plan *plan;
	const struct backend *backend;
	char *const *argv;
	char *const *inherited; /* the launcher's environment */
	int landlock_abi;
	bool change_directory; /* the plan's directory is not the current one */
	bool direct;	       /* replace the launcher, no supervisor */
	int status_fd;	       /* -1: nobody asked for events */
	const int *kept_fds;
	size_t kept_fds_len;
};

/* How the command ended. */
struct process_result {
	int wait_status; /* as waitpid(2) gives it */
	long max_rss_kb;
	long duration_ms;
	int descendants_killed;
};

/*
 * Sets the sandbox up, runs the command in it and waits for its end; its descendants end with it.
 * Writes the `start` and `exit` events. Returns 0 with the result filled in; a negative errno when
 * the command did not run: code setup-failed if the backend could not do it (another may), code
 * exec-failed if the command itself could not be executed. With `direct` it returns on failure
 * only. Not thread-safe: it changes the signal mask and waits for children.
 */
int process_run(const struct process_request *request, struct process_result *ret,
		struct rf_error *err);

/* Replaces the launcher by the command and changes nothing else: danger-full-access. */
int process_exec(const struct process_request *request, struct rf_error *err);

/* 128 + N for a signal, else the exit status. */
int process_exit_status(int wait_status);

/* 126 or 127, for a command that could not be executed. */
int process_exec_status(const struct rf_error *err);

/*
 * Copies argv and the environment to the heap and wipes the memory in which the kernel shows them
 * to others (/proc/PID/cmdline and environ). *argv and *environment are replaced. 0 or -ENOMEM.
 */
int process_scrub(int argc, char ***argv, char ***environment);

/* Writes the `refused` event; -1 as descriptor does nothing. */
void process_report_refusal(int status_fd, const struct rf_error *err);

#endif
