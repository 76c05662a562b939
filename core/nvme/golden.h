/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The golden Identify file from inside: which structures it may hold, their items, how it is written. */
#ifndef NVP_NVME_GOLDEN_H
#define NVP_NVME_GOLDEN_H

#include <nvproof/golden.h>

#include "core/nvme/fields.h"

#define NVP_GOLDEN_VERSION 1
#define NVP_GOLDEN_BYTES 4096

/* A structure that is kept. */
struct nvp_golden_kind {
	const char *name;		/* its section in the file, without the NSID */
	uint8_t cns, csi;
	bool per_namespace;
	const struct nvp_field_table *table;	/* NULL: bytes only */
	const struct nvp_field_table *element;	/* of an array inside it; NULL: none */
	const char *element_name;
	uint16_t elements_at, nr_elements;
};

/* Ended by a NULL name. */
extern const struct nvp_golden_kind nvp_golden_kinds[];

/* One line of a section: a field, or up to 16 bytes that no field covers. */
struct nvp_golden_item {
	char name[56];
	uint16_t offset, bytes;
	uint8_t low_bit, width_bits;	/* 0: all of it */
	enum nvp_field_format format;
	bool only_if_set;		/* not written while it is zero */
};

/* All items of a kind, which together cover every byte; freed by the caller. 0 or -ENOMEM. */
int nvp_golden_items(const struct nvp_golden_kind *kind, struct nvp_golden_item **items,
		     size_t *nr);
bool nvp_golden_item_is_number(const struct nvp_golden_item *item);
/* The value as the file writes it, on one line. */
void nvp_golden_value(const struct nvp_golden_item *item, const uint8_t *structure,
		      struct nvp_text *out);

/* The head of a file, with masks for what differs from drive to drive; then its sections. */
void nvp_golden_add_head(struct nvp_text *out, const char *model, const char *firmware);
int nvp_golden_add(struct nvp_text *out, const struct nvp_golden_kind *kind, uint32_t nsid,
		   const uint8_t *structure);

#endif
