/* SPDX-License-Identifier: MIT */
/*
 * What lies outside of a run: files, a process, sockets, a terminal. It can be described as text;
 * what an attack has done is the difference between two descriptions. Placeholders in attacks:
 *	@out @work @base	directories; @out/victim, @out/dir/inner, @out/empty, @out/way …
 *	@pid @address		a process of the same user; where in its memory the canary lies
 *	@foreign		a process of another user
 *	@tcp @udp		ports that listen on 127.0.0.1
 *	@stream @dgram		abstract AF_UNIX names that listen
 *	@tty			the terminal's path
 *	@suid			a setuid-root copy of the program of attacks
 *	@disk			a block device
 *	@uid			the number of whoever attacks
 */
#ifndef RF_TEST_WORLD_H
#define RF_TEST_WORLD_H

#include "escape.h"
#include "tests/support/fixture.h"

#define CANARY "canary-5d1f0c7e93a84b26"
/* The tables write them out. */
#define FOREIGN_ID 65001
#define FOREIGN_GROUP 65002

struct victim {
	pid_t pid;
	int in, out;
	char name[16]; /* the pid as text */
	char address[32];
};

struct world {
	struct fixture f;
	struct victim victim, foreign;
	int tcp, udp, stream, dgram, master, slave;
	char tcp_port[8], udp_port[8], stream_name[64], dgram_name[64], tty[64], disk[64];
	char uid[16];
	char suid[PATH_MAX + 8];
	size_t arrived; /* connections and datagrams so far */
	bool mounts;	/* whether the mount table belongs to the description */
};

/* Makes what the attack speaks of, and no more; 0 or a negative errno. */
int world_make(struct world *w, struct run_who who, const struct attempt *a);
void world_remove(struct world *w);

/* Heap memory, NULL on failure. */
char *world_describe(struct world *w);

/* The words of the attack with the placeholders filled in, argv[0] is the program; heap. */
char **world_words(const struct world *w, const struct attempt *a);
void words_free(char **words);

/* victim.c */
int victim_start(struct victim *v, struct run_who who);
void victim_stop(struct victim *v);
/* One line about its state, without newline. */
void victim_report(const struct victim *v, char *ret, size_t size);

/* listeners.c */
int listeners_make(struct world *w);
void listeners_count(struct world *w);
void listeners_close(struct world *w);

#endif
