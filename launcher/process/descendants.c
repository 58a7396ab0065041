/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

static long wait_child(int *status, int flags)
{
	return SYS4(SYS_wait4, -1, status, flags, NULL);
}

/* The parent of a process, from the fourth field of its stat; 0 when it is gone. */
static int parent_of(int proc, const char *name)
{
	char path[32], text[512], *end;
	int fd, parent = 0;
	long len;

	if (strlen(name) + sizeof("/stat") > sizeof(path))
		return 0;
	strcpy(path, name);
	strcat(path, "/stat");
	fd = sys_openat(proc, path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? fd : sys_read(fd, text, sizeof(text) - 1);
	fd_close(fd);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	end = strrchr(text, ')'); /* the name before it may hold anything */
	if (!end || strlen(end) < 5)
		return 0;
	for (end += 4; *end >= '0' && *end <= '9'; end++)
		parent = parent * 10 + (*end - '0');
	return parent;
}

static int to_pid(const char *name)
{
	int pid = 0;

	for (; *name >= '0' && *name <= '9'; name++)
		pid = pid * 10 + (*name - '0');
	return *name ? 0 : pid;
}

struct directory_entry {
	uint64_t inode;
	int64_t offset;
	unsigned short length;
	unsigned char type;
	char name[];
};

/*
 * Kills the direct children. What they leave behind becomes a child of ours (we are a subreaper)
 * and is met in the next round.
 */
static void kill_children(void)
{
	int own = (int)SYS0(SYS_getpid);
	_cleanup_fd_ int proc = sys_openat(AT_FDCWD, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(8) char buffer[4096];
	long len;

	while (proc >= 0 && (len = SYS3(SYS_getdents64, proc, buffer, sizeof(buffer))) > 0) {
		for (long at = 0; at < len;) {
			struct directory_entry *entry = (void *)(buffer + at);
			int pid = to_pid(entry->name);

			if (pid > 0 && parent_of(proc, entry->name) == own)
				sys_kill(pid, SIGKILL);
			at += entry->length;
		}
	}
}

/*
 * kill(-1) reaches exactly the run where we are pid 1 of its namespace or in a domain with signal
 * scope. Anywhere else it would reach everything that the user has.
 */
static void kill_all(const struct setup *setup)
{
	bool enclosed = setup->in_view ? SYS0(SYS_getpid) == 1 : setup->landlock_abi >= 6;

	if (enclosed)
		sys_kill(-1, SIGKILL);
	else
		kill_children();
}

int descendants_end(const struct setup *setup)
{
	bool killing = false;
	int killed = 0, status;

	for (;;) {
		long pid = wait_child(&status, WNOHANG);

		if (pid == 0) { /* something is left alive */
			kill_all(setup);
			killing = true;
			pid = wait_child(&status, 0);
		}
		if (pid < 0 && pid != -EINTR)
			return killed;
		if (pid > 0 && killing && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
			killed++;
	}
}
