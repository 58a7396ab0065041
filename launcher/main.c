/* SPDX-License-Identifier: MIT */

/*
 * The hot-path program: `ringfence run`, and nothing that would make it start slower.
 */

#include "command/command.h"

#include <stdio.h>
#include <string.h>

extern char **environ;

static int version(void)
{
	printf("ringfence %s\n", RF_VERSION);
	return 0;
}

static int unknown_command(const char *name)
{
	struct rf_error error;

	rf_error_set(&error, RF_CODE_USAGE, 0, "unknown command '%s'", name);
	rf_error_hint(&error, "run 'ringfence --help'");
	return command_fail(&error);
}

int main(int argc, char *argv[])
{
	char **environment = environ;
	const struct command *command;

	if (process_scrub(argc, &argv, &environment) < 0) {
		fputs("ringfence: error: internal: cannot copy the arguments\n", stderr);
		return COMMAND_STATUS_FAILED;
	}
	if (argc < 2 || !strcmp(argv[1], "--help"))
		return command_help(1, argv, environment);
	if (!strcmp(argv[1], "--version"))
		return version();
	/* `ringfence -- COMMAND` and `ringfence OPTION…` mean `run` */
	if (argv[1][0] == '-')
		return command_run(argc, argv, environment);
	command = command_find(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	if (argc > 2 && !strcmp(argv[2], "--help")) {
		command->help(stdout);
		return 0;
	}
	return command->main(argc - 1, argv + 1, environment);
}
