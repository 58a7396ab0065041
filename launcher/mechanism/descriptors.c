/* SPDX-License-Identifier: MIT */
#include "descriptors.h"
#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* fs.nr_open as kernels come: no process has a higher number unless an administrator raised it */
#define FD_CEILING 1048576

/* The object behind a descriptor under its canonical name, as the plan describes its own. */
static int describe(int fd, char path[PATH_MAX], struct rf_object *ret)
{
	char link[sizeof("/proc/self/fd/") + 12];
	long len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = sys_readlinkat(AT_FDCWD, link, path, PATH_MAX - 1);
	if (len < 0)
		return (int)len;
	path[len] = '\0';
	ret->fd = fd;
	ret->path = path;
	return 0;
}

/*
 * The mount that a descriptor was opened through is the one outside, which is writable. By way of a
 * directory everything below it could be changed, and of a file that was given for reading the
 * mode, the owner, the times. (A file that was given for writing is the caller's grant.)
 */
static bool leads_out(int fd, const struct fd_object *is, int *ret_flags)
{
	if (!S_ISDIR(is->mode) && !S_ISREG(is->mode))
		return false;
	if (S_ISREG(is->mode) && is->links == 0) /* no name outside: a here-document, a memfd */
		return false;
	*ret_flags = fd_flags(fd);
	if (*ret_flags < 0)
		return false;
	return S_ISDIR(is->mode) || (*ret_flags & O_PATH) || (*ret_flags & O_ACCMODE) == O_RDONLY;
}

static bool is_terminal(int fd, mode_t mode)
{
	int group;

	/* not TCGETS, whose structure differs between libraries */
	return S_ISCHR(mode) && SYS3(SYS_ioctl, fd, TIOCGPGRP, &group) == 0;
}

/* A file of somebody else that cannot be opened by name: its metadata is not ours to change. */
static bool may_stay(const struct setup *setup, const struct rf_object *object)
{
	return S_ISREG(object->is.mode) && setup->landlock_abi > 0 && setup->plan->uid != 0 &&
	       setup->plan->uid != object->is.uid;
}

static int open_again(const struct rf_object *object, int flags, struct rf_error *err)
{
	char link[sizeof("/proc/self/fd/") + 12];
	_cleanup_fd_ int place = mounts_reopen(object, err);
	int fd;

	if (place < 0)
		return place;
	if (flags & O_PATH)
		return take_fd(&place);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	fd = sys_openat(AT_FDCWD, link,
			(flags & (O_ACCMODE | O_NONBLOCK | O_DIRECTORY)) | O_CLOEXEC);
	if (fd < 0)
		return rf_error_set(err, RF_CODE_PATH_CHANGED, -fd, "cannot open '%s' again",
				    object->path);
	return fd;
}

static int reopen(struct setup *setup, int fd, struct rf_error *err)
{
	char path[PATH_MAX];
	struct rf_object object;
	_cleanup_fd_ int again = -1;
	int ret, flags;

	if (fd_identify(fd, &object.is) < 0)
		return 0;
	if (fd < 3 && is_terminal(fd, object.is.mode))
		setup->result.terminals |= 1U << fd;
	if (!leads_out(fd, &object.is, &flags))
		return 0;
	ret = describe(fd, path, &object);
	if (ret < 0)
		return setup_error(err, ret, "cannot find the name of descriptor %d", fd);
	if (S_ISREG(object.is.mode) && rf_plan_allows(setup->plan, path))
		return 0;
	again = open_again(&object, flags, err);
	if (again < 0 && may_stay(setup, &object))
		return 0;
	if (again < 0 && S_ISDIR(object.is.mode))
		return rf_error_set(err, RF_CODE_FD_IS_DIRECTORY, 0,
				    "descriptor %d is a directory that the view does not have", fd);
	if (again < 0)
		return again;
	if (S_ISREG(object.is.mode)) {
		SYS3(SYS_lseek, again, SYS3(SYS_lseek, fd, 0, SEEK_CUR), SEEK_SET);
		setup->result.reopened |= fd < 3 ? 1U << fd : 0;
	}
	ret = (int)SYS3(SYS_dup3, again, fd, fd > 2 ? O_CLOEXEC : 0);
	return ret < 0 ? setup_error(err, ret, "cannot replace descriptor %d", fd) : 0;
}

int descriptors_reopen(struct setup *setup, struct rf_error *err)
{
	int ret = 0;

	for (int fd = 0; !ret && fd < 3; fd++)
		if (!fd_is_placeholder(fd))
			ret = reopen(setup, fd, err);
	for (size_t i = 0; !ret && i < setup->kept_fds_len; i++)
		ret = reopen(setup, setup->kept_fds[i], err);
	return ret;
}

/* Before Linux 5.11: one by one, up to the limit that new numbers obey. */
static int mark_each(struct rf_error *err)
{
	struct rlimit limit;
	int ret = (int)SYS4(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
	rlim_t end;

	if (ret < 0)
		return setup_error(err, ret, "cannot read the limit on descriptors");
	end = limit.rlim_max < FD_CEILING ? limit.rlim_max : FD_CEILING;
	for (rlim_t fd = 3; fd < end; fd++)
		SYS3(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC);
	return 0;
}

int descriptors_apply(struct setup *setup, struct rf_error *err)
{
	int ret = (int)SYS3(SYS_NR_CLOSE_RANGE, 3, ~0U, KERNEL_CLOSE_RANGE_CLOEXEC);

	if (ret < 0)
		ret = mark_each(err);
	for (size_t i = 0; !ret && i < setup->kept_fds_len; i++) {
		if (setup->kept_fds[i] < 3)
			continue;
		ret = (int)SYS3(SYS_fcntl, setup->kept_fds[i], F_SETFD, 0);
		if (ret < 0)
			return setup_error(err, ret, "cannot keep descriptor %d",
					   setup->kept_fds[i]);
	}
	return ret;
}

void descriptors_close_all_but(unsigned stdio, int first, int second)
{
	unsigned start = stdio ? 3 : 0, low, high;

	if (second < 0) /* there is only one */
		second = first;
	low = (unsigned)(first < second ? first : second);
	high = (unsigned)(first < second ? second : first);
	for (int fd = 0; fd < (int)start; fd++)
		if (!(stdio & 1U << fd))
			sys_close(fd);
	if (low > start)
		fd_close_range(start, low - 1);
	if (high > low)
		fd_close_range(low + 1, high - 1);
	fd_close_range(high + 1, ~0U);
}
