// SPDX-License-Identifier: GPL-2.0-or-later
// Words from users to numbers, and the nearest right word to a wrong one.

#include "core/base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

/* The value of one digit, or a number that is no digit of any base. */
static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 255;
}

/* Digits of a base from *text on, which is moved behind them; at least one is needed. */
static int take_digits(const char **text, unsigned base, uint64_t *value)
{
	const char *at = *text;
	uint64_t sum = 0;

	if (digit_of(*at) >= base)
		return -EINVAL;
	for (; digit_of(*at) < base; at++)
		if (__builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)digit_of(*at), &sum))
			return -ERANGE;
	*text = at;
	*value = sum;
	return 0;
}

int nvp_parse_u64(const char *text, uint64_t *value)
{
	unsigned base = 10;
	uint64_t sum;
	int rc;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	rc = take_digits(&text, base, &sum);
	if (rc)		/* "99999999999999999999z" is no number, whatever its size */
		return rc == -ERANGE && text[strspn(text, "0123456789abcdefABCDEF")] ? -EINVAL : rc;
	if (*text)
		return -EINVAL;
	*value = sum;
	return 0;
}

int nvp_parse_u64_range(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
	uint64_t sum;
	int rc = nvp_parse_u64(text, &sum);

	if (rc)
		return rc;
	if (sum < low || sum > high)
		return -ERANGE;
	*value = sum;
	return 0;
}

struct unit {
	const char *name;
	uint64_t factor;
};

/*
 * DIGITS[.DIGITS]UNIT, exact: what does not come out as a whole number of the smallest unit is
 * refused rather than rounded.
 */
static int parse_with_unit(const char *text, const struct unit *units, size_t nr_units,
			   uint64_t *value)
{
	uint64_t whole, fraction = 0, divisor = 1, sum, part;
	int rc = take_digits(&text, 10, &whole);

	if (rc)
		return rc;
	if (*text == '.') {
		const char *begin = ++text;

		rc = take_digits(&text, 10, &fraction);
		if (rc)
			return rc;
		for (; begin < text; begin++)
			if (__builtin_mul_overflow(divisor, UINT64_C(10), &divisor))
				return -ERANGE;
	}
	for (size_t i = 0; i < nr_units; i++) {
		if (strcmp(text, units[i].name))
			continue;
		if (__builtin_mul_overflow(whole, units[i].factor, &sum) ||
		    __builtin_mul_overflow(fraction, units[i].factor, &part))
			return -ERANGE;
		if (part % divisor)
			return -EINVAL;
		if (__builtin_add_overflow(sum, part / divisor, &sum))
			return -ERANGE;
		*value = sum;
		return 0;
	}
	return -EINVAL;
}

#define KIB UINT64_C(1024)
#define KB UINT64_C(1000)

static const struct unit size_units[] = {
	{ "", 1 }, { "B", 1 },
	{ "k", KIB }, { "K", KIB }, { "KiB", KIB }, { "kB", KB },
	{ "M", KIB * KIB }, { "MiB", KIB * KIB }, { "MB", KB * KB },
	{ "G", KIB * KIB * KIB }, { "GiB", KIB * KIB * KIB }, { "GB", KB * KB * KB },
	{ "T", KIB * KIB * KIB * KIB }, { "TiB", KIB * KIB * KIB * KIB },
	{ "TB", KB * KB * KB * KB },
	{ "P", KIB * KIB * KIB * KIB * KIB }, { "PiB", KIB * KIB * KIB * KIB * KIB },
	{ "PB", KB * KB * KB * KB * KB },
};

int nvp_parse_size(const char *text, uint64_t *bytes)
{
	return parse_with_unit(text, size_units, NVP_ARRAY_SIZE(size_units), bytes);
}

static const struct unit duration_units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { "", 1000000000 },
	{ "m", UINT64_C(60000000000) }, { "min", UINT64_C(60000000000) },
	{ "h", UINT64_C(3600000000000) }, { "d", UINT64_C(86400000000000) },
};

int nvp_parse_duration(const char *text, uint64_t *ns)
{
	return parse_with_unit(text, duration_units, NVP_ARRAY_SIZE(duration_units), ns);
}

int nvp_parse_bool(const char *text, bool *value)
{
	static const char *const yes[] = { "on", "yes", "true", "1" };
	static const char *const no[] = { "off", "no", "false", "0" };

	for (size_t i = 0; i < NVP_ARRAY_SIZE(yes); i++) {
		if (!strcmp(text, yes[i]) || !strcmp(text, no[i])) {
			*value = !strcmp(text, yes[i]);
			return 0;
		}
	}
	return -EINVAL;
}

int nvp_parse_double(const char *text, double *value)
{
	locale_t c;
	double number;
	char *end;

	/* strtod would take spaces, "inf", "nan" and hexadecimal too. */
	if (!*text || text[strspn(text, "0123456789.eE+-")])
		return -EINVAL;
	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	number = strtod_l(text, &end, c);
	freelocale(c);
	if (end == text || *end)
		return -EINVAL;
	if (!isfinite(number))
		return -ERANGE;
	*value = number;
	return 0;
}

/* Hexadecimal digits up to a character that must follow ('\0': the end). */
static int take_hex(const char **text, size_t most_digits, char then, uint64_t high,
		    uint64_t *value)
{
	const char *begin = *text;
	int rc = take_digits(text, 16, value);

	if (rc || (size_t)(*text - begin) > most_digits || **text != then)
		return -EINVAL;
	if (then)
		(*text)++;
	return *value <= high ? 0 : -ERANGE;
}

int nvp_parse_bdf(const char *text, struct nvp_bdf *bdf)
{
	const char *colon = strchr(text, ':');
	uint64_t domain = 0, bus, device, function;
	int rc = 0;

	if (colon && strchr(colon + 1, ':'))
		rc = take_hex(&text, 8, ':', UINT32_MAX, &domain);
	if (!rc)
		rc = take_hex(&text, 2, ':', 0xff, &bus);
	if (!rc)
		rc = take_hex(&text, 2, '.', 0x1f, &device);
	if (!rc)
		rc = take_hex(&text, 1, '\0', 7, &function);
	if (rc)
		return rc;
	bdf->domain = (uint32_t)domain;
	bdf->bus = (uint8_t)bus;
	bdf->device = (uint8_t)device;
	bdf->function = (uint8_t)function;
	return 0;
}

bool nvp_glob_match(const char *glob, const char *word)
{
	return fnmatch(glob, word, 0) == 0;
}

void nvp_split_pair(char *pair, char **key, char **value)
{
	char *equals = strchr(pair, '=');

	*key = pair;
	*value = equals ? equals + 1 : NULL;
	if (equals)
		*equals = '\0';
}

#define LONGEST_WORD 80

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Insertions, removals, changes and swaps of neighbours that make b from a. */
static unsigned edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned row[3][LONGEST_WORD + 1];

	for (size_t j = 0; j <= b_len; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned *now = row[i % 3], *above = row[(i - 1) % 3], *two = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned best = above[j - 1] + !same_letter(a[i - 1], b[j - 1]);

			best = best < above[j] + 1 ? best : above[j] + 1;
			best = best < now[j - 1] + 1 ? best : now[j - 1] + 1;
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]) && two[j - 2] + 1 < best)
				best = two[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[a_len % 3][b_len];
}

const char *nvp_nearest(const char *word, const char *(*name)(const void *list, size_t i),
			const void *list, size_t nr)
{
	size_t length = strlen(word);
	unsigned best = (unsigned)(length + 2) / 3 + 1;	/* near: below this */
	const char *nearest = NULL;

	if (!length || length > LONGEST_WORD)
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		const char *candidate = name(list, i);
		size_t candidate_length = strlen(candidate);
		unsigned distance;

		if (candidate_length > LONGEST_WORD)
			continue;
		distance = edit_distance(word, length, candidate, candidate_length);
		if (distance < best) {
			best = distance;
			nearest = candidate;
		}
	}
	/* Nothing near: perhaps the beginning of a longer word. */
	for (size_t i = 0; !nearest && length >= 3 && i < nr; i++)
		if (!strncasecmp(word, name(list, i), length))
			nearest = name(list, i);
	return nearest;
}
