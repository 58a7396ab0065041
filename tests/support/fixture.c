/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_FDS 32

static const char *parent_dir(void)
{
	const char *dir = getenv("RINGFENCE_TEST_DIR");

	if (dir && *dir)
		return dir;
	return geteuid() == 0 ? "/var/lib" : getenv("HOME");
}

static int give(const struct fixture *f, const char *path)
{
	if (f->who.own)
		return 0;
	return lchown(path, f->who.uid, f->who.gid) < 0 ? -errno : 0;
}

static int join(char ret[static PATH_MAX], const char *dir, const char *name)
{
	int n = snprintf(ret, PATH_MAX, "%s/%s", dir, name);

	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

int fixture_dir(const struct fixture *f, const char *path, mode_t mode)
{
	char full[PATH_MAX];
	int r = join(full, f->base, path);

	if (r)
		return r;
	/* the umask of whoever runs the tests has no say */
	if (mkdir(full, 0700) < 0 || chmod(full, mode) < 0)
		return -errno;
	return give(f, full);
}

int fixture_file(const struct fixture *f, const char *path, const char *text, mode_t mode)
{
	char full[PATH_MAX];
	int fd, r = join(full, f->base, path);

	if (r)
		return r;
	fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = write(fd, text, strlen(text)) < 0 ? -errno : give(f, full);
	/* last, since a change of the owner takes the setuid bit away */
	if (!r && fchmod(fd, mode) < 0)
		r = -errno;
	close(fd);
	return r;
}

int fixture_link(const struct fixture *f, const char *path, const char *target)
{
	char full[PATH_MAX];
	int r = join(full, f->base, path);

	if (r)
		return r;
	return symlink(target, full) < 0 ? -errno : give(f, full);
}

static int copy_into(int to, const char *source)
{
	int from = open(source, O_RDONLY | O_CLOEXEC), r = 0;
	ssize_t n = 1;

	if (from < 0)
		return -errno;
	while (n > 0)
		n = sendfile(to, from, NULL, 1 << 20);
	if (n < 0)
		r = -errno;
	close(from);
	return r;
}

int fixture_program(const struct fixture *f, const char *path, const char *source, uid_t owner,
		    mode_t mode)
{
	char full[PATH_MAX];
	int fd, r = join(full, f->base, path);

	if (r)
		return r;
	fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (fd < 0)
		return -errno;
	r = copy_into(fd, source);
	if (!r && geteuid() == 0 && fchown(fd, owner, owner) < 0)
		r = -errno;
	if (!r && fchmod(fd, mode) < 0)
		r = -errno;
	close(fd);
	return r;
}

int fixture_make(struct fixture *f, struct run_who who)
{
	const char *parent = parent_dir();
	int r;

	if (!parent || parent[0] != '/')
		return -ENOTDIR;
	f->who = who;
	r = join(f->base, parent, "ringfence-test.XXXXXX");
	if (r)
		return r;
	if (!mkdtemp(f->base) || chmod(f->base, 0755) < 0)
		return -errno;
	r = give(f, f->base);
	if (!r)
		r = join(f->work, f->base, "work");
	if (!r)
		r = join(f->out, f->base, "out");
	if (!r)
		r = fixture_dir(f, "work", 0755);
	return r ? r : fixture_dir(f, "out", 0755);
}

/* An attack that succeeds may leave a flag that keeps even root from removing the file. */
static void clear_flags(const char *path)
{
	int none = 0, fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	ioctl(fd, _IOW('f', 2, long), &none);
	close(fd);
}

static int unlock(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	if (type == FTW_D || type == FTW_DNR)
		chmod(path, 0700);
	if (type != FTW_SL && (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode)))
		clear_flags(path);
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

int remove_tree(const char *path)
{
	nftw(path, unlock, DEPTH_FDS, FTW_PHYS | FTW_MOUNT);
	return nftw(path, remove_entry, DEPTH_FDS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) ? -errno : 0;
}

void fixture_remove(struct fixture *f)
{
	if (f->base[0])
		remove_tree(f->base);
	f->base[0] = '\0';
}
