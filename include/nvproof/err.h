/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The error object: what the tool could not do, in one line. Never used for what a drive answered. */
#ifndef NVPROOF_ERR_H
#define NVPROOF_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who has to act; decides the exit code of the program (DESIGN section 2, "Exit codes"). */
enum nvp_err_kind {
	NVP_ERR_NONE = 0,
	NVP_ERR_USAGE,		/* the user asked for something that does not exist: exit 2 */
	NVP_ERR_BROKEN,		/* the rig or the tool could not do it: exit 3 */
	NVP_ERR_REFUSED,	/* refused for safety: exit 4 */
	NVP_ERR_UNSUPPORTED,	/* this backend cannot do it: becomes the reason of a skip */
	NVP_ERR_DENIED,		/* the guard refused it: not in --allow; becomes the reason of a skip */
};

/*
 * A plain value, owned by the caller; zero-initialised means "no error". The first error wins:
 * once code is not 0, later calls leave the object as it is. All texts are NUL-terminated and
 * cut at the end of their array.
 */
struct nvp_err {
	int code;		/* 0, or a negative errno */
	enum nvp_err_kind kind;
	const char *file;	/* where it was noticed: __FILE__, static storage */
	int line;
	char what[200];		/* what was being done, and on what: "open sim:szie=1G" */
	char expected[120];	/* what would have been right; empty if there is nothing to say */
	char seen[160];		/* what was there instead */
	char advice[160];	/* what to do now: a sentence without a full stop */
};

/*
 * Record an error unless one is recorded already. Returns code (a negative errno), so that
 * `return nvp_err_at(...)` works; err may be NULL. Use the macro nvp_err_set.
 */
int nvp_err_at(struct nvp_err *err, enum nvp_err_kind kind, int code, const char *file, int line,
	       const char *what_format, ...) __attribute__((format(printf, 6, 7)));

#define nvp_err_set(err, kind, code, ...) \
	nvp_err_at((err), (kind), (code), __FILE__, __LINE__, __VA_ARGS__)

/* Fill the other texts of the error just recorded; no effect on a text that is already there. */
void nvp_err_expected(struct nvp_err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void nvp_err_seen(struct nvp_err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void nvp_err_advice(struct nvp_err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The one line for the user, without a newline: "WHAT: expected E, seen S; ADVICE". Writes at
 * most bytes, always NUL-terminated, control characters replaced; returns text.
 */
const char *nvp_err_text(const struct nvp_err *err, char *text, size_t bytes);

/* The exit code that belongs to a kind: 0, 2, 3 or 4 (UNSUPPORTED and DENIED give 3 and 4). */
int nvp_err_exit_code(enum nvp_err_kind kind);

#ifdef __cplusplus
}
#endif
#endif
