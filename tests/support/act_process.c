/* SPDX-License-Identifier: MIT */
/* Looking into other processes, and reaching them by something else than kill(). */
#include "act.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define NR_PIDFD_GETFD 438

/* Found secrets go to the output, where the test looks for its canary. */
static int print_fd(int fd)
{
	char data[4096];
	ssize_t n;

	while ((n = read(fd, data, sizeof(data))) > 0)
		if (write(STDOUT_FILENO, data, (size_t)n) < 0)
			return -errno;
	return act_result(n);
}

static int run_read(char **words)
{
	int fd = open(words[0], O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : print_fd(fd);
}

static int run_link(char **words)
{
	char target[PATH_MAX];
	ssize_t n = readlink(words[0], target, sizeof(target));

	return act_result(n < 0 ? -1 : write(STDOUT_FILENO, target, (size_t)n));
}

/* Whether a directory lists a name. */
static int run_list(char **words)
{
	DIR *d = opendir(words[0]);
	struct dirent *e;

	if (!d)
		return -errno;
	while ((e = readdir(d)))
		if (strcmp(e->d_name, words[1]) == 0)
			return 0;
	return -ENOENT;
}

/* Attached is traced; it is let go at once, so that the victim lives on. */
static int run_ptrace_attach(char **words)
{
	pid_t pid = (pid_t)act_number(words[0]);

	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) < 0)
		return -errno;
	waitpid(pid, NULL, __WALL);
	return act_result(ptrace(PTRACE_DETACH, pid, NULL, NULL));
}

static int run_ptrace_seize(char **words)
{
	pid_t pid = (pid_t)act_number(words[0]);

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0)
		return -errno;
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	waitpid(pid, NULL, __WALL);
	return act_result(ptrace(PTRACE_DETACH, pid, NULL, NULL));
}

static char memory[64];

static int run_vm_read(char **words)
{
	struct iovec to = { memory, 40 }, from = { (void *)act_number(words[1]), 40 };

	if (process_vm_readv((pid_t)act_number(words[0]), &to, 1, &from, 1, 0) < 0)
		return -errno;
	return act_result(write(STDOUT_FILENO, memory, 40));
}

static int run_vm_write(char **words)
{
	struct iovec from = { "attacked", 8 }, to = { (void *)act_number(words[1]), 8 };

	return act_result(process_vm_writev((pid_t)act_number(words[0]), &from, 1, &to, 1, 0));
}

static int open_memory(const char *pid, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/mem", pid);
	return open(path, flags | O_CLOEXEC);
}

static int run_mem_read(char **words)
{
	int fd = open_memory(words[0], O_RDONLY);

	if (fd < 0 || pread(fd, memory, 40, act_number(words[1])) < 0)
		return -errno;
	return act_result(write(STDOUT_FILENO, memory, 40));
}

static int run_mem_write(char **words)
{
	int fd = open_memory(words[0], O_RDWR);

	return act_result(fd < 0 ? -1 : pwrite(fd, "attacked", 8, act_number(words[1])));
}

static int run_getfd(char **words)
{
	int pidfd = (int)syscall(SYS_pidfd_open, act_number(words[0]), 0), fd;

	if (pidfd < 0)
		return -errno;
	fd = (int)syscall(NR_PIDFD_GETFD, pidfd, act_number(words[1]), 0);
	if (fd < 0)
		return -errno;
	lseek(fd, 0, SEEK_SET);
	return print_fd(fd);
}

/* The kernel sends the signal when data arrives: whoever owns the fd gets it. */
static int run_sigio(char **words)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ||
	    fcntl(pair[0], F_SETOWN, (int)act_number(words[0])) < 0 ||
	    fcntl(pair[0], F_SETSIG, SIGURG) < 0 ||
	    fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0)
		return -errno;
	return act_result(write(pair[1], "x", 1));
}

const struct act act_process[] = {
	{ "read", "PATH", 1, run_read },
	{ "link", "PATH", 1, run_link },
	{ "list", "DIR NAME", 2, run_list },
	{ "ptrace-attach", "PID", 1, run_ptrace_attach },
	{ "ptrace-seize", "PID", 1, run_ptrace_seize },
	{ "vm-read", "PID ADDRESS", 2, run_vm_read },
	{ "vm-write", "PID ADDRESS", 2, run_vm_write },
	{ "mem-read", "PID ADDRESS", 2, run_mem_read },
	{ "mem-write", "PID ADDRESS", 2, run_mem_write },
	{ "getfd", "PID FD", 2, run_getfd },
	{ "sigio", "PID", 1, run_sigio },
	{ 0 },
};
