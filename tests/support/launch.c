/* SPDX-License-Identifier: MIT */
#include "launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATUS_FD 60
#define STATUS_TEXT "60"
#define OPTIONS_MAX 10

const char *launcher_path(void)
{
	return getenv("RINGFENCE");
}

const char *act_path(void)
{
	return getenv("RINGFENCE_ACT");
}

static size_t words(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static size_t append(const char **argv, size_t n, const char *option, const char *value)
{
	if (value) {
		argv[n++] = option;
		argv[n++] = value;
	}
	return n;
}

static size_t append_all(const char **argv, size_t n, const char *const *list)
{
	memcpy(argv + n, list, words(list) * sizeof(*list));
	return n + words(list);
}

/* `abi` is where the number is written, and has to live as long as the result. */
static const char **argv_make(const struct launch_spec *spec, char abi[static 16])
{
	const char **argv = calloc(2 * OPTIONS_MAX + words(spec->options) + words(spec->run.argv),
				   sizeof(*argv));
	size_t n = 0;

	if (!argv)
		return NULL;
	snprintf(abi, 16, "%u", spec->cap_abi);
	argv[n++] = launcher_path();
	argv[n++] = "run";
	n = append(argv, n, "--backend", spec->backend);
	n = append(argv, n, "--mode", spec->mode);
	n = append(argv, n, "--workspace", spec->workspace);
	n = append(argv, n, "--cap-abi", spec->cap_abi ? abi : NULL);
	n = append(argv, n, "--status-fd", STATUS_TEXT);
	if (!spec->loud)
		argv[n++] = "--quiet";
	if (spec->options)
		n = append_all(argv, n, spec->options);
	argv[n++] = "--";
	append_all(argv, n, spec->run.argv);
	return argv;
}

static int parse_line(const char *line, size_t len, json_t *events)
{
	json_t *event = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);

	if (!json_is_object(event)) {
		json_decref(event);
		return -EPROTO;
	}
	return json_array_append_new(events, event) < 0 ? -ENOMEM : 0;
}

/* Every line ends with a newline: a half-written event is no event. */
static int parse(const struct run_bytes *bytes, json_t *events)
{
	const char *line = bytes->data, *end = line + bytes->len;
	int r = 0;

	while (!r && line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));

		if (!newline)
			return -EPROTO;
		r = parse_line(line, (size_t)(newline - line), events);
		line = newline + 1;
	}
	return r;
}

int launch(const struct launch_spec *spec, struct launch_result *ret)
{
	struct run_spec run = spec->run;
	const char **argv;
	char abi[16];
	int r;

	memset(ret, 0, sizeof(*ret));
	if (!launcher_path())
		return -ENOENT;
	argv = argv_make(spec, abi);
	if (!argv)
		return -ENOMEM;
	run.argv = argv;
	run.capture = STATUS_FD;
	r = run_command(&run, &ret->run);
	free(argv);
	ret->events = json_array();
	if (!r)
		r = ret->events ? parse(&ret->run.captured, ret->events) : -ENOMEM;
	return r;
}

void launch_release(struct launch_result *r)
{
	run_release(&r->run);
	json_decref(r->events);
	r->events = NULL;
}

json_t *launch_event(const struct launch_result *r, const char *name)
{
	json_t *event;
	size_t i;

	json_array_foreach(r->events, i, event)
	{
		const char *text = json_string_value(json_object_get(event, "event"));

		if (text && strcmp(text, name) == 0)
			return event;
	}
	return NULL;
}

const char *launch_text(const struct launch_result *r, const char *event, const char *key)
{
	const char *text = json_string_value(json_object_get(launch_event(r, event), key));

	return text ? text : "";
}

bool launch_is_missing(const struct launch_result *r, const char *claim)
{
	json_t *missing = json_object_get(launch_event(r, "start"), "missing"), *name;
	size_t i;

	json_array_foreach(missing, i,
			   name) if (strcmp(json_string_value(name) ? json_string_value(name) : "",
					    claim) == 0) return true;
	return false;
}
