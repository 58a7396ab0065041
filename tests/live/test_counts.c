/* SPDX-License-Identifier: MIT */
/*
 * How many system calls and processes a launch adds. These counts do not depend on the machine's
 * speed, so they have hard bounds here where times have only a bench.
 */
#include "../bench/bench.h"

#include <criterion/criterion.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define USER 64001
#define COMMAND "/bin/true"

/*
 * Counted in a child: the counter waits for everything, and the test process has threads and
 * children that are not to be counted. The numbers come back in shared memory.
 */
static struct count count(bool as_user, const char *const argv[])
{
	struct count *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct count result;
	int status = -1;
	pid_t pid;

	cr_assert_neq(shared, MAP_FAILED);
	pid = fork();
	if (pid == 0) {
		if (chdir("/usr") < 0 ||
		    (as_user && geteuid() == 0 &&
		     (setgroups(0, NULL) < 0 || setresgid(USER, USER, USER) < 0 ||
		      setresuid(USER, USER, USER) < 0)))
			_exit(1);
		_exit(count_run(argv, shared) < 0 ? 2 : 0);
	}
	waitpid(pid, &status, 0);
	result = *shared;
	munmap(shared, sizeof(*shared));
	cr_assert_eq(status, 0, "the counter ended with status %#x", (unsigned int)status);
	cr_assert_eq(result.status, 0, "'%s' ended with status %#x", argv[0],
		     (unsigned int)result.status);
	cr_assert_not(result.untraced, "a process was cloned out of the counter's sight");
	return result;
}

struct bound {
	const char *backend;
	const char *exec;
	unsigned long calls;
	unsigned long root_calls;
	unsigned long processes;
};

static void check(const struct bound *b, bool as_user)
{
	const char *launcher = getenv("RINGFENCE");
	const char *bare[] = { COMMAND, NULL };
	const char *confined[] = { launcher,
				   "run",
				   "-w",
				   "--workspace=/var/tmp",
				   "--quiet",
				   b->backend,
				   b->exec ? b->exec : "--",
				   b->exec ? "--" : COMMAND,
				   b->exec ? COMMAND : NULL,
				   NULL };
	unsigned long limit = as_user || geteuid() != 0 ? b->calls : b->root_calls;
	struct count own, with;

	cr_assert_not_null(launcher, "RINGFENCE is not set");
	own = count(as_user, bare);
	with = count(as_user, confined);
	cr_expect_leq(with.calls - own.calls, limit, "%s: %lu more system calls", b->backend,
		      with.calls - own.calls);
	cr_expect_leq(with.processes - own.processes, b->processes, "%s: %lu more processes",
		      b->backend, with.processes - own.processes);
}

/*
 * Root pays for what only root has: a bounding set that is cut one capability a call (34), an id
 * map that its parent writes, and a look at the mount table for windows to the kernel.
 */
static const struct bound namespace = { "--backend=namespace", NULL, 120, 155, 2 };
static const struct bound landlock = { "--backend=landlock", NULL, 70, 80, 2 };
static const struct bound landlock_exec = { "--backend=landlock", "--exec", 70, 80, 0 };

Test(counts, namespace_as_user, .timeout = 30)
{
	check(&namespace, true);
}
Test(counts, namespace_as_caller, .timeout = 30)
{
	check(&namespace, false);
}
Test(counts, landlock_as_user, .timeout = 30)
{
	check(&landlock, true);
}
Test(counts, landlock_as_caller, .timeout = 30)
{
	check(&landlock, false);
}
Test(counts, landlock_exec_as_user, .timeout = 30)
{
	check(&landlock_exec, true);
}
Test(counts, landlock_exec_as_caller, .timeout = 30)
{
	check(&landlock_exec, false);
}

/* The counter itself: a shell that forks is seen to fork, and more work is more calls. */
Test(counts, control_counter_sees_children, .timeout = 30)
{
	const char *one[] = { "/bin/sh", "-c", ":", NULL };
	const char *three[] = { "/bin/sh", "-c", "/bin/true; /bin/true; :", NULL };
	struct count a = count(true, one), b = count(true, three);

	cr_assert_eq(a.processes, 1);
	cr_assert_eq(b.processes, 3);
	cr_assert_gt(b.calls, a.calls + 40);
}

/* An independent witness: strace agrees, but for the exit_group that it does not count. */
Test(counts, control_strace_agrees, .timeout = 30)
{
	const char *bare[] = { COMMAND, NULL };
	struct count own = count(true, bare);
	unsigned long calls = 0;
	char line[256];
	FILE *f = popen("strace -f -c -U calls,name " COMMAND " 2>&1", "r");

	cr_assert_not_null(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, " total"))
			calls = strtoul(line, NULL, 10);
	pclose(f);
	cr_assert_eq(calls + 1, own.calls, "strace counts %lu, the counter %lu", calls, own.calls);
}
