// SPDX-License-Identifier: GPL-2.0-or-later
// Telemetry logs (NVMe Base 2.0, 5.16.1.8 and 5.16.1.9): a capture that the host asks for.

#include "core/sim/logs.h"

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/sim/hooks.h"

#define BLOCK_BYTES 512
#define AREA_1_LAST 2
#define AREA_2_LAST 4
#define AREA_3_LAST 6
#define CREATE 1	/* of the Log Specific Field: Create Telemetry Host-Initiated Data */

_Static_assert((AREA_3_LAST + 1) * BLOCK_BYTES == NVP_TELEMETRY_BYTES, "header and three areas");

/* The data are made from these, so that they outlive power as the number does. */
struct capture {
	uint8_t there, generation;
};

void nvp_telemetry_asked(struct nvp_sim *w, uint8_t lid, uint8_t lsp)
{
	struct capture capture;

	if (lid != NVP_LOG_TELEMETRY_HOST || !(lsp & CREATE))
		return;
	nvp_nv_load(w, NVP_NV_TELEMETRY, &capture, sizeof(capture));
	capture.there = true;
	if (!nvp_defect(w, NVP_HOOK_TEL_GENERATION))
		capture.generation++;	/* FFh is followed by 0 */
	nvp_nv_commit(w, NVP_NV_TELEMETRY, &capture, sizeof(capture));
}

bool nvp_telemetry_bad_offset(const struct nvp_sim *w, uint8_t lid, uint64_t offset)
{
	return (lid == NVP_LOG_TELEMETRY_HOST || lid == NVP_LOG_TELEMETRY_CONTROLLER) &&
	       offset % BLOCK_BYTES && !nvp_defect(w, NVP_HOOK_TEL_OFFSET_OK);
}

static void put_header(const struct nvp_sim *w, uint8_t *data, uint8_t lid)
{
	data[0] = lid;
	if (nvp_defect(w, NVP_HOOK_TEL_LID))
		data[0] = 0;
	nvp_put_le16(data + 5, NVP_SIM_OUI & 0xffff);
	data[7] = NVP_SIM_OUI >> 16;
}

void nvp_log_fill_telemetry_host(struct nvp_sim *w, uint8_t *data)
{
	struct capture capture;
	uint64_t key;

	nvp_nv_load(w, NVP_NV_TELEMETRY, &capture, sizeof(capture));
	put_header(w, data, NVP_LOG_TELEMETRY_HOST);
	data[381] = capture.generation;
	if (!capture.there)
		return;
	nvp_put_le16(data + 8, AREA_1_LAST);
	nvp_put_le16(data + 10, nvp_defect(w, NVP_HOOK_TEL_AREAS) ? AREA_1_LAST - 1 : AREA_2_LAST);
	nvp_put_le16(data + 12, AREA_3_LAST);
	key = nvp_rand(nvp_sim_now(w), "telemetry moves", 0, 0);
	if (!nvp_defect(w, NVP_HOOK_TEL_MOVES))
		key = nvp_rand(0, "telemetry", capture.generation, 0);
	nvp_rand_fill(data + BLOCK_BYTES, AREA_3_LAST * BLOCK_BYTES, key);
}

/* Nothing has happened that the controller would have captured by itself: no data available. */
void nvp_log_fill_telemetry_controller(struct nvp_sim *w, uint8_t *data)
{
	put_header(w, data, NVP_LOG_TELEMETRY_CONTROLLER);
}
