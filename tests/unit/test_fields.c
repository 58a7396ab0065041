/* SPDX-License-Identifier: MIT */
#include "policy/policy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct names {
	const char *what;
	const char *names[4];
	const char *(*name)(int value);
	int (*parse)(const char *name, int *ret, struct rf_error *err);
};

/* One shape for the four enumerations, so that one test reads them all. */
#define DEFINE_ADAPTERS(stem, type)                                                                \
	static const char *stem##_adapted_name(int value)                                          \
	{                                                                                          \
		return stem##_name((type)value);                                                   \
	}                                                                                          \
	static int stem##_adapted_parse(const char *name, int *ret, struct rf_error *err)          \
	{                                                                                          \
		type value = (type)*ret;                                                           \
		int result = stem##_parse(name, &value, err);                                      \
                                                                                                   \
		*ret = (int)value;                                                                 \
		return result;                                                                     \
	}

DEFINE_ADAPTERS(rf_mode, enum rf_mode)
DEFINE_ADAPTERS(rf_network, enum rf_network)
DEFINE_ADAPTERS(rf_environment, enum rf_environment_base)
DEFINE_ADAPTERS(rf_backend_choice, enum rf_backend_choice)

static const struct names all[] = {
	{ "mode",
	  { "read-only", "workspace-write", "danger-full-access" },
	  rf_mode_adapted_name,
	  rf_mode_adapted_parse },
	{ "network", { "off", "host" }, rf_network_adapted_name, rf_network_adapted_parse },
	{ "environment",
	  { "inherit", "clean" },
	  rf_environment_adapted_name,
	  rf_environment_adapted_parse },
	{ "backend",
	  { "auto", "namespace", "landlock" },
	  rf_backend_choice_adapted_name,
	  rf_backend_choice_adapted_parse },
};

Test(fields, names_and_values_agree)
{
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		int value = 0, parsed = -1;

		for (; all[i].names[value]; value++) {
			cr_expect_str_eq(all[i].name(value), all[i].names[value]);
			cr_expect_eq(all[i].parse(all[i].names[value], &parsed, NULL), 0);
			cr_expect_eq(parsed, value, "%s", all[i].names[value]);
		}
		cr_expect_null(all[i].name(value), "%s has a value without a test", all[i].what);
		cr_expect_null(all[i].name(-1));
	}
}

Test(fields, other_names_are_usage_errors)
{
	static const char *const wrong[] = { "", "nonsense", "Read-Only", "read-only ", "read" };

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		for (size_t n = 0; n < ARRAY_LEN(wrong); n++) {
			struct rf_error err = { 0 };
			int value = 1;

			cr_expect_eq(all[i].parse(wrong[n], &value, &err), -EINVAL);
			cr_expect_eq(err.code, RF_CODE_USAGE);
			cr_expect_eq(value, 1, "the output is untouched");
			cr_expect_not_null(strstr(err.msg, all[i].what), "%s", err.msg);
			cr_expect_not_null(strstr(err.hint, all[i].names[0]), "%s", err.hint);
			cr_expect_not_null(strstr(err.hint, all[i].names[1]), "%s", err.hint);
		}
	}
}

Test(fields, later_values_are_not_known_yet)
{
	enum rf_network network;
	enum rf_environment_base base;

	cr_assert_eq(rf_network_parse("loopback", &network, NULL), -EINVAL);
	cr_assert_eq(rf_environment_parse("safe", &base, NULL), -EINVAL);
}

Test(fields, a_zeroed_policy_is_the_default)
{
	struct rf_policy policy = { 0 };

	cr_assert_eq(policy.mode, RF_MODE_READ_ONLY);
	cr_assert_eq(policy.network, RF_NETWORK_OFF);
	cr_assert_eq(policy.environment, RF_ENVIRONMENT_INHERIT);
	cr_assert_eq(policy.backend, RF_BACKEND_AUTO);
	cr_assert_eq(rf_policy_check(&policy, NULL), 0);
	rf_policy_release(&policy);
}

Test(fields, confined_modes_take_every_field)
{
	struct rf_policy policy = { .fields_set = ~0U };

	cr_assert_eq(rf_policy_check(&policy, NULL), 0);
	policy.mode = RF_MODE_WORKSPACE_WRITE;
	cr_assert_eq(rf_policy_check(&policy, NULL), 0);
}

Test(fields, danger_takes_no_restriction)
{
	static const struct {
		enum rf_field field;
		const char *option;
	} fields[] = {
		{ RF_FIELD_WRITE, "'--write'" },
		{ RF_FIELD_NETWORK, "'--net off'" },
		{ RF_FIELD_ENVIRONMENT, "'--env'" },
		{ RF_FIELD_BACKEND, "'--backend'" },
		{ RF_FIELD_ALLOW_USERNS, "'--allow-userns'" },
	};

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		struct rf_policy policy = { .mode = RF_MODE_DANGER_FULL_ACCESS,
					    .fields_set = fields[i].field };
		struct rf_error err = { 0 };

		cr_expect_lt(rf_policy_check(&policy, &err), 0, "%s", fields[i].option);
		cr_expect_eq(err.code, RF_CODE_POLICY_NOT_EXPRESSIBLE);
		cr_expect_not_null(strstr(err.msg, fields[i].option), "%s", err.msg);
	}
}

Test(fields, danger_takes_what_it_gives_anyway)
{
	struct rf_policy policy = { .mode = RF_MODE_DANGER_FULL_ACCESS };

	cr_assert_eq(rf_policy_check(&policy, NULL), 0);
	policy.network = RF_NETWORK_HOST;
	policy.fields_set = RF_FIELD_NETWORK;
	cr_assert_eq(rf_policy_check(&policy, NULL), 0);
	policy.fields_set |= RF_FIELD_WRITE;
	cr_assert_lt(rf_policy_check(&policy, NULL), 0, "the other fields are still looked at");
}

static char *document(const struct rf_policy *policy, const char *workspace)
{
	struct str out = STR_INIT;

	rf_policy_document(policy, workspace, &out);
	cr_assert(!out.failed);
	return str_take(&out);
}

Test(document, of_the_default_policy)
{
	struct rf_policy policy = { 0 };
	_cleanup_free_ char *text = document(&policy, "/src");

	cr_assert_eq(strncmp(text, "{\"mode\":\"read-only\",\"workspace\":\"/src\",", 38), 0, "%s",
		     text);
	cr_assert_not_null(strstr(text, "\"write\":[],\"writeIfPresent\":[],\"network\":\"off\""),
			   "%s", text);
	cr_assert_not_null(strstr(text, "\"base\":\"inherit\""), "%s", text);
	cr_assert_not_null(strstr(text, "\"allowUserns\":false"), "%s", text);
	cr_assert_not_null(strstr(text, "\"backend\":\"auto\""), "%s", text);
}

Test(document, lists_are_sorted_and_strings_escaped)
{
	struct rf_policy one = { .mode = RF_MODE_WORKSPACE_WRITE }, other = one;
	static const char *const paths[] = { "/b", "/a\"\n\xff", "/c" };
	_cleanup_free_ char *first = NULL, *second = NULL;

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		strv_append(&one.write, paths[i]);
		strv_append(&other.write, paths[ARRAY_LEN(paths) - 1 - i]);
	}
	first = document(&one, "/w\x01");
	second = document(&other, "/w\x01");
	cr_assert_not_null(strstr(first, "\"write\":[\"/a\\\"\\u000a\\u00ff\",\"/b\",\"/c\"]"),
			   "%s", first);
	cr_assert_not_null(strstr(first, "\"workspace\":\"/w\\u0001\""), "%s", first);
	cr_assert_str_eq(first, second, "the order on the command line says nothing");
	cr_assert_str_eq(one.write.items[0], "/b", "the policy itself is left alone");
	rf_policy_release(&one);
	rf_policy_release(&other);
}

/* Each field on its own must change the document, or two policies would share an identity. */
Test(document, every_field_counts)
{
	struct rf_policy policies[10] = {
		[1] = { .mode = RF_MODE_WORKSPACE_WRITE },
		[2] = { .network = RF_NETWORK_HOST },
		[3] = { .environment = RF_ENVIRONMENT_CLEAN },
		[4] = { .backend = RF_BACKEND_LANDLOCK },
		[5] = { .allow_userns = true },
	};
	struct strv *lists[] = { &policies[6].write, &policies[7].write_if_present,
				 &policies[8].unset_variables, &policies[9].keep_variables };
	char *texts[ARRAY_LEN(policies)];

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		strv_append(lists[i], "NAME");
	for (size_t i = 0; i < ARRAY_LEN(policies); i++)
		texts[i] = document(&policies[i], "/w");
	for (size_t i = 0; i < ARRAY_LEN(policies); i++)
		for (size_t j = 0; j < i; j++)
			cr_expect_str_neq(texts[i], texts[j], "%zu and %zu: %s", i, j, texts[i]);
	for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
		rf_policy_release(&policies[i]);
		free(texts[i]);
	}
}

/* Of two values for one name the last one counts, so their order is part of the policy. */
Test(document, the_value_that_counts_is_the_one_shown)
{
	struct rf_policy one = { 0 }, other = { 0 };
	_cleanup_free_ char *first = NULL, *second = NULL;

	strv_append(&one.set_variables, "A=1");
	strv_append(&one.set_variables, "A=2");
	strv_append(&other.set_variables, "A=2");
	strv_append(&other.set_variables, "A=1");
	first = document(&one, "/w");
	second = document(&other, "/w");
	cr_assert_str_neq(first, second, "two policies, one identity: %s", first);
	rf_policy_release(&one);
	rf_policy_release(&other);
}
