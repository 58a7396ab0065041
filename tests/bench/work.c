/* SPDX-License-Identifier: MIT */
/* File-heavy work on a tree of some 700 files: what confinement costs once the command runs. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#define DIRS 30
#define FILES 20
#define UNITS 12

static const struct job {
	const char *name;
	const char *argv[8];
} jobs[] = {
	{ "git status", { "/usr/bin/git", "status", "--porcelain" } },
	{ "find", { "/usr/bin/find", ".", "-type", "f", "-size", "+0" } },
	/* -c: grep stops at the first match when its output is /dev/null */
	{ "grep -r", { "/bin/grep", "-rc", "needle", "." } },
	{ "make", { "/usr/bin/make", "-s", "-B" } },
};

#define JOBS (sizeof(jobs) / sizeof(*jobs))

static void make_tree(void)
{
	char path[64], text[512];

	for (int d = 0; d < DIRS; d++) {
		place_dir("dir%d", d);
		for (int f = 0; f < FILES; f++) {
			snprintf(path, sizeof(path), "dir%d/file%d.txt", d, f);
			snprintf(text, sizeof(text), "file %d of directory %d\n%*s needle\n", f, d,
				 300, "hay");
			place_file(path, text);
		}
	}
}

static void make_sources(void)
{
	char path[64], text[512], rules[2048] = "CC = cc\nOBJ =";
	size_t n = 13;

	for (int i = 0; i < UNITS; i++) {
		snprintf(path, sizeof(path), "unit%d.c", i);
		snprintf(text, sizeof(text),
			 "#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n"
			 "int unit%d(const char *s)\n{\n\treturn printf(\"%%zu\\n\", "
			 "strlen(s));\n}\n",
			 i);
		place_file(path, text);
		n += (size_t)snprintf(rules + n, sizeof(rules) - n, " unit%d.o", i);
	}
	snprintf(rules + n, sizeof(rules) - n,
		 "\nall: $(OBJ)\n%%.o: %%.c\n\t$(CC) -O0 -c -o $@ $<\n");
	place_file("Makefile", rules);
}

static void make_repository(void)
{
	const char *argv[] = {
		"/bin/sh", "-ec",
		"git init -q; git add -A; git -c user.name=b -c user.email=b@b.invalid "
		"commit -q -m tree; : >untracked",
		NULL
	};

	make_tree();
	make_sources();
	place_file(".gitignore", "*.o\n");
	launch_ok_ns("git init", argv);
}

static void run_job(struct bench *b, const struct job *job)
{
	const char *names[LAUNCHERS];
	struct series s[LAUNCHERS];
	struct stats result[LAUNCHERS];
	char **argv[LAUNCHERS];

	for (size_t i = 0; i < LAUNCHERS; i++) {
		names[i] = launcher_name(i);
		argv[i] = launcher_argv(b, i, job->argv, NULL);
		s[i] = series_new(b->rounds);
	}
	alternate(b, argv, names, LAUNCHERS, s);
	for (size_t i = 0; i < LAUNCHERS; i++)
		result[i] = series_stats(&s[i]);
	for (size_t i = 0; i < LAUNCHERS; i++) {
		report_time(b, "work", names[i], job->name, result[i], result[LAUNCH_BARE].median,
			    result[LAUNCH_BWRAP].median);
		argv_free(argv[i]);
		series_free(&s[i]);
	}
	fflush(stdout);
}

void mode_work(struct bench *b)
{
	b->rounds = b->rounds > 20 ? 20 : b->rounds;
	b->warm_up = b->warm_up > 1 ? 1 : b->warm_up;
	place_enter(b);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	make_repository();
	report_title(b, "work",
		     "  launcher           work          median ms   p10 ms    p90 ms"
		     "   x bare  over bare  / bwrap");
	for (size_t i = 0; i < JOBS; i++)
		run_job(b, &jobs[i]);
}
