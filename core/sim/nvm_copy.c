// SPDX-License-Identifier: GPL-2.0-or-later
// Copy (NVM Command Set 1.0 section 3.2.2): all sources are read, then the destination is written.

#include "core/sim/commands.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/protection.h"

#define RANGE_BYTES 32		/* Source Range Entry, descriptor format 0h */

/* What scratch[] holds. */
enum { NEXT, DONE_LBAS, BUFFER, META, READ_AT };

static uint32_t nr_ranges(const struct nvp_sim_cmd *c)
{
	return c->sqe[48] + 1u;
}

static uint64_t destination(const struct nvp_sim_cmd *c)
{
	return nvp_le64(c->sqe + 40);
}

static uint64_t range_slba(const struct nvp_sim_cmd *c, uint32_t i)
{
	return nvp_le64(c->data + RANGE_BYTES * i + 8);
}

static uint32_t range_lbas(const struct nvp_sim_cmd *c, uint32_t i)
{
	return nvp_le16(c->data + RANGE_BYTES * i + 16) + 1u;
}

static uint64_t room(const struct nvp_sim_ns *ns, uint64_t slba)
{
	return slba < ns->nr_lbas ? ns->nr_lbas - slba : 0;
}

/* Nothing was written, so Dword 0 is 0. */
static enum nvp_step refuse(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t sct, uint8_t sc)
{
	if (nvp_defect(w, NVP_HOOK_COPY_DW0))
		c->dw0 = nr_ranges(c);
	return nvp_sim_fail(c, sct, sc);
}

static uint8_t *buffer_at(const struct nvp_sim_cmd *c, uint64_t lba)
{
	return (uint8_t *)(uintptr_t)c->scratch[BUFFER] + lba * c->ns->lba_bytes;
}

static uint8_t *meta_at(const struct nvp_sim_cmd *c, uint64_t lba)
{
	return c->scratch[META] ?
	       (uint8_t *)(uintptr_t)c->scratch[META] + lba * c->ns->meta_bytes : NULL;
}

/* ---- protection information: of each source range (PRINFOR), of the destination (PRINFOW) ---- */

static struct nvp_pi_args read_args(const struct nvp_sim_cmd *c, uint32_t i)
{
	const uint8_t *range = c->data + RANGE_BYTES * i;

	return (struct nvp_pi_args){
		.act = c->sqe[49] >> 7,
		.check = c->sqe[49] >> 4 & 7,
		.reference = nvp_le32(range + 24),
		.application = nvp_le16(range + 28),
		.mask = nvp_le16(range + 30),
	};
}

static bool sources_valid(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args to = nvp_pi_args(c);

	for (uint32_t i = 0; i < nr_ranges(c); i++) {
		struct nvp_pi_args from = read_args(c, i);

		if (!nvp_pi_valid(w, c, &from, range_slba(c, i)))
			return false;
	}
	return nvp_pi_valid(w, c, &to, destination(c));
}

static bool source_good(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = read_args(c, (uint32_t)c->scratch[READ_AT]);

	return !c->meta || nvp_defect(w, NVP_HOOK_PI_COPY_UNCHECKED) ||
	       nvp_pi_check(w, c, &a, c->media, c->meta, c->nr_lbas);
}

/* What is written is checked as it is, or gets new protection information. */
static bool destination_good(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);

	if (!c->meta || !c->ns->pi_type)
		return true;
	if (!a.act)
		return nvp_pi_check(w, c, &a, c->media, c->meta, c->nr_lbas);
	if (!nvp_defect(w, NVP_HOOK_PI_COPY_STALE))
		nvp_pi_insert(w, c->ns, &a, c->media, c->meta, c->nr_lbas);
	return true;
}

/* A wrong drive that copies upwards block by block reads what it has just written. */
static void smear(struct nvp_sim_cmd *c)
{
	uint64_t at = 0, to = destination(c);

	for (uint32_t i = 0; i < nr_ranges(c); i++) {
		for (uint32_t k = 0; k < range_lbas(c, i); k++, at++) {
			uint64_t from = range_slba(c, i) + k;

			if (from >= to && from < to + at)
				memcpy(buffer_at(c, at), buffer_at(c, from - to), c->ns->lba_bytes);
		}
	}
}

static enum nvp_step clear_source(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	(void)w;
	c->slba = range_slba(c, 0);
	c->nr_lbas = 1;
	c->then = NULL;
	return NVP_STEP_ZERO;
}

static enum nvp_step write_all(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (nvp_defect(w, NVP_HOOK_COPY_OVERLAP))
		smear(c);
	c->media = buffer_at(c, 0);
	c->meta = meta_at(c, 0);
	c->slba = destination(c);
	c->nr_lbas = (uint32_t)c->scratch[DONE_LBAS];
	if (!destination_good(w, c))
		return refuse(w, c, c->sct, c->sc);
	if (nvp_defect(w, NVP_HOOK_COPY_DESTINATION) && room(c->ns, c->slba) > c->nr_lbas)
		c->slba++;
	if (nvp_defect(w, NVP_HOOK_COPY_END_OK))
		c->nr_lbas = (uint32_t)nvp_min_u64(c->nr_lbas, room(c->ns, c->slba));
	c->then = nvp_defect(w, NVP_HOOK_COPY_SOURCE_CLEARED) ? clear_source : NULL;
	return c->nr_lbas ? NVP_STEP_WRITE : NVP_STEP_COMPLETE;
}

static enum nvp_step source_read(struct nvp_sim *w, struct nvp_sim_cmd *c);

static enum nvp_step next_source(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t nr = nr_ranges(c), i = (uint32_t)c->scratch[NEXT]++;

	if (i == nr || (i && i == nr - 1 && nvp_defect(w, NVP_HOOK_COPY_LAST_MISSING)))
		return write_all(w, c);
	if (nvp_defect(w, NVP_HOOK_COPY_ORDER))
		i = nr - 1 - i;
	c->slba = range_slba(c, i);
	c->nr_lbas = range_lbas(c, i);
	if (c->nr_lbas > 1 && nvp_defect(w, NVP_HOOK_COPY_NLB))
		c->nr_lbas--;
	if (nvp_defect(w, NVP_HOOK_COPY_RANGE_OK))
		c->nr_lbas = (uint32_t)nvp_min_u64(c->nr_lbas, room(c->ns, c->slba));
	c->media = buffer_at(c, c->scratch[DONE_LBAS]);
	c->meta = meta_at(c, c->scratch[DONE_LBAS]);
	c->scratch[READ_AT] = i;
	c->then = source_read;
	return NVP_STEP_READ;
}

static enum nvp_step source_read(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (nvp_defect(w, NVP_HOOK_COPY_MARKED))
		c->nr_marked = 0;
	if (nvp_sim_unreadable(w, c) || !source_good(w, c))
		return refuse(w, c, c->sct, c->sc);
	c->scratch[DONE_LBAS] += c->nr_lbas;
	return next_source(w, c);
}

static bool overlaps(const struct nvp_sim_cmd *c, uint32_t total)
{
	for (uint32_t i = 0; i < nr_ranges(c); i++)
		if (range_slba(c, i) < destination(c) + total &&
		    destination(c) < range_slba(c, i) + range_lbas(c, i))
			return true;
	return false;
}

static enum nvp_step check_ranges(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t total = 0;

	for (uint32_t i = 0; i < nr_ranges(c); i++) {
		total += range_lbas(c, i);
		if (range_lbas(c, i) > NVP_SIM_MSSRL && !nvp_defect(w, NVP_HOOK_COPY_MSSRL_OK))
			return refuse(w, c, NVP_SCT_COMMAND, NVP_SC_SIZE_LIMIT);
	}
	if (total > NVP_SIM_MCL && !nvp_defect(w, NVP_HOOK_COPY_MCL_OK))
		return refuse(w, c, NVP_SCT_COMMAND, NVP_SC_SIZE_LIMIT);
	for (uint32_t i = 0; i < nr_ranges(c); i++) {
		c->slba = range_slba(c, i);
		if (range_lbas(c, i) > room(c->ns, c->slba) &&
		    !nvp_defect(w, NVP_HOOK_COPY_RANGE_OK))
			return refuse(w, c, NVP_SCT_GENERIC, NVP_SC_LBA_RANGE);
	}
	c->slba = destination(c);
	if (total > room(c->ns, c->slba) && !nvp_defect(w, NVP_HOOK_COPY_END_OK))
		return refuse(w, c, NVP_SCT_GENERIC, NVP_SC_LBA_RANGE);
	if (overlaps(c, total) && nvp_defect(w, NVP_HOOK_COPY_OVERLAP_NO))
		return refuse(w, c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD);
	if (c->ns->pi_type && !sources_valid(w, c))
		return refuse(w, c, c->sct, c->sc);
	if (c->ns->meta_bytes)
		c->scratch[META] = (uintptr_t)nvp_sim_cmd_buffer(c, NVP_BUFFER_META,
								 total * c->ns->meta_bytes);
	c->scratch[BUFFER] = (uintptr_t)nvp_sim_cmd_second(w, c, total * c->ns->lba_bytes);
	c->scratch[NEXT] = c->scratch[DONE_LBAS] = 0;
	return next_source(w, c);
}

enum nvp_step nvp_sim_copy(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	unsigned format = c->sqe[49] & 0x0f;

	if (!nvp_sim_take_io_ns(w, c))
		return NVP_STEP_COMPLETE;
	if (format && !nvp_defect(w, NVP_HOOK_COPY_FORMAT_OK))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 12, 8);
	if (nr_ranges(c) > NVP_SIM_MSRC_Z + 1 && !nvp_defect(w, NVP_HOOK_COPY_MSRC_OK))
		return refuse(w, c, NVP_SCT_COMMAND, NVP_SC_SIZE_LIMIT);
	if (c->ns->pi_type && c->sqe[49] >> 7 != (c->sqe[51] >> 5 & 1))	/* PRACT of both */
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 12, 15);
	c->fua = c->sqe[51] >> 6 & 1;
	nvp_sim_cmd_data(w, c, nr_ranges(c) * RANGE_BYTES);
	c->then = check_ranges;
	return NVP_STEP_FROM_HOST;
}
