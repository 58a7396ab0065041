/* SPDX-License-Identifier: MIT */
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>

#define PROC_FLAGS (MS_NOSUID | MS_NODEV | MS_NOEXEC)

/*
 * Uid 0 owns the kernel's switches in /proc whatever its capabilities, and files beside them that
 * no list names; so all of its /proc is read-only. Only nested user namespaces have to write there.
 */
static bool proc_is_read_only(const struct setup *setup)
{
	return setup->plan->uid == 0 && !setup->plan->allow_userns;
}

int proc_apply(struct setup *setup, struct rf_error *err)
{
	unsigned long flags = PROC_FLAGS | (proc_is_read_only(setup) ? MS_RDONLY : 0);
	int ret = sys_mount("proc", "/proc", "proc", flags, NULL);

	if (!ret)
		return 0;
	if (setup->landlock_abi == 0) {
		ret = setup_error(err, ret, "cannot mount a fresh /proc");
		rf_error_hint(err, "the old /proc can be kept only under a Landlock layer");
		return ret;
	}
	setup->result.host_pids = true;
	return 0;
}

int proc_close_kernel_files(struct setup *setup, struct rf_error *err)
{
	static const char *const paths[] = { "/proc/sys", "/proc/irq",	"/proc/bus",
					     "/proc/fs",  "/proc/acpi", "/proc/sysrq-trigger" };

	if (setup->plan->uid != 0 || proc_is_read_only(setup) || setup->result.host_pids)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		int ret = sys_mount(paths[i], paths[i], NULL, MS_BIND, NULL);

		if (ret == -ENOENT) /* not every kernel has each of them */
			continue;
		if (!ret)
			ret = sys_mount(NULL, paths[i], NULL,
					MS_REMOUNT | MS_BIND | MS_RDONLY | PROC_FLAGS, NULL);
		if (ret < 0)
			return setup_error(err, ret, "cannot make '%s' read-only", paths[i]);
	}
	return 0;
}

int proc_check_inspect(struct setup *setup, struct rf_error *err)
{
	char path[40], target[8];
	long ret;

	if (!setup->result.host_pids)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/root", setup->launcher_pid);
	ret = sys_readlinkat(AT_FDCWD, path, target, sizeof(target));
	if (ret == -EACCES || ret == -EPERM)
		return 0;
	return setup_error(err, 0, "the old /proc lets the command inspect the launcher");
}
