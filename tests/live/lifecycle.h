/* SPDX-License-Identifier: MIT */
/* What the files of the lifecycle tester share. */
#ifndef RF_LIFECYCLE_H
#define RF_LIFECYCLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define BASE_SIZE 64
#define STATUS_FD 3
#define LIFE_NS 12e6 /* how long the command itself lives */

void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* lifecycle_command.c */
double now_ns(void);
int lifecycle_command(void);
int lifecycle_unguarded(char *const argv[]);

/* lifecycle_place.c: the host tree, and what it and the mount table look like, as one number */
void place_enter(uid_t uid);
void place_make(char base[BASE_SIZE]);
void place_remove(const char *base);
uint64_t place_tree(const char *base);
uint64_t place_mounts(void);

/* lifecycle_scan.c: processes of the run, by marker and by descent */
unsigned long scan_print(const char *marker);
unsigned long scan_kill(const char *marker);
unsigned long scan_count(const char *marker);
bool scan_filtered_below(pid_t pid, int depth);

#endif
