/* SPDX-License-Identifier: MIT */
/* Opening and naming: every way to spell a path leads to one canonical name and one object. */
#include "policy/policy.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * base/
 * ├── dir/
 * │   └── file
 * ├── link -> dir
 * ├── dangling -> nowhere
 * └── closed/          mode 000
 */
static char base[] = "/var/tmp/ringfence-object.XXXXXX";

static void make_tree(void)
{
	cr_assert_not_null(mkdtemp(base));
	cr_assert_eq(chdir(base), 0);
	cr_assert_eq(mkdir("dir", 0755), 0);
	close(open("dir/file", O_CREAT | O_WRONLY, 0644));
	cr_assert_eq(symlink("dir", "link"), 0);
	cr_assert_eq(symlink("nowhere", "dangling"), 0);
	cr_assert_eq(mkdir("closed", 0), 0);
}

static void remove_tree(void)
{
	cr_expect_eq(chdir(base), 0);
	unlink("dir/file");
	rmdir("dir");
	rmdir("closed");
	unlink("link");
	unlink("dangling");
	cr_expect_eq(chdir("/"), 0);
	cr_expect_eq(rmdir(base), 0);
}

TestSuite(object, .init = make_tree, .fini = remove_tree, .timeout = 30);

static size_t open_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	size_t count = 0;

	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

static void expect_name(const char *path, enum rf_object_need need, const char *expected)
{
	struct rf_object object = RF_OBJECT_NONE;
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", base, expected);
	cr_assert_eq(rf_object_open(path, need, false, &object), 0, "'%s'", path);
	cr_expect_str_eq(object.path, full, "'%s' is called '%s'", path, object.path);
	cr_expect_gt(object.fd, 2);
	rf_object_release(&object);
	cr_expect_eq(object.fd, -1);
}

Test(object, every_spelling_has_one_name)
{
	char absolute[PATH_MAX];
	size_t before = open_descriptors();

	snprintf(absolute, sizeof(absolute), "%s/dir", base);
	expect_name(absolute, RF_OBJECT_NAMED, "/dir");
	expect_name(absolute, RF_OBJECT_ENTERED, "/dir");
	snprintf(absolute, sizeof(absolute), "%s/link", base);
	expect_name(absolute, RF_OBJECT_NAMED, "/dir");
	snprintf(absolute, sizeof(absolute), "%s//dir/", base);
	expect_name(absolute, RF_OBJECT_ENTERED, "/dir");
	expect_name("dir", RF_OBJECT_NAMED, "/dir");
	expect_name("link", RF_OBJECT_ENTERED, "/dir");
	expect_name("link/file", RF_OBJECT_NAMED, "/dir/file");
	expect_name("dir/../link/.", RF_OBJECT_NAMED, "/dir");
	expect_name(".", RF_OBJECT_NAMED, "");
	expect_name(".", RF_OBJECT_ENTERED, "");
	cr_expect_eq(open_descriptors(), before);
}

Test(object, a_lasting_object_lies_high)
{
	struct rf_object object = RF_OBJECT_NONE;

	cr_assert_eq(rf_object_open("dir", RF_OBJECT_NAMED, true, &object), 0);
	cr_expect_geq(object.fd, RF_FD_FLOOR);
	cr_expect_eq(fcntl(object.fd, F_GETFD), FD_CLOEXEC);
	cr_expect(S_ISDIR(object.is.mode));
	cr_expect_eq(object.is.uid, geteuid());
	rf_object_release(&object);
}

static void expect_failure(const char *path, enum rf_object_need need, int error)
{
	struct rf_object object = RF_OBJECT_NONE;

	cr_expect_eq(rf_object_open(path, need, false, &object), -error, "'%s'", path);
	cr_expect_eq(object.fd, -1, "output touched for '%s'", path);
	cr_expect_null(object.path);
}

Test(object, failures_touch_nothing)
{
	size_t before = open_descriptors();
	char longest[PATH_MAX + 8];

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	expect_failure("", RF_OBJECT_NAMED, ENOENT);
	expect_failure("absent", RF_OBJECT_NAMED, ENOENT);
	expect_failure("dangling", RF_OBJECT_NAMED, ENOENT);
	expect_failure("dir/file/below", RF_OBJECT_NAMED, ENOTDIR);
	expect_failure("dir/file", RF_OBJECT_ENTERED, ENOTDIR);
	expect_failure(longest, RF_OBJECT_NAMED, ENAMETOOLONG);
	if (geteuid() != 0)
		expect_failure("closed", RF_OBJECT_ENTERED, EACCES);
	cr_expect_eq(open_descriptors(), before);
}

Test(object, a_removed_directory_is_missing)
{
	cr_assert_eq(mkdir("gone", 0755), 0);
	cr_assert_eq(chdir("gone"), 0);
	cr_assert_eq(rmdir("../gone"), 0);
	expect_failure(".", RF_OBJECT_NAMED, ENOENT);
	expect_failure(".", RF_OBJECT_ENTERED, ENOENT);
}

Test(object_path, normal)
{
	static const char *const normal[] = { "/a", "/a/b", "/.a", "/a..", "/...", "/a/..b" };
	static const char *const other[] = { "",      "/",    "a",     "./a",	"/a/",	"//a",
					     "/a//b", "/a/.", "/a/..", "/../a", "/./a", "/a/./b" };

	for (size_t i = 0; i < ARRAY_LEN(normal); i++)
		cr_expect(rf_path_is_normal(normal[i]), "'%s'", normal[i]);
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		cr_expect_not(rf_path_is_normal(other[i]), "'%s'", other[i]);
}

Test(object_path, within)
{
	cr_expect(rf_path_within("/a/b", "/a"));
	cr_expect(rf_path_within("/a", "/a"));
	cr_expect(rf_path_within("/a", "/"));
	cr_expect_not(rf_path_within("/a-evil", "/a"));
	cr_expect_not(rf_path_within("/a", "/a/b"));
	cr_expect_str_eq(rf_path_kernel_directory("/proc/self"), "/proc");
	cr_expect_str_eq(rf_path_kernel_directory("/dev"), "/dev");
	cr_expect_null(rf_path_kernel_directory("/devel"));
}
