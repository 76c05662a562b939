// SPDX-License-Identifier: GPL-2.0-or-later
// Reading many blocks: runs of neighbours in one command, many commands at a time.

#include <errno.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "power/engine.h"

#define READ_DEPTH 32u
#define ALONE	   READ_DEPTH /* slot of one that is read by itself, while others are on their way */

struct reader {
	struct nvp_camp *c;
	uint32_t nsid;
	struct nvp_camp_read *reads;
	uint32_t nr, next;
	struct {
		uint32_t first; /* in reads */
		uint16_t nr; /* 0: free */
	} run[READ_DEPTH];
	unsigned nr_busy;
};

/* Of a stamp that is whole but not of this place: which version it would be there. */
static uint64_t moved(const struct nvp_camp *c, const struct nvp_stamp *stamp)
{
	uint64_t home = stamp->lba - c->first_lba;

	return home < c->facts.nr_blocks ? nvp_version_moved(stamp->seq, (uint32_t)home) : 0;
}

static uint32_t crc_of(const struct nvp_camp *c, const uint8_t *data, const uint8_t *meta)
{
	uint32_t crc = nvp_crc32c(data, c->format.lba_bytes);

	return meta ? crc ^ nvp_crc32c(meta, c->format.pi.meta_bytes) : crc;
}

/* A Deallocate was there since the window was known: the block may be as good as unwritten. */
static bool may_be_deallocated(const struct reader *r, uint64_t lba)
{
	uint64_t block = lba - r->c->first_lba;

	return r->nsid == r->c->nsid && block < r->c->facts.nr_blocks &&
	       r->c->flags[block] & NVP_CAMP_FLAG_TRIMMED;
}

/* Data and metadata of a block are written as one (NVM Command Set 1.0, 2.1.4). */
static void look_at_meta(const struct reader *r, struct nvp_camp_read *read, const uint8_t *data,
			 const uint8_t *meta)
{
	const struct nvp_lb_format *f = &r->c->format;
	enum nvp_version_what what = nvp_version_what(read->data);

	read->meta = NVP_STAMP_META_GOOD;
	read->meta_bad = false;
	if (!meta || !read->data)
		return;
	if (what == NVP_VERSION_ZEROES || what == NVP_VERSION_ONES) {
		read->meta_bad = !nvp_lb_blank_meta(f, data, meta, r->c->first_lba,
						    r->c->facts.nr_blocks);
		read->meta = read->meta_bad ? NVP_STAMP_META_BYTES : NVP_STAMP_META_GOOD;
		return;
	}
	read->meta = nvp_stamp_meta_check(meta, &f->pi, data, f->lba_bytes, &read->found.stamp);
	read->meta_bad = read->meta == NVP_STAMP_META_DEALLOCATED ?
				 !may_be_deallocated(r, read->lba) :
				 read->meta != NVP_STAMP_META_GOOD;
}

static void look(struct reader *r, struct nvp_camp_read *read, const uint8_t *data,
		 const uint8_t *meta)
{
	static const enum nvp_oracle_form forms[] = {
		[NVP_STAMP_GOOD] = NVP_ORACLE_HOLDS,
		[NVP_STAMP_ZEROES] = NVP_ORACLE_HOLDS,
		[NVP_STAMP_ONES] = NVP_ORACLE_HOLDS,
		[NVP_STAMP_OTHER_LBA] = NVP_ORACLE_OTHER_LBA,
		[NVP_STAMP_OTHER_NS] = NVP_ORACLE_OTHER_NS,
		[NVP_STAMP_OTHER_RUN] = NVP_ORACLE_OTHER_RUN,
		[NVP_STAMP_TORN] = NVP_ORACLE_TORN,
		[NVP_STAMP_DAMAGED] = NVP_ORACLE_DAMAGED,
		[NVP_STAMP_FOREIGN] = NVP_ORACLE_DAMAGED,
	};
	const struct nvp_stamp want = { .run = r->c->run, .nsid = r->nsid, .lba = read->lba };
	enum nvp_stamp_state state =
		nvp_stamp_check(data, r->c->format.lba_bytes, &want, &read->found);

	read->form = forms[state];
	read->sct = read->sc = 0;
	read->data = 0;
	if (state == NVP_STAMP_GOOD)
		read->data = nvp_version(NVP_VERSION_STAMP, read->found.stamp.seq);
	else if (state == NVP_STAMP_ZEROES)
		read->data = nvp_version(NVP_VERSION_ZEROES, 0);
	else if (state == NVP_STAMP_ONES)
		read->data = nvp_version(NVP_VERSION_ONES, 0);
	else if (state == NVP_STAMP_OTHER_LBA && r->nsid == r->c->nsid)
		read->data = moved(r->c, &read->found.stamp);
	look_at_meta(r, read, data, meta);
	read->version = read->data;
	if (!read->data || read->meta_bad)
		read->version = nvp_version(NVP_VERSION_FOREIGN, crc_of(r->c, data, meta));
	if (!read->data)
		read->data = read->version;
}

static void failed(struct nvp_camp_read *read, const struct nvp_status *status)
{
	bool unmapped = nvp_status_is(status, NVP_SCT_MEDIA, NVP_SC_DEALLOCATED);

	uint64_t version = nvp_version(unmapped ? NVP_VERSION_UNMAPPED : NVP_VERSION_UNC, 0);

	*read = (struct nvp_camp_read){
		.lba = read->lba,
		.version = version,
		.data = version,
		.form = NVP_ORACLE_HOLDS,
		.sct = status->sct,
		.sc = status->sc,
	};
}

/* A run in which one block cannot be read says nothing of the others: one by one. */
static int one_by_one(struct reader *r, uint32_t first, uint32_t nr)
{
	const struct nvp_lb_format *f = &r->c->format;
	struct nvp_lb_buf *buf = nvp_camp_slot_buf(r->c, ALONE);

	for (uint32_t i = first; buf && i < first + nr; i++) {
		struct nvp_cmd cmd =
			nvp_lb_command(f, NVP_IO_READ, r->nsid, r->reads[i].lba, 0, buf, 0);
		struct nvp_cpl cpl;
		int rc;

		rc = nvp_exec_io(r->c->drive, &cmd, &cpl);
		if (rc)
			return nvp_camp_door(r->c, rc, "reading back");
		if (nvp_cpl_ok(&cpl))
			look(r, &r->reads[i], nvp_lb_data(f, buf, 0), nvp_lb_meta(f, buf, 0));
		else
			failed(&r->reads[i], &cpl.status);
	}
	return buf ? 0 : -ENOMEM;
}

static int post(struct reader *r, unsigned id)
{
	struct nvp_camp *c = r->c;
	struct nvp_lb_buf *buf;
	struct nvp_cmd cmd;
	uint32_t nr = 1;
	int rc;

	while (nr < c->most_blocks && r->next + nr < r->nr &&
	       r->reads[r->next + nr].lba == r->reads[r->next].lba + nr)
		nr++;
	buf = nvp_camp_slot_buf(c, id);
	if (!buf)
		return -ENOMEM;
	cmd = nvp_lb_command(&c->format, NVP_IO_READ, r->nsid, r->reads[r->next].lba,
			     (uint16_t)(nr - 1), buf, 0);
	cmd.raw_cid = true;
	nvp_sqe_set_cid(&cmd.sqe, (uint16_t)id);
	rc = nvp_submit(nvp_io_sq(c->drive), &cmd, NULL);
	if (rc)
		return rc;
	r->run[id].first = r->next;
	r->run[id].nr = (uint16_t)nr;
	r->next += nr;
	r->nr_busy++;
	return 0;
}

static void take(struct reader *r, const struct nvp_cpl *cpl, uint32_t *again, uint32_t *nr_again)
{
	unsigned id = cpl->cid;
	uint32_t first, nr;

	if (id >= READ_DEPTH || !r->run[id].nr)
		return;
	first = r->run[id].first;
	nr = r->run[id].nr;
	r->run[id].nr = 0;
	r->nr_busy--;
	if (nvp_cpl_ok(cpl)) {
		const struct nvp_lb_format *f = &r->c->format;
		const struct nvp_lb_buf *buf = &r->c->slot[id].buf;

		for (uint32_t i = 0; i < nr; i++)
			look(r, &r->reads[first + i], nvp_lb_data(f, buf, i),
			     nvp_lb_meta(f, buf, i));
	} else if (nr == 1) {
		failed(&r->reads[first], &cpl->status);
	} else {
		again[2 * *nr_again] = first;
		again[2 * (*nr_again)++ + 1] = nr;
	}
}

/* Completions, at least one when any is outstanding; runs to be read one by one into again. */
static int reap(struct reader *r, uint32_t *again, uint32_t *nr_again)
{
	struct nvp_camp *c = r->c;
	uint64_t until_ns = nvp_clock_deadline_ns(c->clock,
						  nvp_drive_budget_ns(c->drive, NVP_TIME_IO));
	struct nvp_cpl cpl;
	int rc = nvp_reap_until(nvp_io_cq(c->drive), until_ns, &cpl);

	while (rc > 0) {
		take(r, &cpl, again, nr_again);
		rc = *nr_again < READ_DEPTH ? nvp_reap(nvp_io_cq(c->drive), &cpl) : 0;
	}
	return rc;
}

int nvp_camp_read(struct nvp_camp *c, uint32_t nsid, struct nvp_camp_read *reads, uint32_t nr)
{
	struct reader r = { .c = c, .nsid = nsid, .reads = reads, .nr = nr };
	uint32_t entries = nvp_sq_entries(nvp_io_sq(c->drive));
	unsigned depth = (unsigned)nvp_min_u64(READ_DEPTH, entries - 1);
	int rc = 0;

	while (!rc && (r.next < nr || r.nr_busy)) {
		uint32_t again[2 * READ_DEPTH + 2], nr_again = 0, before = r.nr_busy;

		for (unsigned id = 0; !rc && id < depth && r.next < nr; id++)
			if (!r.run[id].nr)
				rc = post(&r, id);
		if (!rc)
			rc = nvp_ring_tail(nvp_io_sq(c->drive));
		before = r.nr_busy;
		if (!rc)
			rc = reap(&r, again, &nr_again);
		if (!rc && r.nr_busy == before)
			rc = -ETIMEDOUT;
		for (uint32_t i = 0; !rc && i < nr_again; i++)
			rc = one_by_one(&r, again[2 * i], again[2 * i + 1]);
	}
	c->result->blocks_read += nr;
	return rc && !c->err->code ? nvp_camp_door(c, rc, "reading back") : rc;
}
