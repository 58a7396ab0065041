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

/*
 * Reaps who has ended; counts, and with a signal also kills, who has not. Whoever is reaped or
 * has vanished may have left a child that was not listed yet: that counts as somebody.
 */
static size_t sweep(const struct tree_known *known, int sig)
{
	struct tree_known now;
	size_t left = 0;

	tree_children(&now);
	left += now.vanished;
	for (size_t i = 0; i < now.n; i++) {
		if (is_known(known, now.pid[i]))
			continue;
		left++;
		if (waitpid(now.pid[i], NULL, WNOHANG) == 0 && sig)
			kill(now.pid[i], sig);
	}
	return left;
}

size_t tree_wait_and_kill(const struct tree_known *known, unsigned grace_ms)
{
	size_t left = sweep(known, 0), found;

	for (unsigned us = 0; left && us < grace_ms * 1000U; us += STEP_US) {
		usleep(STEP_US);
		left = sweep(known, 0);
	}
	found = left;
	/* whoever is killed here leaves its own children to us: until nobody comes any more */
	while (left) {
		left = sweep(known, SIGKILL);
		usleep(STEP_US);
	}
	return found;
}
