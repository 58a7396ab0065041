/* SPDX-License-Identifier: MIT */
/* danger-full-access is the exec that the caller would have made: no trace of the launcher. */
#include "cli.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Lines of /proc/self/status that no two processes share. */
static const char *const own_lines[] = {
	"Pid:", "Tgid:", "PPid:", "NSpid:",	    "NStgid:",		 "NSpgid:",	  "NSsid:",
	"Vm",	"Rss",	 "SigQ:", "voluntary_ctxt", "nonvoluntary_ctxt", "HugetlbPages:",
};

static bool is_own(const char *line)
{
	for (size_t i = 0; i < sizeof(own_lines) / sizeof(own_lines[0]); i++)
		if (!strncmp(line, own_lines[i], strlen(own_lines[i])))
			return true;
	return false;
}

static void strip(char *text)
{
	char *to = text, *line = text;

	while (*line) {
		size_t len = strcspn(line, "\n");

		len += line[len] == '\n';
		if (!is_own(line)) {
			memmove(to, line, len);
			to += len;
		}
		line += len;
	}
	*to = '\0';
}

/* Runs the words bare and through the launcher, in the same situation. */
static void compare(struct run_who who, const char *const *words, const struct run_spec *situation,
		    bool strip_own)
{
	const char *argv[16] = { launcher_path(), "--mode=danger-full-access", "--" };
	struct run_spec spec = *situation;
	struct run_result bare, run;
	struct fixture f;
	size_t n = 3;

	cli_place(&f, who);
	while (*words)
		argv[n++] = *words++;
	spec.who = who;
	spec.cwd = f.work;
	spec.argv = argv;
	cr_assert_eq(run_command(&spec, &run), 0);
	spec.argv = argv + 3;
	cr_assert_eq(run_command(&spec, &bare), 0);
	cr_assert_gt(bare.out.len, 0, "nothing to compare: %s", bare.err.data);
	if (strip_own) {
		strip(bare.out.data);
		strip(run.out.data);
	}
	cr_expect_str_eq(run.out.data, bare.out.data);
	cr_expect_eq(run.err.len, 0, "'%s'", run.err.data);
	cr_expect_eq(run.status, bare.status);
	run_release(&run);
	run_release(&bare);
	fixture_remove(&f);
}

static void compare_all(struct run_who who)
{
	static const char *const env[] = {
		"PATH=/usr/bin:/bin", "A=1", "RINGFENCE_MODE=old", "B=",
		"LD_LIBRARY_PATH=",   "A=2", "TMPDIR=relative",	   NULL
	};
	int file = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	struct run_fd fds[] = { { file, 7 }, { file, 99 }, { file, 150 } };
	const struct run_spec plain = { 0 };
	const struct run_spec bare_env = { .env = env, .flags = RUN_EXACT_ENV };
	const struct run_spec with_fds = { .fds = fds, .fds_len = 3 };
	const struct run_spec closed = { .flags = RUN_NO_STDIN | RUN_NO_STDERR };

	compare(who, WORDS("/bin/cat", "/proc/self/status"), &plain, true);
	compare(who, WORDS("/bin/cat", "/proc/self/environ"), &bare_env, false);
	compare(who, WORDS("/bin/cat", "/proc/self/cmdline"), &plain, false);
	compare(who, WORDS("/bin/cat", "/proc/self/mountinfo"), &plain, false);
	compare(who, WORDS("/bin/cat", "/proc/self/limits"), &plain, false);
	compare(who, WORDS("/bin/cat", "/proc/self/cgroup"), &plain, false);
	compare(who, WORDS("/bin/cat", "/proc/self/oom_score_adj"), &plain, false);
	compare(who, WORDS("/bin/sh", "-c", "readlink /proc/$$/ns/*; pwd; umask"), &plain, false);
	compare(who, WORDS("/bin/sh", "-c", "ls /proc/$$/fd; readlink /proc/$$/fd/7"), &with_fds,
		false);
	compare(who, WORDS("/bin/sh", "-c", "ls /proc/$$/fd"), &closed, false);
	close(file);
}

Test(full_access, same_as_bare_for_caller, .timeout = 30)
{
	compare_all(run_own());
}

Test(full_access, same_as_bare_for_user, .timeout = 30)
{
	compare_all(run_user());
}

/* Not a child of the launcher but the launcher's own process. */
Test(full_access, replaces_the_launcher, .timeout = 30)
{
	struct fixture f;
	struct run_result r;

	cli_place(&f, run_own());
	r = cli_run(&f, NULL,
		    WORDS("--mode", "danger-full-access", "--", "/bin/sh", "-c",
			  "echo $PPID; kill -9 $$"));
	cr_expect(WIFSIGNALED(r.status) && WTERMSIG(r.status) == 9);
	cr_expect_eq(atoi(r.out.data), getpid());
	run_release(&r);
	fixture_remove(&f);
}

Test(full_access, writes_anywhere, .timeout = 30)
{
	struct fixture f;
	struct run_result r;
	char path[PATH_MAX + 16];

	cli_place(&f, run_user());
	r = cli_run(&f, NULL,
		    WORDS("--mode", "danger-full-access", "--chdir", "BASE/out", "--", "/bin/sh",
			  "-c", "echo x > here; pwd"));
	snprintf(path, sizeof(path), "%s\n", f.out);
	cr_expect_str_eq(r.out.data, path);
	snprintf(path, sizeof(path), "%s/here", f.out);
	cr_expect_eq(access(path, F_OK), 0);
	run_release(&r);
	fixture_remove(&f);
}
