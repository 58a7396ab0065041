/* SPDX-License-Identifier: MIT */
#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *child_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void child_memory_release(void *memory, size_t size)
{
	munmap(memory, size);
}

int child_run(int (*body)(void *data), void *data)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(body(data));
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_drop_root(void)
{
	if (geteuid() != 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setresgid(CHILD_USER, CHILD_USER, CHILD_USER) < 0 ||
	    setresuid(CHILD_USER, CHILD_USER, CHILD_USER) < 0)
		return -errno;
	return 0;
}

int child_count_fds(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	if (!directory)
		return -errno;
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 3; /* "." and ".." and the directory itself */
}
