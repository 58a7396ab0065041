/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tree.h"

#define GRACE_MS 1000
#define SAFE_FD 200 /* the report must not lie under a number that the command is given */

/* The ends of one run that the test process holds. */
struct ends {
	int in, out, err, captured, report, process;
};

static const char *const sanitizer_names[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS" };

struct run_who run_own(void)
{
	return (struct run_who){ .uid = geteuid(), .gid = getegid(), .own = true };
}

struct run_who run_root(void)
{
	return (struct run_who){ .uid = 0, .gid = 0 };
}

struct run_who run_user(void)
{
	if (geteuid() != 0)
		return run_own();
	return (struct run_who){ .uid = RUN_USER_ID, .gid = RUN_USER_ID };
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static bool env_has(const char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return true;
	return false;
}

/*
 * The environment of the command, one allocation: pointers, then the strings that are ours. A
 * sanitized launcher that loses its log_path reports where nobody looks.
 */
static char **env_make(const struct run_spec *spec)
{
	const char *const *env = spec->env ? spec->env : (const char *const *)environ;
	size_t n = 0, extra = sizeof(sanitizer_names) / sizeof(sanitizer_names[0]);
	char **made;

	while (env[n])
		n++;
	made = calloc(n + extra + 1, sizeof(*made));
	if (!made)
		return NULL;
	memcpy(made, env, n * sizeof(*made));
	for (size_t i = 0; spec->env && !(spec->flags & RUN_EXACT_ENV) && i < extra; i++) {
		const char *value = getenv(sanitizer_names[i]);

		/* the bytes before the value are the name and '=' in our own environment */
		if (value && !env_has(env, sanitizer_names[i]))
			made[n++] = (char *)value - strlen(sanitizer_names[i]) - 1;
	}
	return made;
}

static int bytes_read(struct run_bytes *b, int *fd)
{
	char *data = realloc(b->data, b->len + 65536 + 1);
	ssize_t n;

	if (!data)
		return -ENOMEM;
	b->data = data;
	n = read(*fd, data + b->len, 65536);
	if (n > 0)
		b->len += (size_t)n;
	data[b->len] = '\0';
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close(*fd);
		*fd = -1;
	}
	return n > 0;
}

static void feed(const struct run_spec *spec, struct ends *e, size_t *done)
{
	ssize_t n = write(e->in, (const char *)spec->input + *done, spec->input_len - *done);

	if (n > 0)
		*done += (size_t)n;
	if (*done == spec->input_len || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close(e->in);
		e->in = -1;
	}
}

/* What the command wrote before it ended lies in the pipes; who holds them open does not matter. */
static void drain(struct ends *e, struct run_result *r)
{
	struct run_bytes *to[] = { &r->out, &r->err, &r->captured };
	int *from[] = { &e->out, &e->err, &e->captured };

	for (int i = 0; i < 3; i++)
		while (*from[i] >= 0 && bytes_read(to[i], from[i]) > 0)
			continue;
}

static bool tick(const struct run_spec *spec, struct ends *e, struct run_result *r, size_t *fed,
		 int wait_ms)
{
	struct pollfd p[] = {
		{ e->process, POLLIN, 0 },  { e->out, POLLIN, 0 }, { e->err, POLLIN, 0 },
		{ e->captured, POLLIN, 0 }, { e->in, POLLOUT, 0 },
	};

	if (poll(p, 5, wait_ms) <= 0)
		return true;
	if (p[4].revents)
		feed(spec, e, fed);
	drain(e, r);
	if (spec->flags & RUN_KILL && r->out.len)
		syscall(SYS_pidfd_send_signal, e->process, SIGKILL, NULL, 0);
	return !p[0].revents;
}

static void watch(const struct run_spec *spec, pid_t pid, struct ends *e, struct run_result *r)
{
	double start = now_ms(), limit = spec->timeout_ms ? spec->timeout_ms : 20000, left = limit;
	size_t fed = 0;

	while (left > 0 && tick(spec, e, r, &fed, (int)left + 1))
		left = limit - (now_ms() - start);
	r->timed_out = left <= 0;
	if (r->timed_out)
		kill(pid, SIGKILL);
	while (waitpid(pid, &r->status, 0) < 0 && errno == EINTR)
		continue;
	r->ms = now_ms() - start;
	drain(e, r);
}

static int open_pipe(int *ours, int *theirs, bool we_write)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -errno;
	*ours = fd[we_write];
	*theirs = fd[!we_write];
	fcntl(*ours, F_SETFL, O_NONBLOCK);
	return 0;
}

static int open_input(const struct run_spec *spec, struct ends *e, struct run_child *c)
{
	if (spec->tty) {
		c->in = spec->tty;
		return 0;
	}
	if (spec->input)
		return open_pipe(&e->in, &c->in, true);
	c->in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return c->in < 0 ? -errno : 0;
}

static int open_ends(const struct run_spec *spec, struct ends *e, struct run_child *c)
{
	int report[2], r = open_input(spec, e, c);

	if (!r)
		r = open_pipe(&e->out, &c->out, false);
	if (!r)
		r = open_pipe(&e->err, &c->err, false);
	if (!r && spec->capture)
		r = open_pipe(&e->captured, &c->captured, false);
	if (r || pipe2(report, O_CLOEXEC) < 0)
		return r ? r : -errno;
	e->report = report[0];
	c->report = fcntl(report[1], F_DUPFD_CLOEXEC, SAFE_FD);
	close(report[1]);
	return c->report < 0 ? -errno : 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_theirs(const struct run_spec *spec, struct run_child *c)
{
	if (!spec->tty)
		close_fd(&c->in);
	close_fd(&c->out);
	close_fd(&c->err);
	close_fd(&c->captured);
	close_fd(&c->report);
}

static void close_ours(struct ends *e)
{
	close_fd(&e->in);
	close_fd(&e->out);
	close_fd(&e->err);
	close_fd(&e->captured);
	close_fd(&e->report);
	close_fd(&e->process);
}

static _Noreturn void child(struct run_child *c)
{
	if (c->spec->flags & RUN_NO_STDIN)
		c->in = -1;
	if (c->spec->flags & RUN_NO_STDOUT)
		c->out = -1;
	if (c->spec->flags & RUN_NO_STDERR)
		c->err = -1;
	run_child_exec(c);
}

/* Returns the pid, or the reason why nothing was executed. */
static pid_t start(const struct run_spec *spec, struct ends *e, struct run_child *c)
{
	int error = 0;
	pid_t pid = fork();

	if (pid == 0)
		child(c);
	if (pid < 0)
		return -errno;
	close_theirs(spec, c);
	if (read(e->report, &error, sizeof(error)) > 0) {
		waitpid(pid, NULL, 0);
		return -error;
	}
	e->process = (int)syscall(SYS_pidfd_open, pid, 0);
	return e->process < 0 ? -errno : pid;
}

static int run_prepared(const struct run_spec *spec, struct run_child *c, struct run_result *ret)
{
	unsigned grace = spec->grace_ms ? spec->grace_ms : GRACE_MS;
	struct ends e = { -1, -1, -1, -1, -1, -1 };
	struct tree_known known;
	pid_t pid;
	int r = open_ends(spec, &e, c);

	tree_children(&known);
	pid = r ? r : start(spec, &e, c);
	if (pid > 0) {
		watch(spec, pid, &e, ret);
		ret->left = tree_wait_and_kill(&known, ret->timed_out ? 0 : grace);
		drain(&e, ret);
	}
	close_theirs(spec, c);
	close_ours(&e);
	return pid < 0 ? (int)pid : 0;
}

int run_command(const struct run_spec *spec, struct run_result *ret)
{
	struct run_child c = {
		.spec = spec, .in = -1, .out = -1, .err = -1, .captured = -1, .report = -1
	};
	char **env = env_make(spec);
	int r;

	memset(ret, 0, sizeof(*ret));
	if (!env)
		return -ENOMEM;
	/* orphans come to us, so that none of them is out of sight */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return -errno;
	signal(SIGPIPE, SIG_IGN);
	c.env = env;
	run_child_prepare(&c);
	r = run_prepared(spec, &c, ret);
	free(env);
	return r;
}

void run_release(struct run_result *r)
{
	free(r->out.data);
	free(r->err.data);
	free(r->captured.data);
	memset(r, 0, sizeof(*r));
}

int run_exit_code(const struct run_result *r)
{
	return WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) : WEXITSTATUS(r->status);
}
