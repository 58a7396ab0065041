/* SPDX-License-Identifier: MIT */
/*
 * The command of the tests of processes and terminals:
 *
 *	payload signals		says `ready`, and after the first signal how often each one came
 *	payload fds		exit status: bit N is set when fd N (0 to 2) is open
 *	payload stop		stops its own process group, as an editor does on ^Z
 *	payload foreground	says whether its group is the terminal's foreground group
 *	payload winsize		says `ready`, and on SIGWINCH how many columns there are
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {
	SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH
};

#define SIGNALS (sizeof(signals) / sizeof(*signals))

static volatile sig_atomic_t counts[NSIG];
static volatile sig_atomic_t total;

static void count(int sig)
{
	counts[sig]++;
	total++;
}

static void watch_signals(void)
{
	struct sigaction sa = { .sa_handler = count };

	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &sa, NULL);
	dprintf(STDOUT_FILENO, "ready\n");
}

static void rest(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		continue;
}

/* A second copy of a signal comes at once or not at all: 300 ms are plenty. */
static void wait_signals(void)
{
	while (total == 0)
		rest(5);
	rest(300);
}

static int run_signals(void)
{
	watch_signals();
	wait_signals();
	for (size_t i = 0; i < SIGNALS; i++)
		if (counts[signals[i]])
			dprintf(STDOUT_FILENO, "%s=%d ", sigabbrev_np(signals[i]),
				(int)counts[signals[i]]);
	dprintf(STDOUT_FILENO, "end\n");
	return 0;
}

static int run_fds(void)
{
	int bits = 0;

	for (int fd = 0; fd < 3; fd++)
		bits |= (fcntl(fd, F_GETFD) >= 0) << fd;
	return bits;
}

static int run_stop(void)
{
	dprintf(STDOUT_FILENO, "stopping\n");
	kill(0, SIGTSTP);
	dprintf(STDOUT_FILENO, "continued\n");
	return 0;
}

static int run_foreground(void)
{
	pid_t foreground = tcgetpgrp(STDIN_FILENO);

	dprintf(STDOUT_FILENO, "foreground %s\n",
		foreground >= 0 && foreground == getpgrp() ? "ours" : "not ours");
	return 0;
}

static int run_winsize(void)
{
	struct winsize size = { 0 };

	watch_signals();
	wait_signals();
	ioctl(STDIN_FILENO, TIOCGWINSZ, &size);
	dprintf(STDOUT_FILENO, "winch=%d columns=%d end\n", (int)counts[SIGWINCH], size.ws_col);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} modes[] = {
	{ "signals", run_signals },	  { "fds", run_fds },	      { "stop", run_stop },
	{ "foreground", run_foreground }, { "winsize", run_winsize },
};

int main(int argc, char **argv)
{
	alarm(60);
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(*modes); i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			return modes[i].run();
	return 99;
}
