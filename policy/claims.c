/* SPDX-License-Identifier: MIT */
#include "claims.h"

#include <stddef.h>

/* clang-format off */
static const char *const names[RF_CLAIM_COUNT] = {
#define X(symbol, name) [symbol] = name,
	RF_CLAIMS(X)
#undef X
};
/* clang-format on */

const char *rf_claim_name(enum rf_claim claim)
{
	return (unsigned)claim < RF_CLAIM_COUNT ? names[claim] : NULL;
}
