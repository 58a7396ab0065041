/* SPDX-License-Identifier: MIT */
/* Changes of content that take more than one call. */
#include "act.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

static const char text[] = "changed by an attack\n";

static int write_text(int fd)
{
	return act_result(fd < 0 ? -1 : write(fd, text, sizeof(text) - 1));
}

/* Opens, with flags as numbers, and writes where the flags let it. */
static int run_write(char **words)
{
	int flags = words[1] ? (int)act_number(words[1]) : O_WRONLY;

	return write_text(open(words[0], flags | O_CLOEXEC | O_NOCTTY, 0600));
}

/* The second open goes through the magic link of the first, past every name. */
static int reopen(int fd, int flags)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags | O_CLOEXEC);
}

static int run_reopen(char **words)
{
	int fd = open(words[0], (int)act_number(words[1]) | O_CLOEXEC);

	return fd < 0 ? -errno : write_text(reopen(fd, O_WRONLY));
}

static int run_reopen_fd(char **words)
{
	return write_text(reopen((int)act_number(words[0]), O_WRONLY));
}

static int run_write_fd(char **words)
{
	return write_text((int)act_number(words[0]));
}

static int run_write_at(char **words)
{
	return write_text(openat((int)act_number(words[0]), words[1], O_WRONLY | O_CLOEXEC));
}

static int run_send_fd(char **words)
{
	return act_result(send((int)act_number(words[0]), text, sizeof(text) - 1, MSG_NOSIGNAL));
}

/* Writes back what is there, so that a success changes nothing on the machine. */
static int run_rewrite(char **words)
{
	char data[4096];
	int in = open(words[0], O_RDONLY | O_CLOEXEC), out;
	ssize_t n = in < 0 ? -1 : read(in, data, sizeof(data));

	if (n < 0)
		return -errno;
	out = open(words[0], O_WRONLY | O_CLOEXEC);
	return act_result(out < 0 ? -1 : write(out, data, (size_t)n));
}

static int run_map(char **words)
{
	int fd = open(words[0], O_RDWR | O_CLOEXEC);
	char *p;

	if (fd < 0)
		return -errno;
	p = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	memcpy(p, text, 4);
	return act_result(msync(p, 4, MS_SYNC));
}

static int run_copy_range(char **words)
{
	int in = open(words[0], O_RDONLY | O_CLOEXEC), out;

	if (in < 0)
		return -errno;
	out = open(words[1], O_WRONLY | O_CLOEXEC);
	return act_result(out < 0 ? -1 : syscall(SYS_copy_file_range, in, NULL, out, NULL, 4, 0));
}

static int run_splice(char **words)
{
	int out = open(words[0], O_WRONLY | O_CLOEXEC), pipes[2];

	if (out < 0)
		return -errno;
	if (pipe(pipes) < 0 || write(pipes[1], text, 8) < 0)
		return -errno;
	return act_result(splice(pipes[0], NULL, out, NULL, 8, 0));
}

/* A file without a name that gets one: tmpfile-link DIR NEW MODE */
static int run_tmpfile_link(char **words)
{
	char path[32];
	int fd = open(words[0], O_TMPFILE | O_RDWR | O_CLOEXEC, (mode_t)act_number(words[2]));

	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return act_result(linkat(AT_FDCWD, path, AT_FDCWD, words[1], AT_SYMLINK_FOLLOW));
}

/* A second name for a file by its fd, past the name that a rule may speak of. */
static int run_link_fd(char **words)
{
	char path[32];
	int fd = open(words[0], O_PATH | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return act_result(linkat(AT_FDCWD, path, AT_FDCWD, words[1], AT_SYMLINK_FOLLOW));
}

static int run_bind_unix(char **words)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(words[0]) >= sizeof(a.sun_path))
		return -EINVAL;
	strcpy(a.sun_path, words[0]);
	return act_result(bind(fd, (struct sockaddr *)&a, sizeof(a)));
}

/* name_to_handle_at() gives a ticket that open_by_handle_at() takes without any path. */
static int run_handle(char **words)
{
	struct {
		struct file_handle head;
		unsigned char data[128];
	} h = { .head.handle_bytes = 128 };
	int mount, fd;

	if (name_to_handle_at(AT_FDCWD, words[0], &h.head, &mount, 0) < 0)
		return -errno;
	mount = open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (mount < 0)
		return -errno;
	fd = open_by_handle_at(mount, &h.head, O_WRONLY);
	return fd < 0 ? -errno : write_text(fd);
}

static int ring_submit(int ring, const struct io_uring_params *p, const struct io_uring_sqe *what)
{
	size_t size = p->sq_off.array + p->sq_entries * sizeof(unsigned);
	char *sq = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	char *cq = mmap(NULL, p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe),
			PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
	struct io_uring_sqe *sqes = mmap(NULL, p->sq_entries * sizeof(*sqes),
					 PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);

	if (sq == MAP_FAILED || cq == MAP_FAILED || sqes == MAP_FAILED)
		return -errno;
	sqes[0] = *what;
	*(unsigned *)(sq + p->sq_off.array) = 0;
	__atomic_store_n((unsigned *)(sq + p->sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return -errno;
	return ((struct io_uring_cqe *)(cq + p->cq_off.cqes))->res;
}

static int ring_do(const struct io_uring_sqe *what)
{
	struct io_uring_params p = { 0 };
	int ring = (int)syscall(SYS_io_uring_setup, 2, &p);

	return ring < 0 ? -errno : ring_submit(ring, &p, what);
}

static int run_ring_open(char **words)
{
	struct io_uring_sqe open_it = { .opcode = IORING_OP_OPENAT,
					.fd = AT_FDCWD,
					.open_flags = O_WRONLY | O_TRUNC,
					.addr = (unsigned long)words[0] };
	int r = ring_do(&open_it);

	return r < 0 ? r : write_text(r);
}

static int run_ring_unlink(char **words)
{
	struct io_uring_sqe remove_it = { .opcode = IORING_OP_UNLINKAT,
					  .fd = AT_FDCWD,
					  .addr = (unsigned long)words[0] };

	int r = ring_do(&remove_it);

	return r < 0 ? r : 0;
}

/* IORING_OP_SOCKET of kernels from 5.19: domain, protocol and type. */
static int run_ring_socket(char **words)
{
	struct io_uring_sqe make_it = { .opcode = 45,
					.fd = (int)act_number(words[0]),
					.off = (unsigned long)act_number(words[1]) };

	int r = ring_do(&make_it);

	return r < 0 ? r : 0;
}

const struct act act_write[] = {
	{ "write", "PATH [FLAGS]", 1, run_write },
	{ "reopen", "PATH FLAGS", 2, run_reopen },
	{ "reopen-fd", "FD", 1, run_reopen_fd },
	{ "write-fd", "FD", 1, run_write_fd },
	{ "write-at", "DIRFD PATH", 2, run_write_at },
	{ "send-fd", "FD", 1, run_send_fd },
	{ "rewrite", "PATH", 1, run_rewrite },
	{ "map", "PATH", 1, run_map },
	{ "copy-range", "FROM TO", 2, run_copy_range },
	{ "splice", "PATH", 1, run_splice },
	{ "tmpfile-link", "DIR NEW MODE", 3, run_tmpfile_link },
	{ "link-fd", "OLD NEW", 2, run_link_fd },
	{ "bind-unix", "PATH", 1, run_bind_unix },
	{ "handle", "PATH MOUNT", 2, run_handle },
	{ "ring-open", "PATH", 1, run_ring_open },
	{ "ring-unlink", "PATH", 1, run_ring_unlink },
	{ "ring-socket", "FAMILY TYPE", 2, run_ring_socket },
	{ 0 },
};
