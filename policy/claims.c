/* SPDX-License-Identifier: MIT */
#include "claims.h"

#include <stddef.h>

static const char *const names[RF_CLAIM_COUNT] = {
#define X(symbol, name) [symbol] = name,
	RF_CLAIMS(X)
#undef X
};

const char *rf_claim_name(enum rf_claim claim)
{
	return (unsigned)claim < RF_CLAIM_COUNT ? names[claim] : NULL;
}
