/* SPDX-License-Identifier: MIT */
#include "snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define FNV_START UINT64_C(14695981039346656037)
#define FNV_PRIME UINT64_C(1099511628211)

static uint64_t hash(uint64_t h, const void *data, size_t len)
{
	for (const unsigned char *p = data; len; p++, len--)
		h = (h ^ *p) * FNV_PRIME;
	return h;
}

/* Content of a regular file; one that cannot be read is told apart from an empty one. */
static uint64_t hash_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC);
	uint64_t h = FNV_START;
	char data[65536];
	ssize_t n;

	if (fd < 0)
		return (uint64_t)errno;
	while ((n = read(fd, data, sizeof(data))) > 0)
		h = hash(h, data, (size_t)n);
	close(fd);
	return h;
}

static uint64_t hash_target(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target));

	return n < 0 ? (uint64_t)errno : hash(FNV_START, target, (size_t)n);
}

static uint64_t hash_xattrs(const char *path)
{
	char names[4096], value[4096];
	ssize_t len = llistxattr(path, names, sizeof(names));
	uint64_t h = FNV_START;

	for (const char *name = names; len > 0 && name < names + len; name += strlen(name) + 1) {
		ssize_t n = lgetxattr(path, name, value, sizeof(value));

		h = hash(hash(h, name, strlen(name)), value, n > 0 ? (size_t)n : 0);
	}
	return h;
}

static void put_time(FILE *out, struct timespec t)
{
	fprintf(out, " %jd.%09ld", (intmax_t)t.tv_sec, t.tv_nsec);
}

static void put_entry(FILE *out, const char *path, const struct stat *st)
{
	uint64_t content = 0;

	if (S_ISREG(st->st_mode))
		content = hash_file(path);
	else if (S_ISLNK(st->st_mode))
		content = hash_target(path);
	else if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode))
		content = st->st_rdev;
	fprintf(out, "%s %o %u:%u links %ju size %jd", path, st->st_mode, st->st_uid, st->st_gid,
		(uintmax_t)st->st_nlink, (intmax_t)st->st_size);
	put_time(out, st->st_mtim);
	put_time(out, st->st_ctim);
	fprintf(out, " inode %ju:%ju %016" PRIx64 " %016" PRIx64 "\n", (uintmax_t)st->st_dev,
		(uintmax_t)st->st_ino, content, hash_xattrs(path));
}

static int put_tree(FILE *out, const char *path);

static int put_children(FILE *out, const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort), r = 0;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		char child[PATH_MAX];
		const char *name = names[i]->d_name;

		if (!r && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			int len = snprintf(child, sizeof(child), "%s/%s", path, name);

			r = len >= PATH_MAX ? -ENAMETOOLONG : put_tree(out, child);
		}
		free(names[i]);
	}
	free(names);
	return r;
}

static int put_tree(FILE *out, const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return -errno;
	put_entry(out, path, &st);
	return S_ISDIR(st.st_mode) ? put_children(out, path) : 0;
}

char *snapshot_tree(const char *path)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int r;

	if (!out)
		return NULL;
	r = put_tree(out, path);
	fclose(out);
	if (r) {
		free(text);
		errno = -r;
		return NULL;
	}
	return text;
}

char *snapshot_mounts(void)
{
	FILE *in = fopen("/proc/self/mountinfo", "re");
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

static const char *line_end(const char *line)
{
	return strchrnul(line, '\n');
}

char *snapshot_difference(const char *before, const char *after)
{
	char *text;

	while (*before && *after) {
		size_t n = (size_t)(line_end(before) - before);

		if (n != (size_t)(line_end(after) - after) || memcmp(before, after, n) != 0)
			break;
		before += before[n] ? n + 1 : n;
		after += after[n] ? n + 1 : n;
	}
	if (!*before && !*after)
		return NULL;
	if (asprintf(&text, "was '%.*s', is '%.*s'", (int)(line_end(before) - before), before,
		     (int)(line_end(after) - after), after) < 0)
		return NULL;
	return text;
}
