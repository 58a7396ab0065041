/* SPDX-License-Identifier: MIT */
/* Start-up with a thousand writable roots, none below another. */
#include "bench.h"

#include <stdio.h>

#define ROOTS 1000
#define BOUND_S 1.0

static char paths[ROOTS][320];

static void make_roots(const struct bench *b)
{
	place_dir("%s/roots", b->base);
	for (size_t i = 0; i < ROOTS; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s/roots/%zu", b->base, i);
		place_dir("%s", paths[i]);
	}
}

/* The same grants in each launcher's own words; bare exec has none. */
static char **roots_argv(const struct bench *b, enum launcher_id id, const char *const command[])
{
	static const char *extra[3 * ROOTS + 1];
	bool bwrap = id == LAUNCH_BWRAP || id == LAUNCH_BWRAP_NET;
	size_t n = 0;

	for (size_t i = 0; i < ROOTS && id != LAUNCH_BARE; i++) {
		extra[n++] = bwrap ? "--bind" : "--write";
		extra[n++] = paths[i];
		if (bwrap)
			extra[n++] = paths[i];
	}
	extra[n] = NULL;
	return launcher_argv(b, id, command, extra);
}

void mode_roots(struct bench *b)
{
	const char *command[] = { "/bin/true", NULL };
	const char *names[LAUNCHERS];
	struct series s[LAUNCHERS];
	struct stats result[LAUNCHERS];
	char **argv[LAUNCHERS];

	/* A launch here is some hundred times as long: fewer rounds say as much. */
	b->rounds = b->rounds > 10 ? 10 : b->rounds;
	b->warm_up = b->warm_up > 1 ? 1 : b->warm_up;
	place_enter(b);
	make_roots(b);
	for (size_t i = 0; i < LAUNCHERS; i++) {
		names[i] = launcher_name(i);
		argv[i] = roots_argv(b, i, command);
		s[i] = series_new(b->rounds);
	}
	alternate(b, argv, names, LAUNCHERS, s);
	report_title(b, "roots",
		     "  launcher           command       median ms   p10 ms    p90 ms"
		     "   x bare  over bare  / bwrap");
	for (size_t i = 0; i < LAUNCHERS; i++)
		result[i] = series_stats(&s[i]);
	for (size_t i = 0; i < LAUNCHERS; i++)
		report_time(b, "roots", names[i], "true", result[i], result[LAUNCH_BARE].median,
			    result[LAUNCH_BWRAP].median);
	for (size_t i = LAUNCH_NAMESPACE; i <= LAUNCH_LANDLOCK_EXEC; i++) {
		char what[64];

		snprintf(what, sizeof(what), "%s: 1000 writable roots, s", names[i]);
		report_limit(b, "roots",
			     (struct limit){ .what = what,
					     .bound = BOUND_S,
					     .value = result[i].median / 1e9 });
	}
	for (size_t i = 0; i < LAUNCHERS; i++) {
		argv_free(argv[i]);
		series_free(&s[i]);
	}
}
