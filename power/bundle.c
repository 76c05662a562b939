// SPDX-License-Identifier: GPL-2.0-or-later
// Evidence of a failed cycle: blocks, what they may hold, what was done, and a journal in words.

#include <nvproof/power_bundle.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/stamp.h"
#include "core/base/text.h"
#include "power/ledger.h"
#include "power/replay.h"

#define NEIGHBOURS 8u /* on each side */
#define CANDIDATES 4u
#define LINES_MOST 4096u /* of blocks that are wrong */

struct freezing {
	const struct nvp_failed_cycle *f;
	const struct nvp_history_block *bad;
	nvp_freeze_put *put;
	void *context;
	uint8_t *block; /* as it was read now; NULL: it could not be */
	uint8_t *row;	/* room for one block */
};

static int put_text(struct freezing *z, const char *name, struct nvp_text *text)
{
	int rc = text->failed ? -ENOMEM : z->put(z->context, name, nvp_text_str(text),
						 text->length);

	nvp_text_free(text);
	return rc;
}

/* ---- the blocks as they are ---- */

/* Data, and behind them the metadata, wherever it came from. */
static int read_one(struct freezing *z, struct nvp_lb_buf *buf, uint64_t lba,
		    struct nvp_text *said)
{
	const struct nvp_failed_cycle *f = z->f;
	struct nvp_cmd cmd = nvp_lb_command(&f->format, NVP_IO_READ, f->nsid, lba, 0, buf, 0);
	uint32_t bytes = nvp_lb_all_bytes(&f->format);
	uint8_t *block = z->row;
	struct nvp_cpl cpl;
	char name[40];
	int rc = nvp_exec_io(f->drive, &cmd, &cpl);

	if (rc || !nvp_cpl_ok(&cpl)) {
		nvp_text_addf(said, "LBA %" PRIu64 ": not read: ", lba);
		if (rc)
			nvp_text_addf(said, "%s\n", strerror(-rc));
		else
			nvp_text_addf(said, "status %u/%02xh\n", cpl.status.sct, cpl.status.sc);
		return 0;
	}
	nvp_lb_row(&f->format, buf, 0, block);
	if (lba == f->first_lba + z->bad->seen.block) {
		z->block = malloc(bytes);
		if (z->block)
			memcpy(z->block, block, bytes);
	}
	snprintf(name, sizeof(name), "lba-%" PRIu64 ".bin", lba);
	return z->put(z->context, name, block, bytes);
}

static int read_around(struct freezing *z, struct nvp_text *said)
{
	const struct nvp_failed_cycle *f = z->f;
	uint32_t first = z->bad->seen.block, last = first + NEIGHBOURS;
	struct nvp_lb_buf buf;
	int rc = nvp_lb_buf_new(f->drive, &f->format, 1, &buf);

	first -= (uint32_t)nvp_min_u64(first, NEIGHBOURS);
	last = (uint32_t)nvp_min_u64(last, f->facts->nr_blocks - 1);
	for (uint32_t b = first; !rc && b <= last; b++)
		rc = read_one(z, &buf, f->first_lba + b, said);
	nvp_lb_buf_free(&buf);
	return rc;
}

/* ---- what it may hold ---- */

static const struct nvp_history_op *op_of(const struct nvp_failed_cycle *f, uint32_t oracle_op,
					  uint32_t *number)
{
	for (uint32_t i = 0; i < f->nr_ops; i++) {
		if (f->ops[i].posted && f->ops[i].oracle_op == oracle_op) {
			*number = i;
			return &f->ops[i];
		}
	}
	return NULL;
}

/* The block as one of its versions would be: how many bytes of it are known, data first. */
static uint32_t make(const struct nvp_failed_cycle *f, const struct nvp_history_block *bad,
		 const struct nvp_oracle_content *content, uint8_t *block, struct nvp_text *said)
{
	struct nvp_stamp stamp = { .run = f->run, .nsid = f->nsid };
	uint64_t was = bad->was;
	const struct nvp_history_op *h;
	uint32_t number = 0;

	if (content->what == NVP_ORACLE_ZEROES || content->what == NVP_ORACLE_ONES) {
		memset(block, content->what == NVP_ORACLE_ONES ? 0xff : 0,
		       f->format.lba_bytes);
		nvp_text_add(said, content->what == NVP_ORACLE_ONES ? "ones" : "zeroes");
		return f->format.lba_bytes;
	}
	h = content->what == NVP_ORACLE_DATA ? op_of(f, content->op, &number) : NULL;
	if (h) {
		stamp = (struct nvp_stamp){
			.run = f->run, .nsid = f->nsid, .lba = f->first_lba + content->block,
			.seq = f->seq + number, .cycle = f->cycle,
			.index = (uint16_t)(content->block - h->op.block),
			.op_nlb_z = h->op.nlb_z, .queue = h->op.queue,
			.kind = (uint8_t)h->op.kind, .flags = h->op.fua };
		nvp_lb_stamp_row(&f->format, block, &stamp);
		nvp_text_addf(said, "data of operation %" PRIu32, number + 1);
		return nvp_lb_all_bytes(&f->format);
	}
	if (content->what == NVP_ORACLE_OLD) {
		char text[48];

		nvp_text_addf(said, "what was there before: %s", nvp_version_text(was, text));
		return 0; /* its stamp has a history of its own */
	}
	nvp_text_add(said, "no data: a read error or deallocated");
	return 0;
}

static void compare(const uint8_t *is, const uint8_t *may, uint32_t bytes, struct nvp_text *said)
{
	uint32_t nr = 0, first = 0, last = 0;

	for (uint32_t i = 0; i < bytes; i++) {
		if (is[i] == may[i])
			continue;
		if (!nr++)
			first = i;
		last = i;
	}
	if (nr)
		nvp_text_addf(said, "; %" PRIu32 " bytes differ, from %" PRIu32 " to %" PRIu32, nr,
			      first, last);
	else
		nvp_text_add(said, "; every byte is equal");
}

static int candidates(struct freezing *z, struct nvp_text *said)
{
	const struct nvp_failed_cycle *f = z->f;
	struct nvp_oracle_content content[CANDIDATES];
	uint32_t nr = nvp_oracle_allowed(f->oracle, z->bad->seen.block, content, CANDIDATES);
	uint8_t *block = z->row;
	int rc = 0;

	nvp_text_addf(said, "it may hold %" PRIu32 " things:\n", nr);
	for (uint32_t i = 0; !rc && i < nr && i < CANDIDATES; i++) {
		uint32_t bytes;
		char name[40];

		nvp_text_addf(said, "  candidate-%" PRIu32 ": ", i + 1);
		bytes = make(f, z->bad, &content[i], block, said);
		if (bytes) {
			if (z->block)
				compare(z->block, block, bytes, said);
			snprintf(name, sizeof(name), "candidate-%" PRIu32 ".bin", i + 1);
			rc = z->put(z->context, name, block, bytes);
		}
		nvp_text_add(said, "\n");
	}
	return rc;
}

/* ---- in words ---- */

static int blocks_text(struct freezing *z, struct nvp_text *said)
{
	const struct nvp_failed_cycle *f = z->f;
	struct nvp_text text = { 0 };
	uint32_t told = 0;
	char was[48], is[48];

	nvp_text_addf(&text, "namespace %" PRIu32 ", %" PRIu32 " bytes a block, window of %" PRIu32
		      " blocks from LBA %" PRIu64 "\nrun %016" PRIx64 ", operation 1 has sequence "
		      "number %" PRIu64 "\n\n", f->nsid, nvp_lb_all_bytes(&f->format),
		      f->facts->nr_blocks,
		      f->first_lba, f->run, f->seq);
	nvp_text_add(&text, nvp_text_str(said));
	nvp_text_free(said);
	nvp_text_add(&text, "\nblocks that are not as they should be, or worth saying:\n");
	for (uint32_t i = 0; i < f->nr_blocks && told < LINES_MOST; i++) {
		const struct nvp_history_block *b = &f->blocks[i];

		if (b->finding.class == NVP_CLASS_OK)
			continue;
		told++;
		nvp_text_addf(&text, "LBA %" PRIu64 " %s: was %s, is %s%s\n",
			      f->first_lba + b->seen.block, nvp_class_name(b->finding.class),
			      nvp_version_text(b->was, was), nvp_version_text(b->data, is),
			      b->seen.pi_bad ? nvp_lb_meta_text(b->meta) : "");
	}
	return put_text(z, "blocks.txt", &text);
}

static void op_line(struct nvp_text *text, const struct nvp_failed_cycle *f, uint32_t i)
{
	const struct nvp_history_op *h = &f->ops[i];

	nvp_text_addf(text, "%" PRIu32 " queue %u %s", i + 1, h->op.queue,
		      nvp_replay_op_word(h->op.kind) ? nvp_replay_op_word(h->op.kind) : "other");
	if (h->op.kind <= NVP_ORACLE_COPY)
		nvp_text_addf(text, " LBA %" PRIu64 " blocks %u", f->first_lba + h->op.block,
			      h->op.nlb_z + 1u);
	if (h->op.kind == NVP_ORACLE_COPY)
		nvp_text_addf(text, " from LBA %" PRIu64, f->first_lba + h->op.source);
	nvp_text_addf(text, "%s%s given %" PRIu64 " at %" PRIu64 " ns", h->op.fua ? " fua" : "",
		      h->posted ? "" : " (never exposed)", h->sub, h->sub_ns);
	if (h->ack)
		nvp_text_addf(text, ", answered %" PRIu64 " at %" PRIu64 " ns with %u/%02xh%s",
			      h->ack, h->ack_ns, h->sct, h->sc, h->late ? ", found late" : "");
	nvp_text_add(text, "\n");
}

static int history_text(struct freezing *z)
{
	const struct nvp_failed_cycle *f = z->f;
	struct nvp_text text = { 0 };

	nvp_text_addf(&text, "cycle %" PRIu32 ", phase %s, workload %s, %u queues of %u\n"
		      "%s armed after operation %" PRIu32 ", %" PRIu64 " ns later\n\n", f->cycle,
		      nvp_phase_name(f->phase), nvp_workload_name(f->workload), f->queues, f->depth,
		      f->cut.is_reset ? "reset" : "cut", f->cut.after_ops, f->cut.delay_ns);
	for (uint32_t i = 0; i < f->nr_said; i++)
		nvp_text_addf(&text, "%s: %s\n",
			      nvp_class_name((enum nvp_class)f->said[i].class_id),
			      f->said[i].text);
	nvp_replay_tell_admin(f, &text);
	for (uint32_t i = 0; i < f->nr_ops; i++)
		op_line(&text, f, i);
	return put_text(z, "history.txt", &text);
}

int nvp_freeze(const struct nvp_failed_cycle *f, uint8_t class_id, nvp_freeze_put *put,
	       void *context)
{
	struct freezing z = { .f = f, .put = put, .context = context };
	struct nvp_text said = { 0 };
	int rc;

	z.row = malloc(nvp_lb_all_bytes(&f->format));
	if (!z.row)
		return -ENOMEM;
	for (uint32_t i = 0; !z.bad && i < f->nr_blocks; i++)
		if (f->blocks[i].finding.class == class_id &&
		    f->blocks[i].finding.severity == NVP_SEVERITY_FAIL)
			z.bad = &f->blocks[i];
	rc = history_text(&z);
	if (!rc && z.bad) {
		nvp_text_addf(&said, "LBA %" PRIu64 ": %s (%s)\n", f->first_lba + z.bad->seen.block,
			      nvp_class_name((enum nvp_class)class_id),
			      nvp_class_source((enum nvp_class)class_id));
		rc = read_around(&z, &said);
		if (!rc)
			rc = candidates(&z, &said);
	}
	if (!rc)
		rc = blocks_text(&z, &said);
	nvp_text_free(&said);
	free(z.block);
	free(z.row);
	return rc;
}
