/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

Test(error, set_fills_in_what_failed)
{
	struct rf_error err;
	int ret;

	memset(&err, 0xa5, sizeof(err));
	ret = rf_error_set(&err, RF_CODE_ROOT_MISSING, ENOENT, "cannot open '%s'", "/nowhere");
	cr_assert_eq(ret, -ENOENT);
	cr_assert_eq(err.code, RF_CODE_ROOT_MISSING);
	cr_assert_eq(err.errnum, ENOENT);
	cr_assert_str_eq(err.msg, "cannot open '/nowhere'");
	cr_assert_str_empty(err.step);
	cr_assert_str_empty(err.hint);
}

Test(error, without_an_errno_it_is_einval)
{
	struct rf_error err;

	cr_assert_eq(rf_error_set(&err, RF_CODE_USAGE, 0, "no command"), -EINVAL);
	cr_assert_eq(err.errnum, 0);
	cr_assert_eq(rf_error_set(NULL, RF_CODE_USAGE, 0, "nobody listens"), -EINVAL);
	cr_assert_eq(rf_error_set(NULL, RF_CODE_USAGE, EPERM, "nobody listens"), -EPERM);
}

Test(error, a_second_error_replaces_step_and_hint)
{
	struct rf_error err;

	rf_error_set(&err, RF_CODE_SETUP_FAILED, EPERM, "first");
	rf_error_hint(&err, "hint");
	strcpy(err.step, "mounts");
	rf_error_set(&err, RF_CODE_SETUP_FAILED, EACCES, "second");
	cr_assert_str_empty(err.step);
	cr_assert_str_empty(err.hint);
	cr_assert_str_eq(err.msg, "second");
}

Test(error, the_first_hint_stays)
{
	struct rf_error err;

	rf_error_set(&err, RF_CODE_USAGE, 0, "x");
	rf_error_hint(&err, "number %d", 1);
	rf_error_hint(&err, "number %d", 2);
	cr_assert_str_eq(err.hint, "number 1");
	rf_error_hint(NULL, "nobody listens");
}

Test(error, long_messages_are_cut_and_terminated)
{
	struct rf_error err;
	char text[2000];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	rf_error_set(&err, RF_CODE_USAGE, 0, "%s", text);
	rf_error_hint(&err, "%s", text);
	cr_assert_eq(strlen(err.msg), sizeof(err.msg) - 1);
	cr_assert_eq(strlen(err.hint), sizeof(err.hint) - 1);
}

Test(error, errno_is_left_alone)
{
	struct rf_error err;

	errno = EXDEV;
	rf_error_set(&err, RF_CODE_USAGE, ENOENT, "%s %d", "text", 7);
	rf_error_hint(&err, "hint %d", 7);
	cr_assert_eq(errno, EXDEV);
}

/* The names are read by other programs: typed here once more, in their order. */
Test(error, code_names_are_the_closed_list)
{
	static const char *const names[] = {
		"none",
		"usage",
		"policy-conflict",
		"policy-not-expressible",
		"workspace-is-root",
		"workspace-missing",
		"workspace-not-a-directory",
		"root-missing",
		"root-refused",
		"fd-is-directory",
		"path-changed",
		"reserved-name",
		"sandbox-unavailable",
		"setup-failed",
		"exec-failed",
		"internal",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		cr_expect_str_eq(rf_code_name((enum rf_code)i), names[i]);
	cr_expect_eq(RF_CODE_INTERNAL, ARRAY_LEN(names) - 1, "a code without a test");
	cr_expect_str_eq(rf_code_name((enum rf_code)ARRAY_LEN(names)), "internal");
	cr_expect_str_eq(rf_code_name((enum rf_code) - 1), "internal");
}

Test(error, text_has_the_errno_last)
{
	struct rf_error err;
	char text[200];

	rf_error_set(&err, RF_CODE_ROOT_MISSING, ENOENT, "cannot open '/a\nb'");
	rf_error_text(&err, text, sizeof(text));
	cr_assert_str_eq(text, "cannot open '/a\\x0ab': No such file or directory");
	err.errnum = 0;
	rf_error_text(&err, text, sizeof(text));
	cr_assert_str_eq(text, "cannot open '/a\\x0ab'");
}

Test(error, text_fits_into_every_buffer)
{
	struct rf_error err;
	char text[64];

	rf_error_set(&err, RF_CODE_ROOT_MISSING, ENOENT, "ab\x01\x02\x03");
	for (size_t size = 1; size < sizeof(text); size++) {
		memset(text, 'Z', sizeof(text));
		rf_error_text(&err, text, size);
		cr_expect_neq(memchr(text, '\0', size), NULL, "size %zu", size);
		for (size_t i = size; i < sizeof(text); i++)
			cr_expect_eq(text[i], 'Z', "size %zu, byte %zu", size, i);
	}
}

Test(error, escape_leaves_text_and_turns_control_bytes)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "", "" },
		{ "plain text", "plain text" },
		{ "\t\n\r", "\\x09\\x0a\\x0d" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "\x01\x1f\x20\x7e\x7f", "\\x01\\x1f ~\\x7f" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xff\xfe", "\xff\xfe" },
		{ "a\\b'c\"d", "a\\b'c\"d" },
	};
	char buf[100];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rf_escape_line(cases[i].in, buf, sizeof(buf));
		cr_expect_str_eq(buf, cases[i].out);
	}
}

Test(error, escape_never_cuts_an_escape_in_half)
{
	char buf[32];

	for (size_t size = 1; size <= sizeof(buf); size++) {
		size_t len;

		memset(buf, 'Z', sizeof(buf));
		rf_escape_line("\x01\x02\x03\x04\x05\x06\x07\x08", buf, size);
		len = strlen(buf);
		cr_expect_lt(len, size);
		cr_expect_eq(len % 4, 0, "size %zu gives '%s'", size, buf);
	}
}
