// SPDX-License-Identifier: GPL-2.0-or-later
// Versions of blocks: what the oracle begins with, and words for people.

#include "power/ledger.h"

#include <inttypes.h>
#include <stdio.h>

enum nvp_oracle_what nvp_version_initial(uint64_t version)
{
	switch (nvp_version_what(version)) {
	case NVP_VERSION_ZEROES:
		return NVP_ORACLE_ZEROES;
	case NVP_VERSION_ONES:
		return NVP_ORACLE_ONES;
	case NVP_VERSION_UNC:
		return NVP_ORACLE_UNC;
	case NVP_VERSION_UNMAPPED:
		return NVP_ORACLE_UNMAPPED;
	default:
		return NVP_ORACLE_OLD;
	}
}

const char *nvp_version_text(uint64_t version, char text[48])
{
	static const char *const words[] = {
		[NVP_VERSION_UNKNOWN] = "unknown", [NVP_VERSION_ZEROES] = "zeroes",
		[NVP_VERSION_ONES] = "ones",	   [NVP_VERSION_UNC] = "read error",
		[NVP_VERSION_UNMAPPED] = "deallocated",
	};

	switch (nvp_version_what(version)) {
	case NVP_VERSION_STAMP:
		snprintf(text, 48, "operation %" PRIu64, nvp_version_seq(version));
		break;
	case NVP_VERSION_MOVED:
		snprintf(text, 48, "operation %" PRIu64 " for block %u", nvp_version_seq(version),
			 nvp_version_home(version));
		break;
	case NVP_VERSION_FOREIGN:
		snprintf(text, 48, "bytes with CRC %08x", (unsigned)(uint32_t)version);
		break;
	default:
		snprintf(text, 48, "%s", words[nvp_version_what(version) & 7]);
	}
	return text;
}
