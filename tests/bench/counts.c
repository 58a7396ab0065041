/* SPDX-License-Identifier: MIT */
/* System calls and processes that a launch adds to the command's own; no noise touches these. */
#include "bench.h"

#include <string.h>

#define RUNS 3

/* The worst of some runs: a supervisor may be woken once more or less. */
static struct count worst(const char *name, const char *const argv[])
{
	struct count most = { 0 };

	for (size_t i = 0; i < RUNS; i++) {
		struct count c;
		int rc = count_run(argv, &c);

		if (rc < 0)
			bench_die("cannot trace '%s': %s", name, strerror(-rc));
		if (c.status != 0 || c.untraced)
			bench_die("launch by '%s' %s", name,
				  c.untraced ? "escaped the tracer" : "failed");
		if (c.calls > most.calls)
			most.calls = c.calls;
		if (c.processes > most.processes)
			most.processes = c.processes;
	}
	return most;
}

static void limit(struct bench *b, const char *name, const char *what, unsigned long value,
		  double bound)
{
	char text[64] = "";

	strcat(strcat(strcat(text, name), ": more "), what);
	report_limit(b, "counts", (struct limit){ text, (double)value, bound, false });
}

void mode_counts(struct bench *b)
{
	static const struct {
		enum launcher_id id;
		double calls, processes;
	} bounds[] = {
		{ LAUNCH_NAMESPACE, 120, 2 },
		{ LAUNCH_LANDLOCK, 70, 2 },
		{ LAUNCH_LANDLOCK_EXEC, 70, 0 },
	};
	const char *command[] = { "/bin/true", NULL };
	struct count c[LAUNCHERS];

	place_enter(b);
	report_title(b, "counts", "  launcher           what is added             more than bare");
	for (size_t i = 0; i < LAUNCHERS; i++) {
		char **argv = launcher_argv(b, i, command, NULL);

		c[i] = worst(launcher_name(i), (const char *const *)argv);
		c[i].calls -= i ? c[0].calls : 0;
		c[i].processes -= i ? c[0].processes : 0;
		report_value(b, "counts", launcher_name(i), "true", (double)c[i].calls,
			     i ? "more system calls" : "system calls");
		report_value(b, "counts", launcher_name(i), "true", (double)c[i].processes,
			     i ? "more processes" : "process");
		argv_free(argv);
	}
	for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
		const char *name = launcher_name(bounds[i].id);

		limit(b, name, "system calls", c[bounds[i].id].calls, bounds[i].calls);
		limit(b, name, "processes", c[bounds[i].id].processes, bounds[i].processes);
	}
}
