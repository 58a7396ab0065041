/* SPDX-License-Identifier: MIT */
#include "run.h"

/*
 * Everything is blocked: what the launcher acts upon it reads from a signalfd, and the rest must
 * not end it while the command runs. SIGKILL, SIGSTOP and the job control stops keep their effect.
 */
static void blocked_set(sigset_t *ret)
{
	static const int open[] = { SIGTSTP, SIGTTIN, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

	sigfillset(ret);
	for (size_t i = 0; i < ARRAY_LEN(open); i++)
		sigdelset(ret, open[i]);
}

void signals_take(struct signals *ret)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, old;
	sigset_t blocked;

	blocked_set(&blocked);
	sigprocmask(SIG_SETMASK, &blocked, &ret->mask);
	/* a parent that ignores SIGCHLD (cron, trap '' CHLD) would have our child reaped unseen */
	sigaction(SIGCHLD, &action, &old);
	ret->child_ignored = old.sa_handler == SIG_IGN;
}

void signals_give_back(const struct signals *signals)
{
	/* the kernel's set is 8 bytes, whatever the C library makes of it */
	SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &signals->mask, NULL, 8);
}

void signals_restore(const struct signals *signals)
{
	if (signals->child_ignored) {
		struct sigaction action = { .sa_handler = SIG_IGN };

		sigaction(SIGCHLD, &action, NULL);
	}
	signals_give_back(signals);
}
