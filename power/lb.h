/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logical blocks with their metadata: how they lie in memory, travel, and what belongs to what. */
#ifndef NVP_POWER_LB_H
#define NVP_POWER_LB_H

#include <nvproof/drive_ops.h>

#include "core/base/stamp.h"

struct nvp_lb_format {
	uint32_t lba_bytes;
	struct nvp_stamp_pi pi;	/* .meta_bytes 0: no metadata */
	bool extended;		/* metadata behind the data of each block (FLBAS bit 4) */
};

#define NVP_LB_META_BYTES 4096u	/* more than so much of a block nobody formats */

/* As Identify Namespace gives it (NVM Command Set 1.0, 4.1.5.1: LBAF, FLBAS, DPS). */
struct nvp_lb_format nvp_lb_format_of(const struct nvp_ns *ns);
bool nvp_lb_same_format(const struct nvp_lb_format *a, const struct nvp_lb_format *b);

/* Of a block in the data buffer; with all of its metadata, wherever that lies. */
static inline uint32_t nvp_lb_row_bytes(const struct nvp_lb_format *f)
{
	return f->lba_bytes + (f->extended ? f->pi.meta_bytes : 0u);
}

static inline uint32_t nvp_lb_all_bytes(const struct nvp_lb_format *f)
{
	return f->lba_bytes + f->pi.meta_bytes;
}

/* Memory for blocks: rows, and metadata apart (NULL: there is none, or it is in the rows). */
struct nvp_lb_buf {
	struct nvp_buf *data, *meta;
};

/* 0 or -ENOMEM. Free it in any case; a zeroed one is empty. */
int nvp_lb_buf_new(struct nvp_drive *drive, const struct nvp_lb_format *f, uint32_t nr,
		   struct nvp_lb_buf *buf);
void nvp_lb_buf_free(struct nvp_lb_buf *buf);

uint8_t *nvp_lb_data(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i);
/* NULL: no metadata. */
uint8_t *nvp_lb_meta(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i);
/* Data and metadata of block i become those of the stamp. */
void nvp_lb_stamp(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i,
		  const struct nvp_stamp *stamp);

/* Data, and behind them the metadata: the block in one row of nvp_lb_all_bytes(). */
void nvp_lb_row(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i,
		uint8_t *row);
void nvp_lb_stamp_row(const struct nvp_lb_format *f, uint8_t *row, const struct nvp_stamp *stamp);

/*
 * Read, Write or Compare of blocks that lie from `first` on in buf. Protection information
 * travels with them as the host made it, and nothing checks it on the way (PRACT = 0,
 * PRCHK = 000b): what the media kept is what comes back.
 */
struct nvp_cmd nvp_lb_command(const struct nvp_lb_format *f, uint8_t opcode, uint32_t nsid,
			      uint64_t lba, uint16_t nlb_z, const struct nvp_lb_buf *buf,
			      uint32_t first);
/* Write Zeroes whose protection information the drive makes (PRACT = 1), where there is some. */
struct nvp_cmd nvp_lb_write_zeroes(const struct nvp_lb_format *f, uint32_t nsid, uint64_t lba,
				   uint16_t nlb_z);

/* ", but a guard of other data": how metadata is not that of the block beside it. */
const char *nvp_lb_meta_text(enum nvp_stamp_meta_state state);

/*
 * The metadata of a block that is all 00h or FFh is what a Write Zeroes of some block from
 * first_lba on leaves (3.2.8: what is no protection information is 00h), or a deallocated block
 * has (3.2.3.2.1: 00h or FFh, tags of all ones, the guard all ones or right).
 */
bool nvp_lb_blank_meta(const struct nvp_lb_format *f, const void *data, const void *meta,
		       uint64_t first_lba, uint32_t nr_lbas);

#endif
