/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_H
#define RF_BASE_H

/* The module's header: what the layers above may include. */

#include "error.h"
#include "fd.h"
#include "kernel.h"
#include "options.h"
#include "sha256.h"
#include "str.h"
#include "sys.h"

#include <stdlib.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static inline void free_pointer(void *pointer)
{
	free(*(void **)pointer);
}

#define _cleanup_free_ __attribute__((cleanup(free_pointer)))

#endif
