/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATUS_FD 60
#define WORDS_MAX 1200

void cli_place(struct fixture *f, struct run_who who)
{
	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	/* directories that others may not enter would turn "not found" into "denied" */
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", 1);
	cr_assert_eq(fixture_make(f, who), 0, "the harness cannot make a place");
	cr_assert_eq(fixture_file(f, "work/file", "inside\n", 0644), 0);
	cr_assert_eq(fixture_file(f, "work/mark", "#!/bin/sh\necho x > \"${0%/*}/ran\"\n", 0755),
		     0);
	cr_assert_eq(fixture_file(f, "out/file", "outside\n", 0644), 0);
}

static size_t add_condition(const char **argv, const char *const *names)
{
	size_t n = 0;

	if (!names)
		return 0;
	argv[n++] = getenv("RINGFENCE_CONDITION");
	cr_assert_not_null(argv[0], "RINGFENCE_CONDITION is not set");
	while (*names)
		argv[n++] = *names++;
	argv[n++] = "--";
	return n;
}

/* Words that hold a path are heap memory, in the order in which they are met. */
static size_t add_words(const struct fixture *f, const char **argv, size_t n,
			const char *const *words, char **made)
{
	for (; *words; words++) {
		const char *at = strstr(*words, "BASE");

		cr_assert_lt(n, WORDS_MAX - 1);
		if (!at) {
			argv[n++] = *words;
			continue;
		}
		cr_assert_gt(asprintf(made, "%.*s%s%s", (int)(at - *words), *words, f->base,
				      at + 4),
			     0);
		argv[n++] = *made++;
	}
	*made = NULL;
	argv[n] = NULL;
	return n;
}

struct run_result cli_run(const struct fixture *f, const struct invocation *how,
			  const char *const *words)
{
	static const struct invocation plain;
	const char *argv[WORDS_MAX + 16];
	char *made[WORDS_MAX + 1];
	struct run_result r;
	struct run_spec spec = { .argv = argv, .who = f->who, .cwd = f->work };
	size_t n;

	how = how ? how : &plain;
	n = add_condition(argv, how->condition);
	argv[n++] = launcher_path();
	add_words(f, argv, n, words, made);
	spec.env = how->env;
	spec.cwd = how->cwd ? how->cwd : f->work;
	spec.capture = how->status ? STATUS_FD : 0;
	spec.flags = how->flags;
	spec.fds = how->fds;
	spec.fds_len = how->fds_len;
	cr_assert_eq(run_command(&spec, &r), 0, "the harness cannot run '%s'", argv[0]);
	for (char **text = made; *text; text++)
		free(*text);
	cr_expect_eq(r.left, 0, "%zu processes outlived the launcher", r.left);
	return r;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static bool is_printable(const struct run_bytes *bytes)
{
	for (size_t i = 0; i < bytes->len; i++)
		if (((unsigned char)bytes->data[i] < 0x20 && bytes->data[i] != '\n') ||
		    bytes->data[i] == 0x7f)
			return false;
	return true;
}

void cli_expect_error(const struct run_result *r, const char *code, const char *what)
{
	const char *text = r->err.data ? r->err.data : "", *second;
	char start[64];
	size_t lines = count_lines(text);

	snprintf(start, sizeof(start), "ringfence: error: %s: ", code);
	cr_expect(!strncmp(text, start, strlen(start)), "%s: '%s' is no error with the code '%s'",
		  what, text, code);
	cr_expect_eq(r->out.len, 0, "%s: wrote '%s' to stdout", what, r->out.data);
	cr_expect(lines == 1 || lines == 2, "%s: %zu lines: '%s'", what, lines, text);
	cr_expect(r->err.len && text[r->err.len - 1] == '\n', "%s: no whole line: '%s'", what,
		  text);
	second = strchrnul(text, '\n');
	cr_expect(lines < 2 || !strncmp(second + 1, "ringfence: hint: ", 17),
		  "%s: the second line is no hint: '%s'", what, text);
	cr_expect(is_printable(&r->err), "%s: control bytes in '%s'", what, text);
	cr_expect(second == text || second[-1] != '.', "%s: a full stop ends '%s'", what, text);
}

void cli_expect_refused(const struct run_result *r, const char *code, const char *what)
{
	cr_expect_eq(run_exit_code(r), REFUSED, "%s: status %d", what, run_exit_code(r));
	cli_expect_error(r, code, what);
}

json_t *cli_events(const struct run_result *r)
{
	json_t *events = json_array();
	const char *line = r->captured.data, *end = line + r->captured.len, *newline;

	for (; line && line < end; line = newline + 1) {
		newline = memchr(line, '\n', (size_t)(end - line));
		cr_assert_not_null(newline, "a line without an end: '%s'", line);
		json_t *event =
			json_loadb(line, (size_t)(newline - line), JSON_REJECT_DUPLICATES, NULL);

		cr_assert(json_is_object(event), "no object: '%.*s'", (int)(newline - line), line);
		json_array_append_new(events, event);
	}
	return events;
}

json_t *cli_event(json_t *events, size_t index, const char *name)
{
	json_t *event = json_array_get(events, index);

	cr_assert_not_null(event, "there are only %zu events, no '%s'", json_array_size(events),
			   name);
	cr_assert_str_eq(json_string_value(json_object_get(event, "event")), name);
	return event;
}
