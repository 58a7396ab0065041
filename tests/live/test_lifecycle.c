/* SPDX-License-Identifier: MIT */
/*
 * The short form of the kill test; $RINGFENCE_LIFECYCLE names the tester, and
 * $RINGFENCE_LIFECYCLE_ROUNDS makes it longer (1000 for the figure in the requirements).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS "60"
#define USER "64001"

/* Returns the wait status of `lifecycle --backend BACKEND --rounds ROUNDS --uid UID`. */
static int lifecycle(const char *backend, const char *rounds, const char *uid)
{
	const char *program = getenv("RINGFENCE_LIFECYCLE");
	const char *more = getenv("RINGFENCE_LIFECYCLE_ROUNDS");
	int status = -1;
	pid_t pid;

	if (!program)
		return -1;
	pid = fork();
	if (pid == 0) {
		execl(program, program, "--backend", backend, "--rounds",
		      rounds ? rounds
		      : more ? more
			     : ROUNDS,
		      uid ? "--uid" : (char *)NULL, uid, (char *)NULL);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

/* As a user only that user can be tested; the suite is run both ways. */
static const char *ordinary_user(void)
{
	return geteuid() == 0 ? USER : NULL;
}

Test(lifecycle, namespace_as_user, .timeout = 900)
{
	cr_assert_eq(lifecycle("namespace", NULL, ordinary_user()), 0);
}

Test(lifecycle, landlock_as_user, .timeout = 900)
{
	cr_assert_eq(lifecycle("landlock", NULL, ordinary_user()), 0);
}

Test(lifecycle, namespace_as_caller, .timeout = 900)
{
	cr_assert_eq(lifecycle("namespace", NULL, NULL), 0);
}

Test(lifecycle, landlock_as_caller, .timeout = 900)
{
	cr_assert_eq(lifecycle("landlock", NULL, NULL), 0);
}

/* Without a guard the same kill leaves orphans, each time: the tester can see them. */
Test(lifecycle, control_leaves_orphans, .timeout = 60)
{
	cr_assert_eq(lifecycle("none", "3", ordinary_user()), 0);
}
