/* SPDX-License-Identifier: MIT */
#include "command.h"

static void general_help(FILE *out)
{
	fprintf(out, "usage: ringfence COMMAND …\n"
		     "       ringfence [run] [policy] [run options] -- COMMAND [ARG…]\n\n"
		     "Runs any command confined: no setuid bit, no daemon, no configuration.\n\n"
		     "commands:\n");
	for (const struct command *command = commands; command->name; command++)
		fprintf(out, "  %-8s %s\n", command->name, command->summary);
	fprintf(out,
		"\n'ringfence help COMMAND' shows the options of one, '--version' the version.\n");
}

void command_help_help(FILE *out)
{
	fprintf(out, "usage: ringfence help [COMMAND]\n");
}

int command_help(int argc, char *argv[], char *environment[])
{
	const struct command *command;
	struct rf_error error;

	(void)environment;
	if (argc < 2) {
		general_help(stdout);
		return 0;
	}
	command = argc == 2 ? command_find(argv[1]) : NULL;
	if (command) {
		command->help(stdout);
		return 0;
	}
	if (argc > 2)
		rf_error_set(&error, RF_CODE_USAGE, 0, "extra argument '%s'", argv[2]);
	else
		rf_error_set(&error, RF_CODE_USAGE, 0, "unknown command '%s'", argv[1]);
	return command_fail(&error);
}
