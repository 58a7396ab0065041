/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_SHA256_H
#define RF_BASE_SHA256_H

#include <stddef.h>

#define SHA256_HEX_SIZE 65

/*
 * SHA-256 (FIPS 180-4) of `len` bytes as lower-case hexadecimal digits with a terminator. Our own
 * because no packaged library links into a static musl program.
 */
void sha256_hex(const void *bytes, size_t len, char hex[SHA256_HEX_SIZE]);

#endif
