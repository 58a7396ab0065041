/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <string.h>

const struct command commands[] = {
	{ "run", "run a command confined", command_run, command_run_help },
	{ "help", "show the options of a subcommand", command_help, command_help_help },
	{ 0 },
};

const struct command *command_find(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

int command_fail(const struct rf_error *err)
{
	char text[sizeof(err->msg) + 256];
	char hint[sizeof(err->hint) * 2];

	rf_error_text(err, text, sizeof(text));
	fprintf(stderr, "ringfence: error: %s: %s\n", rf_code_name(err->code), text);
	if (err->hint[0]) {
		rf_escape_line(err->hint, hint, sizeof(hint));
		fprintf(stderr, "ringfence: hint: %s\n", hint);
	}
	return COMMAND_STATUS_FAILED;
}
