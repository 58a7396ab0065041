/* SPDX-License-Identifier: MIT */
#ifndef RF_TESTS_SUPPORT_BPF_H
#define RF_TESTS_SUPPORT_BPF_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Runs a seccomp filter the way the kernel does, for any architecture: the data that the filter
 * looks at are made up by the caller. Only what the kernel accepts in such a filter is known here.
 */
struct bpf_outcome {
	uint32_t action;     /* what the filter returned */
	unsigned steps;	     /* instructions that were executed */
	bool read_arguments; /* the number and the architecture did not suffice */
};

/* The kernel's checks at load time: length, opcodes, jumps, loads, a return at the end. 0 or
 * -EINVAL. */
int bpf_validate(const struct sock_filter *code, size_t length);

/* Returns 0, or -EINVAL with the outcome untouched when the program does what a valid one cannot.
 */
int bpf_run(const struct sock_filter *code, size_t length, const struct seccomp_data *data,
	    struct bpf_outcome *ret_outcome);

#endif
