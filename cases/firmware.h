/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps that the firmware cases share: slots, download in pieces, commit, and the way back. */
#ifndef NVP_CASES_FIRMWARE_H
#define NVP_CASES_FIRMWARE_H

#include "cases/common.h"

#define CASE_IMAGE_BYTES 65536u

enum case_commit { CASE_STORE = 0, CASE_STORE_ACTIVATE = 1, CASE_ACTIVATE = 2, CASE_ACTIVATE_NOW = 3 };

#define CASE_FIRMWARE_SLOT NVP_ANY({ NVP_SCT_COMMAND, 0x06 })
#define CASE_FIRMWARE_IMAGE NVP_ANY({ NVP_SCT_COMMAND, 0x07 })

/* Firmware Commit and Firmware Image Download are there (OACS bit 2). */
static inline bool case_has_firmware(struct nvp_t *t)
{
	if (nvp_t_facts(t)->ctrl.oacs & 1 << 2)
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the drive has no firmware commands (OACS bit 2)");
	return false;
}

static inline unsigned case_firmware_slots(struct nvp_t *t)
{
	return nvp_t_facts(t)->ctrl.frmw >> 1 & 7;
}

static inline bool case_firmware_log(struct nvp_t *t, struct nvp_firmware_slots *slots)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);

	if (!buf || !case_log(t, 0x03, 512, buf))
		return false;
	nvp_decode_firmware_slots(nvp_buf_data(buf), 512, slots);
	return true;
}

/* Firmware Revision of Identify Controller, as of now. */
static inline bool case_firmware_revision(struct nvp_t *t, char revision[9])
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_id_ctrl ctrl;
	struct nvp_cpl cpl;

	if (!buf || !case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_id_ctrl(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &ctrl);
	memcpy(revision, ctrl.fr, 9);
	return true;
}

/* A slot that can be written without touching the image that runs; false: the case has ended. */
static inline bool case_firmware_spare_slot(struct nvp_t *t, struct nvp_firmware_slots *log,
					    unsigned *spare)
{
	unsigned first = nvp_t_facts(t)->ctrl.frmw & 1 ? 2 : 1;

	if (!case_firmware_log(t, log))
		return false;
	for (*spare = first; *spare <= case_firmware_slots(t); ++*spare)
		if (*spare != log->active_slot)
			return true;
	nvp_skip_at(t, __FILE__, __LINE__, "no slot can be written beside the one in use");
	return false;
}

/* The unit of FWUG, in bytes; one memory page where the drive has no rule, or none is known. */
static inline uint32_t case_firmware_granule(struct nvp_t *t)
{
	uint8_t fwug = nvp_t_facts(t)->ctrl.fwug;

	return fwug && fwug != 0xff ? fwug * 4096u : 4096u;
}

/* One piece of the image, at its own place; whatever the drive answers. */
static inline bool case_firmware_piece(struct nvp_t *t, struct nvp_buf *image, uint32_t offset,
				       uint32_t bytes, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_firmware_download(bytes, offset), image);

	cmd.data_offset = offset;
	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* Pieces from first up to end (bytes); each has to be taken. */
static inline bool case_firmware_download(struct nvp_t *t, struct nvp_buf *image, uint32_t first,
					  uint32_t end)
{
	uint32_t granule = case_firmware_granule(t);
	struct nvp_cpl cpl;

	for (uint32_t at = first; at < end; at += granule) {
		uint32_t bytes = end - at < granule ? end - at : granule;

		if (!case_firmware_piece(t, image, at, bytes, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return false;
	}
	return true;
}

static inline bool case_firmware_commit(struct nvp_t *t, enum case_commit action, unsigned slot,
					struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_firmware_commit((uint8_t)action, (uint8_t)slot, false);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* Deferred: the slot that ran before runs again. */
static inline void case_firmware_give_back(struct nvp_t *t, void *kept)
{
	struct nvp_firmware_slots before;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	memcpy(&before, nvp_buf_data(kept), sizeof(before));
	cmd = nvp_build_firmware_commit(CASE_ACTIVATE, before.active_slot, false);
	(void)nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl);
	(void)nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER);
}

/* At the end of the case the slot that is active in this log is active again. */
static inline bool case_firmware_at_end(struct nvp_t *t, const struct nvp_firmware_slots *before)
{
	struct nvp_buf *kept = nvp_t_buf(t, sizeof(*before));

	if (!kept)
		return false;
	memcpy(nvp_buf_data(kept), before, sizeof(*before));
	nvp_defer(t, case_firmware_give_back, kept);
	return true;
}

/* All of a good image into a spare slot, by this action; it has to succeed. */
static inline bool case_firmware_store(struct nvp_t *t, struct nvp_buf *image,
				       enum case_commit action, unsigned slot)
{
	struct nvp_cpl cpl;

	return case_firmware_download(t, image, 0, (uint32_t)nvp_buf_bytes(image)) &&
	       case_firmware_commit(t, action, slot, &cpl) && CASE_SUCCEEDS(t, &cpl);
}

#endif
