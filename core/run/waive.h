/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waivers: known fails of a drive, each with its evidence and its end (DESIGN section 6). */
#ifndef NVP_RUN_WAIVE_H
#define NVP_RUN_WAIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/run/run.h"

/* Texts are owned; NULL where the file does not say. */
struct nvp_waiver {
	char *name;
	char *case_glob, *model, *firmware, *path;
	char *failure_class, *evidence, *bug;
	char *expires;			/* YYYY-MM-DD, the last day on which it counts */
	bool until_firmware_changes;
	const char *file;		/* borrowed */
	unsigned line;			/* of its section's first entry */
};

struct nvp_waivers {
	struct nvp_waiver *list;
	size_t nr;
};

/* What waivers are matched against: the drive, and today ("YYYY-MM-DD", UTC). */
struct nvp_waiver_drive {
	const char *model, *firmware;
	const char *path;		/* "kernel", "pci", "sim" */
	const char *today;
};

/*
 * Read every file. 0, or a negative errno: *err names file, line and what is wrong (usage). Case
 * globs that match no case of the registry are wrong too.
 */
int nvp_waivers_read(struct nvp_waivers *waivers, const char *const *files, size_t nr_files,
		     const struct nvp_registry *registry, struct nvp_err *err);
void nvp_waivers_free(struct nvp_waivers *waivers);

/* How a waiver stands to a case on a drive. */
enum nvp_waiver_match {
	NVP_WAIVER_OTHER = 0,		/* another case, model, firmware or path */
	NVP_WAIVER_COUNTS,
	NVP_WAIVER_EXPIRED,		/* its day is past */
	NVP_WAIVER_FIRMWARE_CHANGED,	/* all fits but the firmware, and that was its end */
};
enum nvp_waiver_match nvp_waiver_match(const struct nvp_waiver *waiver, const char *id,
				       const struct nvp_waiver_drive *drive);

#endif
