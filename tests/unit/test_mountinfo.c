/* SPDX-License-Identifier: MIT */
#include "policy/policy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

#define PLAIN(point) "36 35 98:0 /mnt1 " point " rw,noatime - ext3 /dev/root rw,errors=continue"

struct line_case {
	const char *line, *point, *type;
	unsigned long flags;
};

static void expect_lines(const struct line_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		_cleanup_free_ char *line = strdup(cases[i].line);
		struct rf_mount mount;

		cr_assert_eq(rf_mount_parse(line, &mount), 0, "%s", cases[i].line);
		cr_expect_str_eq(mount.point, cases[i].point);
		cr_expect_str_eq(mount.type, cases[i].type);
		cr_expect_eq(mount.flags, cases[i].flags, "%lx: %s", mount.flags, cases[i].line);
	}
}

/* The optional fields are none, one or many. */
Test(mountinfo, lines)
{
	static const struct line_case cases[] = {
		{ "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw", "/mnt2", "ext3",
		  MS_NOATIME },
		{ "36 35 98:0 / / rw - ext4 /dev/sda rw", "/", "ext4", 0 },
		{ "1 2 0:1 / /a rw shared:7 master:8 propagate_from:9 unbindable - tmpfs none rw",
		  "/a", "tmpfs", 0 },
		{ "1 2 0:1 / /a ro,nosuid,nodev,noexec,relatime shared:1 - proc proc rw", "/a",
		  "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RELATIME },
		{ "1 2 0:1 / /a rw,nodiratime,noatime - x y z", "/a", "x",
		  MS_NODIRATIME | MS_NOATIME },
		{ "1 2 0:1 / - rw - x y z", "-", "x", 0 }, /* a mount point named like the end */
		{ "1 2 0:1 / /a rw - fuse.sshfs user@host:/x rw", "/a", "fuse.sshfs", 0 },
		{ "1 2 0:1 / /a rw - x  rw", "/a", "x", 0 }, /* an empty source */
		{ "1 2 0:1 / /a rw - x", "/a", "x", 0 },
	};

	expect_lines(cases, ARRAY_LEN(cases));
}

/* Names of options that only start or end like a known one are others. */
Test(mountinfo, options_are_whole_words)
{
	static const struct line_case cases[] = {
		{ "1 2 0:1 / /a rw,ronly,nosuidx,xnodev - x y ro", "/a", "x", 0 },
		{ "1 2 0:1 / /a ro - x y rw", "/a", "x", MS_RDONLY },
		{ "1 2 0:1 / /a ,,ro,, - x y rw", "/a", "x", MS_RDONLY },
		{ "1 2 0:1 / /a rw,idmapped,nosymfollow - x y ro", "/a", "x", 0 },
	};

	expect_lines(cases, ARRAY_LEN(cases));
}

Test(mountinfo, escapes)
{
	static const struct line_case cases[] = {
		{ PLAIN("/a\\040b"), "/a b", "ext3", MS_NOATIME },
		{ PLAIN("/a\\011b"), "/a\tb", "ext3", MS_NOATIME },
		{ PLAIN("/a\\012b"), "/a\nb", "ext3", MS_NOATIME },
		{ PLAIN("/a\\134b"), "/a\\b", "ext3", MS_NOATIME },
		{ PLAIN("/\\040\\040\\134\\134"), "/  \\\\", "ext3", MS_NOATIME },
		{ PLAIN("/a\\134040"), "/a\\040", "ext3", MS_NOATIME }, /* once, not twice */
		{ PLAIN("/caf\xc3\xa9\xff"), "/caf\xc3\xa9\xff", "ext3", MS_NOATIME },
		{ PLAIN("/a\\377"), "/a\xff", "ext3", MS_NOATIME },
		{ PLAIN("/a\\"), "/a\\", "ext3", MS_NOATIME }, /* no escape: stays */
		{ PLAIN("/a\\04"), "/a\\04", "ext3", MS_NOATIME },
		{ PLAIN("/a\\048"), "/a\\048", "ext3", MS_NOATIME },
		{ PLAIN("/a\\400"), "/a\\400", "ext3", MS_NOATIME },
		{ PLAIN("/a#b"), "/a#b", "ext3", MS_NOATIME },
	};

	expect_lines(cases, ARRAY_LEN(cases));
}

Test(mountinfo, what_is_no_line)
{
	static const char *const lines[] = {
		"",
		"36",
		"36 35 98:0 /mnt1 /mnt2",
		"36 35 98:0 /mnt1 /mnt2 rw",
		"36 35 98:0 /mnt1 /mnt2 rw shared:1",
		"36 35 98:0 /mnt1 /mnt2 rw shared:1 master:2 ext3 /dev/root rw",
		"36 35 98:0 /mnt1 /mnt2 rw -",
		"36 35 98:0 /mnt1 /mnt2 rw --",
		"36 35 98:0 /mnt1 /mnt2 rw -x ext3",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		_cleanup_free_ char *line = strdup(lines[i]);
		struct rf_mount mount;

		cr_expect_eq(rf_mount_parse(line, &mount), -EINVAL, "'%s'", lines[i]);
	}
}

/* Whatever this machine has mounted is understood, and "/" is among it. */
Test(mountinfo, of_this_machine)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	bool root = false;
	ssize_t len;

	cr_assert_not_null(file);
	while ((len = getline(&line, &size, file)) > 0) {
		struct rf_mount mount;

		line[len - 1] = '\0';
		cr_assert_eq(rf_mount_parse(line, &mount), 0);
		cr_expect_eq(mount.point[0], '/');
		root = root || !strcmp(mount.point, "/");
	}
	fclose(file);
	cr_assert(root);
}

Test(mountinfo, windows_to_the_kernel)
{
	static const char *const kernel[] = { "proc",	  "sysfs",	"devtmpfs",    "cgroup",
					      "cgroup2",  "securityfs", "debugfs",     "tracefs",
					      "configfs", "bpf",	"binfmt_misc", "efivarfs" };
	static const char *const files[] = { "ext4",  "tmpfs", "overlay", "nfs",
					     "proc2", "",      "fuse",	  "devpts" };
	struct rf_mount mount = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(kernel); i++) {
		mount.type = kernel[i];
		cr_expect(rf_mount_is_kernel(&mount), "%s", kernel[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		mount.type = files[i];
		cr_expect(!rf_mount_is_kernel(&mount), "%s", files[i]);
	}
}
