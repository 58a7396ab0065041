/* SPDX-License-Identifier: MIT */
#ifndef RF_COMMAND_RUN_OPTIONS_H
#define RF_COMMAND_RUN_OPTIONS_H

#include "command.h"

#define MAX_KEPT_FDS 64

/* What the command line of `run` asks for. */
struct run_options {
	struct rf_policy policy;
	const char *directory;
	int status_fd; /* -1: none */
	int kept_fds[MAX_KEPT_FDS];
	size_t kept_fds_len;
	int cap_abi; /* -1: whatever the kernel has */
	bool quiet;
	bool direct;
};

extern const struct option_row run_option_rows[];

/* The status channel is open for writing, or none was asked for: 0, else usage. */
int run_options_check_status_fd(const struct run_options *options, struct rf_error *err);

/* What single options cannot see: contradictions between two, descriptors that are not open. */
int run_options_check(const struct run_options *options, struct rf_error *err);

#endif
