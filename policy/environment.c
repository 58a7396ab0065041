/* SPDX-License-Identifier: MIT */
#include "environment.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct rf_variable table[] = {
	{ "RINGFENCE", RF_VARIABLE_ALWAYS, NULL, "1" },
	{ "RINGFENCE_MODE", RF_VARIABLE_ALWAYS, NULL, "the mode" },
	{ "RINGFENCE_WORKSPACE", RF_VARIABLE_ALWAYS, NULL, "the canonical workspace" },
	{ "RINGFENCE_BACKEND", RF_VARIABLE_ALWAYS, NULL, "the backend in use" },
	{ "RINGFENCE_ENFORCEMENT", RF_VARIABLE_ALWAYS, NULL, "full, partial or unproved" },
	{ "RINGFENCE_NETWORK", RF_VARIABLE_ALWAYS, NULL, "the network policy" },
	{ "RINGFENCE_PID_VIEW", RF_VARIABLE_PER_BACKEND, "namespace backend",
	  "private, or host where no fresh /proc could be mounted" },
	{ "GIT_OPTIONAL_LOCKS", RF_VARIABLE_CONDITIONAL, "mode is read-only", "0" },
	{ "TMPDIR", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "TMPPREFIX", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "LD_PRELOAD", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "LD_LIBRARY_PATH", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "LD_AUDIT", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "LD_DEBUG_OUTPUT", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "GCONV_PATH", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "GLIBC_TUNABLES", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "BASH_ENV", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "ENV", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "SHELLOPTS", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "BASHOPTS", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "PS4", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "IFS", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "CDPATH", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "PROMPT_COMMAND", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "PATH", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "HOME", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "SHELL", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "USER", RF_VARIABLE_RESERVED, NULL, NULL },
	{ "LOGNAME", RF_VARIABLE_RESERVED, NULL, NULL },
	{ 0 },
};

static const char *const clean_names[] = {
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"TERM",
	"COLORTERM",
	"LANG",
	"LANGUAGE",
	"LC_*",
	"TZ",
	"PWD",
	"TMPDIR",
	"NO_COLOR",
	"FORCE_COLOR",
	"COLUMNS",
	"LINES",
	"XDG_CONFIG_HOME",
	"XDG_CACHE_HOME",
	"XDG_DATA_HOME",
	"XDG_STATE_HOME",
	"XDG_DATA_DIRS",
	"XDG_CONFIG_DIRS",
	"EDITOR",
	"VISUAL",
	"PAGER",
	NULL,
};

const struct rf_variable *rf_environment_table(void)
{
	return table;
}

const char *const *rf_environment_clean_names(void)
{
	return clean_names;
}

static size_t name_length(const char *entry)
{
	return strcspn(entry, "=");
}

static bool same_name(const char *entry, size_t len, const char *name)
{
	return !strncmp(entry, name, len) && name[len] == '\0';
}

static const struct rf_variable *find_variable(const char *name, size_t len)
{
	for (const struct rf_variable *row = table; row->name; row++)
		if (same_name(name, len, row->name))
			return row;
	return NULL;
}

int rf_environment_check_name(const char *name, size_t len, bool set, struct rf_error *err)
{
	const struct rf_variable *row = find_variable(name, len);

	if (len == 0 || memchr(name, '=', len))
		return rf_error_set(err, RF_CODE_USAGE, 0, "'%.*s' is no variable name", (int)len,
				    name);
	if (!row || (!set && row->class == RF_VARIABLE_RESERVED))
		return 0;
	return rf_error_set(err, RF_CODE_RESERVED_NAME, 0, "variable '%.*s' cannot be %s", (int)len,
			    name, set ? "set" : "unset");
}

static bool in_list(const char *entry, const struct strv *names)
{
	size_t len = name_length(entry);

	for (size_t i = 0; i < names->len; i++)
		if (same_name(entry, len, names->items[i]))
			return true;
	return false;
}

static bool is_clean(const char *entry)
{
	size_t len = name_length(entry);

	for (const char *const *name = clean_names; *name; name++) {
		size_t known = strlen(*name);

		if ((*name)[known - 1] == '*' ? !strncmp(entry, *name, known - 1)
					      : same_name(entry, len, *name))
			return true;
	}
	return false;
}

/* Is the entry replaced, so that the inherited one must go? */
static bool is_overridden(const struct rf_policy *policy, const char *entry)
{
	size_t len = name_length(entry);
	const struct rf_variable *row = find_variable(entry, len);

	if (row && (row->class == RF_VARIABLE_ALWAYS || row->class == RF_VARIABLE_PER_BACKEND))
		return true;
	for (size_t i = 0; i < policy->set_variables.len; i++) {
		const char *set = policy->set_variables.items[i];

		if (name_length(set) == len && !strncmp(set, entry, len))
			return true;
	}
	return false;
}

static bool is_kept(const struct rf_policy *policy, const char *entry)
{
	if (is_overridden(policy, entry) || in_list(entry, &policy->unset_variables))
		return false;
	if (policy->environment == RF_ENVIRONMENT_INHERIT)
		return true;
	return is_clean(entry) || in_list(entry, &policy->keep_variables);
}

/* The injected value of a row, NULL where it is not injected. */
static const char *injected_value(const struct rf_variable *row, const struct rf_policy *policy,
				  const struct rf_environment_facts *facts,
				  const struct rf_environment *environment)
{
	const struct {
		const char *name, *value;
	} values[] = {
		{ "RINGFENCE", "1" },
		{ "RINGFENCE_MODE", facts->mode },
		{ "RINGFENCE_WORKSPACE", facts->workspace },
		{ "RINGFENCE_BACKEND", facts->backend },
		{ "RINGFENCE_ENFORCEMENT", facts->enforcement },
		{ "RINGFENCE_NETWORK", facts->network },
		{ "RINGFENCE_PID_VIEW", facts->pid_view },
		{ "GIT_OPTIONAL_LOCKS", policy->mode == RF_MODE_READ_ONLY ? "0" : NULL },
	};

	if (row->class == RF_VARIABLE_RESERVED)
		return NULL;
	if (row->class == RF_VARIABLE_CONDITIONAL && rf_environment_slot(environment, row->name))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (!strcmp(values[i].name, row->name))
			return values[i].value;
	return NULL;
}

static int inject(struct rf_environment *environment, const struct rf_policy *policy,
		  const struct rf_environment_facts *facts)
{
	size_t count = 0;

	environment->injected = calloc(ARRAY_LEN(table), sizeof(*environment->injected));
	if (!environment->injected)
		return -ENOMEM;
	for (const struct rf_variable *row = table; row->name; row++) {
		const char *value = injected_value(row, policy, facts, environment);
		_cleanup_str_ struct str entry = STR_INIT;

		if (!value)
			continue;
		str_printf(&entry, "%s=%s", row->name, value);
		environment->injected[count] = str_take(&entry);
		if (!environment->injected[count] ||
		    strv_append(&environment->entries, environment->injected[count]))
			return -ENOMEM;
		count++;
	}
	return 0;
}

bool rf_environment_is_set_again(const struct strv *list, size_t index)
{
	size_t len = name_length(list->items[index]);

	for (size_t i = index + 1; i < list->len; i++)
		if (name_length(list->items[i]) == len &&
		    !strncmp(list->items[i], list->items[index], len))
			return true;
	return false;
}

static int fill(struct rf_environment *environment, const struct rf_policy *policy,
		char *const inherited[], const struct rf_environment_facts *facts)
{
	for (char *const *entry = inherited; *entry; entry++)
		if (is_kept(policy, *entry) && strv_append(&environment->entries, *entry))
			return -ENOMEM;
	for (size_t i = 0; i < policy->set_variables.len; i++)
		if (!rf_environment_is_set_again(&policy->set_variables, i) &&
		    strv_append(&environment->entries, policy->set_variables.items[i]))
			return -ENOMEM;
	return inject(environment, policy, facts);
}

struct rf_environment *rf_environment_build(const struct rf_policy *policy, char *const inherited[],
					    const struct rf_environment_facts *facts)
{
	struct rf_environment *environment = calloc(1, sizeof(*environment));

	if (!environment)
		return NULL;
	if (fill(environment, policy, inherited, facts) < 0) {
		rf_environment_free(environment);
		return NULL;
	}
	return environment;
}

void rf_environment_free(struct rf_environment *environment)
{
	if (!environment)
		return;
	for (char **entry = environment->injected; entry && *entry; entry++)
		free(*entry);
	free(environment->injected);
	strv_release(&environment->entries);
	free(environment);
}

const char *rf_environment_get(char *const entries[], const char *name)
{
	size_t len = strlen(name);

	for (; *entries; entries++)
		if (!strncmp(*entries, name, len) && (*entries)[len] == '=')
			return *entries + len + 1;
	return NULL;
}

const char **rf_environment_slot(const struct rf_environment *environment, const char *name)
{
	for (size_t i = environment->entries.len; i-- > 0;)
		if (same_name(environment->entries.items[i],
			      name_length(environment->entries.items[i]), name))
			return &environment->entries.items[i];
	return NULL;
}
