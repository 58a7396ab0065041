/* SPDX-License-Identifier: MIT */
/* The status channel where nothing runs. */
#include "events.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const backends[] = { "namespace", "landlock" };
static const struct invocation with_status = { .status = true };

/* The command may end with 125 to 127 itself: the channel tells that apart. */
Test(status, exec_failed, .timeout = 30)
{
	static const struct {
		const char *command, *error, *interpreter;
	} table[] = {
		{ "./nosuch", "ENOENT", NULL },	      { "nosuch", "ENOENT", NULL },
		{ "./file", "EACCES", NULL },	      { "./text", "ENOEXEC", NULL },
		{ "./script", "ENOENT", "/no/such" },
	};
	struct fixture f;

	cli_place(&f, run_own());
	cr_assert_eq(fixture_file(&f, "work/text", "text\n", 0755), 0);
	cr_assert_eq(fixture_file(&f, "work/script", "#!/no/such x\n", 0755), 0);
	for (size_t i = 0; i < 2 * sizeof(table) / sizeof(table[0]); i++) {
		struct run_result r = cli_run(&f, &with_status,
					      WORDS("--backend", backends[i % 2], "--status-fd=60",
						    "--", table[i / 2].command));
		json_t *events = cli_events(&r), *failed;

		cli_event(events, 0, "start");
		failed = cli_event(events, 1, "exec-failed");
		cr_expect_eq(json_array_size(events), 2, "'%s'", table[i / 2].command);
		expect_keys(failed, failed_keys);
		expect_text(failed, "errno", table[i / 2].error);
		expect_text(failed, "path", table[i / 2].command);
		if (table[i / 2].interpreter)
			expect_text(failed, "interpreter", table[i / 2].interpreter);
		else
			cr_expect(json_is_null(json_object_get(failed, "interpreter")));
		json_decref(events);
		run_release(&r);
	}
	fixture_remove(&f);
}

/* A refusal is one event, whatever it was that refused. */
Test(status, refused, .timeout = 30)
{
	static const struct {
		const char *code;
		const char *words[4];
	} table[] = {
		{ "root-missing", { "--write", "BASE/gone" } },
		{ "root-missing", { "--write", "BASE/a\n\"\\\377" } },
		{ "root-refused", { "--write", "/proc" } },
		{ "workspace-is-root", { "--workspace", "/" } },
		{ "workspace-missing", { "--workspace", "BASE/gone" } },
		{ "policy-not-expressible", { "--backend=namespace", "--exec" } },
		{ "policy-not-expressible", { "--mode=danger-full-access", "--net=off" } },
		{ "reserved-name", { "--setenv", "PATH=x" } },
	};
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct run_result r = cli_run(&f, &with_status,
					      WORDS("--status-fd=60", "-w", table[i].words[0],
						    table[i].words[1], "--", "./mark"));
		json_t *events = cli_events(&r);

		cli_expect_refused(&r, table[i].code, table[i].words[1]);
		cr_expect_eq(json_array_size(events), 1, "%s %s: %zu events", table[i].code,
			     table[i].words[1], json_array_size(events));
		if (json_array_size(events) == 1) {
			json_t *event = cli_event(events, 0, "refused");

			expect_keys(event, refused_keys);
			expect_text(event, "code", table[i].code);
			/* the same words as on stderr */
			cr_expect(strstr(r.err.data,
					 json_string_value(json_object_get(event, "message"))) ||
					  strchr(table[i].words[1], '\n'),
				  "'%s'", r.err.data);
		}
		json_decref(events);
		run_release(&r);
	}
	fixture_remove(&f);
}

Test(status, kept_and_channel_at_once, .timeout = 30)
{
	struct fixture f;
	struct run_result r;

	cli_place(&f, run_own());
	r = cli_run(&f, &with_status, WORDS("--keep-fd=60", "--status-fd=60", "--", "./mark"));
	cli_expect_refused(&r, "usage", "one descriptor for two uses");
	run_release(&r);
	fixture_remove(&f);
}

/* Without a reader the caller could never know that something runs. */
Test(status, reader_is_gone, .timeout = 30)
{
	struct fixture f;
	int ends[2];
	struct run_fd fd = { .at = 61 };
	const struct invocation how = { .fds = &fd, .fds_len = 1 };

	cli_place(&f, run_own());
	cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	fd.fd = ends[1];
	for (size_t i = 0; i < 2; i++) {
		struct run_result r = cli_run(&f, &how,
					      WORDS("-w", "--backend", backends[i],
						    "--status-fd=61", "--", "./mark"));
		char mark[PATH_MAX + 8];

		cr_expect_eq(run_exit_code(&r), REFUSED, "%s: status %d", backends[i],
			     run_exit_code(&r));
		snprintf(mark, sizeof(mark), "%s/ran", f.work);
		cr_expect_neq(access(mark, F_OK), 0, "%s: the command ran", backends[i]);
		run_release(&r);
	}
	close(ends[1]);
	fixture_remove(&f);
}
