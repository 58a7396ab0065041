/* SPDX-License-Identifier: MIT */
/* Counts every system call entry of a program and of everything it starts, by ptrace. */
#include "bench.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS                                                                                    \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |  \
	 PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)
#define SYSCALL_STOP (SIGTRAP | 0x80)

/* SIGSTOPs of tracees that have not begun to run are ours, not theirs. */
#define MOST_STARTING 64

struct tracer {
	struct count *count;
	pid_t first;
	bool started; /* the exec that starts the count has been seen */
	pid_t known[MOST_STARTING];
	size_t n_known;
};

static bool is_new(struct tracer *t, pid_t pid)
{
	for (size_t i = 0; i < t->n_known; i++)
		if (t->known[i] == pid)
			return false;
	if (t->n_known < MOST_STARTING)
		t->known[t->n_known++] = pid;
	t->count->processes++;
	return true;
}

/* A child that nobody traces would make the count a lie, so asking for one is noticed. */
static bool asks_untraced(pid_t pid, const struct __ptrace_syscall_info *info)
{
	errno = 0;
	if (info->entry.nr == SYS_clone)
		return info->entry.args[0] & CLONE_UNTRACED;
#ifdef SYS_clone3
	if (info->entry.nr == SYS_clone3) {
		long flags = ptrace(PTRACE_PEEKDATA, pid, (void *)info->entry.args[0], NULL);

		return errno == 0 && (flags & CLONE_UNTRACED);
	}
#endif
	return false;
}

static void at_syscall(struct tracer *t, pid_t pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof(info), &info) < 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	t->count->calls += t->started;
	t->count->untraced |= asks_untraced(pid, &info);
}

/* The signal to deliver when the tracee goes on. */
static int at_stop(struct tracer *t, pid_t pid, int status)
{
	int sig = WSTOPSIG(status);

	if (sig == SYSCALL_STOP) {
		at_syscall(t, pid);
		return 0;
	}
	if (status >> 16 == PTRACE_EVENT_EXEC && !t->started) {
		t->started = true;
		t->count->calls++; /* the exec itself: the same one for every launcher */
		return 0;
	}
	return status >> 16 || sig == SIGTRAP ? 0 : sig;
}

static int follow(struct tracer *t)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		int sig = 0;

		if (pid < 0)
			continue;
		if (!WIFSTOPPED(status)) {
			if (pid == t->first)
				t->count->status = status;
			continue;
		}
		if (!is_new(t, pid))
			sig = at_stop(t, pid, status);
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)sig);
	}
	return errno == ECHILD ? 0 : -errno;
}

/*
 * Runs argv to its end and counts. The caller must have no other children: everything is waited
 * for, whoever started it. Returns 0 or a negative errno.
 */
int count_run(const char *const argv[], struct count *ret)
{
	struct tracer t = { .count = ret };
	int status;

	*ret = (struct count){ 0 };
	t.first = fork();
	if (t.first < 0)
		return -errno;
	if (t.first == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (waitpid(t.first, &status, 0) < 0 || !WIFSTOPPED(status))
		return -ECHILD;
	is_new(&t, t.first);
	if (ptrace(PTRACE_SETOPTIONS, t.first, NULL, (void *)OPTIONS) < 0 ||
	    ptrace(PTRACE_SYSCALL, t.first, NULL, NULL) < 0)
		return -errno;
	return follow(&t);
}
