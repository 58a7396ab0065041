/* SPDX-License-Identifier: MIT */
/* What the tester launches: the command with its sleepers, and the launcher of the control. */
#include "lifecycle.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* The command: two sleepers that are nobody's children, hard of hearing and in no session. */
static void leave_sleeper(bool session)
{
	if (fork() != 0)
		return;
	if (session)
		setsid();
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
	signal(SIGALRM, SIG_DFL);
	if (fork() == 0) {
		alarm(90); /* so that even a lost one does not stay for ever */
		for (;;)
			pause();
	}
	_exit(0);
}

int lifecycle_command(void)
{
	double end = now_ns() + LIFE_NS;

	leave_sleeper(true);
	leave_sleeper(false);
	while (now_ns() < end)
		usleep(500);
	return 0;
}

/* The control: a launcher as many programs have one, with nothing that outlives it on guard. */
int lifecycle_unguarded(char *const argv[])
{
	pid_t pid = fork();

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	dprintf(STATUS_FD, "{\"event\":\"start\"}\n");
	close(STATUS_FD);
	return waitpid(pid, NULL, 0) < 0;
}
