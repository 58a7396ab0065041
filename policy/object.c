/* SPDX-License-Identifier: MIT */
#include "object.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

bool rf_path_within(const char *path, const char *ancestor)
{
	size_t len = strlen(ancestor);

	if (len == 1 && ancestor[0] == '/')
		return true;
	return !strncmp(path, ancestor, len) && (path[len] == '\0' || path[len] == '/');
}

const char *rf_path_kernel_directory(const char *path)
{
	static const char *const kernel[] = { "/proc", "/sys", "/dev" };

	for (size_t i = 0; i < ARRAY_LEN(kernel); i++)
		if (rf_path_within(path, kernel[i]))
			return kernel[i];
	return NULL;
}

bool rf_path_is_normal(const char *path)
{
	while (*path == '/') {
		const char *name = path + 1;
		size_t len = strcspn(name, "/");

		if (len == 0 || (len == 1 && name[0] == '.') ||
		    (len == 2 && name[0] == '.' && name[1] == '.'))
			return false;
		path = name + len;
		if (!*path)
			return true;
	}
	return false;
}

void rf_object_release(struct rf_object *object)
{
	fd_close(object->fd);
	free(object->path);
	*object = (struct rf_object)RF_OBJECT_NONE;
}

/* What the kernel says of an open object where no shorter way leads to its name. */
static int name_by_proc(int fd, char name[PATH_MAX])
{
	char link[sizeof("/proc/self/fd/") + 12];
	long len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = sys_readlinkat(AT_FDCWD, link, name, PATH_MAX - 1);
	if (len >= 0)
		name[len] = '\0';
	return len < 0 ? (int)len : 0;
}

static int name_of_current(char name[PATH_MAX])
{
	long len = SYS2(SYS_getcwd, name, PATH_MAX);

	return len < 0 ? (int)len : 0;
}

static int open_without_links(const char *path, int flags)
{
	struct kernel_open_how how = {
		.flags = (uint64_t)flags | O_CLOEXEC,
		.resolve = KERNEL_RESOLVE_NO_SYMLINKS,
	};

	return (int)SYS4(SYS_NR_OPENAT2, AT_FDCWD, path, &how, sizeof(how));
}

/*
 * Finds descriptor and name. A lookup in /proc is dear (it fills the dentry cache, which the end of
 * the process has to clear), so it is made only for paths that go through links or dots.
 */
static int open_and_name(const char *path, const char *opened, int flags, char name[PATH_MAX])
{
	bool normal = rf_path_is_normal(path);
	int fd = normal ? open_without_links(opened, flags) : -ELOOP;
	int ret;

	if (fd >= 0) {
		strcpy(name, path); /* shorter than PATH_MAX, or it could not be opened */
		return fd_above_stdio(fd);
	}
	fd = fd_above_stdio(sys_openat(AT_FDCWD, opened, flags | O_CLOEXEC));
	if (fd < 0)
		return fd;
	ret = strcmp(path, ".") ? name_by_proc(fd, name) : name_of_current(name);
	if (!ret && name[0] != '/') /* a detached or foreign mount */
		ret = -ENOENT;
	if (ret < 0)
		fd_close(fd);
	return ret < 0 ? ret : fd;
}

static int identify(struct rf_object *object, const char *name)
{
	int ret = fd_identify(object->fd, &object->is);

	if (ret < 0)
		return ret;
	if (object->is.links == 0) /* removed while somebody still stands in it */
		return -ENOENT;
	object->path = strdup(name);
	return object->path ? 0 : -ENOMEM;
}

int rf_object_open(const char *path, enum rf_object_need need, bool lasting, struct rf_object *ret)
{
	struct rf_object object = RF_OBJECT_NONE;
	char inside[PATH_MAX], name[PATH_MAX];
	int fd, len, error;

	if (!*path)
		return -ENOENT;
	/* by way of its own ".": one call that proves that it can be read and entered */
	len = snprintf(inside, sizeof(inside), need == RF_OBJECT_ENTERED ? "%s/." : "%s", path);
	if (len < 0 || (size_t)len >= sizeof(inside))
		return -ENAMETOOLONG;
	fd = open_and_name(path, inside,
			   need == RF_OBJECT_ENTERED ? O_RDONLY | O_DIRECTORY : O_PATH, name);
	object.fd = lasting ? fd_copy_high(fd) : fd;
	if (object.fd < 0)
		return object.fd;
	error = identify(&object, name);
	if (error < 0) {
		rf_object_release(&object);
		return error;
	}
	*ret = object;
	return 0;
}
