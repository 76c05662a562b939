// SPDX-License-Identifier: GPL-2.0-or-later
// Keyed random numbers: hashes of (seed, purpose, object, occurrence), fills and permutations.

#include "core/base/rand.h"

#include <string.h>

#include "core/base/bits.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)	/* 2^64 divided by the golden ratio, odd */

/* The output step of SplitMix64 (Steele, Lea, Flood 2014, variant 13 of Stafford). */
uint64_t nvp_rand_mix(uint64_t value)
{
	value += GOLDEN;
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* FNV-1a: short words, no length limit. */
static uint64_t word_hash(const char *word)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *word; word++)
		hash = (hash ^ (uint8_t)*word) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t nvp_rand(uint64_t seed, const char *purpose, uint64_t object, uint64_t occurrence)
{
	uint64_t hash = nvp_rand_mix(seed);

	/* A full mix between any two inputs, so that (1, 2) and (2, 1) have nothing in common. */
	hash = nvp_rand_mix(hash ^ word_hash(purpose));
	hash = nvp_rand_mix(hash ^ object);
	return nvp_rand_mix(hash ^ occurrence);
}

uint64_t nvp_rand_below(uint64_t seed, const char *purpose, uint64_t object, uint64_t occurrence,
			uint64_t bound)
{
	uint64_t value = nvp_rand(seed, purpose, object, occurrence);
	uint64_t mask;

	if (bound <= 1)
		return 0;
	mask = UINT64_MAX >> __builtin_clzll(bound - 1);
	while ((value & mask) >= bound)
		value = nvp_rand_mix(value);
	return value & mask;
}

void nvp_rand_fill(void *bytes, size_t nr_bytes, uint64_t key)
{
	uint64_t state = nvp_rand_mix(key);	/* neighbours are then no shifted copies */
	uint8_t *out = bytes;

	for (; nr_bytes >= 8; nr_bytes -= 8, out += 8, state += GOLDEN)
		nvp_put_le64(out, nvp_rand_mix(state));
	nvp_put_le_n(out, nr_bytes, nvp_rand_mix(state));
}

/*
 * A Feistel network over the smallest power of two that holds nr; results beyond nr are sent
 * through again until they fall inside, which keeps it a permutation of 0 .. nr-1.
 */
uint64_t nvp_rand_permute(uint64_t key, uint64_t k, uint64_t nr)
{
	unsigned bits, low_bits;
	uint64_t low_mask, high_mask;

	if (nr <= 1)
		return 0;
	bits = 64 - (unsigned)__builtin_clzll(nr - 1);
	low_bits = bits / 2;
	low_mask = (UINT64_C(1) << low_bits) - 1;
	high_mask = UINT64_MAX >> (64 - (bits - low_bits));
	do {
		uint64_t low = k & low_mask, high = k >> low_bits;

		for (uint64_t round = 0; round < 4; round++) {
			uint64_t round_key = nvp_rand_mix(key + round * GOLDEN);

			low = (low ^ nvp_rand_mix(round_key ^ high)) & low_mask;
			high = (high ^ nvp_rand_mix(~round_key ^ low)) & high_mask;
		}
		k = high << low_bits | low;
	} while (k >= nr);
	return k;
}
