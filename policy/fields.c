/* SPDX-License-Identifier: MIT */
#include "environment.h"
#include "fields.h"

#include <errno.h>
#include <string.h>

static const char *const mode_names[] = { "read-only", "workspace-write", "danger-full-access" };
static const char *const network_names[] = { "off", "host" };
static const char *const environment_names[] = { "inherit", "clean" };
static const char *const backend_names[] = { "auto", "namespace", "landlock" };

static const char *name_of(const char *const *names, size_t count, unsigned value)
{
	return value < count ? names[value] : NULL;
}

static int value_of(const char *const *names, size_t count, const char *what, const char *name,
		    struct rf_error *err)
{
	_cleanup_str_ struct str known = STR_INIT;

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(names[i], name))
			return (int)i;
		str_printf(&known, "%s%s", i ? ", " : "", names[i]);
	}
	rf_error_set(err, RF_CODE_USAGE, 0, "unknown %s '%s'", what, name);
	rf_error_hint(err, "it is one of: %s", known.data ? known.data : "");
	return -EINVAL;
}

#define DEFINE_NAMES(type, stem, names, what)                                                      \
	const char *stem##_name(type value)                                                        \
	{                                                                                          \
		return name_of(names, ARRAY_LEN(names), value);                                    \
	}                                                                                          \
	int stem##_parse(const char *name, type *ret, struct rf_error *err)                        \
	{                                                                                          \
		int value = value_of(names, ARRAY_LEN(names), what, name, err);                    \
                                                                                                   \
		if (value < 0)                                                                     \
			return value;                                                              \
		*ret = (type)value;                                                                \
		return 0;                                                                          \
	}

DEFINE_NAMES(enum rf_mode, rf_mode, mode_names, "mode")
DEFINE_NAMES(enum rf_network, rf_network, network_names, "network")
DEFINE_NAMES(enum rf_environment_base, rf_environment, environment_names, "environment")
DEFINE_NAMES(enum rf_backend_choice, rf_backend_choice, backend_names, "backend")

void rf_policy_release(struct rf_policy *policy)
{
	strv_release(&policy->write);
	strv_release(&policy->write_if_present);
	strv_release(&policy->set_variables);
	strv_release(&policy->unset_variables);
	strv_release(&policy->keep_variables);
	*policy = (struct rf_policy){ 0 };
}

/* danger-full-access applies nothing, so whatever was asked for beside it would be lost. */
int rf_policy_check(const struct rf_policy *policy, struct rf_error *err)
{
	static const struct {
		enum rf_field field;
		const char *option;
	} fields[] = {
		{ RF_FIELD_WRITE, "--write" },
		{ RF_FIELD_NETWORK, "--net off" },
		{ RF_FIELD_ENVIRONMENT, "--env" },
		{ RF_FIELD_BACKEND, "--backend" },
		{ RF_FIELD_ALLOW_USERNS, "--allow-userns" },
	};

	if (policy->mode != RF_MODE_DANGER_FULL_ACCESS)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		if (!(policy->fields_set & fields[i].field))
			continue;
		if (fields[i].field == RF_FIELD_NETWORK && policy->network == RF_NETWORK_HOST)
			continue; /* what danger-full-access gives anyway */
		return rf_error_set(err, RF_CODE_POLICY_NOT_EXPRESSIBLE, 0,
				    "'%s' has no effect in danger-full-access mode",
				    fields[i].option);
	}
	return 0;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A sorted copy of the list, to be freed; NULL when memory is short. */
static const char **sort_list(const struct strv *list)
{
	const char **sorted = calloc(list->len + 1, sizeof(*sorted));

	if (sorted && list->len) {
		memcpy(sorted, list->items, list->len * sizeof(*sorted));
		qsort(sorted, list->len, sizeof(*sorted), compare_strings);
	}
	return sorted;
}

static void append_list(struct str *out, const char *key, const struct strv *list)
{
	_cleanup_free_ const char **sorted = sort_list(list);

	if (!sorted) {
		out->failed = true;
		return;
	}
	str_printf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < list->len; i++) {
		str_append(out, i ? "," : "");
		str_append_json(out, sorted[i]);
	}
	str_append(out, "]");
}

static void append_variable(struct str *out, const char *entry)
{
	_cleanup_free_ char *name = strndup(entry, strcspn(entry, "="));

	if (!name) {
		out->failed = true;
		return;
	}
	str_append_json(out, name);
	str_append(out, ":");
	str_append_json(out, entry + strlen(name) + 1);
}

/* Of two values for a name only the one that counts, the last, so that the order says nothing. */
static void append_variables(struct str *out, const struct strv *list)
{
	struct strv counting = { 0 };
	_cleanup_free_ const char **sorted = NULL;

	for (size_t i = 0; i < list->len; i++)
		if (!rf_environment_is_set_again(list, i) && strv_append(&counting, list->items[i]))
			out->failed = true;
	sorted = sort_list(&counting);
	str_append(out, ",\"set\":{");
	for (size_t i = 0; sorted && i < counting.len; i++) {
		str_append(out, i ? "," : "");
		append_variable(out, sorted[i]);
	}
	str_append(out, "}");
	out->failed |= !sorted;
	strv_release(&counting);
}

void rf_policy_document(const struct rf_policy *policy, const char *workspace, struct str *out)
{
	str_printf(out, "{\"mode\":\"%s\",\"workspace\":", rf_mode_name(policy->mode));
	str_append_json(out, workspace);
	append_list(out, "write", &policy->write);
	append_list(out, "writeIfPresent", &policy->write_if_present);
	str_printf(out, ",\"network\":\"%s\"", rf_network_name(policy->network));
	str_printf(out, ",\"env\":{\"base\":\"%s\"", rf_environment_name(policy->environment));
	append_variables(out, &policy->set_variables);
	append_list(out, "unset", &policy->unset_variables);
	append_list(out, "keep", &policy->keep_variables);
	str_printf(out, "},\"allowUserns\":%s", policy->allow_userns ? "true" : "false");
	str_printf(out, ",\"backend\":\"%s\"}", rf_backend_choice_name(policy->backend));
}
