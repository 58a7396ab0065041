/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

void terminal_probe(struct terminal *ret)
{
	*ret = (struct terminal){ .fd = -1, .own_group = getpgrp() };
	for (int fd = 0; fd < 3; fd++) {
		if (SYS3(SYS_ioctl, fd, TIOCGPGRP, &ret->foreground) == 0) {
			ret->fd = fd;
			return;
		}
	}
}

bool terminal_is_ours(const struct terminal *terminal)
{
	return terminal->fd >= 0 && terminal->foreground == terminal->own_group;
}

int terminal_apply(const struct terminal *terminal, struct setup *setup, struct rf_error *err)
{
	pid_t group;
	int ret;

	if (!setup->own_group)
		return 0;
	group = (pid_t)SYS0(SYS_getpid);
	ret = (int)SYS2(SYS_setpgid, 0, 0);
	if (ret < 0)
		return setup_error(err, ret, "cannot make a process group");
	if (terminal_is_ours(terminal))
		SYS3(SYS_ioctl, terminal->fd, TIOCSPGRP, &group);
	return 0;
}

void terminal_give(const struct terminal *terminal, pid_t group)
{
	/* SIGTTOU, which the kernel sends a background group that does this, is blocked by the
	 * caller */
	if (terminal->fd >= 0 && group > 0)
		SYS3(SYS_ioctl, terminal->fd, TIOCSPGRP, &group);
}
