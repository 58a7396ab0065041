/* SPDX-License-Identifier: MIT */
/* What a run changed below its place. Times and inode numbers are left out: they always differ. */
#include "parity.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FNV_START UINT64_C(14695981039346656037)
#define FNV_PRIME UINT64_C(1099511628211)

/* One line of a list: the name, then what a change of mode and one of content would alter. */
struct line {
	const char *name, *attributes, *content;
	int name_len, attributes_len, content_len;
};

static uint64_t hash(uint64_t h, const void *data, size_t len)
{
	for (const unsigned char *p = data; len; p++, len--)
		h = (h ^ *p) * FNV_PRIME;
	return h;
}

static uint64_t content_of(const char *path, const struct stat *st)
{
	uint64_t h = FNV_START;
	char data[65536];
	ssize_t n;
	int fd;

	if (S_ISLNK(st->st_mode)) {
		n = readlink(path, data, sizeof(data));
		return hash(h, data, n > 0 ? (size_t)n : 0);
	}
	if (!S_ISREG(st->st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, data, sizeof(data))) > 0)
		h = hash(h, data, (size_t)n);
	if (fd >= 0)
		close(fd);
	return h;
}

/* Names keep their bytes but for the two that part lines and fields here. */
static void put(FILE *list, const char *path, const char *name, const struct stat *st)
{
	for (; *name; name++)
		fputc(*name == '\n' || *name == '\t' ? '~' : *name, list);
	/* the number of links of a directory follows from what lies in it */
	fprintf(list, "\t%o %u:%u %ju\t%016" PRIx64 "\n", st->st_mode, st->st_uid, st->st_gid,
		S_ISDIR(st->st_mode) ? (uintmax_t)0 : (uintmax_t)st->st_nlink,
		content_of(path, st));
}

static int walk(FILE *list, const char *path, size_t base_len)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort), r = n < 0 ? -errno : 0;

	for (int i = 0; i < n; i++) {
		char child[PATH_MAX];
		const char *name = names[i]->d_name;
		bool dot = !strcmp(name, ".") || !strcmp(name, "..");
		struct stat st;

		if (!r && !dot && snprintf(child, sizeof(child), "%s/%s", path, name) < PATH_MAX) {
			r = lstat(child, &st) ? -errno : 0;
			if (!r)
				put(list, child, child + base_len + 1, &st);
			if (!r && S_ISDIR(st.st_mode))
				r = walk(list, child, base_len);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return r;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A walk goes by directories; merging two lists wants one order over all names. */
static char *sort(char *text)
{
	size_t n = 0, len = strlen(text), at = 0;
	char **lines, *sorted = malloc(len + 1), *rest = text;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	lines = calloc(n + 1, sizeof(*lines));
	if (!lines || !sorted)
		abort();
	for (size_t i = 0; i < n; i++)
		lines[i] = strsep(&rest, "\n");
	qsort(lines, n, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < n; i++)
		at += (size_t)sprintf(sorted + at, "%s\n", lines[i]);
	sorted[at] = '\0';
	free(lines);
	free(text);
	return sorted;
}

char *effect_list(const char *base)
{
	char *text = NULL;
	size_t len = 0;
	FILE *list = open_memstream(&text, &len);
	int r;

	if (!list)
		return NULL;
	r = walk(list, base, strlen(base));
	fclose(list);
	if (r) {
		free(text);
		errno = -r;
		return NULL;
	}
	return sort(text);
}

static const char *read_line(const char *at, struct line *ret)
{
	ret->name = at;
	ret->name_len = (int)strcspn(at, "\t");
	ret->attributes = at + ret->name_len + 1;
	ret->attributes_len = (int)strcspn(ret->attributes, "\t");
	ret->content = ret->attributes + ret->attributes_len + 1;
	ret->content_len = (int)strcspn(ret->content, "\n");
	return ret->content + ret->content_len + 1;
}

static bool same(const char *a, int a_len, const char *b, int b_len)
{
	return a_len == b_len && !memcmp(a, b, (size_t)a_len);
}

static int order(const char *before, const char *after)
{
	struct line a, b;
	int r;

	if (!*before || !*after)
		return *before ? -1 : 1;
	read_line(before, &a);
	read_line(after, &b);
	r = memcmp(a.name, b.name, (size_t)(a.name_len < b.name_len ? a.name_len : b.name_len));
	return r ? r : a.name_len - b.name_len;
}

static void put_change(FILE *effect, char sign, const struct line *line)
{
	fprintf(effect, "%s%c%.*s", ftell(effect) ? " " : "", sign, line->name_len, line->name);
}

static void compare_entry(FILE *effect, const struct line *a, const struct line *b)
{
	if (!same(a->content, a->content_len, b->content, b->content_len))
		put_change(effect, '=', b);
	else if (!same(a->attributes, a->attributes_len, b->attributes, b->attributes_len))
		put_change(effect, '!', b);
}

char *effect_between(const char *before, const char *after)
{
	char *text = NULL;
	size_t len = 0;
	FILE *effect = open_memstream(&text, &len);

	if (!effect)
		return NULL;
	while (*before || *after) {
		struct line a = { 0 }, b = { 0 };
		int r = order(before, after);

		if (r <= 0)
			before = read_line(before, &a);
		if (r >= 0)
			after = read_line(after, &b);
		if (r == 0)
			compare_entry(effect, &a, &b);
		else
			put_change(effect, r < 0 ? '-' : '+', r < 0 ? &a : &b);
	}
	fclose(effect);
	return text;
}
