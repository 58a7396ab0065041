/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <sched.h>

#if RUN_SHARES_MEMORY

/* Pages of these that are never touched cost nothing. */
#define STACK_SIZE (256 * 1024)

static _Alignas(64) char stacks[2][STACK_SIZE];

/*
 * With CLONE_VM the child borrows the address space, which spares copying it, and with CLONE_VFORK
 * (the command's process) its parent stands still until the exec. The process beside the command
 * shares memory with a launcher that goes on: it touches nothing but its stack and `run->setup`,
 * and makes its system calls without errno. A new user namespace and CLONE_VM go together.
 */
pid_t run_clone(int (*entry)(void *), enum run_stack stack, unsigned long flags, struct run *run)
{
	char *top = stacks[stack] + STACK_SIZE;
	pid_t pid;

	flags |= stack == RUN_STACK_COMMAND ? CLONE_VM | CLONE_VFORK : CLONE_VM;
	pid = clone(entry, top, (int)(flags | SIGCHLD), run);
	return pid < 0 ? -errno : pid;
}

#else

/* A sanitizer knows one stack a thread: the child gets a copy of everything, as after a fork. */
pid_t run_clone(int (*entry)(void *), enum run_stack stack, unsigned long flags, struct run *run)
{
	pid_t pid = (pid_t)SYS5(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);

	(void)stack;
	if (pid == 0)
		sys_exit(entry(run));
	return pid;
}

#endif
