/* SPDX-License-Identifier: MIT */
/* Runs one attempt and judges it: by what it says, and by what it has done to the world. */
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/launch.h"
#include "tests/support/snapshot.h"

#define DIR_FD 7
#define FILE_FD 8
#define SOCKET_FD 9
#define READ_FD 10
#define CONTROL_GRACE_MS 50 /* what stays there stays; no need to wait for its end */

/* One run of one attempt. */
struct trial {
	const struct attempts *of;
	const struct attempt *a;
	const struct variant *v;
	struct world world;
	struct launch_spec spec;
	struct run_fd fds[4];
	const char *options[8];
	struct launch_result result;
	char *before, *after;
};

bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	while (list && *list && len) {
		size_t n = strcspn(list, " ");

		if (n == len && memcmp(list, name, n) == 0)
			return true;
		list += n + strspn(list + n, " ");
	}
	return false;
}

/* One of its own for each test process: attacks on "everybody of this user" stay there. */
static struct run_who ordinary_user(void)
{
	struct run_who who = run_user();

	if (!who.own)
		who.uid = who.gid = (uid_t)(RUN_USER_ID + 100 + getpid() % 500);
	return who;
}

static struct run_who runs_as(const struct attempt *a, const struct variant *v)
{
	bool root = v->root;

	if (!v->backend && a->flags & CONTROL_ROOT)
		root = true;
	if (!v->backend && a->flags & CONTROL_USER)
		root = false;
	return root ? run_root() : ordinary_user();
}

static int open_out(const struct world *w, const char *name, int flags)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/%s", w->f.out, name);
	return open(path, flags | O_CLOEXEC);
}

static void add_fd(struct trial *t, int fd, int at)
{
	t->fds[t->spec.run.fds_len++] = (struct run_fd){ fd, at };
}

/* A connection that somebody outside holds, as it may be left open by a careless caller. */
static int connected(const struct world *w)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
		return -1;
	dup2(pair[0], w->dgram); /* what arrives there is counted */
	close(pair[0]);
	return pair[1];
}

static void give_fds(struct trial *t)
{
	const struct world *w = &t->world;
	unsigned flags = t->a->flags;

	t->spec.run.fds = t->fds;
	if (flags & (FDS | KEEP_DIR))
		add_fd(t, open_out(w, ".", O_RDONLY | O_DIRECTORY), DIR_FD);
	if (flags & FDS) {
		add_fd(t, open_out(w, "victim", O_WRONLY | O_APPEND), FILE_FD);
		add_fd(t, connected(w), SOCKET_FD);
	}
	if (flags & FD0_FILE)
		add_fd(t, open_out(w, "victim", O_RDONLY), 0);
	if (flags & FD0_DIR)
		add_fd(t, open_out(w, ".", O_RDONLY | O_DIRECTORY), 0);
	if (flags & FD2_DIR)
		add_fd(t, open_out(w, ".", O_RDONLY | O_DIRECTORY), 2);
	if (flags & KEEP_FILE)
		add_fd(t, open_out(w, "victim", O_RDONLY), READ_FD);
}

static void take_fds(struct trial *t)
{
	for (size_t i = 0; i < t->spec.run.fds_len; i++)
		close(t->fds[i].fd);
}

static void add_options(struct trial *t)
{
	static const struct {
		unsigned flag;
		const char *name, *value;
	} given[] = {
		{ KEEP_DIR, "--keep-fd", "7" },
		{ KEEP_FILE, "--keep-fd", "10" },
		{ NETWORK_HOST, "--net", "host" },
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		if (t->a->flags & given[i].flag) {
			t->options[n++] = given[i].name;
			t->options[n++] = given[i].value;
		}
	}
	t->spec.options = t->options;
}

static void prepare(struct trial *t, char **words)
{
	struct run_spec *run = &t->spec.run;
	unsigned flags = t->a->flags;

	run->argv = (const char *const *)words;
	run->who = t->world.f.who;
	run->cwd = flags & IN_OUT ? t->world.f.out : t->world.f.work;
	run->group = flags & SAME_GROUP ? t->world.victim.pid : 0;
	run->tty = flags & ON_TERMINAL ? t->world.slave : 0;
	run->flags = flags & KILLED ? RUN_KILL : 0;
	run->grace_ms = t->v->backend ? 0 : CONTROL_GRACE_MS;
	if (!t->v->backend && flags & CONTROL_PRIVATE)
		run->flags |= RUN_PRIVATE;
	t->spec.backend = t->v->backend;
	t->spec.mode = t->v->mode;
	t->spec.cap_abi = t->v->cap_abi;
	t->spec.workspace = t->world.f.work;
	add_options(t);
	give_fds(t);
}

static int execute(struct trial *t)
{
	char **words = world_words(&t->world, t->a);
	int r;

	if (!words)
		return -ENOMEM;
	prepare(t, words);
	t->before = world_describe(&t->world);
	if (t->v->backend)
		r = launch(&t->spec, &t->result);
	else
		r = run_command(&t->spec.run, &t->result.run);
	t->after = world_describe(&t->world);
	take_fds(t);
	words_free(words);
	return r ? r : t->before && t->after ? 0 : -ENOMEM;
}

static __attribute__((format(printf, 1, 2))) char *say(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	return text;
}

/* The errno that a failed act writes as its last line: an act may have found something before. */
static void errno_of(const struct trial *t, char ret[static 32])
{
	const char *out = t->result.run.out.data ? t->result.run.out.data : "", *line = out;

	for (const char *at = out; (at = strchr(at, '\n')) && at[1]; at++)
		line = at + 1;
	snprintf(ret, 32, "%.*s", (int)strcspn(line, "\n"), line);
}

static bool saw_canary(const struct trial *t)
{
	const struct run_bytes *out = &t->result.run.out;

	return out->data && memmem(out->data, out->len, CANARY, strlen(CANARY));
}

/* What the attempt has done; NULL if nothing. */
static char *effect(const struct trial *t)
{
	char *change = snapshot_difference(t->before, t->after);

	if (change)
		return change;
	if (saw_canary(t))
		return say("the canary was read");
	if (t->result.run.left)
		return say("%zu processes stay", t->result.run.left);
	return NULL;
}

/* A control that fails means that the attempt proves nothing. */
static char *judge_control(const struct trial *t)
{
	int code = run_exit_code(&t->result.run);
	bool quiet = t->a->flags & (QUIET | CONTROL_PRIVATE);
	char name[32], *done, *wrong = NULL;

	errno_of(t, name);
	/* kernels differ in what they are built with: what they lack must look different, too */
	if (t->a->control) {
		if (code != 0 && !is_listed(t->a->control, name))
			wrong = say("control: status %d '%s', not %s", code, name, t->a->control);
		return wrong;
	}
	if (code != 0 && !(t->a->flags & (ANY_EXIT | KILLED)))
		return say("control: status %d '%s', does not succeed", code, name);
	done = effect(t);
	if (!done && !quiet)
		wrong = say("control: succeeds without any effect");
	free(done);
	return wrong;
}

static const char *denials(const struct trial *t)
{
	bool view = strcmp(t->v->backend, "namespace") == 0;
	const char *own = view ? t->a->namespace : t->a->landlock;

	return own ? own : view ? t->of->namespace : t->of->landlock;
}

static char *judge_confined(const struct trial *t)
{
	const struct run_result *run = &t->result.run;
	const char *claim = rf_claim_name(t->of->claim);
	int code = run_exit_code(run);
	char name[32], *done = effect(t);

	errno_of(t, name);
	if (done)
		return done;
	if (!launch_event(&t->result, "start"))
		return say("no start event, status %d: %s", code,
			   run->err.data ? run->err.data : "");
	if (!(t->a->flags & HELD_ANYWAY) && launch_is_missing(&t->result, claim))
		return say("'%s' is listed as missing", claim);
	if (t->a->flags & (ANY_EXIT | KILLED))
		return NULL;
	if (code != 1 || !is_listed(denials(t), name))
		return say("status %d '%s', not %s %s", code, name, denials(t),
			   run->err.data ? run->err.data : "");
	return NULL;
}

char *attempt_run(const struct attempts *of, const struct attempt *a, const struct variant *v)
{
	struct trial t = { .of = of, .a = a, .v = v };
	int r = world_make(&t.world, runs_as(a, v), a);
	char *wrong;

	if (!r)
		r = execute(&t);
	if (r)
		wrong = say("harness: %s", strerror(-r));
	else if (t.result.run.timed_out)
		wrong = say("timed out");
	else
		wrong = v->backend ? judge_confined(&t) : judge_control(&t);
	launch_release(&t.result);
	free(t.before);
	free(t.after);
	world_remove(&t.world);
	return wrong;
}
