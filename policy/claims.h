/* SPDX-License-Identifier: MIT */
#ifndef RF_POLICY_CLAIMS_H
#define RF_POLICY_CLAIMS_H

#include <stdint.h>

/* The promises of a sandbox, version 1, in the order in which they are listed everywhere. */
#define RF_CLAIMS(X)                                                                               \
	X(RF_CLAIM_WRITE, "write")                                                                 \
	X(RF_CLAIM_METADATA, "metadata")                                                           \
	X(RF_CLAIM_PROTECT, "protect")                                                             \
	X(RF_CLAIM_HIDE, "hide")                                                                   \
	X(RF_CLAIM_NETWORK, "network")                                                             \
	X(RF_CLAIM_CONTROL_SOCKETS, "control-sockets")                                             \
	X(RF_CLAIM_ABSTRACT_SOCKETS, "abstract-sockets")                                           \
	X(RF_CLAIM_SIGNAL, "signal")                                                               \
	X(RF_CLAIM_INSPECT, "inspect")                                                             \
	X(RF_CLAIM_PROCESSES, "processes")                                                         \
	X(RF_CLAIM_TERMINAL, "terminal")                                                           \
	X(RF_CLAIM_DESCRIPTORS, "descriptors")                                                     \
	X(RF_CLAIM_PRIVILEGE, "privilege")                                                         \
	X(RF_CLAIM_KERNEL, "kernel")                                                               \
	X(RF_CLAIM_LIFETIME, "lifetime")                                                           \
	X(RF_CLAIM_LIMITS, "limits")

enum rf_claim {
#define X(symbol, name) symbol,
	RF_CLAIMS(X)
#undef X
		RF_CLAIM_COUNT
};

/* A set of claims is a bit mask: bit N stands for claim N. */
#define RF_CLAIM_BIT(claim) (UINT32_C(1) << (claim))

/* The name of a claim as it is printed ("control-sockets"), NULL past the end. */
const char *rf_claim_name(enum rf_claim claim);

#endif
