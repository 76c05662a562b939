/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps that cases of Format NVM and Sanitize share: namespaces as they are now, marked blocks. */
#ifndef NVP_CASES_ERASE_H
#define NVP_CASES_ERASE_H

#include "cases/common.h"

#define ERASE_LBAS 8u

/* Identify Namespace of now (facts are as old as the last baseline); it has to succeed. */
static inline bool erase_identify(struct nvp_t *t, uint32_t nsid, struct nvp_buf *buf,
				  struct nvp_id_ns *id)
{
	struct nvp_cpl cpl;

	if (!case_identify(t, 0x00, nsid, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_id_ns(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, id);
	return true;
}

/* A format that changes nothing but the contents. */
static inline struct nvp_cmd erase_same_format(uint32_t nsid, const struct nvp_id_ns *id,
					       uint8_t ses)
{
	return nvp_build_format(nsid, (uint8_t)id->format_index, id->flbas >> 4 & 1, id->dps & 7,
				id->dps >> 3 & 1, ses);
}

/*
 * Blocks with a pattern, at the first, a middle and the last place of a namespace; they are on the
 * media when this returns.
 */
#define ERASE_PLACES 3
struct erase_marks {
	uint32_t nsid, lba_bytes;
	uint64_t slba[ERASE_PLACES];
	uint64_t key;
	struct nvp_buf *data, *seen;
};

static inline struct case_region erase_place(const struct erase_marks *m, unsigned place)
{
	return (struct case_region){ .nsid = m->nsid, .lba_bytes = m->lba_bytes,
				     .slba = m->slba[place], .lbas = ERASE_LBAS };
}

static inline bool erase_mark(struct nvp_t *t, const struct nvp_ns *ns, struct erase_marks *m)
{
	struct nvp_cmd flush = nvp_build_flush(ns->nsid);
	uint64_t end = ns->id.nsze_lbas - ERASE_LBAS;
	struct nvp_cpl cpl;

	*m = (struct erase_marks){
		.nsid = ns->nsid,
		.lba_bytes = ns->id.lba_bytes,
		.slba = { 0, nvp_t_rand(t, "middle", ns->nsid) % end, end },
		.key = nvp_t_rand(t, "marks", ns->nsid),
		.data = nvp_t_buf(t, (size_t)ERASE_LBAS * ns->id.lba_bytes),
		.seen = nvp_t_buf(t, (size_t)ERASE_LBAS * ns->id.lba_bytes),
	};
	if (!m->data || !m->seen)
		return false;
	nvp_buf_fill_pattern(m->data, m->key);
	for (unsigned i = 0; i < ERASE_PLACES; i++) {
		struct case_region region = erase_place(m, i);

		if (!case_write(t, &region, 0, ERASE_LBAS, m->data))
			return false;
	}
	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &flush, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/* How many of a place's blocks hold their data now; blocks that cannot be read do not. */
static inline bool erase_count(struct nvp_t *t, const struct erase_marks *m, unsigned place,
			       unsigned *nr)
{
	struct case_region region = erase_place(m, place);

	*nr = 0;
	for (uint32_t i = 0; i < ERASE_LBAS; i++) {
		struct nvp_cmd cmd = case_transfer(NVP_IO_READ, &region, i, 1, m->seen);
		size_t at = (size_t)i * m->lba_bytes;
		struct nvp_cpl cpl;

		memset(nvp_buf_data(m->seen) + at, 0, m->lba_bytes);
		if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)))
			return false;
		*nr += nvp_cpl_ok(&cpl) && !memcmp(nvp_buf_data(m->seen) + at,
						   nvp_buf_data(m->data) + at, m->lba_bytes);
	}
	return true;
}

/* Checks come from here so that each case has them alike. */
static inline bool erase_all_gone(struct nvp_t *t, const struct erase_marks *m)
{
	for (unsigned i = 0; i < ERASE_PLACES; i++) {
		unsigned nr;

		if (!erase_count(t, m, i, &nr))
			return false;
		nvp_check(t, nr == 0, "%u of %u blocks from LBA %llu of namespace %u still hold the data "
			  "of before", nr, ERASE_LBAS, (unsigned long long)m->slba[i], m->nsid);
	}
	return true;
}

static inline bool erase_all_kept(struct nvp_t *t, const struct erase_marks *m)
{
	for (unsigned i = 0; i < ERASE_PLACES; i++) {
		unsigned nr;

		if (!erase_count(t, m, i, &nr))
			return false;
		nvp_check(t, nr == ERASE_LBAS, "%u of %u blocks from LBA %llu of namespace %u lost "
			  "their data", ERASE_LBAS - nr, ERASE_LBAS, (unsigned long long)m->slba[i],
			  m->nsid);
	}
	return true;
}

/* LBA formats that can be looked at: NLBAF is the drive's word, the table has its own end. */
static inline unsigned erase_nr_formats(const struct nvp_id_ns *id)
{
	unsigned most = sizeof(id->lbaf) / sizeof(id->lbaf[0]);

	return id->nlbaf_z < most ? id->nlbaf_z + 1u : most;
}

/* Can be used: a write is read back, in the block size of now. */
static inline bool erase_usable(struct nvp_t *t, uint32_t nsid, const struct nvp_id_ns *id)
{
	struct nvp_ns ns = { .nsid = nsid, .id = *id };
	struct erase_marks m;

	return erase_mark(t, &ns, &m) && erase_all_kept(t, &m);
}

#endif
