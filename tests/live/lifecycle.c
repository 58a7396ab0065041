/* SPDX-License-Identifier: MIT */
/*
 * Kills the launcher at random moments, many times, and looks what is left one second later:
 *
 *	lifecycle [--backend namespace|landlock|none] [--rounds N] [--uid N] [--seed N]
 *
 * The command is this program itself; it leaves sleepers behind by a double fork. The tester is
 * a child subreaper, so that whatever outlives its parents becomes its child and is seen,
 * whether or not it still bears the marker. `none` is the control: a plain fork and exec without
 * a guard, which must leave orphans. $RINGFENCE names the launcher.
 */
#include "lifecycle.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_NS 1e9 /* what the promise allows */

enum phase { BEFORE_CLONE, IN_SET_UP, BEFORE_START, AFTER_START, AFTER_EXIT, PHASES };

static const char *const phase_names[PHASES] = {
	"before clone", "in set-up", "before start", "after start", "after exit",
};

static struct tester {
	const char *backend;
	const char *launcher;
	unsigned long rounds;
	unsigned int seed;
	bool control;
	char self[256];
	char base[BASE_SIZE];
	char marker[64];
	uint64_t tree, mounts;
	double start_ns, exit_ns, reach_ns;
	bool aimed_early;
	double slowest_ns;
	unsigned long histogram[PHASES];
	unsigned long left_over, changed;
} t = { .backend = "namespace", .rounds = 60 };

/* What is known about one launch. */
struct launch {
	pid_t pid;
	int events;
	int status;
	bool ended;
	bool start, exit;
	bool early;	       /* no start event by the time of the kill */
	bool confined;	       /* somebody had a filter by the time of the kill */
	unsigned long adopted; /* processes that came to us when their parents died */
};

void die(const char *fmt, ...)
{
	va_list ap;

	fputs("lifecycle: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, ": %s\n", strerror(errno));
	exit(2);
}

/* Spins over the last stretch: the moments of interest are microseconds apart. */
static void wait_until(double when)
{
	double left = when - now_ns();

	if (left > 2e6)
		usleep((useconds_t)((left - 1e6) / 1e3));
	while (now_ns() < when)
		continue;
}

static void launch_argv(const char *argv[16], char backend[40])
{
	const char *guarded[] = {
		t.launcher, "run", "-w", "--status-fd=3", "--quiet", backend, "--"
	};
	const char *unguarded[] = { t.self, "--unguarded" };
	size_t n = t.control ? 2 : 7;

	snprintf(backend, 40, "--backend=%s", t.backend);
	memcpy(argv, t.control ? unguarded : guarded, n * sizeof(*argv));
	argv[n++] = t.self;
	argv[n++] = "--command";
	argv[n++] = t.marker;
	argv[n] = NULL;
}

/* vfork returns at the exec, so that a delay counts from the launcher's first instruction. */
static struct launch launch_begin(void)
{
	struct launch l = { 0 };
	const char *argv[16];
	char backend[40];
	int fds[2];

	launch_argv(argv, backend);
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		die("cannot make a pipe");
	l.pid = vfork();
	if (l.pid == 0) {
		dup2(fds[1], STATUS_FD);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(fds[1]);
	l.events = fds[0];
	return l;
}

static void read_events(struct launch *l)
{
	char buf[4096];
	ssize_t n = read(l->events, buf, sizeof(buf) - 1);

	if (n <= 0)
		return;
	buf[n] = '\0';
	l->start |= strstr(buf, "\"event\":\"start\"") != NULL;
	l->exit |= strstr(buf, "\"event\":\"exit\"") != NULL;
}

/* Takes in what has ended; returns true when no process of ours is left. */
static bool reap(struct launch *l)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		if (pid == l->pid) {
			l->status = status;
			l->ended = true;
		} else {
			l->adopted++;
		}
	}
	return pid < 0 && errno == ECHILD;
}

static enum phase phase_of(const struct launch *l)
{
	if (l->exit || (l->ended && WIFEXITED(l->status)))
		return AFTER_EXIT;
	if (!l->early)
		return AFTER_START;
	if (l->confined)
		return BEFORE_START;
	return l->adopted ? IN_SET_UP : BEFORE_CLONE;
}

static unsigned long early_kills(void)
{
	return t.histogram[BEFORE_CLONE] + t.histogram[IN_SET_UP] + t.histogram[BEFORE_START];
}

/*
 * Early often enough: the moments before the start event are few and matter most. How long they
 * last changes with the load, so the reach of an early kill follows where the last ones fell.
 */
static double pick_delay(unsigned long round)
{
	double r = (double)rand_r(&t.seed) / RAND_MAX;

	t.aimed_early = early_kills() * 5 < round * 2;
	if (t.aimed_early)
		return r * t.reach_ns;
	if (rand_r(&t.seed) % 4 == 0)
		return t.exit_ns * (0.9 + 0.15 * r);
	return t.start_ns + r * (t.exit_ns - t.start_ns);
}

static void note_phase(enum phase phase)
{
	t.histogram[phase]++;
	if (!t.aimed_early)
		return;
	if (phase >= AFTER_START)
		t.reach_ns *= 0.85;
	else if (t.reach_ns < 2 * t.start_ns)
		t.reach_ns *= 1.1;
}

/* Waits up to the grace for everything to be gone; returns how many are left. */
static unsigned long wait_gone(struct launch *l, double since)
{
	double passed;

	do {
		if (reap(l) && scan_count(t.marker) == 0) {
			passed = now_ns() - since;
			if (passed > t.slowest_ns)
				t.slowest_ns = passed;
			return 0;
		}
		usleep(1000);
	} while (now_ns() - since < GRACE_NS);
	return scan_count(t.marker);
}

static void clear_left(struct launch *l)
{
	while (!reap(l) || scan_count(t.marker) > 0) {
		scan_kill(t.marker);
		usleep(1000);
	}
}

static void launch_end(struct launch *l, unsigned long round, double since)
{
	unsigned long left = wait_gone(l, since);
	enum phase phase;

	read_events(l);
	close(l->events);
	phase = phase_of(l);
	note_phase(phase);
	if (left) {
		t.left_over++;
		if (!t.control)
			printf("  round %lu, %s: %lu left\n", round, phase_names[phase], left);
		if (!t.control)
			scan_print(t.marker);
		clear_left(l);
	}
	if (place_tree(t.base) != t.tree || place_mounts() != t.mounts) {
		t.changed++;
		printf("  round %lu, %s: the host tree or mount table changed\n", round,
		       phase_names[phase]);
		t.tree = place_tree(t.base);
		t.mounts = place_mounts();
	}
}

static void kill_round(unsigned long round)
{
	double begin, delay = t.control ? LIFE_NS / 2 : pick_delay(round);
	struct launch l;

	snprintf(t.marker, sizeof(t.marker), "lifecycle-%d-%lu-", (int)getpid(), round);
	l = launch_begin();
	begin = now_ns();
	wait_until(begin + delay);
	kill(l.pid, SIGKILL);
	begin = now_ns();
	/*
	 * After the kill, which these looks must not delay; but at once, since a set-up goes on for
	 * a moment without its launcher and may still say that it starts.
	 */
	read_events(&l);
	l.early = !l.start;
	l.confined = scan_filtered_below(l.pid, 3) || scan_filtered_below(getpid(), 3);
	while (!l.ended && now_ns() - begin < GRACE_NS)
		reap(&l);
	launch_end(&l, round, begin);
}

/* A run that nobody kills: it must succeed and leave nothing; and it shows how long things take. */
static void quiet_round(double *ret_start, double *ret_exit)
{
	double begin, start = 0;
	struct launch l;

	snprintf(t.marker, sizeof(t.marker), "lifecycle-%d-quiet-", (int)getpid());
	l = launch_begin();
	begin = now_ns();
	while (!l.ended) {
		reap(&l);
		read_events(&l);
		if (l.start && start == 0)
			start = now_ns() - begin;
	}
	*ret_exit = now_ns() - begin;
	*ret_start = start;
	errno = 0;
	if (!l.start || !WIFEXITED(l.status) || WEXITSTATUS(l.status) != 0)
		die("a launch that nobody disturbed ended with status %#x%s",
		    (unsigned int)l.status, l.start ? "" : " and without a start event");
	launch_end(&l, 0, now_ns());
	t.histogram[AFTER_EXIT]--;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void calibrate(void)
{
	double start[5], exit[5];

	for (int i = 0; i < 5; i++)
		quiet_round(&start[i], &exit[i]);
	qsort(start, 5, sizeof(*start), compare);
	qsort(exit, 5, sizeof(*exit), compare);
	t.start_ns = start[2];
	t.reach_ns = start[2];
	t.exit_ns = exit[2];
}

static int verdict(void)
{
	bool spread = early_kills() * 5 >= t.rounds;

	printf("%s, uid %u, %lu rounds (start after %.2f ms, end after %.2f ms):\n", t.backend,
	       (unsigned int)geteuid(), t.rounds, t.start_ns / 1e6, t.exit_ns / 1e6);
	for (int i = 0; i < PHASES; i++)
		printf("  killed %-13s %5lu\n", phase_names[i], t.histogram[i]);
	printf("  runs with processes left %lu, with host changes %lu, slowest end %.1f ms\n",
	       t.left_over, t.changed, t.slowest_ns / 1e6);
	if (t.control)
		return t.left_over == t.rounds && t.changed == 0 ? 0 : 1;
	if (!spread)
		printf("  fewer than a fifth of the kills came before the start event\n");
	return spread && t.left_over == 0 && t.changed == 0 ? 0 : 1;
}

static void begin(unsigned long uid)
{
	place_enter((uid_t)uid);
	if (readlink("/proc/self/exe", t.self, sizeof(t.self) - 1) < 0)
		die("cannot find this program");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 || prctl(PR_SET_TIMERSLACK, 1) < 0)
		die("cannot become a subreaper");
}

static unsigned long parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "backend", required_argument, NULL, 'b' },
		{ "rounds", required_argument, NULL, 'n' },
		{ "uid", required_argument, NULL, 'u' },
		{ "seed", required_argument, NULL, 's' },
		{ 0 },
	};
	unsigned long uid = geteuid();
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'b':
			t.backend = optarg;
			break;
		case 'n':
			t.rounds = strtoul(optarg, NULL, 10);
			break;
		case 'u':
			uid = strtoul(optarg, NULL, 10);
			break;
		case 's':
			t.seed = (unsigned int)strtoul(optarg, NULL, 10);
			break;
		default:
			exit(2);
		}
	}
	return uid;
}

/* At exit, so that a tester that gives up half-way leaves no more behind than one that does not. */
static void clean_up(void)
{
	scan_kill(t.marker);
	place_remove(t.base);
}

int main(int argc, char **argv)
{
	if (argc >= 3 && strcmp(argv[1], "--command") == 0)
		return lifecycle_command();
	if (argc >= 3 && strcmp(argv[1], "--unguarded") == 0)
		return lifecycle_unguarded(argv + 2);
	t.seed = (unsigned int)time(NULL) ^ (unsigned int)getpid();
	begin(parse(argc, argv));
	t.control = strcmp(t.backend, "none") == 0;
	t.launcher = getenv("RINGFENCE");
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!t.control && (!t.launcher || access(t.launcher, X_OK) < 0))
		die("cannot run the launcher '%s'", t.launcher ? t.launcher : "$RINGFENCE");
	printf("seed %u\n", t.seed);
	place_make(t.base);
	atexit(clean_up);
	t.tree = place_tree(t.base);
	t.mounts = place_mounts();
	if (!t.control)
		calibrate();
	for (unsigned long round = 1; round <= t.rounds; round++)
		kill_round(round);
	return verdict();
}
