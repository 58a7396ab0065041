/* SPDX-License-Identifier: MIT */
/* Where the bench works: a directory of its own outside /tmp, so that the workspace counts. */
#include "bench.h"

#include <errno.h>
#include <ftw.h>
#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void give(const struct bench *b, const char *path)
{
	if (b->user && geteuid() == 0 && chown(path, b->uid, b->uid) < 0)
		bench_die("cannot hand over '%s': %s", path, strerror(errno));
}

void place_make(struct bench *b)
{
	snprintf(b->base, sizeof(b->base), "%s/ringfence-bench.XXXXXX", b->base_parent);
	if (!mkdtemp(b->base))
		bench_die("cannot make '%s': %s", b->base, strerror(errno));
	snprintf(b->workspace, sizeof(b->workspace), "%s/work", b->base);
	place_dir("%s", b->workspace);
	give(b, b->base);
	give(b, b->workspace);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void place_remove(const struct bench *b)
{
	if (nftw(b->base, remove_entry, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0)
		fprintf(stderr, "bench: cannot remove '%s': %s\n", b->base, strerror(errno));
}

/* Becomes the ordinary user where that is asked for, for good, and goes to the workspace. */
void place_enter(const struct bench *b)
{
	if (b->user && geteuid() == 0 &&
	    (setgroups(0, NULL) < 0 || setresgid(b->uid, b->uid, b->uid) < 0 ||
	     setresuid(b->uid, b->uid, b->uid) < 0))
		bench_die("cannot become uid %u: %s", (unsigned int)b->uid, strerror(errno));
	if (chdir(b->workspace) < 0)
		bench_die("cannot enter '%s': %s", b->workspace, strerror(errno));
	setenv("HOME", b->workspace, 1);
}

void place_dir(const char *fmt, ...)
{
	char path[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (mkdir(path, 0755) < 0)
		bench_die("cannot make '%s': %s", path, strerror(errno));
}

void place_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	if (!f || fputs(text, f) == EOF || fclose(f) == EOF)
		bench_die("cannot write '%s': %s", path, strerror(errno));
}
