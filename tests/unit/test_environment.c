/* SPDX-License-Identifier: MIT */
#include "policy/policy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rf_environment_facts facts = {
	.mode = "read-only",
	.workspace = "/src",
	.backend = "namespace",
	.enforcement = "unproved",
	.network = "off",
	.pid_view = "private",
};

/* The list of the reserved names, typed again. */
static const char *const injected[] = {
	"RINGFENCE",	      "RINGFENCE_MODE",	       "RINGFENCE_WORKSPACE",
	"RINGFENCE_BACKEND",  "RINGFENCE_ENFORCEMENT", "RINGFENCE_NETWORK",
	"RINGFENCE_PID_VIEW",
};
static const char *const reserved[] = {
	"TMPDIR",     "TMPPREFIX",
	"LD_PRELOAD", "LD_LIBRARY_PATH",
	"LD_AUDIT",   "LD_DEBUG_OUTPUT",
	"GCONV_PATH", "GLIBC_TUNABLES",
	"BASH_ENV",   "ENV",
	"SHELLOPTS",  "BASHOPTS",
	"PS4",	      "IFS",
	"CDPATH",     "PROMPT_COMMAND",
	"PATH",	      "HOME",
	"SHELL",      "USER",
	"LOGNAME",
};
static const char *const clean[] = {
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
};

static const struct rf_variable *find(const char *name)
{
	const struct rf_variable *row = rf_environment_table();

	while (row->name && strcmp(row->name, name))
		row++;
	return row->name ? row : NULL;
}

Test(environment, the_table_is_the_documented_list)
{
	size_t count = 0;

	for (const struct rf_variable *row = rf_environment_table(); row->name; row++, count++)
		cr_expect_eq(row, find(row->name), "%s stands twice", row->name);
	cr_expect_eq(count, ARRAY_LEN(injected) + ARRAY_LEN(reserved) + 1);
	for (size_t i = 0; i < ARRAY_LEN(injected); i++) {
		cr_assert_not_null(find(injected[i]), "%s", injected[i]);
		cr_expect_not_null(find(injected[i])->value);
		cr_expect_neq(find(injected[i])->class, RF_VARIABLE_RESERVED);
	}
	for (size_t i = 0; i < ARRAY_LEN(reserved); i++) {
		cr_assert_not_null(find(reserved[i]), "%s", reserved[i]);
		cr_expect_eq(find(reserved[i])->class, RF_VARIABLE_RESERVED, "%s", reserved[i]);
	}
	cr_expect_eq(find("GIT_OPTIONAL_LOCKS")->class, RF_VARIABLE_CONDITIONAL);
	cr_expect_not_null(find("GIT_OPTIONAL_LOCKS")->gate);
}

Test(environment, clean_names_are_the_documented_list)
{
	const char *const *names = rf_environment_clean_names();

	for (size_t i = 0; i < ARRAY_LEN(clean); i++)
		cr_assert_str_eq(names[i], clean[i]);
	cr_assert_null(names[ARRAY_LEN(clean)]);
}

static int check_name(const char *name, bool set, struct rf_error *err)
{
	return rf_environment_check_name(name, strlen(name), set, err);
}

Test(environment, no_reserved_name_can_be_set)
{
	struct rf_error err;

	for (size_t i = 0; i < ARRAY_LEN(reserved); i++) {
		cr_expect_lt(check_name(reserved[i], true, &err), 0, "%s", reserved[i]);
		cr_expect_eq(err.code, RF_CODE_RESERVED_NAME);
		cr_expect_not_null(strstr(err.msg, reserved[i]));
		cr_expect_eq(check_name(reserved[i], false, &err), 0, "%s may be left out",
			     reserved[i]);
	}
}

Test(environment, what_is_injected_can_be_neither_set_nor_unset)
{
	struct rf_error err;

	for (size_t i = 0; i < ARRAY_LEN(injected); i++)
		for (int set = 0; set < 2; set++) {
			cr_expect_lt(check_name(injected[i], set, &err), 0, "%s", injected[i]);
			cr_expect_eq(err.code, RF_CODE_RESERVED_NAME);
		}
	cr_expect_lt(check_name("GIT_OPTIONAL_LOCKS", true, &err), 0);
	cr_expect_eq(err.code, RF_CODE_RESERVED_NAME);
}

Test(environment, other_names_are_free)
{
	static const char *const names[] = {
		"A",	       "RINGFENC", "RINGFENCE_", "RINGFENCE_MODES",
		"path",	       "PATH_",	   "xPATH",	 "LD_PRELOADX",
		"caf\xc3\xa9", "\xff",	   "a b",	 "1"
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		cr_expect_eq(check_name(names[i], true, NULL), 0, "%s", names[i]);
		cr_expect_eq(check_name(names[i], false, NULL), 0, "%s", names[i]);
	}
	cr_expect_lt(rf_environment_check_name("PATH=x", 4, true, NULL), 0, "by its length");
	cr_expect_eq(rf_environment_check_name("PATH=x", 3, true, NULL), 0, "by its length");
}

Test(environment, what_is_no_name)
{
	struct rf_error err;

	for (int set = 0; set < 2; set++) {
		cr_expect_eq(check_name("", set, &err), -EINVAL);
		cr_expect_eq(err.code, RF_CODE_USAGE);
		cr_expect_eq(check_name("A=B", set, &err), -EINVAL);
		cr_expect_eq(err.code, RF_CODE_USAGE);
		cr_expect_eq(check_name("=", set, &err), -EINVAL);
		cr_expect_eq(err.code, RF_CODE_USAGE);
	}
}

static struct rf_environment *build(const struct rf_policy *policy, const char *const *inherited)
{
	struct rf_environment *built =
		rf_environment_build(policy, (char *const *)inherited, &facts);

	cr_assert_not_null(built);
	return built;
}

static size_t count_entry(const struct rf_environment *built, const char *entry)
{
	size_t count = 0;

	for (size_t i = 0; i < built->entries.len; i++)
		count += !strcmp(built->entries.items[i], entry);
	return count;
}

static const char *value(const struct rf_environment *built, const char *name)
{
	return rf_environment_get((char *const *)built->entries.items, name);
}

Test(environment, inherit_keeps_everything_in_its_order)
{
	static const char *const inherited[] = { "B=2",		 "A=1",	   "PATH=/bin", "B=3",
						 "LD_PRELOAD=x", "EMPTY=", "E=a=b",	NULL };
	struct rf_policy policy = { 0 };
	struct rf_environment *built = build(&policy, inherited);

	for (size_t i = 0; inherited[i]; i++)
		cr_expect_eq(built->entries.items[i], inherited[i], "borrowed, not copied");
	cr_expect_null(built->entries.items[built->entries.len]);
	rf_environment_free(built);
}

Test(environment, malformed_entries_pass_as_they_are)
{
	static const char *const inherited[] = { "",	    "=",  "=x", "NOVALUE", "\xff\xfe=\x80",
						 "A\n=b\n", " =", NULL };
	struct rf_policy policy = { 0 };
	struct rf_environment *built = build(&policy, inherited);

	for (size_t i = 0; inherited[i]; i++)
		cr_expect_eq(built->entries.items[i], inherited[i], "entry %zu", i);
	rf_environment_free(built);
}

Test(environment, the_injected_ones_say_the_facts)
{
	static const char *const inherited[] = { "RINGFENCE=0", "RINGFENCE_MODE=lie",
						 "RINGFENCE_PID_VIEW=lie", "RINGFENCE_MODE", NULL };
	struct rf_policy policy = { 0 };
	struct rf_environment *built = build(&policy, inherited);

	cr_expect_eq(built->entries.len, 8, "nothing of the inherited ones stays");
	cr_expect_eq(count_entry(built, "RINGFENCE=1"), 1);
	cr_expect_eq(count_entry(built, "RINGFENCE_MODE=read-only"), 1);
	cr_expect_eq(count_entry(built, "RINGFENCE_WORKSPACE=/src"), 1);
	cr_expect_eq(count_entry(built, "RINGFENCE_BACKEND=namespace"), 1);
	cr_expect_eq(count_entry(built, "RINGFENCE_ENFORCEMENT=unproved"), 1);
	cr_expect_eq(count_entry(built, "RINGFENCE_NETWORK=off"), 1);
	cr_expect_eq(count_entry(built, "RINGFENCE_PID_VIEW=private"), 1);
	cr_expect_eq(count_entry(built, "GIT_OPTIONAL_LOCKS=0"), 1);
	rf_environment_free(built);
}

Test(environment, no_pid_view_where_the_backend_has_none)
{
	static const char *const inherited[] = { "RINGFENCE_PID_VIEW=private", NULL };
	struct rf_environment_facts without = facts;
	struct rf_policy policy = { 0 };
	struct rf_environment *built;

	without.pid_view = NULL;
	built = rf_environment_build(&policy, (char *const *)inherited, &without);
	cr_assert_not_null(built);
	cr_assert_null(value(built, "RINGFENCE_PID_VIEW"));
	rf_environment_free(built);
}

Test(environment, git_locks_only_in_read_only_mode_and_unless_set)
{
	static const char *const none[] = { NULL };
	static const char *const set[] = { "GIT_OPTIONAL_LOCKS=1", NULL };
	struct rf_policy policy = { .mode = RF_MODE_READ_ONLY };
	struct rf_environment *built = build(&policy, set);

	cr_expect_eq(count_entry(built, "GIT_OPTIONAL_LOCKS=1"), 1);
	cr_expect_eq(count_entry(built, "GIT_OPTIONAL_LOCKS=0"), 0);
	rf_environment_free(built);
	policy.environment = RF_ENVIRONMENT_CLEAN; /* which leaves the inherited one out */
	built = build(&policy, set);
	cr_expect_str_eq(value(built, "GIT_OPTIONAL_LOCKS"), "0");
	rf_environment_free(built);
	policy = (struct rf_policy){ .mode = RF_MODE_WORKSPACE_WRITE };
	built = build(&policy, none);
	cr_expect_null(value(built, "GIT_OPTIONAL_LOCKS"));
	rf_environment_free(built);
	built = build(&policy, set);
	cr_expect_str_eq(value(built, "GIT_OPTIONAL_LOCKS"), "1");
	rf_environment_free(built);
}

Test(environment, clean_keeps_its_list_and_what_is_kept_by_name)
{
	static const char *const inherited[] = { "PATH=/bin",	 "LC_ALL=C", "LC_X=1", "LC=1",
						 "LD_PRELOAD=x", "SECRET=1", "MINE=1", "MINE2=1",
						 "HOMER=1",	 "HOME=/",   "",       "NOVALUE",
						 "TMPDIR=/t",	 NULL };
	static const char *const kept[] = { "PATH=/bin", "LC_ALL=C", "LC_X=1",
					    "MINE=1",	 "HOME=/",   "TMPDIR=/t" };
	struct rf_policy policy = { .mode = RF_MODE_WORKSPACE_WRITE,
				    .environment = RF_ENVIRONMENT_CLEAN };
	struct rf_environment *built;

	strv_append(&policy.keep_variables, "MINE");
	strv_append(&policy.keep_variables, "ABSENT");
	built = build(&policy, inherited);
	cr_expect_eq(built->entries.len, ARRAY_LEN(kept) + ARRAY_LEN(injected));
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		cr_expect_eq(count_entry(built, kept[i]), 1, "%s", kept[i]);
	rf_environment_free(built);
	rf_policy_release(&policy);
}

/* base, then keep, unset, set: each wins over those before it. */
Test(environment, precedence)
{
	static const char *const inherited[] = { "A=inherited", "B=inherited", "C=inherited",
						 "C=again",	"D=inherited", NULL };
	struct rf_policy policy = { .environment = RF_ENVIRONMENT_CLEAN };
	struct rf_environment *built;

	strv_append(&policy.keep_variables, "A");
	strv_append(&policy.keep_variables, "B");
	strv_append(&policy.keep_variables, "C");
	strv_append(&policy.unset_variables, "B");
	strv_append(&policy.unset_variables, "C");
	strv_append(&policy.set_variables, "C=set");
	strv_append(&policy.set_variables, "D=set");
	built = build(&policy, inherited);
	cr_expect_str_eq(value(built, "A"), "inherited", "kept");
	cr_expect_null(value(built, "B"), "unset wins over keep");
	cr_expect_str_eq(value(built, "C"), "set", "set wins over unset");
	cr_expect_eq(count_entry(built, "C=again"), 0, "and over each of two");
	cr_expect_str_eq(value(built, "D"), "set");
	rf_environment_free(built);
	rf_policy_release(&policy);
}

Test(environment, unset_removes_every_entry_of_the_name_and_no_other)
{
	static const char *const inherited[] = { "A=1", "AB=2", "A=3", "A", "a=4", NULL };
	struct rf_policy policy = { 0 };
	struct rf_environment *built;

	strv_append(&policy.unset_variables, "A");
	built = build(&policy, inherited);
	cr_expect_null(value(built, "A"));
	cr_expect_str_eq(value(built, "AB"), "2");
	cr_expect_str_eq(value(built, "a"), "4");
	rf_environment_free(built);
	rf_policy_release(&policy);
}

Test(environment, of_two_values_the_last_counts)
{
	static const char *const inherited[] = { "A=0", NULL };
	struct rf_policy policy = { 0 };
	struct rf_environment *built;

	strv_append(&policy.set_variables, "A=1");
	strv_append(&policy.set_variables, "AA=1");
	strv_append(&policy.set_variables, "A=2");
	strv_append(&policy.set_variables, "E=");
	built = build(&policy, inherited);
	cr_expect_eq(count_entry(built, "A=2"), 1);
	cr_expect_eq(count_entry(built, "A=1"), 0);
	cr_expect_eq(count_entry(built, "A=0"), 0);
	cr_expect_str_eq(value(built, "AA"), "1");
	cr_expect_str_eq(value(built, "E"), "");
	rf_environment_free(built);
	rf_policy_release(&policy);
}

Test(environment, five_thousand_variables)
{
	static char text[5000][24];
	static const char *inherited[5001];
	struct rf_policy policy = { 0 };
	struct rf_environment *built;

	for (int i = 0; i < 5000; i++) {
		snprintf(text[i], sizeof(text[i]), "VARIABLE_%d=%d", i, i);
		inherited[i] = text[i];
	}
	strv_append(&policy.unset_variables, "VARIABLE_17");
	strv_append(&policy.set_variables, "VARIABLE_4999=new");
	built = build(&policy, inherited);
	cr_expect_eq(built->entries.len, 5000 - 2 + 1 + 8);
	cr_expect_str_eq(value(built, "VARIABLE_4998"), "4998");
	cr_expect_str_eq(value(built, "VARIABLE_4999"), "new");
	cr_expect_null(value(built, "VARIABLE_17"));
	rf_environment_free(built);
	rf_policy_release(&policy);
}

Test(environment, get_and_slot)
{
	static const char *const entries[] = { "AB=1", "A=2", "A=3", "B", NULL };
	struct rf_environment list = { .entries = { .items = (const char **)entries, .len = 4 } };

	cr_expect_str_eq(rf_environment_get((char *const *)entries, "A"), "2", "the first");
	cr_expect_null(rf_environment_get((char *const *)entries, "B"), "no value");
	cr_expect_null(rf_environment_get((char *const *)entries, "C"));
	cr_expect_eq(rf_environment_slot(&list, "A"), list.entries.items + 2, "the last");
	cr_expect_eq(rf_environment_slot(&list, "AB"), list.entries.items);
	cr_expect_null(rf_environment_slot(&list, "ABC"));
	rf_environment_free(NULL);
}
