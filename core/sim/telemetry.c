// SPDX-License-Identifier: GPL-2.0-or-later
// Telemetry logs (NVMe Base 2.0, 5.16.1.8, 5.16.1.9): captures of the host and of the controller.

#include "core/sim/logs.h"

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/sim/commands.h"
#include "core/sim/persistent_event.h"

#define BLOCK_BYTES 512
#define AREA_1_LAST 2
#define AREA_2_LAST 4
#define AREA_3_LAST 6
#define CREATE 1	/* of the Log Specific Field: Create Telemetry Host-Initiated Data */

_Static_assert((AREA_3_LAST + 1) * BLOCK_BYTES == NVP_TELEMETRY_BYTES, "header and three areas");

/* The data are made from these, so that they outlive power as the numbers do. */
struct capture {
	uint8_t there, generation;		/* of the host's */
	uint8_t controller_there;		/* a capture of the controller has been made */
	uint8_t available;			/* .. and no host has acknowledged it */
	uint8_t controller_generation;
};

static void load(const struct nvp_sim *w, struct capture *capture)
{
	nvp_nv_load(w, NVP_NV_TELEMETRY, capture, sizeof(*capture));
}

static void commit(struct nvp_sim *w, const struct capture *capture)
{
	nvp_nv_commit(w, NVP_NV_TELEMETRY, capture, sizeof(*capture));
}

bool nvp_sim_has_telemetry(const struct nvp_sim *w)
{
	return w->profile->optional_commands;
}

static void record(struct nvp_sim *w, uint8_t lid)
{
	uint8_t header[BLOCK_BYTES] = { 0 };

	nvp_telemetry_header(w, lid, header);
	nvp_pel_telemetry(w, header);
}

void nvp_telemetry_asked(struct nvp_sim *w, uint8_t lid, uint8_t lsp)
{
	struct capture capture;

	if (lid != NVP_LOG_TELEMETRY_HOST || !(lsp & CREATE))
		return;
	load(w, &capture);
	capture.there = true;
	if (!nvp_defect(w, NVP_HOOK_TEL_GENERATION))
		capture.generation++;	/* FFh is followed by 0 */
	commit(w, &capture);
	record(w, lid);
}

static void notify(struct nvp_sim *w)
{
	if (nvp_feature_value(w, NVP_FID_EVENTS) & NVP_EVENTS_TELEMETRY &&
	    !nvp_defect(w, NVP_HOOK_TEL_NOTICE_MISSING))
		nvp_event_occurred(w, NVP_EVENT_NOTICE,
				   nvp_defect(w, NVP_HOOK_TEL_NOTICE_INFO) ? 0x00 : 0x02,
				   NVP_LOG_TELEMETRY_CONTROLLER);
}

/* What was captured stays until a host has acknowledged it; only then there is a next capture. */
void nvp_telemetry_media_error(struct nvp_sim *w)
{
	struct capture capture;

	if (!nvp_sim_has_telemetry(w))
		return;
	load(w, &capture);
	if (capture.available && !nvp_defect(w, NVP_HOOK_TEL_REPLACED))
		return;
	capture.controller_there = true;
	capture.available = true;
	if (!nvp_defect(w, NVP_HOOK_TEL_CONTROLLER_GENERATION))
		capture.controller_generation++;
	commit(w, &capture);
	record(w, NVP_LOG_TELEMETRY_CONTROLLER);
	notify(w);
}

void nvp_telemetry_read(struct nvp_sim *w, bool retain)
{
	struct capture capture;

	load(w, &capture);
	if (!capture.available || nvp_defect(w, NVP_HOOK_TEL_AVAILABLE_STUCK) ||
	    (retain && !nvp_defect(w, NVP_HOOK_TEL_RAE)))
		return;
	capture.available = false;
	commit(w, &capture);
}

void nvp_telemetry_power_on(struct nvp_sim *w)
{
	struct capture capture;

	if (!nvp_defect(w, NVP_HOOK_TEL_AVAILABLE_LOST) &&
	    !nvp_defect(w, NVP_HOOK_TEL_DATA_LOST))
		return;
	load(w, &capture);
	if (nvp_defect(w, NVP_HOOK_TEL_AVAILABLE_LOST))
		capture.available = false;
	else
		capture.controller_there = false;
	commit(w, &capture);
}

uint32_t nvp_telemetry_controller_bytes(const struct nvp_sim *w)
{
	struct capture capture;

	load(w, &capture);
	return capture.controller_there ? NVP_TELEMETRY_BYTES : BLOCK_BYTES;
}

bool nvp_telemetry_bad_offset(const struct nvp_sim *w, uint8_t lid, uint64_t offset)
{
	return (lid == NVP_LOG_TELEMETRY_HOST || lid == NVP_LOG_TELEMETRY_CONTROLLER) &&
	       offset % BLOCK_BYTES && !nvp_defect(w, NVP_HOOK_TEL_OFFSET_OK);
}

static void put_areas(const struct nvp_sim *w, uint8_t *data)
{
	nvp_put_le16(data + 8, AREA_1_LAST);
	nvp_put_le16(data + 10, nvp_defect(w, NVP_HOOK_TEL_AREAS) ? AREA_1_LAST - 1 : AREA_2_LAST);
	nvp_put_le16(data + 12, AREA_3_LAST);
}

/* Bytes 383:382, of the controller's capture, stand in both logs. */
void nvp_telemetry_header(const struct nvp_sim *w, uint8_t lid, uint8_t *data)
{
	bool host = lid == NVP_LOG_TELEMETRY_HOST;
	struct capture capture;

	load(w, &capture);
	data[0] = lid;
	if (nvp_defect(w, NVP_HOOK_TEL_LID))
		data[0] = 0;
	nvp_put_le16(data + 5, NVP_SIM_OUI & 0xffff);
	data[7] = NVP_SIM_OUI >> 16;
	if (host ? capture.there :
		   capture.controller_there && !nvp_defect(w, NVP_HOOK_TEL_EMPTY))
		put_areas(w, data);
	if (host)
		data[381] = capture.generation;
	data[382] = capture.available && !nvp_defect(w, NVP_HOOK_TEL_AVAILABLE_NEVER);
	data[383] = capture.controller_generation;
	if (host && nvp_defect(w, NVP_HOOK_TEL_HEADERS_DIFFER))
		data[382] = !data[382];
}

static void put_data(struct nvp_sim *w, uint8_t *data, uint64_t capture)
{
	uint64_t key = nvp_rand(0, "telemetry", capture, 0);

	if (nvp_defect(w, NVP_HOOK_TEL_MOVES))
		key = nvp_rand(nvp_sim_now(w), "telemetry moves", 0, 0);
	nvp_rand_fill(data + BLOCK_BYTES, AREA_3_LAST * BLOCK_BYTES, key);
}

void nvp_log_fill_telemetry_host(struct nvp_sim *w, uint8_t *data)
{
	struct capture capture;

	load(w, &capture);
	nvp_telemetry_header(w, NVP_LOG_TELEMETRY_HOST, data);
	if (capture.there)
		put_data(w, data, capture.generation);
}

void nvp_log_fill_telemetry_controller(struct nvp_sim *w, uint8_t *data)
{
	struct capture capture;

	load(w, &capture);
	nvp_telemetry_header(w, NVP_LOG_TELEMETRY_CONTROLLER, data);
	if (capture.controller_there)
		put_data(w, data, 0x100u + capture.controller_generation);
}
