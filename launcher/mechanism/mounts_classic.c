/* SPDX-License-Identifier: MIT */
#include "devices.h"
#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>

/* The longest line of mountinfo that is understood: paths, escaped, and the options. */
#define WINDOW (64 * 1024)

/* A mount that cannot be reached, or lies under another, cannot be written through either. */
static bool is_unreachable(int error)
{
	return error == -EACCES || error == -ENOENT || error == -ENOTDIR || error == -EINVAL;
}

static int restrict_mount(const struct setup *setup, const struct rf_mount *line,
			  struct rf_error *err)
{
	unsigned long flags = line->flags | MS_NOSUID;
	int ret;

	if (!strcmp(line->type, "autofs")) /* touching it may mount what it stands for */
		return 0;
	if (!devices_is_node(line->point)) {
		flags |= MS_NODEV;
		if (!rf_plan_allows(setup->plan, line->point) || rf_mount_is_kernel(line))
			flags |= MS_RDONLY;
	}
	if (flags == line->flags)
		return 0;
	ret = sys_mount(NULL, line->point, NULL, MS_REMOUNT | MS_BIND | flags, NULL);
	if (!ret || is_unreachable(ret))
		return 0;
	return setup_error(err, ret, "cannot restrict the mount '%s'", line->point);
}

static int restrict_lines(const struct setup *setup, char *text, size_t *len, struct rf_error *err)
{
	char *start = text, *end;

	while ((end = memchr(start, '\n', *len - (size_t)(start - text)))) {
		struct rf_mount line;
		int ret;

		*end = '\0';
		ret = rf_mount_parse(start, &line);
		if (ret < 0)
			return setup_error(err, ret, "cannot understand '/proc/self/mountinfo'");
		ret = restrict_mount(setup, &line, err);
		if (ret < 0)
			return ret;
		start = end + 1;
	}
	*len -= (size_t)(start - text);
	memmove(text, start, *len);
	return 0;
}

static int restrict_all(const struct setup *setup, struct rf_error *err)
{
	static char window[WINDOW];
	_cleanup_fd_ int fd = sys_openat(AT_FDCWD, "/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	size_t len = 0;

	if (fd < 0)
		return setup_error(err, fd, "cannot open '/proc/self/mountinfo'");
	for (;;) {
		long got = sys_read(fd, window + len, sizeof(window) - len);
		int ret;

		if (got <= 0 && (got < 0 || len))
			return setup_error(err, got < 0 ? (int)got : -E2BIG,
					   "cannot read '/proc/self/mountinfo'");
		if (got == 0)
			return 0;
		len += (size_t)got;
		ret = restrict_lines(setup, window, &len, err);
		if (ret < 0)
			return ret;
	}
}

static int bind_root(const struct rf_object *root, struct rf_error *err)
{
	_cleanup_fd_ int fd = mounts_reopen(root, err);
	int ret;

	if (fd < 0)
		return fd;
	ret = sys_mount(root->path, root->path, NULL, MS_BIND | MS_REC, NULL);
	return ret < 0 ? setup_error(err, ret, "cannot mount writable root '%s'", root->path) : 0;
}

/* mount(2) takes names only: look after each mount that what lies there now is what was checked. */
static int check_root(const struct rf_object *root, struct rf_error *err)
{
	int fd = mounts_reopen(root, err);

	fd_close(fd);
	return fd < 0 ? fd : 0;
}

int mounts_classic_apply(struct setup *setup, struct rf_error *err)
{
	int ret = sys_mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);

	if (ret < 0)
		return setup_error(err, ret, "cannot make the mounts private");
	for (size_t i = 0; i < setup->plan->roots_len; i++) {
		ret = bind_root(setup->plan->roots[i], err);
		if (ret < 0)
			return ret;
	}
	ret = devices_bind(err);
	if (!ret)
		ret = restrict_all(setup, err);
	for (size_t i = 0; !ret && i < setup->plan->roots_len; i++)
		ret = check_root(setup->plan->roots[i], err);
	return ret;
}
