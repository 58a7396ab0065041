/* SPDX-License-Identifier: MIT */
/* The real kernel under the strictest filter, with the same calls unconfined as the control. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seccomp_sim.h"

#define STRICTEST (SECCOMP_TRAITS_END - 1 - SECCOMP_ALLOW_USERNS)
#define HIGH 0xdeadbeef00000000ul
#define NOWHERE "/nonexistent/file"
#define ANY_ERROR (-1)

#if defined(__x86_64__)
#define NATIVE 0
#elif defined(__aarch64__)
#define NATIVE 2
#elif defined(__riscv)
#define NATIVE 3
#endif

extern char **environ;

/* A call, raw, with what it gives unconfined and under the filter: 0 or an error number. */
struct attempt {
	const char *what;
	long number;
	long args[5];
	int control;
	int confined;
};

static int pair[2];
static char zeroes[64];

static const struct attempt attempts[] = {
	{ "a local socket", SYS_socket, { AF_UNIX, SOCK_STREAM }, 0, 0 },
	{ "a local pair", SYS_socketpair, { AF_UNIX, SOCK_STREAM, 0, (long)pair }, 0, 0 },
	{ "rtnetlink", SYS_socket, { AF_NETLINK, SOCK_RAW, 0 }, 0, 0 },
	{ "another netlink", SYS_socket, { AF_NETLINK, SOCK_RAW, 16 }, 0, EPERM },
	{ "an internet socket", SYS_socket, { AF_INET, SOCK_DGRAM }, 0, EPERM },
	{ "family with a high half", SYS_socket, { AF_INET | HIGH, SOCK_DGRAM }, 0, EPERM },
	{ "local with a high half", SYS_socket, { AF_UNIX | HIGH, SOCK_DGRAM }, 0, 0 },
	{ "openat2", SYS_openat2, { AT_FDCWD, (long)NOWHERE, (long)zeroes, 24 }, ENOENT, ENOSYS },
	{ "clone3", SYS_clone3, { 0, 0 }, EINVAL, ENOSYS },
	{ "io_uring", SYS_io_uring_setup, { 0, 0 }, ANY_ERROR, ENOSYS },
	{ "unshare", SYS_unshare, { 0x90000000 }, EINVAL, EPERM },
	{ "mount", SYS_mount, { 0, (long)NOWHERE }, ENOENT, EPERM },
	{ "TIOCSTI", SYS_ioctl, { -1, 0x5412, (long)zeroes }, EBADF, EPERM },
	{ "TIOCSTI, high half", SYS_ioctl, { -1, 0x5412 | HIGH, (long)zeroes }, EBADF, EPERM },
	{ "TCGETS", SYS_ioctl, { -1, 0x5401, (long)zeroes }, EBADF, EBADF },
	{ "setuid mode", SYS_fchmod, { -1, 04755 }, EBADF, EPERM },
	{ "setuid file", SYS_openat, { -1, (long)"x", O_CREAT, 04755 }, EBADF, EPERM },
	{ "file", SYS_openat, { -1, (long)"x", O_CREAT, 0644 }, EBADF, EBADF },
	{ "emptied by reading", SYS_openat, { -1, (long)"x", O_TRUNC }, EBADF, EACCES },
	{ "truncate", SYS_truncate, { (long)NOWHERE, 0 }, ENOENT, EACCES },
	{ "times", SYS_utimensat, { -1, (long)"x", 0, 0 }, EBADF, EPERM },
	{ "personality", SYS_personality, { 0x0200000 }, 0, EPERM },
	{ "no randomization", SYS_personality, { 0x0040000 }, 0, 0 },
	{ "group priority", SYS_setpriority, { 1, 0x7fffffff, 0 }, ESRCH, EPERM },
	{ "own priority", SYS_setpriority, { 0, 0, 10 }, 0, 0 },
	{ "another's limits", SYS_prlimit64, { 0x7fffffff, 7, (long)zeroes }, ESRCH, EPERM },
	{ "a number of the future", 599, { 0 }, ENOSYS, ENOSYS },
};

#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

static int confine(const struct seccomp_program *program)
{
	struct sock_fprog filter = {
		.len = program->length,
		.filter = (struct sock_filter *)program->code,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) ? -errno : 0;
}

/* Runs `body` in a child, which may write to the memory that is shared with it; its status. */
static int in_child(bool confined, void (*body)(int *results), int *results)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		if (confined && confine(&sim_archs[NATIVE].programs[STRICTEST]))
			_exit(99);
		body(results);
		_exit(0);
	}
	cr_assert_gt(pid, 0);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static int *shared_results(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(memory, MAP_FAILED);
	return memory;
}

static void make_attempts(int *results)
{
	for (size_t i = 0; i < ATTEMPTS; i++) {
		const long *a = attempts[i].args;

		results[i] = 0;
		if (syscall(attempts[i].number, a[0], a[1], a[2], a[3], a[4]) < 0)
			results[i] = errno;
	}
}

Test(seccomp_live, calls)
{
	int *control = shared_results();
	int *confined = shared_results();

	cr_assert_eq(in_child(false, make_attempts, control), 0);
	cr_assert_eq(in_child(true, make_attempts, confined), 0);
	for (size_t i = 0; i < ATTEMPTS; i++) {
		const struct attempt *at = &attempts[i];

		if (at->control == ANY_ERROR)
			cr_expect_neq(control[i], at->confined, "control: %s", at->what);
		else
			cr_expect_eq(control[i], at->control, "control: %s: %d", at->what,
				     control[i]);
		cr_expect_eq(confined[i], at->confined, "%s: %d", at->what, confined[i]);
	}
}

/* libc falls back from clone3, and the filter is inherited by what it starts. */
static void start_program(int *results)
{
	char *const argv[] = { "sh", "-c", "(exit 3) & wait $!; exit $?", NULL };
	int status = -1;
	pid_t pid;

	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0)
		waitpid(pid, &status, 0);
	results[0] = status;
}

Test(seccomp_live, programs_start)
{
	int *results = shared_results();

	cr_assert_eq(in_child(true, start_program, results), 0);
	cr_assert(WIFEXITED(results[0]));
	cr_assert_eq(WEXITSTATUS(results[0]), 3);
}

#if NATIVE == 0

#define I386_ATTEMPTS 7

static const struct {
	const char *what;
	unsigned number;
	bool memory; /* the second argument points to the words below */
	unsigned args[2];
	int control;
	int confined;
} i386_attempts[I386_ATTEMPTS] = {
	{ "socketcall(socket)", 102, true, { 1 }, 0, EPERM },
	{ "socketcall(socketpair)", 102, true, { 8 }, EFAULT, EPERM },
	{ "socketcall(shutdown)", 102, true, { 13 }, EBADF, EBADF },
	{ "socket", 359, false, { AF_INET, SOCK_DGRAM }, 0, EPERM },
	{ "local socket", 359, false, { AF_UNIX, SOCK_DGRAM }, 0, 0 },
	{ "umount", 22, false, { 0, 0 }, ANY_ERROR, EPERM },
	{ "clone3", 435, false, { 0, 0 }, EINVAL, ENOSYS },
};

static long call_i386(unsigned number, unsigned long a, unsigned long b)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"((unsigned long)number), "b"(a), "c"(b), "d"(0ul), "S"(0ul)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static void make_i386_attempts(int *results)
{
	unsigned *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (words == MAP_FAILED)
		_exit(98);
	for (size_t i = 0; i < I386_ATTEMPTS; i++) {
		unsigned long second = i386_attempts[i].args[1];
		long result;

		words[0] = i386_attempts[i].args[0] == 13 ? UINT32_MAX : AF_INET;
		words[1] = SOCK_DGRAM;
		if (i386_attempts[i].args[0] == 8)
			words[0] = AF_UNIX;
		if (i386_attempts[i].memory)
			second = (unsigned long)words;
		result = call_i386(i386_attempts[i].number, i386_attempts[i].args[0], second);
		results[i] = result < 0 ? -result : 0;
	}
}

/* Where the kernel has no 32-bit entry there is nothing to attack; the filter still must say no. */
static void expect_closed_in_simulation(void)
{
	struct sim_tally tally = { 0 };

	cr_log_warn("no 32-bit system calls here: only the simulator judged them");
	for (size_t i = 0; i < I386_ATTEMPTS; i++) {
		struct seccomp_data data = {
			.arch = AUDIT_ARCH_I386,
			.nr = i386_attempts[i].number,
			.args = { i386_attempts[i].args[0], i386_attempts[i].args[1] },
		};
		int wanted = i386_attempts[i].confined == EBADF ? 0 : i386_attempts[i].confined;

		sim_expect(&tally, &sim_archs[1], STRICTEST, &data, i386_attempts[i].what, wanted);
	}
	cr_assert_eq(tally.wrong, 0);
}

Test(seccomp_live, calls_by_the_32_bit_entry)
{
	int *control = shared_results();
	int *confined = shared_results();
	int status = in_child(false, make_i386_attempts, control);

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) {
		expect_closed_in_simulation();
		return;
	}
	cr_assert_eq(status, 0);
	cr_assert_eq(in_child(true, make_i386_attempts, confined), 0);
	for (size_t i = 0; i < I386_ATTEMPTS; i++) {
		if (i386_attempts[i].control == ANY_ERROR)
			cr_expect_neq(control[i], i386_attempts[i].confined, "control: %s",
				      i386_attempts[i].what);
		else
			cr_expect_eq(control[i], i386_attempts[i].control, "control: %s: %d",
				     i386_attempts[i].what, control[i]);
		cr_expect_eq(confined[i], i386_attempts[i].confined, "%s: %d",
			     i386_attempts[i].what, confined[i]);
	}
}

#endif
