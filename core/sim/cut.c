// SPDX-License-Identifier: GPL-2.0-or-later
// What a drive that is wrong about power has to remember: its last commands, and blocks of before.

#include "core/sim/cut.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/cmd.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/sim/cache.h"

#define LATE_NS (100 * NVP_NS_PER_MS)

int nvp_cut_new(struct nvp_sim *w)
{
	bool any = false;

	for (unsigned hook = NVP_HOOK_CUT_FIRST; hook < NVP_HOOK_CUT_LAST; hook++)
		any |= nvp_defect(w, (enum nvp_hook)hook);
	if (!any || w->cut)
		return 0;
	w->cut = calloc(1, sizeof(*w->cut));
	return w->cut ? 0 : -ENOMEM;
}

void nvp_cut_free(struct nvp_sim *w)
{
	if (!w->cut)
		return;
	for (unsigned i = 0; i < NVP_CUT_BLOCKS; i++)
		free(w->cut->old[i].was.bytes);
	for (unsigned i = 0; i < NVP_ARRAY_SIZE(w->cut->late); i++)
		free(w->cut->late[i].bytes);
	free(w->cut->download);
	free(w->cut->later.bytes);
	free(w->cut->flips.bytes);
	free(w->cut);
	w->cut = NULL;
}

void nvp_cut_power_on(struct nvp_sim *w, bool after_cut)
{
	struct nvp_cut_state *s = w->cut;

	if (!s)
		return;
	s->nr_ops = 0;
	s->nr_trims = 0;
	s->after_cut = after_cut;
	s->enables = 0;
	s->falling = false;
	s->power_on_ns = w->now_ns;
	s->nr_late = 0;
	s->commit_ns = 0;
}

bool nvp_cut_fatal(const struct nvp_sim *w)
{
	uint64_t most = nvp_defect_value(w, NVP_HOOK_CUT_FATAL, "enables", 0);

	if (!nvp_defect(w, NVP_HOOK_CUT_FATAL) || !w->cut->after_cut)
		return false;
	return w->cut->enables++ < most || !most;
}

uint64_t nvp_cut_cycle(const struct nvp_sim *w)
{
	return w->arena->header->counter[NVP_COUNT_POWER_CYCLES].count;
}

void nvp_cut_publishing(struct nvp_sim *w, const uint64_t *index, uint32_t nr)
{
	struct nvp_cut_state *s = w->cut;

	if (!s || s->damaging)
		return;
	for (uint32_t i = 0; i < nr; i++) {
		struct nvp_cut_old *old = &s->old[s->nr_old++ % NVP_CUT_BLOCKS];

		nvp_block_save(w, index[i], &old->was);
		old->cycle = nvp_cut_cycle(w);
		old->at_ns = w->now_ns;
	}
}

const struct nvp_cut_old *nvp_cut_before(const struct nvp_cut_state *s, uint64_t map_index,
					 unsigned n)
{
	uint64_t first = s->nr_old > NVP_CUT_BLOCKS ? s->nr_old - NVP_CUT_BLOCKS : 0;

	for (uint64_t i = s->nr_old; i > first; i--) {
		const struct nvp_cut_old *old = &s->old[(i - 1) % NVP_CUT_BLOCKS];

		if (old->was.map_index == map_index && !n--)
			return old;
	}
	return NULL;
}

/* ---- commands ---- */

static bool changes_blocks(uint8_t opcode)
{
	return opcode == NVP_IO_WRITE || opcode == NVP_IO_WRITE_ZEROES || opcode == NVP_IO_DSM ||
	       opcode == NVP_IO_WRITE_UNCORRECTABLE;
}

/* The commands that were answered before the flush was fetched are on the media now. */
static void made_durable(struct nvp_cut_state *s, const struct nvp_sim_cmd *flush)
{
	uint64_t first = s->nr_ops > NVP_CUT_OPS ? s->nr_ops - NVP_CUT_OPS : 0;

	for (uint64_t i = first; i < s->nr_ops; i++) {
		struct nvp_cut_op *op = &s->op[i % NVP_CUT_OPS];

		if (op->done_ns < flush->fetched_ns &&
		    (!flush->ns || flush->ns->nsid == op->nsid))
			op->durable = true;
	}
}

static bool durable_at_once(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	bool has_fua = c->opcode == NVP_IO_WRITE || c->opcode == NVP_IO_WRITE_ZEROES;

	return w->config->plp || w->config->vwc == NVP_VWC_ABSENT || !w->live.write_cache ||
	       (has_fua && c->sqe[51] >> 6 & 1);
}

void nvp_cut_began(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	if (w->cut && c->opcode == NVP_IO_DSM)
		w->cut->nr_trims++;
}

void nvp_cut_done(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	struct nvp_cut_state *s = w->cut;
	bool good = !c->sct && !c->sc;
	struct nvp_cut_op *op;

	if (s && !c->sqid && good)
		nvp_cut_admin_done(w, c);
	if (!s || !c->sqid)
		return;
	if (c->opcode == NVP_IO_DSM && s->nr_trims)
		s->nr_trims--;
	if (good && c->opcode == NVP_IO_FLUSH)
		made_durable(s, c);
	if (!good || !c->ns || !changes_blocks(c->opcode))
		return;
	op = &s->op[s->nr_ops++ % NVP_CUT_OPS];
	*op = (struct nvp_cut_op){
		.opcode = c->opcode,
		.durable = durable_at_once(w, c),
		.nsid = c->ns->nsid,
		.nr_lbas = c->opcode == NVP_IO_DSM ? c->nr_lbas : nvp_le16(c->sqe + 48) + 1u,
		.first = c->ns->map_first + (c->opcode == NVP_IO_DSM ? c->slba :
					     nvp_le64(c->sqe + 40)),
		.done_ns = w->now_ns,
	};
}

/* ---- reads ---- */

void nvp_cut_read(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint8_t *bytes)
{
	struct nvp_cut_state *s = w->cut;
	uint64_t at;

	if (!s || !s->has_flips)
		return;
	at = s->flips.map_index - c->ns->map_first - c->slba;
	if (s->flips.map_index < c->ns->map_first + c->slba || at >= c->nr_lbas)
		return;
	s->flip = !s->flip;
	if (!s->flip)
		return;
	if (s->flips.kind == NVP_MAP_DATA)
		memcpy(bytes + at * c->ns->lba_bytes, s->flips.bytes, c->ns->lba_bytes);
	else
		memset(bytes + at * c->ns->lba_bytes, 0, c->ns->lba_bytes);
}

/* ---- a write that a reset should have ended ---- */

static void lands_late(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_cut_state *s = w->cut;

	(void)argument;
	for (uint32_t i = 0; i < s->nr_late; i++)
		nvp_block_restore(w, &s->late[i]);
	s->nr_late = 0;
}

void nvp_cut_reset(struct nvp_sim *w)
{
	struct nvp_cut_state *s = w->cut;
	uint32_t id;

	if (!s || !nvp_defect(w, NVP_HOOK_RESET_LATE_WRITE) || s->nr_late)
		return;
	for (id = w->cache->newest; id != NVP_NO_UNIT; id = w->cache->unit[id].older)
		if (!w->cache->unit[id].visible && w->cache->unit[id].kind == NVP_MAP_DATA)
			break;
	if (id == NVP_NO_UNIT)
		return;
	for (uint32_t i = 0; i < w->cache->unit[id].nr && i < NVP_ARRAY_SIZE(s->late); i++) {
		const struct nvp_unit *u = &w->cache->unit[id];
		struct nvp_saved_block *b = &s->late[s->nr_late++];

		if (!b->bytes)
			b->bytes = nvp_cache_must(malloc(NVP_SAVED_BYTES));
		b->map_index = u->first + i;
		b->kind = NVP_MAP_DATA;
		memcpy(b->bytes, u->bytes + (size_t)i * u->lba_bytes, u->lba_bytes);
		if (u->meta_bytes)
			memcpy(b->bytes + u->lba_bytes, u->meta + (size_t)i * u->meta_bytes,
			       u->meta_bytes);
	}
	nvp_event_add(w, NVP_SCOPE_DEVICE, LATE_NS, lands_late, 0);
}
