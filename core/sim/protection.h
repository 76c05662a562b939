/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata of commands on their way between host and media, and the protection information in it. */
#ifndef NVP_SIM_PROTECTION_H
#define NVP_SIM_PROTECTION_H

#include "core/sim/world.h"

/* What a command says of protection information (PRINFO, ILBRT, LBAT, LBATM, or their likes). */
struct nvp_pi_args {
	bool act;		/* PRACT */
	unsigned check;		/* PRCHK: bit 2 guard, 1 application tag, 0 reference tag */
	uint32_t reference;	/* of the first block */
	uint16_t application, mask;
};

/* Dwords 12, 14 and 15 of Read, Write, Compare, Verify and Write Zeroes. */
struct nvp_pi_args nvp_pi_args(const struct nvp_sim_cmd *c);

/*
 * These settings are possible for the type of the namespace, for blocks from slba on
 * (NVM Command Set 1.0, 5.2). False: c has the status.
 */
bool nvp_pi_valid(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_pi_args *a,
		  uint64_t slba);

/* Check nr blocks, and their metadata, as the arguments ask. False: c has the status. */
bool nvp_pi_check(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_pi_args *a,
		  const uint8_t *data, const uint8_t *meta, uint32_t nr);
/* Put protection information into the metadata of nr blocks. */
void nvp_pi_insert(const struct nvp_sim *w, const struct nvp_sim_ns *ns,
		   const struct nvp_pi_args *a, const uint8_t *data, uint8_t *meta, uint32_t nr);
/* nr blocks of metadata are equal; protection information is not compared (3.2.1). */
bool nvp_pi_meta_equal(const struct nvp_sim *w, const struct nvp_sim_ns *ns, const uint8_t *a,
		       const uint8_t *b, uint32_t nr);

/*
 * A Read, Write or Compare of c->data_bytes bytes is about to move: its metadata gets a buffer,
 * c->meta, and a way, c->wire or c->mptr_bytes. False: c has the status.
 */
bool nvp_meta_begin(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* After FROM_HOST: apart from the data, checked or inserted. False: c has the status. */
bool nvp_meta_from_host(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* Before TO_HOST: checked, and with the data or stripped. False: c has the status. */
bool nvp_meta_to_host(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* Bytes of a block as this command moves it, for MDTS. */
uint32_t nvp_meta_block_bytes(const struct nvp_sim_cmd *c);

#endif
