// SPDX-License-Identifier: GPL-2.0-or-later
// Identify (NVMe Base 2.0 section 5.17): which CNS values there are and what their data are.

#include "core/sim/commands.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/nvme/fields.h"
#include "core/sim/identify.h"
#include "core/sim/mechanism.h"
#include "core/sim/ocp.h"

#define IDENTIFY_BYTES 4096

static enum nvp_step give(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	nvp_lie_about_length(w, false, c->sqe[40], c->data);
	c->data_bytes = nvp_defect(w, NVP_HOOK_IDY_SHORT) ? IDENTIFY_BYTES - 512 : IDENTIFY_BYTES;
	return NVP_STEP_TO_HOST;
}

static enum nvp_step invalid_nsid(struct nvp_sim_cmd *c)
{
	return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT, 1, 0);
}

/* Invalid or inactive (3.2.1), where only an active one will do. */
static enum nvp_step no_such_ns(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	nvp_sim_take_ns(w, c);
	return NVP_STEP_COMPLETE;
}

/* CNS 00h; an inactive NSID gives zeroes (5.17.2, NVM Command Set 1.0, 4.1.5.1). */
static enum nvp_step identify_ns(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *data)
{
	const struct nvp_sim_ns *ns = nvp_sim_ns(w, c->nsid);

	if (nvp_sim_nsid_valid(w, c->nsid)) {
		if (ns)
			nvp_identify_ns_fill(w, ns, data);
		else if (nvp_defect(w, NVP_HOOK_IDY_INACTIVE))
			nvp_identify_ns_fill(w, &w->ns[0], data);
		return give(w, c);
	}
	if (c->nsid == NVP_NSID_ALL && nvp_sim_has_ns_management(w) !=
	    nvp_defect(w, NVP_HOOK_IDY_BROADCAST_OK)) {
		nvp_identify_common_fill(w, data);
		return give(w, c);
	}
	if (c->nsid > w->profile->max_namespaces && c->nsid != NVP_NSID_ALL) {
		if (nvp_defect(w, NVP_HOOK_IDY_NSID_OK))
			return give(w, c);
		if (nvp_defect(w, NVP_HOOK_IDY_NSID_STATUS))
			return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 1, 0);
	}
	return invalid_nsid(c);
}

/* CNS 02h and 07h: NSIDs of active namespaces above the given one, ascending (5.17.2.2). */
static enum nvp_step identify_list(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *data)
{
	unsigned nr = 0;

	if (c->nsid >= 0xfffffffe && !nvp_defect(w, NVP_HOOK_IDY_LIST_TOP_OK))
		return invalid_nsid(c);
	for (uint32_t nsid = 1; nsid <= w->profile->max_namespaces; nsid++) {
		bool above = nsid > c->nsid || nvp_defect(w, NVP_HOOK_IDY_LIST_START);

		if (above && nvp_sim_ns(w, nsid))
			nvp_put_le32(data + 4 * nr++, nsid);
	}
	if (nvp_defect(w, NVP_HOOK_IDY_LIST_UNSORTED) && nr > 1) {
		uint32_t first = nvp_le32(data);

		nvp_put_le32(data, nvp_le32(data + 4));
		nvp_put_le32(data + 4, first);
	}
	if (nvp_defect(w, NVP_HOOK_IDY_LIST_JUNK))
		nvp_put_le32(data + 4 * (nr + 1), 1);
	return give(w, c);
}

/* CNS 03h (5.17.2.3): EUI-64, NGUID, UUID and command set of one namespace. */
static enum nvp_step identify_descriptors(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *data)
{
	const struct nvp_sim_ns *ns = nvp_sim_ns(w, c->nsid);
	static const uint8_t nvm_command_set;
	const struct { uint8_t type, length; const void *id; } rows[] = {
		{ 1, 8, ns ? ns->eui64 : NULL },
		{ 2, 16, ns ? ns->nguid : NULL },
		{ 3, 16, ns ? ns->uuid : NULL },
		{ 4, 1, &nvm_command_set },
	};
	size_t at = 0;

	if (!ns)
		return no_such_ns(w, c);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		if (rows[i].type != 4 && nvp_defect(w, NVP_HOOK_IDY_NO_ID))
			continue;
		data[at] = rows[i].type;
		data[at + 1] = rows[i].length;
		if (rows[i].type == 3 && nvp_defect(w, NVP_HOOK_IDY_NIDL))
			data[at + 1] = 15;
		memcpy(data + at + 4, rows[i].id, rows[i].length);
		at += 4u + rows[i].length;
	}
	return give(w, c);
}

/* CNS 05h, 08h: zeroes for an inactive NSID, as CNS 00h; 05h of the NVM set has nothing to say. */
static enum nvp_step identify_ns_common(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *data,
					bool independent)
{
	const struct nvp_sim_ns *ns = nvp_sim_ns(w, c->nsid);

	if (!nvp_sim_nsid_valid(w, c->nsid))
		return invalid_nsid(c);
	if (ns && independent)
		nvp_field_put(&nvp_fields_id_ns_independent, data, "nstat_ready", 1);
	return give(w, c);
}

/* CNS 1Ch (5.17.2.21): one combination, the NVM Command Set alone. */
static enum nvp_step identify_command_sets(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *data)
{
	uint16_t cntid = nvp_le16(c->sqe + 42);

	if (cntid != 0xffff && cntid != w->cntlid)
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 16);
	nvp_put_le64(data, 1);
	return give(w, c);
}

static enum nvp_step no_such_cns(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (nvp_defect(w, NVP_HOOK_IDY_CNS_OK))
		return give(w, c);
	return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 10, 0);
}

/* CNS 10h to 13h (5.17.2.10 to 5.17.2.13): what namespaces there are, and whose. */
static enum nvp_step identify_allocated(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *data,
					uint8_t cns)
{
	const struct nvp_sim_ns *ns = nvp_sim_ns_allocated(w, c->nsid);
	uint16_t first = nvp_le16(c->sqe + 42);

	if (cns == 0x10) {
		if (c->nsid >= 0xfffffffe && !nvp_defect(w, NVP_HOOK_IDY_LIST_TOP_OK))
			return invalid_nsid(c);
		nvp_ns_fill_allocated(w, c->nsid, data);
		return give(w, c);
	}
	if (cns == 0x13) {
		nvp_ns_fill_controllers(w, 0, first, data);
		return give(w, c);
	}
	if (!nvp_sim_nsid_valid(w, c->nsid))
		return invalid_nsid(c);
	if (cns == 0x12 && ns)
		nvp_ns_fill_controllers(w, c->nsid, first, data);
	if (cns == 0x11 && !ns && nvp_defect(w, NVP_HOOK_NSM_UNALLOCATED))
		ns = &w->ns[0];
	if (cns == 0x11 && ns)
		nvp_identify_ns_fill(w, ns, data);
	return give(w, c);
}

enum nvp_step nvp_sim_identify(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint8_t cns = c->sqe[40], csi = c->sqe[47];
	uint8_t *data = nvp_sim_cmd_data(w, c, IDENTIFY_BYTES);

	if (csi && (cns == 0x05 || cns == 0x06 || cns == 0x07) &&
	    !nvp_defect(w, NVP_HOOK_IDY_CSI_OK))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 11, 24);
	switch (cns) {
	case 0x00:
		return identify_ns(w, c, data);
	case 0x01:
		nvp_identify_controller_fill(w, data);
		return give(w, c);
	case 0x02:
	case 0x07:
		return identify_list(w, c, data);
	case 0x03:
		return identify_descriptors(w, c, data);
	case 0x05:
	case 0x08:
		return identify_ns_common(w, c, data, cns == 0x08);
	case 0x06:	/* recommended sizes, no limits (NVM Command Set 1.0, 4.1.5.2) */
		if (w->profile->optional_commands) {
			nvp_field_put(&nvp_fields_id_ctrl_nvm, data, "vsl", NVP_SIM_SIZE_LIMIT);
			nvp_field_put(&nvp_fields_id_ctrl_nvm, data, "wusl", NVP_SIM_SIZE_LIMIT);
		}
		if (nvp_defect(w, NVP_HOOK_IDY_DSM_LIMITS))
			nvp_field_put(&nvp_fields_id_ctrl_nvm, data, "dmrl", 64);
		return give(w, c);
	case 0x10: case 0x11: case 0x12: case 0x13:
		if (nvp_sim_has_ns_management(w))
			return identify_allocated(w, c, data, cns);
		return no_such_cns(w, c);
	case 0x17:
		if (!w->profile->ocp)
			return no_such_cns(w, c);
		nvp_ocp_fill_uuid_list(w, data);
		return give(w, c);
	case 0x1c:
		return identify_command_sets(w, c, data);
	default:
		return no_such_cns(w, c);
	}
}
