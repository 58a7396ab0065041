/* SPDX-License-Identifier: MIT */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char *const code_names[] = {
	[RF_CODE_NONE] = "none",
#define X(symbol, name) [symbol] = name,
	RF_CODES(X)
#undef X
};
/* clang-format on */

const char *rf_code_name(enum rf_code code)
{
	if ((size_t)code >= sizeof(code_names) / sizeof(code_names[0]))
		return "internal";
	return code_names[code];
}

int rf_error_set(struct rf_error *err, enum rf_code code, int errnum, const char *fmt, ...)
{
	va_list args;

	if (err) {
		err->code = code;
		err->errnum = errnum;
		err->step[0] = '\0';
		err->hint[0] = '\0';
		va_start(args, fmt);
		vsnprintf(err->msg, sizeof(err->msg), fmt, args);
		va_end(args);
	}
	return errnum ? -errnum : -EINVAL;
}

void rf_error_hint(struct rf_error *err, const char *fmt, ...)
{
	va_list args;

	if (!err || err->hint[0])
		return;
	va_start(args, fmt);
	vsnprintf(err->hint, sizeof(err->hint), fmt, args);
	va_end(args);
}

void rf_escape_line(const char *text, char *buf, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	size_t used = 0;

	for (; *text && used + 5 < size; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte >= 0x20 && byte != 0x7f) {
			buf[used++] = (char)byte;
			continue;
		}
		buf[used++] = '\\';
		buf[used++] = 'x';
		buf[used++] = digits[byte >> 4];
		buf[used++] = digits[byte & 15];
	}
	buf[used] = '\0';
}

void rf_error_text(const struct rf_error *err, char *buf, size_t size)
{
	size_t used;

	rf_escape_line(err->msg, buf, size);
	used = strlen(buf);
	if (err->errnum)
		snprintf(buf + used, size - used, ": %s", strerror(err->errnum));
}
