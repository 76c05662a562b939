/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of `nvproof info`: sections made from field tables, as text or as JSON. */
#ifndef NVP_CLI_INFO_H
#define NVP_CLI_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include <nvproof/build.h>
#include <nvproof/drive.h>

#include "core/base/text.h"
#include "core/nvme/fields.h"

/* The registers as the field table sees them: offsets 0 to 6Fh of the controller properties. */
#define NVP_REGISTER_IMAGE_BYTES 0x70
extern const struct nvp_field_table nvp_fields_registers;

/* 0, or a negative errno when they cannot be read this way. */
int nvp_read_registers(struct nvp_drive *drive, unsigned char image[NVP_REGISTER_IMAGE_BYTES]);

/* One section: a heading and lines, or a JSON member (key NULL: an element of an array). */
void nvp_info_section(struct nvp_text *out, bool json, const char *key, const char *title,
		      const struct nvp_field_table *table, const void *bytes, size_t nr_bytes);

/* All of it. What the drive refuses is left out and said in *notes, a line each. */
void nvp_info_add(struct nvp_drive *drive, bool json, struct nvp_text *out,
		  struct nvp_text *notes);

#endif
