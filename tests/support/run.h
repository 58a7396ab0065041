/* SPDX-License-Identifier: MIT */
/*
 * Runs a command and collects everything that it left behind. For the test process of Criterion:
 * nothing here asserts, a failure of the harness itself is a negative errno.
 */
#ifndef RF_TEST_RUN_H
#define RF_TEST_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* An ordinary user without an entry in passwd; tests that start as root become it. */
#define RUN_USER_ID 64001

/*
 * Who runs it. With `own` the ids are left as they are. The ids of a test that starts as root
 * are changed with all of real, effective and saved, and no supplementary group is kept.
 */
struct run_who {
	uid_t uid;
	gid_t gid;
	bool own;
};

/* The fd of the test process that the command finds under the number `at`. */
struct run_fd {
	int fd;
	int at;
};

enum run_flag {
	RUN_PRIVATE = 1,   /* in mount, uts and ipc namespaces of its own, with power over them */
	RUN_EXACT_ENV = 2, /* the sanitizers' settings are not added to `env` */
	RUN_KILL = 4,	   /* SIGKILL to the command as soon as it has written to stdout */
	RUN_INHERIT = 8,   /* fds that are not close-on-exec stay open, for canaries */
	RUN_NO_STDIN = 16, /* fd 0 is closed, unless `fds` says otherwise; 1 and 2 alike below */
	RUN_NO_STDOUT = 32,
	RUN_NO_STDERR = 64,
};

struct run_spec {
	const char *const *argv; /* argv[0] is a path: nothing is looked up in PATH */
	const char *const *env;	 /* NULL: the environment of the test */
	const char *cwd;	 /* NULL: that of the test */
	struct run_who who;
	const void *input; /* what it reads from stdin; NULL: /dev/null */
	size_t input_len;
	const struct run_fd *fds;
	size_t fds_len;
	int tty;	     /* not 0: becomes fd 0 and the controlling terminal */
	int capture;	     /* not 0: a third captured fd, under this number */
	pid_t group;	     /* not 0: the process group that it joins */
	unsigned timeout_ms; /* 0: 20 s; then the whole tree is killed */
	unsigned grace_ms;   /* 0: 1 s, in which the rest of the tree may end */
	unsigned flags;
};

/* Bytes with a NUL behind them that `len` does not count. */
struct run_bytes {
	char *data;
	size_t len;
};

struct run_result {
	int status; /* as waitpid() gives it */
	bool timed_out;
	struct run_bytes out;
	struct run_bytes err;
	struct run_bytes captured;
	size_t left; /* processes of the run that were there when the grace was over */
	double ms;
};

/* Runs it to its end; what is left of the tree is killed. Makes the caller a child subreaper. */
int run_command(const struct run_spec *spec, struct run_result *ret);
void run_release(struct run_result *r);

/* The exit status as a shell says it: 128 + N for a signal. */
int run_exit_code(const struct run_result *r);

struct run_who run_own(void);
struct run_who run_root(void);
struct run_who run_user(void); /* uid 64001 as root, else the caller */

/*
 * What the child does between fork and exec, in run_child.c. `argv`, `env` and the maps were made
 * before the fork, since the test process has two threads.
 */
struct run_child {
	const struct run_spec *spec;
	char *const *env;
	int in, out, err, captured, report;
	char uid_map[64], gid_map[64];
};
void run_child_prepare(struct run_child *c);
_Noreturn void run_child_exec(const struct run_child *c);

#endif
