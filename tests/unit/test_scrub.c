/* SPDX-License-Identifier: MIT */
/* What others can read in /proc/PID/{cmdline,environ} of the launcher: its name and nothing more.
 */
#include "process/process.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define BLOCK 256

/* Strings one after the other, as the kernel lays them out, with a guard behind them. */
struct layout {
	char bytes[BLOCK];
	size_t used;
	char *argv[8], *environment[8];
};

static char *add(struct layout *layout, const char *text)
{
	char *at = layout->bytes + layout->used;

	strcpy(at, text);
	layout->used += strlen(text) + 1;
	return at;
}

static struct layout *lay_out(const char *const *argv, const char *const *environment)
{
	struct layout *layout = calloc(1, sizeof(*layout));

	cr_assert_not_null(layout);
	for (size_t i = 0; argv[i]; i++)
		layout->argv[i] = add(layout, argv[i]);
	for (size_t i = 0; environment[i]; i++)
		layout->environment[i] = add(layout, environment[i]);
	memset(layout->bytes + layout->used, '#', sizeof(layout->bytes) - layout->used);
	return layout;
}

static int count(char *const *list)
{
	int len = 0;

	while (list[len])
		len++;
	return len;
}

static void expect_same(char *const *moved, const char *const *original)
{
	for (size_t i = 0; original[i]; i++)
		cr_expect_str_eq(moved[i], original[i]);
	cr_expect_null(moved[count((char *const *)original)]);
}

/* Nothing but the name, then zero bytes to the end; what lies behind is not touched. */
static void expect_wiped(const struct layout *layout, const char *name)
{
	size_t len = strlen(name);

	cr_expect_eq(memcmp(layout->bytes, name, len), 0);
	for (size_t i = len; i < layout->used; i++)
		cr_expect_eq(layout->bytes[i], '\0', "byte %zu is still there", i);
	for (size_t i = layout->used; i < sizeof(layout->bytes); i++)
		cr_expect_eq(layout->bytes[i], '#', "byte %zu lies outside", i);
}

/* argv[0] and the two lists were allocated by it; it keeps them for the life of a program. */
static void release(struct layout *layout, char **argv, char **environment)
{
	free(argv[0]);
	free(argv);
	free(environment);
	free(layout);
}

static void expect_scrubbed(const char *const *args, const char *const *variables, const char *name)
{
	struct layout *layout = lay_out(args, variables);
	char **argv = layout->argv, **environment = layout->environment;

	cr_assert_eq(process_scrub(count(argv), &argv, &environment), 0);
	expect_same(argv, args);
	expect_same(environment, variables);
	expect_wiped(layout, name);
	release(layout, argv, environment);
}

Test(scrub, arguments_and_environment)
{
	static const char *const args[] = {
		"/usr/bin/ringfence", "--setenv", "TOKEN=secret", "--", "curl", NULL
	};
	static const char *const variables[] = { "PATH=/bin", "PASSWORD=hunter2", "EMPTY=", "",
						 NULL };

	expect_scrubbed(args, variables, "ringfence");
}

Test(scrub, empty_arguments)
{
	static const char *const args[] = { "ringfence", "", "", "x", NULL };
	static const char *const none[] = { NULL };

	expect_scrubbed(args, none, "ringfence");
}

/* Less room than the name takes: it is cut, with a zero byte at the end. */
Test(scrub, a_short_block)
{
	static const char *const rf[] = { "rf", NULL };
	static const char *const empty[] = { "", NULL };
	static const char *const none[] = { NULL };
	static const char *const variable[] = { "A=1", NULL };

	expect_scrubbed(rf, none, "ri");
	expect_scrubbed(empty, none, "");
	expect_scrubbed(rf, variable, "ringfe");
}

Test(scrub, what_lies_elsewhere_stays_where_it_is)
{
	static const char *const args[] = { "ringfence", "--", NULL };
	static const char *const variables[] = { "A=1", "B=2", NULL };
	/* one below the block and one above it, or the other way round */
	static char elsewhere[] = "LATER=3";
	char on_the_stack[] = "LAST=4";
	struct layout *layout = lay_out(args, variables);
	char **argv = layout->argv, **environment = layout->environment;

	layout->environment[2] = elsewhere;
	layout->environment[3] = on_the_stack;
	cr_assert_eq(process_scrub(2, &argv, &environment), 0);
	cr_expect_eq(environment[2], elsewhere);
	cr_expect_str_eq(elsewhere, "LATER=3");
	cr_expect_str_eq(environment[1], "B=2");
	cr_expect_eq(environment[3], on_the_stack);
	cr_expect_str_eq(on_the_stack, "LAST=4");
	cr_expect_null(environment[4]);
	expect_wiped(layout, "ringfence");
	release(layout, argv, environment);
}

Test(scrub, without_arguments_there_is_nothing_to_do)
{
	char *none[] = { NULL };
	char **argv = none, **environment = none;

	cr_assert_eq(process_scrub(0, &argv, &environment), 0);
	cr_expect_eq(argv, none);
	cr_expect_eq(environment, none);
}

Test(status, of_how_the_command_ended)
{
	cr_expect_eq(process_exit_status(W_EXITCODE(0, 0)), 0);
	cr_expect_eq(process_exit_status(W_EXITCODE(1, 0)), 1);
	cr_expect_eq(process_exit_status(W_EXITCODE(255, 0)), 255);
	cr_expect_eq(process_exit_status(W_EXITCODE(0, 9)), 128 + 9);
	cr_expect_eq(process_exit_status(W_EXITCODE(0, 15)), 128 + 15);
	cr_expect_eq(process_exit_status(W_EXITCODE(0, 11) | WCOREFLAG), 128 + 11);
	cr_expect_eq(process_exit_status(W_EXITCODE(0, 64)), 128 + 64);
}

Test(status, of_a_command_that_cannot_be_executed)
{
	static const int cannot[] = { EACCES, ENOEXEC, EPERM, ETXTBSY, EISDIR, E2BIG };
	struct rf_error err = { .code = RF_CODE_EXEC_FAILED, .errnum = ENOENT };

	cr_expect_eq(process_exec_status(&err), 127);
	for (size_t i = 0; i < ARRAY_LEN(cannot); i++) {
		err.errnum = cannot[i];
		cr_expect_eq(process_exec_status(&err), 126, "%s", strerror(cannot[i]));
	}
}
