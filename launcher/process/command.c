/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

/*
 * The command's own process, from the clone to the exec. It shares the memory of the process beside
 * it, which stands still meanwhile (CLONE_VFORK).
 */

/* The old /proc stayed, which the environment was not made for. */
static void correct_pid_view(struct run *run)
{
	const char **slot = rf_environment_slot(run->environment, "RINGFENCE_PID_VIEW");

	if (run->setup.result.host_pids && slot)
		*slot = "RINGFENCE_PID_VIEW=host";
}

static int report_start(struct run *run, struct rf_error *err)
{
	struct message message = { .kind = MESSAGE_STARTED };
	char pid[16] = "";

	if (run->setup.own_group && run->setup.host_proc >= 0 &&
	    sys_readlinkat(run->setup.host_proc, "self", pid, sizeof(pid) - 1) > 0) {
		message.value = atoi(pid);
		message_send(run->beside_end, &message);
	}
	return start_event_write(run, err);
}

static int finish(struct run *run, const struct backend_step *steps, struct rf_error *err)
{
	int ret = terminal_apply(&run->terminal, &run->setup, err);

	if (!ret)
		ret = backend_run(steps, &run->setup, err);
	if (!ret)
		ret = report_start(run, err);
	return ret;
}

static int execute(struct run *run, struct rf_error *err)
{
	correct_pid_view(run);
	fd_limit_restore();
	signals_restore(&run->signals);
	return command_execute(run->request->argv, (char *const *)run->environment->entries.items,
			       err);
}

int command_main(void *argument)
{
	struct run *run = argument;
	struct rf_error error = { 0 };

	/*
	 * a second line for the guardian's death; the reaper's takes the namespace with it anyway
	 */
	if (!run->setup.in_view)
		sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
	if (!finish(run, run->request->backend->inside, &error))
		execute(run, &error);
	message_send_error(run->beside_end, &error);
	sys_exit(125);
}

int command_replace(struct run *run, struct rf_error *err)
{
	int ret = finish(run, run->request->backend->direct, err);

	return ret < 0 ? ret : execute(run, err);
}
