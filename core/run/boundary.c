// SPDX-License-Identifier: GPL-2.0-or-later
// The snapshot of what a case may not leave changed: features and namespaces.

#include "core/run/boundary.h"

#include <errno.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/run/ctx.h"

#define CNS_NS 0x00
#define CNS_ACTIVE_NS 0x02
#define SELECT_CURRENT 0
#define SELECT_SAVED 2

/*
 * Features of which one value is a Dword 11 (NVMe Base 2.0 section 5.27.1). Not here: Number of
 * Queues, which the baseline sets; Host Memory Buffer and others with a data structure; Timestamp
 * and what else changes by itself.
 */
static const struct {
	uint8_t fid;
	bool of_ns;
	uint32_t selector;
} features[] = {
	{ 0x01, false, 0 },			/* Arbitration */
	{ 0x02, false, 0 },			/* Power Management */
	{ 0x04, false, 0 },			/* Temperature Threshold: composite, over */
	{ 0x04, false, UINT32_C(1) << 20 },	/* composite, under */
	{ 0x05, true, 0 },			/* Error Recovery */
	{ 0x06, false, 0 },			/* Volatile Write Cache */
	{ 0x08, false, 0 },			/* Interrupt Coalescing */
	{ 0x09, false, 0 },			/* Interrupt Vector Configuration: vectors 0 and 1 */
	{ 0x09, false, 1 },
	{ 0x0a, false, 0 },			/* Write Atomicity Normal */
	{ 0x0b, false, 0 },			/* Asynchronous Event Configuration */
	{ 0x10, false, 0 },			/* Host Controlled Thermal Management */
	{ 0x11, false, 0 },			/* Non-Operational Power State Config */
	{ 0x80, false, 0 },			/* Software Progress Marker */
};

_Static_assert(NVP_ARRAY_SIZE(features) <= NVP_SNAPSHOT_FEATURES, "the snapshot holds them all");

void nvp_left_add(struct nvp_text *left, const char *format, ...)
{
	va_list args;

	if (left->length)
		nvp_text_add(left, "; ");
	va_start(args, format);
	nvp_text_addv(left, format, args);
	va_end(args);
}

/* ---- features ---- */

/* 1: *value is the answer; 0: the drive refused; negative: the command did not travel. */
static int get_feature(struct nvp_drive *drive, uint8_t fid, uint32_t nsid, uint8_t select,
		       uint32_t selector, uint32_t *value)
{
	struct nvp_cmd cmd = nvp_build_get_features(fid, nsid, select, selector);
	struct nvp_cpl cpl;
	int rc = nvp_exec_admin(drive, &cmd, &cpl);

	if (rc == -EPERM || rc == -EOPNOTSUPP)
		return 0;
	if (rc < 0)
		return rc;
	*value = cpl.dw0;
	return nvp_cpl_ok(&cpl);
}

static int set_feature(struct nvp_drive *drive, uint8_t fid, uint32_t nsid, bool save,
		       uint32_t selector, uint32_t value)
{
	struct nvp_cmd cmd = nvp_build_set_features(
		fid, nsid, save, nvp_feature_restore_dw11(fid, selector, value));
	struct nvp_cpl cpl;
	int rc = nvp_exec_admin(drive, &cmd, &cpl);

	return rc == -EPERM || rc == -EOPNOTSUPP || rc > 0 ? 0 : rc;
}

static bool can_select(const struct nvp_drive *drive)
{
	return nvp_bit(nvp_drive_facts(drive)->ctrl.oncs, 4);
}

static int take_features(struct nvp_snapshot *s, struct nvp_drive *drive)
{
	const struct nvp_facts *facts = nvp_drive_facts(drive);

	s->nr_features = 0;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(features); i++) {
		unsigned n = s->nr_features;
		int rc;

		if (features[i].of_ns && !facts->nr_ns)
			continue;
		s->feature[n].fid = features[i].fid;
		s->feature[n].nsid = features[i].of_ns ? facts->ns[0].nsid : 0;
		s->feature[n].selector = features[i].selector;
		rc = get_feature(drive, features[i].fid, s->feature[n].nsid, SELECT_CURRENT,
				 features[i].selector, &s->feature[n].current);
		if (rc < 0)
			return rc;
		if (!rc)
			continue;
		rc = !can_select(drive) ? 0 :
		     get_feature(drive, features[i].fid, s->feature[n].nsid, SELECT_SAVED,
				 features[i].selector, &s->feature[n].saved);
		if (rc < 0)
			return rc;
		s->feature[n].has_saved = rc > 0;
		s->nr_features++;
	}
	return 0;
}

struct difference {
	bool current, saved;
};

/* 0, or a negative errno; what is not as it was goes to *d, and into left when given. */
static int compare_feature(const struct nvp_snapshot *s, unsigned n, struct nvp_drive *drive,
			   struct difference *d, struct nvp_text *left)
{
	uint8_t fid = s->feature[n].fid;
	uint32_t nsid = s->feature[n].nsid, selector = s->feature[n].selector, value = 0;
	int rc = get_feature(drive, fid, nsid, SELECT_CURRENT, selector, &value);

	if (rc < 0)
		return rc;
	d->current = !rc || value != s->feature[n].current;
	d->saved = false;
	if (left && !rc)
		nvp_left_add(left, "feature %02Xh cannot be read any more", fid);
	else if (left && d->current)
		nvp_left_add(left, "feature %02Xh (%s) is 0x%x, was 0x%x", fid,
			     nvp_feature_name(fid), value, s->feature[n].current);
	if (!s->feature[n].has_saved)
		return 0;
	rc = get_feature(drive, fid, nsid, SELECT_SAVED, selector, &value);
	if (rc < 0)
		return rc;
	d->saved = !rc || value != s->feature[n].saved;
	if (left && d->saved)
		nvp_left_add(left, "the saved value of feature %02Xh (%s) is 0x%x, was 0x%x", fid,
			     nvp_feature_name(fid), value, s->feature[n].saved);
	return 0;
}

static int restore_feature(const struct nvp_snapshot *s, unsigned n, struct nvp_drive *drive,
			   const struct difference *d)
{
	int rc = 0;

	if (d->saved)
		rc = set_feature(drive, s->feature[n].fid, s->feature[n].nsid, true,
				 s->feature[n].selector, s->feature[n].saved);
	if (rc < 0)
		return rc;
	/* Saving a value makes it the current one too. */
	return set_feature(drive, s->feature[n].fid, s->feature[n].nsid, false,
			   s->feature[n].selector, s->feature[n].current);
}

static int restore_features(const struct nvp_snapshot *s, struct nvp_drive *drive,
			    struct nvp_text *left)
{
	for (unsigned n = 0; n < s->nr_features; n++) {
		struct difference d;
		int rc = compare_feature(s, n, drive, &d, left);

		if (rc < 0)
			return rc;
		if (!d.current && !d.saved)
			continue;
		rc = restore_feature(s, n, drive, &d);
		if (!rc)
			rc = compare_feature(s, n, drive, &d, NULL);
		if (rc < 0)
			return rc;
		if (d.current || d.saved) {
			nvp_left_add(left, "feature %02Xh could not be given back",
				     s->feature[n].fid);
			return -ENOTRECOVERABLE;
		}
	}
	return 0;
}

/* ---- namespaces ---- */

/* 1: the structure is in the buffer; 0: the drive refused; negative: it did not travel. */
static int identify(struct nvp_drive *drive, struct nvp_buf *buf, uint8_t cns, uint32_t nsid)
{
	struct nvp_cmd cmd = nvp_build_identify(cns, nsid, 0, 0, 0);
	struct nvp_cpl cpl;
	int rc;

	cmd.data = buf;
	rc = nvp_exec_admin(drive, &cmd, &cpl);
	if (rc < 0)
		return rc;
	return nvp_cpl_ok(&cpl);
}

static int take_ns(struct nvp_snapshot *s, struct nvp_drive *drive, struct nvp_buf *buf)
{
	struct nvp_nsid_list list;
	struct nvp_id_ns id;
	int rc = identify(drive, buf, CNS_ACTIVE_NS, 0);

	s->nr_ns = 0;
	if (rc <= 0)
		return rc;
	nvp_decode_nsid_list(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &list);
	s->nr_ns = list.nr;
	for (unsigned i = 0; i < list.nr && i < NVP_SNAPSHOT_NS; i++) {
		rc = identify(drive, buf, CNS_NS, list.nsid[i]);
		if (rc < 0)
			return rc;
		s->ns[i].nsid = list.nsid[i];
		if (rc == 0)
			continue;
		nvp_decode_id_ns(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &id);
		s->ns[i].nsze_lbas = id.nsze_lbas;
		s->ns[i].flbas = id.flbas;
		s->ns[i].dps = id.dps;
		s->ns[i].format = nvp_format_of(list.nsid[i], &id).sqe;
		s->ns[i].lba_bytes = id.lba_bytes;
	}
	return 0;
}

/* left may be NULL. */
static bool compare_ns(const struct nvp_snapshot *was, const struct nvp_snapshot *is,
		       struct nvp_text *left)
{
	bool same = was->nr_ns == is->nr_ns;

	if (!same && left)
		nvp_left_add(left, "%u namespaces are active, there were %u", is->nr_ns,
			     was->nr_ns);
	for (unsigned i = 0; same && i < was->nr_ns && i < NVP_SNAPSHOT_NS; i++) {
		if (was->ns[i].nsid != is->ns[i].nsid) {
			if (left)
				nvp_left_add(left, "namespace %u is active in place of %u",
					     is->ns[i].nsid, was->ns[i].nsid);
			same = false;
		} else if (was->ns[i].nsze_lbas != is->ns[i].nsze_lbas ||
			   was->ns[i].flbas != is->ns[i].flbas ||
			   was->ns[i].dps != is->ns[i].dps ||
			   was->ns[i].lba_bytes != is->ns[i].lba_bytes) {
			if (left)
				nvp_left_add(left, "namespace %u has another size or format",
					     was->ns[i].nsid);
			same = false;
		}
	}
	return same;
}

/* 0, or a negative errno; what the drive or the guard refuses stays as it is. */
static int restore_formats(const struct nvp_snapshot *was, const struct nvp_snapshot *is,
			   struct nvp_drive *drive)
{
	for (unsigned i = 0; was->nr_ns == is->nr_ns && i < was->nr_ns && i < NVP_SNAPSHOT_NS; i++) {
		struct nvp_cmd cmd = { .sqe = was->ns[i].format, .time_class = NVP_TIME_FORMAT };
		struct nvp_cpl cpl;
		int rc;

		if (was->ns[i].nsid != is->ns[i].nsid ||
		    (was->ns[i].flbas == is->ns[i].flbas && was->ns[i].dps == is->ns[i].dps))
			continue;
		rc = nvp_exec_admin(drive, &cmd, &cpl);
		if (rc < 0 && rc != -EPERM && rc != -EOPNOTSUPP)
			return rc;
	}
	return 0;
}

/* ---- both ---- */

static int read_ns(struct nvp_snapshot *s, struct nvp_drive *drive)
{
	struct nvp_buf *buf = nvp_buf_new(drive, NVP_IDENTIFY_BYTES);
	int rc;

	if (!buf)
		return -ENOMEM;
	rc = take_ns(s, drive, buf);
	nvp_buf_free(buf);
	return rc;
}

int nvp_snapshot_take(struct nvp_snapshot *snapshot, struct nvp_drive *drive)
{
	int rc;

	memset(snapshot, 0, sizeof(*snapshot));
	rc = take_features(snapshot, drive);
	if (!rc)
		rc = read_ns(snapshot, drive);
	snapshot->taken = !rc;
	return rc;
}

int nvp_snapshot_restore(const struct nvp_snapshot *snapshot, struct nvp_drive *drive, bool deep,
			 struct nvp_text *left)
{
	struct nvp_snapshot now;
	int rc = restore_features(snapshot, drive, left);

	if (rc || !deep)
		return rc;
	rc = read_ns(&now, drive);
	if (rc)
		return rc;
	if (compare_ns(snapshot, &now, left))
		return 0;
	/* Nor sizes nor formats can be given back without destroying what is there now. */
	rc = restore_formats(snapshot, &now, drive);
	if (!rc)
		rc = read_ns(&now, drive);
	if (rc)
		return rc;
	return compare_ns(snapshot, &now, NULL) ? 0 : -ENOTRECOVERABLE;
}
