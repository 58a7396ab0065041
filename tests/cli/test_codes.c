/* SPDX-License-Identifier: MIT */
/* Every error code is reached by a test, and the exit status says which kind of failure it was. */
#include "cli.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

/* Where each code is reached, or why it is not. */
static const struct {
	const char *code;
	const char *where;
} reached[] = {
	{ "usage", "usage/errors" },
	{ "policy-conflict", "none: hidden paths and a private /tmp, which can contradict a root, "
			     "are no options yet" },
	{ "policy-not-expressible", "bad_input/refused_as_caller" },
	{ "workspace-is-root", "bad_input/refused_as_caller" },
	{ "workspace-missing", "bad_input/refused_as_caller" },
	{ "workspace-not-a-directory", "bad_input/refused_as_caller" },
	{ "root-missing", "bad_input/refused_as_caller" },
	{ "root-refused", "bad_input/refused_as_caller" },
	{ "fd-is-directory", "codes/directory_that_is_gone" },
	{ "path-changed", "view/swapped_path" },
	{ "reserved-name", "bad_input/refused_as_caller" },
	{ "sandbox-unavailable", "chain/as_caller" },
	{ "setup-failed", "bad_input/refused_as_caller" },
	{ "exec-failed", "codes/status_of_a_failed_exec" },
	{ "internal", "none: says that memory ran out or that a table is wrong" },
};

Test(codes, each_has_a_test)
{
	for (int code = RF_CODE_NONE + 1; code <= RF_CODE_INTERNAL; code++) {
		const char *name = rf_code_name((enum rf_code)code);
		bool found = false;

		for (size_t i = 0; i < sizeof(reached) / sizeof(reached[0]); i++)
			found |= !strcmp(reached[i].code, name);
		cr_expect(found, "'%s' is reached by no test", name);
	}
}

Test(codes, status_of_a_failed_exec, .timeout = 30)
{
	static const struct {
		const char *command;
		int status;
		const char *says;
	} table[] = {
		{ "./nosuch", 127, "'./nosuch': No such file or directory" },
		{ "nosuch", 127, "'nosuch': No such file or directory" },
		{ "./file/x", 127, "'./file/x': Not a directory" },
		{ "", 127, "'': No such file or directory" },
		{ "./file", 126, "'./file': Permission denied" },
		{ "/usr", 126, "'/usr': Permission denied" },
		{ "./text", 126, "'./text': Exec format error" },
		{ "./script", 126, "'./script': interpreter '/no/such'" },
	};
	static const char *const backends[] = { "namespace", "landlock" };
	struct fixture f;

	cli_place(&f, run_own());
	cr_assert_eq(fixture_file(&f, "work/text", "text\n", 0755), 0);
	cr_assert_eq(fixture_file(&f, "work/script", "#!/no/such x\n", 0755), 0);
	for (size_t i = 0; i < 2 * sizeof(table) / sizeof(table[0]); i++) {
		struct run_result r =
			cli_run(&f, NULL,
				WORDS("--backend", backends[i % 2], "--", table[i / 2].command));

		cli_expect_error(&r, "exec-failed", table[i / 2].command);
		cr_expect_eq(run_exit_code(&r), table[i / 2].status, "'%s': %d",
			     table[i / 2].command, run_exit_code(&r));
		cr_expect(strstr(r.err.data, table[i / 2].says), "'%s'", r.err.data);
		run_release(&r);
	}
	fixture_remove(&f);
}

/* The same without a sandbox, and where the launcher has replaced itself. */
Test(codes, status_without_a_supervisor, .timeout = 30)
{
	static const char *const how[][4] = { { "--mode=danger-full-access" },
					      { "--backend=landlock", "--exec" } };
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < 4; i++) {
		const char *command = i < 2 ? "./nosuch" : "./file";
		const char *words[6] = { how[i % 2][0], "--", command };
		struct run_result r;

		if (how[i % 2][1]) {
			words[1] = how[i % 2][1];
			words[2] = "--";
			words[3] = command;
		}
		r = cli_run(&f, NULL, words);
		cli_expect_error(&r, "exec-failed", command);
		cr_expect_eq(run_exit_code(&r), i < 2 ? 127 : 126);
		run_release(&r);
	}
	fixture_remove(&f);
}

/* 128 + N is the launcher's own exit status, not a signal that it dies of. */
Test(codes, status_of_the_command, .timeout = 30)
{
	static const struct {
		const char *script;
		int status;
	} table[] = {
		{ "exit 0", 0 },       { "exit 1", 1 },	      { "exit 125", 125 },
		{ "exit 255", 255 },   { "kill -9 $$", 137 }, { "kill -15 $$", 143 },
		{ "kill -2 $$", 130 },
	};
	static const char *const backends[] = { "namespace", "landlock" };
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < 2 * sizeof(table) / sizeof(table[0]); i++) {
		struct run_result r = cli_run(&f, NULL,
					      WORDS("--backend", backends[i % 2], "--", "/bin/sh",
						    "-c", table[i / 2].script));

		cr_expect(WIFEXITED(r.status), "'%s'", table[i / 2].script);
		cr_expect_eq(run_exit_code(&r), table[i / 2].status, "'%s': %d",
			     table[i / 2].script, run_exit_code(&r));
		cr_expect_eq(r.err.len, 0, "'%s': '%s'", table[i / 2].script, r.err.data);
		run_release(&r);
	}
	fixture_remove(&f);
}

/* A directory that no path leads to cannot be opened again through the view. */
Test(codes, directory_that_is_gone, .timeout = 30)
{
	char path[PATH_MAX + 16];
	struct run_fd kept = { .at = 7 };
	const struct invocation how = { .fds = &kept, .fds_len = 1 };
	struct fixture f;
	struct run_result r;

	cli_place(&f, run_own());
	cr_assert_eq(fixture_dir(&f, "out/gone", 0755), 0);
	snprintf(path, sizeof(path), "%s/out/gone", f.base);
	kept.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert(kept.fd >= 0 && rmdir(path) == 0);
	r = cli_run(&f, &how,
		    WORDS("-w", "--backend", "namespace", "--keep-fd", "7", "--", "./mark"));
	cli_expect_refused(&r, "fd-is-directory", "a removed directory");
	run_release(&r);
	close(kept.fd);
	fixture_remove(&f);
}
