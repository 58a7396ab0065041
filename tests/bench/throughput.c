/* SPDX-License-Identifier: MIT */
/* Launches per second: j processes launch as fast as they can, in slices that take turns. */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SLICE_S 0.2
#define SLICES 8
#define MOST 8

static const size_t jobs[] = { 1, 2, 4, MOST };

#define JOBS (sizeof(jobs) / sizeof(*jobs))

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* A worker leaves its count, and the time that it really took, in memory shared with us. */
struct tally {
	double launches;
	double seconds;
};

static void work(char **argv, struct tally *tally)
{
	double start = now_s();

	do {
		if (launch_ns((const char *const *)argv) < 0)
			_exit(1);
		tally->launches++;
		tally->seconds = now_s() - start;
	} while (tally->seconds < SLICE_S);
	_exit(0);
}

static double slice(const char *name, char **argv, size_t n, struct tally *tally)
{
	double rate = 0;
	pid_t pid[MOST];

	memset(tally, 0, MOST * sizeof(*tally));
	for (size_t i = 0; i < n; i++) {
		pid[i] = fork();
		if (pid[i] < 0)
			bench_die("cannot fork: %s", strerror(errno));
		if (pid[i] == 0)
			work(argv, &tally[i]);
	}
	for (size_t i = 0; i < n; i++) {
		int status;

		while (waitpid(pid[i], &status, 0) < 0 && errno == EINTR)
			continue;
		if (status != 0)
			bench_die("launch by '%s' failed", name);
		rate += tally[i].launches / tally[i].seconds;
	}
	return rate;
}

static void measure(const struct bench *b, char **argv[LAUNCHERS], struct tally *tally,
		    double rate[JOBS][LAUNCHERS])
{
	for (size_t j = 0; j < JOBS; j++) {
		struct series s[LAUNCHERS];

		for (size_t i = 0; i < LAUNCHERS; i++)
			s[i] = series_new(SLICES);
		for (size_t n = 0; n < SLICES * LAUNCHERS; n++) {
			size_t at = (n / LAUNCHERS + n) % LAUNCHERS;

			series_add(&s[at], slice(launcher_name(at), argv[at], jobs[j], tally));
		}
		for (size_t i = 0; i < LAUNCHERS; i++) {
			char what[32];

			rate[j][i] = series_stats(&s[i]).median;
			snprintf(what, sizeof(what), "true, %zu at a time", jobs[j]);
			report_value(b, "throughput", launcher_name(i), what, rate[j][i],
				     "launches/s");
			series_free(&s[i]);
		}
	}
}

static void limits(struct bench *b, double rate[JOBS][LAUNCHERS])
{
	static const enum launcher_id ours[] = { LAUNCH_NAMESPACE, LAUNCH_LANDLOCK };

	for (size_t j = 0; j < JOBS; j++) {
		for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
			char what[64];

			snprintf(what, sizeof(what), "%s / bwrap launches, %zu at a time",
				 launcher_name(ours[i]), jobs[j]);
			report_limit(b, "throughput",
				     (struct limit){ .what = what,
						     .value = rate[j][ours[i]] /
							      rate[j][LAUNCH_BWRAP],
						     .bound = 4,
						     .at_least = true });
		}
	}
}

void mode_throughput(struct bench *b)
{
	struct tally *tally = mmap(NULL, MOST * sizeof(*tally), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const char *command[] = { "/bin/true", NULL };
	double rate[JOBS][LAUNCHERS];
	char **argv[LAUNCHERS];

	if (tally == MAP_FAILED)
		bench_die("cannot map memory: %s", strerror(errno));
	place_enter(b);
	for (size_t i = 0; i < LAUNCHERS; i++) {
		argv[i] = launcher_argv(b, i, command, NULL);
		launch_ok_ns(launcher_name(i), (const char *const *)argv[i]);
	}
	report_title(b, "throughput", "  launcher           jobs                         median");
	measure(b, argv, tally, rate);
	limits(b, rate);
	for (size_t i = 0; i < LAUNCHERS; i++)
		argv_free(argv[i]);
	munmap(tally, MOST * sizeof(*tally));
}
