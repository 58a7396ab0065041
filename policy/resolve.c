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

static bool is_lasting(const struct rf_policy *policy)
{
	return policy->backend == RF_BACKEND_AUTO;
}

static bool is_missing(int error)
{
	return error == -ENOENT || error == -ENOTDIR;
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
	int ret = rf_object_open(path, RF_OBJECT_ENTERED, is_lasting(policy), &found->workspace);

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
		ret = rf_object_open(directory ? directory : ".", RF_OBJECT_NAMED,
				     is_lasting(policy), &found->directory);
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
	int ret = rf_object_open(path, RF_OBJECT_NAMED, is_lasting(policy),
				 &found->extra[found->extra_len]);

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

/* The built-in roots are skipped when they are missing, and only workspace-write has any. */
static int resolve_temporary(const struct rf_policy *policy, const char *tmpdir,
			     struct rf_found *found, struct rf_error *err)
{
	bool lasting = is_lasting(policy);
	int ret = rf_object_open("/tmp", RF_OBJECT_NAMED, lasting, &found->tmp);

	if (ret < 0 && !is_missing(ret))
		return rf_error_set(err, RF_CODE_ROOT_MISSING, -ret,
				    "cannot open writable root '/tmp'");
	if (!tmpdir || !*tmpdir || !strcmp(tmpdir, "/tmp"))
		return 0;
	if (tmpdir[0] == '/')
		ret = rf_object_open(tmpdir, RF_OBJECT_NAMED, lasting, &found->tmpdir);
	else
		ret = -EINVAL;
	if (ret < 0)
		found->tmpdir_skipped = tmpdir[0] == '/' ? "it cannot be opened" : "it is relative";
	else
		found->tmpdir_skipped = rf_tmpdir_refusal(found);
	if (found->tmpdir_skipped)
		rf_object_release(&found->tmpdir);
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
	rf_object_release(&found->workspace);
	rf_object_release(&found->directory);
	rf_object_release(&found->tmp);
	rf_object_release(&found->tmpdir);
	for (size_t i = 0; i < found->extra_len; i++)
		rf_object_release(&found->extra[i]);
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
