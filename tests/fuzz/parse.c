// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzzes what reads words of a user: numbers, sizes, durations, globs, quoting.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/parse.h"
#include "core/base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes);

static void numbers(const char *word)
{
	const uint64_t untouched = 0x5ca1ab1e0ddba11ULL;
	uint64_t value = untouched;
	struct nvp_bdf bdf;
	double real;
	bool yes;

	/* A refusal leaves the value alone. */
	if (nvp_parse_u64(word, &value) && value != untouched)
		abort();
	value = untouched;
	if (nvp_parse_u64_range(word, 3, 99, &value) ? value != untouched : value < 3 || value > 99)
		abort();
	value = untouched;
	if (nvp_parse_size(word, &value) && value != untouched)
		abort();
	value = untouched;
	if (nvp_parse_duration(word, &value) && value != untouched)
		abort();
	if (!nvp_parse_double(word, &real) && !isfinite(real))
		abort();
	nvp_parse_bool(word, &yes);
	if (!nvp_parse_bdf(word, &bdf) && (bdf.device > 31 || bdf.function > 7))
		abort();
}

static const char *candidate(const void *list, size_t i)
{
	return ((const char *const *)list)[i];
}

static void texts(const char *word)
{
	static const char *const words[] = { "identify", "queue", "doorbell", "" };
	struct nvp_text t = { 0 };
	uint32_t code;

	for (const char *s = word; nvp_utf8_step(s, &code); s += nvp_utf8_step(s, &code))
		;
	nvp_text_add_json(&t, word);
	nvp_text_add_xml(&t, word);
	nvp_text_free(&t);
	nvp_nearest(word, candidate, words, sizeof(words) / sizeof(words[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes)
{
	char *word = malloc(nr_bytes + 1);
	char *key, *value, *cut;

	if (!word)
		return 0;
	memcpy(word, input, nr_bytes);
	word[nr_bytes] = '\0';
	numbers(word);
	texts(word);
	cut = strchr(word, '\n');
	if (cut) {		/* the first line is a glob, the second a word */
		*cut = '\0';
		nvp_glob_match(word, cut + 1);
	}
	nvp_split_pair(word, &key, &value);
	free(word);
	return 0;
}
