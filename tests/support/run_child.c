/* SPDX-License-Identifier: MIT */
/* The forked side of run_command(): only what is safe after fork in a threaded process. */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

#define PARKED 300 /* sources wait above every number that a test asks for */
#define FDS_MAX 16

static _Noreturn void give_up(const struct run_child *c)
{
	int error = errno;

	if (write(c->report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static void must(const struct run_child *c, bool ok)
{
	if (!ok)
		give_up(c);
}

static void write_text(const struct run_child *c, const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	must(c, fd >= 0);
	must(c, write(fd, text, strlen(text)) >= 0);
	close(fd);
}

/* The mask and the dispositions of the test framework are nobody's business. */
static void reset_signals(void)
{
	sigset_t none;

	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int park(const struct run_child *c, int fd)
{
	int parked = fcntl(fd, F_DUPFD_CLOEXEC, PARKED);

	must(c, parked >= 0);
	return parked;
}

static void place(const struct run_child *c, int fd, int at)
{
	if (fd < 0)
		close(at);
	else
		must(c, dup2(fd, at) == at);
}

/* Everything is parked before anything is placed: a source may have the number of a target. */
static void place_fds(const struct run_child *c)
{
	const struct run_spec *spec = c->spec;
	int std[3] = { c->in, c->out, c->err };
	int parked[FDS_MAX], captured = -1;

	must(c, spec->fds_len <= FDS_MAX);
	for (int i = 0; i < 3; i++)
		std[i] = std[i] < 0 ? -1 : park(c, std[i]);
	for (size_t i = 0; i < spec->fds_len; i++)
		parked[i] = park(c, spec->fds[i].fd);
	if (spec->capture)
		captured = park(c, c->captured);
	if (!(spec->flags & RUN_INHERIT))
		syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
	for (int i = 0; i < 3; i++)
		place(c, std[i], i);
	for (size_t i = 0; i < spec->fds_len; i++)
		place(c, parked[i], spec->fds[i].at);
	if (spec->capture)
		place(c, captured, spec->capture);
}

static void join_terminal(const struct run_child *c)
{
	if (c->spec->tty) {
		must(c, setsid() >= 0);
		must(c, ioctl(c->spec->tty, TIOCSCTTY, 0) == 0);
	} else if (c->spec->group) {
		must(c, setpgid(0, c->spec->group) == 0);
	}
}

static void become(const struct run_child *c)
{
	struct run_who who = c->spec->who;

	if (who.own)
		return;
	must(c, geteuid() != 0 || setgroups(0, NULL) == 0);
	must(c, setresgid(who.gid, who.gid, who.gid) == 0);
	must(c, setresuid(who.uid, who.uid, who.uid) == 0);
}

/* Root has the power already; a user gets it from a user namespace, where it is uid 0. */
static void enter_private(const struct run_child *c)
{
	int flags = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC;
	bool user = geteuid() != 0;

	must(c, unshare(user ? flags | CLONE_NEWUSER : flags) == 0);
	if (user) {
		/* after setresuid() the files below /proc/self belong to root until this */
		must(c, prctl(PR_SET_DUMPABLE, 1) == 0);
		write_text(c, "/proc/self/setgroups", "deny");
		write_text(c, "/proc/self/gid_map", c->gid_map);
		write_text(c, "/proc/self/uid_map", c->uid_map);
	}
	must(c, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
}

void run_child_prepare(struct run_child *c)
{
	struct run_who who = c->spec->who;
	uid_t uid = who.own ? geteuid() : who.uid;
	gid_t gid = who.own ? getegid() : who.gid;

	snprintf(c->uid_map, sizeof(c->uid_map), "0 %u 1\n", uid);
	snprintf(c->gid_map, sizeof(c->gid_map), "0 %u 1\n", gid);
}

_Noreturn void run_child_exec(const struct run_child *c)
{
	const struct run_spec *spec = c->spec;

	reset_signals();
	join_terminal(c);
	become(c);
	/* the directory is entered as whoever runs the command, as a shell would have */
	must(c, !spec->cwd || chdir(spec->cwd) == 0);
	if (spec->flags & RUN_PRIVATE)
		enter_private(c);
	place_fds(c);
	execve(spec->argv[0], (char *const *)spec->argv, c->env);
	give_up(c);
}
