/* SPDX-License-Identifier: MIT */
#include "parity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/launch.h"

#define WORDS_MAX 64
#define ENTRIES_MAX 24

/* Strings of one run, released together. */
struct memory {
	char *item[2 * ENTRIES_MAX];
	size_t len;
};

static const char *keep(struct memory *memory, char *text)
{
	if (!text || memory->len == sizeof(memory->item) / sizeof(memory->item[0]))
		abort();
	return memory->item[memory->len++] = text;
}

static void forget(struct memory *memory)
{
	while (memory->len)
		free(memory->item[--memory->len]);
}

char *text_replace(char *text, const char *from, const char *to)
{
	char *made = NULL, *at = text, *found;
	size_t len = 0;
	FILE *out = open_memstream(&made, &len);

	if (!out)
		abort();
	for (; (found = strstr(at, from)); at = found + strlen(from))
		fprintf(out, "%.*s%s", (int)(found - at), at, to);
	fputs(at, out);
	fclose(out);
	free(text);
	return made;
}

static int make_place(struct fixture *f, struct run_who who)
{
	int r = fixture_make(f, who);

	if (!r)
		r = fixture_file(f, "work/file", "inside\n", 0644);
	if (!r)
		r = fixture_dir(f, "work/a", 0755);
	if (!r)
		r = fixture_dir(f, "work/b", 0755);
	if (!r)
		r = fixture_file(f, "out/file", "outside\n", 0644);
	if (!r)
		r = fixture_dir(f, "out/dir", 0755);
	if (!r)
		r = fixture_dir(f, "home", 0755);
	return r ? r : fixture_dir(f, "tmp", 0755);
}

static const char *assign(struct memory *memory, const char *name, const char *value,
			  const char *tail)
{
	char *text = NULL;

	return keep(memory, asprintf(&text, "%s=%s%s", name, value, tail) < 0 ? NULL : text);
}

/* The same for everybody and on every machine. */
static void make_environment(const struct fixture *f, const char *backend, struct memory *memory,
			     const char *ret[static ENTRIES_MAX])
{
	static const char *const fixed[] = {
		"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
		"GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=c",
		"GIT_COMMITTER_EMAIL=c@example.org",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
		"GIT_CONFIG_NOSYSTEM=1",
		"EMPTY=",
		"USER=somebody",
		"SECRET=canary",
	};
	size_t n = sizeof(fixed) / sizeof(fixed[0]);

	memcpy(ret, fixed, sizeof(fixed));
	ret[n++] = assign(memory, "BASE", f->base, "");
	ret[n++] = assign(memory, "WORK", f->work, "");
	ret[n++] = assign(memory, "OUT", f->out, "");
	ret[n++] = assign(memory, "HOME", f->base, "/home");
	ret[n++] = assign(memory, "BACKEND", backend, "");
	ret[n] = NULL;
}

static size_t add_options(const char **argv, size_t n, const char *options, const struct fixture *f,
			  struct memory *memory)
{
	char *copy, *word;

	if (!options)
		return n;
	copy = (char *)keep(memory, strdup(options));
	while ((word = strsep(&copy, " "))) {
		char *text = NULL;

		if (strncmp(word, "BASE", 4) != 0)
			argv[n++] = word;
		else if (asprintf(&text, "%s%s", f->base, word + 4) > 0)
			argv[n++] = keep(memory, text);
	}
	return n;
}

static size_t length(const char **words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

/* Without a script around it the launcher is executed directly, so that no shell has a say. */
static const char **make_argv(const struct behaviour *b, const char *backend, bool writable,
			      const struct fixture *f, struct memory *memory)
{
	const char **words = b->words ? b->words() : calloc(4, sizeof(*words));
	const char **argv;
	size_t n = 0;

	if (!b->words) {
		words[0] = "/bin/sh";
		words[1] = "-c";
		words[2] = b->command;
	}
	argv = calloc(WORDS_MAX + length(words), sizeof(*argv));
	if (b->around) {
		argv[n++] = "/bin/sh";
		argv[n++] = "-c";
		argv[n++] = b->around;
		argv[n++] = "around";
	}
	argv[n++] = launcher_path();
	argv[n++] = "run";
	argv[n++] = "--quiet";
	argv[n++] = "--backend";
	argv[n++] = backend;
	argv[n++] = "--mode";
	argv[n++] = writable ? "workspace-write" : "read-only";
	n = add_options(argv, n, b->options, f, memory);
	argv[n++] = "--";
	memcpy(argv + n, words, length(words) * sizeof(*words));
	free(words);
	return argv;
}

static int prepare(const struct behaviour *b, const struct fixture *f, const char *const *env)
{
	const char *argv[] = { "/bin/sh", "-ec", b->prepare, NULL };
	const struct run_spec spec = {
		.argv = argv, .env = env, .cwd = f->work, .who = f->who, .timeout_ms = 60000
	};
	struct run_result r;
	int error;

	if (!b->prepare)
		return 0;
	error = run_command(&spec, &r);
	if (!error && run_exit_code(&r)) {
		fprintf(stderr, "%s: prepare: %s\n", b->id, r.err.data ? r.err.data : "");
		error = -ECHILD;
	}
	run_release(&r);
	return error;
}

static char *text_of(const struct run_bytes *bytes, const char *base)
{
	char *text = malloc(bytes->len + 1);

	if (!text)
		abort();
	/* a NUL byte would cut the comparison short */
	for (size_t i = 0; i < bytes->len; i++)
		text[i] = bytes->data[i] ? bytes->data[i] : '?';
	text[bytes->len] = '\0';
	return text_replace(text, base, "BASE");
}

static int run(const struct behaviour *b, const struct fixture *f, const struct run_spec *spec,
	       struct measured *ret)
{
	struct run_result r;
	char *before = effect_list(f->base);
	int error = before ? run_command(spec, &r) : -errno;

	if (error) {
		free(before);
		return error;
	}
	(void)b;
	ret->status = r.timed_out ? -1 : run_exit_code(&r);
	ret->out = text_of(&r.out, f->base);
	ret->err = text_of(&r.err, f->base);
	ret->left = r.left;
	ret->tree = effect_list(f->base);
	ret->effect = ret->tree ? effect_between(before, ret->tree) : NULL;
	run_release(&r);
	free(before);
	return ret->effect ? 0 : -ENOMEM;
}

struct measured measure(const struct behaviour *b, const char *backend, bool writable,
			struct run_who who)
{
	struct measured m = { 0 };
	struct memory memory = { .len = 0 };
	const char *env[ENTRIES_MAX];
	struct fixture f = { .base = "" };

	m.harness = make_place(&f, who);
	if (!m.harness) {
		struct run_spec spec = { .env = env,
					 .cwd = f.work,
					 .who = who,
					 .timeout_ms = 60000,
					 .flags = b->traits & PRIVATE ? RUN_PRIVATE : 0 };
		const char **argv = make_argv(b, backend, writable, &f, &memory);

		make_environment(&f, backend, &memory, env);
		spec.argv = argv;
		m.harness = prepare(b, &f, env);
		if (!m.harness)
			m.harness = run(b, &f, &spec, &m);
		free(argv);
	}
	fixture_remove(&f);
	forget(&memory);
	return m;
}

void measured_release(struct measured *m)
{
	free(m->out);
	free(m->err);
	free(m->effect);
	free(m->tree);
}
