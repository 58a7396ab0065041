/* SPDX-License-Identifier: MIT */
/*
 * The command as a process: signals, exit status, dispositions, fds, what it leaves behind. The
 * same on both backends, as root and as a user. $RINGFENCE_PAYLOAD names the command.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "../support/launch.h"
#include "../support/run.h"

/* Each check runs for both backends, as root where the test is root, and as a user. */
#define EACH(suite_name, check)                                                                    \
	Test(suite_name, namespace_as_user, .timeout = 600)                                        \
	{                                                                                          \
		check("namespace", run_user());                                                    \
	}                                                                                          \
	Test(suite_name, namespace_as_caller, .timeout = 600)                                      \
	{                                                                                          \
		check("namespace", run_own());                                                     \
	}                                                                                          \
	Test(suite_name, landlock_as_user, .timeout = 600)                                         \
	{                                                                                          \
		check("landlock", run_user());                                                     \
	}                                                                                          \
	Test(suite_name, landlock_as_caller, .timeout = 600)                                       \
	{                                                                                          \
		check("landlock", run_own());                                                      \
	}

static const char *payload(void)
{
	const char *path = getenv("RINGFENCE_PAYLOAD");

	cr_assert_not_null(path, "RINGFENCE_PAYLOAD is not set");
	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	return path;
}

/* Runs argv confined in a fresh place; the caller releases the result. */
static void confined(const char *backend, struct run_who who, const char *const *argv,
		     unsigned flags, struct launch_result *ret)
{
	struct fixture f;
	struct launch_spec spec = { .run = { .argv = argv, .who = who, .flags = flags },
				    .backend = backend,
				    .mode = "workspace-write" };

	cr_assert_eq(fixture_make(&f, who), 0);
	spec.run.cwd = f.work;
	cr_assert_eq(launch(&spec, ret), 0);
	fixture_remove(&f);
}

static void check_status(const char *backend, struct run_who who)
{
	static const struct {
		const char *script;
		int status;
	} table[] = {
		{ "exit 0", 0 },	  { "exit 7", 7 },	     { "exit 124", 124 },
		{ "exit 125", 125 },	  { "exit 127", 127 },	     { "exit 255", 255 },
		{ "kill -TERM $$", 143 }, { "kill -KILL $$", 137 },  { "kill -SEGV $$", 139 },
		{ "kill -HUP $$", 129 },  { "kill -INT $$", 130 },   { "kill -PIPE $$", 141 },
		{ "kill -USR1 $$", 138 }, { "kill -RTMIN $$", 162 },
	};

	payload();
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const char *argv[] = { "/bin/bash", "-c", table[i].script, NULL };
		struct launch_result r;

		confined(backend, who, argv, 0, &r);
		cr_expect(WIFEXITED(r.run.status), "'%s': the launcher was killed",
			  table[i].script);
		cr_expect_eq(run_exit_code(&r.run), table[i].status, "'%s': %d: %s",
			     table[i].script, run_exit_code(&r.run), r.run.err.data);
		cr_expect_not_null(launch_event(&r, "exit"), "'%s': no exit event",
				   table[i].script);
		launch_release(&r);
	}
}

EACH(exit_status, check_status)

/* What cannot be executed: 127 when there is nothing, 126 when there is; an event says why. */
static void check_exec_failure(const char *backend, struct run_who who)
{
	static const struct {
		const char *command;
		int status;
		const char *error;
	} table[] = {
		{ "/nonexistent/command", 127, "ENOENT" },
		{ "no-such-command-anywhere", 127, "ENOENT" },
		{ "/etc/passwd", 126, "EACCES" },
		{ "/usr", 126, "EACCES" },
		{ "./empty", 126, "ENOEXEC" },
		{ "./interpreter", 126, "ENOENT" },
	};
	/* a directory in PATH that the user may not search would make the answer EACCES */
	const char *env[] = { "PATH=/usr/bin:/bin", NULL };
	struct fixture f;

	payload();
	cr_assert_eq(fixture_make(&f, who), 0);
	cr_assert_eq(fixture_file(&f, "work/empty", "no program\n", 0755), 0);
	cr_assert_eq(fixture_file(&f, "work/interpreter", "#!/nonexistent/sh\n", 0755), 0);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const char *argv[] = { table[i].command, NULL };
		struct launch_spec spec = {
			.run = { .argv = argv, .env = env, .who = who, .cwd = f.work },
			.backend = backend,
			.mode = "workspace-write",
		};
		struct launch_result r;

		cr_assert_eq(launch(&spec, &r), 0);
		cr_expect_eq(run_exit_code(&r.run), table[i].status, "'%s': %d", table[i].command,
			     run_exit_code(&r.run));
		cr_expect_str_eq(launch_text(&r, "exec-failed", "errno"), table[i].error,
				 "'%s': %s", table[i].command,
				 launch_text(&r, "exec-failed", "errno"));
		launch_release(&r);
	}
	fixture_remove(&f);
}

EACH(exec_failure, check_exec_failure)

static void check_own_failure(const char *backend, struct run_who who)
{
	const char *argv[] = { "/bin/touch", "ran", NULL };
	static const char *const options[] = { "--no-such-option", NULL };
	struct launch_spec spec = { .run = { .argv = argv, .who = who, .cwd = "/tmp" },
				    .backend = backend,
				    .options = options };
	struct launch_result r;

	payload();
	cr_assert_eq(launch(&spec, &r), 0);
	cr_expect_eq(run_exit_code(&r.run), 125);
	cr_expect_eq(strncmp(r.run.err.data, "ringfence: error: usage: ", 25), 0, "said: %s",
		     r.run.err.data);
	launch_release(&r);
}

EACH(own_failure, check_own_failure)

/* A launch that is left running, so that it can be sent signals. */
struct running {
	pid_t pid;
	int out;
	char text[4096];
	size_t len;
};

static _Noreturn void become_launcher(struct run_who who, const char *cwd, int out,
				      const char *const argv[])
{
	sigset_t none;

	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (chdir(cwd) < 0 || dup2(out, 1) < 0)
		_exit(99);
	if (!who.own &&
	    (syscall(SYS_setgroups, 0, NULL) < 0 || setresgid(who.gid, who.gid, who.gid) < 0 ||
	     setresuid(who.uid, who.uid, who.uid) < 0))
		_exit(99);
	execv(argv[0], (char *const *)argv);
	_exit(99);
}

/* Reads until `needle` has come or four seconds have passed. */
static bool wait_for(struct running *r, const char *needle)
{
	struct pollfd p = { .fd = r->out, .events = POLLIN };

	while (!strstr(r->text, needle) && r->len < sizeof(r->text) - 1 && poll(&p, 1, 4000) > 0) {
		ssize_t n = read(r->out, r->text + r->len, sizeof(r->text) - 1 - r->len);

		if (n <= 0)
			break;
		r->len += (size_t)n;
	}
	return strstr(r->text, needle) != NULL;
}

static void start(struct running *r, const char *backend, struct run_who who, const char *cwd)
{
	const char *argv[] = { launcher_path(), "run", "-w",	  "--quiet", "--backend",
			       backend,		"--",  payload(), "signals", NULL };
	int fds[2];

	*r = (struct running){ 0 };
	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	r->pid = fork();
	if (r->pid == 0)
		become_launcher(who, cwd, fds[1], argv);
	close(fds[1]);
	r->out = fds[0];
	cr_assert(wait_for(r, "ready\n"), "the command did not start: %s", r->text);
}

/* Sent to the launcher alone, each signal comes to the command, once, and no other comes. */
static void check_forwarded(const char *backend, struct run_who who)
{
	static const struct {
		int sig;
		const char *expected;
	} table[] = {
		{ SIGTERM, "TERM=1 end" }, { SIGINT, "INT=1 end" },	{ SIGHUP, "HUP=1 end" },
		{ SIGQUIT, "QUIT=1 end" }, { SIGUSR1, "USR1=1 end" },	{ SIGUSR2, "USR2=1 end" },
		{ SIGCONT, "CONT=1 end" }, { SIGWINCH, "WINCH=1 end" },
	};
	struct fixture f;

	payload();
	cr_assert_eq(fixture_make(&f, who), 0);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct running r;
		int status = -1;

		start(&r, backend, who, f.work);
		kill(r.pid, table[i].sig);
		cr_expect(wait_for(&r, " end\n"), "signal %d did not come", table[i].sig);
		if (!strstr(r.text, " end\n"))
			kill(r.pid, SIGKILL);
		cr_expect_eq(strncmp(r.text + 6, table[i].expected, strlen(table[i].expected)), 0,
			     "signal %d: %s", table[i].sig, r.text + 6);
		waitpid(r.pid, &status, 0);
		cr_expect_eq(status, 0, "signal %d: status %#x", table[i].sig,
			     (unsigned int)status);
		close(r.out);
	}
	fixture_remove(&f);
}

EACH(forwarded_signals, check_forwarded)

/* The same lines of /proc/self/status with and without the launcher. */
static void check_dispositions(const char *backend, struct run_who who)
{
	static const char env_words[] = "--ignore-signal=CHLD,PIPE,INT,USR2";
	const char *show[] = { "/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status", NULL };
	const char *bare[] = { "/usr/bin/env", "--block-signal=USR1,TERM,CHLD",
			       env_words,      show[0],
			       show[1],	       show[2],
			       show[3],	       NULL };
	const char *with[] = {
		bare[0], bare[1],   bare[2],	 launcher_path(), "run",
		"-w",	 "--quiet", "--backend", backend,	  "--workspace=/var/tmp",
		"--",	 show[0],   show[1],	 show[2],	  show[3],
		NULL
	};
	struct run_spec spec = { .argv = bare, .who = who, .cwd = "/" };
	struct run_result a, b;

	payload();
	cr_assert_eq(run_command(&spec, &a), 0);
	spec.argv = with;
	cr_assert_eq(run_command(&spec, &b), 0);
	cr_expect_eq(run_exit_code(&b), 0, "status %#x: %s", (unsigned int)b.status, b.err.data);
	cr_expect_not_null(strstr(a.out.data, "SigIgn"));
	cr_expect_null(strstr(a.out.data, "SigIgn:\t0000000000000000"));
	cr_expect_str_eq(b.out.data, a.out.data);
	run_release(&a);
	run_release(&b);
}

EACH(dispositions, check_dispositions)

/* A parent that ignores SIGCHLD, as cron and `trap '' CHLD` do, costs neither status nor time. */
static void check_ignored_chld(const char *backend, struct run_who who)
{
	const char *argv[] = { "/bin/sh",
			       "-c",
			       "trap '' CHLD; exec \"$@\"",
			       "sh",
			       launcher_path(),
			       "run",
			       "-w",
			       "--quiet",
			       "--workspace=/var/tmp",
			       "--backend",
			       backend,
			       "--",
			       "/bin/sh",
			       "-c",
			       "/bin/true; exit 7",
			       NULL };
	struct run_spec spec = { .argv = argv, .who = who, .cwd = "/", .timeout_ms = 5000 };
	struct run_result r;

	payload();
	cr_assert_eq(run_command(&spec, &r), 0);
	cr_expect_not(r.timed_out);
	cr_expect_eq(run_exit_code(&r), 7, "status %#x: %s", (unsigned int)r.status, r.err.data);
	run_release(&r);
}

EACH(ignored_chld, check_ignored_chld)

/* fds 0 to 2 that are closed stay closed, in every combination; open ones stay open. */
static void check_closed_fds(const char *backend, struct run_who who)
{
	const char *argv[] = { payload(), "fds", NULL };

	for (unsigned closed = 0; closed < 8; closed++) {
		unsigned flags = (closed & 1 ? RUN_NO_STDIN : 0) |
				 (closed & 2 ? RUN_NO_STDOUT : 0) |
				 (closed & 4 ? RUN_NO_STDERR : 0);
		struct launch_result r;

		confined(backend, who, argv, flags, &r);
		cr_expect_eq(run_exit_code(&r.run), (int)(7 & ~closed), "closed %u: open %d",
			     closed, run_exit_code(&r.run));
		launch_release(&r);
	}
}

EACH(closed_fds, check_closed_fds)

/* The launcher reads nothing from fd 0: what the command leaves is there for the next. */
static void check_input_left(const char *backend, struct run_who who)
{
	const char *argv[] = {
		"/bin/sh",   "-c",	"\"$@\"; cat",		"sh",	     launcher_path(), "run",
		"-w",	     "--quiet", "--workspace=/var/tmp", "--backend", backend,	      "--",
		"/bin/true", NULL
	};
	struct run_spec spec = {
		.argv = argv, .who = who, .cwd = "/", .input = "left\n", .input_len = 5
	};
	struct run_result r;

	payload();
	cr_assert_eq(run_command(&spec, &r), 0);
	cr_expect_str_eq(r.out.data, "left\n");
	run_release(&r);
}

EACH(input_left, check_input_left)

/* The pause lets the children get away from the shell before it ends. */
static const char *const background[] = {
	"sleep 50 & echo ok",
	"setsid sleep 50 & sleep 0.1; echo ok",
	"(trap '' TERM HUP INT; sleep 50 & setsid sleep 50 &) & sleep 0.1; echo ok",
};

/* The launcher returns with the command, whose children end, whatever they hold open. */
static void check_background(const char *backend, struct run_who who)
{
	payload();
	for (size_t i = 0; i < sizeof(background) / sizeof(*background); i++) {
		const char *argv[] = { "/bin/sh", "-c", background[i], NULL };
		struct launch_result r;

		confined(backend, who, argv, 0, &r);
		cr_expect_eq(run_exit_code(&r.run), 0);
		cr_expect_str_eq(r.run.out.data, "ok\n");
		cr_expect_lt(r.run.ms, 5000, "'%s': took %.0f ms", background[i], r.run.ms);
		cr_expect_eq(r.run.left, 0, "'%s': %zu left", background[i], r.run.left);
		launch_release(&r);
	}
}

EACH(background_children, check_background)

Test(background_children, control_unconfined, .timeout = 60)
{
	for (size_t i = 0; i < sizeof(background) / sizeof(*background); i++) {
		const char *argv[] = { "/bin/sh", "-c", background[i], NULL };
		struct run_spec spec = { .argv = argv, .who = run_user() };
		struct run_result r;

		cr_assert_eq(run_command(&spec, &r), 0);
		cr_expect_gt(r.left, 0, "'%s': nothing was left", background[i]);
		run_release(&r);
	}
}
