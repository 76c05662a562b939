// SPDX-License-Identifier: GPL-2.0-or-later
// Admin commands: which there are, and the checks that several share.

#include "core/sim/commands.h"

#include "core/base/bits.h"
#include "core/sim/manage.h"
#include "core/sim/erase.h"

static const struct nvp_sim_command admin_commands[] = {
	{ NVP_ADMIN_DELETE_SQ, NULL, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_CREATE_SQ, NULL, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_GET_LOG_PAGE, nvp_sim_get_log, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_DELETE_CQ, NULL, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_CREATE_CQ, NULL, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_IDENTIFY, nvp_sim_identify, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_ABORT, nvp_sim_abort, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_SET_FEATURES, nvp_sim_set_features,
	  NVP_EFFECT_SCOPE_CONTROLLER | NVP_EFFECT_SCOPE_NS, false },
	{ NVP_ADMIN_GET_FEATURES, nvp_sim_get_features,
	  NVP_EFFECT_SCOPE_CONTROLLER | NVP_EFFECT_SCOPE_NS, false },
	{ NVP_ADMIN_ASYNC_EVENT, nvp_sim_async_event, NVP_EFFECT_SCOPE_CONTROLLER, false },
	{ NVP_ADMIN_FIRMWARE_COMMIT, nvp_sim_firmware_commit, NVP_EFFECT_SCOPE_CONTROLLER, true },
	{ NVP_ADMIN_SELF_TEST, nvp_sim_self_test, NVP_EFFECT_SCOPE_CONTROLLER, true },
	{ NVP_ADMIN_FIRMWARE_DOWNLOAD, nvp_sim_firmware_download, NVP_EFFECT_SCOPE_CONTROLLER,
	  true },
	{ NVP_ADMIN_SANITIZE, nvp_sim_sanitize,
	  NVP_EFFECT_SCOPE_SUBSYSTEM | NVP_EFFECT_LBCC | NVP_EFFECT_CSE_ALL, true },
	{ NVP_ADMIN_FORMAT, nvp_sim_format_nvm,
	  NVP_EFFECT_SCOPE_NS | NVP_EFFECT_LBCC | NVP_EFFECT_NCC | NVP_EFFECT_CSE_NS, true },
	{ NVP_ADMIN_NS_MANAGEMENT, nvp_sim_ns_management,
	  NVP_EFFECT_NIC | NVP_EFFECT_SCOPE_NS, true },
	{ NVP_ADMIN_NS_ATTACHMENT, nvp_sim_ns_attachment,
	  NVP_EFFECT_NIC | NVP_EFFECT_SCOPE_NS, true },
};

const struct nvp_sim_command *nvp_admin_command(const struct nvp_sim *w, uint8_t opcode)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(admin_commands); i++) {
		const struct nvp_sim_command *row = &admin_commands[i];

		if (!nvp_sim_has_ns_management(w) && (opcode == NVP_ADMIN_NS_MANAGEMENT ||
						      opcode == NVP_ADMIN_NS_ATTACHMENT))
			return NULL;
		if (row->opcode == opcode)
			return row->optional && !w->profile->optional_commands ? NULL : row;
	}
	return NULL;
}

enum nvp_step nvp_commands_admin(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	const struct nvp_sim_command *row = nvp_admin_command(w, c->opcode);

	if (row && nvp_sanitize_refuses(w, c))
		return NVP_STEP_COMPLETE;
	if (row && row->check)
		return row->check(w, c);
	if (nvp_defect(w, NVP_HOOK_ADM_OPCODE_OK))
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_ADM_OPCODE_STATUS))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 0, 0);
	return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_OPCODE, 0, 0);
}

bool nvp_sim_above_mdts(const struct nvp_sim *w, uint64_t bytes)
{
	if (!w->profile->mdts || nvp_defect(w, NVP_HOOK_ADM_MDTS_UNCHECKED))
		return false;
	return bytes > (uint64_t)NVP_SIM_PAGE_BYTES << w->profile->mdts;
}

bool nvp_sim_nsid_valid(const struct nvp_sim *w, uint32_t nsid)
{
	return nsid >= 1 && nsid <= w->profile->max_namespaces;
}

bool nvp_sim_take_ns(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->ns = nvp_sim_ns(w, c->nsid);
	if (c->ns)
		return true;
	if (nvp_sim_nsid_valid(w, c->nsid))
		nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 1, 0);
	else
		nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT, 1, 0);
	return false;
}
