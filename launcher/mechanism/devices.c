/* SPDX-License-Identifier: MIT */
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>

/* Enough for browsers and arrays shared between workers, not enough to fill the machine. */
#define SHARED_MEMORY_OPTIONS "mode=1777,size=25%,nr_inodes=65536"

static const struct device table[SETUP_DEVICES] = {
	{ "/dev/null", false },	  { "/dev/zero", false },    { "/dev/full", false },
	{ "/dev/random", false }, { "/dev/urandom", false }, { "/dev/tty", true },
};

const struct device *devices_table(size_t *ret_len)
{
	*ret_len = ARRAY_LEN(table);
	return table;
}

bool devices_is_node(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (!strcmp(path, table[i].path))
			return true;
	return false;
}

int devices_clone(struct setup *setup, struct rf_error *err)
{
	int *trees = setup->devices;

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		trees[i] = (int)SYS3(SYS_NR_OPEN_TREE, AT_FDCWD, table[i].path,
				     KERNEL_OPEN_TREE_CLONE | O_CLOEXEC | AT_SYMLINK_NOFOLLOW);
		if (trees[i] < 0 && trees[i] != -ENOENT)
			return setup_error(err, trees[i], "cannot clone '%s'", table[i].path);
	}
	return 0;
}

int devices_mount(struct setup *setup, struct rf_error *err)
{
	const int *trees = setup->devices;

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		int ret;

		if (trees[i] < 0)
			continue;
		ret = (int)SYS5(SYS_NR_MOVE_MOUNT, trees[i], "", AT_FDCWD, table[i].path,
				KERNEL_MOVE_MOUNT_F_EMPTY_PATH);
		if (ret < 0)
			return setup_error(err, ret, "cannot mount '%s'", table[i].path);
	}
	return 0;
}

int devices_bind(struct rf_error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		int ret = sys_mount(table[i].path, table[i].path, NULL, MS_BIND, NULL);

		if (ret < 0 && ret != -ENOENT)
			return setup_error(err, ret, "cannot mount '%s'", table[i].path);
	}
	return 0;
}

int devices_mount_terminals(struct setup *setup, struct rf_error *err)
{
	int ret;

	(void)setup;
	/* no gid=: the tty group is not mapped for an ordinary user, and mode 0620 needs none */
	ret = sys_mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
			"newinstance,ptmxmode=0666,mode=0620");
	if (ret == -ENOENT || ret == -ENOTDIR)
		return 0; /* a /dev without pseudo-terminals stays as it is */
	if (ret < 0)
		return setup_error(err, ret, "cannot mount a devpts");
	/* a node of devtmpfs looks for "pts" beside itself and would find none in its own mount */
	ret = sys_mount("/dev/pts/ptmx", "/dev/ptmx", NULL, MS_BIND, NULL);
	return ret < 0 && ret != -ENOENT ? setup_error(err, ret, "cannot mount '/dev/ptmx'") : 0;
}

int devices_mount_shared_memory(struct setup *setup, struct rf_error *err)
{
	int ret;

	if (setup->plan->mode != RF_MODE_WORKSPACE_WRITE)
		return 0;
	ret = sys_mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, SHARED_MEMORY_OPTIONS);
	return ret < 0 && ret != -ENOENT ? setup_error(err, ret, "cannot mount '/dev/shm'") : 0;
}
