/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_H
#define RF_POLICY_H

/*
 * The policy module: what may be touched. Pure decisions over what was asked for and what was
 * found; nothing here confines, forks or writes.
 */

#include "claims.h"
#include "environment.h"
#include "fields.h"
#include "mountinfo.h"
#include "object.h"
#include "plan.h"
#include "resolve.h"

#endif
