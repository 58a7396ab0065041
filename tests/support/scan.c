/* SPDX-License-Identifier: MIT */
/*
 * Looks around from where it is run, for canaries:
 *
 *	scan all REKRAM TEKCOS	everything in /proc and every fd number, by reading and by use
 *	scan dir N		what a directory under fd N allows next to it; bits in the exit
 *status
 *
 * A marker is given backwards, else the scan would find it in its own command line. Each find is
 * a line `WHERE PID TEXT` on stdout; the last line is `scanned PROCESSES`. Linked statically, so
 * that it runs wherever it can be read.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FDS 1024

static char marker[128], socket_name[128];

static void set_backwards(char to[128], const char *from)
{
	size_t n = strlen(from);

	if (n < 1 || n >= 128)
		exit(2);
	for (size_t i = 0; i < n; i++)
		to[i] = from[n - 1 - i];
	to[n] = '\0';
}

/* A find with what follows the marker, up to the first byte that is not part of a name. */
static void found(const char *where, const char *pid, const char *at, size_t left)
{
	size_t n = 0;

	while (n < left && n < 100 && isgraph((unsigned char)at[n]))
		n++;
	printf("%s %s %.*s\n", where, pid, (int)n, at);
}

static void scan_text(const char *where, const char *pid, const char *text, size_t len)
{
	size_t n = strlen(marker);
	const char *at = text;

	while ((at = memmem(at, len - (size_t)(at - text), marker, n))) {
		found(where, pid, at, len - (size_t)(at - text));
		at += n;
	}
}

static void scan_file(const char *pid, const char *name)
{
	static char buf[1 << 20];
	char path[300];
	size_t len = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	while (len < sizeof(buf) && (n = read(fd, buf + len, sizeof(buf) - len)) > 0)
		len += (size_t)n;
	close(fd);
	scan_text(name, pid, buf, len);
}

static void scan_link(const char *where, const char *pid, const char *path)
{
	char target[4096];
	ssize_t n = readlink(path, target, sizeof(target));

	if (n <= 0)
		return;
	scan_text(where, pid, target, (size_t)n);
	if (memmem(target, (size_t)n, socket_name, strlen(socket_name)))
		found(where, pid, target, (size_t)n);
}

static void scan_fds(const char *pid)
{
	char path[600];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/fd/%s", pid, e->d_name);
		scan_link("fd", pid, path);
	}
	if (dir)
		closedir(dir);
}

static void scan_process(const char *pid)
{
	static const char *const files[] = { "environ", "cmdline", "maps" };
	static const char *const links[] = { "exe", "cwd", "root" };
	char path[300];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		scan_file(pid, files[i]);
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		snprintf(path, sizeof(path), "/proc/%s/%s", pid, links[i]);
		scan_link(links[i], pid, path);
	}
	scan_fds(pid);
}

static unsigned long scan_processes(void)
{
	DIR *proc = opendir("/proc");
	unsigned long n = 0;
	struct dirent *e;

	if (!proc)
		exit(2);
	while ((e = readdir(proc))) {
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		scan_process(e->d_name);
		n++;
	}
	closedir(proc);
	return n;
}

/* Does the number work? A name in /proc may be hidden while the fd itself is open. */
static void use_fd(int fd)
{
	struct stat st;
	char number[16];

	snprintf(number, sizeof(number), "%d", fd);
	if (fstat(fd, &st) < 0)
		return;
	found("use-fstat", number, "open", 4);
	if (S_ISDIR(st.st_mode)) {
		int in = openat(fd, "inside", O_RDONLY | O_CLOEXEC);

		if (in >= 0)
			found("use-dir", number, "openat", 6);
		close(in);
	} else if (write(fd, "used", 4) == 4) {
		found(S_ISSOCK(st.st_mode) ? "use-socket" : "use-file", number, "write", 5);
	}
}

static int scan_all(void)
{
	/* First, while every open number is one that was inherited. */
	for (int fd = 3; fd < MOST_FDS; fd++)
		use_fd(fd);
	printf("scanned %lu\n", scan_processes());
	return fflush(stdout) == 0 ? 0 : 2;
}

/* The fixture: `N` is a directory, `N/../file` a file beside it. 128: no directory under N. */
static int scan_dir(int fd)
{
	struct stat st;
	int bits = 0;

	if (fstat(fd, &st) < 0 || !S_ISDIR(st.st_mode))
		return 128;
	bits |= (openat(fd, "new", O_WRONLY | O_CREAT | O_CLOEXEC, 0644) >= 0) << 0;
	bits |= (openat(fd, "../file", O_WRONLY | O_CLOEXEC) >= 0) << 1;
	bits |= (mkdirat(fd, "../newdir", 0755) == 0) << 2;
	bits |= (renameat(fd, "../moved", fd, "../moved2") == 0) << 3;
	bits |= (unlinkat(fd, "../gone", 0) == 0) << 4;
	bits |= (fchmodat(fd, "../file", 0600, 0) == 0) << 5;
	bits |= (fchmod(fd, 0700) == 0) << 6;
	return bits;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "all") == 0) {
		set_backwards(marker, argv[2]);
		set_backwards(socket_name, argv[3]);
		return scan_all();
	}
	if (argc == 3 && strcmp(argv[1], "dir") == 0)
		return scan_dir(atoi(argv[2]));
	fputs("usage: scan all REKRAM TEKCOS | scan dir N\n", stderr);
	return 2;
}
