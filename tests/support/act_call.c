/* SPDX-License-Identifier: MIT */
/*
 * Any system call, with its arguments as words:
 *	123 0x7b 0173 -1	a number
 *	/path ./path s=text	a string
 *	r=PATH w=PATH p=PATH	a new fd, opened for reading, reading and writing, as O_PATH
 *	pf=PID			a new pidfd
 *	u32=1,2,… u64=1,2,…	a pointer to these numbers, zeroes behind them
 *	at=WORD			a pointer to one pointer, to what WORD stands for
 *	zero			a pointer to zeroes
 *	self parent		the pid of the act, and of who started it
 * Memory lies below 4 GiB, where 32-bit calls can point to it.
 */
#include "act.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "act_numbers.h"

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

#define ARENA (1 << 18)
#define ROOM 8192 /* zeroed space behind each object, more than any kernel structure needs */
#define ARGUMENTS 6
#define X32_BIT 0x40000000L

static char *arena_next;

static void *room(void)
{
	void *p;

	if (!arena_next)
		arena_next = mmap(NULL, ARENA, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (arena_next == MAP_FAILED)
		_exit(2);
	p = arena_next;
	arena_next += ROOM;
	return p;
}

static int string_word(const char *text, long *ret)
{
	char *copy = room();

	if (strlen(text) >= ROOM)
		return -ENAMETOOLONG;
	*ret = (long)strcpy(copy, text);
	return 0;
}

static int open_word(const char *path, int flags, long *ret)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret = fd;
	return 0;
}

static int read_word(const char *path, long *ret)
{
	return open_word(path, O_RDONLY | O_NONBLOCK, ret);
}

static int write_word(const char *path, long *ret)
{
	return open_word(path, O_RDWR | O_NOCTTY, ret);
}

static int path_word(const char *path, long *ret)
{
	return open_word(path, O_PATH | O_NOFOLLOW, ret);
}

static int pidfd_word(const char *pid, long *ret)
{
	*ret = syscall(SYS_pidfd_open, act_number(pid), 0);
	return act_result(*ret);
}

static int u32_word(const char *list, long *ret)
{
	uint32_t *to = room();

	*ret = (long)to;
	for (; list; list = strchr(list, ','), list = list ? list + 1 : NULL)
		*to++ = (uint32_t)act_number(list);
	return 0;
}

static int u64_word(const char *list, long *ret)
{
	uint64_t *to = room();

	*ret = (long)to;
	for (; list; list = strchr(list, ','), list = list ? list + 1 : NULL)
		*to++ = (uint64_t)act_number(list);
	return 0;
}

static int value_of(const char *word, long *ret);

static int pointer_word(const char *word, long *ret)
{
	long *to = room();

	*ret = (long)to;
	return value_of(word, to);
}

static const struct {
	const char *prefix;
	int (*value)(const char *rest, long *ret);
} prefixes[] = {
	{ "s=", string_word }, { "r=", read_word },  { "w=", write_word }, { "p=", path_word },
	{ "pf=", pidfd_word }, { "u32=", u32_word }, { "u64=", u64_word }, { "at=", pointer_word },
};

static int value_of(const char *word, long *ret)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t len = strlen(prefixes[i].prefix);

		if (strncmp(word, prefixes[i].prefix, len) == 0)
			return prefixes[i].value(word + len, ret);
	}
	if (word[0] == '/' || word[0] == '.')
		return string_word(word, ret);
	*ret = strcmp(word, "zero") == 0 ? (long)room() : act_number(word);
	return 0;
}

static int values_of(char **words, long ret[static ARGUMENTS])
{
	int r = 0;

	for (int i = 0; !r && i < ARGUMENTS && words[i]; i++)
		r = value_of(words[i], &ret[i]);
	return r;
}

static bool number_of(const char *name, long *ret)
{
	for (size_t i = 0; i < sizeof(act_numbers) / sizeof(act_numbers[0]); i++) {
		if (strcmp(act_numbers[i].name, name) == 0) {
			*ret = act_numbers[i].number;
			return true;
		}
	}
	return false;
}

static int run_call(char **words)
{
	long a[ARGUMENTS] = { 0 }, number;
	int r;

	if (!number_of(words[0], &number))
		return ACT_MISUSE;
	r = values_of(words + 1, a);
	return r ? r : act_result(syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

static int run_x32(char **words)
{
	long a[ARGUMENTS] = { 0 };
	int r = values_of(words + 1, a);

	return r ? r
		 : act_result(syscall(X32_BIT | act_number(words[0]), a[0], a[1], a[2], a[3], a[4],
				      a[5]));
}

/* The 32-bit entry of a 64-bit kernel, which takes its numbers from the table of i386. */
#ifdef __x86_64__
static long call_i386(long number, const long a[static ARGUMENTS])
{
	long r;

	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(number), "b"(a[0]), "c"(a[1]), "d"(a[2]), "S"(a[3]), "D"(a[4])
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)r;
}
#else
static long call_i386(long number, const long a[static ARGUMENTS])
{
	(void)number, (void)a;
	return -ENOSYS;
}
#endif

static int run_i386(char **words)
{
	long a[ARGUMENTS] = { 0 }, r = values_of(words + 1, a);

	if (!r)
		r = call_i386(act_number(words[0]), a);
	return r < 0 ? (int)r : 0;
}

const struct act act_call[] = {
	{ "call", "NAME WORD…", 1, run_call },
	{ "x32", "NUMBER WORD…", 1, run_x32 },
	{ "i386", "NUMBER WORD…", 1, run_i386 },
	{ 0 },
};
