/* SPDX-License-Identifier: MIT */
/*
 * What the launcher was given and the command was not is not to be found from inside: canaries
 * in the launcher's environment, argv, own path and open fds, searched for by a scan of /proc
 * and by use of every fd number. $RINGFENCE_SCAN names the scanner.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "../support/launch.h"
#include "../support/run.h"
#include "../support/snapshot.h"

#define DIR_FD 9
#define FILE_FD 10
#define SOCKET_FD 11
#define KEPT_FD 7
#define CHMOD_BITS 0x60
#define ALL_BITS 0x7f
#define SMALL (PATH_MAX + 128)

/* base ─┬─ work
 *       └─ out ─┬─ M-dir/inside       open as fd 9
 *               ├─ M-file             open as fd 10, for writing
 *               └─ M-exe/program      the launcher, or a shell for the control
 */
struct canary {
	struct fixture f;
	struct run_fd fds[3];
	int peer;
	char marker[32], marker_back[32];
	char socket_back[64];
	char env[64], arg[64];
	char program[SMALL];
};

static void backwards(char *to, const char *from)
{
	size_t n = strlen(from);

	for (size_t i = 0; i < n; i++)
		to[i] = from[n - 1 - i];
	to[n] = '\0';
}

static const char *scanner(void)
{
	const char *path = getenv("RINGFENCE_SCAN");

	cr_assert_not_null(path, "RINGFENCE_SCAN is not set");
	return path;
}

static void open_canaries(struct canary *c)
{
	char path[SMALL], name[64];
	struct stat st;
	int pair[2];

	snprintf(path, sizeof(path), "%s/%s-dir", c->f.out, c->marker);
	c->fds[0] = (struct run_fd){ open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), DIR_FD };
	snprintf(path, sizeof(path), "%s/%s-file", c->f.out, c->marker);
	c->fds[1] = (struct run_fd){ open(path, O_WRONLY | O_CLOEXEC), FILE_FD };
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	c->fds[2] = (struct run_fd){ pair[0], SOCKET_FD };
	c->peer = pair[1];
	cr_assert(c->fds[0].fd >= 0 && c->fds[1].fd >= 0);
	cr_assert_eq(fstat(pair[0], &st), 0);
	snprintf(name, sizeof(name), "socket:[%lu]", (unsigned long)st.st_ino);
	backwards(c->socket_back, name);
}

static void make_canaries(struct canary *c, struct run_who who, const char *program)
{
	char path[128];

	cr_assert_not_null(program, "RINGFENCE is not set");
	cr_assert_eq(fixture_make(&c->f, who), 0);
	snprintf(c->marker, sizeof(c->marker), "canary%d", (int)getpid());
	backwards(c->marker_back, c->marker);
	snprintf(c->env, sizeof(c->env), "CANARY=%s-env", c->marker);
	snprintf(c->arg, sizeof(c->arg), "/nonexistent/%s-arg", c->marker);
	snprintf(path, sizeof(path), "out/%s-dir", c->marker);
	cr_assert_eq(fixture_dir(&c->f, path, 0755), 0);
	strcat(path, "/inside");
	cr_assert_eq(fixture_file(&c->f, path, "inside\n", 0644), 0);
	snprintf(path, sizeof(path), "out/%s-file", c->marker);
	cr_assert_eq(fixture_file(&c->f, path, "", 0644), 0);
	snprintf(path, sizeof(path), "out/%s-exe", c->marker);
	cr_assert_eq(fixture_dir(&c->f, path, 0755), 0);
	strcat(path, "/program");
	cr_assert_eq(fixture_program(&c->f, path, program, geteuid(), 0755), 0);
	snprintf(c->program, sizeof(c->program), "%s/%s", c->f.base, path);
	open_canaries(c);
}

static void drop_canaries(struct canary *c)
{
	for (int i = 0; i < 3; i++)
		close(c->fds[i].fd);
	close(c->peer);
	fixture_remove(&c->f);
}

static void run_with_canaries(const struct canary *c, struct run_who who, const char *const argv[],
			      struct run_result *ret)
{
	const char *env[] = { "PATH=/usr/bin:/bin", "HOME=/", c->env, NULL };
	struct run_spec spec = {
		.argv = argv, .env = env, .cwd = c->f.work, .who = who, .fds = c->fds, .fds_len = 3
	};

	cr_assert_eq(run_command(&spec, ret), 0);
}

/* Nothing came out of the socket, and nothing went into the file. */
static void check_untouched(const struct canary *c)
{
	struct stat st;
	char byte;

	cr_expect_eq(recv(c->peer, &byte, 1, MSG_DONTWAIT), -1);
	cr_assert_eq(fstat(c->fds[1].fd, &st), 0);
	cr_expect_eq(st.st_size, 0);
}

/* `hide` is how the canary in the environment is kept from the command. */
static void check_hidden(const char *backend, struct run_who who, const char *hide)
{
	struct canary c;
	struct run_result r;
	unsigned long scanned = 0;

	make_canaries(&c, who, launcher_path());
	run_with_canaries(&c, who,
			  (const char *[]){ c.program, "run", "-w", "--quiet", "--backend", backend,
					    hide, "--write-if-present", c.arg, "--", scanner(),
					    "all", c.marker_back, c.socket_back, NULL },
			  &r);
	cr_assert_eq(run_exit_code(&r), 0, "status %#x: %s", (unsigned int)r.status, r.err.data);
	/* the whole of the output is the last line of the scan: it ran, and found nothing */
	cr_expect_eq(sscanf(r.out.data, "scanned %lu", &scanned), 1, "found: %s", r.out.data);
	cr_expect_gt(scanned, 0);
	check_untouched(&c);
	run_release(&r);
	drop_canaries(&c);
}

static void expect_found(const char *out, const char *where, const char *what)
{
	const char *line = out;
	size_t n = strlen(where);

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *end = strchrnul(line, '\n');

		if (strncmp(line, where, n) == 0 && line[n] == ' ' &&
		    memmem(line, (size_t)(end - line), what, strlen(what)))
			return;
	}
	cr_expect_fail("'%s' was not found in '%s': %s", what, where, out);
}

/* The same canaries in a shell instead of the launcher: the scan finds every one. */
static void check_control(struct run_who who)
{
	static const char *const finds[][2] = {
		{ "environ", "-env" }, { "cmdline", "-arg" },  { "cmdline", "-exe" },
		{ "maps", "-exe" },    { "exe", "-exe" },      { "fd", "-dir" },
		{ "fd", "-file" },     { "fd", "socket:[" },   { "use-dir", "9" },
		{ "use-file", "10" },  { "use-socket", "11" },
	};
	struct canary c;
	struct run_result r;
	char script[SMALL];

	make_canaries(&c, who, "/bin/sh");
	snprintf(script, sizeof(script), "env -i %s all '%s' '%s'; exit $?", scanner(),
		 c.marker_back, c.socket_back);
	run_with_canaries(&c, who, (const char *[]){ c.program, "-c", script, c.arg, NULL }, &r);
	cr_assert_eq(run_exit_code(&r), 0, "status %#x: %s", (unsigned int)r.status, r.err.data);
	for (size_t i = 0; i < sizeof(finds) / sizeof(*finds); i++)
		expect_found(r.out.data, finds[i][0], finds[i][1]);
	run_release(&r);
	drop_canaries(&c);
}

#define BOTH(suite_name, check)                                                                    \
	Test(suite_name, namespace_as_user, .timeout = 60)                                         \
	{                                                                                          \
		check("namespace", run_user());                                                    \
	}                                                                                          \
	Test(suite_name, namespace_as_caller, .timeout = 60)                                       \
	{                                                                                          \
		check("namespace", run_own());                                                     \
	}                                                                                          \
	Test(suite_name, landlock_as_user, .timeout = 60)                                          \
	{                                                                                          \
		check("landlock", run_user());                                                     \
	}                                                                                          \
	Test(suite_name, landlock_as_caller, .timeout = 60)                                        \
	{                                                                                          \
		check("landlock", run_own());                                                      \
	}

static void check_unset(const char *backend, struct run_who who)
{
	check_hidden(backend, who, "--unsetenv=CANARY");
}

static void check_clean(const char *backend, struct run_who who)
{
	check_hidden(backend, who, "--env=clean");
}

BOTH(canary_unsetenv, check_unset)
BOTH(canary_env_clean, check_clean)

Test(canary_control, as_user, .timeout = 60)
{
	check_control(run_user());
}

Test(canary_control, as_caller, .timeout = 60)
{
	check_control(run_own());
}

/* A directory as fd 0, 1, 2 or as a kept fd: out/sub, with files beside it in out. */
static int open_directory(struct fixture *f, struct run_who who)
{
	char path[SMALL];
	int fd;

	cr_assert_eq(fixture_make(f, who), 0);
	cr_assert_eq(fixture_dir(f, "out/sub", 0755), 0);
	cr_assert_eq(fixture_file(f, "out/file", "file\n", 0644), 0);
	cr_assert_eq(fixture_file(f, "out/moved", "moved\n", 0644), 0);
	cr_assert_eq(fixture_file(f, "out/gone", "gone\n", 0644), 0);
	snprintf(path, sizeof(path), "%s/out/sub", f->base);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(fd, 0);
	return fd;
}

static void lead_out(const char *backend, const char *mode, struct run_who who, int number)
{
	static const char *const keep[] = { "--keep-fd=7", NULL };
	bool chmod_open = strcmp(backend, "landlock") == 0 && strcmp(mode, "read-only") != 0;
	struct fixture f;
	struct run_fd fd = { open_directory(&f, who), number };
	char text[8], *before = snapshot_tree(f.out), *after;
	const char *argv[] = { scanner(), "dir", text, NULL };
	struct launch_spec spec = {
		.run = { .argv = argv, .cwd = f.work, .who = who, .fds = &fd, .fds_len = 1 },
		.backend = backend,
		.mode = mode,
		.options = number == KEPT_FD ? keep : NULL,
	};
	struct launch_result r;
	int bits;

	snprintf(text, sizeof(text), "%d", number);
	cr_assert_eq(launch(&spec, &r), 0);
	cr_assert(WIFEXITED(r.run.status));
	bits = WEXITSTATUS(r.run.status);
	/* changes of mode are the Landlock backend's known gap, and it has to say so */
	if (chmod_open && launch_is_missing(&r, "metadata"))
		bits &= ~CHMOD_BITS;
	cr_expect_eq(bits, 0, "%s, %s, uid %u, fd %d: attempts %#x: %s", backend, mode, who.uid,
		     number, (unsigned int)bits, r.run.err.data);
	after = snapshot_tree(f.out);
	if (!chmod_open)
		cr_expect_str_eq(after, before);
	free(before);
	free(after);
	close(fd.fd);
	launch_release(&r);
	fixture_remove(&f);
}

static void check_directory(const char *backend, struct run_who who)
{
	static const int numbers[] = { 0, 1, 2, KEPT_FD };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		lead_out(backend, "workspace-write", who, numbers[i]);
		lead_out(backend, "read-only", who, numbers[i]);
	}
}

BOTH(directory_fd, check_directory)

static void check_directory_control(struct run_who who)
{
	struct fixture f;
	struct run_fd fd = { open_directory(&f, who), KEPT_FD };
	const char *argv[] = { scanner(), "dir", "7", NULL };
	struct run_spec spec = { .argv = argv, .who = who, .fds = &fd, .fds_len = 1 };
	struct run_result r;

	cr_assert_eq(run_command(&spec, &r), 0);
	cr_expect_eq(run_exit_code(&r), ALL_BITS);
	run_release(&r);
	close(fd.fd);
	fixture_remove(&f);
}

Test(directory_fd_control, as_user, .timeout = 60)
{
	check_directory_control(run_user());
}

Test(directory_fd_control, as_caller, .timeout = 60)
{
	check_directory_control(run_own());
}
