/* SPDX-License-Identifier: MIT */
/*
 * Many runs leave nothing behind: the short form, and with $RINGFENCE_LEAK_RUNS a longer one
 * (10000 for the figure in the requirements).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/fixture.h"
#include "../support/launch.h"
#include "../support/run.h"
#include "../support/snapshot.h"

#define LEAK_RUNS "200"

static const char *leak_runs(void)
{
	const char *runs = getenv("RINGFENCE_LEAK_RUNS");

	return runs ? runs : LEAK_RUNS;
}

static const char loop[] =
	"n=$1; shift; while [ $n -gt 0 ]; do \"$@\" || exit 1; n=$((n - 1)); done";

/* Many runs leave no process, no mount and no file. */
static void check_leaks(const char *backend, struct run_who who)
{
	const char *argv[] = { "/bin/sh",	"-c",  loop,	    "sh",      leak_runs(),
			       launcher_path(), "run", "-w",	    "--quiet", "--backend",
			       backend,		"--",  "/bin/true", NULL };
	struct run_spec spec = { .argv = argv, .who = who, .timeout_ms = 580000 };
	struct fixture f;
	struct run_result r;
	char *tree, *after;

	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	cr_assert_eq(fixture_make(&f, who), 0);
	spec.cwd = f.work;
	tree = snapshot_tree(f.base);
	cr_assert_eq(run_command(&spec, &r), 0);
	after = snapshot_tree(f.base);
	cr_expect_eq(run_exit_code(&r), 0, "status %#x: %s", (unsigned int)r.status, r.err.data);
	cr_expect_eq(r.left, 0);
	cr_expect_str_eq(after, tree);
	free(tree);
	free(after);
	run_release(&r);
	fixture_remove(&f);
}

Test(leaks, namespace_as_user, .timeout = 600)
{
	check_leaks("namespace", run_user());
}

Test(leaks, namespace_as_caller, .timeout = 600)
{
	check_leaks("namespace", run_own());
}

Test(leaks, landlock_as_user, .timeout = 600)
{
	check_leaks("landlock", run_user());
}

Test(leaks, landlock_as_caller, .timeout = 600)
{
	check_leaks("landlock", run_own());
}

/*
 * Namespaces: in a user namespace where only `limit` of each kind may exist, many runs go
 * through only if each one gives back what it took. The kernel frees them a little later, so
 * the limit is not 1.
 */
static int run_limited(const char *limit, const char *runs, struct run_result *r)
{
	static const char script[] = "for kind in user mnt pid ipc uts cgroup net; do\n"
				     "	echo $1 >/proc/sys/user/max_${kind}_namespaces || exit 9\n"
				     "done; shift\n";
	char text[sizeof(script) + sizeof(loop)];
	const char *argv[] = { "/bin/sh",
			       "-c",
			       text,
			       "sh",
			       limit,
			       runs,
			       launcher_path(),
			       "run",
			       "--quiet",
			       "--backend=namespace",
			       "--",
			       "/bin/true",
			       NULL };
	/* root keeps away from the host's own limits: always the user, in its own namespace */
	struct run_spec spec = { .argv = argv,
				 .who = run_user(),
				 .cwd = "/var/tmp",
				 .flags = RUN_PRIVATE,
				 .timeout_ms = 580000 };

	strcpy(text, script);
	strcat(text, loop);
	return run_command(&spec, r);
}

Test(leaks, namespaces_are_given_back, .timeout = 600)
{
	struct run_result r;

	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	cr_assert_eq(run_limited("60", leak_runs(), &r), 0);
	cr_expect_eq(run_exit_code(&r), 0, "status %#x: %s", (unsigned int)r.status, r.err.data);
	run_release(&r);
}

/* With none allowed the first run fails: the limit that the test above relies on is real. */
Test(leaks, control_namespace_limit_holds, .timeout = 60)
{
	struct run_result r;

	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	cr_assert_eq(run_limited("0", "1", &r), 0);
	cr_expect_eq(run_exit_code(&r), 1, "status %#x: %s", (unsigned int)r.status, r.err.data);
	run_release(&r);
}
