/* SPDX-License-Identifier: MIT */
#include "act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct act *const tables[] = {
	act_call,    act_write,	    act_mount,	  act_network,
	act_process, act_privilege, act_lifetime, act_victim,
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

long act_number(const char *word)
{
	if (strcmp(word, "self") == 0)
		return getpid();
	if (strcmp(word, "parent") == 0)
		return getppid();
	/* through unsigned, so that 0x80000000 and above keep their bits */
	return word[0] == '-' ? strtol(word, NULL, 0) : (long)strtoul(word, NULL, 0);
}

static const struct act *find(const char *name)
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct act *act = tables[i]; act->name; act++)
			if (strcmp(act->name, name) == 0)
				return act;
	return NULL;
}

static int count(char **words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

int act_run(char **words)
{
	const struct act *act = words[0] ? find(words[0]) : NULL;

	if (!act || count(words + 1) < act->words)
		return ACT_MISUSE;
	return act->run(words + 1);
}

static int usage(void)
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct act *act = tables[i]; act->name; act++)
			fprintf(stderr, "act %s %s\n", act->name, act->usage);
	return 2;
}

int main(int argc, char **argv)
{
	int r = argc > 1 ? act_run(argv + 1) : ACT_MISUSE;

	if (r == ACT_MISUSE)
		return usage();
	if (r < 0) {
		const char *name = strerrorname_np(-r);

		printf("%s\n", name ? name : "UNKNOWN");
		return 1;
	}
	return 0;
}
