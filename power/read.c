// SPDX-License-Identifier: GPL-2.0-or-later
// Reading many blocks: runs of neighbours in one command, many commands at a time.

#include <errno.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "power/engine.h"

#define READ_DEPTH 32u

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

static void look(struct reader *r, struct nvp_camp_read *read, const uint8_t *block)
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
		nvp_stamp_check(block, r->c->lba_bytes, &want, &read->found);

	read->form = forms[state];
	read->sct = read->sc = 0;
	read->version = 0;
	if (state == NVP_STAMP_GOOD)
		read->version = nvp_version(NVP_VERSION_STAMP, read->found.stamp.seq);
	else if (state == NVP_STAMP_ZEROES)
		read->version = nvp_version(NVP_VERSION_ZEROES, 0);
	else if (state == NVP_STAMP_ONES)
		read->version = nvp_version(NVP_VERSION_ONES, 0);
	else if (state == NVP_STAMP_OTHER_LBA && r->nsid == r->c->nsid)
		read->version = moved(r->c, &read->found.stamp);
	if (!read->version)
		read->version = nvp_version(NVP_VERSION_FOREIGN,
					    nvp_crc32c(block, r->c->lba_bytes));
}

static void failed(struct nvp_camp_read *read, const struct nvp_status *status)
{
	bool unmapped = nvp_status_is(status, NVP_SCT_MEDIA, NVP_SC_DEALLOCATED);

	*read = (struct nvp_camp_read){
		.lba = read->lba,
		.version = nvp_version(unmapped ? NVP_VERSION_UNMAPPED : NVP_VERSION_UNC, 0),
		.form = NVP_ORACLE_HOLDS,
		.sct = status->sct,
		.sc = status->sc,
	};
}

/* A run in which one block cannot be read says nothing of the others: one by one. */
static int one_by_one(struct reader *r, uint32_t first, uint32_t nr)
{
	struct nvp_buf *data = r->c->slot[0].data;

	for (uint32_t i = first; i < first + nr; i++) {
		struct nvp_cmd cmd =
			nvp_build_read(r->nsid, r->reads[i].lba, 0, r->c->lba_bytes);
		struct nvp_cpl cpl;
		int rc;

		cmd.data = data;
		rc = nvp_exec_io(r->c->drive, &cmd, &cpl);
		if (rc)
			return nvp_camp_door(r->c, rc, "reading back");
		if (nvp_cpl_ok(&cpl))
			look(r, &r->reads[i], nvp_buf_data(data));
		else
			failed(&r->reads[i], &cpl.status);
	}
	return 0;
}

static int post(struct reader *r, unsigned id)
{
	struct nvp_camp *c = r->c;
	struct nvp_cmd cmd;
	uint32_t nr = 1;
	int rc;

	while (nr < c->most_blocks && r->next + nr < r->nr &&
	       r->reads[r->next + nr].lba == r->reads[r->next].lba + nr)
		nr++;
	if (!c->slot[id].data)
		c->slot[id].data = nvp_buf_new(c->drive, 2 * (size_t)c->most_blocks * c->lba_bytes);
	if (!c->slot[id].data)
		return -ENOMEM;
	cmd = nvp_build_read(r->nsid, r->reads[r->next].lba, (uint16_t)(nr - 1), c->lba_bytes);
	cmd.data = c->slot[id].data;
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
		const uint8_t *data = nvp_buf_data(r->c->slot[id].data);

		for (uint32_t i = 0; i < nr; i++)
			look(r, &r->reads[first + i], data + (size_t)i * r->c->lba_bytes);
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
