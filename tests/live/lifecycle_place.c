/* SPDX-License-Identifier: MIT */
/* The fixture on the host, and a fingerprint of it and of the mount table. */
#include "lifecycle.h"

#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A mount table of our own, so that nobody else's mounts disturb the comparison; shared, so that
 * a mount that a launcher lets out of its namespace arrives here as it would on a host.
 */
static void private_mounts(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_SHARED, NULL) < 0)
		die("cannot make a mount namespace");
}

/* Only root has a choice of who runs the rounds; nobody else may have another mount table. */
void place_enter(uid_t uid)
{
	if (geteuid() != 0)
		return;
	private_mounts();
	if (uid != 0 && (setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 ||
			 setresuid(uid, uid, uid) < 0))
		die("cannot become uid %u", (unsigned int)uid);
}

/* FNV-1a: a change is to be noticed, nobody forges one. */
static uint64_t hash(uint64_t h, const void *data, size_t n)
{
	const unsigned char *p = data;

	while (n--)
		h = (h ^ *p++) * 1099511628211u;
	return h;
}

static uint64_t hash_file(uint64_t h, const char *path)
{
	char buf[4096];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die("cannot read '%s'", path);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		h = hash(h, buf, (size_t)n);
	close(fd);
	return h;
}

static uint64_t tree_hash;

static int hash_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	tree_hash = hash(tree_hash, path, strlen(path));
	tree_hash = hash(tree_hash, &st->st_mode, sizeof(st->st_mode));
	tree_hash = hash(tree_hash, &st->st_uid, sizeof(st->st_uid));
	tree_hash = hash(tree_hash, &st->st_ino, sizeof(st->st_ino));
	tree_hash = hash(tree_hash, &st->st_nlink, sizeof(st->st_nlink));
	tree_hash = hash(tree_hash, &st->st_mtim, sizeof(st->st_mtim));
	tree_hash = hash(tree_hash, &st->st_ctim, sizeof(st->st_ctim));
	if (type == FTW_F)
		tree_hash = hash_file(tree_hash, path);
	return 0;
}

uint64_t place_tree(const char *base)
{
	tree_hash = 14695981039346656037u;
	if (nftw(base, hash_entry, 32, FTW_PHYS) != 0)
		die("cannot walk '%s'", base);
	return tree_hash;
}

uint64_t place_mounts(void)
{
	return hash_file(14695981039346656037u, "/proc/self/mountinfo");
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void make_file(const char *base, const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", base, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, "kept\n", 5) != 5)
		die("cannot write '%s'", path);
	close(fd);
}

static void make_dir(const char *base, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	if (mkdir(path, 0755) < 0)
		die("cannot make '%s'", path);
}

/* base ─┬─ work ─┬─ .git/config     the workspace
 *       │        └─ file
 *       ├─ tmp                      TMPDIR
 *       └─ outside/file             what the command may not write
 */
void place_make(char base[BASE_SIZE])
{
	char path[128];

	strcpy(base, "/var/tmp/ringfence-lifecycle.XXXXXX");
	if (!mkdtemp(base))
		die("cannot make '%s'", base);
	make_dir(base, "work");
	make_dir(base, "work/.git");
	make_dir(base, "tmp");
	make_dir(base, "outside");
	make_file(base, "work/.git/config");
	make_file(base, "work/file");
	make_file(base, "outside/file");
	snprintf(path, sizeof(path), "%s/tmp", base);
	setenv("TMPDIR", path, 1);
	snprintf(path, sizeof(path), "%s/work", base);
	if (chdir(path) < 0)
		die("cannot enter '%s'", path);
}

void place_remove(const char *base)
{
	if (nftw(base, remove_entry, 32, FTW_DEPTH | FTW_PHYS) != 0)
		die("cannot remove '%s'", base);
}
