/* SPDX-License-Identifier: MIT */
#include "run_options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* The launch, as it goes along the chain. */
struct launch {
	struct run_options options;
	struct rf_found found;
	struct rf_plan plan;
	struct process_request request;
};

void command_run_help(FILE *out)
{
	fprintf(out, "usage: ringfence run [policy] [run options] -- COMMAND [ARG…]\n");
	options_help(out, run_option_rows);
	fprintf(out, "\nexit status: the command's own; 128+N: killed by signal N;\n"
		     "  125: ringfence failed or refused, nothing ran; 126: the command cannot be\n"
		     "  executed; 127: it was not found\n");
}

static int capped_abi(int cap)
{
	int abi = landlock_probe();

	return cap >= 0 && cap < abi ? cap : abi;
}

/* The status channel outlives the set-up and must meet no number that the caller uses. */
static int take_status_fd(struct launch *launch, struct rf_error *err)
{
	if (launch->options.status_fd < 0)
		return 0;
	launch->options.status_fd = fd_raise(launch->options.status_fd);
	if (launch->options.status_fd >= 0)
		return 0;
	return rf_error_set(err, RF_CODE_SETUP_FAILED, -launch->options.status_fd,
			    "cannot use the status channel");
}

static int refuse(const struct launch *launch, const struct rf_error *err)
{
	process_report_refusal(launch->options.status_fd, err);
	return command_fail(err);
}

static int finish(const struct process_result *result, int ret, const struct rf_error *err)
{
	if (ret == 0)
		return process_exit_status(result->wait_status);
	command_fail(err);
	return process_exec_status(err);
}

/* A step of the backend failed, and not something that every backend would need. */
static bool is_unavailable(const struct rf_error *err)
{
	return err->code == RF_CODE_SETUP_FAILED && err->step[0];
}

/*
 * A backend that could not be set up changed nothing, and the next one may do; anything else (a
 * path that changed, a command that cannot be executed) would fail there as well.
 */
static bool another_may_do(const struct launch *launch, const struct rf_error *err)
{
	return is_unavailable(err) && launch->options.policy.backend == RF_BACKEND_AUTO;
}

static bool is_candidate(const struct launch *launch, const struct backend *backend)
{
	enum rf_backend_choice choice = launch->options.policy.backend;

	if (choice != RF_BACKEND_AUTO && choice != backend->choice)
		return false;
	return !launch->options.direct || backend->direct;
}

static void note_failure(struct str *failures, const struct backend *backend,
			 const struct rf_error *err)
{
	char text[sizeof(err->msg) + 128];

	rf_error_text(err, text, sizeof(text));
	str_printf(failures, "%s%s: %s", failures->len ? "; " : "", backend->name, text);
}

static int refuse_unavailable(const struct launch *launch, const struct str *failures)
{
	struct rf_error error;

	rf_error_set(&error, RF_CODE_SANDBOX_UNAVAILABLE, 0, "no backend works here: %.320s",
		     failures->data ? failures->data : "none was tried");
	rf_error_hint(&error,
		      "allow user namespaces for this program, or run on a kernel with Landlock "
		      "enabled (5.13 or newer)");
	return refuse(launch, &error);
}

/* Tries the backends in order; each launch decides by doing. */
static int run_chain(struct launch *launch)
{
	_cleanup_str_ struct str failures = STR_INIT;

	for (size_t i = 0; backend_chain[i]; i++) {
		const struct backend *backend = backend_chain[i];
		struct process_result result = { 0 };
		struct rf_error error = { 0 };
		int ret;

		if (!is_candidate(launch, backend))
			continue;
		launch->request.backend = backend;
		ret = process_run(&launch->request, &result, &error);
		if (ret == 0 || error.code == RF_CODE_EXEC_FAILED)
			return finish(&result, ret, &error);
		if (!is_unavailable(&error))
			return refuse(launch, &error);
		note_failure(&failures, backend, &error);
		if (!another_may_do(launch, &error))
			break;
	}
	return refuse_unavailable(launch, &failures);
}

static void print_notices(const struct launch *launch, const char *tmpdir)
{
	char shown[256];

	if (launch->options.quiet || !launch->found.tmpdir_skipped)
		return;
	rf_escape_line(tmpdir, shown, sizeof(shown));
	fprintf(stderr, "ringfence: notice: TMPDIR '%s' is not writable in the sandbox: %s\n",
		shown, launch->found.tmpdir_skipped);
}

static int run_confined(struct launch *launch)
{
	const char *tmpdir = rf_environment_get(launch->request.inherited, "TMPDIR");
	struct rf_error error = { 0 };
	int ret;

	ret = rf_resolve(&launch->options.policy, launch->options.directory, tmpdir, &launch->found,
			 &error);
	if (ret < 0)
		return refuse(launch, &error);
	ret = rf_plan_make(&launch->options.policy, &launch->found, &launch->plan, &error);
	if (ret < 0)
		return refuse(launch, &error);
	print_notices(launch, tmpdir);
	return run_chain(launch);
}

/* danger-full-access: the plain exec that the caller would have made. */
static int run_unconfined(struct launch *launch)
{
	struct rf_error error = { 0 };
	const char *directory = launch->options.directory;

	int ret = directory ? (int)SYS1(SYS_chdir, directory) : 0;

	if (ret < 0) {
		rf_error_set(&error, RF_CODE_USAGE, -ret, "cannot enter directory '%s'", directory);
		return refuse(launch, &error);
	}
	process_exec(&launch->request, &error);
	command_fail(&error);
	return process_exec_status(&error);
}

static int run_options_read(int argc, char *argv[], struct launch *launch, struct rf_error *err)
{
	int first = options_parse(argc, argv, run_option_rows, &launch->options, err);

	if (first < 0)
		return first;
	if (first == argc)
		return rf_error_set(err, RF_CODE_USAGE, 0, "no command given after '--'");
	launch->request.argv = argv + first;
	return run_options_check(&launch->options, err);
}

/* The status channel is told if it was read already and is one. */
static int refuse_options(const struct launch *launch, const struct rf_error *err)
{
	struct rf_error ignored;

	if (run_options_check_status_fd(&launch->options, &ignored) < 0)
		return command_fail(err);
	return refuse(launch, err);
}

static void make_request(struct launch *launch, char *environment[])
{
	const struct run_options *options = &launch->options;

	launch->request.policy = &options->policy;
	launch->request.plan = &launch->plan;
	launch->request.inherited = environment;
	launch->request.change_directory = options->directory != NULL;
	launch->request.direct = options->direct;
	launch->request.status_fd = options->status_fd;
	launch->request.kept_fds = options->kept_fds;
	launch->request.kept_fds_len = options->kept_fds_len;
}

int command_run(int argc, char *argv[], char *environment[])
{
	/*
	 * one launch a program: what it holds goes with the process, in no system call of its own
	 */
	static struct launch launch = { .options = { .status_fd = -1, .cap_abi = -1 } };
	struct rf_error error = { 0 };
	int ret = run_options_read(argc, argv, &launch, &error);

	if (!ret)
		ret = take_status_fd(&launch, &error);
	if (ret < 0)
		return refuse_options(&launch, &error);
	make_request(&launch, environment);
	if (launch.options.policy.mode == RF_MODE_DANGER_FULL_ACCESS)
		return run_unconfined(&launch);
	launch.request.landlock_abi = capped_abi(launch.options.cap_abi);
	return run_confined(&launch);
}
