/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_H
#define RF_MECHANISM_H

/*
 * The mechanism module: one file for each thing the kernel can do for a sandbox. Every mechanism
 * answers to the same names: X_probe() (can this host do it), X_plan() (plan → what the kernel is
 * told; pure) and X_apply() (tell it). An X_apply() is a step: it returns 0, or a negative errno
 * with `err` set, and runs in the child between clone and exec.
 */

#include "capabilities.h"
#include "descriptors.h"
#include "devices.h"
#include "landlock.h"
#include "mounts.h"
#include "namespace.h"
#include "proc.h"
#include "seccomp.h"
#include "setup.h"
#include "terminal.h"

#endif
