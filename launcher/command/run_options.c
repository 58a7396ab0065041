/* SPDX-License-Identifier: MIT */
#include "run_options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#define POLICY "policy"
#define RUN "run options"

static int append(struct strv *list, const char *value, struct rf_error *err)
{
	int ret = strv_append(list, value);

	return ret < 0 ? rf_error_set(err, RF_CODE_INTERNAL, -ret, "cannot read the options") : 0;
}

static int parse_number(const char *option, const char *text, int least, int *ret,
			struct rf_error *err)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno || value < least || value > INT_MAX)
		return rf_error_set(err, RF_CODE_USAGE, 0,
				    "option '%s' takes a number from %d up, not '%s'", option,
				    least, text);
	*ret = (int)value;
	return 0;
}

static int set_mode(void *target, const char *value, struct rf_error *err)
{
	return rf_mode_parse(value, &((struct run_options *)target)->policy.mode, err);
}

static int set_workspace_write(void *target, const char *value, struct rf_error *err)
{
	(void)value;
	return set_mode(target, "workspace-write", err);
}

static int set_workspace(void *target, const char *value, struct rf_error *err)
{
	(void)err;
	((struct run_options *)target)->policy.workspace = value;
	return 0;
}

static int add_write(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	policy->fields_set |= RF_FIELD_WRITE;
	return append(&policy->write, value, err);
}

static int add_write_if_present(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	policy->fields_set |= RF_FIELD_WRITE;
	return append(&policy->write_if_present, value, err);
}

static int set_network(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	policy->fields_set |= RF_FIELD_NETWORK;
	return rf_network_parse(value, &policy->network, err);
}

static int set_environment(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	policy->fields_set |= RF_FIELD_ENVIRONMENT;
	return rf_environment_parse(value, &policy->environment, err);
}

static int add_variable(struct rf_policy *policy, struct strv *list, const char *value, size_t len,
			bool set, struct rf_error *err)
{
	int ret = rf_environment_check_name(value, len, set, err);

	policy->fields_set |= RF_FIELD_ENVIRONMENT;
	return ret < 0 ? ret : append(list, value, err);
}

static int add_setenv(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;
	size_t len = strcspn(value, "=");

	if (!value[len])
		return rf_error_set(err, RF_CODE_USAGE, 0,
				    "option '--setenv' takes NAME=VALUE, not '%s'", value);
	return add_variable(policy, &policy->set_variables, value, len, true, err);
}

static int add_unsetenv(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	return add_variable(policy, &policy->unset_variables, value, strlen(value), false, err);
}

static int add_keep_env(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	return add_variable(policy, &policy->keep_variables, value, strlen(value), false, err);
}

static int set_backend(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	policy->fields_set |= RF_FIELD_BACKEND;
	return rf_backend_choice_parse(value, &policy->backend, err);
}

static int set_allow_userns(void *target, const char *value, struct rf_error *err)
{
	struct rf_policy *policy = &((struct run_options *)target)->policy;

	(void)value;
	(void)err;
	policy->fields_set |= RF_FIELD_ALLOW_USERNS;
	policy->allow_userns = true;
	return 0;
}

static int set_directory(void *target, const char *value, struct rf_error *err)
{
	(void)err;
	((struct run_options *)target)->directory = value;
	return 0;
}

static int set_status_fd(void *target, const char *value, struct rf_error *err)
{
	return parse_number("--status-fd", value, 3, &((struct run_options *)target)->status_fd,
			    err);
}

static int add_keep_fd(void *target, const char *value, struct rf_error *err)
{
	struct run_options *options = target;
	int fd = -1;
	int ret = parse_number("--keep-fd", value, 3, &fd, err);

	if (ret < 0)
		return ret;
	if (options->kept_fds_len == MAX_KEPT_FDS)
		return rf_error_set(err, RF_CODE_USAGE, 0, "more than %d descriptors to keep",
				    MAX_KEPT_FDS);
	options->kept_fds[options->kept_fds_len++] = fd;
	return 0;
}

static int set_quiet(void *target, const char *value, struct rf_error *err)
{
	(void)value;
	(void)err;
	((struct run_options *)target)->quiet = true;
	return 0;
}

static int set_cap_abi(void *target, const char *value, struct rf_error *err)
{
	return parse_number("--cap-abi", value, 0, &((struct run_options *)target)->cap_abi, err);
}

static int set_direct(void *target, const char *value, struct rf_error *err)
{
	(void)value;
	(void)err;
	((struct run_options *)target)->direct = true;
	return 0;
}

const struct option_row run_option_rows[] = {
	{ "mode", 0, "MODE", POLICY, "read-only (default), workspace-write, danger-full-access",
	  set_mode },
	{ NULL, 'w', NULL, POLICY, "the same as --mode workspace-write", set_workspace_write },
	{ "workspace", 0, "DIR", POLICY, "the workspace (default: the current directory)",
	  set_workspace },
	{ "write", 0, "PATH", POLICY, "one more writable root; it must exist", add_write },
	{ "write-if-present", 0, "PATH", POLICY, "one more writable root, if it exists",
	  add_write_if_present },
	{ "net", 0, "NETWORK", POLICY, "off (default), host", set_network },
	{ "env", 0, "BASE", POLICY, "inherit (default), clean", set_environment },
	{ "setenv", 0, "NAME=VALUE", POLICY, "set a variable", add_setenv },
	{ "unsetenv", 0, "NAME", POLICY, "leave a variable out", add_unsetenv },
	{ "keep-env", 0, "NAME", POLICY, "keep a variable that --env clean leaves out",
	  add_keep_env },
	{ "backend", 0, "BACKEND", POLICY, "auto (default), namespace, landlock", set_backend },
	{ "allow-userns", 0, NULL, POLICY, "let the command make user namespaces of its own",
	  set_allow_userns },
	{ "chdir", 0, "DIR", RUN, "start the command in DIR", set_directory },
	{ "status-fd", 0, "N", RUN, "write events as JSON lines to descriptor N", set_status_fd },
	{ "keep-fd", 0, "N", RUN, "let the command inherit descriptor N", add_keep_fd },
	{ "quiet", 0, NULL, RUN, "print no notices", set_quiet },
	{ "exec", 0, NULL, RUN, "replace the launcher by the command (landlock backend)",
	  set_direct },
	{ "cap-abi", 0, "N", RUN, "testing aid: treat the kernel as Landlock ABI N", set_cap_abi },
	{ 0 },
};

static int check_open(const char *option, int fd, struct rf_error *err)
{
	int flags = fd_flags(fd);

	if (flags >= 0)
		return flags;
	return rf_error_set(err, RF_CODE_USAGE, 0, "option '%s': descriptor %d is not open", option,
			    fd);
}

int run_options_check_status_fd(const struct run_options *options, struct rf_error *err)
{
	int flags;

	if (options->status_fd < 0)
		return 0;
	flags = check_open("--status-fd", options->status_fd, err);
	if (flags < 0)
		return flags;
	if (!(flags & O_PATH) && (flags & O_ACCMODE) != O_RDONLY)
		return 0;
	return rf_error_set(err, RF_CODE_USAGE, 0,
			    "option '--status-fd': descriptor %d is not open for writing",
			    options->status_fd);
}

static int check_confined(const struct run_options *options, struct rf_error *err)
{
	if (options->policy.mode == RF_MODE_DANGER_FULL_ACCESS)
		return 0;
	if (options->direct && options->policy.backend == RF_BACKEND_NAMESPACE)
		return rf_error_set(err, RF_CODE_POLICY_NOT_EXPRESSIBLE, 0,
				    "'--exec' cannot replace the reaper of the namespace backend");
	return 0;
}

int run_options_check(const struct run_options *options, struct rf_error *err)
{
	int ret = rf_policy_check(&options->policy, err);

	if (!ret)
		ret = check_confined(options, err);
	if (!ret)
		ret = run_options_check_status_fd(options, err);
	for (size_t i = 0; ret >= 0 && i < options->kept_fds_len; i++) {
		if (options->kept_fds[i] == options->status_fd)
			return rf_error_set(err, RF_CODE_USAGE, 0,
					    "descriptor %d is both kept and the status channel",
					    options->status_fd);
		ret = check_open("--keep-fd", options->kept_fds[i], err);
	}
	return ret < 0 ? ret : 0;
}
