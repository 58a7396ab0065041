/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_DEVICES_H
#define RF_MECHANISM_DEVICES_H

#include "setup.h"

/* The device nodes that work in every mode. */
struct device {
	const char *path;
	bool terminal; /* programs need its ioctls */
};

const struct device *devices_table(size_t *ret_len);

/* True for the path of one of them. */
bool devices_is_node(const char *path);

/*
 * The new mount API's two halves: a detached clone of each node, and its mount over the node. The
 * clones stay in setup->devices: the Landlock rules use them.
 */
int devices_clone(struct setup *setup, struct rf_error *err);
int devices_mount(struct setup *setup, struct rf_error *err);

/* The classic form: binds each node over itself. */
int devices_bind(struct rf_error *err);

/* A devpts of the run's own on /dev/pts, and its ptmx on /dev/ptmx. */
int devices_mount_terminals(struct setup *setup, struct rf_error *err);

/* A private /dev/shm with a cap on size and inodes; in workspace-write mode only. */
int devices_mount_shared_memory(struct setup *setup, struct rf_error *err);

#endif
