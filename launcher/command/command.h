/* SPDX-License-Identifier: MIT */
#ifndef RF_COMMAND_H
#define RF_COMMAND_H

#include "process/process.h"

#include <stdio.h>

/* ringfence's own failure; the command did not run. */
#define COMMAND_STATUS_FAILED 125

/* One subcommand of the hot-path program. argv[0] is its own name. */
struct command {
	const char *name;
	const char *summary;
	int (*main)(int argc, char *argv[], char *environment[]);
	void (*help)(FILE *out);
};

int command_run(int argc, char *argv[], char *environment[]);
void command_run_help(FILE *out);
int command_help(int argc, char *argv[], char *environment[]);
void command_help_help(FILE *out);

/* The table of subcommands, ended by a row without a name. */
extern const struct command commands[];
const struct command *command_find(const char *name);

/* Prints the error and its hint, a line each, and returns COMMAND_STATUS_FAILED. */
int command_fail(const struct rf_error *err);

#endif
