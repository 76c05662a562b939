/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What belongs to each Feature Identifier beside its value. */
#ifndef NVP_NVME_FEATURES_H
#define NVP_NVME_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/nvme/fields.h"

/*
 * Bytes of the data buffer that Get Features (set false) or Set Features (set true) moves for
 * this identifier, 0 for none or unknown; dw11 is Command Dword 11 (Host Identifier: EXHID).
 */
size_t nvp_feature_data_bytes(uint8_t fid, uint32_t dw11, bool set);

/*
 * The bits of Dword 11 of Set Features, which are those of completion Dword 0 of Get Features
 * (NVMe Base 2.0 section 5.27.1), as a table over 4 little-endian bytes; NULL when the value is
 * in a data buffer or the identifier is not known.
 */
const struct nvp_field_table *nvp_fields_feature(uint8_t fid);

#endif
