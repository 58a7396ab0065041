/* SPDX-License-Identifier: MIT */
/* Options, and one child process a mode: each mode may drop privileges for good. */
#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct mode {
	const char *name;
	void (*run)(struct bench *b);
	const char *help;
} modes[] = {
	{ "start-up", mode_start_up, "wall time of one launch" },
	{ "throughput", mode_throughput, "launches per second by 1, 2, 4 and 8 at a time" },
	{ "mounts", mode_mounts, "start-up with 0, 50 and 500 more mounts on the host" },
	{ "roots", mode_roots, "start-up with 1000 writable roots" },
	{ "work", mode_work, "git status, find, grep -r and make, inside and outside" },
	{ "counts", mode_counts, "system calls and processes that a launch adds" },
};

#define MODES (sizeof(modes) / sizeof(*modes))

enum {
	OPT_RINGFENCE = 256,
	OPT_BWRAP,
	OPT_TINY,
	OPT_ROUNDS,
	OPT_WARM_UP,
	OPT_AS,
	OPT_UID,
	OPT_DIR,
	OPT_JSON,
	OPT_CHECK,
	OPT_HELP
};

static const struct option options[] = {
	{ "ringfence", required_argument, NULL, OPT_RINGFENCE },
	{ "bwrap", required_argument, NULL, OPT_BWRAP },
	{ "tiny", required_argument, NULL, OPT_TINY },
	{ "rounds", required_argument, NULL, OPT_ROUNDS },
	{ "warm-up", required_argument, NULL, OPT_WARM_UP },
	{ "as", required_argument, NULL, OPT_AS },
	{ "uid", required_argument, NULL, OPT_UID },
	{ "dir", required_argument, NULL, OPT_DIR },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "check", no_argument, NULL, OPT_CHECK },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 },
};

static void usage(void)
{
	puts("usage: bench [--ringfence PATH] [--bwrap PATH] [--tiny PATH] [--rounds N]\n"
	     "             [--warm-up N] [--as root|user] [--uid N] [--dir DIR] [--json] "
	     "[--check]\n"
	     "             [MODE...]\nmodes (all of them without one):");
	for (size_t i = 0; i < MODES; i++)
		printf("  %-12s %s\n", modes[i].name, modes[i].help);
	exit(0);
}

static size_t number(const char *text, size_t max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n > max)
		bench_die("not a number up to %zu: '%s'", max, text);
	return n;
}

static void take_option(struct bench *b, int option)
{
	switch (option) {
	case OPT_RINGFENCE:
		b->ringfence = optarg;
		break;
	case OPT_BWRAP:
		b->bwrap = optarg;
		break;
	case OPT_TINY:
		b->tiny = optarg;
		break;
	case OPT_ROUNDS:
		b->rounds = number(optarg, 100000);
		break;
	case OPT_WARM_UP:
		b->warm_up = number(optarg, 100000);
		break;
	case OPT_UID:
		b->uid = (uid_t)number(optarg, 2147483646);
		break;
	case OPT_DIR:
		b->base_parent = optarg;
		break;
	case OPT_JSON:
		b->json = true;
		break;
	case OPT_CHECK:
		b->check = true;
		break;
	case OPT_HELP:
		usage();
		break;
	case OPT_AS:
		if (strcmp(optarg, "root") != 0 && strcmp(optarg, "user") != 0)
			bench_die("neither 'root' nor 'user': '%s'", optarg);
		b->user = strcmp(optarg, "user") == 0;
		break;
	default:
		bench_die("usage: see --help");
	}
}

static void need_program(const char *path, const char *what)
{
	if (!path || access(path, X_OK) < 0)
		bench_die("cannot run %s '%s': %s", what, path ? path : "", strerror(errno));
}

static void parse(struct bench *b, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		take_option(b, option);
	if (geteuid() != 0 && !b->user)
		bench_die("'--as root' needs root");
	if (geteuid() != 0)
		b->uid = geteuid();
	if (b->rounds == 0)
		bench_die("no rounds");
	need_program(b->ringfence, "the launcher (--ringfence or $RINGFENCE)");
	need_program(b->bwrap, "bubblewrap (--bwrap)");
	need_program(b->tiny, "the tiny command (--tiny or $RINGFENCE_TINY)");
}

/* Returns the exit status of the mode: 0, 1 for a limit exceeded, 2 for a failure. */
static int run_mode(struct bench *b, const struct mode *mode)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	place_make(b);
	pid = fork();
	if (pid < 0)
		bench_die("cannot fork: %s", strerror(errno));
	if (pid == 0) {
		mode->run(b);
		fflush(stdout);
		_exit(b->exceeded ? 1 : 0);
	}
	/* ^C ends the mode; this process stays to remove what the mode leaves. */
	signal(SIGINT, SIG_IGN);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	signal(SIGINT, SIG_DFL);
	place_remove(b);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

static int run_modes(struct bench *b, char **names)
{
	int worst = 0;

	for (size_t i = 0; i < MODES; i++) {
		bool wanted = !*names;

		for (char **name = names; *name; name++)
			wanted |= strcmp(*name, modes[i].name) == 0;
		if (wanted) {
			int status = run_mode(b, &modes[i]);

			worst = status > worst ? status : worst;
		}
	}
	return worst;
}

static void check_names(char **names)
{
	for (; *names; names++) {
		size_t i = 0;

		while (i < MODES && strcmp(*names, modes[i].name) != 0)
			i++;
		if (i == MODES)
			bench_die("unknown mode '%s'", *names);
	}
}

int main(int argc, char **argv)
{
	struct bench b = {
		.ringfence = getenv("RINGFENCE"),
		.bwrap = "/usr/bin/bwrap",
		.tiny = getenv("RINGFENCE_TINY"),
		.base_parent = "/var/tmp",
		.rounds = 100,
		.warm_up = 5,
		.uid = 64001,
		.user = true,
	};
	int worst;

	parse(&b, argc, argv);
	check_names(argv + optind);
	worst = run_modes(&b, argv + optind);
	if (worst == 1 && !b.check)
		worst = 0;
	return worst;
}
