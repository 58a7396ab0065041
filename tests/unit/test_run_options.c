/* SPDX-License-Identifier: MIT */
/* What each option of `run` sets, and what single options cannot see. */
#include "command/run_options.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct option_row *find(const char *name)
{
	for (const struct option_row *row = run_option_rows; row->apply; row++)
		if (row->name ? !strcmp(row->name, name) : row->letter == name[0] && !name[1])
			return row;
	return NULL;
}

static struct run_options fresh(void)
{
	return (struct run_options){ .status_fd = -1, .cap_abi = -1 };
}

static int apply(struct run_options *options, const char *name, const char *value,
		 struct rf_error *err)
{
	const struct option_row *row = find(name);

	cr_assert_not_null(row, "no option '%s'", name);
	cr_assert_eq(!row->argument, !value, "'%s'", name);
	return row->apply(options, value, err);
}

static struct run_options one(const char *name, const char *value)
{
	struct run_options options = fresh();
	struct rf_error err = { 0 };

	cr_assert_eq(apply(&options, name, value, &err), 0, "--%s %s: %s", name, value ? value : "",
		     err.msg);
	return options;
}

Test(run_options, rows_are_well_formed)
{
	for (const struct option_row *row = run_option_rows; row->apply; row++) {
		cr_expect(row->name || row->letter);
		cr_expect_not_null(row->help);
		cr_expect_not_null(row->section);
		for (const struct option_row *other = run_option_rows; other != row; other++) {
			cr_expect(!row->name || !other->name || strcmp(row->name, other->name));
			cr_expect(!row->letter || row->letter != other->letter);
		}
	}
}

Test(run_options, policy_values)
{
	cr_expect_eq(one("mode", "workspace-write").policy.mode, RF_MODE_WORKSPACE_WRITE);
	cr_expect_eq(one("w", NULL).policy.mode, RF_MODE_WORKSPACE_WRITE);
	cr_expect_str_eq(one("workspace", "/w").policy.workspace, "/w");
	cr_expect_eq(one("net", "host").policy.network, RF_NETWORK_HOST);
	cr_expect_eq(one("env", "clean").policy.environment, RF_ENVIRONMENT_CLEAN);
	cr_expect_eq(one("backend", "landlock").policy.backend, RF_BACKEND_LANDLOCK);
	cr_expect(one("allow-userns", NULL).policy.allow_userns);
}

Test(run_options, run_values)
{
	cr_expect_str_eq(one("chdir", "/d").directory, "/d");
	cr_expect_eq(one("status-fd", "3").status_fd, 3);
	cr_expect_eq(one("cap-abi", "0").cap_abi, 0);
	cr_expect(one("quiet", NULL).quiet);
	cr_expect(one("exec", NULL).direct);
	cr_expect_eq(one("keep-fd", "7").kept_fds[0], 7);
	cr_expect_eq(one("keep-fd", "7").kept_fds_len, 1);
}

/* What danger-full-access would lose must be noted, whatever its value. */
Test(run_options, restrictions_are_noted)
{
	static const struct {
		const char *name, *value;
		unsigned field;
	} cases[] = {
		{ "write", "/x", RF_FIELD_WRITE },
		{ "write-if-present", "/x", RF_FIELD_WRITE },
		{ "net", "off", RF_FIELD_NETWORK },
		{ "net", "host", RF_FIELD_NETWORK },
		{ "env", "inherit", RF_FIELD_ENVIRONMENT },
		{ "setenv", "A=1", RF_FIELD_ENVIRONMENT },
		{ "unsetenv", "A", RF_FIELD_ENVIRONMENT },
		{ "keep-env", "A", RF_FIELD_ENVIRONMENT },
		{ "backend", "auto", RF_FIELD_BACKEND },
		{ "allow-userns", NULL, RF_FIELD_ALLOW_USERNS },
		{ "mode", "read-only", 0 },
		{ "workspace", "/x", 0 },
		{ "chdir", "/x", 0 },
		{ "quiet", NULL, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run_options options = one(cases[i].name, cases[i].value);

		cr_expect_eq(options.policy.fields_set, cases[i].field, "--%s", cases[i].name);
		rf_policy_release(&options.policy);
	}
}

Test(run_options, lists_keep_their_order)
{
	struct run_options options = fresh();

	apply(&options, "write", "/b", NULL);
	apply(&options, "write-if-present", "/c", NULL);
	apply(&options, "write", "/a", NULL);
	apply(&options, "setenv", "A=1", NULL);
	apply(&options, "setenv", "A=", NULL);
	cr_assert_eq(options.policy.write.len, 2);
	cr_expect_str_eq(options.policy.write.items[0], "/b");
	cr_expect_str_eq(options.policy.write.items[1], "/a");
	cr_expect_str_eq(options.policy.write_if_present.items[0], "/c");
	cr_assert_eq(options.policy.set_variables.len, 2);
	cr_expect_str_eq(options.policy.set_variables.items[1], "A=");
	rf_policy_release(&options.policy);
}

Test(run_options, wrong_values)
{
	static const struct {
		const char *name, *value;
		enum rf_code code;
	} cases[] = {
		{ "mode", "write", RF_CODE_USAGE },
		{ "mode", "", RF_CODE_USAGE },
		{ "net", "on", RF_CODE_USAGE },
		{ "env", "empty", RF_CODE_USAGE },
		{ "backend", "bwrap", RF_CODE_USAGE },
		{ "status-fd", "2", RF_CODE_USAGE },
		{ "status-fd", "-1", RF_CODE_USAGE },
		{ "status-fd", "", RF_CODE_USAGE },
		{ "status-fd", " 3", RF_CODE_USAGE },
		{ "status-fd", "+3", RF_CODE_USAGE },
		{ "status-fd", "3x", RF_CODE_USAGE },
		{ "status-fd", "0x3", RF_CODE_USAGE },
		{ "status-fd", "2147483648", RF_CODE_USAGE },
		{ "status-fd", "99999999999999999999", RF_CODE_USAGE },
		{ "keep-fd", "0", RF_CODE_USAGE },
		{ "keep-fd", "x", RF_CODE_USAGE },
		{ "cap-abi", "-1", RF_CODE_USAGE },
		{ "cap-abi", "6.0", RF_CODE_USAGE },
		{ "setenv", "A", RF_CODE_USAGE },
		{ "setenv", "", RF_CODE_USAGE },
		{ "setenv", "=x", RF_CODE_USAGE },
		{ "unsetenv", "", RF_CODE_USAGE },
		{ "unsetenv", "A=1", RF_CODE_USAGE },
		{ "keep-env", "A=1", RF_CODE_USAGE },
		{ "setenv", "PATH=/x", RF_CODE_RESERVED_NAME },
		{ "setenv", "LD_PRELOAD=", RF_CODE_RESERVED_NAME },
		{ "setenv", "RINGFENCE=0", RF_CODE_RESERVED_NAME },
		{ "unsetenv", "RINGFENCE_MODE", RF_CODE_RESERVED_NAME },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run_options options = fresh();
		struct rf_error err = { 0 };

		cr_expect_lt(apply(&options, cases[i].name, cases[i].value, &err), 0, "--%s '%s'",
			     cases[i].name, cases[i].value);
		cr_expect_eq(err.code, cases[i].code, "--%s '%s': %s", cases[i].name,
			     cases[i].value, rf_code_name(err.code));
		cr_expect_eq(options.status_fd, -1);
		cr_expect_eq(options.kept_fds_len, 0);
		cr_expect_eq(options.cap_abi, -1);
		rf_policy_release(&options.policy);
	}
}

Test(run_options, no_more_descriptors_than_there_is_room_for)
{
	struct run_options options = fresh();
	struct rf_error err = { 0 };

	for (int i = 0; i < MAX_KEPT_FDS; i++)
		cr_assert_eq(apply(&options, "keep-fd", "3", &err), 0, "number %d", i);
	cr_assert_eq(apply(&options, "keep-fd", "3", &err), -EINVAL);
	cr_assert_eq(err.code, RF_CODE_USAGE);
	cr_assert_eq(options.kept_fds_len, MAX_KEPT_FDS);
}

static void expect_check(const struct run_options *options, enum rf_code code, const char *what)
{
	struct rf_error err = { 0 };
	int ret = run_options_check(options, &err);

	cr_expect_eq(ret < 0, code != RF_CODE_NONE, "%s: %s", what, err.msg);
	cr_expect_eq(err.code, code, "%s: %s", what, err.msg);
}

Test(run_options, contradictions)
{
	struct run_options options = fresh();

	expect_check(&options, RF_CODE_NONE, "nothing asked");
	options.direct = true;
	expect_check(&options, RF_CODE_NONE, "--exec");
	options.policy.backend = RF_BACKEND_LANDLOCK;
	expect_check(&options, RF_CODE_NONE, "--exec on landlock");
	options.policy.backend = RF_BACKEND_NAMESPACE;
	expect_check(&options, RF_CODE_POLICY_NOT_EXPRESSIBLE, "--exec in a namespace");
	options.policy.mode = RF_MODE_DANGER_FULL_ACCESS;
	expect_check(&options, RF_CODE_NONE, "--exec is what full access does");
	options.policy.fields_set = RF_FIELD_WRITE;
	expect_check(&options, RF_CODE_POLICY_NOT_EXPRESSIBLE, "--write in full access");
}

Test(run_options, descriptors)
{
	_cleanup_fd_ int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	_cleanup_fd_ int readable = open("/dev/null", O_RDONLY | O_CLOEXEC);
	_cleanup_fd_ int path = open("/dev/null", O_PATH | O_CLOEXEC);
	struct run_options options = fresh();

	options.status_fd = null;
	expect_check(&options, RF_CODE_NONE, "open for writing");
	options.kept_fds[options.kept_fds_len++] = readable;
	options.kept_fds[options.kept_fds_len++] = path;
	expect_check(&options, RF_CODE_NONE, "and two to keep");
	options.kept_fds[1] = null;
	expect_check(&options, RF_CODE_USAGE, "kept and the status channel");
	options.kept_fds[1] = 999999;
	expect_check(&options, RF_CODE_USAGE, "kept and not open");
	options.kept_fds_len = 0;
	options.status_fd = readable;
	expect_check(&options, RF_CODE_USAGE, "a channel for reading");
	options.status_fd = path;
	expect_check(&options, RF_CODE_USAGE, "a channel that is only a path");
	options.status_fd = 999999;
	expect_check(&options, RF_CODE_USAGE, "a channel that is not open");
}
