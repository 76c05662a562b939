/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A golden Identify file: what a drive said of itself once, to be compared with what it says now. */
#ifndef NVPROOF_GOLDEN_H
#define NVPROOF_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nvp_err;
struct nvp_golden;

/* One Identify structure of the file, 4096 bytes (NVMe Base 2.0 section 5.17). */
struct nvp_golden_structure {
	const char *name;	/* "controller", "namespace.1" */
	uint8_t cns, csi;
	uint32_t nsid;		/* what Identify is asked with */
};

/* One field in both; texts live for the call. */
struct nvp_golden_field {
	const char *name;	/* "namespace.1.nsze" */
	const char *want, *seen;	/* as the file writes them, on one line */
	bool same;
	bool ignored;		/* a mask of the file names it */
};

/*
 * Read the file that `info --save` wrote and a user may have changed. NULL: *err has the line
 * (NVP_ERR_USAGE, file and line number). Freed by nvp_golden_free.
 */
struct nvp_golden *nvp_golden_read(const char *path, struct nvp_err *err);
void nvp_golden_free(struct nvp_golden *golden);

/* As Identify Controller had them, without padding; owned by golden. */
const char *nvp_golden_model(const struct nvp_golden *golden);
const char *nvp_golden_firmware(const struct nvp_golden *golden);

/* In the order of the file; NULL behind the last. */
const struct nvp_golden_structure *nvp_golden_structure(const struct nvp_golden *golden, size_t i);

/*
 * Compare structure i with what the drive gives for it: bytes holds 4096. tell is called for every
 * field, also for bytes that no field covers (16 at a time). 0 or -ENOMEM.
 */
int nvp_golden_compare(const struct nvp_golden *golden, size_t i, const void *bytes,
		       void (*tell)(void *context, const struct nvp_golden_field *field),
		       void *context);

#ifdef __cplusplus
}
#endif
#endif
