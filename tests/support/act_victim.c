/* SPDX-License-Identifier: MIT */
/*
 * The process outside that is attacked. It writes the address of its memory, then for every byte
 * that it reads one line that says what has been done to it.
 */
#include "act.h"

#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define SECRET_FD 3

static volatile sig_atomic_t signals;
static char word[64];

/* SIGURG does nothing to whoever does not ask for it, so that attacks can be broad. */
static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

static int report(void)
{
	unsigned long affinity = 0;
	struct rlimit files = { 0 };
	struct sched_param param = { 0 };

	syscall(SYS_sched_getaffinity, 0, sizeof(affinity), &affinity);
	getrlimit(RLIMIT_NOFILE, &files);
	sched_getparam(0, &param);
	return printf(
		"signals %d nice %d policy %d priority %d affinity %lx files %ju io %ld word %s\n",
		(int)signals, getpriority(PRIO_PROCESS, 0), sched_getscheduler(0),
		param.sched_priority, affinity, (uintmax_t)files.rlim_cur,
		syscall(SYS_ioprio_get, 1, 0), word);
}

/* The canary in every place where a process keeps something: memory, environment, an open file. */
static int hide_canary(const char *canary)
{
	int fd = memfd_create("secret", 0);

	snprintf(word, sizeof(word), "%s", canary);
	if (fd < 0 || dup2(fd, SECRET_FD) < 0)
		return -errno;
	return act_result(write(SECRET_FD, word, strlen(word)));
}

static int run_victim(char **words)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	char byte;
	int r;

	(void)words;
	if (!getenv("CANARY"))
		return -EINVAL;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	r = hide_canary(getenv("CANARY"));
	if (r || sigaction(SIGURG, &sa, NULL) < 0)
		return r ? r : -errno;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%p\n", (void *)word);
	while (read(STDIN_FILENO, &byte, 1) == 1)
		report();
	return 0;
}

const struct act act_victim[] = {
	{ "victim", "", 0, run_victim },
	{ 0 },
};
