/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_ERROR_H
#define RF_BASE_ERROR_H

#include <stddef.h>

/*
 * Every way in which ringfence can fail, by name. The list is closed and only grows at its end:
 * other programs read these names. X(symbol, name, since).
 */
#define RF_CODES(X)                                                                                \
	X(RF_CODE_USAGE, "usage")                                                                  \
	X(RF_CODE_POLICY_CONFLICT, "policy-conflict")                                              \
	X(RF_CODE_POLICY_NOT_EXPRESSIBLE, "policy-not-expressible")                                \
	X(RF_CODE_WORKSPACE_IS_ROOT, "workspace-is-root")                                          \
	X(RF_CODE_WORKSPACE_MISSING, "workspace-missing")                                          \
	X(RF_CODE_WORKSPACE_NOT_A_DIRECTORY, "workspace-not-a-directory")                          \
	X(RF_CODE_ROOT_MISSING, "root-missing")                                                    \
	X(RF_CODE_ROOT_REFUSED, "root-refused")                                                    \
	X(RF_CODE_FD_IS_DIRECTORY, "fd-is-directory")                                              \
	X(RF_CODE_PATH_CHANGED, "path-changed")                                                    \
	X(RF_CODE_RESERVED_NAME, "reserved-name")                                                  \
	X(RF_CODE_SANDBOX_UNAVAILABLE, "sandbox-unavailable")                                      \
	X(RF_CODE_SETUP_FAILED, "setup-failed")                                                    \
	X(RF_CODE_EXEC_FAILED, "exec-failed")                                                      \
	X(RF_CODE_INTERNAL, "internal")

enum rf_code {
	RF_CODE_NONE,
#define X(symbol, name) symbol,
	RF_CODES(X)
#undef X
};

/*
 * What went wrong, in caller storage and without a pointer in it, so that a child can send it
 * through a socket as it is. Invariants: set once, at the lowest place that knows the cause;
 * `msg` never contains the errno text (the printer adds it from `errnum`), and holds paths as
 * the bytes they are (the printer escapes control bytes).
 */
struct rf_error {
	enum rf_code code;
	int errnum;	/* 0 when no system call failed */
	char step[24];	/* the set-up step that failed, empty outside a set-up */
	char msg[384];	/* what failed first, names in single quotes */
	char hint[224]; /* what the user can do, empty if nothing is known to help */
};

/*
 * Fills in `err` (which may be NULL) and returns the negative errno to pass on: -errnum, or
 * -EINVAL when errnum is 0. Formats into the caller's storage; no heap, no locale, no errno.
 */
int rf_error_set(struct rf_error *err, enum rf_code code, int errnum, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Adds the hint to an error that is set; a hint that is already there stays. */
void rf_error_hint(struct rf_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The name of a code as users and programs see it ("root-missing"). */
const char *rf_code_name(enum rf_code code);

/* The symbolic name of an errno ("ENOENT"), or NULL for a number that has none here. */
const char *rf_errno_name(int errnum);

/*
 * Writes the message with its errno text appended into `buf`, control bytes escaped as \xNN, so
 * that it is one line whatever the paths in it contain. Always terminates; cuts what is too long.
 */
void rf_error_text(const struct rf_error *err, char *buf, size_t size);

/* Copies `text` with control bytes escaped as \xNN. Same promises as rf_error_text(). */
void rf_escape_line(const char *text, char *buf, size_t size);

#endif
