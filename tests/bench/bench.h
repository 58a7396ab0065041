/* SPDX-License-Identifier: MIT */
/*
 * What the files of the bench share. One process measures everything: bare exec, the launcher on
 * both backends and bubblewrap take turns, so that a busy machine slows all of them alike and
 * the ratios stay.
 */
#ifndef RF_BENCH_H
#define RF_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum launcher_id {
	LAUNCH_BARE,
	LAUNCH_NAMESPACE,
	LAUNCH_LANDLOCK,
	LAUNCH_LANDLOCK_EXEC,
	LAUNCH_BWRAP,
	LAUNCH_BWRAP_NET,
	LAUNCHERS,
};

struct bench {
	const char *ringfence;
	const char *bwrap;
	const char *tiny;
	const char *base_parent;
	char base[256];
	char workspace[300];
	size_t rounds;
	size_t warm_up;
	uid_t uid;
	bool user;
	bool json;
	bool check;
	bool exceeded;
};

/* The samples of one launcher with one command, in nanoseconds. */
struct series {
	double *ns;
	size_t n;
};

struct stats {
	double median, p10, p90;
};

/* A bound from the project's requirements; `at_least` turns its direction. */
struct limit {
	const char *what;
	double value;
	double bound;
	bool at_least;
};

/* launch.c */
const char *launcher_name(enum launcher_id id);
char **launcher_argv(const struct bench *b, enum launcher_id id, const char *const command[],
		     const char *const extra[]);
void argv_free(char **argv);
double launch_ns(const char *const argv[]);
double launch_ok_ns(const char *name, const char *const argv[]);
void alternate(const struct bench *b, char **argv[], const char *const names[], size_t n,
	       struct series *s);

/* place.c */
void place_make(struct bench *b);
void place_remove(const struct bench *b);
void place_enter(const struct bench *b);
void place_dir(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void place_file(const char *path, const char *text);

/* report.c */
struct series series_new(size_t n);
void series_add(struct series *s, double ns);
void series_free(struct series *s);
struct stats series_stats(const struct series *s);
void report_title(const struct bench *b, const char *mode, const char *columns);
void report_time(const struct bench *b, const char *mode, const char *name, const char *command,
		 struct stats s, double bare, double bwrap);
void report_value(const struct bench *b, const char *mode, const char *name, const char *what,
		  double value, const char *unit);
void report_limit(struct bench *b, const char *mode, struct limit limit);
void bench_die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* count.c, also linked by the test of the counts */
struct count {
	unsigned long calls;
	unsigned long processes;
	bool untraced; /* somebody was cloned with CLONE_UNTRACED: the numbers are no proof */
	int status;
};
int count_run(const char *const argv[], struct count *ret);

/* one file a mode */
void mode_start_up(struct bench *b);
void mode_throughput(struct bench *b);
void mode_mounts(struct bench *b);
void mode_roots(struct bench *b);
void mode_work(struct bench *b);
void mode_counts(struct bench *b);

#endif
