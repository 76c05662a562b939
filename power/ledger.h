/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each block of the window is known to hold, in 8 bytes. */
#ifndef NVP_POWER_LEDGER_H
#define NVP_POWER_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "power/oracle.h"

/* A version: what, in the highest 4 bits, and of what. */
enum nvp_version_what {
	NVP_VERSION_UNKNOWN = 0, /* never read: whatever is there counts */
	NVP_VERSION_STAMP,	 /* written by operation `seq` of the run, for this block */
	NVP_VERSION_MOVED,	 /* the same, for another block of the window: a copy */
	NVP_VERSION_ZEROES,
	NVP_VERSION_ONES,
	NVP_VERSION_UNC,
	NVP_VERSION_UNMAPPED,
	NVP_VERSION_FOREIGN, /* nothing of ours: its CRC-32C */
};

#define NVP_VERSION_HOME_BITS 16u /* a window has at most 64 Ki blocks */

static inline uint64_t nvp_version(enum nvp_version_what what, uint64_t value)
{
	return (uint64_t)what << 60 | (value & ((1ULL << 60) - 1));
}

static inline uint64_t nvp_version_moved(uint64_t seq, uint32_t home)
{
	return nvp_version(NVP_VERSION_MOVED, seq << NVP_VERSION_HOME_BITS | home);
}

static inline enum nvp_version_what nvp_version_what(uint64_t version)
{
	return (enum nvp_version_what)(version >> 60);
}

/* STAMP and MOVED; and of MOVED the block that it was written for. */
static inline uint64_t nvp_version_seq(uint64_t version)
{
	uint64_t value = version & ((1ULL << 60) - 1);

	return nvp_version_what(version) == NVP_VERSION_MOVED ? value >> NVP_VERSION_HOME_BITS
							       : value;
}

static inline uint32_t nvp_version_home(uint64_t version)
{
	return (uint32_t)(version & ((1u << NVP_VERSION_HOME_BITS) - 1));
}

/* What the oracle is told that a block with this version holds at first. */
enum nvp_oracle_what nvp_version_initial(uint64_t version);
/* "stamp 17", "zeroes"; text at least 48 bytes. */
const char *nvp_version_text(uint64_t version, char text[48]);

#endif
