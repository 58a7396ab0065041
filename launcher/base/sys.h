/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_SYS_H
#define RF_BASE_SYS_H

/*
 * System calls as the kernel has them: a negative errno or the value, and `errno` untouched.
 *
 * The reaper and the guardian share their memory, and so their `errno`, with the launcher that
 * runs at the same time (CLONE_VM saves the copy of an address space). What runs there, or between
 * a clone and an exec, uses only these.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
static inline long sys_call(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__)
static inline long sys_call(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}
#elif defined(__riscv) && __riscv_xlen == 64
static inline long sys_call(long nr, long a, long b, long c, long d, long e, long f)
{
	register long a7 __asm__("a7") = nr;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a5 __asm__("a5") = f;

	__asm__ volatile("ecall"
			 : "+r"(a0)
			 : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
			 : "memory");
	return a0;
}
#else
#error "no system call convention for this architecture: add it here and to the generator"
#endif

#define SYS0(nr) sys_call(nr, 0, 0, 0, 0, 0, 0)
#define SYS1(nr, a) sys_call(nr, (long)(a), 0, 0, 0, 0, 0)
#define SYS2(nr, a, b) sys_call(nr, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYS3(nr, a, b, c) sys_call(nr, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS4(nr, a, b, c, d) sys_call(nr, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYS5(nr, a, b, c, d, e)                                                                    \
	sys_call(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

/* Numbers that the oldest supported headers lack. From 424 on they are the same everywhere. */
#define SYS_NR_OPEN_TREE 428
#define SYS_NR_MOVE_MOUNT 429
#define SYS_NR_PIDFD_OPEN 434
#define SYS_NR_CLOSE_RANGE 436
#define SYS_NR_OPENAT2 437
#define SYS_NR_FACCESSAT2 439
#define SYS_NR_MOUNT_SETATTR 442
#define SYS_NR_LANDLOCK_CREATE_RULESET 444
#define SYS_NR_LANDLOCK_ADD_RULE 445
#define SYS_NR_LANDLOCK_RESTRICT_SELF 446

static inline int sys_openat(int dir, const char *path, int flags)
{
	return (int)SYS4(SYS_openat, dir, path, flags, 0);
}

static inline int sys_close(int fd)
{
	return (int)SYS1(SYS_close, fd);
}

static inline long sys_read(int fd, void *buf, size_t len)
{
	return SYS3(SYS_read, fd, buf, len);
}

static inline long sys_write(int fd, const void *buf, size_t len)
{
	return SYS3(SYS_write, fd, buf, len);
}

static inline long sys_readlinkat(int dir, const char *path, char *buf, size_t size)
{
	return SYS4(SYS_readlinkat, dir, path, buf, size);
}

static inline int sys_prctl(int option, unsigned long a, unsigned long b)
{
	return (int)SYS5(SYS_prctl, option, a, b, 0, 0);
}

static inline int sys_mount(const char *source, const char *target, const char *type,
			    unsigned long flags, const char *data)
{
	return (int)SYS5(SYS_mount, source, target, type, flags, data);
}

static inline int sys_kill(int pid, int sig)
{
	return (int)SYS2(SYS_kill, pid, sig);
}

__attribute__((noreturn)) static inline void sys_exit(int status)
{
	for (;;)
		SYS1(SYS_exit_group, status);
}

#endif
