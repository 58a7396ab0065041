/* SPDX-License-Identifier: MIT */
/* The launchers that are compared, as one table, and the act of launching one. */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * "@R", "@B" and "@W" stand for the launcher, bubblewrap and the workspace; "@+" is where the
 * options of one measurement go. bubblewrap gets the flags that agents give it.
 */
static const struct launcher {
	const char *name;
	const char *argv[32];
} launchers[LAUNCHERS] = {
	[LAUNCH_BARE] = { "bare", { NULL } },
	[LAUNCH_NAMESPACE] = { "namespace",
			       { "@R", "run", "--mode=workspace-write", "--workspace=@W",
				 "--backend=namespace", "--quiet", "@+", "--" } },
	[LAUNCH_LANDLOCK] = { "landlock",
			      { "@R", "run", "--mode=workspace-write", "--workspace=@W",
				"--backend=landlock", "--quiet", "@+", "--" } },
	[LAUNCH_LANDLOCK_EXEC] = { "landlock --exec",
				   { "@R", "run", "--mode=workspace-write", "--workspace=@W",
				     "--backend=landlock", "--exec", "--quiet", "@+", "--" } },
	[LAUNCH_BWRAP] = { "bwrap",
			   { "@B",
			     "--unshare-all",
			     "--die-with-parent",
			     "--ro-bind",
			     "/",
			     "/",
			     "--dev",
			     "/dev",
			     "--proc",
			     "/proc",
			     "--bind",
			     "/tmp",
			     "/tmp",
			     "--bind",
			     "@W",
			     "@W",
			     "@+",
			     "--chdir",
			     "@W",
			     "--" } },
	[LAUNCH_BWRAP_NET] = { "bwrap --share-net", { "@B",	     "--unshare-all",
						      "--share-net", "--die-with-parent",
						      "--ro-bind",   "/",
						      "/",	     "--dev",
						      "/dev",	     "--proc",
						      "/proc",	     "--bind",
						      "/tmp",	     "/tmp",
						      "--bind",	     "@W",
						      "@W",	     "@+",
						      "--chdir",     "@W",
						      "--" } },
};

const char *launcher_name(enum launcher_id id)
{
	return launchers[id].name;
}

static size_t argv_len(const char *const argv[])
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	return n;
}

static char *join(const char *head, const char *tail)
{
	char *s = malloc(strlen(head) + strlen(tail) + 1);

	if (!s)
		bench_die("out of memory");
	strcpy(s, head);
	return strcat(s, tail);
}

static char *expand(const struct bench *b, const char *word)
{
	if (strcmp(word, "@R") == 0)
		return join(b->ringfence, "");
	if (strcmp(word, "@B") == 0)
		return join(b->bwrap, "");
	if (strcmp(word, "@W") == 0)
		return join(b->workspace, "");
	if (strcmp(word, "--workspace=@W") == 0)
		return join("--workspace=", b->workspace);
	return join(word, "");
}

/* A fresh, heap-held argv; every word is a copy, so that argv_free() needs no questions. */
char **launcher_argv(const struct bench *b, enum launcher_id id, const char *const command[],
		     const char *const extra[])
{
	const char *const *word = launchers[id].argv;
	char **argv = calloc(40 + argv_len(command) + argv_len(extra), sizeof(*argv));
	size_t n = 0;

	if (!argv)
		bench_die("out of memory");
	for (; *word; word++) {
		if (strcmp(*word, "@+") != 0)
			argv[n++] = expand(b, *word);
		else
			for (size_t i = 0; i < argv_len(extra); i++)
				argv[n++] = join(extra[i], "");
	}
	for (size_t i = 0; i < argv_len(command); i++)
		argv[n++] = join(command[i], "");
	return argv;
}

void argv_free(char **argv)
{
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
}

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* vfork, so that the cost of copying the bench is in nobody's figures. Negative: it failed. */
double launch_ns(const char *const argv[])
{
	static int null = -1;
	int status = 0;
	double start;
	pid_t pid;

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	start = now_ns();
	pid = vfork();
	if (pid == 0) {
		dup2(null, STDOUT_FILENO);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return pid > 0 && status == 0 ? now_ns() - start : -1;
}

double launch_ok_ns(const char *name, const char *const argv[])
{
	double ns = launch_ns(argv);

	if (ns < 0)
		bench_die("launch by '%s' failed", name);
	return ns;
}

/* Each round starts one further on, so that nobody always runs behind the same neighbour. */
void alternate(const struct bench *b, char **argv[], const char *const names[], size_t n,
	       struct series *s)
{
	for (size_t round = 0; round < b->warm_up + b->rounds; round++) {
		for (size_t i = 0; i < n; i++) {
			size_t at = (round + i) % n;
			double ns = launch_ok_ns(names[at], (const char *const *)argv[at]);

			if (round >= b->warm_up)
				series_add(&s[at], ns);
		}
	}
}
