/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* sendto and recvfrom: send(2) and recv(2) are no system calls everywhere */
void message_send(int socket, const struct message *message)
{
	sys_call(SYS_sendto, socket, (long)message, sizeof(*message), MSG_NOSIGNAL, 0, 0);
}

int message_receive(int socket, struct message *ret, bool wait)
{
	long got = sys_call(SYS_recvfrom, socket, (long)ret, sizeof(*ret), wait ? 0 : MSG_DONTWAIT,
			    0, 0);

	if (got == 0 || got == -ECONNRESET)
		return 0;
	if (got < 0)
		return (int)got;
	return got == sizeof(*ret) ? 1 : -EBADMSG;
}

void message_send_error(int socket, const struct rf_error *err)
{
	struct message message = { .kind = MESSAGE_FAILED };

	message.error = *err;
	message_send(socket, &message);
}
