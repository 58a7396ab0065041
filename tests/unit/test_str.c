/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Test(str, appends_and_stays_terminated)
{
	_cleanup_str_ struct str s = STR_INIT;

	str_append(&s, "one");
	str_append_bytes(&s, " two\0three", 10);
	str_printf(&s, " %d%c", 4, '!');
	cr_assert_eq(s.len, 3 + 10 + 3);
	cr_assert_eq(memcmp(s.data, "one two\0three 4!", s.len + 1), 0);
	cr_assert(!s.failed);
}

Test(str, grows_over_many_appends)
{
	_cleanup_str_ struct str s = STR_INIT;

	for (int i = 0; i < 20000; i++)
		str_printf(&s, "%05d", i);
	cr_assert_eq(s.len, 100000);
	cr_assert_eq(strlen(s.data), 100000);
	cr_assert_eq(strncmp(s.data + 5 * 12345, "12345", 5), 0);
}

Test(str, appending_nothing_gives_an_empty_string)
{
	_cleanup_str_ struct str s = STR_INIT;

	str_append(&s, "");
	cr_assert_str_eq(s.data, "");
	cr_assert_eq(s.len, 0);
}

Test(str, take_hands_the_bytes_on)
{
	struct str s = STR_INIT;
	char *taken;

	str_append(&s, "mine");
	taken = str_take(&s);
	cr_assert_str_eq(taken, "mine");
	cr_assert_null(s.data);
	cr_assert_eq(s.len, 0);
	free(taken);
	cr_assert_null(str_take(&s));
}

Test(str, a_failure_stays_until_it_is_looked_at)
{
	struct str s = STR_INIT;

	str_append(&s, "kept");
	s.failed = true; /* as a short allocation leaves it */
	str_append(&s, " lost");
	str_append_json(&s, "lost");
	str_printf(&s, "%s", " lost");
	cr_assert_eq(s.len, 4);
	cr_assert_null(str_take(&s));
	cr_assert(!s.failed);
	cr_assert_null(s.data);
}

Test(str, release_can_be_repeated)
{
	struct str s = STR_INIT;

	str_append(&s, "x");
	str_release(&s);
	str_release(&s);
	cr_assert_null(s.data);
	str_append(&s, "again");
	cr_assert_str_eq(s.data, "again");
	str_release(&s);
}

struct json_case {
	const char *in, *out;
};

static void expect_json(const struct json_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		_cleanup_str_ struct str s = STR_INIT;

		str_append_json(&s, cases[i].in);
		cr_expect_str_eq(s.data, cases[i].out, "case %zu gives %s", i, s.data);
	}
}

Test(json, ascii)
{
	static const struct json_case cases[] = {
		{ NULL, "null" },
		{ "", "\"\"" },
		{ "plain", "\"plain\"" },
		{ "say \"hi\"", "\"say \\\"hi\\\"\"" },
		{ "a\\b", "\"a\\\\b\"" },
		{ "a/b", "\"a/b\"" },
		{ "\x01\x1f", "\"\\u0001\\u001f\"" },
		{ "\b\f\n\r\t", "\"\\u0008\\u000c\\u000a\\u000d\\u0009\"" },
		{ " ~\x7f", "\" ~\\u007f\"" },
	};

	expect_json(cases, ARRAY_LEN(cases));
}

/* The first and the last of each form of RFC 3629. */
Test(json, valid_utf8_stays)
{
	static const char *const valid[] = {
		"\xc2\x80",
		"\xdf\xbf",
		"\xe0\xa0\x80",
		"\xec\xbf\xbf",
		"\xed\x80\x80",
		"\xed\x9f\xbf",
		"\xee\x80\x80",
		"\xef\xbf\xbf",
		"\xf0\x90\x80\x80",
		"\xf3\xbf\xbf\xbf",
		"\xf4\x80\x80\x80",
		"\xf4\x8f\xbf\xbf",
		"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	};

	for (size_t i = 0; i < ARRAY_LEN(valid); i++) {
		_cleanup_str_ struct str expected = STR_INIT;
		_cleanup_str_ struct str s = STR_INIT;

		str_printf(&expected, "\"%s\"", valid[i]);
		str_append_json(&s, valid[i]);
		cr_expect_str_eq(s.data, expected.data, "sequence %zu", i);
	}
}

Test(json, invalid_bytes_become_escapes_one_by_one)
{
	static const struct json_case cases[] = {
		{ "\xff", "\"\\u00ff\"" },
		{ "\xfe\xff", "\"\\u00fe\\u00ff\"" },
		{ "\x80", "\"\\u0080\"" }, /* a continuation alone */
		{ "\xbf", "\"\\u00bf\"" },
		{ "\xc0\x80", "\"\\u00c0\\u0080\"" }, /* an overlong NUL */
		{ "\xc1\xbf", "\"\\u00c1\\u00bf\"" },
		{ "\xe0\x80\x80", "\"\\u00e0\\u0080\\u0080\"" }, /* overlong in three */
		{ "\xe0\x9f\xbf", "\"\\u00e0\\u009f\\u00bf\"" },
		{ "\xf0\x80\x80\x80", "\"\\u00f0\\u0080\\u0080\\u0080\"" },
		{ "\xf0\x8f\xbf\xbf", "\"\\u00f0\\u008f\\u00bf\\u00bf\"" },
		{ "\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\"" }, /* a surrogate */
		{ "\xed\xbf\xbf", "\"\\u00ed\\u00bf\\u00bf\"" },
		{ "\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\"" }, /* past U+10FFFF */
		{ "\xf5\x80\x80\x80", "\"\\u00f5\\u0080\\u0080\\u0080\"" },
		{ "\xc3", "\"\\u00c3\"" }, /* cut short by the end */
		{ "\xe2\x82", "\"\\u00e2\\u0082\"" },
		{ "\xf0\x9f\x98", "\"\\u00f0\\u009f\\u0098\"" },
		{ "\xc3z", "\"\\u00c3z\"" }, /* … by another character */
		{ "\xe2\x82z", "\"\\u00e2\\u0082z\"" },
		{ "\xf0\x9f\x98z", "\"\\u00f0\\u009f\\u0098z\"" },
		{ "\xe2\xe2\x82\xac", "\"\\u00e2\xe2\x82\xac\"" }, /* … by a valid sequence */
		{ "\xc3\"", "\"\\u00c3\\\"\"" },
	};

	expect_json(cases, ARRAY_LEN(cases));
}

/* Every byte and every pair of bytes: the result has quotes, and nothing raw that JSON forbids. */
Test(json, no_pair_of_bytes_breaks_out)
{
	for (unsigned pair = 0x0101; pair <= 0xffff; pair++) {
		char in[3] = { (char)(pair >> 8), (char)pair, '\0' };
		_cleanup_str_ struct str s = STR_INIT;
		bool fine = true;

		if (!in[0])
			continue;
		str_append_json(&s, in);
		for (size_t i = 1; i + 1 < s.len; i++) {
			fine = fine && (unsigned char)s.data[i] >= 0x20;
			fine = fine && (s.data[i] != '"' || s.data[i - 1] == '\\');
		}
		cr_assert(fine && s.data[0] == '"' && s.data[s.len - 1] == '"', "%04x", pair);
	}
}

Test(strv, is_a_list_that_ends_with_null)
{
	static const char *const words[] = { "a", "b", "c" };
	struct strv v = { 0 };

	for (size_t i = 0; i < 1000; i++) {
		cr_assert_eq(strv_append(&v, words[i % 3]), 0);
		cr_assert_eq(v.len, i + 1);
		cr_assert_null(v.items[v.len]);
	}
	for (size_t i = 0; i < v.len; i++)
		cr_assert_eq(v.items[i], words[i % 3], "pointers are kept, not copied");
	strv_release(&v);
	cr_assert_eq(v.len, 0);
	cr_assert_null(v.items);
	strv_release(&v);
}
