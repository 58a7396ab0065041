/* SPDX-License-Identifier: MIT */
/* Ways to more power, and prefixes that change who acts. */
#include "act.h"

#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define NR_CLONE3 435

/* Succeeds if a set of capabilities holds one that the mask does not have. */
static int run_caps(char **words)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uint64_t have, mask = (uint64_t)act_number(words[0]);

	if (syscall(SYS_capget, &head, data) < 0)
		return -errno;
	have = data[0].permitted | data[0].effective | data[0].inheritable;
	have |= (uint64_t)(data[1].permitted | data[1].effective | data[1].inheritable) << 32;
	for (int cap = 0; cap < 64; cap++)
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, cap, 0, 0) > 0)
			have |= UINT64_C(1) << cap;
	return have & ~mask ? 0 : -EPERM;
}

/* The same of the bounding set, which is what a program with capabilities could get. */
static int run_bounding(char **words)
{
	uint64_t have = 0, mask = (uint64_t)act_number(words[0]);

	for (int cap = 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_READ, cap, 0, 0, 0) > 0)
			have |= UINT64_C(1) << cap;
	return have & ~mask ? 0 : -EPERM;
}

static int run_exec(char **words)
{
	execv(words[0], words);
	return -errno;
}

static int reap(long pid)
{
	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(0);
	return act_result(waitpid((pid_t)pid, NULL, __WALL));
}

static int run_clone(char **words)
{
	return reap(syscall(SYS_clone, act_number(words[0]) | SIGCHLD, 0, 0, 0, 0));
}

static int run_clone3(char **words)
{
	uint64_t arguments[11] = { [0] = (uint64_t)act_number(words[0]), [4] = SIGCHLD };

	return reap(syscall(NR_CLONE3, arguments, 88));
}

/* As somebody else, who is somebody outside as well: as UID GID ACT… */
static int run_as(char **words)
{
	uid_t uid = (uid_t)act_number(words[0]);
	gid_t gid = (gid_t)act_number(words[1]);

	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	return act_run(words + 2);
}

/* With one more group: with-group GID ACT… */
static int run_with_group(char **words)
{
	gid_t gid = (gid_t)act_number(words[0]);

	return setgroups(1, &gid) < 0 ? -errno : act_run(words + 1);
}

/* Whether the filters of a run hold for programs that it starts, too: in a child. */
static int run_child(char **words)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(-act_run(words) & 0xff);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

const struct act act_privilege[] = {
	{ "caps", "MASK", 1, run_caps },
	{ "bounding", "MASK", 1, run_bounding },
	{ "exec", "PATH WORD…", 1, run_exec },
	{ "clone", "FLAGS", 1, run_clone },
	{ "clone3", "FLAGS", 1, run_clone3 },
	{ "as", "UID GID ACT…", 3, run_as },
	{ "with-group", "GID ACT…", 2, run_with_group },
	{ "child", "ACT…", 1, run_child },
	{ 0 },
};
