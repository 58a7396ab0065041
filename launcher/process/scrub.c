/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <errno.h>
#include <string.h>

/* What is left to read: `ps` shows the name of the program and nothing of its arguments. */
#define SHOWN_NAME "ringfence"

/* argv and the environment lie in one block, in this order, as the kernel laid them out. */
struct block {
	char *start, *end;
};

static struct block find_block(int argc, char *const argv[], char *const environment[])
{
	struct block block = { argv[0], argv[0] };

	for (int i = 0; i < argc && argv[i] == block.end; i++)
		block.end += strlen(argv[i]) + 1;
	for (size_t i = 0; environment[i] && environment[i] == block.end; i++)
		block.end += strlen(environment[i]) + 1;
	return block;
}

/* A vector of pointers into the copy, for those that pointed into the block. */
static char **move_pointers(char *const old[], size_t count, struct block block, char *copy)
{
	char **moved = calloc(count + 1, sizeof(*moved));

	if (!moved)
		return NULL;
	for (size_t i = 0; i < count; i++)
		moved[i] = old[i] >= block.start && old[i] < block.end
				   ? copy + (old[i] - block.start)
				   : old[i];
	return moved;
}

static void wipe(struct block block)
{
	size_t len = (size_t)(block.end - block.start);

	memset(block.start, 0, len);
	strncpy(block.start, SHOWN_NAME, len - 1);
}

int process_scrub(int argc, char ***argv, char ***environment)
{
	/* static: they stay to the end of the program, and whoever looks for leaks finds them */
	static char *copy, **new_argv, **new_environment;
	struct block block;
	size_t variables = 0;

	if (argc < 1)
		return 0;
	block = find_block(argc, *argv, *environment);
	while ((*environment)[variables])
		variables++;
	copy = malloc((size_t)(block.end - block.start));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, block.start, (size_t)(block.end - block.start));
	new_argv = move_pointers(*argv, (size_t)argc, block, copy);
	new_environment = move_pointers(*environment, variables, block, copy);
	if (!new_argv || !new_environment) {
		free(copy);
		free(new_argv);
		free(new_environment);
		return -ENOMEM;
	}
	wipe(block);
	*argv = new_argv;
	*environment = new_environment;
	return 0;
}
