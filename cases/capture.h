/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures that the controller makes: the cause that a host can bring about, and their state. */
#ifndef NVP_CASES_CAPTURE_H
#define NVP_CASES_CAPTURE_H

#include "cases/common.h"

#define CAPTURE_LID 0x08
#define CAPTURE_NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_WRITE_UNCORRECTABLE | \
		       NVP_NEED_NO_METADATA)
#define CAPTURE_EVENT (1u << 10)	/* Telemetry Log Notices, of feature 0Bh */

/* Bytes 383:382 of both telemetry logs are of the controller's capture. */
struct capture {
	bool available;		/* there is one that no host has acknowledged */
	uint8_t generation;
	uint16_t last_block;	/* of data area 3 */
};

static inline bool capture_state(struct nvp_t *t, uint8_t lid, bool retain,
				 struct capture *capture)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_cmd cmd = nvp_build_get_log(lid, NVP_NSID_ALL, 512, 0, retain, 0);
	const uint8_t *b;
	struct nvp_cpl cpl;

	cmd.data = buf;
	if (!buf || !CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) ||
	    !CASE_SUCCEEDS(t, &cpl))
		return false;
	b = nvp_buf_data(buf);
	*capture = (struct capture){ .available = b[382] & 1, .generation = b[383],
				     .last_block = (uint16_t)(b[12] | b[13] << 8) };
	return true;
}

/* A block that cannot be read, until the end of the case. */
static inline bool capture_prepare(struct nvp_t *t, struct case_written *w)
{
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!(nvp_t_facts(t)->ctrl.lpa & 1 << 3)) {
		nvp_skip_at(t, __FILE__, __LINE__, "no telemetry (LPA bit 3)");
		return false;
	}
	if (!case_written_new(t, 4, w) || !case_written_at_end(t, w))
		return false;
	cmd = nvp_build_write_uncorrectable(w->region.nsid, w->region.slba, 0);
	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/* The unrecovered read that the drive may capture; the drive has the time of a command for it. */
static inline bool capture_cause(struct nvp_t *t, struct case_written *w)
{
	struct nvp_cmd cmd = case_transfer(NVP_IO_READ, &w->region, 0, 1, w->seen);
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) &&
	       CASE_TRAVELS(t, nvp_clock_pass(clock, 100 * NVP_NS_PER_MS));
}

/* What was captured counts as read, with RAE cleared to 0; *capture is the state behind it. */
static inline bool capture_acknowledge(struct nvp_t *t, struct capture *capture)
{
	if (!capture_state(t, CAPTURE_LID, false, capture) ||
	    !capture_state(t, CAPTURE_LID, true, capture))
		return false;
	nvp_check(t, !capture->available,
		  "a capture is still to be read after its log was, with RAE cleared to 0");
	return true;
}

/*
 * Nothing unread is there before, *first; then the cause, and *second is what the drive made of it.
 * No drive has to capture this: where it does not the case is skipped.
 */
static inline bool capture_made(struct nvp_t *t, struct case_written *w, struct capture *first,
				struct capture *second)
{
	if (!capture_prepare(t, w) || !capture_acknowledge(t, first))
		return false;
	if (!capture_cause(t, w) || !capture_state(t, CAPTURE_LID, true, second))
		return false;
	if (second->available || second->generation != first->generation)
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the drive captures nothing when a read fails");
	return false;
}

#endif
