/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is frozen of a failed cycle, so that the drive's maker can look at it without the drive. */
#ifndef NVPROOF_POWER_BUNDLE_H
#define NVPROOF_POWER_BUNDLE_H

#include <nvproof/power.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nvp_text;	/* core/base/text.h */

/* Takes a file of this name; 0 or a negative errno, which ends the freezing. */
typedef int nvp_freeze_put(void *context, const char *name, const void *bytes, size_t nr_bytes);

/*
 * Before anything is written to the drive again: the first block that failed with class_id and its
 * neighbours as they are read now (lba-N.bin), what it may hold as whole blocks (candidate-N.bin,
 * at most 4), and as text what is wrong (blocks.txt) and all that was done (history.txt).
 * 0 or a negative errno of put.
 */
int nvp_freeze(const struct nvp_failed_cycle *failed, uint8_t class_id, nvp_freeze_put *put,
	       void *context);

/*
 * What a journal says of one cycle, as lines in their order. 0; -ENOENT: the cycle is not there, or
 * its part is damaged; or a negative errno with *err.
 */
int nvp_bundle_journal(const char *path, uint32_t cycle, struct nvp_text *out,
		       struct nvp_err *err);

#ifdef __cplusplus
}
#endif
#endif
