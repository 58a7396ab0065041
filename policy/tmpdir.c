/* SPDX-License-Identifier: MIT */
#include "tmpdir.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool rf_tmpdir_opens_home(const char *tmpdir, const char *home)
{
	/* "/" as a home (of daemons) would make every TMPDIR suspicious in no useful way */
	if (home[0] != '/' || !strcmp(home, "/"))
		return false;
	return rf_path_within(home, tmpdir);
}

/* Homes that no passwd file lists (a directory service) still lie in /home by custom. */
static bool is_below_home(const char *path)
{
	const char *name;

	if (!strcmp(path, "/home"))
		return true;
	if (strncmp(path, "/home/", 6))
		return false;
	name = path + 6;
	return !strchr(name, '/');
}

static bool opens_any_home(const char *tmpdir)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry;
	bool found = false;

	if (!file)
		return false;
	while (!found && (entry = fgetpwent(file)))
		found = rf_tmpdir_opens_home(tmpdir, entry->pw_dir);
	fclose(file);
	return found;
}

static bool is_covered(const struct rf_found *found)
{
	if (rf_path_within(found->tmpdir.path, found->workspace.path))
		return true;
	return found->tmp.fd >= 0 && rf_path_within(found->tmpdir.path, found->tmp.path);
}

const char *rf_tmpdir_refusal(const struct rf_found *found)
{
	const struct rf_object *tmpdir = &found->tmpdir;

	if (!S_ISDIR(tmpdir->is.mode))
		return "it is no directory";
	if (!strcmp(tmpdir->path, "/"))
		return "it is the root directory";
	if (rf_path_kernel_directory(tmpdir->path))
		return "it lies in /proc, /sys or /dev";
	if (is_covered(found)) /* nothing is added, so nothing needs a closer look */
		return NULL;
	if (tmpdir->is.uid != found->uid && !(tmpdir->is.mode & S_ISVTX))
		return "it belongs to someone else and is not sticky";
	if (rf_path_within(found->workspace.path, tmpdir->path))
		return "the workspace lies in it";
	if (is_below_home(tmpdir->path) || opens_any_home(tmpdir->path))
		return "it is or holds a home directory";
	return NULL;
}
