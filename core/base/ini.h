/* SPDX-License-Identifier: GPL-2.0-or-later */
/* INI files (configuration, waivers, rigs), read strictly: what the library would cut silently is an error. */
#ifndef NVP_BASE_INI_H
#define NVP_BASE_INI_H

#include <nvproof/err.h>

/*
 * One "key = value" of a file; section is "" before the first. Everything is borrowed for the
 * call. Comments (# or ; at the start of a line, " ;" behind a value) and surrounding space are
 * gone. Returns 0 to go on, or a negative errno with *err filled: reading then ends.
 */
struct nvp_ini_entry {
	const char *path;
	unsigned line;		/* from 1 */
	const char *section, *key, *value;
};

/*
 * Call take for every entry of the file in its order. 0, or a negative errno: -ENOENT and the
 * like when the file cannot be read; -EINVAL for a line that is neither section, entry nor
 * comment, is longer than 197 bytes, has a NUL or a section name longer than 49 bytes (limits of
 * the library). *err names file and line; its kind is NVP_ERR_USAGE.
 */
int nvp_ini_read(const char *path, int (*take)(void *context, const struct nvp_ini_entry *entry,
					       struct nvp_err *err),
		 void *context, struct nvp_err *err);

#endif
