/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_STR_H
#define RF_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A growing byte string. Invariants: `data` is terminated whenever it is not NULL; once an
 * allocation has failed, `failed` stays set and appending does nothing, so that a caller checks
 * once, at the end.
 */
struct str {
	char *data;
	size_t len;
	size_t size;
	bool failed;
};

#define STR_INIT                                                                                   \
	{                                                                                          \
		NULL, 0, 0, false                                                                  \
	}

void str_release(struct str *s);
#define _cleanup_str_ __attribute__((cleanup(str_release)))

void str_append(struct str *s, const char *text);
void str_append_bytes(struct str *s, const void *bytes, size_t len);
void str_printf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Hands the bytes on (the caller frees them) and leaves the string empty; NULL after a failure. */
char *str_take(struct str *s);

/*
 * Appends `text` as a JSON string with its quotes. Valid UTF-8 stays; a byte that belongs to no
 * valid sequence becomes \u00NN of its value, a control byte likewise, so that the result is always
 * valid JSON whatever bytes a path is made of. NULL is written as null.
 */
void str_append_json(struct str *s, const char *text);

/* A list of borrowed strings, terminated by NULL when `items` is not NULL. */
struct strv {
	const char **items;
	size_t len;
	size_t size;
};

/* Appends a pointer (not a copy): 0 or -ENOMEM. */
int strv_append(struct strv *v, const char *item);
void strv_release(struct strv *v);

#endif
