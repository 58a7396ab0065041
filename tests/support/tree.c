/* SPDX-License-Identifier: MIT */
#include "tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP_US 2000
#define LOOKS 10

/* The parent in /proc/PID/stat, behind the name, which may hold anything; -1 if it is gone. */
static pid_t parent_of(const char *pid)
{
	char path[32], text[512], *end;
	ssize_t n = -1;
	int fd, parent = -1;

	snprintf(path, sizeof(path), "/proc/%.16s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : -1;
}

static void add_if_ours(struct tree_known *t, const char *pid)
{
	pid_t parent = parent_of(pid);

	if (parent == getpid())
		t->pid[t->n++] = atoi(pid);
	t->vanished |= parent < 0;
}

/* Not every kernel has /proc/PID/task/TID/children, so everybody is asked for the parent. */
void tree_children(struct tree_known *ret)
{
	struct dirent *e;
	DIR *d;

	ret->n = 0;
	ret->vanished = false;
	if (waitid(P_ALL, 0, &(siginfo_t){ 0 }, WEXITED | WNOHANG | WNOWAIT) < 0)
		return; /* no children at all, which is the usual case and cheap to know */
	d = opendir("/proc");
	while (d && (e = readdir(d)) && ret->n < TREE_MAX)
		if (isdigit((unsigned char)e->d_name[0]))
			add_if_ours(ret, e->d_name);
	if (d)
		closedir(d);
}

static bool is_known(const struct tree_known *known, pid_t pid)
{
	for (size_t i = 0; i < known->n; i++)
		if (known->pid[i] == pid)
			return true;
	return false;
}

struct swept {
	size_t alive;
	bool unsure; /* whoever was reaped or vanished may have left a child not listed yet */
};

/* Reaps who has ended; counts, and with a signal also kills, who has not. */
static struct swept sweep(const struct tree_known *known, int sig)
{
	struct tree_known now;
	struct swept s = { 0 };

	tree_children(&now);
	s.unsure = now.vanished;
	for (size_t i = 0; i < now.n; i++) {
		if (is_known(known, now.pid[i]))
			continue;
		if (waitpid(now.pid[i], NULL, WNOHANG) != 0) {
			s.unsure = true;
			continue;
		}
		s.alive++;
		if (sig)
			kill(now.pid[i], sig);
	}
	return s;
}

/* The most that one of some looks finds: who moves from process to process is seen now and then. */
static size_t count_alive(const struct tree_known *known)
{
	size_t most = 0;

	for (int i = 0; i < LOOKS; i++) {
		struct swept s = sweep(known, 0);

		most = s.alive > most ? s.alive : most;
		if (!s.alive && !s.unsure)
			return 0;
		usleep(STEP_US);
	}
	return most;
}

size_t tree_wait_and_kill(const struct tree_known *known, unsigned grace_ms)
{
	struct swept s = sweep(known, 0);
	size_t found;

	for (unsigned us = 0; (s.alive || s.unsure) && us < grace_ms * 1000U; us += STEP_US) {
		usleep(STEP_US);
		s = sweep(known, 0);
	}
	if (!s.alive && !s.unsure)
		return 0;
	found = count_alive(known);
	/* whoever is killed here leaves its own children to us: until nobody comes any more */
	do {
		s = sweep(known, SIGKILL);
		usleep(STEP_US);
	} while (s.alive || s.unsure);
	return found;
}
