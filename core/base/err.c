// SPDX-License-Identifier: GPL-2.0-or-later
// The error object: the first error wins, and one line tells it.

#include <nvproof/err.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

int nvp_err_at(struct nvp_err *err, enum nvp_err_kind kind, int code, const char *file, int line,
	       const char *what_format, ...)
{
	va_list args;

	if (!err || err->code)
		return code;
	err->code = code;
	err->kind = kind;
	err->file = file;
	err->line = line;
	err->expected[0] = '\0';
	err->seen[0] = '\0';
	err->advice[0] = '\0';
	va_start(args, what_format);
	vsnprintf(err->what, sizeof(err->what), what_format, args);
	va_end(args);
	return code;
}

__attribute__((format(printf, 4, 0)))
static void fill_once(const struct nvp_err *err, char *text, size_t bytes, const char *format,
		      va_list args)
{
	if (err->code && !text[0])
		vsnprintf(text, bytes, format, args);
}

void nvp_err_expected(struct nvp_err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	fill_once(err, err->expected, sizeof(err->expected), format, args);
	va_end(args);
}

void nvp_err_seen(struct nvp_err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	fill_once(err, err->seen, sizeof(err->seen), format, args);
	va_end(args);
}

void nvp_err_advice(struct nvp_err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	fill_once(err, err->advice, sizeof(err->advice), format, args);
	va_end(args);
}

const char *nvp_err_text(const struct nvp_err *err, char *text, size_t bytes)
{
	const char *colon = err->expected[0] || err->seen[0] ? ": " : "";
	const char *comma = err->expected[0] && err->seen[0] ? ", " : "";

	if (!bytes)
		return text;
	snprintf(text, bytes, "%s%s%s%s%s%s%s%s%s", err->what, colon,
		 err->expected[0] ? "expected " : "", err->expected, comma,
		 err->seen[0] ? "seen " : "", err->seen, err->advice[0] ? "; " : "", err->advice);
	/* One line, whatever a user or a drive put into it. */
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	return text;
}

int nvp_err_exit_code(enum nvp_err_kind kind)
{
	switch (kind) {
	case NVP_ERR_NONE:
		return 0;
	case NVP_ERR_USAGE:
		return 2;
	case NVP_ERR_BROKEN:
	case NVP_ERR_UNSUPPORTED:
		return 3;
	case NVP_ERR_REFUSED:
	case NVP_ERR_DENIED:
		return 4;
	}
	return 3;
}
