/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The process beside the command: pid 1 of its pid namespace (the reaper) or, on the Landlock
 * backend, a child subreaper (the guardian). It sets the sandbox up, starts the command in it and
 * then keeps one promise: when the command or the launcher ends, the whole run ends.
 */

struct beside {
	struct run *run;
	int launcher; /* pidfd, -1 */
	int socket;
	int signals;
	pid_t command;
};

__attribute__((noreturn)) static void end(const struct beside *beside)
{
	descendants_end(&beside->run->setup);
	sys_exit(0);
}

static bool launcher_is_gone(int pidfd)
{
	struct pollfd fd = { .fd = pidfd, .events = POLLIN };
	struct timespec now = { 0 };

	return pidfd >= 0 && sys_call(SYS_ppoll, (long)&fd, 1, (long)&now, 0, 8, 0) > 0;
}

/*
 * The pidfd was opened before the clone, so that it is the launcher's whatever happens. The signal
 * is a second line for the reaper alone: it would end the guardian too, and with it the last one
 * who could end the command.
 */
static void watch_launcher(const struct run *run)
{
	if (!run->setup.in_view) {
		sys_prctl(PR_SET_CHILD_SUBREAPER, 1, 0);
		return; /* a launcher that is gone is noticed as soon as the command runs */
	}
	sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
	if (launcher_is_gone(run->launcher_pidfd))
		sys_exit(0);
}

/* A file that was opened again was read through a description that the caller does not share. */
static void note_offsets(const struct beside *beside, struct message *message)
{
	message->ended.reopened = beside->run->setup.result.reopened;
	for (int fd = 0; fd < 3; fd++)
		if (message->ended.reopened & 1U << fd)
			message->ended.offsets[fd] = SYS3(SYS_lseek, fd, 0, SEEK_CUR);
}

/*
 * The plain end of a command travels as our own exit status: a message would wake the launcher once
 * more, and on most machines that is what a launch waits for.
 */
static void report_end(struct beside *beside, int status)
{
	struct message message = { .kind = MESSAGE_ENDED };

	message.ended.wait_status = status;
	message.ended.descendants_killed = descendants_end(&beside->run->setup);
	note_offsets(beside, &message);
	if (!WIFEXITED(status) || message.ended.descendants_killed || message.ended.reopened)
		message_send(beside->socket, &message);
	sys_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

static void report_change(const struct beside *beside, int status)
{
	struct message message = { .kind = MESSAGE_CONTINUED };

	if (WIFSTOPPED(status)) {
		message.kind = MESSAGE_STOPPED;
		message.value = WSTOPSIG(status);
	}
	message_send(beside->socket, &message);
}

static void reap(struct beside *beside)
{
	for (;;) {
		int status;
		long pid = SYS4(SYS_wait4, -1, &status, WNOHANG | WUNTRACED | WCONTINUED, NULL);

		if (pid == 0 || (pid < 0 && pid != -EINTR))
			return;
		if (pid != beside->command)
			continue;
		if (WIFSTOPPED(status) || WIFCONTINUED(status))
			report_change(beside, status);
		else
			report_end(beside, status);
	}
}

/* A terminal stops a group of its own as a whole, so it has to go on as a whole. */
static void pass_signal(const struct beside *beside, int sig)
{
	bool group = sig == SIGCONT && beside->run->setup.own_group;

	sys_kill(group ? -beside->command : beside->command, sig);
}

static void take_message(struct beside *beside)
{
	struct message message;
	int got = message_receive(beside->socket, &message, false);

	if (got == 0)
		end(beside);
	if (got == 1 && message.kind == MESSAGE_SIGNAL)
		pass_signal(beside, message.value);
}

/* Reaps before it reads, since after the command's end there is nothing to read for any more. */
static void take_signal(struct beside *beside)
{
	struct signalfd_siginfo info;

	reap(beside);
	sys_read(beside->signals, &info, sizeof(info));
	reap(beside);
}

__attribute__((noreturn)) static void stay(struct beside *beside)
{
	struct pollfd fds[] = {
		{ .fd = beside->signals, .events = POLLIN },
		{ .fd = beside->launcher, .events = POLLIN },
		{ .fd = beside->socket, .events = POLLIN },
	};

	for (;;) {
		if (sys_call(SYS_ppoll, (long)fds, ARRAY_LEN(fds), 0, 0, 8, 0) < 0)
			continue;
		if (fds[1].revents)
			end(beside);
		if (fds[2].revents)
			take_message(beside);
		if (fds[0].revents)
			take_signal(beside);
	}
}

static int watch_children(void)
{
	uint64_t set = UINT64_C(1) << (SIGCHLD - 1);

	return (int)SYS4(SYS_signalfd4, -1, &set, 8, SFD_CLOEXEC);
}

static void block_all_signals(void)
{
	uint64_t all = ~UINT64_C(0);

	SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
}

static int set_up(struct run *run, struct rf_error *err)
{
	int ret = backend_run(run->request->backend->beside, &run->setup, err);

	/* nobody of the run traces this process or reads its memory (proc(5), ptrace(2)) */
	if (!ret)
		ret = sys_prctl(PR_SET_DUMPABLE, 0, 0);
	return ret;
}

int beside_main(void *argument)
{
	struct run *run = argument;
	struct beside beside = { run, run->launcher_pidfd, run->beside_end, -1, -1 };
	struct rf_error error = { 0 };

	block_all_signals();
	watch_launcher(run);
	if (set_up(run, &error) < 0) {
		message_send_error(beside.socket, &error);
		sys_exit(0);
	}
	beside.command = run_clone(command_main, RUN_STACK_COMMAND, 0, run);
	if (beside.command < 0) {
		setup_error(&error, beside.command, "cannot start a process");
		message_send_error(beside.socket, &error);
		sys_exit(0);
	}
	descriptors_close_all_but(run->setup.result.reopened, beside.socket, beside.launcher);
	beside.signals = watch_children();
	stay(&beside);
}
