/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#define MAX_OPTIONS 64
#define LONG_BASE 256 /* above every letter, so that getopt's return value names the row */

static size_t count_rows(const struct option_row *rows)
{
	size_t count = 0;

	while (rows[count].apply)
		count++;
	return count;
}

static void fill_getopt(const struct option_row *rows, size_t count, struct option *names,
			char *letters)
{
	*letters++ = '+'; /* stop at the first word that is no option */
	*letters++ = ':'; /* a missing value is told apart from an unknown option */
	for (size_t i = 0; i < count; i++) {
		if (rows[i].name)
			*names++ = (struct option){
				.name = rows[i].name,
				.has_arg = rows[i].argument ? required_argument : no_argument,
				.val = LONG_BASE + (int)i,
			};
		if (!rows[i].letter)
			continue;
		*letters++ = rows[i].letter;
		if (rows[i].argument)
			*letters++ = ':';
	}
	*names = (struct option){ 0 };
	*letters = '\0';
}

static const struct option_row *find_row(const struct option_row *rows, int value)
{
	if (value >= LONG_BASE)
		return &rows[value - LONG_BASE];
	for (; rows->apply; rows++)
		if (rows->letter && rows->letter == value)
			return rows;
	return NULL;
}

static int unknown_option(const char *word, struct rf_error *err)
{
	rf_error_set(err, RF_CODE_USAGE, 0, "unknown option '%.*s'",
		     word[1] == '-' ? (int)strcspn(word, "=") : (int)strlen(word), word);
	rf_error_hint(err, "run 'ringfence help run' for the list");
	return -EINVAL;
}

static bool is_abbreviated(const char *word, const struct option_row *row)
{
	if (strncmp(word, "--", 2))
		return false;
	return strcspn(word + 2, "=") != strlen(row->name);
}

static int apply_option(int value, const char *word, const struct option_row *rows, void *target,
			struct rf_error *err)
{
	const struct option_row *row = value == '?' || value == ':' ? NULL : find_row(rows, value);

	if (value == ':')
		return rf_error_set(err, RF_CODE_USAGE, 0, "option '%s' needs a value", word);
	if (!row || is_abbreviated(word, row))
		return unknown_option(word, err);
	return row->apply(target, row->argument ? optarg : NULL, err);
}

/* `parsed` is where the last option ended: a "--" beyond it was no option's value. */
static int find_command(int argc, char *argv[], int parsed, struct rf_error *err)
{
	if (optind == parsed + 1 && !strcmp(argv[parsed], "--"))
		return optind;
	if (optind < argc)
		return rf_error_set(err, RF_CODE_USAGE, 0,
				    "extra argument '%s': '--' is required before the command",
				    argv[optind]);
	return rf_error_set(err, RF_CODE_USAGE, 0, "no command given: '-- COMMAND' is missing");
}

int options_parse(int argc, char *argv[], const struct option_row *rows, void *target,
		  struct rf_error *err)
{
	struct option names[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 3];
	size_t count = count_rows(rows);
	int parsed = optind;

	if (count > MAX_OPTIONS)
		return rf_error_set(err, RF_CODE_INTERNAL, 0, "too many options in the table");
	fill_getopt(rows, count, names, letters);
	opterr = 0;
	for (;;) {
		const char *word = optind < argc ? argv[optind] : "";
		int value = getopt_long(argc, argv, letters, names, NULL);
		int ret;

		if (value == -1)
			return find_command(argc, argv, parsed, err);
		ret = apply_option(value, word, rows, target, err);
		if (ret < 0)
			return ret;
		parsed = optind;
	}
}

static void help_row(FILE *out, const struct option_row *row)
{
	char left[40];

	if (row->name)
		snprintf(left, sizeof(left), "--%s%s%s", row->name, row->argument ? " " : "",
			 row->argument ? row->argument : "");
	else
		snprintf(left, sizeof(left), "-%c", row->letter);
	fprintf(out, "  %-30s %s\n", left, row->help);
}

void options_help(FILE *out, const struct option_row *rows)
{
	const char *section = NULL;

	for (; rows->apply; rows++) {
		if (!section || strcmp(section, rows->section))
			fprintf(out, "\n%s:\n", rows->section);
		section = rows->section;
		help_row(out, rows);
	}
}
