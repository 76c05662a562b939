// SPDX-License-Identifier: GPL-2.0-or-later
// What a case changes, it gives back: deferred functions, changed features, replay after a crash.

#include <nvproof/check.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/run/ctx.h"

#define FID_TEMPERATURE_THRESHOLD 0x04
#define FID_INTERRUPT_VECTOR 0x09
#define FID_PREDICTABLE_LATENCY 0x13
#define SELECT_CURRENT 0

/* ---- the stack ---- */

static struct nvp_deferred *push(struct nvp_t *t)
{
	size_t room = t->room_deferred ? t->room_deferred * 2 : 8;
	struct nvp_deferred *grown;

	if (t->nr_deferred == t->room_deferred) {
		grown = realloc(t->deferred, room * sizeof(*grown));
		if (!grown) {
			nvp_t_decide(t, NVP_BROKEN, "", "no memory to note what is to be undone");
			t->ended = true;
			return NULL;
		}
		t->deferred = grown;
		t->room_deferred = room;
	}
	t->deferred[t->nr_deferred] = (struct nvp_deferred){ 0 };
	return &t->deferred[t->nr_deferred++];
}

void nvp_defer(struct nvp_t *t, void (*undo)(struct nvp_t *t, void *context), void *context)
{
	struct nvp_deferred *d = push(t);

	if (!d) {	/* it cannot wait for the end of the case */
		undo(t, context);
		return;
	}
	d->function = undo;
	d->context = context;
}

/*
 * Give back now. Off the baseline this may have to wait until the boundary has reset the drive;
 * the undo then stays open, and the boundary replays what is open.
 */
static void replay_now(struct nvp_t *t, const struct nvp_undo *undo)
{
	char text[200];

	if (!nvp_at_baseline(t->rig.drive))
		return;
	if (!nvp_undo_replay(t->rig.drive, undo, text, sizeof(text)))
		t->out->undone(t->out->context, nvp_t_now_ns(t), undo, true, NULL);
}

void nvp_t_unwind(struct nvp_t *t)
{
	while (t->nr_deferred > 0) {
		struct nvp_deferred d = t->deferred[--t->nr_deferred];

		if (d.function)
			d.function(t, d.context);
		else
			replay_now(t, &d.undo);
	}
}

/* ---- features ---- */

uint32_t nvp_feature_selector(uint8_t fid)
{
	switch (fid) {
	case FID_TEMPERATURE_THRESHOLD:
		return 0x003f0000;	/* TMPSEL 19:16, THSEL 21:20 (NVMe Base 2.0, 5.27.1.3) */
	case FID_INTERRUPT_VECTOR:
	case FID_PREDICTABLE_LATENCY:
		return 0x0000ffff;	/* IV (5.27.1.7); NVM Set Identifier (5.27.1.14) */
	default:
		return 0;
	}
}

uint32_t nvp_feature_restore_dw11(uint8_t fid, uint32_t selector, uint32_t value)
{
	uint32_t mask = nvp_feature_selector(fid);

	return (value & ~mask) | (selector & mask);
}

/* Is the value there already? The drive may have refused the change, and then its way back too. */
static bool value_is_back(struct nvp_drive *drive, const struct nvp_sqe *set)
{
	uint8_t fid = (uint8_t)nvp_sqe_dw(set, 10);
	uint32_t mask = nvp_feature_selector(fid), value = nvp_sqe_dw(set, 11);
	struct nvp_cmd get = nvp_build_get_features(fid, nvp_sqe_dw(set, 1), SELECT_CURRENT,
						    value & mask);
	struct nvp_cpl cpl;

	return nvp_sqe_opcode(set) == NVP_ADMIN_SET_FEATURES &&
	       nvp_exec_admin(drive, &get, &cpl) == 0 && nvp_cpl_ok(&cpl) &&
	       (cpl.dw0 & ~mask) == (value & ~mask);
}

/* ---- formats ---- */

/*
 * What Identify says can be asked for only if DPC offers it and the metadata has room for it
 * (NVM Command Set 1.0, 4.1.5.1): a drive that claims more would refuse its own setting.
 */
struct nvp_cmd nvp_format_of(uint32_t nsid, const struct nvp_id_ns *id)
{
	unsigned type = id->dps & 7;

	if (type > 3 || id->metadata_bytes < 8 || !(id->dpc << 1 >> type & 1))
		type = 0;
	return nvp_build_format(nsid, (uint8_t)id->format_index, nvp_bit(id->flbas, 4),
				(uint8_t)type, type && nvp_bit(id->dps, 3), 0);
}

/* 1: it is in *id; 0: the drive refused; or a negative errno. */
static int identify_ns(struct nvp_drive *drive, uint32_t nsid, struct nvp_id_ns *id)
{
	struct nvp_cmd cmd = nvp_build_identify(0, nsid, 0, 0, 0);
	struct nvp_cpl cpl;
	int rc;

	cmd.data = nvp_buf_new(drive, NVP_IDENTIFY_BYTES);
	if (!cmd.data)
		return -ENOMEM;
	rc = nvp_exec_admin(drive, &cmd, &cpl);
	if (rc >= 0) {
		rc = nvp_cpl_ok(&cpl);
		nvp_decode_id_ns(nvp_buf_data(cmd.data), NVP_IDENTIFY_BYTES, id);
	}
	nvp_buf_free(cmd.data);
	return rc;
}

static bool format_is_back(struct nvp_drive *drive, const struct nvp_sqe *format)
{
	struct nvp_id_ns id;
	struct nvp_cmd now;

	if (identify_ns(drive, nvp_sqe_dw(format, 1), &id) != 1)
		return false;
	now = nvp_format_of(nvp_sqe_dw(format, 1), &id);
	return nvp_sqe_dw(&now.sqe, 10) == nvp_sqe_dw(format, 10);
}

/* The namespace was deleted by the case itself (NVMe Base 2.0, 5.23: not valid, or not there). */
static bool namespace_is_gone(const struct nvp_sqe *sqe, const struct nvp_cpl *cpl)
{
	return nvp_sqe_opcode(sqe) == NVP_ADMIN_NS_MANAGEMENT && (nvp_sqe_dw(sqe, 10) & 0xf) == 1 &&
	       (nvp_status_is(&cpl->status, NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT) ||
		nvp_status_is(&cpl->status, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD));
}

int nvp_undo_replay(struct nvp_drive *drive, const struct nvp_undo *undo, char *text,
		    size_t bytes)
{
	bool format = nvp_sqe_opcode(&undo->sqe) == NVP_ADMIN_FORMAT;
	struct nvp_cmd cmd = { .sqe = undo->sqe,
			       .time_class = format ? NVP_TIME_FORMAT : NVP_TIME_DEFAULT };
	char status[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl;
	int rc;

	/* A format destroys what is there: only where it is needed. */
	if (format && format_is_back(drive, &undo->sqe))
		return 0;
	rc = nvp_exec_admin(drive, &cmd, &cpl);
	if (rc < 0) {
		nvp_err_text(nvp_drive_err(drive), text, bytes);
		return rc;
	}
	if (nvp_cpl_ok(&cpl) || namespace_is_gone(&undo->sqe, &cpl) ||
	    value_is_back(drive, &undo->sqe))
		return 0;
	snprintf(text, bytes, "%s", nvp_status_text(&cpl.status, status));
	return -EPROTO;
}

/* What gives back is in the event log before anything is changed. False when the case ended. */
static bool note(struct nvp_t *t, struct nvp_undo *undo)
{
	struct nvp_deferred *d = push(t);

	if (!d)
		return false;
	if (t->out->undo(t->out->context, nvp_t_now_ns(t), undo)) {
		t->nr_deferred--;
		nvp_broken_at(t, __FILE__, __LINE__,
			      "%s could not be recorded, so nothing was changed", undo->what);
		return false;
	}
	d->undo = *undo;
	return true;
}

/* The value now, for the undo. False when the case ended. */
static bool current_value(struct nvp_t *t, uint8_t fid, uint32_t nsid, uint32_t dw11,
			  uint32_t *value)
{
	struct nvp_cmd get = nvp_build_get_features(fid, nsid, SELECT_CURRENT,
						    dw11 & nvp_feature_selector(fid));
	char status[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl;
	int rc = nvp_exec_admin(t->rig.drive, &get, &cpl);

	if (!nvp_done_at(t, __FILE__, __LINE__, rc, "nvp_change_feature"))
		return false;
	/* The drive's own answer, and whether it may give it is for another case: nothing broke. */
	if (!nvp_cpl_ok(&cpl)) {
		nvp_skip_at(t, __FILE__, __LINE__,
			    "feature %02Xh cannot be read, so it is not changed: %s", fid,
			    nvp_status_text(&cpl.status, status));
		return false;
	}
	*value = cpl.dw0;
	return true;
}

bool nvp_undo_command(struct nvp_t *t, const struct nvp_cmd *back, const char *what)
{
	struct nvp_undo undo = { .sqe = back->sqe };

	snprintf(undo.what, sizeof(undo.what), "%s", what);
	return note(t, &undo);
}

bool nvp_change_feature(struct nvp_t *t, uint8_t fid, uint32_t nsid, uint32_t dw11,
			struct nvp_cpl *cpl)
{
	struct nvp_cmd set = nvp_build_set_features(fid, nsid, false, dw11);
	struct nvp_cmd back;
	struct nvp_undo undo;
	uint32_t old;
	int rc;

	if (!current_value(t, fid, nsid, dw11, &old))
		return false;
	back = nvp_build_set_features(fid, nsid, false, nvp_feature_restore_dw11(fid, dw11, old));
	undo.id = 0;
	undo.sqe = back.sqe;
	snprintf(undo.what, sizeof(undo.what), "feature %02Xh (%s), NSID %Xh, back to 0x%x", fid,
		 nvp_feature_name(fid), nsid, old);
	if (!note(t, &undo))
		return false;
	rc = nvp_exec_admin(t->rig.drive, &set, cpl);
	return nvp_done_at(t, __FILE__, __LINE__, rc, "nvp_change_feature");
}

/* FNA bits 0 and 1: a format or an erase of one namespace may be one of all of them. */
bool nvp_note_formats(struct nvp_t *t, uint32_t nsid)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	bool all = nsid == NVP_NSID_ALL || (facts->ctrl.fna & 3);

	for (unsigned i = 0; i < facts->nr_ns; i++) {
		struct nvp_undo undo = { .id = 0 };
		struct nvp_id_ns id;
		int rc;

		if (!all && facts->ns[i].nsid != nsid)
			continue;
		rc = identify_ns(t->rig.drive, facts->ns[i].nsid, &id);
		if (!nvp_done_at(t, __FILE__, __LINE__, rc, "nvp_note_formats"))
			return false;
		if (!rc) {
			nvp_broken_at(t, __FILE__, __LINE__,
				      "namespace %u cannot be identified, so it is not formatted",
				      facts->ns[i].nsid);
			return false;
		}
		undo.sqe = nvp_format_of(facts->ns[i].nsid, &id).sqe;
		snprintf(undo.what, sizeof(undo.what), "namespace %u back to LBA format %u",
			 facts->ns[i].nsid, id.format_index);
		if (!note(t, &undo))
			return false;
	}
	return true;
}

bool nvp_change_format(struct nvp_t *t, const struct nvp_cmd *format, struct nvp_cpl *cpl)
{
	if (!nvp_note_formats(t, nvp_sqe_dw(&format->sqe, 1)))
		return false;
	return nvp_done_at(t, __FILE__, __LINE__, nvp_exec_admin(t->rig.drive, format, cpl),
			   "nvp_change_format");
}
