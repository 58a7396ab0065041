/* SPDX-License-Identifier: MIT */
/* Sockets: to a port of 127.0.0.1, and to abstract and pathname AF_UNIX names. */
#include "act.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static char text[] = "x";

static struct sockaddr_in local(const char *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons((unsigned short)act_number(port)) };

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return a;
}

static int inet(int type)
{
	return socket(AF_INET, type | SOCK_CLOEXEC, 0);
}

static int run_tcp_connect(char **words)
{
	struct sockaddr_in a = local(words[0]);
	int fd = inet(SOCK_STREAM);

	return act_result(fd < 0 ? -1 : connect(fd, (struct sockaddr *)&a, sizeof(a)));
}

/* Connects and sends in one call. */
static int run_tcp_fastopen(char **words)
{
	struct sockaddr_in a = local(words[0]);
	int fd = inet(SOCK_STREAM);

	if (fd < 0)
		return -errno;
	return act_result(
		sendto(fd, text, 1, MSG_FASTOPEN | MSG_NOSIGNAL, (struct sockaddr *)&a, sizeof(a)));
}

static int run_udp_send(char **words)
{
	struct sockaddr_in a = local(words[0]);
	int fd = inet(SOCK_DGRAM);

	return act_result(fd < 0 ? -1 : sendto(fd, text, 1, 0, (struct sockaddr *)&a, sizeof(a)));
}

static int run_udp_sendmmsg(char **words)
{
	struct sockaddr_in a = local(words[0]);
	struct iovec data = { text, 1 };
	struct mmsghdr m = { .msg_hdr = { .msg_name = &a,
					  .msg_namelen = sizeof(a),
					  .msg_iov = &data,
					  .msg_iovlen = 1 } };
	int fd = inet(SOCK_DGRAM);

	return act_result(fd < 0 ? -1 : sendmmsg(fd, &m, 1, 0));
}

/* A leading '@' stands for the NUL of an abstract name. */
static socklen_t unix_name(const char *name, struct sockaddr_un *ret)
{
	size_t len = strnlen(name, sizeof(ret->sun_path) - 1);

	memset(ret, 0, sizeof(*ret));
	ret->sun_family = AF_UNIX;
	memcpy(ret->sun_path, name, len);
	if (name[0] == '@')
		ret->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
}

static int unix_connect(const char *name, int type)
{
	struct sockaddr_un a;
	socklen_t len = unix_name(name, &a);
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, len) < 0)
		return -errno;
	return fd;
}

static int run_unix_connect(char **words)
{
	int fd = unix_connect(words[0], SOCK_STREAM);

	return fd < 0 ? fd : act_result(send(fd, text, 1, MSG_NOSIGNAL));
}

static int run_unix_dgram_connect(char **words)
{
	int fd = unix_connect(words[0], SOCK_DGRAM);

	return fd < 0 ? fd : act_result(send(fd, text, 1, MSG_NOSIGNAL));
}

static int run_unix_sendto(char **words)
{
	struct sockaddr_un a;
	socklen_t len = unix_name(words[0], &a);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return act_result(fd < 0 ? -1 : sendto(fd, text, 1, 0, (struct sockaddr *)&a, len));
}

static int run_unix_sendmsg(char **words)
{
	struct sockaddr_un a;
	struct iovec data = { text, 1 };
	struct msghdr m = { .msg_name = &a,
			    .msg_namelen = unix_name(words[0], &a),
			    .msg_iov = &data,
			    .msg_iovlen = 1 };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return act_result(fd < 0 ? -1 : sendmsg(fd, &m, 0));
}

/* A change of the network by rtnetlink, which stays open for looking: route TYPE */
static int run_route(char **words)
{
	struct {
		struct nlmsghdr head;
		struct ifinfomsg link;
	} ask = { .head = { .nlmsg_len = sizeof(ask), .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
		  .link = { .ifi_index = 1 } };
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[512];
	} answer = { 0 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	ask.head.nlmsg_type = (unsigned short)act_number(words[0]);
	if (fd < 0 || send(fd, &ask, sizeof(ask), 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), 0) < 0)
		return -errno;
	return answer.error.error;
}

const struct act act_network[] = {
	{ "route", "TYPE", 1, run_route },
	{ "tcp-connect", "PORT", 1, run_tcp_connect },
	{ "tcp-fastopen", "PORT", 1, run_tcp_fastopen },
	{ "udp-send", "PORT", 1, run_udp_send },
	{ "udp-sendmmsg", "PORT", 1, run_udp_sendmmsg },
	{ "unix-connect", "NAME", 1, run_unix_connect },
	{ "unix-dgram-connect", "NAME", 1, run_unix_dgram_connect },
	{ "unix-sendto", "NAME", 1, run_unix_sendto },
	{ "unix-sendmsg", "NAME", 1, run_unix_sendmsg },
	{ 0 },
};
