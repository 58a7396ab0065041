/* SPDX-License-Identifier: MIT */
#include "mounts.h"
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>

#define SEALED (KERNEL_MOUNT_RDONLY | KERNEL_MOUNT_NOSUID | KERNEL_MOUNT_NODEV)

static int set_attributes(int fd, const char *path, unsigned flags, uint64_t set,
			  uint64_t propagation)
{
	struct kernel_mount_attr attr = { .set = set, .propagation = propagation };

	return (int)SYS5(SYS_NR_MOUNT_SETATTR, fd, path, flags, &attr, sizeof(attr));
}

static int open_without_links(const char *path)
{
	struct kernel_open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = KERNEL_RESOLVE_NO_SYMLINKS | KERNEL_RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)SYS4(SYS_NR_OPENAT2, AT_FDCWD, path, &how, sizeof(how));

	/* before Linux 5.6, or under a filter: the comparison of what was opened does the same */
	if (fd == -ENOSYS || fd == -EPERM)
		fd = sys_openat(AT_FDCWD, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd;
}

int mounts_reopen(const struct rf_object *object, struct rf_error *err)
{
	_cleanup_fd_ int fd = open_without_links(object->path);
	struct fd_object is;
	int ret = fd < 0 ? fd : fd_identify(fd, &is);

	if (ret < 0)
		return rf_error_set(err, RF_CODE_PATH_CHANGED, -ret, "cannot open '%s' again",
				    object->path);
	if (!fd_object_same(&is, &object->is))
		return rf_error_set(err, RF_CODE_PATH_CHANGED, 0,
				    "'%s' was replaced after it was checked", object->path);
	return take_fd(&fd);
}

int mounts_enter_directory(struct setup *setup, struct rf_error *err)
{
	_cleanup_fd_ int fd = mounts_reopen(setup->plan->directory, err);
	int ret;

	if (fd < 0)
		return fd;
	ret = (int)SYS1(SYS_fchdir, fd);
	if (ret < 0)
		return setup_error(err, ret, "cannot enter directory '%s'",
				   setup->plan->directory->path);
	return 0;
}

/*
 * The trees are cloned before everything turns read-only, so that they keep the flags that the
 * mounts below a root have: what was read-only outside stays so, the rest stays writable, and no
 * flag has to be cleared that the kernel may have locked.
 */
static int clone_roots(struct setup *setup, struct rf_error *err)
{
	for (size_t i = 0; i < setup->plan->roots_len; i++) {
		const struct rf_object *root = setup->plan->roots[i];
		int place = mounts_reopen(root, err);
		int tree;

		if (place < 0)
			return place;
		tree = (int)SYS3(SYS_NR_OPEN_TREE, place, "",
				 KERNEL_OPEN_TREE_CLONE | O_CLOEXEC | AT_EMPTY_PATH |
					 KERNEL_AT_RECURSIVE);
		if (tree < 0)
			return setup_error(err, tree, "cannot clone the mounts of '%s'",
					   root->path);
		setup->trees[2 * i] = tree;
		setup->trees[2 * i + 1] = place;
	}
	return 0;
}

static int mount_roots(struct setup *setup, struct rf_error *err)
{
	for (size_t i = 0; i < setup->plan->roots_len; i++) {
		int tree = setup->trees[2 * i], place = setup->trees[2 * i + 1];
		int ret = set_attributes(tree, "", AT_EMPTY_PATH | KERNEL_AT_RECURSIVE,
					 KERNEL_MOUNT_NOSUID | KERNEL_MOUNT_NODEV, 0);

		if (!ret)
			ret = (int)SYS5(SYS_NR_MOVE_MOUNT, tree, "", place, "",
					KERNEL_MOVE_MOUNT_F_EMPTY_PATH |
						KERNEL_MOVE_MOUNT_T_EMPTY_PATH);
		if (ret < 0)
			return setup_error(err, ret, "cannot mount writable root '%s'",
					   setup->plan->roots[i]->path);
	}
	return 0;
}

/* For uid 0: what below the writable roots is a window to the kernel stays read-only. */
static int seal_kernel_mounts(struct setup *setup, struct rf_error *err)
{
	for (size_t i = 0; i < setup->plan->kernel_mounts.len; i++) {
		const char *point = setup->plan->kernel_mounts.items[i];
		int ret = set_attributes(AT_FDCWD, point, 0, KERNEL_MOUNT_RDONLY, 0);

		/* also when it is gone: it may have been moved to where it stays writable */
		if (ret < 0)
			return setup_error(err, ret, "cannot make '%s' read-only", point);
	}
	return 0;
}

/*
 * Private comes first and alone: what is cloned after it is private too, and from here on no mount
 * that the host makes can appear in the view, writable.
 */
static int seal(struct rf_error *err)
{
	int ret = set_attributes(AT_FDCWD, "/", KERNEL_AT_RECURSIVE, SEALED, MS_PRIVATE);

	return ret < 0 ? setup_error(err, ret, "cannot make the mounts read-only") : 0;
}

int mounts_apply(struct setup *setup, struct rf_error *err)
{
	int ret = set_attributes(AT_FDCWD, "/", KERNEL_AT_RECURSIVE, 0, MS_PRIVATE);

	/* EPERM: container filters of before 5.12 say so of calls that they do not know */
	if (ret == -ENOSYS || ret == -EPERM)
		return mounts_classic_apply(setup, err);
	if (ret < 0)
		return setup_error(err, ret, "cannot make the mounts private");
	ret = clone_roots(setup, err);
	if (!ret)
		ret = devices_clone(setup, err);
	if (!ret)
		ret = seal(err);
	if (!ret)
		ret = mount_roots(setup, err);
	if (!ret)
		ret = seal_kernel_mounts(setup, err);
	if (!ret)
		ret = devices_mount(setup, err);
	return ret;
}
