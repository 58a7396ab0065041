/* SPDX-License-Identifier: MIT */
/* Arguments are bytes and reach the command as they are, also near the limits of the kernel. */
#include "parity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRINT_ARGS "import sys,os; [print(ascii(os.fsencode(a))) for a in sys.argv[1:]]"
#define PYTHON "/usr/bin/python3"

#define LONGEST 131071 /* MAX_ARG_STRLEN without the NUL */
#define MANY 15	       /* of these: 128 KiB less than the quarter of the usual stack limit */

/* The words live as long as the program: a table hands them out, nobody changes them. */
static const char **copy(const char *const *words, size_t len)
{
	const char **list = calloc(len + 1, sizeof(*list));

	if (!list)
		abort();
	memcpy(list, words, len * sizeof(*list));
	return list;
}

#define WORDS(name, ...)                                                                           \
	static const char **name(void)                                                             \
	{                                                                                          \
		static const char *const words[] = { __VA_ARGS__ };                                \
                                                                                                   \
		return copy(words, sizeof(words) / sizeof(words[0]));                              \
	}

WORDS(odd, PYTHON, "-c", PRINT_ARGS, "", "-", "--", "-x", "--mode", "a b", "a\nb", "\303\251",
      "\377\001\177", "'\"$(x)`\\*", "")
WORDS(dash, "/usr/bin/printf", "--", "-%s\n", "x")
WORDS(by_name, "printf", "%s\n", "found")
WORDS(not_found, "no/such/command")
WORDS(not_in_path, "no-such-command")
WORDS(empty_name, "")
WORDS(directory, "/usr")
WORDS(no_program, "./file")
WORDS(no_interpreter, "./script")
WORDS(no_format, "./text")
WORDS(own_name, "/bin/sh", "-c", "echo $0")

static const char *longest(void)
{
	static char text[LONGEST + 1];

	if (!text[0])
		memset(text, 'x', LONGEST);
	return text;
}

static const char **one_long(void)
{
	const char *words[] = { "/bin/sh", "-c", "echo ${#1}", "sh", longest() };

	return copy(words, 5);
}

static const char **many_long(void)
{
	const char *words[4 + MANY] = { "/bin/sh", "-c", "echo $#", "sh" };

	for (size_t i = 0; i < MANY; i++)
		words[4 + i] = longest();
	return copy(words, 4 + MANY);
}

static const char **many_short(void)
{
	static const char *words[100004] = { "/bin/sh", "-c", "echo $#", "sh" };

	for (size_t i = 4; i < 100004; i++)
		words[i] = "x";
	return copy(words, 100004);
}

static const struct behaviour bytes[] = {
	{ "odd-arguments", EITHER, .words = odd,
	  .expected = { 0, "b''\nb'-'\nb'--'\nb'-x'\nb'--mode'\nb'a b'\nb'a\\nb'\nb'\\xc3\\xa9'\n"
			   "b'\\xff\\x01\\x7f'\nb'\\'\"$(x)`\\\\*'\nb''\n" } },
	{ "leading-dash", EITHER, .words = dash, .expected = { 0, "-x\n" } },
	{ "command-by-name", EITHER, .words = by_name, .expected = { 0, "found\n" } },
	{ "first-word-is-kept", EITHER, .words = own_name, .expected = { 0, "/bin/sh\n" } },
	{ "long-argument", EITHER, .words = one_long, .expected = { 0, "131071\n" } },
	{ "near-the-limit", EITHER, .words = many_long, .expected = { 0, "15\n" } },
	{ "many-arguments", EITHER, .words = many_short, .expected = { 0, "100000\n" } },
	{ "large-environment",
	  EITHER,
	  "echo ${#LARGE}",
	  { 0, "131000\n" },
	  .around = "LARGE=$(head -c 131000 /dev/zero | tr '\\0' x) \"$@\"" },
	/* what the launcher adds to a full environment is the command's problem, and told as such
	 */
	{ "beyond-the-limit",
	  EITHER,
	  "echo ran",
	  { 0, "126 True\n" },
	  .around = "python3 -c 'import subprocess as s,sys\n"
		    "def run(argv, n):\n"
		    " env = {\"A%02d\" % i: \"x\" * 100000 for i in range(20)}\n"
		    " return s.run([\"r\"] + argv[1:], executable=argv[0], "
		    "env=dict(env, Z=\"x\" * n), capture_output=True)\n"
		    "low, high = 0, 131000\n"
		    "while low + 1 < high:\n"
		    " n = (low + high) // 2\n"
		    " try: run(sys.argv[1:], n); low = n\n"
		    " except OSError: high = n\n"
		    "r = run(sys.argv[1:], low)\n"
		    "print(r.returncode, b\"exec-failed\" in r.stderr and b\"list too long\" in "
		    "r.stderr)' \"$@\"" },
	{ "no-such-file", EITHER, .words = not_found, .expected = { 127 } },
	{ "not-in-path", EITHER, .words = not_in_path, .expected = { 127 } },
	{ "empty-command", EITHER, .words = empty_name, .expected = { 127 } },
	{ "directory-as-command", EITHER, .words = directory, .expected = { 126 } },
	{ "no-right-to-execute", EITHER, .words = no_program, .expected = { 126 } },
	{ "interpreter-missing", EITHER, .words = no_interpreter, .expected = { 126 },
	  .prepare = "printf '#!/no/such\\n' > script && chmod 755 script" },
	/* no shell steps in: what is executed is what was named */
	{ "no-known-format", EITHER, .words = no_format, .expected = { 126 },
	  .prepare = "echo 'echo ran' > text && chmod 755 text" },
};

GROUP(bytes);
