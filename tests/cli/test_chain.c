/* SPDX-License-Identifier: MIT */
/*
 * Where something is missing: the next backend, or a refusal; never an unconfined run, and never a
 * weaker one under the same name.
 */
#include "cli.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONDITIONS_MAX 4
#define HOST_PIDS 1 /* the old /proc is kept, and the claim is given up */
#define AS_ROOT 2
#define AS_USER 4

static const struct {
	const char *condition[CONDITIONS_MAX];
	const char *backend; /* NULL: refused */
	const char *option;  /* more than the rest */
	unsigned traits;
} table[] = {
	{ { NULL }, "namespace" },
	{ { "namespaces-eperm" }, "landlock" },
	{ { "namespaces-enospc" }, "landlock" },
	{ { "namespace-limit" }, "landlock" },
	{ { "mount-eperm" }, "landlock" },
	{ { "mount-eacces" }, "landlock" },
	{ { "landlock-enosys" }, "namespace" },
	{ { "landlock-disabled" }, "namespace" },
	{ { "proc-covered" }, "namespace", NULL, HOST_PIDS },
	{ { "mounts-shared" }, "namespace" },
	{ { "no-capabilities" }, "namespace", NULL, AS_USER },
	{ { "no-capabilities" }, "landlock", NULL, AS_ROOT },
	/* the classic mount calls, with and without the layer on top */
	{ { "setattr-enosys" }, "namespace" },
	{ { "new-mounts-enosys" }, "namespace" },
	{ { "new-mounts-eperm" }, "namespace" },
	{ { "new-mounts-enosys", "landlock-enosys" }, "namespace" },
	{ { "new-mounts-eperm", "landlock-disabled" }, "namespace" },
	{ { "new-mounts-enosys", "proc-covered" }, "namespace", NULL, HOST_PIDS },
	/* calls that old kernels lack and old filters refuse */
	{ { "close-range-enosys" }, "namespace" },
	{ { "close-range-eperm" }, "namespace" },
	{ { "openat2-enosys" }, "namespace" },
	{ { "openat2-eperm" }, "namespace" },
	{ { "statx-enosys" }, "namespace" },
	{ { "statx-eperm" }, "namespace" },
	{ { "pidfd-enosys" }, "namespace" },
	{ { "pidfd-eperm" }, "namespace" },
	{ { "close-range-eperm", "openat2-eperm", "statx-eperm" },
	  "landlock",
	  "--backend=landlock" },
	{ { "pidfd-enosys" }, "landlock", "--backend=landlock" },
	/* nothing is left */
	{ { "namespaces-eperm", "landlock-enosys" }, NULL },
	{ { "namespace-limit", "landlock-disabled" }, NULL },
	{ { "mount-eacces", "landlock-disabled" }, NULL },
	{ { "mount-eperm", "landlock-enosys" }, NULL },
	/* without a layer the old /proc would open the host's processes */
	{ { "proc-covered", "landlock-enosys" }, NULL },
	{ { "landlock-restrict-eperm" }, NULL },
	{ { "landlock-rule-einval" }, NULL },
	{ { "seccomp-eperm" }, NULL },
	/* a backend that was named is not exchanged for another */
	{ { "namespaces-eperm" }, NULL, "--backend=namespace" },
	{ { "landlock-enosys" }, NULL, "--backend=landlock" },
	{ { "mount-eperm" }, NULL, "--backend=namespace" },
	{ { NULL }, NULL, "--backend=landlock --cap-abi=0" },
};

/* Writes inside, tries to outside by name and by a descriptor's name, and looks at a process. */
static const char script[] = "echo $RINGFENCE_BACKEND ${RINGFENCE_PID_VIEW-none}\n"
			     "echo x > new && rm new && echo inside\n"
			     "{ echo x > ../out/new; } 2> /dev/null && echo outside\n"
			     "{ echo x >> ../out/file; } 2> /dev/null && echo outside\n"
			     "{ echo x > /var/tmp/ringfence.$$; } 2> /dev/null && echo outside\n"
			     "rm -f ../out/file 2> /dev/null && echo outside\n"
			     "{ cat /proc/$OUTER/environ; } > /dev/null 2>&1 && echo inspected\n"
			     "kill -0 $OUTER 2> /dev/null && echo signalled\n"
			     "echo end\n";

static const char *describe(size_t i)
{
	static char text[160];

	text[0] = '\0';
	for (size_t j = 0; j < CONDITIONS_MAX && table[i].condition[j]; j++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ",
			 table[i].condition[j]);
	if (table[i].option)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s", table[i].option);
	return text;
}

/* `option` may be two words with one blank between. */
static struct run_result run_under(const struct fixture *f, size_t i)
{
	const struct invocation how = { .condition =
						table[i].condition[0] ? table[i].condition : NULL,
					.status = true };
	char option[64];
	const char *words[12] = { "-w", "--quiet", "--status-fd=60" };
	size_t n = 3;

	snprintf(option, sizeof(option), "%s", table[i].option ? table[i].option : "--net=off");
	for (char *word = strtok(option, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	words[n++] = "--";
	words[n++] = "/bin/sh";
	words[n++] = "-c";
	words[n++] = script;
	return cli_run(f, &how, words);
}

static void expect_refusal(const struct run_result *r, const char *what)
{
	json_t *events = cli_events(r);

	cli_expect_refused(r, "sandbox-unavailable", what);
	cr_expect(strstr(r->err.data, "ringfence: hint: "), "%s: no hint", what);
	cr_expect_eq(json_array_size(events), 1, "%s: %zu events", what, json_array_size(events));
	cli_event(events, 0, "refused");
	json_decref(events);
}

static void expect_confined(const struct run_result *r, size_t i, const char *what)
{
	bool host = table[i].traits & HOST_PIDS;
	const char *view = !strcmp(table[i].backend, "landlock") ? "none"
			   : host				 ? "host"
								 : "private";
	json_t *events = cli_events(r), *missing;
	bool processes = false;
	char expected[128];

	snprintf(expected, sizeof(expected), "%s %s\ninside\nend\n", table[i].backend, view);
	cr_expect_eq(run_exit_code(r), 0, "%s: status %d: %s", what, run_exit_code(r), r->err.data);
	cr_expect(r->out.data && !strcmp(r->out.data, expected), "%s: '%s', not '%s': %s", what,
		  r->out.data, expected, r->err.data);
	cr_expect_eq(r->err.len, 0, "%s: '%s'", what, r->err.data);
	missing = json_object_get(json_array_get(events, 0), "missing");
	for (size_t at = 0; at < json_array_size(missing); at++)
		processes |= !strcmp(json_string_value(json_array_get(missing, at)), "processes");
	cr_expect_eq(processes, strcmp(view, "private") != 0, "%s: 'processes' in missing", what);
	json_decref(events);
}

static void check_chain(struct run_who who)
{
	unsigned user = who.uid == 0 ? AS_ROOT : AS_USER;
	struct fixture f;
	char outer[16];

	cli_place(&f, who);
	snprintf(outer, sizeof(outer), "%d", getpid());
	setenv("OUTER", outer, 1);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *what = describe(i);
		struct run_result r;

		if (table[i].traits & (AS_ROOT | AS_USER) && !(table[i].traits & user))
			continue;
		r = run_under(&f, i);
		if (table[i].backend)
			expect_confined(&r, i, what);
		else
			expect_refusal(&r, what);
		run_release(&r);
	}
	fixture_remove(&f);
}

Test(chain, as_caller, .timeout = 60)
{
	check_chain(run_own());
}

Test(chain, as_user, .timeout = 60)
{
	check_chain(run_user());
}

/* The script succeeds at everything that it is denied above, so a silent harness is noticed. */
Test(chain, control_unconfined, .timeout = 30)
{
	const struct invocation how = { .condition = WORDS("mounts-private") };
	struct fixture f;
	struct run_result r;
	char outer[16];

	cli_place(&f, run_own());
	snprintf(outer, sizeof(outer), "%d", getpid());
	setenv("OUTER", outer, 1);
	r = cli_run(&f, &how, WORDS("--mode=danger-full-access", "--", "/bin/sh", "-c", script));
	cr_expect(strstr(r.out.data, "inside\noutside\noutside\noutside\noutside\n"), "'%s'",
		  r.out.data);
	cr_expect(strstr(r.out.data, "inspected\nsignalled\n") || geteuid() != 0, "'%s'",
		  r.out.data);
	cr_expect_eq(system("rm -f /var/tmp/ringfence.[0-9]*"), 0);
	run_release(&r);
	fixture_remove(&f);
}

/* Below ABI 6 signals and lifetime are named as missing; below 3 seccomp closes what is open. */
Test(chain, older_landlock, .timeout = 60)
{
	static const char *const command =
		"truncate -s 0 ../out/file 2> /dev/null && echo truncated\n"
		"python3 -c 'import os; os.open(\"../out/file\",os.O_TRUNC)' 2> /dev/null && echo "
		"opened\n"
		"python3 -c 'import os; os.open(\"../out/file\",os.O_TRUNC|3)' 2> /dev/null && "
		"echo opened3\n"
		"python3 -c 'import ctypes; l=ctypes.CDLL(None); "
		"print(l.syscall(437,-100,b\"file\",0,0))'\n"
		"truncate -s 3 file && cat file ../out/file\n"
		/* at ABI 1 no file moves to another directory; mv copies instead */
		"mkdir d && mv mark d/mark && test -s d/mark && mv d/mark . && rmdir d || echo "
		"lost\n";
	struct fixture f;

	cli_place(&f, run_user());
	for (int abi = 1; abi <= 7; abi++) {
		char option[16];
		struct run_result r;

		snprintf(option, sizeof(option), "--cap-abi=%d", abi);
		r = cli_run(&f, NULL,
			    WORDS("-w", "--quiet", "--backend=landlock", option, "--", "/bin/sh",
				  "-c", command));
		cr_expect_str_eq(r.out.data, "-1\ninsoutside\n", "ABI %d: '%s': %s", abi,
				 r.out.data, r.err.data);
		run_release(&r);
	}
	fixture_remove(&f);
}

Test(chain, older_landlock_is_named, .timeout = 60)
{
	static const char *const from_6[] = { "abstract-sockets", "signal", "lifetime" };
	const struct invocation how = { .status = true };
	struct fixture f;

	cli_place(&f, run_own());
	for (int abi = 1; abi <= 7; abi++) {
		char option[16];
		struct run_result r;

		snprintf(option, sizeof(option), "--cap-abi=%d", abi);
		r = cli_run(&f, &how,
			    WORDS("-w", "--backend=landlock", "--status-fd=60", option, "--",
				  "true"));
		*strchrnul(r.captured.data, '\n') = '\0'; /* the start event alone */
		for (size_t i = 0; i < 3; i++) {
			char claim[32];

			snprintf(claim, sizeof(claim), "\"%s\"", from_6[i]);
			cr_expect_eq(strstr(r.captured.data, claim) != NULL, abi < 6, "ABI %d: %s",
				     abi, claim);
		}
		run_release(&r);
	}
	fixture_remove(&f);
}

/* No variable turns anything off, and no file in the workspace does. */
Test(chain, nothing_switches_it_off, .timeout = 30)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin",
					   "RINGFENCE=0",
					   "RINGFENCE_MODE=danger-full-access",
					   "RINGFENCE_BACKEND=none",
					   "RINGFENCE_DISABLE=1",
					   "RINGFENCE_ENFORCEMENT=none",
					   "OUTER=1",
					   NULL };
	const struct invocation how = { .env = env };
	struct fixture f;
	struct run_result r;

	cli_place(&f, run_own());
	cr_assert_eq(fixture_file(&f, "work/.ringfence", "{\"mode\":\"danger-full-access\"}", 0644),
		     0);
	r = cli_run(&f, &how,
		    WORDS("--", "/bin/sh", "-c",
			  "(echo x > new) 2> /dev/null || echo $RINGFENCE $RINGFENCE_MODE"));
	cr_expect_str_eq(r.out.data, "1 read-only\n");
	run_release(&r);
	fixture_remove(&f);
}

/* Root that has no capability cannot give one up, nor keep one for a workspace of someone else. */
Test(chain, root_without_capabilities_elsewhere, .timeout = 30)
{
	const struct invocation how = { .condition = WORDS("no-capabilities") };
	struct fixture f;
	struct run_result r;

	cli_place(&f, run_user());
	f.who = run_own();
	r = cli_run(&f, &how, WORDS("-w", "--quiet", "--", "/bin/sh", "-c", "cat file"));
	cr_expect_eq(run_exit_code(&r), 0, "%s", r.err.data);
	cr_expect_str_eq(r.out.data, "inside\n");
	run_release(&r);
	fixture_remove(&f);
}
