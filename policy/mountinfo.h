/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_MOUNTINFO_H
#define RF_POLICY_MOUNTINFO_H

#include "base/base.h"

#include <stdbool.h>

/* What a line of /proc/PID/mountinfo says of a mount (proc_pid_mountinfo(5)). */
struct rf_mount {
	char *point;	     /* decoded, inside the line */
	unsigned long flags; /* the MS_ flags that a remount must keep */
	const char *type;
};

/* Splits one line, without its newline, in place; pure. Returns -EINVAL for a line that is none. */
int rf_mount_parse(char *line, struct rf_mount *ret);

/* True for file systems that are a window to the kernel rather than a place for files. */
bool rf_mount_is_kernel(const struct rf_mount *mount);

#endif
