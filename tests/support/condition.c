/* SPDX-License-Identifier: MIT */
/*
 * condition NAME… -- COMMAND [ARG…]: runs the command where something is missing or in the way, as
 * on other kernels, in containers and under other sandboxes. Seccomp filters stand for kernels and
 * container runtimes; the rest is done in namespaces of its own, so that nothing outside changes.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANY 0 /* whatever the first argument is */
#define NEW_NAMESPACE                                                                              \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET | \
	 CLONE_NEWCGROUP)
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446
#define MOUNT_SETATTR 442
#define OPEN_TREE 428
#define MOVE_MOUNT 429
#define FSOPEN 430
#define OPENAT2 437
#define CLOSE_RANGE 436
#define CLONE3 435
#define PIDFD_OPEN 434

/* A call that fails under the condition, where it has one of the bits in its first argument. */
static const struct closed {
	const char *condition;
	int call;
	unsigned bits;
	int error;
} closed[] = {
	{ "namespaces-eperm", SYS_unshare, NEW_NAMESPACE, EPERM },
	{ "namespaces-eperm", SYS_clone, NEW_NAMESPACE, EPERM },
	{ "namespaces-eperm", CLONE3, ANY, ENOSYS },
	{ "namespaces-enospc", SYS_clone, NEW_NAMESPACE, ENOSPC },
	{ "namespaces-enospc", CLONE3, ANY, ENOSYS },
	{ "mount-eperm", SYS_mount, ANY, EPERM },
	{ "mount-eperm", MOUNT_SETATTR, ANY, EPERM },
	{ "mount-eacces", SYS_mount, ANY, EACCES },
	{ "mount-eacces", MOUNT_SETATTR, ANY, EACCES },
	{ "new-mounts-enosys", MOUNT_SETATTR, ANY, ENOSYS },
	{ "new-mounts-enosys", OPEN_TREE, ANY, ENOSYS },
	{ "new-mounts-enosys", MOVE_MOUNT, ANY, ENOSYS },
	{ "new-mounts-enosys", FSOPEN, ANY, ENOSYS },
	{ "new-mounts-eperm", MOUNT_SETATTR, ANY, EPERM },
	{ "new-mounts-eperm", OPEN_TREE, ANY, EPERM },
	{ "new-mounts-eperm", MOVE_MOUNT, ANY, EPERM },
	{ "new-mounts-eperm", FSOPEN, ANY, EPERM },
	{ "setattr-enosys", MOUNT_SETATTR, ANY, ENOSYS },
	{ "landlock-enosys", LANDLOCK_CREATE, ANY, ENOSYS },
	{ "landlock-enosys", LANDLOCK_ADD, ANY, ENOSYS },
	{ "landlock-enosys", LANDLOCK_RESTRICT, ANY, ENOSYS },
	{ "landlock-disabled", LANDLOCK_CREATE, ANY, EOPNOTSUPP },
	{ "landlock-disabled", LANDLOCK_ADD, ANY, EOPNOTSUPP },
	{ "landlock-disabled", LANDLOCK_RESTRICT, ANY, EOPNOTSUPP },
	{ "landlock-restrict-eperm", LANDLOCK_RESTRICT, ANY, EPERM },
	{ "landlock-rule-einval", LANDLOCK_ADD, ANY, EINVAL },
	{ "close-range-enosys", CLOSE_RANGE, ANY, ENOSYS },
	{ "close-range-eperm", CLOSE_RANGE, ANY, EPERM },
	{ "openat2-enosys", OPENAT2, ANY, ENOSYS },
	{ "openat2-eperm", OPENAT2, ANY, EPERM },
	{ "statx-enosys", SYS_statx, ANY, ENOSYS },
	{ "statx-eperm", SYS_statx, ANY, EPERM },
	{ "pidfd-enosys", PIDFD_OPEN, ANY, ENOSYS },
	{ "pidfd-eperm", PIDFD_OPEN, ANY, EPERM },
	{ "seccomp-eperm", SYS_seccomp, ANY, EPERM },
};

#define CLOSED (sizeof(closed) / sizeof(closed[0]))

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(99); /* no status that the command under test ends with */
}

static size_t add_rule(struct sock_filter *code, size_t n, const struct closed *rule)
{
	const struct sock_filter number =
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	const struct sock_filter argument =
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
	unsigned skip = rule->bits ? 3 : 1;

	code[n++] = number;
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)rule->call, 0,
						 (unsigned char)skip);
	if (rule->bits) {
		code[n++] = argument;
		code[n++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, rule->bits, 0, 1);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						 SECCOMP_RET_ERRNO | (unsigned)rule->error);
	return n;
}

/* Other architectures are no part of any condition here. */
static int close_calls(const char *condition)
{
	struct sock_filter code[5 * CLOSED + 1];
	struct sock_fprog program = { .filter = code };
	size_t n = 0;

	for (size_t i = 0; i < CLOSED; i++)
		if (!strcmp(closed[i].condition, condition))
			n = add_rule(code, n, &closed[i]);
	if (n == 0)
		return 0;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = (unsigned short)n;
	/* root needs no promise, and without it AT_SECURE and setuid stay as they were */
	if (geteuid() != 0)
		must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
	must(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0, "seccomp");
	return 1;
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	must(fd >= 0 && write(fd, text, strlen(text)) >= 0, path);
	close(fd);
}

static void map_self(unsigned uid, unsigned gid)
{
	char map[40];

	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "%u %u 1\n", gid, gid);
	write_file("/proc/self/gid_map", map);
	snprintf(map, sizeof(map), "%u %u 1\n", uid, uid);
	write_file("/proc/self/uid_map", map);
}

/* Root has the power over mounts already; others get it from a user namespace of their own. */
static void own_mounts(void)
{
	unsigned uid = geteuid(), gid = getegid();

	must(unshare(uid ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS) == 0, "unshare");
	if (uid)
		map_self(uid, gid);
	must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "private mounts");
}

/* The kernel refuses a fresh procfs as soon as anything covers a part of the one that is there. */
static void cover_proc(void)
{
	own_mounts();
	must(mount("tmpfs", "/proc/driver", "tmpfs", MS_RDONLY, NULL) == 0, "/proc/driver");
}

/* As systemd leaves it: what the host mounts later appears in every copy of the tree. */
static void share_mounts(void)
{
	own_mounts();
	must(mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL) == 0, "shared mounts");
}

/* The limit belongs to the user namespace of whoever writes it. */
static void limit_namespaces(void)
{
	unsigned uid = geteuid(), gid = getegid();

	must(unshare(CLONE_NEWUSER) == 0, "unshare");
	map_self(uid, gid);
	write_file("/proc/sys/user/max_user_namespaces", "0");
}

/* Under a container's power of none: uid 0 and nothing else. */
static void drop_power(void)
{
	for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++)
		continue;
}

static const struct {
	const char *condition;
	void (*make)(void);
} made[] = {
	{ "proc-covered", cover_proc },	   { "mounts-shared", share_mounts },
	{ "mounts-private", own_mounts },  { "namespace-limit", limit_namespaces },
	{ "no-capabilities", drop_power },
};

static void make(const char *condition)
{
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		if (strcmp(made[i].condition, condition) != 0)
			continue;
		made[i].make();
		return;
	}
	if (!close_calls(condition)) {
		fprintf(stderr, "condition: unknown condition '%s'\n", condition);
		exit(99);
	}
}

int main(int argc, char **argv)
{
	int at = 1;

	for (; at < argc && strcmp(argv[at], "--") != 0; at++)
		make(argv[at]);
	if (at + 1 >= argc) {
		fprintf(stderr, "usage: condition NAME… -- COMMAND [ARG…]\n");
		return 99;
	}
	execv(argv[at + 1], argv + at + 1);
	perror(argv[at + 1]);
	return 99;
}
