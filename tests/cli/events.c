/* SPDX-License-Identifier: MIT */
#include "events.h"

#include <criterion/criterion.h>
#include <string.h>

const struct key start_keys[] = {
	{ "event", JSON_STRING },  { "backend", JSON_STRING }, { "enforcement", JSON_STRING },
	{ "missing", JSON_ARRAY }, { "mode", JSON_STRING },    { "workspace", JSON_STRING },
	{ "policy", JSON_STRING }, { "pid", JSON_INTEGER },    { 0 },
};
const struct key unconfined_keys[] = {
	{ "event", JSON_STRING },  { "backend", JSON_NULL }, { "enforcement", JSON_STRING },
	{ "missing", JSON_ARRAY }, { "mode", JSON_STRING },  { "workspace", JSON_STRING | OR_NULL },
	{ "policy", JSON_STRING }, { "pid", JSON_INTEGER },  { 0 },
};
const struct key refused_keys[] = {
	{ "event", JSON_STRING },	   { "code", JSON_STRING },   { "message", JSON_STRING },
	{ "hint", JSON_STRING | OR_NULL }, { "missing", JSON_ARRAY }, { 0 },
};
const struct key failed_keys[] = {
	{ "event", JSON_STRING },
	{ "errno", JSON_STRING },
	{ "path", JSON_STRING },
	{ "interpreter", JSON_STRING | OR_NULL },
	{ 0 },
};
const struct key exit_keys[] = {
	{ "event", JSON_STRING },
	{ "code", JSON_INTEGER | OR_NULL },
	{ "signal", JSON_INTEGER | OR_NULL },
	{ "limit", JSON_STRING | OR_NULL },
	{ "git_tamper", JSON_ARRAY },
	{ "appeared", JSON_ARRAY },
	{ "protect_lost", JSON_ARRAY },
	{ "hide_lost", JSON_ARRAY },
	{ "duration_ms", JSON_INTEGER },
	{ "max_rss_kb", JSON_INTEGER },
	{ "descendants_killed", JSON_INTEGER },
	{ 0 },
};

void expect_keys(json_t *event, const struct key *keys)
{
	const char *kind = json_string_value(json_object_get(event, "event"));

	for (void *at = json_object_iter(event); at; at = json_object_iter_next(event, at)) {
		const char *name = json_object_iter_key(at);
		int type = json_typeof(json_object_iter_value(at));
		bool null = type == JSON_NULL && keys->type & OR_NULL;

		cr_assert_not_null(keys->name, "%s: '%s' is one too many", kind, name);
		cr_assert_str_eq(name, keys->name, "%s: '%s', not '%s'", kind, name, keys->name);
		cr_expect(null || type == (keys->type & ~OR_NULL), "%s: '%s' has type %d", kind,
			  name, type);
		keys++;
	}
	cr_expect_null(keys->name, "%s: '%s' is missing", kind, keys->name);
}

void expect_text(json_t *event, const char *key, const char *value)
{
	const char *text = json_string_value(json_object_get(event, key));

	cr_expect(text && !strcmp(text, value), "'%s' is '%s', not '%s'", key,
		  text ? text : "(null)", value);
}

void expect_number(json_t *event, const char *key, int value)
{
	json_t *number = json_object_get(event, key);

	if (value < 0)
		cr_expect(json_is_null(number), "'%s' is not null", key);
	else
		cr_expect_eq(json_integer_value(number), value, "'%s' is %d", key,
			     (int)json_integer_value(number));
}

bool has_text(json_t *array, const char *text)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		if (!strcmp(json_string_value(json_array_get(array, i)), text))
			return true;
	return false;
}
