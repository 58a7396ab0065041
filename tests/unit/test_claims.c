/* SPDX-License-Identifier: MIT */
#include "policy/policy.h"

#include <criterion/criterion.h>
#include <string.h>

/* Version 1 of the claims, typed again: other programs read these names. */
Test(claims, are_the_sixteen_of_version_1)
{
	static const char *const names[] = {
		"write",     "metadata",	"protect",	    "hide",
		"network",   "control-sockets", "abstract-sockets", "signal",
		"inspect",   "processes",	"terminal",	    "descriptors",
		"privilege", "kernel",		"lifetime",	    "limits",
	};

	cr_assert_eq(RF_CLAIM_COUNT, ARRAY_LEN(names));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		cr_expect_str_eq(rf_claim_name((enum rf_claim)i), names[i]);
}

Test(claims, none_past_the_end)
{
	cr_assert_null(rf_claim_name(RF_CLAIM_COUNT));
	cr_assert_null(rf_claim_name((enum rf_claim) - 1));
}

Test(claims, each_has_a_bit_of_its_own)
{
	uint32_t all = 0;

	for (size_t i = 0; i < RF_CLAIM_COUNT; i++) {
		cr_expect_eq(all & RF_CLAIM_BIT(i), 0);
		all |= RF_CLAIM_BIT(i);
	}
	cr_assert_eq(all, (UINT32_C(1) << RF_CLAIM_COUNT) - 1);
}
