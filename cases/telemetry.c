// SPDX-License-Identifier: GPL-2.0-or-later
// Telemetry logs: the capture that the host asks for, its parts, its offsets.

#include "cases/capture.h"

#define BLOCK_BYTES 512u
#define MOST_BLOCKS 256u	/* a capture can be many megabytes; its first part shows the rule */

/* One piece of a telemetry log, its events kept; whatever the drive answers. */
static bool read_piece(struct nvp_t *t, uint8_t lid, bool create, uint64_t offset, uint32_t bytes,
		       struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_get_log(lid, NVP_NSID_ALL, bytes, offset,
							      true, create), buf);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

static unsigned le16_at(struct nvp_buf *buf, unsigned at)
{
	const uint8_t *data = nvp_buf_data(buf);

	return data[at] | (unsigned)data[at + 1] << 8;
}

/* The header; area_3 is the last block of data area 3. False: the case has ended, or skips. */
static bool header(struct nvp_t *t, uint8_t lid, bool create, struct nvp_buf *buf, unsigned *area_3)
{
	struct nvp_cpl cpl;
	unsigned area_1, area_2;

	if (!(nvp_t_facts(t)->ctrl.lpa & 1 << 3)) {
		nvp_skip_at(t, __FILE__, __LINE__, "no telemetry (LPA bit 3)");
		return false;
	}
	if (!read_piece(t, lid, create, 0, BLOCK_BYTES, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	area_1 = le16_at(buf, 8);
	area_2 = le16_at(buf, 10);
	*area_3 = le16_at(buf, 12);
	nvp_check(t, nvp_buf_data(buf)[0] == lid, "the header of log %02Xh begins with %02Xh", lid,
		  nvp_buf_data(buf)[0]);
	nvp_check(t, area_1 <= area_2 && area_2 <= *area_3,
		  "last blocks of the data areas of log %02Xh: %u, %u, %u", lid, area_1, area_2,
		  *area_3);
	return true;
}

/* TEL-01. The number is of version 2.0; before it the byte was reserved. */
static void each_capture_has_the_next_generation(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, BLOCK_BYTES);
	uint8_t first, second;
	unsigned area_3;

	if (!buf || !header(t, 0x08, false, buf, &area_3) || !header(t, 0x07, true, buf, &area_3))
		return;
	first = nvp_buf_data(buf)[381];
	if (!header(t, 0x07, true, buf, &area_3))
		return;
	second = nvp_buf_data(buf)[381];
	nvp_check(t, second == (uint8_t)(first + 1), "generation %u, after one more capture %u",
		  first, second);
}

/* TEL-02. Without the create bit the same bytes are there, whatever the pieces. */
static void pieces_are_of_one_capture(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, BLOCK_BYTES), *large = nvp_t_buf(t, 4096);
	struct nvp_cpl cpl;
	unsigned area_3, nr, last;

	if (!buf || !large || !header(t, 0x07, true, buf, &area_3))
		return;
	last = area_3 < MOST_BLOCKS ? area_3 : MOST_BLOCKS;
	for (unsigned block = 1; block <= last; block += nr) {
		nr = last + 1 - block < 8 ? last + 1 - block : 8;
		if (!read_piece(t, 0x07, false, (uint64_t)block * BLOCK_BYTES, nr * BLOCK_BYTES,
				large, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		for (unsigned i = 0; i < nr; i++) {
			if (!read_piece(t, 0x07, false, (uint64_t)(block + i) * BLOCK_BYTES,
					BLOCK_BYTES, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
				return;
			nvp_check_bytes(t, nvp_buf_data(buf), nvp_buf_data(large) + i * BLOCK_BYTES,
					BLOCK_BYTES);
		}
	}
	if (!last)
		nvp_skip(t, "the capture has no data in areas 1 to 3");
}

/* TEL-03. Blocks of 512 bytes are the unit: an offset inside one is refused. */
static void offset_inside_a_block_is_refused(struct nvp_t *t)
{
	static const uint16_t offsets[] = { 4, 256, 516 };
	struct nvp_buf *buf = nvp_t_buf(t, BLOCK_BYTES);
	struct nvp_cpl cpl;
	unsigned area_3;

	if (!buf || !header(t, 0x07, true, buf, &area_3))
		return;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		if (!read_piece(t, 0x07, false, offsets[i], BLOCK_BYTES, buf, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * TEL-04. A capture of the controller has the next generation number, both logs say that it is
 * there, and it waits until its log is read with RAE cleared to 0: reads that retain the event
 * change nothing, and nothing takes its place.
 */
static void captures_wait_to_be_read(struct nvp_t *t)
{
	struct capture before, made, host, later;
	struct case_written w;

	if (!capture_made(t, &w, &before, &made))
		return;
	nvp_check(t, made.available, "generation %u after %u, and no data available",
		  made.generation, before.generation);
	nvp_check(t, made.generation == (uint8_t)(before.generation + 1),
		  "generation %u, after one more capture %u", before.generation, made.generation);
	nvp_check(t, made.last_block, "a capture without data");
	if (!capture_state(t, 0x07, true, &host))
		return;
	nvp_check(t, host.available == made.available && host.generation == made.generation,
		  "log 08h: available %u, generation %u; log 07h: %u, %u", made.available,
		  made.generation, host.available, host.generation);
	if (!capture_cause(t, &w) || !capture_state(t, CAPTURE_LID, true, &later))
		return;
	nvp_check(t, later.available, "a read with RAE set to 1 acknowledged the capture");
	nvp_check(t, later.generation == made.generation,
		  "generation %u was replaced by %u before it was read", made.generation,
		  later.generation);
	capture_acknowledge(t, &later);
}

/* TEL-04. The event of a capture is the notice Telemetry Log Changed, about log 08h. */
static void capture_is_announced(struct nvp_t *t)
{
	struct capture before, made;
	struct case_written w;
	struct nvp_cpl cpl;
	uint32_t aec;
	bool came;

	nvp_defer(t, case_reset_at_end, NULL);
	if (!case_feature_value(t, 0x0b, 0, &aec) ||
	    !nvp_change_feature(t, 0x0b, 0, aec | CAPTURE_EVENT, &cpl))
		return;
	if (!nvp_cpl_ok(&cpl))
		nvp_skip(t, "the drive refuses Telemetry Log Notices (feature 0Bh bit 10)");
	if (!case_post_event_request(t) || !capture_made(t, &w, &before, &made) ||
	    !case_next_event(t, nvp_drive_budget_ns(nvp_t_drive(t), NVP_TIME_ADMIN), &came, &cpl))
		return;
	nvp_require(t, came, "generation %u became %u, and no event came", before.generation,
		    made.generation);
	CASE_OK(t, &cpl);
	nvp_check_eq(t, cpl.dw0, 0x00080202);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "telemetry.each-capture-has-the-next-generation",
		.title = "A host-initiated capture has ordered data areas and the next generation "
			 "number",
		.spec = { "NVMe Base", "2.0", "5.16.1.8", "Data Generation Number" },
		.rows = NVP_LIST("TEL-01"),
		.since = NVP_VERSION(2, 0, 0),
		.needs = NVP_NEED_LOG_OFFSET,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("telemetry-header-wrong", "telemetry-areas-going-down",
				    "telemetry-generation-stuck"),
		.run = each_capture_has_the_next_generation,
	}, {
		NVP_CASE,
		.id = "telemetry.pieces-are-of-one-capture",
		.title = "Telemetry data read in pieces of 4096 and of 512 bytes are the same",
		.spec = { "NVMe Base", "2.0", "5.16.1.8", "Create Telemetry Host-Initiated Data" },
		.rows = NVP_LIST("TEL-02"),
		.needs = NVP_NEED_LOG_OFFSET,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("telemetry-changes-when-read", "log-lpo-ignored"),
		.run = pieces_are_of_one_capture,
	}, {
		NVP_CASE,
		.id = "telemetry.offset-inside-a-block-is-refused",
		.title = "An offset into telemetry that is no multiple of 512 is refused",
		.spec = { "NVMe Base", "2.0", "5.16.1.8", "Log Page Offset Lower" },
		.rows = NVP_LIST("TEL-03"),
		.needs = NVP_NEED_LOG_OFFSET,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("telemetry-offset-unaligned-accepted"),
		.run = offset_inside_a_block_is_refused,
	}, {
		NVP_CASE,
		.id = "telemetry.captures-wait-to-be-read",
		.title = "A capture of the controller is available until its log is read with RAE "
			 "cleared to 0",
		.spec = { "NVMe Base", "2.0", "5.16.1.9", "Data Available" },
		.rows = NVP_LIST("TEL-04"),
		.needs = CAPTURE_NEEDS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_DATA,
		.catches = NVP_LIST("telemetry-available-never", "telemetry-available-stuck",
				    "telemetry-rae-ignored", "telemetry-headers-differ",
				    "telemetry-controller-generation-stuck",
				    "telemetry-unread-replaced", "telemetry-capture-empty"),
		.run = captures_wait_to_be_read,
	}, {
		NVP_CASE,
		.id = "telemetry.capture-is-announced",
		.title = "A capture of the controller is announced by the notice Telemetry Log "
			 "Changed",
		.spec = { "NVMe Base", "2.0", "5.2.1", "Telemetry Log Changed" },
		.rows = NVP_LIST("TEL-04"),
		.needs = CAPTURE_NEEDS | NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_DATA | NVP_IMPACT_RESET,
		.catches = NVP_LIST("telemetry-notice-missing", "telemetry-notice-wrong"),
		.run = capture_is_announced,
	},
};

NVP_SUITE(telemetry, cases);
