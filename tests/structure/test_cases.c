/* SPDX-License-Identifier: MIT */
/*
 * The table of cases against the list of cases and against the sources: each case has a line, and
 * each test that a line names is there.
 */
#include <criterion/criterion.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MIN 72
#define REASON_MIN 20
#define NAME_MAX_LEN 200

/* A line of the table: what stands between the bars. */
struct row {
	char id[8], kind[24], tests[512], remark[512];
};

/* Sources of tests, one after the other. Behaviours are strings in the tables of one folder, and
 * the same strings mean something else in others. */
struct sources {
	char *text;
	size_t len;
};
static struct sources all, behaviours;

static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	cr_assert_not_null(file, "cannot open '%s'", path);
	cr_assert_geq(getdelim(&text, &size, '\0', file), 0, "cannot read '%s'", path);
	fclose(file);
	return text;
}

static const char *source_path(const char *name)
{
	static char path[4096];
	const char *top = getenv("RINGFENCE_SOURCE");

	cr_assert_not_null(top, "RINGFENCE_SOURCE is not set");
	snprintf(path, sizeof(path), "%s/tests/%s", top, name);
	return path;
}

/* What is written on a new line after a bracket is moved behind it. */
static void add_text(struct sources *to, const char *text)
{
	to->text = realloc(to->text, to->len + strlen(text) + 1);
	cr_assert_not_null(to->text);
	while (*text) {
		to->text[to->len++] = *text;
		text += *text == '(' ? 1 + strspn(text + 1, " \t\n") : 1;
	}
	to->text[to->len] = '\0';
}

/* This file names tests of its own only to say how they are found. */
static int add_source(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	size_t len = strlen(path);
	char *text;

	(void)st, (void)ftw;
	if (type != FTW_F || len < 2 || strcmp(path + len - 2, ".c") != 0)
		return 0;
	if (strstr(path, "/structure/"))
		return 0;
	text = read_whole(path);
	add_text(&all, text);
	if (strstr(path, "/parity/behaviours"))
		add_text(&behaviours, text);
	free(text);
	return 0;
}

static void read_sources(void)
{
	cr_assert_eq(nftw(source_path(""), add_source, 16, FTW_PHYS), 0);
	cr_assert_gt(behaviours.len, 10000, "only %zu bytes of sources", behaviours.len);
}

/* How a name can be written in a source; the first that is found will do. */
static const struct {
	const char *suite; /* NULL: any */
	const char *format;
	bool without_name; /* the reference is a suite alone */
	const struct sources *in;
} forms[] = {
	{ NULL, "(%1$s, %2$s)", false, &all },
	{ NULL, "(%1$s, %2$s,", false, &all },
	{ "parity", "{ \"%2$s\",", false, &behaviours },
	{ "parity", "(\"%2$s\",", false, &behaviours },
	{ "view", "EXPERIMENT(%2$s,", false, &all },
	{ "escape", "ATTACK(%2$s)", false, &all },
	{ NULL, "EACH(%1$s,", true, &all },
	{ NULL, "BOTH(%1$s,", true, &all },
};

/* printf() with the two names for %1$s and %2$s, since a format from a table is not checked. */
static void fill(char text[static NAME_MAX_LEN], const char *format, const char *suite,
		 const char *name)
{
	size_t n = 0;

	while (*format && n + 1 < NAME_MAX_LEN) {
		bool first = !strncmp(format, "%1$s", 4), second = !strncmp(format, "%2$s", 4);

		if (!first && !second) {
			text[n++] = *format++;
			continue;
		}
		n += (size_t)snprintf(text + n, NAME_MAX_LEN - n, "%s", first ? suite : name);
		n = n < NAME_MAX_LEN ? n : NAME_MAX_LEN - 1;
		format += 4;
	}
	text[n] = '\0';
}

static bool test_exists(const char *reference)
{
	char suite[NAME_MAX_LEN], text[NAME_MAX_LEN];
	const char *slash = strchr(reference, '/');

	snprintf(suite, sizeof(suite), "%.*s", (int)strcspn(reference, "/"), reference);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (forms[i].without_name != !slash ||
		    (forms[i].suite && strcmp(forms[i].suite, suite) != 0))
			continue;
		fill(text, forms[i].format, suite, slash ? slash + 1 : "");
		if (strstr(forms[i].in->text, text))
			return true;
	}
	return false;
}

/* Fields are parted by " | "; a field without anything is a single blank between two bars. */
static bool parse_row(const char *line, struct row *ret)
{
	char *const field[] = { ret->id, ret->kind, ret->tests, ret->remark };
	const size_t size[] = { sizeof(ret->id), sizeof(ret->kind), sizeof(ret->tests),
				sizeof(ret->remark) };

	if (line[0] != '|')
		return false;
	for (size_t i = 0; i < 4; i++) {
		size_t len;

		line++;
		line += strspn(line, " ");
		len = strcspn(line, "|\n");
		if (line[len] != '|')
			return false;
		snprintf(field[i], size[i], "%.*s", (int)len, line);
		for (char *end = field[i] + strlen(field[i]); end > field[i] && end[-1] == ' ';)
			*--end = '\0';
		line += len;
	}
	return ret->id[0] == 'B';
}

/* The number of lines for a case; the last of them is given back. */
static size_t find_row(const char *table, const char *id, struct row *ret)
{
	size_t found = 0;

	for (const char *line = table; *line; line = strchrnul(line, '\n'), line += *line == '\n') {
		struct row row;

		if (parse_row(line, &row) && !strcmp(row.id, id)) {
			*ret = row;
			found++;
		}
	}
	return found;
}

static size_t check_tests(const struct row *row)
{
	size_t n = 0;
	char copy[sizeof(row->tests)], *rest = copy, *word;

	snprintf(copy, sizeof(copy), "%s", row->tests);
	while ((word = strsep(&rest, " "))) {
		size_t len = strlen(word);

		if (!strcmp(word, "-"))
			continue;
		cr_assert(len > 2 && word[0] == '`' && word[len - 1] == '`', "%s: '%s'", row->id,
			  word);
		word[len - 1] = '\0';
		cr_expect(test_exists(word + 1), "%s: there is no test '%s'", row->id, word + 1);
		n++;
	}
	return n;
}

static void check_row(const struct row *row, const char *kind)
{
	bool excused = !strncmp(row->remark, "reason: ", 8) || !strncmp(row->remark, "later: ", 7);

	cr_expect_str_eq(row->kind, kind, "%s: kind '%s', not '%s'", row->id, row->kind, kind);
	if (check_tests(row) == 0)
		cr_expect(excused && strlen(row->remark) > REASON_MIN,
			  "%s: neither a test nor a reason: '%s'", row->id, row->remark);
}

Test(cases, each_has_a_test_or_a_reason, .timeout = 30)
{
	char *list = read_whole(source_path("cases.tsv"));
	char *table = read_whole(source_path("cases.md"));
	char *rest = list, *line;
	size_t cases = 0;

	read_sources();
	strsep(&rest, "\n"); /* the heading */
	while ((line = strsep(&rest, "\n")) && *line) {
		const char *id = strsep(&line, "\t");
		struct row row;
		size_t found = find_row(table, id, &row);

		cr_expect_eq(found, 1, "%s: %zu lines in the table", id, found);
		if (found)
			check_row(&row, line);
		cases++;
	}
	cr_expect_geq(cases, CASES_MIN, "only %zu cases", cases);
	free(list);
	free(table);
}

/* Names that nothing has are noticed, or the check above would prove nothing. */
Test(cases, control_unknown_tests)
{
	static const char *const unknown[] = { "usage/nosuch",	"parity/nosuch", "view/nosuch",
					       "escape/nosuch", "nosuch",	 "nosuch/errors",
					       "usage",		"escape/writ",	 "parity/creat" };
	static const char *const known[] = { "usage/errors", "parity/create", "view/every_mount",
					     "escape/write", "exit_status" };

	read_sources();
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		cr_expect_not(test_exists(unknown[i]), "'%s' is found", unknown[i]);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		cr_expect(test_exists(known[i]), "'%s' is not found", known[i]);
}
