/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include "policy/tmpdir.h"

#include <criterion/criterion.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>

/* A TMPDIR, and whether it counts; `why` is a part of the reason. */
struct tmpdir_case {
	const char *path;
	mode_t mode;
	uid_t uid;
	const char *why; /* NULL: it counts */
};

static void expect_cases(const char *workspace, const char *tmp, const struct tmpdir_case *cases,
			 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct rf_found found = found_make(workspace, tmp);
		const char *why;

		found.tmpdir = object_directory(cases[i].path);
		found.tmpdir.is.mode = cases[i].mode;
		found.tmpdir.is.uid = cases[i].uid;
		why = rf_tmpdir_refusal(&found);
		if (cases[i].why)
			cr_expect(why && strstr(why, cases[i].why), "%s: %s", cases[i].path,
				  why ? why : "it counts");
		else
			cr_expect_null(why, "%s: %s", cases[i].path, why);
	}
}

Test(tmpdir, owner_or_sticky)
{
	static const struct tmpdir_case cases[] = {
		{ "/scratch/me", S_IFDIR | 0700, OBJECTS_UID, NULL },
		{ "/scratch/me", S_IFDIR | 0777, OBJECTS_UID, NULL },
		{ "/scratch", S_IFDIR | 01777, 0, NULL },
		{ "/scratch", S_IFDIR | 01777, 4711, NULL },
		{ "/scratch", S_IFDIR | 0777, 0, "not sticky" },
		{ "/scratch", S_IFDIR | 0755, 4711, "not sticky" },
	};

	expect_cases("/src", "/tmp", cases, ARRAY_LEN(cases));
}

Test(tmpdir, must_be_a_directory_and_not_the_root)
{
	static const struct tmpdir_case cases[] = {
		{ "/scratch", S_IFREG | 0644, OBJECTS_UID, "no directory" },
		{ "/scratch", S_IFIFO | 0644, OBJECTS_UID, "no directory" },
		{ "/dev/null", S_IFCHR | 0666, OBJECTS_UID, "no directory" },
		{ "/", S_IFDIR | 01777, OBJECTS_UID, "root directory" },
	};

	expect_cases("/src", "/tmp", cases, ARRAY_LEN(cases));
}

Test(tmpdir, must_not_hold_the_workspace)
{
	static const struct tmpdir_case cases[] = {
		{ "/srv", S_IFDIR | 0700, OBJECTS_UID, "workspace" },
		{ "/srv/work", S_IFDIR | 0700, OBJECTS_UID, "workspace" },
		{ "/srv/work/app", S_IFDIR | 0700, OBJECTS_UID, NULL }, /* the workspace itself */
		{ "/srv/work/app/tmp", S_IFDIR | 0700, OBJECTS_UID, NULL },
		{ "/srv/work/app-tmp", S_IFDIR | 0700, OBJECTS_UID, NULL },
		{ "/srv/wor", S_IFDIR | 0700, OBJECTS_UID, NULL },
	};

	expect_cases("/srv/work/app", "/tmp", cases, ARRAY_LEN(cases));
}

/* What lies in a root that is writable already adds nothing, whoever owns it. */
Test(tmpdir, inside_another_root_it_counts)
{
	static const struct tmpdir_case cases[] = {
		{ "/tmp", S_IFDIR | 01777, 0, NULL },
		{ "/tmp/other", S_IFDIR | 0755, 4711, NULL },
		{ "/src/tmp", S_IFDIR | 0755, 4711, NULL },
		{ "/tmp-other", S_IFDIR | 0755, 4711, "not sticky" },
	};
	static const struct tmpdir_case without[] = {
		{ "/tmp/other", S_IFDIR | 0755, 4711, "not sticky" },
	};

	expect_cases("/src", "/tmp", cases, ARRAY_LEN(cases));
	expect_cases("/src", NULL, without, ARRAY_LEN(without));
}

Test(tmpdir, must_not_be_or_hold_a_home)
{
	static const struct tmpdir_case cases[] = {
		{ "/home", S_IFDIR | 01777, 0, "home" },
		{ "/home/someone", S_IFDIR | 0700, OBJECTS_UID, "home" },
		{ "/home/someone/tmp", S_IFDIR | 0700, OBJECTS_UID, NULL },
		{ "/homes", S_IFDIR | 0700, OBJECTS_UID, NULL },
		{ "/homework/x", S_IFDIR | 0700, OBJECTS_UID, NULL },
	};

	expect_cases("/src", "/tmp", cases, ARRAY_LEN(cases));
}

Test(tmpdir, must_not_be_a_home_of_the_passwd_file)
{
	const struct passwd *root = getpwuid(0);
	struct tmpdir_case home = { NULL, S_IFDIR | 0700, OBJECTS_UID, "home" };

	cr_assert_not_null(root);
	cr_assert_eq(root->pw_dir[0], '/');
	cr_assert_str_neq(root->pw_dir, "/");
	home.path = root->pw_dir;
	expect_cases("/src", "/tmp", &home, 1);
}

/* The rule for writable roots: none of them lies in /proc, /sys or /dev. */
Test(tmpdir, must_not_lie_where_the_kernel_is)
{
	static const char *const paths[] = { "/proc",	       "/proc/self", "/sys",
					     "/sys/fs/cgroup", "/dev",	     "/dev/shm" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct rf_found found = found_make("/src", "/tmp");

		found.tmpdir = object_directory(paths[i]);
		found.tmpdir.is.mode |= S_ISVTX;
		cr_expect_not_null(rf_tmpdir_refusal(&found), "%s counts", paths[i]);
	}
}

Test(tmpdir, opens_home)
{
	static const struct {
		const char *tmpdir, *home;
		bool opens;
	} cases[] = {
		{ "/h/me", "/h/me", true },
		{ "/h", "/h/me", true },
		{ "/h/me/tmp", "/h/me", false },
		{ "/h/m", "/h/me", false },
		{ "/x", "/h/me", false },
		{ "/var", "/", false },
		{ "/var", "", false },
		{ "/var", "relative", false },
		{ "/nonexistent", "/nonexistent", true },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		cr_expect_eq(rf_tmpdir_opens_home(cases[i].tmpdir, cases[i].home), cases[i].opens,
			     "'%s' and '%s'", cases[i].tmpdir, cases[i].home);
}
