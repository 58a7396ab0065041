/* SPDX-License-Identifier: MIT */
#include "resolve.h"
#include "mountinfo.h"
#include "tmpdir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANY_ROOTS 100 /* from here on the usual soft limit of 1024 descriptors may not do */

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

static void object_release(struct rf_object *object)
{
	fd_close(object->fd);
	free(object->path);
	*object = (struct rf_object)RF_OBJECT_NONE;
}

/* The kernel's own name of an open object: what getcwd(2) would say there. */
static int object_name(int fd, char **ret)
{
	char link[sizeof("/proc/self/fd/") + 12], name[PATH_MAX];
	long len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = sys_readlinkat(AT_FDCWD, link, name, sizeof(name) - 1);
	if (len < 0)
		return (int)len;
	name[len] = '\0';
	if (name[0] != '/') /* a detached or foreign mount */
		return -ENOENT;
	*ret = strdup(name);
	return *ret ? 0 : -ENOMEM;
}

static int object_identify(struct rf_object *object)
{
	int ret = fd_identify(object->fd, &object->is);

	if (ret < 0)
		return ret;
	if (object->is.links == 0) /* removed while somebody still stands in it */
		return -ENOENT;
	return object_name(object->fd, &object->path);
}

/*
 * The launcher closes everything below RF_FD_FLOOR once the sandbox is being set up. With a chain
 * to go along (`lasting`) the objects must outlive the first backend's attempt.
 */
static int object_open_flags(const char *path, int flags, bool lasting, struct rf_object *ret)
{
	struct rf_object object = RF_OBJECT_NONE;
	int error, fd;

	if (!*path)
		return -ENOENT;
	fd = fd_above_stdio(sys_openat(AT_FDCWD, path, flags | O_CLOEXEC));
	object.fd = lasting ? fd_copy_high(fd) : fd;
	if (object.fd < 0)
		return object.fd;
	error = object_identify(&object);
	if (error < 0) {
		object_release(&object);
		return error;
	}
	*ret = object;
	return 0;
}

static int object_open(const char *path, bool lasting, struct rf_object *ret)
{
	return object_open_flags(path, O_PATH, lasting, ret);
}

static bool is_lasting(const struct rf_policy *policy)
{
	return policy->backend == RF_BACKEND_AUTO;
}

static bool is_missing(int error)
{
	return error == -ENOENT || error == -ENOTDIR;
}

/*
 * Opened for reading by way of its own ".": one call that proves that it can be read and entered.
 */
static int workspace_open(const char *path, bool lasting, struct rf_object *ret)
{
	char inside[PATH_MAX];
	int len = snprintf(inside, sizeof(inside), "%s/.", path);

	if (!*path)
		return -ENOENT;
	if (len < 0 || (size_t)len >= sizeof(inside))
		return -ENAMETOOLONG;
	return object_open_flags(inside, O_RDONLY | O_DIRECTORY, lasting, ret);
}

static int workspace_error(const char *path, int error, struct rf_error *err)
{
	struct stat st;

	if (error == -EMFILE || error == -ENFILE)
		return rf_error_set(err, RF_CODE_SETUP_FAILED, -error, "cannot open '%s'", path);
	if (error == -ENOTDIR && !stat(path, &st))
		return rf_error_set(err, RF_CODE_WORKSPACE_NOT_A_DIRECTORY, ENOTDIR,
				    "cannot use workspace '%s'", path);
	return rf_error_set(err, RF_CODE_WORKSPACE_MISSING, -error, "cannot open workspace '%s'",
			    path);
}

static int resolve_workspace(const struct rf_policy *policy, struct rf_found *found,
			     struct rf_error *err)
{
	const char *path = policy->workspace ? policy->workspace : ".";
	int ret = workspace_open(path, is_lasting(policy), &found->workspace);

	if (ret < 0)
		return workspace_error(path, ret, err);
	if (!strcmp(found->workspace.path, "/"))
		return rf_error_set(err, RF_CODE_WORKSPACE_IS_ROOT, 0,
				    "workspace '%s' is the root directory", path);
	return 0;
}

static int current_directory_exists(void)
{
	char path[PATH_MAX];
	int ret = (int)SYS2(SYS_getcwd, path, sizeof(path));

	return ret < 0 && ret != -ERANGE ? ret : 0;
}

static int resolve_directory(const struct rf_policy *policy, const char *directory,
			     struct rf_found *found, struct rf_error *err)
{
	int ret;

	if (!directory && !policy->workspace)
		return 0;
	/*
	 * the Landlock backend leaves the command where the launcher stands, if that still exists
	 */
	if (!directory && policy->backend == RF_BACKEND_LANDLOCK)
		ret = current_directory_exists();
	else
		ret = object_open(directory ? directory : ".", is_lasting(policy),
				  &found->directory);
	if (!ret && found->directory.fd >= 0 && !S_ISDIR(found->directory.is.mode))
		ret = -ENOTDIR;
	if (!ret)
		return 0;
	return rf_error_set(err, directory ? RF_CODE_USAGE : RF_CODE_SETUP_FAILED, -ret,
			    "cannot enter directory '%s'", directory ? directory : ".");
}

static int resolve_extra(const struct rf_policy *policy, const char *path, bool optional,
			 struct rf_found *found, struct rf_error *err)
{
	int ret = object_open(path, is_lasting(policy), &found->extra[found->extra_len]);

	if (!ret) {
		found->extra_len++;
		return 0;
	}
	if (optional && is_missing(ret))
		return 0;
	return rf_error_set(err, RF_CODE_ROOT_MISSING, -ret, "cannot open writable root '%s'",
			    path);
}

static int resolve_extras(const struct rf_policy *policy, struct rf_found *found,
			  struct rf_error *err)
{
	size_t count = policy->write.len + policy->write_if_present.len;
	int ret = 0;

	if (!count)
		return 0;
	if (count > MANY_ROOTS)
		fd_limit_raise();
	found->extra = calloc(count, sizeof(*found->extra));
	if (!found->extra)
		return rf_error_set(err, RF_CODE_INTERNAL, ENOMEM, "cannot list writable roots");
	for (size_t i = 0; !ret && i < policy->write.len; i++)
		ret = resolve_extra(policy, policy->write.items[i], false, found, err);
	for (size_t i = 0; !ret && i < policy->write_if_present.len; i++)
		ret = resolve_extra(policy, policy->write_if_present.items[i], true, found, err);
	return ret;
}

/* What lies directly in "/" and is no link is its own canonical name: a call less for most. */
static int tmp_open(bool lasting, struct rf_object *ret)
{
	struct rf_object object = RF_OBJECT_NONE;
	int fd = fd_above_stdio(sys_openat(AT_FDCWD, "/tmp", O_PATH | O_NOFOLLOW | O_CLOEXEC));

	object.fd = lasting ? fd_copy_high(fd) : fd;
	if (object.fd < 0)
		return object.fd;
	if (fd_identify(object.fd, &object.is) < 0 || !S_ISDIR(object.is.mode)) {
		object_release(&object);
		return object_open("/tmp", lasting, ret);
	}
	object.path = strdup("/tmp");
	if (!object.path) {
		object_release(&object);
		return -ENOMEM;
	}
	*ret = object;
	return 0;
}

/* The built-in roots are skipped when they are missing, and only workspace-write has any. */
static int resolve_temporary(const struct rf_policy *policy, const char *tmpdir,
			     struct rf_found *found, struct rf_error *err)
{
	bool lasting = is_lasting(policy);
	int ret = tmp_open(lasting, &found->tmp);

	if (ret < 0 && !is_missing(ret))
		return rf_error_set(err, RF_CODE_ROOT_MISSING, -ret,
				    "cannot open writable root '/tmp'");
	if (!tmpdir || !*tmpdir || !strcmp(tmpdir, "/tmp"))
		return 0;
	if (tmpdir[0] == '/')
		ret = object_open(tmpdir, lasting, &found->tmpdir);
	else
		ret = -EINVAL;
	if (ret < 0)
		found->tmpdir_skipped = tmpdir[0] == '/' ? "it cannot be opened" : "it is relative";
	else
		found->tmpdir_skipped = rf_tmpdir_refusal(found);
	if (found->tmpdir_skipped)
		object_release(&found->tmpdir);
	return 0;
}

static int read_all(const char *path, struct str *out)
{
	_cleanup_fd_ int fd = fd_above_stdio(sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
	char part[4096];
	long got;

	if (fd < 0)
		return fd;
	while ((got = sys_read(fd, part, sizeof(part))) > 0)
		str_append_bytes(out, part, (size_t)got);
	return out->failed ? -ENOMEM : (int)got;
}

static int list_kernel_mounts(char *text, struct strv *ret)
{
	for (char *line = text, *next; line && *line; line = next) {
		struct rf_mount mount;
		char *point;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (rf_mount_parse(line, &mount) < 0)
			return -EINVAL;
		if (!rf_mount_is_kernel(&mount))
			continue;
		point = strdup(mount.point);
		if (!point || strv_append(ret, point) < 0) {
			free(point);
			return -ENOMEM;
		}
	}
	return 0;
}

/*
 * A /proc that somebody mounted below a writable root (a chroot in the workspace) would be writable
 * with it, and uid 0 may write the kernel's switches there without any capability.
 */
static int resolve_kernel_mounts(struct rf_found *found, struct rf_error *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	int ret;

	if (found->uid != 0)
		return 0;
	ret = read_all("/proc/self/mountinfo", &text);
	if (!ret && text.data)
		ret = list_kernel_mounts(text.data, &found->kernel_mounts);
	if (ret < 0)
		return rf_error_set(err, RF_CODE_SETUP_FAILED, -ret,
				    "cannot read '/proc/self/mountinfo'");
	return 0;
}

static int resolve_all(const struct rf_policy *policy, const char *directory, const char *tmpdir,
		       struct rf_found *found, struct rf_error *err)
{
	int ret = resolve_workspace(policy, found, err);

	if (!ret)
		ret = resolve_directory(policy, directory, found, err);
	if (!ret)
		ret = resolve_extras(policy, found, err);
	if (!ret && policy->mode == RF_MODE_WORKSPACE_WRITE)
		ret = resolve_temporary(policy, tmpdir, found, err);
	if (!ret && policy->mode == RF_MODE_WORKSPACE_WRITE)
		ret = resolve_kernel_mounts(found, err);
	return ret;
}

int rf_resolve(const struct rf_policy *policy, const char *directory, const char *tmpdir,
	       struct rf_found *ret, struct rf_error *err)
{
	struct rf_found found = {
		.uid = (uid_t)getauxval(AT_EUID),
		.gid = (gid_t)getauxval(AT_EGID),
		.workspace = RF_OBJECT_NONE,
		.directory = RF_OBJECT_NONE,
		.tmp = RF_OBJECT_NONE,
		.tmpdir = RF_OBJECT_NONE,
	};
	int error = resolve_all(policy, directory, tmpdir, &found, err);

	if (error < 0) {
		rf_found_release(&found);
		return error;
	}
	*ret = found;
	return 0;
}

void rf_found_release(struct rf_found *found)
{
	object_release(&found->workspace);
	object_release(&found->directory);
	object_release(&found->tmp);
	object_release(&found->tmpdir);
	for (size_t i = 0; i < found->extra_len; i++)
		object_release(&found->extra[i]);
	for (size_t i = 0; i < found->kernel_mounts.len; i++)
		free((char *)found->kernel_mounts.items[i]);
	strv_release(&found->kernel_mounts);
	free(found->extra);
	found->extra = NULL;
	found->extra_len = 0;
}

const struct rf_object *rf_found_directory(const struct rf_found *found)
{
	return found->directory.fd >= 0 ? &found->directory : &found->workspace;
}
