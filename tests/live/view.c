/* SPDX-License-Identifier: MIT */
#include "view.h"

#include "../support/launch.h"
#include "../support/snapshot.h"

const char *const view_normal[] = { NULL };

static const char *const backend_names[] = { "namespace", "landlock" };

static const char *condition_path(void)
{
	const char *path = getenv("RINGFENCE_CONDITION");

	cr_assert_not_null(path, "RINGFENCE_CONDITION is not set");
	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	return path;
}

static char *assign(const char *name, const char *value)
{
	char *text;

	cr_assert_gt(asprintf(&text, "%s=%s", name, value), 0);
	return text;
}

/* The words before the launcher; `conditions` may be empty. */
static size_t put_launcher(const char **argv, size_t n, const char *const *conditions,
			   const char *backend)
{
	const char *const *word = conditions;

	if (*word) {
		argv[n++] = condition_path();
		while (*word)
			argv[n++] = *word++;
		argv[n++] = "--";
	}
	argv[n++] = launcher_path();
	argv[n++] = "-w";
	argv[n++] = "--quiet";
	argv[n++] = "--backend";
	argv[n++] = backend;
	return n;
}

struct run_result view_run(const struct fixture *f, const char *backend, unsigned traits,
			   const char *const *conditions, const char *script)
{
	char *env[] = { strdup("PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"),
			assign("BASE", f->base),
			assign("WORK", f->work),
			assign("OUT", f->out),
			assign("CONDITION", condition_path()),
			assign("BACKEND", backend),
			NULL };
	const char *argv[24] = { "/bin/sh", "-c", script, "sh" };
	const struct run_spec spec = { .argv = argv,
				       .env = (const char *const *)env,
				       .cwd = f->work,
				       .who = f->who,
				       .timeout_ms = 60000,
				       .flags = traits & PRIVATE ? RUN_PRIVATE : 0 };
	struct run_result r;

	put_launcher(argv, 4, conditions, backend);
	cr_assert_eq(run_command(&spec, &r), 0, "the harness cannot run a script");
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	return r;
}

void view_place(struct fixture *f, struct run_who who)
{
	cr_assert_eq(fixture_make(f, who), 0);
	cr_assert_eq(fixture_file(f, "out/file", "outside\n", 0644), 0);
	cr_assert_eq(fixture_dir(f, "out/dir", 0755), 0);
	cr_assert_eq(fixture_dir(f, "swap", 0755), 0);
}

void view_check(const char *backend, struct run_who who, unsigned traits,
		const char *const *conditions, const char *script, const char *expected)
{
	struct fixture f;
	struct run_result r;
	char *before = snapshot_mounts(), *after, *difference;

	view_place(&f, who);
	r = view_run(&f, backend, traits, conditions, script);
	cr_expect(r.out.data && !strcmp(r.out.data, expected), "%s, uid %d%s%s: '%s', not '%s': %s",
		  backend, who.uid, *conditions ? ", " : "", *conditions ? *conditions : "",
		  r.out.data, expected, r.err.data);
	cr_expect_eq(r.left, 0, "%s: %zu processes outlived the run", backend, r.left);
	after = snapshot_mounts();
	difference = snapshot_difference(before, after);
	cr_expect_null(difference, "%s: the host's mounts changed: %s", backend, difference);
	free(difference);
	free(before);
	free(after);
	run_release(&r);
	fixture_remove(&f);
}

void view_check_users(unsigned traits, const char *const *conditions, const char *script,
		      const char *expected)
{
	for (unsigned i = 0; i < 2; i++) {
		if (!(traits & (i ? LANDLOCK : NAMESPACE)))
			continue;
		view_check(backend_names[i], run_own(), traits, conditions, script, expected);
		if (!(traits & ROOT) && geteuid() == 0)
			view_check(backend_names[i], run_user(), traits, conditions, script,
				   expected);
	}
}
