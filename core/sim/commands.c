// SPDX-License-Identifier: GPL-2.0-or-later
// Life of the commands part: power-on, reset, and what is counted and logged when a command ends.

#include "core/sim/commands.h"

#include <errno.h>
#include <stdlib.h>

#include "core/base/bits.h"
#include "core/sim/cut.h"
#include "core/sim/manage.h"
#include "core/sim/erase.h"
#include "core/sim/logs.h"

int nvp_commands_power_on(struct nvp_sim *w, struct nvp_err *err)
{
	w->commands = calloc(1, sizeof(*w->commands));
	if (!w->commands || nvp_manage_power_on(w))
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "memory for the simulated drive");
	nvp_features_power_on(w);
	w->commands->warnings_reported = 0;
	nvp_sanitize_power_on(w);
	nvp_telemetry_power_on(w);
	return 0;
}

void nvp_commands_free(struct nvp_sim *w)
{
	if (w->commands)
		nvp_manage_free(w);
	free(w->commands);
	w->commands = NULL;
}

void nvp_commands_reset(struct nvp_sim *w)
{
	bool formats = nvp_engine_formats(w);

	w->commands->nr_aborts = 0;
	w->commands->nr_locks = 0;
	w->commands->queues_allocated = false;
	nvp_namespaces_tidy(w);
	nvp_ns_changes_reset(w);
	nvp_aer_reset(w);
	nvp_errors_reset(w);
	nvp_features_reset(w);
	nvp_manage_reset(w);
	nvp_format_reset(w);
	nvp_sanitize_reset(w);
	nvp_pel_reset(w, formats);
}

/* Bits 15:1 of Dword 3 of the completion entry (3.3.3.2.1). */
static uint16_t status_field(const struct nvp_sim_cmd *c)
{
	return (uint16_t)(c->sc << 1 | c->sct << 9 | c->more << 14 | c->dnr << 15);
}

static void log_error(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	bool about_lba = c->sqid && (c->sct == NVP_SCT_MEDIA || (c->sct == NVP_SCT_GENERIC &&
								  c->sc == NVP_SC_LBA_RANGE));
	struct nvp_sim_error error = {
		.sqid = c->sqid,
		.cid = c->cid,
		.location = c->location_1 ? (uint16_t)(c->location_1 - 1) : 0xffff,
		.lba = about_lba ? c->slba : 0,
		.nsid = c->nsid,
	};

	c->more = true;
	error.status_field = status_field(c);
	if (!nvp_defect(w, NVP_HOOK_CQE_MORE_NO_LOG))
		nvp_error_add(w, &error);
}

/* The command carried out what SMART counts (NVM Command Set 1.0, SMART; Base 2.0 5.16.1.3). */
static void count_io(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	uint64_t lbas = nvp_le16(c->sqe + 48) + 1u;
	uint64_t sectors = c->ns ? lbas << (c->ns->lba_shift - 9) : 0;
	bool good = !c->sct && !c->sc;
	bool miscompare = c->sct == NVP_SCT_MEDIA && c->sc == NVP_SC_COMPARE_FAILURE;

	switch (c->opcode) {
	case NVP_IO_READ:
	case NVP_IO_COMPARE:
		if (!good && !miscompare)
			break;
		nvp_count(w, NVP_COUNT_HOST_READS, 1);
		nvp_count(w, NVP_COUNT_SECTORS_READ, sectors);
		break;
	case NVP_IO_WRITE:
		if (!good)
			break;
		if (!nvp_defect(w, NVP_HOOK_SMART_WRITES))
			nvp_count(w, NVP_COUNT_HOST_WRITES, 1);
		nvp_count(w, NVP_COUNT_SECTORS_WRITTEN, sectors);
		break;
	default:
		break;
	}
}

/* Time with an I/O command outstanding, each instant once. */
static void count_busy(struct nvp_sim *w, const struct nvp_sim_cmd *c)
{
	uint64_t from = nvp_max_u64(c->fetched_ns, w->commands->busy_until_ns);

	if (nvp_sim_now(w) > from)
		nvp_count(w, NVP_COUNT_BUSY_NS, nvp_sim_now(w) - from);
	w->commands->busy_until_ns = nvp_sim_now(w);
}

void nvp_commands_done(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	bool stopped = c->sct == NVP_SCT_GENERIC &&
		       (c->sc == NVP_SC_ABORT_REQUESTED || c->sc == NVP_SC_SQ_DELETION);

	nvp_cut_done(w, c);
	nvp_power_activity(w);
	nvp_aer_done(w, c);
	nvp_abort_done(w, c);
	nvp_format_done(w, c);
	nvp_pel_command_done(w, c);
	if ((c->sct || c->sc) && !stopped)
		log_error(w, c);
	if (c->sqid && c->sct == NVP_SCT_MEDIA && c->sc == NVP_SC_UNRECOVERED_READ)
		nvp_telemetry_media_error(w);
	if (c->sqid) {
		count_io(w, c);
		count_busy(w, c);
	}
}

void nvp_commands_doorbell_error(struct nvp_sim *w, bool no_such_queue, uint16_t qid)
{
	struct nvp_sim_error error = {	/* of no command: the most applicable status (5.16.1.2) */
		.sqid = 0xffff,
		.cid = 0xffff,
		.status_field = no_such_queue ? NVP_SCT_COMMAND << 9 | NVP_SC_QUEUE_ID << 1 :
						NVP_SC_INVALID_FIELD << 1,
		.location = 0xffff,
	};

	(void)qid;
	nvp_error_add(w, &error);
	nvp_event_occurred(w, NVP_EVENT_ERROR, no_such_queue ? 0x00 : 0x01, 0x01);
}
