/* SPDX-License-Identifier: MIT */
/*
 * The program of attacks: one act by raw system calls. Exit status 0: it succeeded; 1: it failed,
 * and the first line of the output names the errno; 2: it was not understood.
 */
#ifndef RF_TEST_ACT_H
#define RF_TEST_ACT_H

#include <errno.h>
#include <unistd.h>

#define ACT_MISUSE (-4096) /* below every errno */

/* `run` gets the words behind the name, NULL at the end; returns 0 or a negative errno. */
struct act {
	const char *name;
	const char *usage;
	int words; /* the least number of them */
	int (*run)(char **words);
};

/* Tables, one a claim or two; each ends with an entry without name. */
extern const struct act act_call[];  /* any system call, with words as arguments */
extern const struct act act_write[]; /* content, by what takes more than one call */
extern const struct act act_mount[];
extern const struct act act_network[];	 /* sockets of every kind */
extern const struct act act_process[];	 /* looking into others, and speaking to them */
extern const struct act act_privilege[]; /* capabilities, namespaces, setuid programs */
extern const struct act act_lifetime[];	 /* processes that want to stay */
extern const struct act act_victim[];	 /* the process that is attacked */

/* Runs the act that words[0] names. */
int act_run(char **words);

/* Turns the result of a system call into 0 or a negative errno. */
static inline int act_result(long r)
{
	return r < 0 ? -errno : 0;
}

/* A number in any base; `self` and `parent` are the pids. */
long act_number(const char *word);

#endif
