/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * execve(2) says ENOENT both for a program that is not there and for one whose interpreter is not.
 * Here, in the launcher and after the fact, the first bytes of the program tell which it was.
 */

#define HEAD 4096

static bool script_interpreter(const char *head, char interpreter[PATH_MAX])
{
	size_t len;

	if (strncmp(head, "#!", 2))
		return false;
	head += 2;
	head += strspn(head, " \t");
	len = strcspn(head, " \t\r\n");
	if (len == 0 || len >= PATH_MAX)
		return false;
	memcpy(interpreter, head, len);
	interpreter[len] = '\0';
	return true;
}

static bool elf_interpreter(int fd, const char *head, size_t len, char interpreter[PATH_MAX])
{
	Elf64_Ehdr header;

	if (len < sizeof(header) || memcmp(head, ELFMAG, SELFMAG) || head[EI_CLASS] != ELFCLASS64)
		return false;
	memcpy(&header, head, sizeof(header));
	for (unsigned i = 0; i < header.e_phnum && i < 64; i++) {
		Elf64_Phdr segment;
		off_t at = (off_t)(header.e_phoff + i * sizeof(segment));

		if (pread(fd, &segment, sizeof(segment), at) != sizeof(segment))
			return false;
		if (segment.p_type != PT_INTERP || segment.p_filesz == 0 ||
		    segment.p_filesz > PATH_MAX)
			continue;
		if (pread(fd, interpreter, segment.p_filesz, (off_t)segment.p_offset) !=
		    (ssize_t)segment.p_filesz)
			return false;
		interpreter[segment.p_filesz - 1] = '\0';
		return true;
	}
	return false;
}

static bool find_interpreter(int directory, const char *path, char interpreter[PATH_MAX])
{
	char head[HEAD + 1];
	struct stat st;
	ssize_t len;
	_cleanup_fd_ int fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	len = read(fd, head, HEAD);
	if (len <= 0)
		return false;
	head[len] = '\0';
	return script_interpreter(head, interpreter) ||
	       elf_interpreter(fd, head, (size_t)len, interpreter);
}

void exec_explain(int status_fd, const char *start, struct rf_error *err)
{
	_cleanup_fd_ int directory = open(start, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char path[sizeof(err->msg)], interpreter[PATH_MAX];
	bool found;

	memcpy(path, err->msg, sizeof(path));
	found = faccessat(directory, path, X_OK, AT_EACCESS) == 0 &&
		find_interpreter(directory, path, interpreter);
	/* an interpreter that works is not what failed */
	if (found && faccessat(directory, interpreter, X_OK, AT_EACCESS) == 0)
		found = false;
	exec_event_write(status_fd, err, path, found ? interpreter : NULL);
	if (found)
		snprintf(err->msg, sizeof(err->msg),
			 "cannot execute '%.160s': interpreter '%.160s'", path, interpreter);
	else
		snprintf(err->msg, sizeof(err->msg), "cannot execute '%.320s'", path);
	/* 126 and not 127: the command itself was found */
	snprintf(err->step, sizeof(err->step), "%s", found ? "interpreter" : "exec");
}

int process_exec_status(const struct rf_error *err)
{
	bool missing = err->errnum == ENOENT || err->errnum == ENOTDIR;

	return missing && strcmp(err->step, "interpreter") ? 127 : 126;
}

int process_exit_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return 128 + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}
