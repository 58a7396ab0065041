/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/launch.h"

#define ANSWER_MS 2000

static int read_line(int fd, char *ret, size_t size)
{
	size_t n = 0;

	while (n + 1 < size) {
		struct pollfd p = { fd, POLLIN, 0 };

		if (poll(&p, 1, ANSWER_MS) <= 0 || read(fd, ret + n, 1) != 1)
			return -EIO;
		if (ret[n] == '\n')
			break;
		n++;
	}
	ret[n] = '\0';
	return 0;
}

static _Noreturn void exec_victim(const struct run_spec *spec, int in, int out)
{
	static char *env[] = { (char *)"CANARY=" CANARY, NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct run_child c = {
		.spec = spec, .env = env, .in = in, .out = out, .err = null, .report = null
	};

	setpgid(0, 0);
	run_child_exec(&c);
}

int victim_start(struct victim *v, struct run_who who)
{
	const char *argv[] = { act_path(), "victim", NULL };
	struct run_spec spec = { .argv = argv, .who = who, .cwd = "/" };
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	v->pid = fork();
	if (v->pid == 0)
		exec_victim(&spec, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	v->in = in[1];
	v->out = out[0];
	if (v->pid < 0)
		return -errno;
	snprintf(v->name, sizeof(v->name), "%d", v->pid);
	return read_line(v->out, v->address, sizeof(v->address));
}

void victim_stop(struct victim *v)
{
	if (v->pid <= 0)
		return;
	kill(v->pid, SIGKILL);
	waitpid(v->pid, NULL, 0);
	close(v->in);
	close(v->out);
	v->pid = 0;
}

void victim_report(const struct victim *v, char *ret, size_t size)
{
	if (write(v->in, "r", 1) != 1 || read_line(v->out, ret, size) < 0)
		snprintf(ret, size, "does not answer");
}
