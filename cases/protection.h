/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks with metadata and protection information, for the cases of area protection. */
#ifndef NVP_CASES_PROTECTION_H
#define NVP_CASES_PROTECTION_H

#include "cases/common.h"

/* Blocks of the namespace under test, and how their metadata travels. */
struct prot {
	struct case_region region;
	struct nvp_pi_layout layout;
	unsigned type;			/* of protection, 0: metadata is just bytes */
	uint32_t first_reference;	/* of the region's first block, where it is free */
	bool extended;			/* metadata behind the data of each block */
};

/* Data and metadata of all blocks of a region, apart; wire is what extended blocks move through. */
struct prot_blocks {
	struct nvp_buf *data, *meta, *wire;
};

/* Dwords 14 and 15. */
struct prot_tags {
	uint32_t reference;
	uint16_t application, mask;
};

#define PROT_CHECK_ALL (NVP_PRCHK_GUARD | NVP_PRCHK_APP | NVP_PRCHK_REF)

/* Guards of 32 or 64 bits, or storage tags, are in use (NVM Command Set 1.0, 4.1.5.3). */
static inline bool prot_other_guard(struct nvp_t *t, const struct nvp_ns *ns, bool *other)
{
	struct nvp_buf *buf;
	const uint8_t *format;
	struct nvp_cpl cpl;

	*other = false;
	if (!(nvp_t_facts(t)->ctrl.ctratt >> 15 & 1))	/* ELBAS */
		return true;
	buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	if (!buf || !case_identify(t, 0x05, ns->nsid, 0, buf, &cpl))
		return false;
	format = nvp_buf_data(buf) + 12 + 4 * ns->id.format_index;
	*other = nvp_cpl_ok(&cpl) && (format[0] || format[1]);
	return true;
}

/* Blocks of a namespace with metadata, and with protection if the case needs it. */
static inline bool prot_new(struct nvp_t *t, struct prot *p, uint32_t lbas, bool needs_type)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	bool other;

	*p = (struct prot){
		.layout.lba_bytes = ns->id.lba_bytes,
		.layout.meta_bytes = ns->id.metadata_bytes,
		.layout.first = ns->id.dps >> 3 & 1,
		.type = ns->id.dps & 7,
		.extended = ns->id.flbas >> 4 & 1,
		.first_reference = 0x7ffffffdu,
	};
	if (!p->layout.meta_bytes) {
		nvp_skip_at(t, __FILE__, __LINE__, "the namespace under test has no metadata");
		return false;
	}
	if (needs_type && !p->type) {
		nvp_skip_at(t, __FILE__, __LINE__,
			    "the namespace under test has no protection information");
		return false;
	}
	if (p->type && !prot_other_guard(t, ns, &other))
		return false;
	if (p->type && other) {
		nvp_skip_at(t, __FILE__, __LINE__,
			    "protection information is not of the kind with 16-bit guards");
		return false;
	}
	return case_region(t, lbas, &p->region);
}

static inline bool prot_blocks_new(struct nvp_t *t, const struct prot *p, struct prot_blocks *b)
{
	size_t lbas = p->region.lbas;

	b->data = nvp_t_buf(t, lbas * p->layout.lba_bytes);
	b->meta = nvp_t_buf(t, lbas * p->layout.meta_bytes);
	b->wire = nvp_t_buf(t, lbas * (p->layout.lba_bytes + p->layout.meta_bytes));
	return b->data && b->meta && b->wire;
}

static inline uint8_t *prot_data(const struct prot *p, const struct prot_blocks *b, uint32_t i)
{
	return nvp_buf_data(b->data) + (size_t)i * p->layout.lba_bytes;
}

static inline uint8_t *prot_meta(const struct prot *p, const struct prot_blocks *b, uint32_t i)
{
	return nvp_buf_data(b->meta) + (size_t)i * p->layout.meta_bytes;
}

/* The tags that blocks from `first` of the region on have to have; any, where the type permits. */
static inline struct prot_tags prot_tags(const struct prot *p, uint32_t first)
{
	struct prot_tags tags = { .application = 0xa5c3, .mask = 0xffff };

	if (p->type == 1)
		tags.reference = (uint32_t)(p->region.slba + first);
	else if (p->type == 2)
		tags.reference = p->first_reference + first;
	else
		tags.reference = 0x13579bdf;
	return tags;
}

static inline uint32_t prot_reference(const struct prot *p, const struct prot_tags *tags,
				      uint32_t i)
{
	return tags->reference + (p->type == 3 ? 0 : i);
}

/* The information that block i of the region has to have with these tags of its first block. */
static inline struct nvp_pi prot_expected(const struct prot *p, const struct prot_blocks *b,
					  const struct prot_tags *tags, uint32_t i)
{
	return (struct nvp_pi){
		.guard = nvp_pi_guard(&p->layout, prot_data(p, b, i), prot_meta(p, b, i)),
		.application = tags->application,
		.reference = prot_reference(p, tags, i),
	};
}

/* Known data and metadata, with right protection information if there is to be some. */
static inline void prot_fill(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b,
			     const char *purpose)
{
	struct prot_tags tags = prot_tags(p, 0);

	nvp_buf_fill_pattern(b->data, nvp_t_rand(t, purpose, 0));
	nvp_buf_fill_pattern(b->meta, nvp_t_rand(t, purpose, 1));
	for (uint32_t i = 0; p->type && i < p->region.lbas; i++) {
		struct nvp_pi pi = prot_expected(p, b, &tags, i);

		nvp_pi_put(&p->layout, prot_meta(p, b, i), &pi);
	}
}

/* Extended blocks: between the wire and both apart. */
static inline void prot_wire(const struct prot *p, const struct prot_blocks *b, uint32_t first,
			     uint32_t lbas, bool to_wire)
{
	uint32_t lba = p->layout.lba_bytes, ms = p->layout.meta_bytes;

	for (uint32_t i = first; i < first + lbas; i++) {
		uint8_t *block = nvp_buf_data(b->wire) + (size_t)i * (lba + ms);
		uint8_t *data = prot_data(p, b, i), *meta = prot_meta(p, b, i);

		memcpy(to_wire ? block : data, to_wire ? data : block, lba);
		memcpy(to_wire ? block + lba : meta, to_wire ? meta : block + lba, ms);
	}
}

/* PRACT with nothing but protection information in the metadata: no metadata moves. */
static inline bool prot_bare(const struct prot *p, unsigned prinfo)
{
	return p->type && p->layout.meta_bytes == NVP_PI_BYTES && prinfo & NVP_PRACT;
}

static inline struct nvp_cmd prot_command(const struct prot *p, const struct prot_blocks *b,
					  uint8_t opcode, uint32_t first, uint32_t lbas,
					  unsigned prinfo, const struct prot_tags *tags)
{
	struct case_region region = p->region;
	bool bare = prot_bare(p, prinfo);
	struct nvp_cmd cmd;

	if (p->extended && !bare)
		region.lba_bytes += p->layout.meta_bytes;
	cmd = case_transfer(opcode, &region, first, lbas, p->extended && !bare ? b->wire : b->data);
	nvp_cmd_set_prinfo(&cmd, prinfo);
	nvp_cmd_set_tags(&cmd, tags->reference, tags->application, tags->mask);
	if (!p->extended && !bare) {
		cmd.meta = b->meta;
		cmd.meta_offset = (size_t)first * p->layout.meta_bytes;
		cmd.meta_bytes = (size_t)lbas * p->layout.meta_bytes;
	}
	return cmd;
}

/* Read, write or compare blocks of b, whatever the drive answers. */
static inline bool prot_move(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b,
			     uint8_t opcode, uint32_t first, uint32_t lbas, unsigned prinfo,
			     const struct prot_tags *tags, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = prot_command(p, b, opcode, first, lbas, prinfo, tags);
	bool wire = p->extended && !prot_bare(p, prinfo);

	if (wire && opcode != NVP_IO_READ)
		prot_wire(p, b, first, lbas, true);
	if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl)))
		return false;
	if (wire && opcode == NVP_IO_READ && nvp_cpl_ok(cpl))
		prot_wire(p, b, first, lbas, false);
	return true;
}

/* All blocks, with the tags that they have to have; it has to succeed. */
static inline bool prot_all(struct nvp_t *t, const struct prot *p, const struct prot_blocks *b,
			    uint8_t opcode, unsigned prinfo)
{
	struct prot_tags tags = prot_tags(p, 0);
	struct nvp_cpl cpl;

	return prot_move(t, p, b, opcode, 0, p->region.lbas, prinfo, &tags, &cpl) &&
	       CASE_SUCCEEDS(t, &cpl);
}

/* Data and metadata of all blocks are the same in both. */
static inline bool prot_equal(struct nvp_t *t, const struct prot *p, const struct prot_blocks *got,
			      const struct prot_blocks *want)
{
	bool data = nvp_check_bytes(t, nvp_buf_data(got->data), nvp_buf_data(want->data),
				    (size_t)p->region.lbas * p->layout.lba_bytes);

	return nvp_check_bytes(t, nvp_buf_data(got->meta), nvp_buf_data(want->meta),
			       (size_t)p->region.lbas * p->layout.meta_bytes) && data;
}

#define PROT_NEEDS (NVP_NEED_NAMESPACE)
#define PROT_SPEC(section, field) { "NVM Command Set", "1.0", section, field }

#endif
