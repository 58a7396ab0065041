/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int out_of_memory(struct rf_error *err)
{
	return rf_error_set(err, RF_CODE_INTERNAL, ENOMEM, "cannot prepare the launch");
}

static void close_descriptors(struct run *run)
{
	fd_close(run->signal_fd);
	fd_close(run->launcher_end);
	fd_close(run->beside_end);
	fd_close(run->launcher_pidfd);
	fd_close(run->setup.host_proc);
}

static void release(struct run *run)
{
	free(run->setup.trees);
	start_event_release(&run->start);
	rf_environment_free(run->environment);
}

static int make_environment(struct run *run, struct rf_error *err)
{
	const struct process_request *request = run->request;
	const struct rf_environment_facts facts = {
		.mode = rf_mode_name(request->plan->mode),
		.workspace = request->plan->workspace->path,
		.backend = request->backend->name,
		.enforcement = "unproved",
		.network = rf_network_name(request->plan->network),
		.pid_view = request->backend->pid_view,
	};

	run->environment = rf_environment_build(request->policy, request->inherited, &facts);
	return run->environment ? 0 : out_of_memory(err);
}

/*
 * The /proc outside tells the command's process its pid there: for the start event, the terminal.
 */
static int open_host_proc(struct run *run, struct rf_error *err)
{
	int fd;

	if (run->request->status_fd < 0 && !run->setup.own_group)
		return 0;
	fd = fd_raise(sys_openat(AT_FDCWD, "/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (fd < 0)
		return setup_error(err, fd, "cannot open '/proc'");
	run->setup.host_proc = fd;
	return 0;
}

static int prepare(struct run *run, struct rf_error *err)
{
	const struct process_request *request = run->request;
	int ret = make_environment(run, err);

	if (ret < 0)
		return ret;
	run->setup.trees = calloc(2 * request->plan->roots_len + 1, sizeof(*run->setup.trees));
	if (!run->setup.trees)
		return out_of_memory(err);
	ret = open_host_proc(run, err);
	if (!ret && start_event_prepare(run) < 0)
		ret = out_of_memory(err);
	if (!ret && run->setup.own_group)
		terminal_probe(&run->terminal);
	return ret;
}

static int connect_processes(struct run *run, struct rf_error *err)
{
	int ends[2];

	/* opened before the clone: whoever holds it can take no other process for the launcher */
	run->launcher_pidfd =
		fd_above_stdio((int)SYS2(SYS_NR_PIDFD_OPEN, run->setup.launcher_pid, 0));
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return setup_error(err, -errno, "cannot make a socket pair");
	run->beside_end = fd_above_stdio(ends[0]); /* beside the pidfd: few ranges to close */
	run->launcher_end = fd_copy_high(ends[1]);
	if (run->launcher_end < 0 || run->beside_end < 0)
		return setup_error(err, -EMFILE, "cannot make a socket pair");
	run->setup.sync_fd = run->beside_end;
	run->signal_fd = supervise_watch_signals();
	return run->signal_fd < 0 ? setup_error(err, run->signal_fd, "cannot watch signals") : 0;
}

/* Only root's map needs the parent: to map more than one's own id takes CAP_SETUID outside. */
static void write_id_map(const struct run *run)
{
	signed char mapped;

	if (!run->request->backend->in_view || run->request->plan->uid != 0)
		return;
	mapped = idmap_write_full(run->beside) < 0 ? -1 : 0;
	SYS3(SYS_write, run->launcher_end, &mapped, 1);
}

static int start_beside(struct run *run, struct rf_error *err)
{
	const struct process_request *request = run->request;
	unsigned long flags = request->backend->namespaces(request->plan, request->landlock_abi);

	clock_gettime(CLOCK_MONOTONIC, &run->begun);
	run->beside = run_clone(beside_main, RUN_STACK_BESIDE, flags, run);
	if (run->beside < 0) {
		int ret = setup_error(err, run->beside,
				      flags ? "cannot make the namespaces"
					    : "cannot start a process");

		strcpy(err->step, flags ? "namespaces" : "guardian");
		return ret;
	}
	return 0;
}

static int run_supervised(struct run *run, struct process_result *ret, struct rf_error *err)
{
	int error = connect_processes(run, err);

	if (error < 0)
		return error;
	/* where the memory is shared, the child's own call does it for both */
	if (!RUN_SHARES_MEMORY && !run->setup.in_view)
		sys_prctl(PR_SET_DUMPABLE, 0, 0);
	error = start_beside(run, err);
	if (error < 0)
		return error;
	write_id_map(run);
	/*
	 * What the caller left open, the low copies of our own, and what only the child needs. The
	 * fields keep the numbers: the memory is shared, and the child reads them.
	 */
	fd_close_range(3, RF_FD_FLOOR - 1);
	return supervise(run, ret, err);
}

static void init(struct run *run, const struct process_request *request)
{
	*run = (struct run){
		.request = request,
		.setup = {
			.plan = request->plan,
			.landlock_abi = request->landlock_abi,
			.own_group = request->landlock_abi < 6 && !request->direct,
			.change_directory = request->change_directory,
			.in_view = request->backend->in_view,
			.devices = { -1, -1, -1, -1, -1, -1 },
			.kept_fds = request->kept_fds,
			.kept_fds_len = request->kept_fds_len,
			.sync_fd = -1,
			.host_proc = -1,
			.launcher_pid = gettid(), /* the pid; musl knows it without a call */
		},
		.signal_fd = -1,
		.launcher_pidfd = -1,
		.launcher_end = -1,
		.beside_end = -1,
		.beside = -1,
	};
}

int process_run(const struct process_request *request, struct process_result *ret,
		struct rf_error *err)
{
	struct run run;
	int error;

	init(&run, request);
	signals_take(&run.signals);
	error = prepare(&run, err);
	if (!error)
		error = request->direct ? command_replace(&run, err)
					: run_supervised(&run, ret, err);
	if (error < 0 && err->code == RF_CODE_EXEC_FAILED)
		exec_explain(request->status_fd,
			     request->change_directory ? request->plan->directory->path : ".", err);
	/* after a run the launcher only ends; after a failure the next backend may have its turn */
	if (error < 0) {
		close_descriptors(&run);
		signals_give_back(&run.signals);
	} else {
		exit_event_write(request->status_fd, ret);
	}
	release(&run);
	return error;
}
