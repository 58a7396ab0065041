/* SPDX-License-Identifier: MIT */
/* Each in a child: the test process needs its own descriptors to talk to Criterion. */
#include "child.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The number of the first check that failed, from 1 up. */
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return __LINE__ % 100 + 1;                                                 \
	} while (0)

static bool is_cloexec(int fd)
{
	return fcntl(fd, F_GETFD) & FD_CLOEXEC;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int set_limit(rlim_t soft, rlim_t hard)
{
	struct rlimit limit = { .rlim_cur = soft, .rlim_max = hard };

	return setrlimit(RLIMIT_NOFILE, &limit);
}

static int raise_moves(void *data)
{
	int fd = open("/dev/null", O_RDONLY), raised = fd_raise(fd);

	(void)data;
	CHECK(fd >= 0 && fd < RF_FD_FLOOR);
	CHECK(raised >= RF_FD_FLOOR);
	CHECK(is_cloexec(raised));
	CHECK(!is_open(fd));
	CHECK(fd_raise(-ENOENT) == -ENOENT);
	return 0;
}

static int raise_fails_closed(void *data)
{
	int fd = open("/dev/null", O_RDONLY);

	(void)data;
	CHECK(set_limit(50, 50) == 0);
	CHECK(fd_raise(fd) < 0);
	CHECK(!is_open(fd));
	return 0;
}

static int copy_leaves_the_old_one(void *data)
{
	int fd = open("/dev/null", O_RDONLY), copy = fd_copy_high(fd);

	(void)data;
	CHECK(copy >= RF_FD_FLOOR && is_cloexec(copy));
	CHECK(is_open(fd));
	CHECK(fd_copy_high(-EACCES) == -EACCES);
	return 0;
}

static int above_stdio(void *data)
{
	int fd;

	(void)data;
	close(0);
	close(1);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CHECK(fd == 0);
	fd = fd_above_stdio(fd);
	CHECK(fd > 2 && is_cloexec(fd));
	CHECK(is_open(0) && is_open(1) && is_cloexec(0) && is_cloexec(1));
	CHECK(fd_is_placeholder(0) && fd_is_placeholder(1) && !fd_is_placeholder(2));
	CHECK(fd_above_stdio(fd) == fd);
	CHECK(fd_above_stdio(-EMFILE) == -EMFILE);
	return 0;
}

/* A hole in the middle: what is open around it is left alone. */
static int above_stdio_fills_one_hole(void *data)
{
	int fd;

	(void)data;
	close(1);
	fd = fd_above_stdio(open("/dev/null", O_RDONLY | O_CLOEXEC));
	CHECK(fd > 2);
	CHECK(fd_is_placeholder(1) && is_cloexec(1));
	CHECK(!fd_is_placeholder(0) && !fd_is_placeholder(2));
	CHECK(!is_cloexec(2));
	return 0;
}

static int nothing_is_a_placeholder_at_first(void *data)
{
	(void)data;
	CHECK(fd_above_stdio(open("/dev/null", O_RDONLY | O_CLOEXEC)) > 2);
	for (int fd = -1; fd < 200; fd++)
		CHECK(!fd_is_placeholder(fd));
	return 0;
}

static int soft_limit_goes_up_and_back(void *data)
{
	struct rlimit limit;
	int fd = open("/dev/null", O_RDONLY);

	(void)data;
	CHECK(set_limit(60, 500) == 0);
	fd = fd_raise(fd);
	CHECK(fd >= RF_FD_FLOOR);
	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	CHECK(limit.rlim_cur == 500 && limit.rlim_max == 500);
	CHECK(fd_limit_raise() == -EMFILE); /* there is nothing more */
	fd_limit_restore();
	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	CHECK(limit.rlim_cur == 60 && limit.rlim_max == 500);
	return 0;
}

static int restore_without_a_raise(void *data)
{
	struct rlimit before, after;

	(void)data;
	CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
	fd_limit_restore();
	CHECK(getrlimit(RLIMIT_NOFILE, &after) == 0);
	CHECK(before.rlim_cur == after.rlim_cur);
	return 0;
}

static int closes_the_range_and_no_more(void *data)
{
	(void)data;
	for (int fd = 200; fd < 210; fd++)
		CHECK(dup2(2, fd) == fd);
	fd_close_range(202, 207);
	for (int fd = 200; fd < 210; fd++)
		CHECK(is_open(fd) == (fd < 202 || fd > 207));
	fd_close_range(209, 208); /* empty */
	CHECK(is_open(208) && is_open(209));
	fd_close_range(209, ~0U);
	CHECK(is_open(208) && !is_open(209));
	return 0;
}

static int close_ignores_negatives(void *data)
{
	int fd = open("/dev/null", O_RDONLY);

	(void)data;
	fd_close(-1);
	fd_close(-ENOENT);
	CHECK(is_open(fd));
	fd_close(fd);
	CHECK(!is_open(fd));
	CHECK(!is_open(-1));
	return 0;
}

static int cleanup_closes_what_was_not_taken(void *data)
{
	int kept, dropped;

	(void)data;
	{
		_cleanup_fd_ int first = open("/dev/null", O_RDONLY);
		_cleanup_fd_ int second = open("/dev/null", O_RDONLY);

		kept = take_fd(&first);
		dropped = second;
		CHECK(first == -1);
	}
	CHECK(is_open(kept));
	CHECK(!is_open(dropped));
	return 0;
}

Test(fd, raise_moves_and_closes)
{
	cr_assert_eq(child_run(raise_moves, NULL), 0);
	cr_assert_eq(child_run(raise_fails_closed, NULL), 0);
}

Test(fd, copy_high)
{
	cr_assert_eq(child_run(copy_leaves_the_old_one, NULL), 0);
}

Test(fd, closed_stdio_is_filled)
{
	cr_assert_eq(child_run(above_stdio, NULL), 0);
	cr_assert_eq(child_run(above_stdio_fills_one_hole, NULL), 0);
	cr_assert_eq(child_run(nothing_is_a_placeholder_at_first, NULL), 0);
}

Test(fd, the_soft_limit)
{
	cr_assert_eq(child_run(soft_limit_goes_up_and_back, NULL), 0);
	cr_assert_eq(child_run(restore_without_a_raise, NULL), 0);
}

Test(fd, ranges)
{
	cr_assert_eq(child_run(closes_the_range_and_no_more, NULL), 0);
}

Test(fd, flags)
{
	_cleanup_fd_ int reading = open("/dev/null", O_RDONLY | O_NONBLOCK);
	_cleanup_fd_ int path = open("/", O_PATH);

	cr_assert_eq(fd_flags(reading) & (O_ACCMODE | O_NONBLOCK), O_RDONLY | O_NONBLOCK);
	cr_assert_neq(fd_flags(path) & O_PATH, 0);
	cr_assert_eq(fd_flags(-1), -EBADF);
	cr_assert_eq(fd_flags(1000000), -EBADF);
}

Test(fd, identify_agrees_with_fstat)
{
	static const char *const paths[] = { "/", "/dev/null", "/proc", "/etc/passwd" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		_cleanup_fd_ int fd = open(paths[i], O_PATH);
		struct fd_object is = { 0 };
		struct stat st;

		cr_assert_eq(fstat(fd, &st), 0);
		cr_assert_eq(fd_identify(fd, &is), 0);
		cr_expect_eq(is.inode, st.st_ino, "%s", paths[i]);
		cr_expect_eq(is.device, (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev));
		cr_expect_eq(is.mode, st.st_mode);
		cr_expect_eq(is.uid, st.st_uid);
		cr_expect_eq(is.links, st.st_nlink);
	}
}

Test(fd, identify_tells_objects_apart)
{
	_cleanup_fd_ int null = open("/dev/null", O_PATH), again = open("/dev/null", O_RDONLY);
	_cleanup_fd_ int zero = open("/dev/zero", O_PATH);
	struct fd_object first, second, third;

	cr_assert_eq(fd_identify(null, &first), 0);
	cr_assert_eq(fd_identify(again, &second), 0);
	cr_assert_eq(fd_identify(zero, &third), 0);
	cr_assert(fd_object_same(&first, &second));
	cr_assert(!fd_object_same(&first, &third));
	second = first;
	second.device++;
	cr_assert(!fd_object_same(&first, &second), "an inode number alone says nothing");
	cr_assert_eq(fd_identify(-1, &third), -EBADF);
}

Test(fd, closing)
{
	cr_assert_eq(child_run(close_ignores_negatives, NULL), 0);
	cr_assert_eq(child_run(cleanup_closes_what_was_not_taken, NULL), 0);
}
