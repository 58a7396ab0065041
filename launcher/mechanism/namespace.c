/* SPDX-License-Identifier: MIT */
#include "namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

unsigned long namespace_plan(const struct rf_plan *plan, int landlock_abi)
{
	unsigned long flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC |
			      CLONE_NEWUTS | CLONE_NEWCGROUP;

	if (plan->network == RF_NETWORK_OFF && landlock_abi < 6)
		flags |= CLONE_NEWNET;
	return flags;
}

static int write_file(const char *path, const char *text, size_t len)
{
	/* closed at once: a mount with a file open for writing cannot become read-only (EBUSY) */
	_cleanup_fd_ int fd = sys_openat(AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
	long written;

	if (fd < 0)
		return fd;
	written = sys_write(fd, text, len);
	return written < 0 ? (int)written : 0;
}

/*
 * Maps each id that the caller's own namespace has to itself. The file of that namespace lists
 * "first-inside first-outside count"; its first column is what exists for the caller.
 */
static int mirror_map(const char *own, const char *target)
{
	char map[4096] = "", text[4096];
	size_t len = 0;
	long got;
	_cleanup_fd_ int fd = sys_openat(AT_FDCWD, own, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fd;
	got = sys_read(fd, map, sizeof(map) - 1);
	if (got < 0)
		return (int)got;
	for (char *line = map; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		unsigned inside, outside, count;

		if (sscanf(line, "%u %u %u", &inside, &outside, &count) != 3)
			return -EINVAL;
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%u %u %u\n", inside,
					inside, count);
		if (len >= sizeof(text))
			return -E2BIG;
	}
	return write_file(target, text, len);
}

static int write_identity(int pid, const char *name)
{
	static const char everything[] = "0 0 4294967295\n";
	char target[48], own[32];
	int ret;

	snprintf(target, sizeof(target), "/proc/%d/%s", pid, name);
	ret = write_file(target, everything, sizeof(everything) - 1);
	if (ret != -EPERM)
		return ret;
	/* inside another user namespace (a container) not every id exists */
	snprintf(own, sizeof(own), "/proc/self/%s", name);
	return mirror_map(own, target);
}

int idmap_write_full(int pid)
{
	int ret = write_identity(pid, "uid_map");

	return ret < 0 ? ret : write_identity(pid, "gid_map");
}

static int write_single(const char *path, unsigned id, struct rf_error *err)
{
	char text[40];
	int len = snprintf(text, sizeof(text), "%u %u 1\n", id, id);
	int ret = write_file(path, text, (size_t)len);

	return ret < 0 ? setup_error(err, ret, "cannot write '%s'", path) : 0;
}

int idmap_apply(struct setup *setup, struct rf_error *err)
{
	int ret;

	if (setup->plan->uid == 0) {
		signed char mapped = -1;

		if (sys_read(setup->sync_fd, &mapped, 1) == 1 && mapped == 0)
			return 0;
	}
	/* without CAP_SETUID outside: the own ids only, and setgroups(2) given up
	 * (user_namespaces(7)) */
	ret = write_file("/proc/self/setgroups", "deny", 4);
	if (ret < 0 && ret != -ENOENT)
		return setup_error(err, ret, "cannot write '/proc/self/setgroups'");
	ret = write_single("/proc/self/uid_map", setup->plan->uid, err);
	return ret < 0 ? ret : write_single("/proc/self/gid_map", setup->plan->gid, err);
}

int namespace_close_nesting(struct setup *setup, struct rf_error *err)
{
	int ret;

	(void)err;
	if (setup->plan->allow_userns)
		return 0;
	/*
	 * The second of two locks: the filter refuses the calls anyway. Where /proc/sys is
	 * read-only (many containers) the filter stands alone. Through the /proc outside, before
	 * the view seals it: the file is about the writer's own user namespace.
	 */
	ret = write_file("/proc/sys/user/max_user_namespaces", "0", 1);
	(void)ret;
	return 0;
}
