/* SPDX-License-Identifier: MIT */
/* Sockets outside that count who reaches them. */
#include "world.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FASTOPEN_QUEUE 4

static int inet_socket(int type, char port[static 8], int *ret)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof(a);
	int queue = FASTOPEN_QUEUE;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*ret = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*ret < 0 || bind(*ret, (struct sockaddr *)&a, len) < 0)
		return -errno;
	if (type == SOCK_STREAM) {
		/* without it on the server's side MSG_FASTOPEN is a plain connect */
		setsockopt(*ret, IPPROTO_TCP, 23, &queue, sizeof(queue));
		if (listen(*ret, 8) < 0)
			return -errno;
	}
	if (getsockname(*ret, (struct sockaddr *)&a, &len) < 0)
		return -errno;
	snprintf(port, 8, "%u", ntohs(a.sin_port));
	return 0;
}

/* `name` starts with the '@' that stands for the NUL. */
static int abstract_socket(int type, const char *name, int *ret)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));

	memcpy(a.sun_path + 1, name + 1, strlen(name) - 1);
	*ret = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*ret < 0 || bind(*ret, (struct sockaddr *)&a, len) < 0)
		return -errno;
	return type == SOCK_STREAM && listen(*ret, 8) < 0 ? -errno : 0;
}

int listeners_make(struct world *w)
{
	int r = inet_socket(SOCK_STREAM, w->tcp_port, &w->tcp);

	/* the name is that of this process: other tests run at the same time */
	snprintf(w->stream_name, sizeof(w->stream_name), "@ringfence-stream-%d", getpid());
	snprintf(w->dgram_name, sizeof(w->dgram_name), "@ringfence-dgram-%d", getpid());
	if (!r)
		r = inet_socket(SOCK_DGRAM, w->udp_port, &w->udp);
	if (!r)
		r = abstract_socket(SOCK_STREAM, w->stream_name, &w->stream);
	return r ? r : abstract_socket(SOCK_DGRAM, w->dgram_name, &w->dgram);
}

static void count_connections(struct world *w, int fd)
{
	int got;

	while (fd > 0 && (got = accept4(fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		w->arrived++;
		close(got);
	}
}

static void count_datagrams(struct world *w, int fd)
{
	char byte;

	while (fd > 0 && recv(fd, &byte, 1, 0) >= 0)
		w->arrived++;
}

void listeners_count(struct world *w)
{
	count_connections(w, w->tcp);
	count_connections(w, w->stream);
	count_datagrams(w, w->udp);
	count_datagrams(w, w->dgram);
}

void listeners_close(struct world *w)
{
	int fds[] = { w->tcp, w->udp, w->stream, w->dgram };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] > 0)
			close(fds[i]);
}
