/* SPDX-License-Identifier: MIT */
/* Wall time of one launch: a dynamic /bin/true and a program that is nothing but its exit. */
#include "bench.h"

#define COMMANDS 2

static void report(struct bench *b, struct series s[LAUNCHERS], const char *command,
		   struct stats ret[LAUNCHERS])
{
	for (size_t i = 0; i < LAUNCHERS; i++)
		ret[i] = series_stats(&s[i]);
	for (size_t i = 0; i < LAUNCHERS; i++)
		report_time(b, "start-up", launcher_name(i), command, ret[i],
			    ret[LAUNCH_BARE].median, ret[LAUNCH_BWRAP].median);
}

static void limits(struct bench *b, const struct stats s[LAUNCHERS])
{
	double bare = s[LAUNCH_BARE].median;

	report_limit(b, "start-up",
		     (struct limit){ .what = "namespace over bare / bwrap over bare",
				     .value = (s[LAUNCH_NAMESPACE].median - bare) /
					      (s[LAUNCH_BWRAP].median - bare),
				     .bound = 0.30 });
	report_limit(b, "start-up",
		     (struct limit){ .what = "landlock / bare",
				     .value = s[LAUNCH_LANDLOCK].median / bare,
				     .bound = 1.7 });
	report_limit(b, "start-up",
		     (struct limit){ .what = "landlock --exec / bare",
				     .value = s[LAUNCH_LANDLOCK_EXEC].median / bare,
				     .bound = 1.45 });
}

void mode_start_up(struct bench *b)
{
	const char *commands[COMMANDS][2] = { { "/bin/true" }, { b->tiny } };
	const char *labels[COMMANDS] = { "true", "tiny" };
	const char *names[COMMANDS * LAUNCHERS];
	struct series s[COMMANDS * LAUNCHERS];
	char **argv[COMMANDS * LAUNCHERS];
	struct stats result[COMMANDS][LAUNCHERS];

	place_enter(b);
	for (size_t i = 0; i < COMMANDS * LAUNCHERS; i++) {
		names[i] = launcher_name(i % LAUNCHERS);
		argv[i] = launcher_argv(b, i % LAUNCHERS, commands[i / LAUNCHERS], NULL);
		s[i] = series_new(b->rounds);
	}
	alternate(b, argv, names, COMMANDS * LAUNCHERS, s);
	report_title(b, "start-up",
		     "  launcher           command       median ms   p10 ms    p90 ms"
		     "   x bare  over bare  / bwrap");
	for (size_t c = 0; c < COMMANDS; c++)
		report(b, &s[c * LAUNCHERS], labels[c], result[c]);
	limits(b, result[0]); /* the limits speak of `true` */
	for (size_t i = 0; i < COMMANDS * LAUNCHERS; i++) {
		argv_free(argv[i]);
		series_free(&s[i]);
	}
}
