/* SPDX-License-Identifier: MIT */
/*
 * Terminals: an outer, interactive bash under a pseudo-terminal is the person at the keyboard.
 * ^Z, fg, ^C, a command that stops itself, window sizes, and who is in the foreground, on both
 * backends, also with a group of the command's own (--cap-abi 5).
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "../support/launch.h"
#include "../support/run.h"

#define WAIT_MS 6000
#define PROMPT "ready> "

/* What came out of the terminal; `seen` is how far the expectations have got. */
struct person {
	struct fixture f;
	pid_t shell;
	int master;
	char text[65536];
	size_t len, seen;
	char run[PATH_MAX + 128];
};

static struct person *current;

struct variant {
	const char *backend;
	const char *more;
};

/* A default run shares the group of its caller; with --cap-abi 5 the command has one of its own. */
#define EACH_AS(suite_name, check, who_name, who)                                                  \
	Test(suite_name, namespace_##who_name, .timeout = 120, .fini = person_gone)                \
	{                                                                                          \
		check((struct variant){ "namespace", "" }, who);                                   \
	}                                                                                          \
	Test(suite_name, landlock_##who_name, .timeout = 120, .fini = person_gone)                 \
	{                                                                                          \
		check((struct variant){ "landlock", "" }, who);                                    \
	}                                                                                          \
	Test(suite_name, namespace_abi_5_##who_name, .timeout = 120, .fini = person_gone)          \
	{                                                                                          \
		check((struct variant){ "namespace", "--cap-abi=5" }, who);                        \
	}                                                                                          \
	Test(suite_name, landlock_abi_5_##who_name, .timeout = 120, .fini = person_gone)           \
	{                                                                                          \
		check((struct variant){ "landlock", "--cap-abi=5" }, who);                         \
	}
#define EACH(suite_name, check)                                                                    \
	EACH_AS(suite_name, check, as_user, run_user())                                            \
	EACH_AS(suite_name, check, as_caller, run_own())

static _Noreturn void become_shell(struct run_who who, const char *cwd, int slave)
{
	static const char *const argv[] = { "/bin/bash",   "--norc", "--noprofile",
					    "--noediting", "-i",     NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", "HOME=/", "PS1=" PROMPT,
					   "TERM=dumb", NULL };
	sigset_t none;

	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) < 0 || chdir(cwd) < 0)
		_exit(99);
	for (int fd = 0; fd < 3; fd++)
		dup2(slave, fd);
	syscall(SYS_close_range, 3, ~0U, 0);
	if (!who.own &&
	    (syscall(SYS_setgroups, 0, NULL) < 0 || setresgid(who.gid, who.gid, who.gid) < 0 ||
	     setresuid(who.uid, who.uid, who.uid) < 0))
		_exit(99);
	execve(argv[0], (char *const *)argv, (char *const *)env);
	_exit(99);
}

/* No echo, so that only what programs say is in the text. */
static int open_terminal(int *ret_master, struct run_who who)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct termios t;
	int slave;

	*ret_master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	cr_assert_geq(*ret_master, 0);
	cr_assert(grantpt(*ret_master) == 0 && unlockpt(*ret_master) == 0);
	slave = open(ptsname(*ret_master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	cr_assert_geq(slave, 0);
	cr_assert_eq(tcgetattr(slave, &t), 0);
	t.c_lflag &= ~(tcflag_t)ECHO;
	cr_assert_eq(tcsetattr(slave, TCSANOW, &t), 0);
	cr_assert_eq(ioctl(slave, TIOCSWINSZ, &size), 0);
	cr_assert_eq(fchown(slave, who.own ? geteuid() : who.uid, (gid_t)-1), 0);
	return slave;
}

static bool receive(struct person *p, int ms)
{
	struct pollfd fd = { .fd = p->master, .events = POLLIN };
	ssize_t n;

	if (p->len == sizeof(p->text) - 1 || poll(&fd, 1, ms) <= 0)
		return false;
	n = read(p->master, p->text + p->len, sizeof(p->text) - 1 - p->len);
	if (n <= 0)
		return false;
	p->len += (size_t)n;
	p->text[p->len] = '\0';
	return true;
}

/* Waits for text after what was seen before; a failed expectation shows what came instead. */
static void expect(struct person *p, const char *needle)
{
	const char *at;

	while (!(at = strstr(p->text + p->seen, needle)) && receive(p, WAIT_MS))
		continue;
	cr_assert_not_null(at, "no '%s' in:\n%s", needle, p->text + p->seen);
	p->seen = (size_t)(at - p->text) + strlen(needle);
}

static void __attribute__((format(printf, 2, 3))) say(struct person *p, const char *fmt, ...)
{
	char text[2 * PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	cr_assert_eq(write(p->master, text, strlen(text)), (ssize_t)strlen(text));
}

static void person_begin(struct person *p, struct variant v, struct run_who who)
{
	int slave;

	*p = (struct person){ 0 };
	current = p;
	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	cr_assert_eq(fixture_make(&p->f, who), 0);
	snprintf(p->run, sizeof(p->run), "%s run -w --quiet --backend %s %s --", launcher_path(),
		 v.backend, v.more);
	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	slave = open_terminal(&p->master, who);
	p->shell = fork();
	if (p->shell == 0)
		become_shell(who, p->f.work, slave);
	close(slave);
	expect(p, PROMPT);
}

/* Runs also after a failed assertion: neither the shell nor the place may stay behind. */
static void person_gone(void)
{
	if (!current)
		return;
	if (current->shell > 0)
		kill(current->shell, SIGKILL);
	close(current->master);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	fixture_remove(&current->f);
}

/* The shell itself must end well: one that lost its terminal hangs or is killed. */
static void person_end(struct person *p)
{
	int status = -1;

	say(p, "exit 0\n");
	for (int i = 0; i < 300 && waitpid(p->shell, &status, WNOHANG) == 0; i++)
		usleep(10000);
	if (status != -1)
		p->shell = 0;
	cr_expect_eq(status, 0, "the shell ended with status %#x:\n%s", (unsigned int)status,
		     p->text + p->seen);
}

static const char *payload(void)
{
	const char *path = getenv("RINGFENCE_PAYLOAD");

	cr_assert_not_null(path, "RINGFENCE_PAYLOAD is not set");
	return path;
}

/* ^Z stops the whole run, fg continues it, and it reads from the terminal again. */
static void check_stop_and_continue(struct variant v, struct run_who who)
{
	static struct person p;

	person_begin(&p, v, who);
	say(&p, "%s /bin/sh -c 'echo begun; exec cat'\n", p.run);
	expect(&p, "begun");
	say(&p, "one\n");
	expect(&p, "one");
	say(&p, "\032");
	expect(&p, "Stopped");
	expect(&p, PROMPT);
	say(&p, "echo outer $((40 + 2))\n");
	expect(&p, "outer 42");
	say(&p, "fg\n");
	expect(&p, "exec cat");
	say(&p, "two\n");
	expect(&p, "two");
	say(&p, "\004");
	expect(&p, PROMPT);
	say(&p, "echo status=$?\n");
	expect(&p, "status=0");
	person_end(&p);
}

EACH(stop_and_continue, check_stop_and_continue)

/* As an editor does: it stops its own group, twice, and each time fg brings it back. */
static void check_stops_itself(struct variant v, struct run_who who)
{
	static struct person p;

	person_begin(&p, v, who);
	say(&p, "%s /bin/bash -c '%s stop; %s stop; exit 5'\n", p.run, payload(), payload());
	for (int i = 0; i < 2; i++) {
		expect(&p, "stopping");
		expect(&p, "Stopped");
		expect(&p, PROMPT);
		say(&p, "fg\n");
		expect(&p, "continued");
	}
	expect(&p, PROMPT);
	say(&p, "echo status=$?\n");
	expect(&p, "status=5");
	person_end(&p);
}

EACH(stops_itself, check_stops_itself)

/* ^C and ^\ reach the command once, though the launcher may be in the same group. */
static void check_keys_not_doubled(struct variant v, struct run_who who)
{
	static const struct {
		const char *key, *expected;
	} table[] = {
		{ "\003", "INT=1 end" },
		{ "\034", "QUIT=1 end" },
	};
	static struct person p;

	person_begin(&p, v, who);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		say(&p, "%s %s signals\n", p.run, payload());
		expect(&p, "ready\r\n");
		say(&p, "%s", table[i].key);
		expect(&p, table[i].expected);
		expect(&p, PROMPT);
		say(&p, "echo status=$?\n");
		expect(&p, "status=0");
	}
	/* a command that does not catch it ends by it, and says so */
	say(&p, "%s /bin/sh -c 'echo begun; exec cat'\n", p.run);
	expect(&p, "begun");
	say(&p, "\003");
	expect(&p, PROMPT);
	say(&p, "echo status=$?\n");
	expect(&p, "status=130");
	person_end(&p);
}

EACH(keys_not_doubled, check_keys_not_doubled)

/* The size is there from the start, and a change arrives as one SIGWINCH. */
static void check_window_size(struct variant v, struct run_who who)
{
	struct winsize size = { .ws_row = 30, .ws_col = 123 };
	static struct person p;

	person_begin(&p, v, who);
	say(&p,
	    "%s /bin/bash -c '/bin/true; shopt -s checkwinsize; /bin/true; (:); "
	    "echo columns=$COLUMNS'\n",
	    p.run);
	expect(&p, "columns=80");
	expect(&p, PROMPT);
	say(&p, "%s %s winsize\n", p.run, payload());
	expect(&p, "ready");
	cr_assert_eq(ioctl(p.master, TIOCSWINSZ, &size), 0);
	expect(&p, "winch=1 columns=123 end");
	person_end(&p);
}

EACH(window_size, check_window_size)

/* A script without job control: nobody but the launcher can give the terminal back. */
static void check_foreground(struct variant v, struct run_who who)
{
	static struct person p;

	person_begin(&p, v, who);
	say(&p,
	    "sh -c '%s foreground; %s %s foreground; %s foreground; %s /bin/false; "
	    "%s foreground; read line; echo got $line'\n",
	    payload(), p.run, payload(), payload(), p.run, payload());
	for (int i = 0; i < 4; i++)
		expect(&p, "foreground ours");
	say(&p, "typed\n");
	expect(&p, "got typed");
	expect(&p, PROMPT);
	person_end(&p);
}

EACH(foreground, check_foreground)

/* An interactive shell inside has job control of its own. */
static void check_shell_inside(struct variant v, struct run_who who)
{
	static struct person p;

	person_begin(&p, v, who);
	say(&p, "%s /usr/bin/env PS1='inner> ' bash --norc --noprofile --noediting -i\n", p.run);
	expect(&p, "inner> ");
	cr_expect_null(strstr(p.text, "no job control"), "said: %s", p.text);
	cr_expect_null(strstr(p.text, "cannot set terminal process group"), "said: %s", p.text);
	say(&p, "sh -c 'echo begun; exec cat'\n");
	expect(&p, "begun");
	say(&p, "\032");
	expect(&p, "Stopped");
	expect(&p, "inner> ");
	say(&p, "fg\n");
	say(&p, "line\n");
	expect(&p, "line");
	say(&p, "\003");
	expect(&p, "inner> ");
	say(&p, "sleep 50 & jobs\n");
	expect(&p, "Running");
	expect(&p, "inner> ");
	say(&p, "exit 7\n");
	expect(&p, PROMPT);
	say(&p, "echo status=$?\n");
	expect(&p, "status=7");
	person_end(&p);
}

EACH(shell_inside, check_shell_inside)

/* The same conversation without the launcher: the harness itself is right. */
static void check_control(struct run_who who)
{
	static struct person p;

	person_begin(&p, (struct variant){ "namespace", "" }, who);
	say(&p, "%s signals\n", payload());
	expect(&p, "ready\r\n");
	say(&p, "\003");
	expect(&p, "INT=1 end");
	expect(&p, PROMPT);
	say(&p, "%s stop\n", payload());
	expect(&p, "stopping");
	expect(&p, "Stopped");
	expect(&p, PROMPT);
	say(&p, "%s foreground & wait\n", payload());
	expect(&p, "foreground not ours");
	expect(&p, PROMPT);
	say(&p, "fg %%1\n");
	expect(&p, "continued");
	expect(&p, PROMPT);
	person_end(&p);
}

Test(control, as_user, .timeout = 60, .fini = person_gone)
{
	check_control(run_user());
}

Test(control, as_caller, .timeout = 60, .fini = person_gone)
{
	check_control(run_own());
}
