// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace Management (NVMe Base 2.0, 5.23; NVM Command Set 1.0, 4.1.6): create and delete.

#include "core/sim/ns_manage.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/fields.h"
#include "core/sim/commands.h"
#include "core/sim/mechanism.h"
#include "core/sim/persistent_event.h"

#define DATA_BYTES 4096
#define WAIT_NS 50000		/* until commands on a namespace that goes are done */
#define ERASE_NS 20000		/* of the blocks that one step gives back */
#define ERASE_LBAS 4096
#define GET(key) nvp_field_get(&nvp_fields_id_ns, c->data, key)

bool nvp_sim_has_ns_management(const struct nvp_sim *w)
{
	return w->profile->ns_management;
}

uint64_t nvp_sim_total_bytes(const struct nvp_sim *w)
{
	return w->config->size_bytes + nvp_sim_spare_bytes(w->config);
}

uint64_t nvp_sim_unallocated_bytes(const struct nvp_sim *w)
{
	uint64_t taken = 0;

	for (uint32_t i = 0; i < w->nr_ns; i++)
		taken += w->ns[i].allocated || nvp_defect(w, NVP_HOOK_NSM_CAPACITY_KEPT) ?
			 w->ns[i].bytes : 0;
	return nvp_sim_total_bytes(w) - nvp_min_u64(taken, nvp_sim_total_bytes(w));
}

/* ---- create ---- */

static enum nvp_step refuse(struct nvp_sim_cmd *c, uint8_t sc)
{
	return nvp_sim_fail(c, NVP_SCT_COMMAND, sc);
}

/* The format that the host asks for, or NULL. */
static const struct nvp_sim_lba_format *wanted_format(const struct nvp_sim *w,
						       const struct nvp_sim_cmd *c)
{
	unsigned flbas = (unsigned)GET("flbas"), index = (flbas & 0xf) | (flbas >> 5 & 3) << 4;
	const struct nvp_sim_lba_format *format = nvp_sim_format(w->config, index);

	if (!format && nvp_defect(w, NVP_HOOK_NSM_FORMAT_OK))
		return nvp_sim_format(w->config, 0);
	return format;
}

/* Protection needs metadata of 8 bytes or more (NVM Command Set 1.0, 5.2). */
static bool protection_fits(const struct nvp_sim_lba_format *format, unsigned pi_type)
{
	return pi_type <= 3 && (!pi_type || format->meta_bytes >= 8);
}

static struct nvp_sim_ns *free_nsid(struct nvp_sim *w)
{
	for (uint32_t i = 0; i < w->nr_ns; i++)
		if (!w->ns[i].allocated && !w->ns[i].deleting)
			return &w->ns[i];
	return NULL;
}

static void make(struct nvp_sim *w, const struct nvp_sim_cmd *c, struct nvp_sim_ns *ns,
		 const struct nvp_sim_lba_format *format)
{
	unsigned flbas = (unsigned)GET("flbas");

	ns->allocated = true;
	ns->attached = nvp_defect(w, NVP_HOOK_NSM_ATTACHED) ? 1u << (w->cntlid - 1) : 0;
	ns->nr_lbas = GET("nsze") - nvp_defect(w, NVP_HOOK_NSM_SIZE);
	ns->capacity_lbas = GET("ncap") - nvp_defect(w, NVP_HOOK_NSM_SIZE);
	ns->bytes = ns->capacity_lbas << format->lba_shift;
	ns->format = (flbas & 0xf) | (flbas >> 5 & 3) << 4;
	if (!nvp_sim_format(w->config, ns->format))
		ns->format = 0;
	ns->meta_extended = format->meta_bytes && flbas >> 4 & 1;
	ns->pi_type = (uint8_t)GET("dps_type") & 3;
	ns->pi_first = GET("dps_first");
	ns->shared = GET("nmic_shared");
	ns->write_protect = 0;
	if (!nvp_defect(w, NVP_HOOK_NSM_SAME_ID))
		ns->generation++;
	nvp_sim_ns_commit(w);
}

/* The data have come. Refusals in the order of what they are about: the fields, then the room. */
static enum nvp_step create(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint64_t nsze = GET("nsze"), ncap = GET("ncap");
	const struct nvp_sim_lba_format *format = wanted_format(w, c);
	struct nvp_sim_ns *ns = free_nsid(w);

	c->then = NULL;
	if (!nsze && nvp_defect(w, NVP_HOOK_NSM_ZERO_OK))
		return NVP_STEP_COMPLETE;
	if (!nsze || ncap > nsze)
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD);
	if (ncap < nsze && !nvp_defect(w, NVP_HOOK_NSM_THIN_OK))
		return refuse(c, NVP_SC_THIN_NOT_SUPPORTED);
	if (!format || (!protection_fits(format, (unsigned)GET("dps_type")) &&
			!nvp_defect(w, NVP_HOOK_NSM_FORMAT_OK)))
		return refuse(c, NVP_SC_INVALID_FORMAT);
	if (nsze > UINT64_MAX >> format->lba_shift ||
	    ncap << format->lba_shift > nvp_sim_unallocated_bytes(w)) {
		if (!nvp_defect(w, NVP_HOOK_NSM_CAPACITY_OK))
			return refuse(c, NVP_SC_NS_CAPACITY);
		return NVP_STEP_COMPLETE;
	}
	if (!ns)
		return nvp_defect(w, NVP_HOOK_NSM_NSID_STATUS) ?
			nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD) :
			refuse(c, NVP_SC_NSID_UNAVAILABLE);
	make(w, c, ns, format);
	nvp_pel_namespace(w, c, ns);
	c->dw0 = nvp_defect(w, NVP_HOOK_NSM_RESULT) ? 0 : ns->nsid;
	return NVP_STEP_COMPLETE;
}

/* ---- delete ---- */

/* Some command still works on blocks of this namespace. */
static bool busy(struct nvp_sim *w, const struct nvp_sim_ns *ns)
{
	for (uint32_t slot = 0; slot < NVP_MAX_COMMANDS; slot++) {
		const struct nvp_sim_cmd *c = nvp_engine_cmd(w, slot);

		if (c->state != NVP_CMD_FREE && c->sqid && c->ns == ns)
			return true;
	}
	return false;
}

/* Give back some of the blocks of a namespace that is gone, from scratch[1] on. True: that was all. */
static bool erase_some(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_sim_ns *ns)
{
	uint64_t first = ns->map_first + c->scratch[1], end;
	uint64_t stride = w->arena->header->map_stride, past = ns->map_first + stride;
	const uint64_t nothing = 0;

	if (nvp_defect(w, NVP_HOOK_NSM_STALE) || !nvp_arena_next_extent(w->arena, &first, &end) ||
	    first >= past)
		return true;
	end = nvp_min_u64(nvp_min_u64(end, past), first + ERASE_LBAS);
	for (uint64_t i = first; i < end; i++)
		if (w->arena->map[i])
			nvp_media_publish(w, &i, &nothing, 1);
	c->scratch[1] = end - ns->map_first;
	return end == past;
}

static void forget(struct nvp_sim *w, const struct nvp_sim_cmd *c, struct nvp_sim_ns *ns)
{
	bool was_attached = ns->attached >> (w->cntlid - 1) & 1;

	if (c->nsid != NVP_NSID_ALL)
		nvp_pel_namespace(w, c, ns);
	ns->allocated = nvp_defect(w, NVP_HOOK_NSM_DELETE_KEEPS);
	ns->attached = ns->allocated ? ns->attached : 0;
	nvp_sim_ns_commit(w);
	if (was_attached)
		nvp_ns_changed(w, ns->nsid);
}

/*
 * One namespace after the other: no new commands, those that run are done, the cache has nothing
 * of it any more; then it is gone by one store, and its blocks are given back.
 */
static enum nvp_step delete_next(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	enum { FIND, DRAIN, FLUSHED, ERASE };
	uint32_t nsid = (uint32_t)c->scratch[0];
	struct nvp_sim_ns *ns = &w->ns[nsid - 1];

	c->then = delete_next;
	switch (c->scratch[2]) {
	case FIND:
		while (c->nsid == NVP_NSID_ALL && nsid <= w->nr_ns && !w->ns[nsid - 1].allocated)
			nsid++;
		c->scratch[0] = nsid;
		if (nsid > w->nr_ns) {
			if (c->nsid == NVP_NSID_ALL)
				nvp_pel_namespace(w, c, NULL);
			c->then = NULL;
			return NVP_STEP_COMPLETE;
		}
		w->ns[nsid - 1].active = false;
		w->ns[nsid - 1].deleting = true;
		c->scratch[2] = DRAIN;
		/* fall through */
	case DRAIN:
		ns = &w->ns[c->scratch[0] - 1];
		c->delay_ns = WAIT_NS;
		if (busy(w, ns))
			return NVP_STEP_DELAY;
		c->scratch[2] = FLUSHED;
		c->ns = ns;
		return NVP_STEP_FLUSH;
	case FLUSHED:
		c->ns = NULL;
		c->scratch[1] = 0;
		c->scratch[2] = ERASE;
		forget(w, c, ns);
		/* fall through */
	default:
		c->delay_ns = ERASE_NS;
		if (!erase_some(w, c, ns))
			return NVP_STEP_DELAY;
		ns->deleting = false;
		ns->nr_used = 0;
		c->scratch[0] = c->nsid == NVP_NSID_ALL ? nsid + 1 : w->nr_ns + 1;
		c->scratch[2] = FIND;
		c->delay_ns = 0;
		return NVP_STEP_DELAY;
	}
}

static enum nvp_step delete(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sim_ns *ns = nvp_sim_ns_allocated(w, c->nsid);

	if (c->nsid != NVP_NSID_ALL && (!ns || ns->deleting)) {
		if (nvp_defect(w, NVP_HOOK_NSM_DELETE_OK))
			return NVP_STEP_COMPLETE;
		if (nvp_sim_nsid_valid(w, c->nsid))
			return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 1, 0);
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT, 1, 0);
	}
	if (nvp_defect(w, NVP_HOOK_NSM_WRONG_NS) && c->nsid > 1 && c->nsid != NVP_NSID_ALL &&
	    nvp_sim_ns_allocated(w, c->nsid - 1))
		ns--;
	c->scratch[0] = c->nsid == NVP_NSID_ALL ? 1 : ns->nsid;
	c->scratch[2] = 0;
	return delete_next(w, c);
}

enum nvp_step nvp_sim_ns_management(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	unsigned select = c->sqe[40] & 0xf;

	if (select == 1)
		return delete(w, c);
	if (select && !nvp_defect(w, NVP_HOOK_NSM_SEL_OK))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 0);
	if (select)
		return NVP_STEP_COMPLETE;
	if (c->sqe[47])
		return refuse(c, NVP_SC_COMMAND_SET);
	nvp_sim_cmd_data(w, c, DATA_BYTES);
	c->data_bytes = DATA_BYTES;
	c->then = create;
	return NVP_STEP_FROM_HOST;
}
