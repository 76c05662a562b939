/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive has to look like between two cases, and how it is brought back there. */
#ifndef NVP_RUN_BOUNDARY_H
#define NVP_RUN_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

#include <nvproof/drive.h>

#include "core/base/text.h"

#define NVP_SNAPSHOT_FEATURES 32
#define NVP_SNAPSHOT_NS 32

/* Taken once, by the first worker, in memory that survives it. */
struct nvp_snapshot {
	bool taken;
	unsigned nr_features;
	struct {
		uint8_t fid;
		uint32_t nsid, selector;	/* as Get Features takes them */
		uint32_t current;
		bool has_saved;
		uint32_t saved;
	} feature[NVP_SNAPSHOT_FEATURES];
	unsigned nr_ns;				/* active; the first of them are compared one by one */
	struct {
		uint32_t nsid;
		uint64_t nsze_lbas;
		uint8_t flbas, dps;
		struct nvp_sqe format;		/* the Format NVM that leads there */
		uint32_t lba_bytes;
	} ns[NVP_SNAPSHOT_NS];
};

/* Features that the drive answers, and its namespaces. 0 or a negative errno of the door. */
int nvp_snapshot_take(struct nvp_snapshot *snapshot, struct nvp_drive *drive);

/*
 * Compare features, and with deep the namespaces too; what differs is appended to left, and given
 * back where a Set Features can, and formats where the door permits an erase. 0: all is now as in the snapshot. -ENOTRECOVERABLE: it is not, and
 * left says what. Other negative errno: the door's.
 */
int nvp_snapshot_restore(const struct nvp_snapshot *snapshot, struct nvp_drive *drive, bool deep,
			 struct nvp_text *left);

/* Append to a list of words that are parted by "; ". */
void nvp_left_add(struct nvp_text *left, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
