/* SPDX-License-Identifier: MIT */
/* Bad input: one line, the right code, status 125; nothing ran and nothing changed. */
#include "cli.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/snapshot.h"

#define MARK "--", "BASE/work/mark"
#define WORDS_MAX 12
#define AS_USER 1 /* what root could do anyway */
#define DELETED 2 /* started in a directory that is gone */

static const struct {
	const char *code;
	const char *words[WORDS_MAX];
	unsigned traits;
} refused[] = {
	{ "workspace-is-root", { "-w", "--workspace", "/", MARK } },
	{ "workspace-is-root", { "--workspace", "/", MARK } },
	{ "workspace-is-root", { "-w", "--workspace", "/usr/..", MARK } },
	{ "workspace-is-root", { "-w", "--workspace", "BASE/out/to-root", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/gone", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/gone/below", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/out/file/below", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/out/dangling", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/out/loop", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/out/closed", MARK }, AS_USER },
	{ "workspace-missing", { "-w", "--workspace", "BASE/out/closed/in", MARK }, AS_USER },
	{ "workspace-missing", { "-w", MARK }, DELETED },
	{ "workspace-not-a-directory", { "-w", "--workspace", "BASE/out/file", MARK } },
	{ "workspace-not-a-directory", { "--workspace", "BASE/work/file", MARK } },
	{ "workspace-not-a-directory", { "-w", "--workspace", "/dev/null", MARK } },
	{ "root-missing", { "-w", "--write", "BASE/gone", MARK } },
	{ "root-missing", { "-w", "--write", "", MARK } },
	{ "root-missing", { "-w", "--write", "BASE/out/file/below", MARK } },
	{ "root-missing", { "-w", "--write", "BASE/out/dangling", MARK } },
	{ "root-missing", { "--write", "BASE/gone", MARK } },
	/* one missing path changes nothing for another, and there are no two lines */
	{ "root-missing",
	  { "-w", "--write", "BASE/out", "--write", "BASE/gone", "--write", "BASE/g", MARK } },
	{ "root-missing", { "-w", "--write-if-present", "BASE/out/closed/in", MARK }, AS_USER },
	{ "root-refused", { "-w", "--write", "/", MARK } },
	{ "root-refused", { "-w", "--write", "/tmp/..", MARK } },
	{ "root-refused", { "-w", "--write", "BASE", MARK } },
	{ "root-refused", { "-w", "--write", "/proc", MARK } },
	{ "root-refused", { "-w", "--write", "/proc/self", MARK } },
	{ "root-refused", { "-w", "--write", "/proc/sys/kernel", MARK } },
	{ "root-refused", { "-w", "--write", "/sys", MARK } },
	{ "root-refused", { "-w", "--write", "/sys/kernel", MARK } },
	{ "root-refused", { "-w", "--write", "/dev", MARK } },
	{ "root-refused", { "-w", "--write", "/dev/shm", MARK } },
	{ "root-refused", { "-w", "--write", "BASE/out/to-root", MARK } },
	{ "root-refused", { "-w", "--write-if-present", "/proc", MARK } },
	{ "root-refused", { "--write", "/", MARK } },
	{ "root-refused", { "-w", "--workspace", "/proc/self", MARK } },
	{ "root-refused", { "-w", "--workspace", "/sys", MARK } },
	{ "root-refused", { "-w", "--workspace", "/dev", MARK } },
	{ "reserved-name", { "-w", "--setenv", "RINGFENCE=0", MARK } },
	{ "reserved-name", { "-w", "--setenv", "RINGFENCE_MODE=x", MARK } },
	{ "reserved-name", { "-w", "--setenv", "TMPDIR=/tmp", MARK } },
	{ "reserved-name", { "-w", "--setenv", "LD_PRELOAD=x", MARK } },
	{ "reserved-name", { "-w", "--setenv", "PATH=/tmp", MARK } },
	{ "reserved-name", { "-w", "--setenv", "BASH_ENV=x", MARK } },
	{ "reserved-name", { "-w", "--unsetenv", "RINGFENCE", MARK } },
	{ "policy-not-expressible", { "-w", "--backend", "namespace", "--exec", MARK } },
	{ "policy-not-expressible",
	  { "--mode", "danger-full-access", "--write", "BASE/out", MARK } },
	{ "policy-not-expressible", { "--mode", "danger-full-access", "--net", "off", MARK } },
	{ "policy-not-expressible", { "--mode", "danger-full-access", "--env", "clean", MARK } },
	{ "policy-not-expressible",
	  { "--mode", "danger-full-access", "--backend", "landlock", MARK } },
	{ "policy-not-expressible", { "--net", "off", "--mode", "danger-full-access", MARK } },
	{ "usage", { "-w", "--chdir", "BASE/gone", MARK } },
	{ "setup-failed", { "-w", "--workspace", "BASE/work", MARK }, DELETED },
};

/* Bytes that would make two lines of one. */
static const struct {
	const char *code;
	const char *words[WORDS_MAX];
} odd[] = {
	{ "workspace-missing",
	  { "-w", "--workspace", "BASE/a\nringfence: error: usage: b", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/\033[31m\r\t\001\177", MARK } },
	{ "workspace-missing", { "-w", "--workspace", "BASE/\377\376", MARK } },
	{ "root-missing", { "-w", "--write", "BASE/a\nb", MARK } },
	{ "usage", { "-w", "--no\nsuch", MARK } },
	{ "usage", { "--mode", "a\nb", MARK } },
	{ "usage", { "a\nb" } },
	{ "reserved-name", { "--setenv", "PATH=a\nb", MARK } },
	{ "exec-failed", { "--", "./a\nb\033" } },
};

static void prepare(const struct fixture *f)
{
	cr_assert_eq(fixture_link(f, "out/to-root", "/"), 0);
	cr_assert_eq(fixture_link(f, "out/dangling", "nothing"), 0);
	cr_assert_eq(fixture_link(f, "out/loop", "loop"), 0);
	cr_assert_eq(fixture_dir(f, "out/closed", 0700), 0);
	cr_assert_eq(fixture_dir(f, "out/closed/in", 0755), 0);
	cr_assert_eq(fixture_dir(f, "deleted", 0755), 0);
}

static void close_directory(const struct fixture *f)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/out/closed", f->base);
	cr_assert_eq(chmod(path, 0), 0);
}

static const char *join_words(const char *const *words)
{
	static char text[512];

	text[0] = '\0';
	for (; *words; words++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ", *words);
	return text;
}

/* The launcher is started by a shell that removes its own directory first. */
static struct run_result run_deleted(const struct fixture *f, const char *const *words)
{
	char script[] =
		"cd ../deleted && rmdir ../deleted && \"$@\"; s=$?; mkdir ../deleted; exit $s";
	const char *argv[WORDS_MAX + 8] = { "/bin/sh", "-c", script, "sh", launcher_path() };
	const struct run_spec spec = { .argv = argv, .who = f->who, .cwd = f->work };
	struct run_result r;
	char workspace[PATH_MAX];
	size_t n = 5;

	snprintf(workspace, sizeof(workspace), "%s", f->work);
	for (; *words; words++)
		argv[n++] = !strcmp(*words, "BASE/work")	? workspace
			    : !strcmp(*words, "BASE/work/mark") ? "../work/mark"
								: *words;
	cr_assert_eq(run_command(&spec, &r), 0);
	return r;
}

/* A closed directory is closed to the snapshot as well, unless root takes it. */
static const char *visible(const struct fixture *f)
{
	return geteuid() == 0 ? f->base : f->work;
}

static void expect_nothing_changed(const struct fixture *f, const char *before, const char *what)
{
	char *after = snapshot_tree(visible(f)), *difference;

	difference = snapshot_difference(before, after);
	cr_expect_null(difference, "%s: %s", what, difference);
	free(difference);
	free(after);
}

static void check_refusals(struct run_who who)
{
	struct fixture f;

	cli_place(&f, who);
	prepare(&f);
	close_directory(&f);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const char *const *words = refused[i].words, *what = join_words(words);
		struct run_result r;
		char *before;

		if (refused[i].traits & AS_USER && who.uid == 0)
			continue;
		before = snapshot_tree(visible(&f));
		r = refused[i].traits & DELETED ? run_deleted(&f, words) : cli_run(&f, NULL, words);
		cli_expect_refused(&r, refused[i].code, what);
		if (!(refused[i].traits & DELETED))
			expect_nothing_changed(&f, before, what);
		run_release(&r);
		free(before);
	}
	fixture_remove(&f);
}

Test(bad_input, refused_as_caller, .timeout = 60)
{
	check_refusals(run_own());
}

Test(bad_input, refused_as_user, .timeout = 60)
{
	check_refusals(run_user());
}

Test(bad_input, any_bytes_stay_one_line, .timeout = 60)
{
	struct fixture f;

	cli_place(&f, run_own());
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		char *before = snapshot_tree(visible(&f));
		struct run_result r = cli_run(&f, NULL, odd[i].words);

		cli_expect_error(&r, odd[i].code, join_words(odd[i].words));
		expect_nothing_changed(&f, before, odd[i].code);
		run_release(&r);
		free(before);
	}
	fixture_remove(&f);
}

/* A TMPDIR that is no good is left out with one notice, and the run goes on. */
static const struct {
	const char *tmpdir;
	bool writable; /* it is part of another root anyway */
	unsigned traits;
} temporary[] = {
	{ "TMPDIR=/", false },
	{ "TMPDIR=tmp", false },
	{ "TMPDIR=/etc", false, AS_USER },
	{ "TMPDIR=BASE", false },
	{ "TMPDIR=BASE/gone", false },
	{ "TMPDIR=BASE/out/file", false },
	{ "TMPDIR=/home", false },
	{ "TMPDIR=BASE/out", true },
	{ "TMPDIR=/tmp", true },
	{ "TMPDIR=BASE/work", true },
	{ "TMPDIR=", true },
};

static void check_temporary(const struct fixture *f, size_t i, bool quiet)
{
	char value[PATH_MAX + 16];
	const char *at = strstr(temporary[i].tmpdir, "BASE");
	const char *env[] = { "PATH=/usr/bin:/bin", value, NULL };
	const struct invocation how = { .env = env };
	struct run_result r;
	bool expected = !quiet && !temporary[i].writable;

	snprintf(value, sizeof(value), "TMPDIR=%s%s", at ? f->base : temporary[i].tmpdir + 7,
		 at ? at + 4 : "");
	r = cli_run(f, &how,
		    quiet ? WORDS("-w", "--quiet", "--", "true") : WORDS("-w", "--", "true"));
	cr_expect_eq(run_exit_code(&r), 0, "%s: %s", value, r.err.data);
	cr_expect_eq(r.err.len != 0, expected, "%s: '%s'", value, r.err.data);
	if (expected) {
		cr_expect(!strncmp(r.err.data, "ringfence: notice: TMPDIR '", 27), "'%s'",
			  r.err.data);
		cr_expect_eq(strchr(r.err.data, '\n'), r.err.data + r.err.len - 1, "'%s'",
			     r.err.data);
	}
	run_release(&r);
}

static void check_all_temporary(struct run_who who)
{
	struct fixture f;

	cli_place(&f, who);
	for (size_t i = 0; i < sizeof(temporary) / sizeof(temporary[0]); i++) {
		if (temporary[i].traits & AS_USER && who.uid == 0)
			continue;
		check_temporary(&f, i, false);
		check_temporary(&f, i, true);
	}
	fixture_remove(&f);
}

Test(bad_input, temporary_directory_as_caller, .timeout = 60)
{
	check_all_temporary(run_own());
}

Test(bad_input, temporary_directory_as_user, .timeout = 60)
{
	check_all_temporary(run_user());
}
