/* SPDX-License-Identifier: MIT */
#include "fd.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static struct rlimit original_limit;
static bool limit_raised;
static unsigned placeholders; /* bit N: descriptor N was closed */

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

static int copy_from(int fd, int floor)
{
	int copy = (int)SYS3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, floor);

	/* EINVAL: the soft limit lies below the floor itself */
	if ((copy == -EMFILE || copy == -EINVAL) && !fd_limit_raise())
		copy = (int)SYS3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, floor);
	return copy;
}

int fd_copy_high(int fd)
{
	return fd < 0 ? fd : copy_from(fd, RF_FD_FLOOR);
}

int fd_raise(int fd)
{
	int raised = fd_copy_high(fd);

	fd_close(fd);
	return raised;
}

int fd_above_stdio(int fd)
{
	while (fd >= 0 && fd <= 2) { /* each copy takes the lowest number that is free */
		placeholders |= 1U << fd;
		fd = copy_from(fd, 0);
	}
	return fd;
}

int fd_is_placeholder(int fd)
{
	return fd >= 0 && fd <= 2 && (placeholders & 1U << fd) != 0;
}

void fd_close_range(unsigned first, unsigned last)
{
	if (first > last || SYS3(SYS_NR_CLOSE_RANGE, first, last, 0) == 0)
		return;
	/* before Linux 5.9; nothing of ours is higher */
	if (last > 65535)
		last = 65535;
	for (unsigned fd = first; fd <= last; fd++)
		sys_close((int)fd);
}

int fd_flags(int fd)
{
	return (int)SYS3(SYS_fcntl, fd, F_GETFL, 0);
}

static int identify_by_fstat(int fd, struct fd_object *ret)
{
	struct stat st; /* on the architectures of sys.h the C library's is the kernel's */
	int error = (int)SYS2(SYS_fstat, fd, &st);

	if (error < 0)
		return error;
	*ret = (struct fd_object){
		.device = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev),
		.inode = st.st_ino,
		.links = (uint32_t)st.st_nlink,
		.uid = st.st_uid,
		.mode = st.st_mode,
	};
	return 0;
}

int fd_identify(int fd, struct fd_object *ret)
{
	struct kernel_statx st;
	int error = sys_statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, &st);

	if (error == -ENOSYS || error == -EPERM)
		return identify_by_fstat(fd, ret);
	if (error < 0)
		return error;
	*ret = (struct fd_object){
		.device = (uint64_t)st.dev_major << 32 | st.dev_minor,
		.inode = st.inode,
		.mount = st.mask & KERNEL_STATX_MNT_ID ? st.mount : 0,
		.links = st.links,
		.uid = st.uid,
		.mode = st.mode,
	};
	return 0;
}
