/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

static int try_path(const char *path, char *const argv[], char *const envp[])
{
	return (int)SYS3(SYS_execve, path, argv, envp);
}

static int exec_failed(int error, const char *path, struct rf_error *err)
{
	return rf_error_set(err, RF_CODE_EXEC_FAILED, -error, "%s", path);
}

/* Joins the next element of PATH and the name; false: too long to be a path. */
static bool join(const char **search, const char *name, char path[PATH_MAX])
{
	size_t len = strcspn(*search, ":");
	bool fits = len + strlen(name) + 2 <= PATH_MAX;

	if (fits) {
		memcpy(path, *search, len);
		if (len) /* an empty element is the current directory */
			path[len++] = '/';
		strcpy(path + len, name);
	}
	*search += strcspn(*search, ":");
	return fits;
}

/* Does `next` tell the user more than `error`, found in an earlier element? */
static bool tells_more(int next)
{
	return next != -ENOENT && next != -ENOTDIR && next != -ENAMETOOLONG;
}

static int search(const char *name, char *const argv[], char *const envp[], struct rf_error *err)
{
	const char *list = rf_environment_get(envp, "PATH");
	char path[PATH_MAX], told[PATH_MAX];
	int error = -ENOENT;

	if (!list)
		list = DEFAULT_PATH;
	strncpy(told, name, sizeof(told) - 1);
	told[sizeof(told) - 1] = '\0';
	for (;; list++) {
		if (join(&list, name, path)) {
			int next = try_path(path, argv, envp);

			if (tells_more(next) && error == -ENOENT) {
				error = next;
				strcpy(told, path);
			}
			if (tells_more(next) && next != -EACCES && next != -ELOOP)
				break; /* found; another element would run another program */
		}
		if (*list != ':')
			break;
	}
	return exec_failed(error, told, err);
}

int command_execute(char *const argv[], char *const envp[], struct rf_error *err)
{
	if (!*argv[0])
		return exec_failed(-ENOENT, "", err);
	if (strchr(argv[0], '/'))
		return exec_failed(try_path(argv[0], argv, envp), argv[0], err);
	return search(argv[0], argv, envp, err);
}

int process_exec(const struct process_request *request, struct rf_error *err)
{
	int ret;

	start_event_write_unconfined(request);
	ret = command_execute(request->argv, request->inherited, err);
	exec_explain(request->status_fd, ".", err);
	return ret;
}
