// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace Attachment (NVMe Base 2.0, 5.22), the lists of Identify around it, and log 04h.

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/ns_manage.h"

#define DATA_BYTES 4096
#define MOST_CONTROLLERS 2047

/*
 * The subsystem has one controller, or two (controllers=2): CNTLID 1, which is this drive, and 2, a
 * port that no host drives. It stands in the lists, and namespaces can be attached to it; one that
 * is attached to it alone is allocated here and inactive.
 */
static uint64_t all_controllers(const struct nvp_sim *w)
{
	return (UINT64_C(1) << w->config->nr_controllers) - 1;
}

/* The identifiers as a set; false: the list is none that the drive can use (1/1Ch). */
static bool take_list(const struct nvp_sim *w, const uint8_t *data, uint64_t *set)
{
	unsigned nr = nvp_le16(data), before = 0;

	*set = 0;
	if (!nr || nr > MOST_CONTROLLERS)
		return nvp_defect(w, NVP_HOOK_NSM_LIST_OK);
	for (unsigned i = 0; i < nr; i++) {
		unsigned id = nvp_le16(data + 2 + 2 * i);

		if (!id || id > 64 || !(all_controllers(w) >> (id - 1) & 1) || id <= before) {
			if (!nvp_defect(w, NVP_HOOK_NSM_LIST_OK))
				return false;
			continue;
		}
		before = id;
		*set |= UINT64_C(1) << (id - 1);
	}
	return true;
}

static enum nvp_step refuse(struct nvp_sim_cmd *c, uint8_t sc)
{
	return nvp_sim_fail(c, NVP_SCT_COMMAND, sc);
}

/* All of it or nothing, by one store. */
static enum nvp_step attach(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sim_ns *ns = nvp_sim_ns_allocated(w, c->nsid);
	bool detach = c->sqe[40] & 0xf;
	uint64_t set, here = UINT64_C(1) << (w->cntlid - 1);

	c->then = NULL;
	if (!ns || ns->deleting)
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 1, 0);
	if (!take_list(w, c->data, &set))
		return refuse(c, NVP_SC_CONTROLLER_LIST);
	if (detach && (set & ~ns->attached) && !nvp_defect(w, NVP_HOOK_NSM_DETACH_OK))
		return refuse(c, NVP_SC_NS_NOT_ATTACHED);
	if (!detach && (set & ns->attached) && !nvp_defect(w, NVP_HOOK_NSM_ATTACH_OK))
		return refuse(c, NVP_SC_NS_ATTACHED);
	if (!detach && !ns->shared && __builtin_popcountll(set | ns->attached) > 1 &&
	    !nvp_defect(w, NVP_HOOK_NSM_PRIVATE_OK))
		return refuse(c, NVP_SC_NS_PRIVATE);
	if (nvp_defect(w, NVP_HOOK_NSM_ATTACH_NOTHING))
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_NSM_HERE_ALONE))
		set &= here;
	if (detach && nvp_defect(w, NVP_HOOK_NSM_DETACH_ALL))
		set = ns->attached;
	ns->attached = detach ? ns->attached & ~set : ns->attached | set;
	if (detach && nvp_defect(w, NVP_HOOK_NSM_DETACH_READABLE))
		ns->attached |= here & set;
	nvp_sim_ns_commit(w);
	if (set & here)
		nvp_ns_changed(w, ns->nsid);
	return NVP_STEP_COMPLETE;
}

enum nvp_step nvp_sim_ns_attachment(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if ((c->sqe[40] & 0xf) > 1) {
		if (nvp_defect(w, NVP_HOOK_NSM_SEL_OK))
			return NVP_STEP_COMPLETE;
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 0);
	}
	if (!nvp_sim_nsid_valid(w, c->nsid))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT, 1, 0);
	nvp_sim_cmd_data(w, c, DATA_BYTES);
	c->data_bytes = DATA_BYTES;
	c->then = attach;
	return NVP_STEP_FROM_HOST;
}

/* ---- lists ---- */

void nvp_ns_fill_allocated(const struct nvp_sim *w, uint32_t above, uint8_t *data)
{
	unsigned nr = 0;

	for (uint32_t i = 0; i < w->nr_ns; i++) {
		bool shown = w->ns[i].allocated && w->ns[i].nsid > above;

		if (nvp_defect(w, NVP_HOOK_NSM_LIST_ACTIVE) && !w->ns[i].active)
			shown = false;
		if (shown)
			nvp_put_le32(data + 4 * nr++, w->ns[i].nsid);
	}
}

void nvp_ns_fill_controllers(const struct nvp_sim *w, uint32_t nsid, uint16_t first, uint8_t *data)
{
	uint64_t set = nsid ? w->ns[nsid - 1].attached : all_controllers(w);
	uint16_t nr = 0;

	if (nvp_defect(w, NVP_HOOK_NSM_CONTROLLERS))
		set = 0;
	if (nvp_defect(w, NVP_HOOK_NSM_CONTROLLERS_FROM))
		first = 0;
	for (uint16_t id = 1; id <= 64; id++)
		if (set >> (id - 1) & 1 && id >= first)
			nvp_put_le16(data + 2 + 2 * nr++, id);
	nvp_put_le16(data, nr);
}

/* ---- log 04h (5.16.1.5) ---- */

void nvp_ns_changed(struct nvp_sim *w, uint32_t nsid)
{
	struct nvp_ns_changes *changes = &w->commands->ns_changes;

	if (!nvp_defect(w, NVP_HOOK_NSM_LOG))
		changes->changed[(nsid - 1) / 64] |= UINT64_C(1) << ((nsid - 1) % 64);
	if (nvp_feature_value(w, NVP_FID_EVENTS) & NVP_EVENTS_NS_ATTRIBUTE &&
	    !nvp_defect(w, NVP_HOOK_NSM_NO_EVENT))
		nvp_event_occurred(w, NVP_EVENT_NOTICE, 0x00, 0x04);
}

void nvp_log_fill_changed_ns(struct nvp_sim *w, uint8_t *data)
{
	const struct nvp_ns_changes *changes = &w->commands->ns_changes;
	unsigned nr = 0;

	for (uint32_t nsid = 1; nsid <= w->nr_ns; nsid++)
		if (changes->changed[(nsid - 1) / 64] >> ((nsid - 1) % 64) & 1)
			nvp_put_le32(data + 4 * nr++, nsid);
}

void nvp_changed_ns_read(struct nvp_sim *w)
{
	if (!nvp_defect(w, NVP_HOOK_NSM_LOG_KEPT))
		memset(&w->commands->ns_changes, 0, sizeof(w->commands->ns_changes));
}

void nvp_ns_changes_reset(struct nvp_sim *w)
{
	memset(&w->commands->ns_changes, 0, sizeof(w->commands->ns_changes));
}
