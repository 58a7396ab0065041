/* SPDX-License-Identifier: MIT */
#include "str.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void str_release(struct str *s)
{
	free(s->data);
	*s = (struct str)STR_INIT;
}

static bool str_reserve(struct str *s, size_t more)
{
	size_t wanted = s->len + more + 1;
	char *grown;

	if (s->failed || wanted <= s->size)
		return !s->failed;
	if (wanted < 2 * s->size)
		wanted = 2 * s->size;
	grown = realloc(s->data, wanted);
	if (!grown) {
		s->failed = true;
		return false;
	}
	s->data = grown;
	s->size = wanted;
	return true;
}

void str_append_bytes(struct str *s, const void *bytes, size_t len)
{
	if (!str_reserve(s, len))
		return;
	memcpy(s->data + s->len, bytes, len);
	s->len += len;
	s->data[s->len] = '\0';
}

void str_append(struct str *s, const char *text)
{
	str_append_bytes(s, text, strlen(text));
}

void str_printf(struct str *s, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0 || !str_reserve(s, (size_t)len))
		return;
	va_start(args, fmt);
	vsnprintf(s->data + s->len, (size_t)len + 1, fmt, args);
	va_end(args);
	s->len += (size_t)len;
}

char *str_take(struct str *s)
{
	char *data = s->failed ? NULL : s->data;

	if (s->failed)
		free(s->data);
	*s = (struct str)STR_INIT;
	return data;
}

/*
 * The length of the valid UTF-8 sequence at `p` (RFC 3629: no surrogates, nothing overlong), or 0.
 */
static size_t utf8_sequence(const unsigned char *p)
{
	static const struct {
		unsigned char first, last, second_low, second_high, length;
	} forms[] = {
		{ 0x20, 0x7e, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (*p < forms[i].first || *p > forms[i].last)
			continue;
		if (forms[i].length > 1 &&
		    (p[1] < forms[i].second_low || p[1] > forms[i].second_high))
			return 0;
		for (size_t n = 2; n < forms[i].length; n++)
			if ((p[n] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

void str_append_json(struct str *s, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	if (!text) {
		str_append(s, "null");
		return;
	}
	str_append(s, "\"");
	while (*p) {
		size_t len = utf8_sequence(p);

		if (*p == '"' || *p == '\\')
			str_printf(s, "\\%c", *p);
		else if (len)
			str_append_bytes(s, p, len);
		else
			str_printf(s, "\\u%04x", *p);
		p += len ? len : 1;
	}
	str_append(s, "\"");
}

int strv_append(struct strv *v, const char *item)
{
	if (v->len + 2 > v->size) {
		size_t size = v->size ? 2 * v->size : 16;
		const char **grown = realloc(v->items, size * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		v->items = grown;
		v->size = size;
	}
	v->items[v->len++] = item;
	v->items[v->len] = NULL;
	return 0;
}

void strv_release(struct strv *v)
{
	free(v->items);
	*v = (struct strv){ 0 };
}
