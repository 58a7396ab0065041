/* SPDX-License-Identifier: MIT */
/* What programs need stays open in every filter, the strictest ones included. */
#include <criterion/criterion.h>
#include <linux/filter.h>
#include <string.h>

#include "launcher/mechanism/seccomp_rules.h"
#include "seccomp_sim.h"

#define CALLS_MIN 120	 /* of the tables, on each architecture */
#define NEWEST_KNOWN 470 /* no number from here on is closed */

struct use {
	const char *call;
	uint64_t args[4];
};

/* Any use of these. */
static const char *const whole[] = {
	"stat",
	"lstat",
	"fstat",
	"newfstatat",
	"fstatat64",
	"statx",
	"statfs",
	"fstatfs",
	"statmount",
	"listmount",
	"access",
	"faccessat",
	"faccessat2",
	"getdents64",
	"lseek",
	"readlink",
	"readlinkat",
	"rename",
	"renameat",
	"renameat2",
	"link",
	"linkat",
	"symlink",
	"symlinkat",
	"unlink",
	"unlinkat",
	"rmdir",
	"fallocate",
	"fsync",
	"fdatasync",
	"sync_file_range",
	"flock",
	"getxattr",
	"lgetxattr",
	"fgetxattr",
	"listxattr",
	"getxattrat",
	"listxattrat",
	"file_getattr",
	"copy_file_range",
	"sendfile",
	"splice",
	"tee",
	"vmsplice",
	"pipe2",
	"dup",
	"dup3",
	"chdir",
	"fchdir",
	"getcwd",
	"umask",
	"inotify_init1",
	"inotify_add_watch",
	"munmap",
	"mprotect",
	"mremap",
	"madvise",
	"brk",
	"msync",
	"mlock2",
	"mincore",
	"mseal",
	"memfd_create",
	"memfd_secret",
	"membarrier",
	"pkey_alloc",
	"cachestat",
	"map_shadow_stack",
	"fork",
	"vfork",
	"execve",
	"execveat",
	"exit",
	"exit_group",
	"wait4",
	"waitid",
	"kill",
	"tgkill",
	"tkill",
	"pidfd_open",
	"pidfd_send_signal",
	"arch_prctl",
	"set_thread_area",
	"landlock_create_ruleset",
	"landlock_add_rule",
	"landlock_restrict_self",
	"lsm_get_self_attr",
	"lsm_list_modules",
	"rseq",
	"set_robust_list",
	"set_tid_address",
	"gettid",
	"getpid",
	"getppid",
	"setsid",
	"setpgid",
	"getpgid",
	"getuid",
	"geteuid",
	"setuid",
	"setresuid",
	"setgroups",
	"capget",
	"capset",
	"getrlimit",
	"setrlimit",
	"getrusage",
	"times",
	"sysinfo",
	"uname",
	"sched_yield",
	"futex",
	"futex_time64",
	"futex_waitv",
	"futex_wake",
	"futex_wait",
	"rt_sigaction",
	"rt_sigprocmask",
	"rt_sigreturn",
	"sigaltstack",
	"nanosleep",
	"clock_nanosleep",
	"clock_gettime",
	"clock_gettime64",
	"clock_getres",
	"gettimeofday",
	"timer_create",
	"timerfd_create",
	"alarm",
	"setitimer",
	"getrandom",
	"getcpu",
	"get_mempolicy",
	"poll",
	"ppoll",
	"select",
	"pselect6",
	"epoll_create1",
	"epoll_ctl",
	"epoll_pwait",
	"epoll_pwait2",
	"eventfd2",
	"signalfd4",
	"bind",
	"connect",
	"listen",
	"accept4",
	"sendto",
	"recvfrom",
	"sendmsg",
	"recvmsg",
	"sendmmsg",
	"shutdown",
	"getsockname",
	"getsockopt",
	"setsockopt",
	"semget",
	"semtimedop",
	"semop",
	"shmget",
	"shmat",
	"msgget",
	"mq_open",
	"io_setup",
	"io_submit",
};

/* These where a rule looks at the arguments. */
static const struct use uses[] = {
	{ "read", { 3, 0x7fff0000, 4096 } },
	{ "write", { 1, 0x7fff0000, 4096 } },
	{ "readv", { 3 } },
	{ "writev", { 3 } },
	{ "pread64", { 3 } },
	{ "pwrite64", { 3 } },
	{ "preadv2", { 3 } },
	{ "pwritev2", { 3 } },
	{ "close", { 3 } },
	{ "close_range", { 3, ~0u, 4 } },
	{ "open", { 0x7fff0000, 0 } },
	{ "open", { 0x7fff0000, 0101, 0644 } },
	{ "open", { 0x7fff0000, 0, 04755 } }, /* no file is made: the mode is leftover */
	{ "openat", { -100, 0x7fff0000, 02000000 } },
	{ "openat", { -100, 0x7fff0000, 01101, 0666 } },     /* O_WRONLY with O_CREAT and O_TRUNC */
	{ "openat", { -100, 0x7fff0000, 01002 } },	     /* O_RDWR | O_TRUNC */
	{ "openat", { -100, 0x7fff0000, 020200002, 0600 } }, /* O_TMPFILE | O_RDWR */
	{ "openat", { -100, 0x7fff0000, 0, 06777 } },
	{ "creat", { 0x7fff0000, 0644 } },
	{ "mkdir", { 0x7fff0000, 0777 } },
	{ "mkdir", { 0x7fff0000, 01777 } },
	{ "mkdirat", { -100, 0x7fff0000, 0777 } },
	{ "mknod", { 0x7fff0000, 0010644 } },
	{ "mknodat", { -100, 0x7fff0000, 0010644 } },
	{ "ftruncate", { 3, 0 } },
	{ "fcntl", { 3, 1033, 15 } },	/* F_ADD_SEALS */
	{ "ioctl", { 0, 0x5401 } },	/* TCGETS */
	{ "ioctl", { 0, 0x5413 } },	/* TIOCGWINSZ */
	{ "ioctl", { 0, 0x80086601 } }, /* FS_IOC_GETFLAGS */
	{ "ioctl", { 3, 0x40049409 } }, /* FICLONE */
	{ "ioctl", { 3, 0xc0189436 } }, /* FIDEDUPERANGE */
	{ "mmap", { 0, 4096, 3, 0x22 } },
	{ "mmap2", { 0, 4096, 3, 0x22 } },
	{ "clone", { 17 } },	   /* fork() */
	{ "clone", { 0x4111 } },   /* posix_spawn(): VM, VFORK, SIGCHLD */
	{ "clone", { 0x3d0f00 } }, /* pthread_create() */
	{ "unshare", { 0x200 } },  /* CLONE_FS */
	{ "unshare", { 0x400 } },  /* CLONE_FILES */
	{ "ptrace", { 0 } },	   /* PTRACE_TRACEME */
	{ "ptrace", { 16, 1234 } },
	{ "prctl", { 15 } },
	{ "seccomp", { 1 } },
	{ "prlimit64", { 0, 7, 0x7fff0000, 0x7fff0000 } },
	{ "prlimit64", { 1234, 7, 0, 0x7fff0000 } },
	{ "getpriority", { 0, 1234 } },
	{ "setpriority", { 0, 0, 10 } },
	{ "ioprio_get", { 1, 1234 } },
	{ "ioprio_set", { 1, 0, 0x6000 } },
	{ "sched_getaffinity", { 1234 } },
	{ "sched_getscheduler", { 1234 } },
	{ "sched_setaffinity", { 0 } },
	{ "sched_setscheduler", { 0 } },
	{ "sched_setattr", { 0 } },
	{ "sched_setparam", { 0 } },
	{ "personality", { 0xffffffff } },
	{ "personality", { 0 } },
	{ "personality", { 8 } },
	{ "personality", { 0x40000 } },
	{ "personality", { 0x20000 } },
	{ "personality", { 0x60008 } },
	{ "socket", { 1, 1 } }, /* AF_UNIX */
	{ "socket", { 1, 2 | 02000000 } },
	{ "socket", { 16, 3, 0 } }, /* AF_NETLINK, NETLINK_ROUTE */
	{ "socketpair", { 1, 1 } },
	{ "socketcall", { 3 } },  /* connect */
	{ "socketcall", { 17 } }, /* recvmsg */
	{ "ipc", { 2 } },	  /* semget */
};

static size_t expect_open(struct sim_tally *tally, const struct sim_arch *arch,
			  const struct use *use)
{
	struct seccomp_data data = { .arch = arch->token };
	int number;

	if (!sim_number(arch, use->call, &number))
		return 0;
	data.nr = number;
	for (size_t i = 0; i < 4; i++)
		data.args[i] = arch->wide ? use->args[i] : (uint32_t)use->args[i];
	for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
		sim_expect(tally, arch, traits, &data, use->call, 0);
	return 1;
}

Test(seccomp_open, what_programs_need)
{
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++) {
		size_t present = 0;

		for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
			present += expect_open(&tally, &sim_archs[a], &uses[i]);
		for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
			struct use use = { .call = whole[i] };

			present += expect_open(&tally, &sim_archs[a], &use);
		}
		cr_assert_geq(present, CALLS_MIN, "%s: %zu", sim_archs[a].name, present);
	}
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}

static bool has_rule(const struct sim_arch *arch, int nr)
{
	int number;

	for (size_t i = 0; i < seccomp_rules_count; i++)
		if (sim_number(arch, seccomp_rules[i].call, &number) && number == nr)
			return true;
	return false;
}

/* Whatever the arguments, and also for numbers that no kernel has given out yet. */
Test(seccomp_open, every_number_without_a_rule)
{
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++) {
		struct seccomp_data data = { .arch = sim_archs[a].token };

		for (data.nr = 0; data.nr < SIM_NUMBERS_END; data.nr++) {
			if (has_rule(&sim_archs[a], data.nr))
				continue;
			for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
				for (int byte = 0; byte <= 0xff; byte += 0xff) {
					memset(data.args, byte, sizeof(data.args));
					sim_expect(&tally, &sim_archs[a], traits, &data, "free", 0);
				}
		}
		for (int nr = NEWEST_KNOWN; nr < SIM_NUMBERS_END; nr++)
			cr_assert_not(has_rule(&sim_archs[a], nr));
	}
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}
