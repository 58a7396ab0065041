/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const struct rf_policy read_only = { .mode = RF_MODE_READ_ONLY };
static const struct rf_policy workspace_write = { .mode = RF_MODE_WORKSPACE_WRITE };

Test(plan, read_only_has_no_roots)
{
	struct rf_found found = found_make("/src", "/tmp");
	struct rf_plan plan;

	found_add(&found, object_directory("/cache"));
	cr_assert_eq(rf_plan_make(&read_only, &found, &plan, NULL), 0);
	cr_assert_eq(plan.roots_len, 0);
	cr_assert(!rf_plan_allows(&plan, "/src"));
	cr_assert(!rf_plan_allows(&plan, "/tmp/x"));
	cr_assert(!plan.foreign_root);
	rf_plan_release(&plan);
	found_drop(&found);
}

Test(plan, carries_the_policy_and_the_findings)
{
	struct rf_policy policy = { .mode = RF_MODE_WORKSPACE_WRITE,
				    .network = RF_NETWORK_HOST,
				    .allow_userns = true };
	struct rf_found found = found_make("/src", "/tmp");
	struct rf_plan plan;

	found.gid = 77;
	cr_assert_eq(rf_plan_make(&policy, &found, &plan, NULL), 0);
	cr_expect_eq(plan.mode, RF_MODE_WORKSPACE_WRITE);
	cr_expect_eq(plan.network, RF_NETWORK_HOST);
	cr_expect(plan.allow_userns);
	cr_expect_eq(plan.uid, OBJECTS_UID);
	cr_expect_eq(plan.gid, 77);
	cr_expect_eq(plan.workspace, &found.workspace);
	cr_expect_eq(plan.directory, &found.workspace, "it starts there by default");
	rf_plan_release(&plan);
	found.directory = object_directory("/src/sub");
	cr_assert_eq(rf_plan_make(&policy, &found, &plan, NULL), 0);
	cr_expect_eq(plan.directory, &found.directory);
	rf_plan_release(&plan);
}

/* Workspace, /tmp, TMPDIR, then the extra roots as given. */
Test(plan, the_order_of_the_roots)
{
	static const char *const order[] = { "/src", "/tmp", "/var/scratch", "/z", "/a", "/m" };
	struct rf_found found = found_make("/src", "/tmp");
	struct rf_plan plan;

	found.tmpdir = object_directory("/var/scratch");
	for (size_t i = 3; i < ARRAY_LEN(order); i++)
		found_add(&found, object_directory(order[i]));
	cr_assert_eq(rf_plan_make(&workspace_write, &found, &plan, NULL), 0);
	cr_assert_eq(plan.roots_len, ARRAY_LEN(order));
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		cr_expect_str_eq(plan.roots[i]->path, order[i]);
	rf_plan_release(&plan);
	found_drop(&found);
}

Test(plan, what_is_not_there_is_left_out)
{
	struct rf_found found = found_make("/src", NULL);
	struct rf_plan plan;

	cr_assert_eq(rf_plan_make(&workspace_write, &found, &plan, NULL), 0);
	cr_assert_eq(plan.roots_len, 1);
	cr_assert_eq(plan.roots[0], &found.workspace);
	rf_plan_release(&plan);
	rf_plan_release(&plan);
}

static void expect_refused(const char *workspace, struct rf_object extra, const char *message)
{
	static const enum rf_mode modes[] = { RF_MODE_READ_ONLY, RF_MODE_WORKSPACE_WRITE };
	struct rf_found found = found_make(workspace, "/tmp");

	found_add(&found, object_directory("/harmless"));
	found_add(&found, extra);
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct rf_policy policy = { .mode = modes[i] };
		struct rf_error err = { 0 };
		struct rf_plan plan = { .uid = 4711 };

		cr_expect_eq(rf_plan_make(&policy, &found, &plan, &err), -EINVAL, "%s", extra.path);
		cr_expect_eq(err.code, RF_CODE_ROOT_REFUSED);
		cr_expect_str_eq(err.msg, message);
		cr_expect_eq(plan.uid, 4711, "the output is untouched");
	}
	found_drop(&found);
}

Test(plan, refused_roots)
{
	static const struct {
		const char *workspace, *path, *message;
	} cases[] = {
		{ "/src", "/", "writable root '/' is the root directory" },
		{ "/src/app", "/src", "writable root '/src' holds the workspace" },
		{ "/a/b/c/d", "/a", "writable root '/a' holds the workspace" },
		{ "/src", "/proc", "writable root '/proc' lies in /proc" },
		{ "/src", "/proc/sys/kernel", "writable root '/proc/sys/kernel' lies in /proc" },
		{ "/src", "/sys", "writable root '/sys' lies in /sys" },
		{ "/src", "/sys/fs/cgroup", "writable root '/sys/fs/cgroup' lies in /sys" },
		{ "/src", "/dev", "writable root '/dev' lies in /dev" },
		{ "/src", "/dev/shm", "writable root '/dev/shm' lies in /dev" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		expect_refused(cases[i].workspace, object_directory(cases[i].path),
			       cases[i].message);
}

Test(plan, refused_kinds)
{
	static const mode_t kinds[] = { S_IFSOCK, S_IFCHR, S_IFBLK, S_IFLNK };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct rf_object object = object_directory("/x");

		object.is.mode = kinds[i] | 0644;
		expect_refused("/src", object,
			       "writable root '/x' is neither a file nor a directory");
	}
}

Test(plan, accepted_beside_what_is_refused)
{
	static const char *const paths[] = { "/procs", "/system",  "/devel/x", "/srcs",
					     "/src",   "/src/app", "/s",       "/src-2" };
	static const mode_t kinds[] = { S_IFDIR, S_IFREG, S_IFIFO };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
			struct rf_found found = found_make("/src", "/tmp");
			struct rf_object object = object_directory(paths[i]);
			struct rf_error err = { 0 };
			struct rf_plan plan;

			object.is.mode = kinds[k] | 0644;
			found_add(&found, object);
			cr_expect_eq(rf_plan_make(&workspace_write, &found, &plan, &err), 0,
				     "%s: %s", paths[i], err.msg);
			cr_expect(rf_plan_allows(&plan, paths[i]), "%s", paths[i]);
			rf_plan_release(&plan);
			found_drop(&found);
		}
}

/* The workspace is a writable root itself, where it is one at all. */
Test(plan, refused_workspaces)
{
	static const char *const paths[] = { "/", "/proc/self", "/sys/kernel", "/dev/shm" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct rf_found found = found_make(paths[i], "/tmp");
		struct rf_error err = { 0 };
		struct rf_plan plan;

		cr_expect_eq(rf_plan_make(&workspace_write, &found, &plan, &err), -EINVAL);
		cr_expect_eq(err.code, RF_CODE_ROOT_REFUSED);
		cr_expect_eq(rf_plan_make(&read_only, &found, &plan, &err), 0,
			     "nothing is writable there in read-only mode");
		rf_plan_release(&plan);
	}
}

Test(plan, roots_of_somebody_else)
{
	struct rf_found found = found_make("/src", "/tmp");
	struct rf_plan plan;

	cr_assert_eq(rf_plan_make(&workspace_write, &found, &plan, NULL), 0);
	cr_expect(!plan.foreign_root);
	rf_plan_release(&plan);
	found.tmp.is.uid = 0;
	cr_assert_eq(rf_plan_make(&workspace_write, &found, &plan, NULL), 0);
	cr_expect(plan.foreign_root);
	rf_plan_release(&plan);
}

Test(plan, kernel_mounts_below_the_roots_only)
{
	struct rf_found found = found_make("/src", "/tmp");
	struct rf_plan plan;

	strv_append(&found.kernel_mounts, "/proc");
	strv_append(&found.kernel_mounts, "/src/chroot/proc");
	strv_append(&found.kernel_mounts, "/srcs/proc");
	strv_append(&found.kernel_mounts, "/tmp");
	cr_assert_eq(rf_plan_make(&workspace_write, &found, &plan, NULL), 0);
	cr_assert_eq(plan.kernel_mounts.len, 2);
	cr_expect_str_eq(plan.kernel_mounts.items[0], "/src/chroot/proc");
	cr_expect_str_eq(plan.kernel_mounts.items[1], "/tmp");
	rf_plan_release(&plan);
	cr_assert_eq(rf_plan_make(&read_only, &found, &plan, NULL), 0);
	cr_expect_eq(plan.kernel_mounts.len, 0);
	rf_plan_release(&plan);
	found_drop(&found);
}

Test(plan, paths_are_compared_by_components)
{
	static const struct {
		const char *path, *ancestor;
		bool within;
	} cases[] = {
		{ "/a", "/a", true },	    { "/a/b", "/a", true },  { "/a-b", "/a", false },
		{ "/ab", "/a", false },	    { "/a", "/a/b", false }, { "/", "/", true },
		{ "/x/y", "/", true },	    { "/", "/a", false },    { "/a/b/c", "/a/b", true },
		{ "/a/bc", "/a/b", false }, { "/A", "/a", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		cr_expect_eq(rf_path_within(cases[i].path, cases[i].ancestor), cases[i].within,
			     "'%s' in '%s'", cases[i].path, cases[i].ancestor);
}
