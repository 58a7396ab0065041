/* SPDX-License-Identifier: MIT */
#ifndef RF_PROCESS_RUN_H
#define RF_PROCESS_RUN_H

/* Private to the module: one run, as its three processes see it. */

#include "process.h"

#include <signal.h>
#include <time.h>

/* The child shares the memory only where no sanitizer watches stacks and exits. */
#if defined(__SANITIZE_ADDRESS__)
#define RUN_SHARES_MEMORY 0
#else
#define RUN_SHARES_MEMORY 1
#endif

/*
 * What travels through the socket between the launcher and the process beside the command. One
 * message is one packet, so that none is torn; a message is plain data.
 */
enum message_kind {
	MESSAGE_FAILED = 1, /* from below: the set-up failed, `error` says how */
	MESSAGE_STARTED,    /* from below: value is the command's pid as the launcher sees it */
	MESSAGE_STOPPED,    /* from below: value is the signal */
	MESSAGE_CONTINUED,  /* from below */
	MESSAGE_ENDED,	    /* from below: `ended`, unless the sender's exit status says it all */
	MESSAGE_SIGNAL,	    /* from above: value is the signal to pass to the command */
};

struct message {
	int kind;
	int value;
	union {
		struct rf_error error;
		struct {
			int wait_status;
			int descendants_killed;
			unsigned reopened; /* bit N: descriptor N stands at offsets[N] now */
			int64_t offsets[3];
		} ended;
	};
};

/* The start event, made before the clone but for what only the command's process knows. */
struct start_event {
	char *text[2]; /* [1]: for a run that sees the old /proc */
	size_t len[2];
};

/* What the launcher was given, to be given to the command. */
struct signals {
	sigset_t mask;
	bool child_ignored;
};

struct run {
	const struct process_request *request;
	struct setup setup;
	struct rf_environment *environment;
	struct start_event start;
	struct signals signals;
	struct terminal terminal;
	int signal_fd;	    /* what the launcher acts upon */
	int launcher_pidfd; /* -1 before Linux 5.3: the socket's end tells as well */
	int launcher_end;   /* of the socket */
	int beside_end;
	pid_t beside; /* the reaper or guardian */
	struct timespec begun;
};

/* Blocks what the launcher handles and makes children waitable; notes how it was. */
void signals_take(struct signals *ret);
/* Unblocks what was not blocked, in the launcher. */
void signals_give_back(const struct signals *signals);
/* Gives mask and dispositions back; for the process that will execute the command. */
void signals_restore(const struct signals *signals);

/* Sends a message; nobody listening is no error. */
void message_send(int socket, const struct message *message);
/* The next message: 1, 0 at the end, a negative errno (-EAGAIN: none now). */
int message_receive(int socket, struct message *ret, bool wait);
void message_send_error(int socket, const struct rf_error *err);

/* The process beside the command: entry of the clone, never returns. */
int beside_main(void *run);

/* The command's own process: entry of the clone, never returns. */
int command_main(void *run);

/* Finishes the set-up in the launcher's own process and executes; returns on failure only. */
int command_replace(struct run *run, struct rf_error *err);

/* A clone(2) with a stack of its own; `name` tells which of the two static stacks. */
enum run_stack { RUN_STACK_BESIDE, RUN_STACK_COMMAND };
pid_t run_clone(int (*entry)(void *), enum run_stack stack, unsigned long flags, struct run *run);

/* Kills whatever is left of the run and waits for it; the number that it took. */
int descendants_end(const struct setup *setup);

/* A signalfd for SIGCHLD and what is passed on to the command; a negative errno. */
int supervise_watch_signals(void);

/* In the launcher: signals, terminal and messages until the child is gone. */
int supervise(struct run *run, struct process_result *ret, struct rf_error *err);

/* Events. */
struct start_facts {
	const struct process_request *request;
	const char *backend; /* NULL: none */
	const char *enforcement;
	const char *workspace;
	uint32_t missing;
};
int start_event_prepare(struct run *run);
/* The start event of a command that runs unconfined, in the calling process. */
void start_event_write_unconfined(const struct process_request *request);
void start_event_release(struct start_event *event);
int start_event_write(const struct run *run, struct rf_error *err);
void exit_event_write(int status_fd, const struct process_result *result);
void exec_event_write(int status_fd, const struct rf_error *err, const char *path,
		      const char *interpreter);

/*
 * Executes argv with envp; a name without a slash is looked for in the PATH of envp. Returns on
 * failure only, with the errno that tells most, `msg` holding the path that was tried.
 */
int command_execute(char *const argv[], char *const envp[], struct rf_error *err);

/*
 * In the launcher, after a failed exec: names the interpreter that is missing, if it is that, and
 * writes the exec-failed event. Relative names are looked up from the directory `start`.
 */
void exec_explain(int status_fd, const char *start, struct rf_error *err);

#endif
