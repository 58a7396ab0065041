/* SPDX-License-Identifier: MIT */
/* The hot-path program's allocator under other names, so that the test keeps the C library's. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *arena_malloc(size_t size);
void *arena_calloc(size_t count, size_t size);
void *arena_realloc(void *block, size_t size);
void arena_free(void *block);

#define malloc arena_malloc
#define calloc arena_calloc
#define realloc arena_realloc
#define free arena_free
#include "launcher/arena.c"
#undef malloc
#undef calloc
#undef realloc
#undef free

#define BLOCKS 400

static bool is_filled(const unsigned char *block, size_t size, unsigned char byte)
{
	for (size_t i = 0; i < size; i++)
		if (block[i] != byte)
			return false;
	return true;
}

/* Every size across the end of the arena: aligned, apart from each other, and zero with calloc. */
Test(arena, blocks_are_aligned_and_apart)
{
	static unsigned char *blocks[BLOCKS];

	for (size_t i = 0; i < BLOCKS; i++) {
		blocks[i] = arena_calloc(i, 3);
		cr_assert_not_null(blocks[i]);
		cr_assert_eq((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
		cr_assert(is_filled(blocks[i], 3 * i, 0), "block %zu", i);
		memset(blocks[i], (int)(i % 255 + 1), 3 * i);
	}
	for (size_t i = 0; i < BLOCKS; i++)
		cr_assert(is_filled(blocks[i], 3 * i, (unsigned char)(i % 255 + 1)), "block %zu",
			  i);
	cr_assert_gt(BLOCKS * (BLOCKS - 1) / 2 * 3, ARENA_SIZE, "all of them fit: nothing shown");
}

Test(arena, a_block_of_nothing_is_one)
{
	void *first = arena_malloc(0), *second = arena_malloc(0);

	cr_assert_not_null(first);
	cr_assert_neq(first, second);
	arena_free(first);
	arena_free(NULL);
}

Test(arena, realloc_keeps_the_bytes)
{
	char *block = arena_realloc(NULL, 8);

	cr_assert_not_null(block);
	strcpy(block, "1234567");
	for (size_t size = 16; size < 1 << 20; size *= 2) {
		block = arena_realloc(block, size);
		cr_assert_not_null(block);
		cr_assert_str_eq(block, "1234567", "at %zu bytes", size);
		memset(block + 8, 'x', size - 8);
	}
	cr_assert_eq(arena_realloc(block, 4), block, "a smaller one stays in place");
	cr_assert_str_eq(block + 4, "567");
}

Test(arena, one_larger_than_the_arena)
{
	unsigned char *large = arena_malloc(10 * ARENA_SIZE);
	unsigned char *small = arena_malloc(16);

	cr_assert_not_null(large);
	cr_assert_not_null(small);
	memset(large, 1, 10 * ARENA_SIZE);
	memset(small, 2, 16);
	cr_assert(is_filled(large, 10 * ARENA_SIZE, 1));
}

Test(arena, what_cannot_be_is_refused)
{
	/* by way of a variable, or the compiler sees the sizes and objects */
	volatile size_t most = SIZE_MAX;
	void *block = arena_malloc(4);

	errno = 0;
	cr_expect_null(arena_malloc(most));
	cr_expect_eq(errno, ENOMEM);
	errno = 0;
	cr_expect_null(arena_malloc(most - 30));
	cr_expect_eq(errno, ENOMEM);
	cr_expect_null(arena_malloc(most / 2), "more than there is");
	errno = 0;
	cr_expect_null(arena_calloc(most / 16 + 2, 16), "which is 16, were it not too much");
	cr_expect_eq(errno, ENOMEM);
	cr_expect_null(arena_realloc(block, most));
	cr_expect_not_null(arena_malloc(16), "and the next one is served");
}
