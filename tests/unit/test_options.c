/* SPDX-License-Identifier: MIT */
#include "child.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAX_WORDS 10

/* getopt_long(3) has global state: each command line is parsed in a process of its own. */
struct parse {
	const struct option_row *rows;
	const char *const *words;
	int argc, ret;
	struct rf_error err;
	char trace[256]; /* what was applied, in order: "NAME=VALUE " or "NAME " */
};

static int note(void *target, const char *name, const char *value)
{
	struct parse *parse = target;
	size_t used = strlen(parse->trace);

	snprintf(parse->trace + used, sizeof(parse->trace) - used, "%s%s%s ", name,
		 value ? "=" : "", value ? value : "");
	return 0;
}

#define DEFINE_NOTE(function, name)                                                                \
	static int function(void *target, const char *value, struct rf_error *err)                 \
	{                                                                                          \
		(void)err;                                                                         \
		return note(target, name, value);                                                  \
	}

DEFINE_NOTE(note_write, "write")
DEFINE_NOTE(note_write_if_present, "write-if-present")
DEFINE_NOTE(note_quiet, "quiet")
DEFINE_NOTE(note_w, "w")
DEFINE_NOTE(note_output, "output")

static int refuse(void *target, const char *value, struct rf_error *err)
{
	note(target, "refuse", value);
	return rf_error_set(err, RF_CODE_RESERVED_NAME, EACCES, "refused '%s'", value);
}

static const struct option_row rows[] = {
	{ "write", 0, "PATH", "one", "a value", note_write },
	{ "write-if-present", 0, "PATH", "one", "the same start", note_write_if_present },
	{ "quiet", 'q', NULL, "two", "a flag with a letter", note_quiet },
	{ NULL, 'w', NULL, "two", "a letter alone", note_w },
	{ "output", 'o', "FILE", "two", "a value with a letter", note_output },
	{ "refuse", 0, "X", "two", "fails", refuse },
	{ 0 },
};

static int parse_in_child(void *data)
{
	struct parse *parse = data;
	char *argv[MAX_WORDS + 2] = { (char *)"program" };

	for (parse->argc = 1; parse->words[parse->argc - 1]; parse->argc++)
		argv[parse->argc] = (char *)parse->words[parse->argc - 1];
	parse->ret = options_parse(parse->argc, argv, parse->rows, parse, &parse->err);
	return 0;
}

static struct parse parse_words(const struct option_row *table, const char *const *words)
{
	struct parse *shared = child_memory(sizeof(*shared)), result;

	cr_assert_not_null(shared);
	shared->rows = table;
	shared->words = words;
	cr_assert_eq(child_run(parse_in_child, shared), 0, "parsing '%s' crashed",
		     words[0] ? words[0] : "");
	result = *shared;
	child_memory_release(shared, sizeof(*shared));
	return result;
}

struct accepted {
	const char *words[MAX_WORDS];
	int first; /* the index of the command in argv */
	const char *trace;
};

static void expect_accepted(const struct accepted *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct parse parse = parse_words(rows, cases[i].words);

		cr_expect_eq(parse.ret, cases[i].first, "case %zu: %d, %s", i, parse.ret,
			     parse.err.msg);
		cr_expect_str_eq(parse.trace, cases[i].trace, "case %zu: '%s'", i, parse.trace);
	}
}

struct refused {
	const char *words[MAX_WORDS];
	const char *message;
	const char *trace;
};

static void expect_refused(const struct refused *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct parse parse = parse_words(rows, cases[i].words);

		cr_expect_eq(parse.ret, -EINVAL, "case %zu: %d", i, parse.ret);
		cr_expect_eq(parse.err.code, RF_CODE_USAGE, "case %zu", i);
		cr_expect_str_eq(parse.err.msg, cases[i].message, "case %zu: %s", i, parse.err.msg);
		cr_expect_str_eq(parse.trace, cases[i].trace, "case %zu: '%s'", i, parse.trace);
	}
}

Test(options, values_and_flags)
{
	static const struct accepted cases[] = {
		{ { "--", "cmd" }, 2, "" },
		{ { "--write", "/a", "--", "cmd" }, 4, "write=/a " },
		{ { "--write=/a", "--", "cmd" }, 3, "write=/a " },
		{ { "--write=", "--", "cmd" }, 3, "write= " },
		{ { "--write", "", "--", "cmd" }, 4, "write= " },
		{ { "--write=a=b", "--", "cmd" }, 3, "write=a=b " },
		{ { "--write-if-present=x", "--", "c" }, 3, "write-if-present=x " },
		{ { "--write", "1", "--quiet", "--write=2", "--", "c" },
		  6,
		  "write=1 quiet write=2 " },
		{ { "--quiet", "--quiet", "--", "c" }, 4, "quiet quiet " },
	};

	expect_accepted(cases, ARRAY_LEN(cases));
}

Test(options, letters)
{
	static const struct accepted cases[] = {
		{ { "-w", "--", "c" }, 3, "w " },
		{ { "-q", "-w", "--", "c" }, 4, "quiet w " },
		{ { "-qw", "--", "c" }, 3, "quiet w " },
		{ { "-o", "f", "--", "c" }, 4, "output=f " },
		{ { "-of", "--", "c" }, 3, "output=f " },
		{ { "-qwof", "--", "c" }, 3, "quiet w output=f " },
		{ { "--output", "f", "-o", "--", "--", "c" }, 6, "output=f output=-- " },
	};

	expect_accepted(cases, ARRAY_LEN(cases));
}

/* A "--" that is an option's value does not end the options; only the one after it does. */
Test(options, double_dash_as_a_value)
{
	static const struct accepted accepted[] = {
		{ { "--write", "--", "--", "c" }, 4, "write=-- " },
		{ { "--write=--", "--", "c" }, 3, "write=-- " },
		{ { "--write", "--write", "--", "c" }, 4, "write=--write " },
		{ { "--write", "-q", "--", "c" }, 4, "write=-q " },
	};
	static const struct refused refused[] = {
		{ { "--write", "--" }, "no command given: '-- COMMAND' is missing", "write=-- " },
		{ { "--write", "--", "c" },
		  "extra argument 'c': '--' is required before the command",
		  "write=-- " },
		{ { "-o", "--", "c" },
		  "extra argument 'c': '--' is required before the command",
		  "output=-- " },
		{ { "--write=--", "c", "--", "d" },
		  "extra argument 'c': '--' is required before the command",
		  "write=-- " },
	};

	expect_accepted(accepted, ARRAY_LEN(accepted));
	expect_refused(refused, ARRAY_LEN(refused));
}

/* What follows the separator is the command's, whatever it looks like. */
Test(options, after_the_separator_nothing_is_read)
{
	static const struct accepted cases[] = {
		{ { "--", "--write", "x" }, 2, "" },
		{ { "--", "--", "c" }, 2, "" },
		{ { "-q", "--", "-q", "--nonsense" }, 3, "quiet " },
		{ { "--", "" }, 2, "" },
		{ { "--" }, 2, "" }, /* no command: argc itself */
	};

	expect_accepted(cases, ARRAY_LEN(cases));
}

Test(options, the_separator_is_required)
{
	static const struct refused cases[] = {
		{ { NULL }, "no command given: '-- COMMAND' is missing", "" },
		{ { "-q" }, "no command given: '-- COMMAND' is missing", "quiet " },
		{ { "c" }, "extra argument 'c': '--' is required before the command", "" },
		{ { "-q", "c", "--", "d" },
		  "extra argument 'c': '--' is required before the command",
		  "quiet " },
		{ { "", "--", "c" }, "extra argument '': '--' is required before the command", "" },
		{ { "-", "--", "c" },
		  "extra argument '-': '--' is required before the command",
		  "" },
	};

	expect_refused(cases, ARRAY_LEN(cases));
}

Test(options, names_are_written_in_full)
{
	static const struct refused cases[] = {
		{ { "--quie", "--", "c" }, "unknown option '--quie'", "" },
		{ { "--q", "--", "c" }, "unknown option '--q'", "" },
		{ { "--outp=x", "--", "c" }, "unknown option '--outp'", "" },
		{ { "--outp", "x", "--", "c" }, "unknown option '--outp'", "" },
		{ { "--write-if", "x", "--", "c" }, "unknown option '--write-if'", "" },
		{ { "--writ=x", "--", "c" }, "unknown option '--writ'", "" }, /* ambiguous */
		{ { "--w", "--", "c" }, "unknown option '--w'", "" },
		{ { "-q", "--ref=1", "--", "c" }, "unknown option '--ref'", "quiet " },
	};

	expect_refused(cases, ARRAY_LEN(cases));
}

Test(options, unknown_ones)
{
	static const struct refused cases[] = {
		{ { "--nonsense", "--", "c" }, "unknown option '--nonsense'", "" },
		{ { "--nonsense=secret", "--", "c" }, "unknown option '--nonsense'", "" },
		{ { "--quietly", "--", "c" }, "unknown option '--quietly'", "" },
		{ { "--Quiet", "--", "c" }, "unknown option '--Quiet'", "" },
		{ { "-x", "--", "c" }, "unknown option '-x'", "" },
		{ { "-qx", "--", "c" }, "unknown option '-qx'", "quiet " },
		{ { "-write", "x", "--", "c" }, "unknown option '-write'", "w " },
		{ { "--=x", "--", "c" }, "unknown option '--'", "" },
		{ { "---quiet", "--", "c" }, "unknown option '---quiet'", "" },
		{ { "-:", "--", "c" }, "unknown option '-:'", "" },
		{ { "-?", "--", "c" }, "unknown option '-?'", "" },
		{ { "-+", "--", "c" }, "unknown option '-+'", "" },
	};

	expect_refused(cases, ARRAY_LEN(cases));
}

Test(options, a_flag_takes_no_value)
{
	static const struct refused cases[] = {
		{ { "--quiet=yes", "--", "c" }, "unknown option '--quiet'", "" },
		{ { "--quiet=", "--", "c" }, "unknown option '--quiet'", "" },
		{ { "--quiet", "yes", "--", "c" },
		  "extra argument 'yes': '--' is required before the command",
		  "quiet " },
	};

	expect_refused(cases, ARRAY_LEN(cases));
}

Test(options, a_missing_value)
{
	static const struct refused cases[] = {
		{ { "--write" }, "option '--write' needs a value", "" },
		{ { "-q", "--output" }, "option '--output' needs a value", "quiet " },
		{ { "-o" }, "option '-o' needs a value", "" },
	};

	expect_refused(cases, ARRAY_LEN(cases));
}

Test(options, the_first_refusal_ends_it)
{
	static const char *const words[] = { "-q", "--refuse", "me", "-w", "--", "c", NULL };
	struct parse parse = parse_words(rows, words);

	cr_assert_eq(parse.ret, -EACCES);
	cr_assert_eq(parse.err.code, RF_CODE_RESERVED_NAME);
	cr_assert_str_eq(parse.trace, "quiet refuse=me ");
}

Test(options, unknown_ones_come_with_a_hint)
{
	static const char *const words[] = { "--nonsense", NULL };
	struct parse parse = parse_words(rows, words);

	cr_assert_str_eq(parse.err.hint, "run 'ringfence help run' for the list");
}

Test(options, too_large_a_table_is_an_error_of_our_own)
{
	static const char *const words[] = { "--", "c", NULL };
	struct option_row many[66] = { 0 };
	struct parse parse;

	for (size_t i = 0; i < 65; i++)
		many[i] = rows[0];
	parse = parse_words(many, words);
	cr_assert_eq(parse.err.code, RF_CODE_INTERNAL);
	many[64] = (struct option_row){ 0 };
	parse = parse_words(many, words);
	cr_assert_eq(parse.ret, 2, "64 rows fit");
}

Test(options, help_lists_every_row_by_section)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	cr_assert_not_null(out);
	options_help(out, rows);
	fclose(out);
	cr_expect_str_eq(text, "\none:\n"
			       "  --write PATH                   a value\n"
			       "  --write-if-present PATH        the same start\n"
			       "\ntwo:\n"
			       "  --quiet                        a flag with a letter\n"
			       "  -w                             a letter alone\n"
			       "  --output FILE                  a value with a letter\n"
			       "  --refuse X                     fails\n");
	free(text);
}
