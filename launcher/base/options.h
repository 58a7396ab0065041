/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_OPTIONS_H
#define RF_BASE_OPTIONS_H

#include "error.h"

#include <stdio.h>

/*
 * One row an option: the parser, the help text and whatever else lists options read this table.
 * An option without `argument` is a flag; its `apply` gets NULL.
 */
struct option_row {
	const char *name;     /* without the dashes; NULL: the letter is all it has */
	char letter;	      /* 0: no short form */
	const char *argument; /* the placeholder in the help, NULL for a flag */
	const char *section;  /* the heading it is listed under */
	const char *help;
	int (*apply)(void *target, const char *value, struct rf_error *err);
};

/*
 * Parses argv[1…] by getopt_long(3) over `rows` (ended by a row without `apply`), calling `apply`
 * in the order of the command line. Names must be written in full: an abbreviation that is unique
 * today would change its meaning with the next option. Everything that is not an option must come
 * after "--". Returns the index of the first word after "--", which may be argc, or a negative
 * errno with the code `usage`. Uses getopt's global state: one call a process, one thread.
 */
int options_parse(int argc, char *argv[], const struct option_row *rows, void *target,
		  struct rf_error *err);

/* Prints the options by section, in the order of the table. */
void options_help(FILE *out, const struct option_row *rows);

#endif
