/* SPDX-License-Identifier: MIT */
/*
 * Start-up beside 0, 50 and 500 more mounts. Three stations, each in a mount namespace of its
 * own, stay alive and launch on demand, so that the three sizes take turns as well.
 */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t sizes[] = { 0, 50, 500 };

#define STATIONS (sizeof(sizes) / sizeof(*sizes))

struct station {
	int ask;
	int answer;
	pid_t pid;
};

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		bench_die("cannot write '%s': %s", path, strerror(errno));
	close(fd);
}

/* Root needs no user namespace, and is measured without one. */
static void enter_namespace(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	char map[64];

	if (unshare(uid == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) < 0)
		bench_die("cannot make a mount namespace: %s", strerror(errno));
	if (uid != 0) {
		write_file("/proc/self/setgroups", "deny");
		snprintf(map, sizeof(map), "%u %u 1", uid, uid);
		write_file("/proc/self/uid_map", map);
		snprintf(map, sizeof(map), "%u %u 1", gid, gid);
		write_file("/proc/self/gid_map", map);
	}
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		bench_die("cannot make mounts private: %s", strerror(errno));
}

/* Half of them tmpfs, half of them bind mounts: both kinds are what real hosts are full of. */
static void make_mounts(const struct bench *b, size_t n)
{
	char path[512];

	place_dir("%s/mounts-%zu", b->base, n);
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/mounts-%zu/%zu", b->base, n, i);
		place_dir("%s", path);
		if (i % 2 == 0 ? mount("tmpfs", path, "tmpfs", 0, "size=16k") < 0
			       : mount(b->workspace, path, NULL, MS_BIND, NULL) < 0)
			bench_die("cannot mount on '%s': %s", path, strerror(errno));
	}
}

static void serve(const struct bench *b, size_t n, int ask, int answer)
{
	const char *command[] = { "/bin/true", NULL };
	char **argv[LAUNCHERS];
	unsigned char which;

	enter_namespace();
	make_mounts(b, n);
	place_enter(b);
	for (size_t i = 0; i < LAUNCHERS; i++)
		argv[i] = launcher_argv(b, i, command, NULL);
	while (read(ask, &which, 1) == 1) {
		double ns = launch_ok_ns(launcher_name(which), (const char *const *)argv[which]);

		if (write(answer, &ns, sizeof(ns)) != sizeof(ns))
			_exit(2);
	}
	_exit(0);
}

static struct station station_open(const struct bench *b, size_t n)
{
	struct station s;
	int ask[2], answer[2];

	if (pipe2(ask, O_CLOEXEC) < 0 || pipe2(answer, O_CLOEXEC) < 0)
		bench_die("cannot make a pipe: %s", strerror(errno));
	s.pid = fork();
	if (s.pid < 0)
		bench_die("cannot fork: %s", strerror(errno));
	if (s.pid == 0) {
		close(ask[1]);
		close(answer[0]);
		serve(b, n, ask[0], answer[1]);
	}
	close(ask[0]);
	close(answer[1]);
	s.ask = ask[1];
	s.answer = answer[0];
	return s;
}

static double station_launch(const struct station *s, unsigned char which)
{
	double ns;

	if (write(s->ask, &which, 1) != 1 || read(s->answer, &ns, sizeof(ns)) != sizeof(ns))
		bench_die("a mount namespace's process is gone");
	return ns;
}

static void measure(const struct bench *b, const struct station s[STATIONS],
		    struct series out[STATIONS][LAUNCHERS])
{
	for (size_t round = 0; round < b->warm_up + b->rounds; round++) {
		for (size_t i = 0; i < STATIONS * LAUNCHERS; i++) {
			size_t at = (round + i) % (STATIONS * LAUNCHERS);
			double ns =
				station_launch(&s[at % STATIONS], (unsigned char)(at / STATIONS));

			if (round >= b->warm_up)
				series_add(&out[at % STATIONS][at / STATIONS], ns);
		}
	}
}

static void report(struct bench *b, struct series out[STATIONS][LAUNCHERS])
{
	struct stats s[STATIONS][LAUNCHERS];
	char label[32];

	for (size_t n = 0; n < STATIONS; n++) {
		for (size_t i = 0; i < LAUNCHERS; i++)
			s[n][i] = series_stats(&out[n][i]);
		snprintf(label, sizeof(label), "%zu mounts", sizes[n]);
		for (size_t i = 0; i < LAUNCHERS; i++)
			report_time(b, "mounts", launcher_name(i), label, s[n][i],
				    s[n][LAUNCH_BARE].median, s[n][LAUNCH_BWRAP].median);
	}
	for (size_t i = LAUNCH_NAMESPACE; i <= LAUNCH_LANDLOCK_EXEC; i++) {
		char what[64];

		snprintf(what, sizeof(what), "%s: 500 more mounts add, ms", launcher_name(i));
		report_limit(b, "mounts",
			     (struct limit){ .what = what,
					     .value = (s[STATIONS - 1][i].median - s[0][i].median) /
						      1e6,
					     .bound = 1.5 });
	}
}

void mode_mounts(struct bench *b)
{
	struct series out[STATIONS][LAUNCHERS];
	struct station s[STATIONS];

	for (size_t n = 0; n < STATIONS; n++) {
		s[n] = station_open(b, sizes[n]);
		for (size_t i = 0; i < LAUNCHERS; i++)
			out[n][i] = series_new(b->rounds);
	}
	measure(b, s, out);
	report_title(b, "mounts",
		     "  launcher           mounts        median ms   p10 ms    p90 ms"
		     "   x bare  over bare  / bwrap");
	report(b, out);
	/* A later station holds the ends of the earlier ones: all are closed before any wait. */
	for (size_t n = 0; n < STATIONS; n++) {
		close(s[n].ask);
		close(s[n].answer);
	}
	for (size_t n = 0; n < STATIONS; n++) {
		waitpid(s[n].pid, NULL, 0);
		for (size_t i = 0; i < LAUNCHERS; i++)
			series_free(&out[n][i]);
	}
}
