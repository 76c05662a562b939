/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words from users to numbers and back to advice; never atoi, never a silent cut. */
#ifndef NVP_BASE_PARSE_H
#define NVP_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All return 0, or -EINVAL (no such form) or -ERANGE, and then leave *value alone. */
int nvp_parse_u64(const char *text, uint64_t *value);	/* decimal, or hex with 0x */
int nvp_parse_u64_range(const char *text, uint64_t low, uint64_t high, uint64_t *value);
int nvp_parse_size(const char *text, uint64_t *bytes);	/* 512, 4K, 4KiB, 1G, 1.5G, 2T; 1000s: kB MB GB TB */
int nvp_parse_duration(const char *text, uint64_t *ns);	/* 10s, 3ms, 5us, 7ns, 2m, 1h; bare number: seconds */
int nvp_parse_bool(const char *text, bool *value);	/* on off yes no true false 1 0 */
int nvp_parse_double(const char *text, double *value);	/* finite only, "." whatever the locale */

/* PCI address "0000:01:00.0" or "01:00.0" (domain 0). */
struct nvp_bdf { uint32_t domain; uint8_t bus, device, function; };
int nvp_parse_bdf(const char *text, struct nvp_bdf *bdf);

/* Shell glob with * ? and [..] over a whole word. */
bool nvp_glob_match(const char *glob, const char *word);

/*
 * Cut "key=value" at the first '='; key and value point into the given buffer, which is changed.
 * value is NULL when there is no '='.
 */
void nvp_split_pair(char *pair, char **key, char **value);

/*
 * The candidate nearest to a mistyped word (edit distance), or NULL when none is near; name(i)
 * gives candidate i of nr.
 */
const char *nvp_nearest(const char *word, const char *(*name)(const void *list, size_t i),
			const void *list, size_t nr);

#endif
