/* SPDX-License-Identifier: MIT */
/* What a policy names, found in a real tree: each failure by its code, and nothing left open. */
#include "child.h"

#include "policy/policy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * base/
 * ├── work/            the current directory
 * │   └── file
 * ├── cache/
 * ├── link -> cache
 * ├── dangling -> nowhere
 * ├── pipe
 * └── closed/          mode 000, with a directory in it
 */
static char base[] = "/var/tmp/ringfence-resolve.XXXXXX";

static void make_tree(void)
{
	cr_assert_not_null(mkdtemp(base));
	cr_assert_eq(chmod(base, 0755), 0);
	cr_assert_eq(chdir(base), 0);
	cr_assert_eq(mkdir("work", 0755), 0);
	cr_assert_eq(mkdir("cache", 0755), 0);
	cr_assert_eq(mkdir("closed", 0755), 0);
	cr_assert_eq(mkdir("closed/in", 0755), 0);
	cr_assert_eq(chmod("closed", 0), 0);
	cr_assert_eq(symlink("cache", "link"), 0);
	cr_assert_eq(symlink("nowhere", "dangling"), 0);
	cr_assert_eq(mkfifo("pipe", 0644), 0);
	cr_assert_eq(chdir("work"), 0);
	close(open("file", O_CREAT | O_WRONLY, 0644));
}

static void remove_tree(void)
{
	static const char *const files[] = { "work/file", "link", "dangling", "pipe" };
	static const char *const directories[] = { "work", "cache", "closed/in", "closed" };

	cr_expect_eq(chdir(base), 0);
	chmod("closed", 0755);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		unlink(files[i]);
	for (size_t i = 0; i < ARRAY_LEN(directories); i++)
		rmdir(directories[i]);
	cr_expect_eq(chdir("/"), 0);
	cr_expect_eq(rmdir(base), 0);
}

TestSuite(resolve, .init = make_tree, .fini = remove_tree, .timeout = 30);

/* A named backend: with `auto` the low copies of descriptors stay open, to be closed all at once.
 */
static struct rf_policy policy_of(enum rf_mode mode)
{
	return (struct rf_policy){ .mode = mode, .backend = RF_BACKEND_NAMESPACE };
}

static const char *below(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

Test(resolve, read_only_looks_at_nothing_else)
{
	struct rf_policy policy = policy_of(RF_MODE_READ_ONLY);
	int before = child_count_fds();
	struct rf_found found;

	cr_assert_eq(rf_resolve(&policy, NULL, base, &found, NULL), 0);
	cr_expect_str_eq(found.workspace.path, below("work"));
	cr_expect_eq(found.uid, geteuid());
	cr_expect_eq(found.gid, getegid());
	cr_expect_eq(found.directory.fd, -1);
	cr_expect_eq(rf_found_directory(&found), &found.workspace);
	cr_expect_eq(found.tmp.fd, -1);
	cr_expect_eq(found.tmpdir.fd, -1);
	cr_expect_null(found.tmpdir_skipped);
	cr_expect_eq(found.extra_len, 0);
	cr_expect_eq(found.kernel_mounts.len, 0);
	rf_found_release(&found);
	cr_expect_eq(child_count_fds(), before);
}

Test(resolve, workspace_write_finds_the_built_in_roots)
{
	struct rf_policy policy = policy_of(RF_MODE_WORKSPACE_WRITE);
	int before = child_count_fds();
	struct rf_found found;

	cr_assert_eq(rf_resolve(&policy, NULL, below("link"), &found, NULL), 0);
	cr_expect_str_eq(found.tmp.path, "/tmp");
	cr_expect_str_eq(found.tmpdir.path, below("cache"), "the link is followed");
	cr_expect_null(found.tmpdir_skipped);
	rf_found_release(&found);
	cr_expect_eq(child_count_fds(), before);
}

/* Where uid 0 could change the kernel; an ordinary user cannot, wherever it is mounted. */
Test(resolve, kernel_mounts_are_listed_for_root)
{
	struct rf_policy policy = policy_of(RF_MODE_WORKSPACE_WRITE);
	struct rf_found found;
	bool proc = false;

	cr_assert_eq(rf_resolve(&policy, NULL, NULL, &found, NULL), 0);
	for (size_t i = 0; i < found.kernel_mounts.len; i++)
		proc = proc || !strcmp(found.kernel_mounts.items[i], "/proc");
	cr_expect_eq(proc, geteuid() == 0);
	rf_found_release(&found);
}

Test(resolve, extras_in_their_order)
{
	struct rf_policy policy = policy_of(RF_MODE_WORKSPACE_WRITE);
	static const char *const expected[] = { "/link", "/work/file", "/pipe", "/cache" };
	struct rf_found found;

	strv_append(&policy.write, "../link");
	strv_append(&policy.write, "file");
	strv_append(&policy.write, "../pipe");
	strv_append(&policy.write_if_present, "absent");
	strv_append(&policy.write_if_present, "file/below");
	strv_append(&policy.write_if_present, "../dangling");
	strv_append(&policy.write_if_present, "../cache/.");
	cr_assert_eq(rf_resolve(&policy, NULL, NULL, &found, NULL), 0);
	cr_assert_eq(found.extra_len, ARRAY_LEN(expected));
	for (size_t i = 1; i < ARRAY_LEN(expected); i++)
		cr_expect_str_eq(found.extra[i].path, below(expected[i] + 1));
	cr_expect_str_eq(found.extra[0].path, below("cache"), "a link under its target's name");
	cr_expect(fd_object_same(&found.extra[0].is, &found.extra[3].is));
	cr_expect(S_ISREG(found.extra[1].is.mode));
	rf_found_release(&found);
	rf_policy_release(&policy);
}

struct failure {
	const char *workspace, *write, *directory;
	enum rf_code code;
	int error;
};

static void expect_failures(const struct failure *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct rf_policy policy = policy_of(RF_MODE_WORKSPACE_WRITE);
		struct rf_found found = { .uid = 4711 };
		int before = child_count_fds();
		struct rf_error err = { 0 };

		policy.workspace = cases[i].workspace;
		strv_append(&policy.write, ".");
		if (cases[i].write)
			strv_append(&policy.write, cases[i].write);
		cr_expect_lt(rf_resolve(&policy, cases[i].directory, NULL, &found, &err), 0,
			     "case %zu", i);
		cr_expect_eq(err.code, cases[i].code, "case %zu: %s", i, rf_code_name(err.code));
		cr_expect_eq(err.errnum, cases[i].error, "case %zu: %d", i, err.errnum);
		cr_expect_eq(found.uid, 4711, "case %zu: the output is touched", i);
		cr_expect_eq(child_count_fds(), before, "case %zu: a descriptor leaks", i);
		rf_policy_release(&policy);
	}
}

Test(resolve, failures)
{
	static const struct failure cases[] = {
		{ "absent", NULL, NULL, RF_CODE_WORKSPACE_MISSING, ENOENT },
		{ "", NULL, NULL, RF_CODE_WORKSPACE_MISSING, ENOENT },
		{ "../dangling", NULL, NULL, RF_CODE_WORKSPACE_MISSING, ENOENT },
		{ "file/below", NULL, NULL, RF_CODE_WORKSPACE_MISSING, ENOTDIR },
		{ "file", NULL, NULL, RF_CODE_WORKSPACE_NOT_A_DIRECTORY, ENOTDIR },
		{ "../pipe", NULL, NULL, RF_CODE_WORKSPACE_NOT_A_DIRECTORY, ENOTDIR },
		{ "/", NULL, NULL, RF_CODE_WORKSPACE_IS_ROOT, 0 },
		{ "//", NULL, NULL, RF_CODE_WORKSPACE_IS_ROOT, 0 },
		{ "/tmp/..", NULL, NULL, RF_CODE_WORKSPACE_IS_ROOT, 0 },
		{ NULL, "absent", NULL, RF_CODE_ROOT_MISSING, ENOENT },
		{ NULL, "", NULL, RF_CODE_ROOT_MISSING, ENOENT },
		{ NULL, "../dangling", NULL, RF_CODE_ROOT_MISSING, ENOENT },
		{ NULL, "file/below", NULL, RF_CODE_ROOT_MISSING, ENOTDIR },
		{ NULL, NULL, "absent", RF_CODE_USAGE, ENOENT },
		{ NULL, NULL, "file", RF_CODE_USAGE, ENOTDIR },
		{ NULL, NULL, "", RF_CODE_USAGE, ENOENT },
	};

	expect_failures(cases, ARRAY_LEN(cases));
}

Test(resolve, a_file_as_root_is_no_failure_of_the_others)
{
	struct rf_policy policy = policy_of(RF_MODE_WORKSPACE_WRITE);
	struct rf_error err = { 0 };
	struct rf_found found;

	strv_append(&policy.write, "file");
	strv_append(&policy.write_if_present, "absent");
	cr_assert_eq(rf_resolve(&policy, NULL, NULL, &found, &err), 0, "%s", err.msg);
	rf_found_release(&found);
	strv_append(&policy.write, "absent");
	cr_assert_lt(rf_resolve(&policy, NULL, NULL, &found, &err), 0, "named, so it must exist");
	rf_policy_release(&policy);
}

Test(resolve, the_directory_where_it_starts)
{
	struct rf_policy policy = policy_of(RF_MODE_READ_ONLY);
	struct rf_found found;

	cr_assert_eq(rf_resolve(&policy, "../link", NULL, &found, NULL), 0);
	cr_expect_str_eq(rf_found_directory(&found)->path, below("cache"));
	cr_expect_str_eq(found.workspace.path, below("work"));
	rf_found_release(&found);
	policy.workspace = "../cache";
	cr_assert_eq(rf_resolve(&policy, NULL, NULL, &found, NULL), 0);
	cr_expect_str_eq(rf_found_directory(&found)->path, below("work"), "where the caller is");
	cr_expect_str_eq(found.workspace.path, below("cache"));
	rf_found_release(&found);
}

Test(resolve, a_removed_directory)
{
	static const struct failure cases[] = {
		{ NULL, NULL, NULL, RF_CODE_WORKSPACE_MISSING, ENOENT },
		{ ".", NULL, NULL, RF_CODE_WORKSPACE_MISSING, ENOENT },
		{ "/proc/self/cwd", NULL, NULL, RF_CODE_WORKSPACE_MISSING, ENOENT },
		{ "/var/tmp", "", NULL, RF_CODE_SETUP_FAILED, ENOENT },
	};

	cr_assert_eq(mkdir("gone", 0755), 0);
	cr_assert_eq(chdir("gone"), 0);
	cr_assert_eq(rmdir("../gone"), 0);
	expect_failures(cases, ARRAY_LEN(cases));
}

static const struct {
	const char *value;
	const char *why; /* NULL: it counts */
} tmpdirs[] = {
	{ "relative", "it is relative" },
	{ "/nonexistent/directory", "it cannot be opened" },
	{ "/", "it is the root directory" },
	{ "/etc/passwd", "it is no directory" },
	{ "/dev/shm", "it lies in /proc, /sys or /dev" },
	{ "/proc/self", "it lies in /proc, /sys or /dev" },
	{ "/tmp", NULL },
	{ "", NULL },
	{ NULL, NULL },
};

Test(resolve, a_tmpdir_that_does_not_count_is_skipped)
{
	struct rf_policy policy = policy_of(RF_MODE_WORKSPACE_WRITE);
	int before = child_count_fds();

	for (size_t i = 0; i < ARRAY_LEN(tmpdirs); i++) {
		const char *value = tmpdirs[i].value;
		struct rf_found found;

		cr_assert_eq(rf_resolve(&policy, NULL, value, &found, NULL), 0, "'%s'",
			     value ? value : "(none)");
		cr_expect_eq(found.tmpdir.fd, -1, "'%s' was kept", value ? value : "(none)");
		cr_expect_eq(!found.tmpdir_skipped, !tmpdirs[i].why, "case %zu", i);
		if (found.tmpdir_skipped && tmpdirs[i].why)
			cr_expect_str_eq(found.tmpdir_skipped, tmpdirs[i].why);
		rf_found_release(&found);
	}
	cr_expect_eq(child_count_fds(), before);
}

/* The following change ids, limits or descriptors, so they note one code in a child. */
struct outcome {
	const char *workspace, *write, *write_if_present;
	int ret, lowest;
	struct rf_error err;
};

static int resolve_as_user(void *data)
{
	struct outcome *outcome = data;
	struct rf_policy policy = policy_of(RF_MODE_READ_ONLY);
	struct rf_found found;

	policy.workspace = outcome->workspace;
	if (outcome->write)
		strv_append(&policy.write, outcome->write);
	if (outcome->write_if_present)
		strv_append(&policy.write_if_present, outcome->write_if_present);
	/* a process that was root at its start says so in its auxiliary vector: only access counts
	 */
	if (child_drop_root() < 0)
		return 1;
	outcome->ret = rf_resolve(&policy, NULL, NULL, &found, &outcome->err);
	return 0;
}

static int resolve_with_closed_stdio(void *data)
{
	struct outcome *outcome = data;
	struct rf_policy policy = policy_of(RF_MODE_WORKSPACE_WRITE);
	struct rf_found found;

	for (int fd = 0; fd < 3; fd++)
		close(fd);
	strv_append(&policy.write, "file");
	outcome->ret = rf_resolve(&policy, NULL, NULL, &found, NULL);
	outcome->lowest = found.workspace.fd;
	if (found.tmp.fd < outcome->lowest)
		outcome->lowest = found.tmp.fd;
	if (found.extra[0].fd < outcome->lowest)
		outcome->lowest = found.extra[0].fd;
	return 0;
}

static int resolve_for_the_chain(void *data)
{
	struct outcome *outcome = data;
	struct rf_policy policy = { .mode = RF_MODE_WORKSPACE_WRITE, .backend = RF_BACKEND_AUTO };
	struct rf_found found;

	strv_append(&policy.write, "file");
	outcome->ret = rf_resolve(&policy, ".", NULL, &found, NULL);
	/* what the launcher does before its set-up */
	fd_close_range(3, RF_FD_FLOOR - 1);
	outcome->lowest = fd_flags(found.workspace.fd) | fd_flags(found.directory.fd) |
			  fd_flags(found.tmp.fd) | fd_flags(found.extra[0].fd);
	return 0;
}

static struct outcome run(int (*body)(void *), struct outcome outcome)
{
	struct outcome *shared = child_memory(sizeof(*shared));

	cr_assert_not_null(shared);
	*shared = outcome;
	cr_assert_eq(child_run(body, shared), 0);
	outcome = *shared;
	child_memory_release(shared, sizeof(*shared));
	return outcome;
}

/* What is there and cannot be reached is not missing, so nothing skips it. */
Test(resolve, what_an_ordinary_user_may_not_enter)
{
	static const struct {
		struct outcome asked;
		enum rf_code code;
	} cases[] = {
		{ { .workspace = "../closed" }, RF_CODE_WORKSPACE_MISSING },
		{ { .workspace = "../closed/in" }, RF_CODE_WORKSPACE_MISSING },
		{ { .write = "../closed/in" }, RF_CODE_ROOT_MISSING },
		{ { .write_if_present = "../closed/in" }, RF_CODE_ROOT_MISSING },
		{ { .workspace = "../cache", .write = "../closed" }, RF_CODE_NONE },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct outcome outcome = run(resolve_as_user, cases[i].asked);

		cr_expect_eq(outcome.err.code, cases[i].code, "case %zu: %s", i, outcome.err.msg);
		cr_expect_eq(outcome.ret, cases[i].code ? -EACCES : 0, "case %zu", i);
	}
}

Test(resolve, closed_stdio_is_not_taken)
{
	struct outcome outcome = run(resolve_with_closed_stdio, (struct outcome){ 0 });

	cr_expect_eq(outcome.ret, 0);
	cr_expect_gt(outcome.lowest, 2);
}

Test(resolve, what_the_chain_needs_outlives_the_first_backend)
{
	struct outcome outcome = run(resolve_for_the_chain, (struct outcome){ 0 });

	cr_expect_eq(outcome.ret, 0);
	cr_expect_geq(outcome.lowest, 0, "a descriptor lay below the floor");
}
