/* SPDX-License-Identifier: MIT */
/* The status channel: which events, in which order, with which keys and types. */
#include "events.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const backends[] = { "namespace", "landlock" };
static const struct invocation with_status = { .status = true };

static void expect_start(const struct fixture *f, json_t *start, const char *backend)
{
	static const char *const always[] = { "protect", "hide", "control-sockets" };
	static const char *const landlock[] = { "metadata", "processes" };
	const char *policy = json_string_value(json_object_get(start, "policy"));
	json_t *missing = json_object_get(start, "missing");

	expect_keys(start, start_keys);
	expect_text(start, "backend", backend);
	expect_text(start, "enforcement", "unproved");
	expect_text(start, "mode", "workspace-write");
	expect_text(start, "workspace", f->work);
	cr_expect(policy && strlen(policy) == 71 && !strncmp(policy, "sha256:", 7), "'%s'", policy);
	cr_expect_gt(json_integer_value(json_object_get(start, "pid")), 1);
	for (size_t i = 0; i < 3; i++)
		cr_expect(has_text(missing, always[i]), "'%s' is not missing", always[i]);
	for (size_t i = 0; i < 2; i++)
		cr_expect_eq(has_text(missing, landlock[i]), !strcmp(backend, "landlock"),
			     "'%s' on %s", landlock[i], backend);
	cr_expect_not(has_text(missing, "write") || has_text(missing, "kernel") ||
		      has_text(missing, "privilege"));
}

static void check_run(const char *backend, struct run_who who)
{
	struct fixture f;
	struct run_result r;
	json_t *events, *end;

	cli_place(&f, who);
	r = cli_run(&f, &with_status,
		    WORDS("-w", "--quiet", "--backend", backend, "--status-fd", "60", "--",
			  "/bin/sh", "-c", "sleep 60 & sleep 0.05; exit 7"));
	cr_expect_eq(run_exit_code(&r), 7);
	events = cli_events(&r);
	expect_start(&f, cli_event(events, 0, "start"), backend);
	end = cli_event(events, 1, "exit");
	cr_expect_eq(json_array_size(events), 2);
	expect_keys(end, exit_keys);
	expect_number(end, "code", 7);
	expect_number(end, "signal", -1);
	cr_expect(json_is_null(json_object_get(end, "limit")));
	cr_expect_geq(json_integer_value(json_object_get(end, "duration_ms")), 50);
	cr_expect_lt(json_integer_value(json_object_get(end, "duration_ms")), 10000);
	cr_expect_gt(json_integer_value(json_object_get(end, "max_rss_kb")), 100);
	expect_number(end, "descendants_killed", 1);
	json_decref(events);
	run_release(&r);
	fixture_remove(&f);
}

Test(status, start_and_exit, .timeout = 30)
{
	for (size_t i = 0; i < 2; i++) {
		check_run(backends[i], run_own());
		check_run(backends[i], run_user());
	}
}

Test(status, killed_by_a_signal, .timeout = 30)
{
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < 2; i++) {
		struct run_result r = cli_run(&f, &with_status,
					      WORDS("--backend", backends[i], "--status-fd=60",
						    "--", "/bin/sh", "-c", "kill -9 $$"));
		json_t *events = cli_events(&r), *end = cli_event(events, 1, "exit");

		expect_keys(end, exit_keys);
		expect_number(end, "code", -1);
		expect_number(end, "signal", 9);
		expect_number(end, "descendants_killed", 0);
		json_decref(events);
		run_release(&r);
	}
	fixture_remove(&f);
}

/* After the start event nobody is left to write: it is the only one. */
Test(status, exec_ends_with_the_start, .timeout = 30)
{
	struct fixture f;
	struct run_result r;
	json_t *events;

	cli_place(&f, run_own());
	r = cli_run(&f, &with_status,
		    WORDS("-w", "--backend=landlock", "--exec", "--status-fd=60", "--", "/bin/sh",
			  "-c", "echo $$"));
	events = cli_events(&r);
	cr_expect_eq(json_array_size(events), 1);
	expect_start(&f, cli_event(events, 0, "start"), "landlock");
	cr_expect(has_text(json_object_get(json_array_get(events, 0), "missing"), "lifetime"));
	expect_number(json_array_get(events, 0), "pid", atoi(r.out.data));
	json_decref(events);
	run_release(&r);
	fixture_remove(&f);
}

Test(status, unconfined, .timeout = 30)
{
	struct fixture f;
	struct run_result r;
	json_t *events, *start;

	cli_place(&f, run_own());
	r = cli_run(&f, &with_status,
		    WORDS("--mode=danger-full-access", "--status-fd=60", "--", "/bin/sh", "-c",
			  "echo $$; test -e /proc/self/fd/60"));
	events = cli_events(&r);
	start = cli_event(events, 0, "start");
	cr_expect_eq(json_array_size(events), 1);
	expect_keys(start, unconfined_keys);
	expect_text(start, "enforcement", "none");
	expect_text(start, "mode", "danger-full-access");
	cr_expect_eq(json_array_size(json_object_get(start, "missing")), 0);
	expect_number(start, "pid", atoi(r.out.data));
	cr_expect_eq(run_exit_code(&r), 1, "the command has the status channel");
	json_decref(events);
	run_release(&r);
	fixture_remove(&f);
}

/* The pid is one of the launcher's own world, so that a supervisor can use it. */
Test(status, pid_is_the_command, .timeout = 30)
{
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < 2; i++) {
		struct run_result r =
			cli_run(&f, &with_status,
				WORDS("--backend", backends[i], "--status-fd=60", "--", "/bin/sh",
				      "-c",
				      "sed -n 's/^NSpid:\\t\\([0-9]*\\).*/\\1/p' /proc/$$/status"));
		json_t *events = cli_events(&r), *start = cli_event(events, 0, "start");

		/* the namespaces inside see their own number only, the other backend the same one
		 */
		if (i == 1)
			expect_number(start, "pid", atoi(r.out.data));
		else
			cr_expect_neq(json_integer_value(json_object_get(start, "pid")),
				      atoi(r.out.data));
		json_decref(events);
		run_release(&r);
	}
	fixture_remove(&f);
}

Test(status, not_inherited, .timeout = 30)
{
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < 2; i++) {
		struct run_result r =
			cli_run(&f, &with_status,
				WORDS("--backend", backends[i], "--status-fd=60", "--", "/bin/sh",
				      "-c", "for f in /proc/$$/fd/*; do readlink $f; done"));
		size_t pipes = 0;

		for (const char *at = r.out.data; (at = strstr(at, "pipe:")); at++)
			pipes++;
		/* stdout and stderr are pipes; the channel would be a third */
		cr_expect_eq(pipes, 2, "%zu pipes: '%s'", pipes, r.out.data);
		run_release(&r);
	}
	fixture_remove(&f);
}

/* Policies that are alike have one name, others have others. */
Test(status, policy_is_named_by_its_content, .timeout = 30)
{
	static const char *const variants[][4] = {
		{ "--net=off", "--env=inherit" },  { "--env=inherit", "--net=off" },
		{ "--net=host", "--env=inherit" }, { "--net=off", "--env=clean" },
		{ "--net=off", "--allow-userns" }, { "--net=off", "--write=/tmp" },
	};
	char *name[6];
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < 6; i++) {
		struct run_result r = cli_run(&f, &with_status,
					      WORDS("-w", "--status-fd=60", variants[i][0],
						    variants[i][1], "--", "true"));
		json_t *events = cli_events(&r);

		name[i] = strdup(json_string_value(
			json_object_get(cli_event(events, 0, "start"), "policy")));
		json_decref(events);
		run_release(&r);
	}
	cr_expect_str_eq(name[0], name[1]);
	for (size_t i = 2; i < 6; i++)
		for (size_t j = 1; j < i; j++)
			cr_expect_str_neq(name[i], name[j], "%zu and %zu", i, j);
	for (size_t i = 0; i < 6; i++)
		free(name[i]);
	fixture_remove(&f);
}
