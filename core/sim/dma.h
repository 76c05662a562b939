/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of host memory that a transfer is made of, as the walks over PRPs and SGLs find them. */
#ifndef NVP_SIM_DMA_H
#define NVP_SIM_DMA_H

#include "core/sim/mechanism.h"

/* The next piece of the transfer at hand; discard: bytes that go nowhere. False: no memory. */
bool nvp_dma_add_piece(struct nvp_sim *w, uint64_t iova, uint32_t bytes, bool discard);

/* ---- sgl.c ---- */

struct nvp_sgl_data {
	const uint8_t *sgl1;	/* 16 bytes of the command */
	uint32_t bytes;		/* that the command moves */
	bool to_host;
	uint8_t length_sc;	/* status of a length that does not fit: 0Fh or 10h */
};
/* All pieces that an SGL describes; false: c has the status. */
bool nvp_sgl_walk(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_sgl_data *data);
/* The PSDT of this I/O command is one that the drive takes (NVMe Base 2.0, Command Dword 0). */
bool nvp_sgl_psdt_ok(const struct nvp_sim *w, const struct nvp_sim_cmd *c);

#endif
