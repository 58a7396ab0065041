/* SPDX-License-Identifier: MIT */

/*
 * The allocator of the hot-path program: memory is taken from the program's own zero pages, one
 * block after the other, and given back by the end of the program. A launch needs a few kilobytes,
 * once; a general allocator would make half a dozen system calls and as many page faults for them.
 * It replaces malloc(3) of the static C library and is linked into nothing else.
 */

#include "base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_SIZE (64 * 1024)
#define ALIGNMENT 16

static _Alignas(ALIGNMENT) char arena[ARENA_SIZE];
static size_t used;

/* In front of each block, so that realloc() knows how much to copy. */
struct header {
	size_t size;
	size_t padding;
};

static void *take_from_kernel(size_t size)
{
	void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return block == MAP_FAILED ? NULL : block;
}

void *malloc(size_t size)
{
	struct header *header;
	size_t whole;

	if (__builtin_add_overflow(size, sizeof(*header) + ALIGNMENT - 1, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	whole &= ~(size_t)(ALIGNMENT - 1);
	if (whole <= ARENA_SIZE - used) {
		header = (struct header *)(arena + used);
		used += whole;
	} else {
		header = take_from_kernel(whole);
	}
	if (!header) {
		errno = ENOMEM;
		return NULL;
	}
	header->size = size;
	return header + 1;
}

/* Only the last block could be used again; what is freed here lives to the end anyway. */
void free(void *block)
{
	(void)block;
}

void *calloc(size_t count, size_t size)
{
	size_t whole;

	if (__builtin_mul_overflow(count, size, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	return malloc(whole); /* never used before, so it is zero */
}

void *realloc(void *block, size_t size)
{
	struct header *header;
	void *grown;

	if (!block)
		return malloc(size);
	header = (struct header *)block - 1;
	if (header->size >= size)
		return block;
	grown = malloc(size);
	if (grown)
		memcpy(grown, block, header->size);
	return grown;
}
