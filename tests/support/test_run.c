/* SPDX-License-Identifier: MIT */
/* The harness itself: a harness that does not notice lets every other test pass. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fixture.h"
#include "launch.h"
#include "snapshot.h"

static struct run_result run_shell(const char *script, struct run_spec spec)
{
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	struct run_result result;
	int r;

	spec.argv = argv;
	if (!spec.who.uid && !spec.who.gid)
		spec.who = run_own();
	r = run_command(&spec, &result);
	cr_assert(r == 0, "'%s': %s", script, strerror(-r));
	return result;
}

Test(run, tells_exit_status_from_signal)
{
	struct run_result left = run_shell("exit 7", (struct run_spec){ 0 });
	struct run_result shot = run_shell("kill -TERM $$", (struct run_spec){ 0 });

	cr_expect(run_exit_code(&left) == 7);
	cr_expect(run_exit_code(&shot) == 128 + 15);
	run_release(&left);
	run_release(&shot);
}

Test(run, carries_bytes_both_ways)
{
	static char data[300000];
	struct run_result r;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)(i * 7);
	r = run_shell("cat; echo apart >&2",
		      (struct run_spec){ .input = data, .input_len = sizeof(data) });
	cr_expect(r.out.len == sizeof(data) && memcmp(r.out.data, data, sizeof(data)) == 0);
	cr_expect(strcmp(r.err.data, "apart\n") == 0);
	run_release(&r);
}

Test(run, kills_the_tree_when_time_is_up)
{
	struct run_result r =
		run_shell("(setsid sleep 60 &) ; sleep 60", (struct run_spec){ .timeout_ms = 200 });

	cr_expect(r.timed_out);
	cr_expect(r.ms < 5000);
	cr_expect(r.left == 2, "%zu", r.left);
	run_release(&r);
}

Test(run, counts_who_stays)
{
	struct run_result none = run_shell("sleep 0.1 & :", (struct run_spec){ 0 });
	struct run_result two = run_shell("sleep 60 & (setsid sleep 60 &)", (struct run_spec){ 0 });

	cr_expect(none.left == 0);
	cr_expect(two.left == 2, "%zu", two.left);
	cr_expect(!two.timed_out);
	run_release(&none);
	run_release(&two);
}

Test(run, reports_what_cannot_be_executed)
{
	const char *argv[] = { "/nonexistent/program", NULL };
	struct run_result r;

	cr_expect(run_command(&(struct run_spec){ .argv = argv, .who = run_own() }, &r) == -ENOENT);
}

Test(run, gives_exactly_the_fds_it_is_told)
{
	int fd = open("/dev/null", O_RDONLY);
	struct run_fd given = { fd, 7 };
	struct run_result r = run_shell("ls /proc/self/fd | tr '\\n' ' '",
					(struct run_spec){ .fds = &given, .fds_len = 1 });

	/* 3 is the directory that ls itself has open */
	cr_expect(strcmp(r.out.data, "0 1 2 3 7 ") == 0, "%s", r.out.data);
	run_release(&r);
	close(fd);
}

Test(run, hands_through_the_settings_of_sanitizers)
{
	const char *env[] = { "A=b", NULL };
	struct run_result with, without;

	setenv("UBSAN_OPTIONS", "log_path=/nonexistent", 1);
	with = run_shell("env | grep -c UBSAN_OPTIONS", (struct run_spec){ .env = env });
	without = run_shell("env | grep -c UBSAN_OPTIONS",
			    (struct run_spec){ .env = env, .flags = RUN_EXACT_ENV });
	cr_expect(strcmp(with.out.data, "1\n") == 0);
	cr_expect(strcmp(without.out.data, "0\n") == 0);
	run_release(&with);
	run_release(&without);
}

Test(run, becomes_an_ordinary_user)
{
	struct run_result r = run_shell("id -u; id -G", (struct run_spec){ .who = run_user() });
	char expected[64];

	snprintf(expected, sizeof(expected), "%u\n", run_user().uid);
	cr_expect(strncmp(r.out.data, expected, strlen(expected)) == 0, "%s", r.out.data);
	cr_expect(geteuid() != 0 || strcmp(r.out.data, "64001\n64001\n") == 0, "%s", r.out.data);
	run_release(&r);
}

/* One change to BASE/out/victim or beside it. */
static const char *const changes[] = {
	"printf changed > victim",
	"chmod 600 victim",
	"touch -d 2001-01-01 victim",
	"rm victim",
	"ln victim second",
	"ln -sfn elsewhere link",
	"mkdir new",
	"mv victim moved",
	"printf outsidf | dd of=victim conv=notrunc status=none; touch -d 2001-02-03 victim",
};

static bool is_noticed(const char *change)
{
	struct fixture f;
	struct run_result r;
	char *before, *after, *difference;

	cr_assert(fixture_make(&f, run_own()) == 0);
	cr_assert(strncmp(f.base, "/tmp/", 5) != 0, "below a writable root: %s", f.base);
	cr_assert(fixture_file(&f, "out/victim", "outside", 0644) == 0);
	cr_assert(fixture_link(&f, "out/link", "victim") == 0);
	before = snapshot_tree(f.out);
	r = run_shell(change, (struct run_spec){ .cwd = f.out });
	after = snapshot_tree(f.out);
	cr_assert(run_exit_code(&r) == 0, "%s: %s", change, r.err.data);
	cr_assert(before && after);
	difference = snapshot_difference(before, after);
	run_release(&r);
	free(before);
	free(after);
	fixture_remove(&f);
	cr_expect(access(f.work, F_OK) < 0);
	free(difference);
	return difference != NULL;
}

Test(snapshot, notices_every_change)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		cr_expect(is_noticed(changes[i]), "%s", changes[i]);
	cr_expect(!is_noticed("cat victim link; ls"), "reading is no change");
}

Test(snapshot, notices_attributes)
{
	struct fixture f;
	char path[PATH_MAX + 16], *before, *after, *difference;

	cr_assert(fixture_make(&f, run_own()) == 0);
	cr_assert(fixture_file(&f, "out/victim", "outside", 0644) == 0);
	snprintf(path, sizeof(path), "%s/victim", f.out);
	before = snapshot_tree(f.out);
	cr_assert(setxattr(path, "user.mark", "mark", 4, 0) == 0);
	after = snapshot_tree(f.out);
	difference = snapshot_difference(before, after);
	cr_expect(difference != NULL);
	free(difference);
	free(before);
	free(after);
	fixture_remove(&f);
}

/* A launcher that writes to its status fd what the test tells it, as a script. */
static int launch_fake(const char *status, struct launch_result *ret)
{
	const char *argv[] = { "/bin/true", NULL };
	struct launch_spec spec = { .run = { .argv = argv, .who = run_own() },
				    .backend = "landlock",
				    .mode = "read-only" };
	char script[1024], path[PATH_MAX + 16];
	struct fixture f;
	int r;

	cr_assert(fixture_make(&f, run_own()) == 0);
	snprintf(script, sizeof(script), "#!/bin/sh\nprintf '%s' > /proc/self/fd/60\necho \"$@\"\n",
		 status);
	cr_assert(fixture_file(&f, "work/launcher", script, 0755) == 0);
	snprintf(path, sizeof(path), "%s/launcher", f.work);
	setenv("RINGFENCE", path, 1);
	r = launch(&spec, ret);
	fixture_remove(&f);
	return r;
}

Test(launch, reads_the_status_channel)
{
	struct launch_result r;

	cr_assert(launch_fake("{\"event\":\"start\",\"backend\":\"x\",\"missing\":[\"hide\"]}\\n"
			      "{\"event\":\"exit\",\"code\":0}\\n",
			      &r) == 0);
	cr_expect(strcmp(launch_text(&r, "start", "backend"), "x") == 0);
	cr_expect(launch_is_missing(&r, "hide"));
	cr_expect(!launch_is_missing(&r, "write"));
	cr_expect(launch_event(&r, "exit") != NULL);
	cr_expect(launch_event(&r, "refused") == NULL);
	cr_expect(strcmp(r.run.out.data, "run --backend landlock --mode read-only --status-fd 60 "
					 "--quiet -- /bin/true\n") == 0,
		  "%s", r.run.out.data);
	launch_release(&r);
}

Test(launch, refuses_a_broken_status_channel)
{
	static const char *const broken[] = { "{\"event\":\"start\"}", "{\"a\":1,\"a\":2}\\n",
					      "[]\\n", "garbage\\n", "\\n" };

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct launch_result r;
		int error = launch_fake(broken[i], &r);

		cr_expect(error == -EPROTO, "%s: %s", broken[i], strerror(-error));
		launch_release(&r);
	}
}
