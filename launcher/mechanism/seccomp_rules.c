/* SPDX-License-Identifier: MIT */
#include "seccomp_rules.h"

#include <errno.h>

/*
 * The closed calls. Everything else is allowed: an unknown call of a newer kernel must not break
 * a libc that tries it. EPERM where programs take the refusal at its word, ENOSYS where they have
 * a fallback that they only use when the kernel looks older. Never a kill: the command decides
 * what to do about an error.
 *
 * The values are written out, since this table is compiled on the build machine and speaks of
 * other architectures; those used here are the same on x86, arm64 and riscv.
 */
#define CLONE_NAMESPACES 0x7e020000u   /* NEWNS CGROUP UTS IPC USER PID NET */
#define UNSHARE_NAMESPACES 0x00100080u /* NEWTIME, and UNSHARE_EMPTY_MNTNS of newer kernels */

#define FILE_CREATED 020000100u /* __O_TMPFILE | O_CREAT; the kernel ignores the mode otherwise */
#define FILE_TRUNCATED 01000u	/* O_TRUNC */
#define ACCESS_MODE 3u
#define SETUID_BIT 04000u
#define SETGID_BIT 02000u

#define FAMILY_UNIX 1u
#define FAMILY_NETLINK 16u
#define PROTOCOL_ROUTE 0u

#define PERSONALITY_HARMLESS (0x8u | 0x20000u | 0x40000u) /* LINUX32 UNAME26 NO_RANDOMIZE */
#define PERSONALITY_QUERY 0xffffffffu

#define WRITES(type, number, size) (0x40000000u | (size) << 16 | (type) << 8 | (number))

#define CONDITION(compare, n, v)                                                                   \
	{                                                                                          \
		compare, n, v                                                                      \
	}
#define ALWAYS CONDITION(SECCOMP_END, 0, 0)
#define IS(n, v) CONDITION(SECCOMP_IS, n, v)
#define IS_NOT(n, v) CONDITION(SECCOMP_IS_NOT, n, v)
#define ANY(n, v) CONDITION(SECCOMP_ANY, n, v)
#define NONE(n, v) CONDITION(SECCOMP_NONE, n, v)
#define POINTER(n) CONDITION(SECCOMP_POINTER, n, 0)

#define RULE(name, nr, needs, lifts, code, ...)                                                    \
	{                                                                                          \
		.call = name, .number = nr, .on = needs, .off = lifts, .error = code, .when = {    \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define ABSENT(name) RULE(name, 0, 0, 0, ENOSYS, ALWAYS)
#define CLOSED(name) RULE(name, 0, 0, 0, EPERM, ALWAYS)
#define CLOSED_NEW(name, nr) RULE(name, nr, 0, 0, EPERM, ALWAYS)
#define CLOSED_WHEN(name, ...) RULE(name, 0, 0, 0, EPERM, __VA_ARGS__)
#define USERNS_WHEN(name, ...) RULE(name, 0, 0, SECCOMP_ALLOW_USERNS, EPERM, __VA_ARGS__)
#define NETWORK_WHEN(name, ...) RULE(name, 0, SECCOMP_NETWORK_OFF, 0, EPERM, __VA_ARGS__)
#define LANDLOCK_WHEN(name, ...) RULE(name, 0, SECCOMP_LANDLOCK_BACKEND, 0, EPERM, __VA_ARGS__)
#define TRUNCATE_WHEN(name, ...) RULE(name, 0, SECCOMP_TRUNCATE_HOLE, 0, EACCES, __VA_ARGS__)
#define FROZEN(name, nr) RULE(name, nr, SECCOMP_FREEZE_METADATA, 0, EPERM, ALWAYS)
#define FROZEN_IOCTL(request) RULE("ioctl", 0, SECCOMP_FREEZE_METADATA, 0, EPERM, IS(1, request))

/* A mode argument, with what has to be true besides for the kernel to look at it. */
#define MODE(name, nr, n, also)                                                                    \
	RULE(name, nr, 0, 0, EPERM, ANY(n, SETUID_BIT), also),                                     \
		RULE(name, nr, SECCOMP_ROOT, 0, EPERM, ANY(n, SETGID_BIT), also)

const struct seccomp_rule seccomp_rules[] = {
	/* Arguments in memory or in a ring, where no filter sees them; all have fallbacks. */
	ABSENT("io_uring_setup"), ABSENT("io_uring_enter"), ABSENT("io_uring_register"),
	ABSENT("clone3"), ABSENT("openat2"),

	/* Large or historic kernel surfaces, and what is for administrators. */
	CLOSED("bpf"), CLOSED("perf_event_open"), CLOSED("userfaultfd"), CLOSED("add_key"),
	CLOSED("request_key"), CLOSED("keyctl"), CLOSED("kexec_load"), CLOSED("kexec_file_load"),
	CLOSED("init_module"), CLOSED("finit_module"), CLOSED("delete_module"), CLOSED("reboot"),
	CLOSED("swapon"), CLOSED("swapoff"), CLOSED("acct"), CLOSED("quotactl"),
	CLOSED("quotactl_fd"), CLOSED("syslog"), CLOSED("settimeofday"), CLOSED("stime"),
	CLOSED("clock_settime"), CLOSED("clock_settime64"), CLOSED("clock_adjtime"),
	CLOSED("clock_adjtime64"), CLOSED("adjtimex"), CLOSED("sethostname"),
	CLOSED("setdomainname"), CLOSED("vhangup"), CLOSED("iopl"), CLOSED("ioperm"),
	CLOSED("modify_ldt"), CLOSED("vm86"), CLOSED("vm86old"), CLOSED("uselib"), CLOSED("ustat"),
	CLOSED("sysfs"), CLOSED("_sysctl"), CLOSED("lookup_dcookie"), CLOSED("nfsservctl"),

	/* The view: mounts, namespaces, and ways to a file that pass by its name. */
	CLOSED("mount"), CLOSED("umount"), CLOSED("umount2"), CLOSED("pivot_root"),
	CLOSED("move_mount"), CLOSED("open_tree"), CLOSED_NEW("open_tree_attr", 467),
	CLOSED("fsopen"), CLOSED("fsconfig"), CLOSED("fsmount"), CLOSED("fspick"),
	CLOSED("mount_setattr"), CLOSED("setns"), CLOSED("name_to_handle_at"),
	CLOSED("open_by_handle_at"), CLOSED("fanotify_init"),

	/* A browser's own sandbox calls chroot inside its user namespace. */
	USERNS_WHEN("chroot", ALWAYS),
	USERNS_WHEN("unshare", ANY(0, CLONE_NAMESPACES | UNSHARE_NAMESPACES)),
	/* NEWTIME is no flag here: its bit lies in the byte of the exit signal. */
	USERNS_WHEN("clone", ANY(0, CLONE_NAMESPACES)),

	/* Other processes. ptrace stays: who may be traced is held by Landlock and the pid
	 * namespace, and debuggers and sanitizers need it for their own children. */
	CLOSED("process_vm_readv"), CLOSED("process_vm_writev"), CLOSED("process_madvise"),
	CLOSED("kcmp"), CLOSED("pidfd_getfd"),

	CLOSED_WHEN("personality", IS_NOT(0, PERSONALITY_QUERY), ANY(0, ~PERSONALITY_HARMLESS)),

	CLOSED_WHEN("ioctl", IS(1, 0x5412u)), /* TIOCSTI */
	CLOSED_WHEN("ioctl", IS(1, 0x541cu)), /* TIOCLINUX */

	/* Nobody makes a setuid file, not in a writable root either: outside the sandbox somebody
	 * could run it. */
	MODE("chmod", 0, 1, ALWAYS), MODE("fchmod", 0, 1, ALWAYS), MODE("fchmodat", 0, 2, ALWAYS),
	MODE("fchmodat2", 452, 2, ALWAYS), MODE("creat", 0, 1, ALWAYS),
	MODE("open", 0, 2, ANY(1, FILE_CREATED)), MODE("openat", 0, 3, ANY(2, FILE_CREATED)),
	MODE("mknod", 0, 1, ALWAYS), MODE("mknodat", 0, 2, ALWAYS), MODE("mkdir", 0, 1, ALWAYS),
	MODE("mkdirat", 0, 2, ALWAYS),

	/* network=off: local sockets, and rtnetlink for getifaddrs(). A list of what is open, since
	 * families are added to kernels. */
	NETWORK_WHEN("socket", IS_NOT(0, FAMILY_UNIX), IS_NOT(0, FAMILY_NETLINK)),
	NETWORK_WHEN("socket", IS(0, FAMILY_NETLINK), IS_NOT(2, PROTOCOL_ROUTE)),
	NETWORK_WHEN("socketpair", IS_NOT(0, FAMILY_UNIX), IS_NOT(0, FAMILY_NETLINK)),
	NETWORK_WHEN("socketpair", IS(0, FAMILY_NETLINK), IS_NOT(2, PROTOCOL_ROUTE)),
	/*
	 * 32-bit x86 can make both through one call whose family lies in memory, so whole
	 * operations close: 1 is socket, 8 is socketpair. The latter too, because AF_UNIX is not
	 * alone in having pairs: one end of a TIPC pair can send to any address of its network, and
	 * opening the pair loads the module. Programs that know the direct calls (musl, and what is
	 * built for kernels from 4.3) keep AF_UNIX. The other multiplexer, ipc, carries only
	 * semaphores, messages and shared memory: nothing closed goes through it.
	 */
	NETWORK_WHEN("socketcall", IS(0, 1)), NETWORK_WHEN("socketcall", IS(0, 8)),

	/* Priorities of others: no pid namespace hides them here. Groups and users are others too,
	 * also with who = 0, as the group is shared with the caller's pipeline. */
	LANDLOCK_WHEN("prlimit64", IS_NOT(0, 0), POINTER(2)),
	/* On both backends: a process group reaches out of a pid namespace. */
	CLOSED_WHEN("setpriority", IS(0, 1)),	    /* PRIO_PGRP */
	CLOSED_WHEN("ioprio_set", IS(0, 2)),	    /* IOPRIO_WHO_PGRP */
	LANDLOCK_WHEN("setpriority", IS_NOT(0, 0)), /* PRIO_PROCESS is 0 */
	LANDLOCK_WHEN("setpriority", IS_NOT(1, 0)),
	LANDLOCK_WHEN("ioprio_set", IS_NOT(0, 1)), /* IOPRIO_WHO_PROCESS is 1 */
	LANDLOCK_WHEN("ioprio_set", IS_NOT(1, 0)), LANDLOCK_WHEN("sched_setaffinity", IS_NOT(0, 0)),
	LANDLOCK_WHEN("sched_setscheduler", IS_NOT(0, 0)),
	LANDLOCK_WHEN("sched_setparam", IS_NOT(0, 0)), LANDLOCK_WHEN("sched_setattr", IS_NOT(0, 0)),
	/* btrfs makes and removes subvolumes by name below a directory that is open for reading,
	 * past the path hooks that Landlock sits on. */
	LANDLOCK_WHEN("ioctl", IS(1, WRITES(0x94u, 1u, 0x1000u))),  /* SNAP_CREATE */
	LANDLOCK_WHEN("ioctl", IS(1, WRITES(0x94u, 14u, 0x1000u))), /* SUBVOL_CREATE */
	LANDLOCK_WHEN("ioctl", IS(1, WRITES(0x94u, 15u, 0x1000u))), /* SNAP_DESTROY */
	LANDLOCK_WHEN("ioctl", IS(1, WRITES(0x94u, 23u, 0x1000u))), /* SNAP_CREATE_V2 */
	LANDLOCK_WHEN("ioctl", IS(1, WRITES(0x94u, 24u, 0x1000u))), /* SUBVOL_CREATE_V2 */
	LANDLOCK_WHEN("ioctl", IS(1, WRITES(0x94u, 26u, 8u))),	    /* SUBVOL_SETFLAGS */
	LANDLOCK_WHEN("ioctl", IS(1, WRITES(0x94u, 63u, 0x1000u))), /* SNAP_DESTROY_V2 */

	/*
	 * Landlock before ABI 3 lets a file that may not be written be emptied: by name, or by
	 * opening it for reading with O_TRUNC. Access mode 3 asks for neither reading nor writing
	 * and truncates like 0; modes 1 and 2 need the right to write, which Landlock checks.
	 */
	TRUNCATE_WHEN("truncate", ALWAYS), TRUNCATE_WHEN("truncate64", ALWAYS),
	TRUNCATE_WHEN("open", ANY(1, FILE_TRUNCATED), NONE(1, ACCESS_MODE)),
	TRUNCATE_WHEN("open", ANY(1, FILE_TRUNCATED), ANY(1, 1), ANY(1, 2)),
	TRUNCATE_WHEN("openat", ANY(2, FILE_TRUNCATED), NONE(2, ACCESS_MODE)),
	TRUNCATE_WHEN("openat", ANY(2, FILE_TRUNCATED), ANY(2, 1), ANY(2, 2)),

	/* Landlock has no rights for metadata; where nothing may be written all of it closes. */
	FROZEN("chmod", 0), FROZEN("fchmod", 0), FROZEN("fchmodat", 0), FROZEN("fchmodat2", 452),
	FROZEN("chown", 0), FROZEN("lchown", 0), FROZEN("fchown", 0), FROZEN("fchownat", 0),
	FROZEN("chown32", 0), FROZEN("lchown32", 0), FROZEN("fchown32", 0), FROZEN("utime", 0),
	FROZEN("utimes", 0), FROZEN("futimesat", 0), FROZEN("utimensat", 0),
	FROZEN("utimensat_time64", 0), FROZEN("setxattr", 0), FROZEN("lsetxattr", 0),
	FROZEN("fsetxattr", 0), FROZEN("setxattrat", 463), FROZEN("removexattr", 0),
	FROZEN("lremovexattr", 0), FROZEN("fremovexattr", 0), FROZEN("removexattrat", 466),
	FROZEN("file_setattr", 469),
	/* The sizes are those of a long: 8, and 4 for 32-bit programs. */
	FROZEN_IOCTL(WRITES('f', 2u, 8u)), /* FS_IOC_SETFLAGS */
	FROZEN_IOCTL(WRITES('f', 2u, 4u)),
	FROZEN_IOCTL(WRITES('v', 2u, 8u)), /* FS_IOC_SETVERSION */
	FROZEN_IOCTL(WRITES('v', 2u, 4u)),
	FROZEN_IOCTL(WRITES('f', 4u, 8u)), /* EXT4_IOC_SETVERSION */
	FROZEN_IOCTL(WRITES('f', 4u, 4u)),
	FROZEN_IOCTL(WRITES('X', 32u, 28u)),   /* FS_IOC_FSSETXATTR */
	FROZEN_IOCTL(WRITES('r', 17u, 4u)),    /* FAT_IOCTL_SET_ATTRIBUTES */
	FROZEN_IOCTL(WRITES('f', 133u, 128u)), /* FS_IOC_ENABLE_VERITY */
	FROZEN_IOCTL(0x800c6613u),	       /* FS_IOC_SET_ENCRYPTION_POLICY */
};

const size_t seccomp_rules_count = sizeof(seccomp_rules) / sizeof(seccomp_rules[0]);

bool seccomp_rule_holds(const struct seccomp_rule *rule, unsigned traits)
{
	traits = seccomp_traits_canonical(traits);
	return (traits & rule->on) == rule->on && !(traits & rule->off);
}
