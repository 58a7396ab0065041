/* SPDX-License-Identifier: MIT */
/* Mounts that take more than one call; unconfined only in a mount namespace of one's own. */
#include "act.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#define NR_OPEN_TREE 428
#define NR_MOVE_MOUNT 429
#define NR_FSOPEN 430
#define NR_FSCONFIG 431
#define NR_FSMOUNT 432
#define TREE_CLONE 1
#define FROM_EMPTY_PATH 4
#define CREATE 6 /* FSCONFIG_CMD_CREATE */

static int move_mount_fd(long fd, const char *to)
{
	if (fd < 0)
		return -errno;
	return act_result(syscall(NR_MOVE_MOUNT, fd, "", AT_FDCWD, to, FROM_EMPTY_PATH));
}

static int run_new_mount(char **words)
{
	long context = syscall(NR_FSOPEN, "tmpfs", 0);

	if (context < 0 || syscall(NR_FSCONFIG, context, CREATE, NULL, NULL, 0) < 0)
		return -errno;
	return move_mount_fd(syscall(NR_FSMOUNT, context, 0, 0), words[0]);
}

static int run_clone_mount(char **words)
{
	return move_mount_fd(syscall(NR_OPEN_TREE, AT_FDCWD, words[0], TREE_CLONE), words[1]);
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	return act_result(fd < 0 ? -1 : write(fd, text, strlen(text)));
}

/* A user namespace of one's own would give the power to mount. */
static int enter_userns(void)
{
	char uid[48], gid[48];
	int r;

	snprintf(uid, sizeof(uid), "0 %u 1\n", geteuid());
	snprintf(gid, sizeof(gid), "0 %u 1\n", getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	r = write_text("/proc/self/setgroups", "deny");
	if (!r)
		r = write_text("/proc/self/uid_map", uid);
	return r ? r : write_text("/proc/self/gid_map", gid);
}

static int run_userns_map(char **words)
{
	(void)words;
	return enter_userns();
}

/* A view that a new namespace owns could be opened again for writing. */
static int run_userns_write(char **words)
{
	int fd, r = enter_userns();

	if (r)
		return r;
	if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RELATIME, NULL) < 0)
		return -errno;
	fd = open(words[0], O_WRONLY | O_TRUNC | O_CLOEXEC);
	return fd < 0 ? -errno : 0;
}

const struct act act_mount[] = {
	{ "new-mount", "TO", 1, run_new_mount },
	{ "clone-mount", "FROM TO", 2, run_clone_mount },
	{ "userns-map", "", 0, run_userns_map },
	{ "userns-write", "PATH", 1, run_userns_write },
	{ 0 },
};
