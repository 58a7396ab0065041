/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sent to the launcher alone, these are meant for the command. */
static const int forwarded[] = { SIGTERM, SIGINT,  SIGHUP,  SIGQUIT,
				 SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH };

/* How long a command that was stopped must stay so, until the launcher follows it. */
#define STOP_SETTLES_MS 20

struct supervisor {
	struct run *run;
	pid_t command; /* known only where it has a process group of its own */
	bool stopped;
	bool closed; /* nothing more will come through the socket */
	bool child_gone;
	int child_status;
	bool failed;
	bool ended;
	struct process_result result;
	struct rf_error error;
};

int supervise_watch_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < ARRAY_LEN(forwarded); i++)
		sigaddset(&set, forwarded[i]);
	return fd_copy_high(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

static void forward(const struct supervisor *supervisor, int sig)
{
	struct message message = { .kind = MESSAGE_SIGNAL, .value = sig };

	message_send(supervisor->run->launcher_end, &message);
}

static bool is_forwarded(int sig)
{
	for (size_t i = 0; i < ARRAY_LEN(forwarded); i++)
		if (forwarded[i] == sig)
			return true;
	return false;
}

/* Takes the terminal back before the launcher stops, and hands it over again afterwards. */
static void give_terminal_to(const struct supervisor *supervisor, pid_t group)
{
	if (supervisor->run->setup.own_group && terminal_is_ours(&supervisor->run->terminal))
		terminal_give(&supervisor->run->terminal, group);
}

/*
 * Stops the launcher, until somebody continues it or the command: the next message, which says that
 * the command goes on or has ended, raises SIGCONT by way of the socket's owner (fcntl(2),
 * F_SETSIG).
 */
static void stop_until_message(int socket)
{
	int flags = fcntl(socket, F_GETFL);

	fcntl(socket, F_SETSIG, SIGCONT);
	fcntl(socket, F_SETOWN, getpid());
	fcntl(socket, F_SETFL, flags | O_ASYNC);
	raise(SIGSTOP);
	fcntl(socket, F_SETFL, flags);
}

/*
 * The command stopped: by ^Z, which stopped the launcher as well where they share a process group,
 * or by itself (an editor's suspend), which the shell that started us can see only if we stop too.
 * In the first case we run again by now, and so will the command in a moment.
 */
static void follow_stop(struct supervisor *supervisor)
{
	int socket = supervisor->run->launcher_end;
	struct pollfd fd = { .fd = socket, .events = POLLIN };

	if (poll(&fd, 1, STOP_SETTLES_MS) > 0)
		return; /* whatever it is, it is newer; it is handled next */
	give_terminal_to(supervisor, supervisor->run->terminal.own_group);
	stop_until_message(socket);
	give_terminal_to(supervisor, supervisor->command);
	supervisor->stopped = false;
	forward(supervisor, SIGCONT);
}

/* The next reader of the caller's file goes on where the command stopped, as it would unconfined.
 */
static void carry_offsets_back(const struct message *message)
{
	for (int fd = 0; fd < 3; fd++)
		if (message->ended.reopened & 1U << fd && message->ended.offsets[fd] >= 0)
			SYS3(SYS_lseek, fd, message->ended.offsets[fd], SEEK_SET);
}

static void take_message(struct supervisor *supervisor, const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_FAILED:
		supervisor->failed = true;
		supervisor->error = message->error;
		break;
	case MESSAGE_STARTED:
		supervisor->command = message->value;
		break;
	case MESSAGE_STOPPED:
		supervisor->stopped = true;
		break;
	case MESSAGE_CONTINUED:
		supervisor->stopped = false;
		break;
	case MESSAGE_ENDED:
		supervisor->ended = true;
		supervisor->result.wait_status = message->ended.wait_status;
		supervisor->result.descendants_killed = message->ended.descendants_killed;
		carry_offsets_back(message);
		break;
	}
}

/* The last message is there, or no more can come: the process beside the command is ending. */
static bool is_over(const struct supervisor *supervisor)
{
	return supervisor->failed || supervisor->ended || supervisor->closed;
}

static void take_messages(struct supervisor *supervisor)
{
	struct message message;

	while (!is_over(supervisor) &&
	       message_receive(supervisor->run->launcher_end, &message, false) == 1)
		take_message(supervisor, &message);
}

/* The usage covers what the child waited for, and so the command. */
static void reap(struct supervisor *supervisor, int flags)
{
	struct rusage usage;

	if (wait4(supervisor->run->beside, &supervisor->child_status, flags, &usage) !=
	    supervisor->run->beside)
		return;
	supervisor->child_gone = true;
	supervisor->result.max_rss_kb = usage.ru_maxrss;
}

static void take_signals(struct supervisor *supervisor)
{
	struct signalfd_siginfo info;

	while (sys_read(supervisor->run->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		int sig = (int)info.ssi_signo;

		/*
		 * what the kernel sends (a terminal, a hang-up) reaches the whole group by itself
		 */
		if (is_forwarded(sig) && info.ssi_code <= 0)
			forward(supervisor, sig);
	}
	reap(supervisor, WNOHANG);
}

static void watch(struct supervisor *supervisor)
{
	while (!supervisor->child_gone && !is_over(supervisor)) {
		struct pollfd fds[] = {
			{ .fd = supervisor->run->signal_fd, .events = POLLIN },
			{ .fd = supervisor->run->launcher_end, .events = POLLIN },
		};

		if (poll(fds, ARRAY_LEN(fds), -1) < 0)
			continue;
		if (fds[1].revents)
			take_messages(supervisor);
		supervisor->closed |= (fds[1].revents & (POLLHUP | POLLERR)) != 0;
		if (fds[0].revents)
			take_signals(supervisor);
		if (supervisor->stopped && !is_over(supervisor))
			follow_stop(supervisor);
	}
	take_messages(supervisor);
	while (!supervisor->child_gone)
		reap(supervisor, 0);
}

static long elapsed_ms(const struct timespec *begun)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begun->tv_sec) * 1000 + (now.tv_nsec - begun->tv_nsec) / 1000000;
}

int supervise(struct run *run, struct process_result *ret, struct rf_error *err)
{
	struct supervisor supervisor = { .run = run };

	watch(&supervisor);
	give_terminal_to(&supervisor, run->terminal.foreground);
	if (supervisor.failed) {
		*err = supervisor.error;
		return err->errnum ? -err->errnum : -EINVAL;
	}
	/*
	 * no message: it exited as the command did, or was killed from outside, and the run with it
	 */
	if (!supervisor.ended)
		supervisor.result.wait_status = supervisor.child_status;
	supervisor.result.duration_ms = elapsed_ms(&run->begun);
	*ret = supervisor.result;
	return 0;
}
