/* SPDX-License-Identifier: MIT */
#include "fd.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

static struct rlimit original_limit;
static bool limit_raised;

void fd_close(int fd)
{
	if (fd >= 0)
		sys_close(fd);
}

static int prlimit_nofile(const struct rlimit *set, struct rlimit *get)
{
	return (int)SYS4(SYS_prlimit64, 0, RLIMIT_NOFILE, set, get);
}

/* A policy with a thousand writable roots needs more descriptors than the usual soft limit. */
int fd_limit_raise(void)
{
	struct rlimit wanted;

	if (limit_raised || prlimit_nofile(NULL, &original_limit))
		return -EMFILE;
	wanted = original_limit;
	wanted.rlim_cur = wanted.rlim_max;
	limit_raised = prlimit_nofile(&wanted, NULL) == 0;
	return limit_raised ? 0 : -EMFILE;
}

void fd_limit_restore(void)
{
	if (limit_raised)
		prlimit_nofile(&original_limit, NULL);
}

int fd_raise(int fd)
{
	int raised;

	if (fd < 0)
		return fd;
	raised = (int)SYS3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, RF_FD_FLOOR);
	/* EINVAL: the soft limit lies below the floor itself */
	if ((raised == -EMFILE || raised == -EINVAL) && !fd_limit_raise())
		raised = (int)SYS3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, RF_FD_FLOOR);
	sys_close(fd);
	return raised;
}

int fd_is_open(int fd)
{
	return SYS3(SYS_fcntl, fd, F_GETFD, 0) >= 0;
}
