// SPDX-License-Identifier: GPL-2.0-or-later
// Format NVM (NVMe Base 2.0 section 5.14): slice by slice, then the new format counts by one store.

#include "core/sim/erase.h"

#include "core/base/bits.h"
#include "core/nvme/fields.h"
#include "core/sim/commands.h"
#include "core/sim/cut.h"
#include "core/sim/manage.h"
#include "core/sim/mechanism.h"

#define SLICES 100		/* of a namespace: one for each percent of the progress */
#define WAIT_NS (20 * NVP_NS_PER_US)
#define BATCH_NS (10 * NVP_NS_PER_US)
#define PROTECTION_BYTES 8	/* of the 16-bit guard (NVM Command Set 1.0, 5.2.1) */

/* What the command keeps in c->scratch. */
enum { TARGET, SLICE, POSITION };

struct request {
	unsigned lbaf, pi, ses;
	bool extended, first;
};

static struct request request_of(const struct nvp_sim_cmd *c)
{
	uint32_t dw10 = nvp_le32(c->sqe + 40);

	return (struct request){
		.lbaf = (dw10 & 0xf) | (dw10 >> 12 & 3) << 4,
		.extended = dw10 >> 4 & 1,
		.pi = dw10 >> 5 & 7,
		.first = dw10 >> 8 & 1,
		.ses = dw10 >> 9 & 7,
	};
}

/* A wrong drive formats the first other namespace there is. */
static uint32_t target_nsid(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	for (uint32_t i = 0; nvp_defect(w, NVP_HOOK_FMT_WRONG_NS) && i < w->nr_ns; i++)
		if (w->ns[i].active && w->ns[i].nsid != c->nsid)
			return w->ns[i].nsid;
	return c->nsid;
}

/* FNA bit 0 for a format, bit 1 for a secure erase: all namespaces, whichever is named. */
static bool takes_all(const struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	unsigned bit = request_of(c).ses ? 1 : 0;

	return c->nsid == NVP_NSID_ALL || (w->profile->fna >> bit & 1);
}

static bool takes(struct nvp_sim *w, const struct nvp_sim_cmd *c, const struct nvp_sim_ns *ns)
{
	if (!ns->active)
		return false;
	if (!takes_all(w, c))
		return ns->nsid == target_nsid(w, c);
	return !nvp_defect(w, NVP_HOOK_FMT_BROADCAST_FIRST) ||
	       ns == nvp_sim_ns(w, c->nsid == NVP_NSID_ALL ? 1 : c->nsid);
}

/* ---- what is asked for ---- */

static enum nvp_step refuse_format(struct nvp_sim *w, struct nvp_sim_cmd *c, unsigned bit)
{
	if (nvp_defect(w, NVP_HOOK_FMT_STATUS))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT, 10, bit);
	return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_INVALID_FORMAT, 10, bit);
}

static bool fields_valid(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct request r = request_of(c);
	const struct nvp_sim_lba_format *format = nvp_sim_format(w->config, r.lbaf);

	if (r.ses > 2 || (r.ses == 2 && !(w->profile->fna & 4))) {
		if (!nvp_defect(w, NVP_HOOK_FMT_SES_OK)) {
			nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 9);
			return false;
		}
	}
	if (!format && !nvp_defect(w, NVP_HOOK_FMT_LBAF_OK)) {
		refuse_format(w, c, 0);
		return false;
	}
	if (r.pi > 3 || (r.pi && format && format->meta_bytes < PROTECTION_BYTES)) {
		if (!nvp_defect(w, NVP_HOOK_FMT_PI_OK)) {
			refuse_format(w, c, 5);
			return false;
		}
	}
	return true;
}

static bool namespace_valid(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (c->nsid == NVP_NSID_ALL && !(w->profile->fna & 8))
		return true;
	if (!nvp_sim_nsid_valid(w, c->nsid) && nvp_defect(w, NVP_HOOK_FMT_NSID_OK))
		return true;
	return nvp_sim_take_ns(w, c);
}

/* ---- the work ---- */

/* No I/O command works on what is to be formatted: those that came before end first. */
static bool is_idle(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	for (uint32_t i = 0; i < w->nr_ns; i++)
		if (w->ns[i].format_slot == c->slot + 1 && nvp_engine_uses(w, &w->ns[i]))
			return false;
	return true;
}

static bool keeps_data(const struct nvp_sim *w, const struct nvp_sim_cmd *c,
		       const struct nvp_sim_ns *ns)
{
	struct request r = request_of(c);

	if (!nvp_defect(w, NVP_HOOK_FMT_LBAF_IGNORED) && r.lbaf != ns->format)
		return false;	/* blocks of another format are of no use */
	return nvp_defect(w, NVP_HOOK_FMT_STALE) || (r.ses && nvp_defect(w, NVP_HOOK_FMT_SES)) ||
	       (r.ses == 2 && nvp_defect(w, NVP_HOOK_FMT_CRYPTO));
}

/* The namespace is what was asked for, from here on. */
static void apply(struct nvp_sim *w, const struct nvp_sim_cmd *c, struct nvp_sim_ns *ns)
{
	struct request r = request_of(c);
	const struct nvp_sim_lba_format *format = nvp_sim_format(w->config, r.lbaf);

	if (!format || nvp_defect(w, NVP_HOOK_FMT_LBAF_IGNORED))
		format = nvp_sim_format(w->config, r.lbaf = ns->format);
	if (!nvp_defect(w, NVP_HOOK_FMT_SIZE) && r.lbaf != ns->format) {
		ns->nr_lbas = ns->bytes >> format->lba_shift;
		ns->capacity_lbas = ns->nr_lbas;
	}
	ns->format = (uint8_t)r.lbaf;
	ns->meta_extended = format->meta_bytes && r.extended;
	ns->pi_type = (uint8_t)(format->meta_bytes >= PROTECTION_BYTES &&
				!nvp_defect(w, NVP_HOOK_FMT_PI_IGNORED) ? r.pi & 3 : 0);
	ns->pi_first = ns->pi_type && r.first;
	ns->format_slot = 0;
	if (nvp_defect(w, NVP_HOOK_FMT_NUSE))
		ns->nr_used = ns->nr_lbas;
	nvp_sim_ns_commit(w);
}

static struct nvp_sim_ns *next_target(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	for (; c->scratch[TARGET] < w->nr_ns; c->scratch[TARGET]++)
		if (w->ns[c->scratch[TARGET]].format_slot == c->slot + 1)
			return &w->ns[c->scratch[TARGET]];
	return NULL;
}

static uint64_t slice_ns(const struct nvp_sim_cmd *c)
{
	static const uint64_t ns[] = { 5 * NVP_NS_PER_MS, 20 * NVP_NS_PER_MS, 2 * NVP_NS_PER_MS };

	return ns[request_of(c).ses % 3];
}

/* End of a slice, as a block of the namespace. */
static uint64_t slice_end(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint64_t slice)
{
	uint64_t end = ns->nr_lbas * slice / SLICES;

	if (slice == SLICES && nvp_defect(w, NVP_HOOK_FMT_BLOCK_SURVIVES))
		end--;
	return ns->map_first + end;
}

/* What a format that said too early that it is complete has left to do. */
static void finish_late(struct nvp_sim *w, uint64_t position)
{
	const struct nvp_sim_ns *ns = nvp_block_ns(w, position);
	uint64_t end = ns ? ns->map_first + ns->nr_lbas : 0;

	if (position < end)
		position = nvp_media_purge(w, position, end, NVP_MAP_ENTRY(NVP_MAP_UNWRITTEN, 0),
					   NVP_MAP_UNWRITTEN);
	if (position < end)
		nvp_event_add(w, NVP_SCOPE_DEVICE, BATCH_NS, finish_late, position);
}

static bool ends_early(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	if (c->scratch[SLICE] != 1 || !nvp_defect(w, NVP_HOOK_CUT_FORMAT_HALF))
		return false;
	nvp_event_add(w, NVP_SCOPE_DEVICE, SLICES * slice_ns(c), finish_late,
		      c->scratch[POSITION]);
	return true;
}

/* The next batch of map entries, or the next slice, or the next namespace. */
static enum nvp_step format_step(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sim_ns *ns = next_target(w, c);
	uint64_t end;

	if (!ns) {
		c->then = NULL;
		return NVP_STEP_COMPLETE;
	}
	c->then = format_step;
	c->delay_ns = slice_ns(c);
	end = slice_end(w, ns, c->scratch[SLICE] + 1);
	if (c->scratch[POSITION] < end && !keeps_data(w, c, ns)) {
		c->scratch[POSITION] = nvp_media_purge(
			w, c->scratch[POSITION], end, NVP_MAP_ENTRY(NVP_MAP_UNWRITTEN, 0),
			nvp_defect(w, NVP_HOOK_FMT_MARKED) ? NVP_MAP_MARKED : NVP_MAP_UNWRITTEN);
		if (c->scratch[POSITION] < end)
			c->delay_ns = BATCH_NS;
	} else {
		c->scratch[POSITION] = end;
	}
	if (c->scratch[POSITION] < end)
		return NVP_STEP_DELAY;
	ns->format_left = (uint8_t)(SLICES - ++c->scratch[SLICE]);
	if (c->scratch[SLICE] == SLICES || ends_early(w, c)) {
		apply(w, c, ns);
		c->scratch[SLICE] = 0;
		ns = next_target(w, c);
		c->scratch[POSITION] = ns ? ns->map_first : 0;
	}
	return NVP_STEP_DELAY;
}

static enum nvp_step begin(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->then = begin;
	c->delay_ns = WAIT_NS;
	if (!is_idle(w, c))
		return NVP_STEP_DELAY;
	c->visible = true;	/* too late to be aborted */
	nvp_pel_format_start(w, c);
	for (uint32_t i = 0; i < w->nr_ns; i++) {
		struct nvp_sim_ns *ns = &w->ns[i];
		bool neighbour = nvp_defect(w, NVP_HOOK_FMT_NEIGHBOUR) && ns->active;

		if (ns->format_slot == c->slot + 1 || neighbour) {
			if (neighbour || !keeps_data(w, c, ns))
				nvp_cache_drop_range(w, ns->map_first, ns->map_first + ns->nr_lbas);
		}
		for (uint64_t at = ns->map_first; neighbour && at < ns->map_first + ns->nr_lbas;)
			at = nvp_media_purge(w, at, ns->map_first + ns->nr_lbas, 0,
					     NVP_MAP_UNWRITTEN);
	}
	c->scratch[TARGET] = 0;
	c->scratch[POSITION] = next_target(w, c) ? next_target(w, c)->map_first : 0;
	c->then = format_step;
	return NVP_STEP_DELAY;
}

enum nvp_step nvp_sim_format_nvm(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!namespace_valid(w, c) || !fields_valid(w, c))
		return NVP_STEP_COMPLETE;
	for (uint32_t i = 0; i < w->nr_ns; i++) {
		if (!takes(w, c, &w->ns[i]) || (!w->ns[i].format_slot &&
						!nvp_cut_format_stuck(w, w->ns[i].nsid)))
			continue;
		nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_FORMAT_IN_PROGRESS);
		c->dnr = false;	/* it ends */
		return NVP_STEP_COMPLETE;
	}
	for (uint32_t i = 0; i < w->nr_ns; i++)
		if (takes(w, c, &w->ns[i]) && nvp_protect_state(w, w->ns[i].nsid) &&
		    !nvp_defect(w, NVP_HOOK_WP_FORMAT))
			return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SIM_SC_PROTECTED);
	nvp_self_test_stop(w, c->nsid, NVP_SELF_TEST_FORMAT);
	for (uint32_t i = 0; i < w->nr_ns; i++) {
		if (takes(w, c, &w->ns[i])) {
			w->ns[i].format_slot = c->slot + 1;
			w->ns[i].format_left = SLICES;
		}
	}
	return begin(w, c);
}

/* ---- what the rest of the drive asks ---- */

void nvp_format_done(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	if (c->sqid || c->opcode != NVP_ADMIN_FORMAT)
		return;
	if (c->visible)
		nvp_pel_format_done(w, c, c->nsid, 0);
	for (uint32_t i = 0; i < w->nr_ns; i++)
		if (w->ns[i].format_slot == c->slot + 1)
			w->ns[i].format_slot = 0;
}

/* One event for the command: of its namespace, or of all that it took. */
static void record_stopped(struct nvp_sim *w)
{
	const struct nvp_sim_ns *stopped = NULL;
	unsigned nr = 0;

	for (uint32_t i = 0; i < w->nr_ns; i++) {
		if (!w->ns[i].format_slot)
			continue;
		if (!nr++ || w->ns[i].format_left < stopped->format_left)
			stopped = &w->ns[i];
	}
	if (nr)
		nvp_pel_format_done(w, NULL, nr > 1 ? NVP_NSID_ALL : stopped->nsid,
				    stopped->format_left);
}

/*
 * What ran has stopped: the blocks that it reached are gone, the namespace keeps its old format.
 * The specification leaves the contents open; the namespace can be used, and formatted again.
 */
void nvp_format_reset(struct nvp_sim *w)
{
	record_stopped(w);
	if (nvp_defect(w, NVP_HOOK_FMT_RESET_STUCK))
		return;
	for (uint32_t i = 0; i < w->nr_ns; i++)
		w->ns[i].format_slot = 0;
	for (uint32_t i = 0; nvp_defect(w, NVP_HOOK_FMT_NOT_SAVED) && i < w->nr_ns; i++) {
		w->ns[i].format = w->config->lba_bytes == 4096;
		w->ns[i].nr_lbas = w->ns[i].bytes / w->config->lba_bytes;
		w->ns[i].capacity_lbas = w->ns[i].nr_lbas;
	}
	if (nvp_defect(w, NVP_HOOK_FMT_NOT_SAVED))
		nvp_sim_ns_commit(w);
}

uint8_t nvp_format_progress(const struct nvp_sim *w, const struct nvp_sim_ns *ns)
{
	uint8_t left = ns->format_slot ? ns->format_left : 0;

	if (nvp_defect(w, NVP_HOOK_FMT_FPI_STUCK))
		left = 50;
	if (ns->format_slot && nvp_defect(w, NVP_HOOK_FMT_FPI_UP))
		left = SLICES - left;
	return 0x80 | left;
}

bool nvp_engine_formats(const struct nvp_sim *w)
{
	for (uint32_t i = 0; i < w->nr_ns; i++)
		if (w->ns[i].format_slot)
			return true;
	return false;
}

bool nvp_format_refuses(const struct nvp_sim *w, const struct nvp_sim_ns *ns)
{
	return ns->format_slot && !nvp_defect(w, NVP_HOOK_FMT_IO);
}
