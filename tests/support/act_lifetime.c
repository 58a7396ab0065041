/* SPDX-License-Identifier: MIT */
/* Processes that want to outlive the run; on their own they end after half a minute. */
#include "act.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define STAY 30

static _Noreturn void stay(void)
{
	alarm(0);
	for (int i = 0; i < STAY; i++)
		sleep(1);
	_exit(0);
}

static void leave_parent(void)
{
	prctl(PR_SET_PDEATHSIG, 0);
	setsid();
}

/* Two forks and a session of its own, as a daemon does it; returns in the first process. */
static void detach(void (*then)(void))
{
	pid_t pid = fork();

	if (pid > 0) {
		waitpid(pid, NULL, 0);
		return;
	}
	leave_parent();
	if (fork() > 0)
		_exit(0);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	then();
	stay();
}

static void nothing(void)
{
}

static void be_deaf(void)
{
	for (int sig = 1; sig < 65; sig++)
		signal(sig, SIG_IGN);
}

static void be_stopped(void)
{
	raise(SIGSTOP);
}

/* A new process every time that somebody might be counting. */
static void be_new(void)
{
	for (int i = 0; i < 300; i++) {
		if (fork() > 0)
			_exit(0);
		usleep(3000);
	}
}

/* A child of one's own parent, next to oneself: the launcher gets one that it has not made. */
static void be_sibling(void)
{
	if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) > 0)
		_exit(0);
	leave_parent();
}

static const struct {
	const char *name;
	void (*then)(void);
} kinds[] = {
	{ "plain", nothing }, { "deaf", be_deaf },	 { "stopped", be_stopped },
	{ "moving", be_new }, { "sibling", be_sibling },
};

static int ready(int keep)
{
	puts("ready");
	fflush(stdout);
	if (keep)
		stay();
	return 0;
}

/* daemon KIND COUNT KEEP: with KEEP the first process stays, too */
static int run_daemon(char **words)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, words[0]) != 0)
			continue;
		for (long n = act_number(words[1]); n > 0; n--)
			detach(kinds[i].then);
		usleep(20000);
		return ready((int)act_number(words[2]));
	}
	return ACT_MISUSE;
}

static pid_t parent_of(pid_t pid, char name[static 32])
{
	char path[32], text[512], *end;
	int fd, parent = 0;
	ssize_t n = -1;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	if (!end || sscanf(text, "%*d (%31[^)]", name) != 1 ||
	    sscanf(end + 1, " %*c %d", &parent) != 1)
		return 0;
	return parent;
}

/*
 * Kills whoever would clean up: the ancestors, up to the first that is neither an act nor the
 * launcher. Unconfined that is the act that `nest` left behind.
 */
static void kill_ancestors(void)
{
	char name[32];
	pid_t at = getppid();

	while (at > 0) {
		pid_t above = parent_of(at, name);

		if (above < 1 || (strcmp(name, "act") != 0 && strncmp(name, "ringfence", 9) != 0))
			return;
		kill(at, SIGKILL);
		at = above;
	}
}

static int run_kill_ancestors(char **words)
{
	pid_t pid = fork();

	(void)words;
	if (pid < 0)
		return -errno;
	if (pid > 0) {
		waitpid(pid, NULL, 0);
		return 0;
	}
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	leave_parent();
	kill_ancestors();
	stay();
}

const struct act act_lifetime[] = {
	{ "daemon", "KIND COUNT KEEP", 3, run_daemon },
	{ "kill-ancestors", "", 0, run_kill_ancestors },
	{ 0 },
};
