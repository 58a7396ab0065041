/* SPDX-License-Identifier: MIT */
/* The words of the command line: what is understood, and what is a usage error. */
#include "cli.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/snapshot.h"

#define MARK "--", "./mark"
#define WORDS_MAX 10

/* A usage error, whose message holds `says`. */
static const struct {
	const char *words[WORDS_MAX];
	const char *says;
} errors[] = {
	{ { "nosuch" }, "'nosuch'" },
	{ { "ru", MARK }, "'ru'" },
	{ { "--nosuch", MARK }, "'--nosuch'" },
	{ { "run", "--nosuch=1", MARK }, "'--nosuch'" },
	{ { "run", "-x", MARK }, "'-x'" },
	{ { "run", "-wx", MARK }, "'-wx'" },
	{ { "run", "--W", MARK }, "'--W'" },
	{ { "run", "-", MARK }, "'-'" },
	{ { "run", "", MARK }, "''" },
	/* an abbreviation that is unique today is another option's name tomorrow */
	{ { "run", "--mod", "read-only", MARK }, "'--mod'" },
	{ { "run", "--mod=read-only", MARK }, "'--mod'" },
	{ { "run", "--works", ".", MARK }, "'--works'" },
	{ { "run", "--q", MARK }, "'--q'" },
	{ { "run", "--write-if", "/tmp", MARK }, "'--write-if'" },
	{ { "run", "-mode", "read-only", MARK }, "'-mode'" },
	{ { "run" }, "--" },
	{ { "run", "-w" }, "--" },
	{ { "run", "--" }, "command" },
	{ { "--" }, "command" },
	{ { "run", "./mark" }, "'./mark'" },
	{ { "run", "-w", "./mark", "--", "x" }, "'./mark'" },
	{ { "run", "--mode" }, "'--mode'" },
	{ { "run", "-w", "--workspace" }, "'--workspace'" },
	/* the value of an option may be --, and then the command's own is missing */
	{ { "run", "--mode", "--", "./mark" }, "'--'" },
	{ { "run", "--workspace", "--", "./mark" }, "'./mark'" },
	{ { "run", "--quiet=1", MARK }, "--quiet" },
	{ { "run", "-w=1", MARK }, "-w=1" },
	{ { "run", "--mode=", MARK }, "''" },
	{ { "run", "--mode", "write", MARK }, "'write'" },
	{ { "run", "--mode", "Read-Only", MARK }, "'Read-Only'" },
	{ { "run", "--net", "loopback", MARK }, "'loopback'" },
	{ { "run", "--net", "on", MARK }, "'on'" },
	{ { "run", "--env", "safe", MARK }, "'safe'" },
	{ { "run", "--env", "none", MARK }, "'none'" },
	{ { "run", "--backend", "bwrap", MARK }, "'bwrap'" },
	{ { "run", "--setenv", "A", MARK }, "'A'" },
	{ { "run", "--setenv", "=x", MARK }, "''" },
	{ { "run", "--unsetenv", "", MARK }, "''" },
	{ { "run", "--unsetenv", "A=x", MARK }, "'A=x'" },
	{ { "run", "--keep-env", "", MARK }, "''" },
	{ { "run", "--status-fd", "x", MARK }, "'x'" },
	{ { "run", "--status-fd", "", MARK }, "''" },
	{ { "run", "--status-fd", "-1", MARK }, "'-1'" },
	{ { "run", "--status-fd", "+5", MARK }, "'+5'" },
	{ { "run", "--status-fd", " 5", MARK }, "' 5'" },
	{ { "run", "--status-fd", "5x", MARK }, "'5x'" },
	{ { "run", "--status-fd", "0x5", MARK }, "'0x5'" },
	{ { "run", "--status-fd", "5.0", MARK }, "'5.0'" },
	{ { "run", "--status-fd", "2", MARK }, "'2'" },
	{ { "run", "--status-fd", "4294967301", MARK }, "'4294967301'" },
	{ { "run", "--status-fd", "99999999999999999999", MARK }, "'99999999999999999999'" },
	{ { "run", "--status-fd", "77", MARK }, "77" },
	{ { "run", "--keep-fd", "77", MARK }, "77" },
	{ { "run", "--keep-fd", "2", MARK }, "'2'" },
	{ { "run", "--keep-fd", "2147483648", MARK }, "'2147483648'" },
	{ { "run", "--cap-abi", "one", MARK }, "'one'" },
	{ { "run", "--cap-abi", "-1", MARK }, "'-1'" },
	{ { "run", "--chdir", "nothing", MARK }, "'nothing'" },
	{ { "run", "--chdir", "file", MARK }, "'file'" },
	{ { "run", "--chdir", "", MARK }, "''" },
	{ { "help", "nosuch" }, "'nosuch'" },
	{ { "help", "run", "more" }, "'more'" },
	{ { "probe" }, "'probe'" },
};

/* Options of work that is still to come are refused, never accepted and ignored. */
static const char *const later[] = {
	"--protect",   "--protect-if-present",
	"--git",       "--hide",
	"--show",      "--secrets",
	"--tmp",       "--device",
	"--sockets",   "--allow-socket",
	"--limit",     "--require",
	"--policy",    "--session",
	"--ceiling",   "--grant",
	"--report-fd", "--timeout",
	"--json",
};

static void expect_usage(const struct fixture *f, const char *const *words, const char *says)
{
	char *before = snapshot_tree(f->base), *after, what[256] = "", *difference;
	struct run_result r = cli_run(f, NULL, words);

	for (; *words; words++)
		snprintf(what + strlen(what), sizeof(what) - strlen(what), "%s ", *words);
	cli_expect_refused(&r, "usage", what);
	cr_expect(r.err.data && strstr(r.err.data, says), "%s: '%s' does not name %s", what,
		  r.err.data, says);
	after = snapshot_tree(f->base);
	difference = snapshot_difference(before, after);
	cr_expect_null(difference, "%s: changed: %s", what, difference);
	free(difference);
	free(before);
	free(after);
	run_release(&r);
}

Test(usage, errors, .timeout = 60)
{
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		expect_usage(&f, errors[i].words, errors[i].says);
	fixture_remove(&f);
}

Test(usage, options_of_later_work, .timeout = 60)
{
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		expect_usage(&f, WORDS("run", later[i], "1", MARK), later[i]);
	fixture_remove(&f);
}

/* What runs; each has to leave the mark, and to print nothing. */
static const char *const good[][WORDS_MAX] = {
	{ "-w", MARK },
	{ "run", "-w", MARK },
	{ "run", "--mode", "workspace-write", MARK },
	{ "run", "--mode=workspace-write", MARK },
	{ "--mode=workspace-write", MARK },
	{ "run", "--mode", "read-only", "-w", MARK }, /* the last one counts */
	{ "run", "-w", "--workspace", ".", MARK },
	{ "run", "-w", "--workspace=BASE/work", MARK },
	{ "run", "-w", "--workspace", "BASE/out/../work", MARK },
	{ "run", "-w", "--workspace", "/", "--workspace", "BASE/work", MARK },
	{ "run", "-w", "--write", "BASE/out", "--write=BASE/out", MARK },
	{ "run", "-w", "--write-if-present", "BASE/out", "--write-if-present=BASE/no", MARK },
	{ "run", "-w", "--net", "off", MARK },
	{ "run", "-w", "--net=host", MARK },
	{ "run", "-w", "--env=inherit", MARK },
	{ "run", "-w", "--env", "clean", MARK },
	{ "run", "-w", "--setenv", "A=1", "--setenv=B=", MARK },
	{ "run", "-w", "--unsetenv=A", "--unsetenv", "A", MARK },
	{ "run", "-w", "--env=clean", "--keep-env", "A", MARK },
	{ "run", "-w", "--backend", "auto", MARK },
	{ "run", "-w", "--backend=namespace", MARK },
	{ "run", "-w", "--backend=landlock", MARK },
	{ "run", "-w", "--backend=landlock", "--exec", MARK },
	{ "run", "-w", "--allow-userns", MARK },
	{ "run", "-w", "--chdir", "BASE/out", "--", "BASE/work/mark" },
	{ "run", "-w", "--chdir=.", MARK },
	{ "run", "-w", "--quiet", "--quiet", MARK },
	{ "run", "-w", "--cap-abi", "1", "--backend=landlock", MARK },
	{ "run", "-w", "--cap-abi=0", "--backend=namespace", MARK },
	{ "run", "-w", "--cap-abi", "99", MARK },
	{ "run", "--mode", "danger-full-access", MARK },
	{ "--mode=danger-full-access", "--net=host", MARK },
	{ "run", "-w", "--", "./mark", "--", "--mode", "-x" }, /* all the command's own */
};

static void expect_run(const struct fixture *f, const char *const *words)
{
	struct run_result r = cli_run(f, NULL, words);
	char mark[PATH_MAX + 8], what[256] = "";

	for (; *words; words++)
		snprintf(what + strlen(what), sizeof(what) - strlen(what), "%s ", *words);
	snprintf(mark, sizeof(mark), "%s/ran", f->work);
	cr_expect_eq(run_exit_code(&r), 0, "%s: status %d: %s", what, run_exit_code(&r),
		     r.err.data);
	cr_expect_eq(r.err.len + r.out.len, 0, "%s: printed '%s%s'", what, r.out.data, r.err.data);
	cr_expect_eq(remove(mark), 0, "%s: the command did not run", what);
	run_release(&r);
}

Test(usage, every_option, .timeout = 60)
{
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect_run(&f, good[i]);
	fixture_remove(&f);
}

Test(usage, every_option_as_user, .timeout = 60)
{
	struct fixture f;

	cli_place(&f, run_user());
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect_run(&f, good[i]);
	fixture_remove(&f);
}

/* Every option that the help lists is one that a test above gives. */
Test(usage, help_lists_what_is_tested, .timeout = 20)
{
	struct fixture f;
	struct run_result r;
	char option[64];
	size_t listed = 0;

	cli_place(&f, run_own());
	r = cli_run(&f, NULL, WORDS("help", "run"));
	cr_expect_eq(run_exit_code(&r), 0);
	for (char *line = strtok(r.out.data, "\n"); line; line = strtok(NULL, "\n")) {
		bool tested = false;

		if (sscanf(line, " -%60[a-z-]", option) != 1 || line[0] != ' ')
			continue;
		listed++;
		for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
			for (size_t j = 0; j < WORDS_MAX && good[i][j]; j++)
				tested |= good[i][j][0] == '-' &&
					  !strncmp(good[i][j] + 1, option, strlen(option));
		/* the two that need a descriptor have tests of their own */
		cr_expect(tested || !strcmp(option, "-status-fd") || !strcmp(option, "-keep-fd"),
			  "'-%s' is in no test", option);
	}
	cr_expect_geq(listed, 15, "only %zu options are listed", listed);
	run_release(&r);
	fixture_remove(&f);
}

Test(usage, help_and_version, .timeout = 20)
{
	static const struct {
		const char *words[3];
		const char *says;
	} table[] = {
		{ { "--help" }, "usage: ringfence" },
		{ { "help" }, "usage: ringfence" },
		{ { "help", "run" }, "--workspace" },
		{ { "run", "--help" }, "--workspace" },
		{ { "help", "help" }, "usage: ringfence help" },
		{ { "--version" }, "ringfence " },
	};
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct run_result r = cli_run(&f, NULL, table[i].words);

		cr_expect_eq(run_exit_code(&r), 0, "'%s'", table[i].words[0]);
		cr_expect(r.out.data && strstr(r.out.data, table[i].says), "'%s'", r.out.data);
		cr_expect_eq(r.err.len, 0, "'%s'", r.err.data);
		run_release(&r);
	}
	fixture_remove(&f);
}
