/* SPDX-License-Identifier: MIT */
/* Which processes of the run are there? /proc is the witness, the parent's pid a second one. */
#include "lifecycle.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t slurp(const char *dir, const char *name, char *buf, size_t size)
{
	char path[300];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/%s", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* Is this process of the run: by the marker, or because it was adopted by this process? */
static bool is_ours(const char *pid, const char *marker)
{
	char buf[8192];
	size_t n = slurp(pid, "cmdline", buf, sizeof(buf));

	if (n && memmem(buf, n, marker, strlen(marker)))
		return true;
	n = slurp(pid, "environ", buf, sizeof(buf));
	if (n && memmem(buf, n, marker, strlen(marker)))
		return true;
	if (!slurp(pid, "stat", buf, sizeof(buf)) || !strrchr(buf, ')'))
		return false;
	return atoi(strrchr(buf, ')') + 4) == getpid();
}

/* Calls `act` for each process of the run and returns how many there are. */
static unsigned long for_each_left(const char *marker, void (*act)(const char *pid))
{
	DIR *proc = opendir("/proc");
	unsigned long n = 0;
	struct dirent *e;

	if (!proc)
		die("cannot open '/proc'");
	while ((e = readdir(proc))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9' || atoi(e->d_name) == getpid())
			continue;
		if (is_ours(e->d_name, marker)) {
			n++;
			if (act)
				act(e->d_name);
		}
	}
	closedir(proc);
	return n;
}

static void print_left(const char *pid)
{
	char comm[64] = "", status[4096] = "", *state;

	slurp(pid, "comm", comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = '\0';
	slurp(pid, "status", status, sizeof(status));
	state = strstr(status, "State:");
	printf("    left: pid %s '%s' %.*s\n", pid, comm, state ? (int)strcspn(state, "\n") : 0,
	       state ? state : "");
}

static void kill_left(const char *pid)
{
	kill(atoi(pid), SIGKILL);
}

unsigned long scan_count(const char *marker)
{
	return for_each_left(marker, NULL);
}

unsigned long scan_print(const char *marker)
{
	return for_each_left(marker, print_left);
}

unsigned long scan_kill(const char *marker)
{
	return for_each_left(marker, kill_left);
}

static long filters_of(const char *pid)
{
	char buf[4096] = "", *at;

	slurp(pid, "status", buf, sizeof(buf));
	at = strstr(buf, "Seccomp_filters:");
	return at ? strtol(at + strlen("Seccomp_filters:"), NULL, 10) : 0;
}

/*
 * Has a descendant more seccomp filters than this process? A walk down the children files, since
 * a scan of the whole of /proc takes longer than the set-up that is to be looked into.
 */
bool scan_filtered_below(pid_t pid, int depth)
{
	char dir[64], buf[4096] = "", *at = buf, *end;

	snprintf(dir, sizeof(dir), "%d", (int)pid);
	if (filters_of(dir) > filters_of("self"))
		return true;
	snprintf(dir, sizeof(dir), "%d/task/%d", (int)pid, (int)pid);
	if (depth == 0 || !slurp(dir, "children", buf, sizeof(buf)))
		return false;
	for (long child; (child = strtol(at, &end, 10)) > 0 && end != at; at = end)
		if (scan_filtered_below((pid_t)child, depth - 1))
			return true;
	return false;
}
