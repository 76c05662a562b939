/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keyed random numbers: each choice is a hash of what it is for, never the next of a stream. */
#ifndef NVP_BASE_RAND_H
#define NVP_BASE_RAND_H

#include <stddef.h>
#include <stdint.h>

/*
 * hash(seed, purpose, object, occurrence): the same four always give the same 64 uniform bits,
 * whatever else was drawn before (DESIGN section 3, "Randomness is keyed"). purpose is a short
 * constant word ("cut.subset"), object what it is about (a queue, a block, a command number),
 * occurrence counts repeats.
 */
uint64_t nvp_rand(uint64_t seed, const char *purpose, uint64_t object, uint64_t occurrence);

/* The same, uniform in 0 .. bound-1 without modulo bias; bound 0 gives 0. */
uint64_t nvp_rand_below(uint64_t seed, const char *purpose, uint64_t object, uint64_t occurrence,
			uint64_t bound);

/* A well-mixed 64-bit value of one (bijective); for hot loops that made their key before. */
uint64_t nvp_rand_mix(uint64_t value);

/* Fill bytes with a stream that the key alone decides. */
void nvp_rand_fill(void *bytes, size_t nr_bytes, uint64_t key);

/* The k-th element of a permutation of 0 .. nr-1 chosen by the key (nr >= 1, k < nr). */
uint64_t nvp_rand_permute(uint64_t key, uint64_t k, uint64_t nr);

#endif
