// SPDX-License-Identifier: GPL-2.0-or-later
// Going on from a journal that was cut off, damaged, finished, or of something else. The drive and the
// journal of each test are those of a campaign of a few cycles.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "power/journal_format.h"
#include "power/resume.h"
#include "tests/unit/unit.h"

#define CYCLES 4u

struct place {
	char folder[64], image[96], journal[96], address[200];
	uint8_t *bytes; /* of the journal */
	size_t nr_bytes;
	struct nvp_campaign_options options;
};

struct told {
	struct nvp_campaign_result result;
	struct nvp_err err;
	int rc;
	unsigned nr_cycles, nr_fails;
	uint32_t first, last; /* cycles */
	char notes[600];
};

static void on_finding(void *context, const struct nvp_campaign_finding *f)
{
	struct told *told = context;

	told->nr_fails += f->severity == NVP_SEVERITY_FAIL;
}

static void on_cycle(void *context, const struct nvp_campaign_cycle *cycle)
{
	struct told *told = context;

	if (!told->nr_cycles++)
		told->first = cycle->cycle;
	told->last = cycle->cycle;
}

static void on_note(void *context, bool warning, const char *text)
{
	struct told *told = context;
	size_t length = strlen(told->notes);

	(void)warning;
	snprintf(told->notes + length, sizeof(told->notes) - length, "%s\n", text);
}

static void run(const char *address, const struct nvp_campaign_options *options, struct told *told)
{
	const struct nvp_campaign_out out = {
		.context = told, .finding = on_finding, .cycle = on_cycle, .note = on_note,
	};
	struct nvp_prepared *prepared;
	struct nvp_drive *drive;

	*told = (struct told){ 0 };
	prepared = nvp_drive_prepare(address, 1, 0, &told->err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prepared);
	drive = nvp_drive_open(prepared, NULL, 1, &told->err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(drive);
	nvp_drive_permit(drive, NVP_IMPACT_ALL);
	told->rc = nvp_campaign_run(drive, options, &out, &told->result, &told->err);
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
}

static void slurp(struct place *p)
{
	FILE *file = fopen(p->journal, "rb");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fseek(file, 0, SEEK_END);
	p->nr_bytes = (size_t)ftell(file);
	rewind(file);
	p->bytes = malloc(p->nr_bytes);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p->bytes);
	CU_ASSERT_EQUAL(fread(p->bytes, 1, p->nr_bytes, file), p->nr_bytes);
	fclose(file);
}

static void write_journal(const struct place *p, size_t nr_bytes)
{
	FILE *file = fopen(p->journal, "wb");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fwrite(p->bytes, 1, nr_bytes, file), nr_bytes);
	fclose(file);
}

/* A campaign to its end; its journal goes on being the options' to resume. */
static void make(struct place *p, struct nvp_campaign_options options)
{
	struct told told;

	*p = (struct place){ .options = options };
	snprintf(p->folder, sizeof(p->folder), "/tmp/nvproof-resume-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(p->folder));
	snprintf(p->image, sizeof(p->image), "%s/drive", p->folder);
	snprintf(p->journal, sizeof(p->journal), "%s/journal.bin", p->folder);
	snprintf(p->address, sizeof(p->address), "sim:size=64M,image=%s", p->image);
	if (!p->options.cycles)
		p->options.cycles = CYCLES;
	p->options.journal = p->journal;
	run(p->address, &p->options, &told);
	CU_ASSERT_EQUAL_FATAL(told.rc, 0);
	p->options.journal = NULL;
	p->options.resume = p->journal;
	slurp(p);
}

static void drop(struct place *p)
{
	free(p->bytes);
	unlink(p->image);
	unlink(p->journal);
	rmdir(p->folder);
}

/* Frames of the journal: where each begins, and its type; the place after the last one counts too. */
static unsigned frames(const struct place *p, size_t *at, uint8_t *type, unsigned most)
{
	size_t offset = NVP_JOURNAL_MAGIC_BYTES;
	unsigned nr = 0;

	while (offset < p->nr_bytes && nr + 1 < most) {
		at[nr] = offset;
		type[nr++] = p->bytes[offset + 2];
		offset += NVP_FRAME_HEAD_BYTES + nvp_le32(p->bytes + offset + 4) +
			  NVP_FRAME_TAIL_BYTES;
	}
	CU_ASSERT_EQUAL(offset, p->nr_bytes);
	at[nr] = offset;
	return nr;
}

/* ---- the end is missing ---- */

/* Cut off at every byte of the last 6 frames: the state is that of some whole number of frames. */
static void a_tail_is_torn_at_every_byte(void)
{
	size_t at[400];
	uint8_t type[400];
	struct place p;
	unsigned nr;

	make(&p, (struct nvp_campaign_options){ .seed = 3 });
	nr = frames(&p, at, type, 400);
	CU_ASSERT_FATAL(nr > 10);
	for (unsigned f = nr - 6; f < nr; f++) {
		struct nvp_err err = { 0 };
		struct nvp_resume whole, torn;

		write_journal(&p, at[f]);
		CU_ASSERT_EQUAL(nvp_resume_read(&whole, p.journal, &err), 0);
		CU_ASSERT(!whole.end.torn);
		/* all of a short frame, the ends of a long one */
		for (size_t more = 1; more < at[f + 1] - at[f]; more++) {
			if (more > 64 && at[f + 1] - at[f] - more > 64)
				continue;
			write_journal(&p, at[f] + more);
			CU_ASSERT_EQUAL(nvp_resume_read(&torn, p.journal, &err), 0);
			CU_ASSERT(torn.end.torn);
			CU_ASSERT_EQUAL(torn.end.damaged, 0);
			CU_ASSERT_EQUAL(torn.cycle.cycle, whole.cycle.cycle);
			CU_ASSERT_EQUAL(torn.verified, whole.verified);
			CU_ASSERT_EQUAL(torn.nr_entries, whole.nr_entries);
			CU_ASSERT_EQUAL(torn.end.credit, whole.end.credit);
			CU_ASSERT_EQUAL(memcmp(torn.after, whole.after,
					       whole.nr_blocks * sizeof(*whole.after)), 0);
			CU_ASSERT_EQUAL(torn.unknown, whole.unknown);
			nvp_resume_free(&torn);
		}
		nvp_resume_free(&whole);
	}
	drop(&p);
}

/*
 * However much of the end the journal lost, no honest drive is accused: what it does not tell is
 * undecided, and a drive that is ahead of it altogether gets no verdict.
 */
static void a_journal_without_its_end_accuses_nobody(void)
{
	unsigned proven = 0, unknown = 0;
	size_t at[400];
	uint8_t type[400];
	struct told told;
	struct place p;
	unsigned nr;

	for (unsigned back = 1; back <= 24; back++) {
		make(&p, (struct nvp_campaign_options){ .seed = 4 });
		nr = frames(&p, at, type, 400);
		CU_ASSERT_FATAL(nr > back + 3);
		write_journal(&p, at[nr - back] - back % 3);
		run(p.address, &p.options, &told);
		CU_ASSERT_EQUAL(told.rc, 0);
		CU_ASSERT_EQUAL(told.nr_fails, 0);
		proven += strstr(told.notes, "have no acknowledgement") != NULL;
		unknown += strstr(told.notes, "hold what was written after the journal ends") != NULL;
		drop(&p);
	}
	CU_ASSERT(proven > 0);
	CU_ASSERT(unknown > 0);
	CU_ASSERT_EQUAL(proven + unknown, 24);
}

/* ---- the middle is damaged ---- */

/* One bit of each frame in turn: no fail, and a verdict only where the journal is whole. */
static void damage_gives_no_verdict_and_says_what_stands(void)
{
	size_t at[400];
	uint8_t type[400];
	unsigned nr, cycle = 0, seen = 0;
	struct place p;

	make(&p, (struct nvp_campaign_options){ .seed = 5 });
	nr = frames(&p, at, type, 400);
	for (unsigned f = 1; f + 1 < nr; f++) {
		struct nvp_err err = { 0 };
		struct nvp_resume r;
		char stands[200];
		bool is_last;

		cycle += type[f] == NVP_FRAME_CYCLE;
		is_last = cycle == CYCLES;
		p.bytes[at[f] + NVP_FRAME_HEAD_BYTES] ^= 4;
		write_journal(&p, p.nr_bytes);
		p.bytes[at[f] + NVP_FRAME_HEAD_BYTES] ^= 4;
		CU_ASSERT_EQUAL(nvp_resume_read(&r, p.journal, &err), 0);
		/* behind the last cycle's frame nothing begins that could be read again */
		CU_ASSERT_EQUAL(r.end.damaged + r.end.torn, 1);
		CU_ASSERT(is_last || r.end.damaged);
		CU_ASSERT(r.unknown > 0 || r.end.torn);
		nvp_resume_stands(&r, stands);
		if (cycle == 2 && type[f] == NVP_FRAME_STREAM && ++seen)
			CU_ASSERT_STRING_EQUAL(stands, "0, 2-3");
		nvp_resume_free(&r);
	}
	CU_ASSERT(seen > 0);
	drop(&p);
}

static void damage_is_told_by_the_campaign(void)
{
	size_t at[400];
	uint8_t type[400];
	unsigned nr, f = 0, cycle = 0;
	struct told told;
	struct place p;

	make(&p, (struct nvp_campaign_options){ .seed = 6 });
	nr = frames(&p, at, type, 400);
	while (f < nr && (cycle < 2 || type[f] != NVP_FRAME_STREAM))
		cycle += type[f++] == NVP_FRAME_CYCLE;
	CU_ASSERT_FATAL(f < nr);
	p.bytes[at[f] + NVP_FRAME_HEAD_BYTES + 1] ^= 0x80;
	write_journal(&p, p.nr_bytes);
	p.options.cycles = CYCLES + 2;
	run(p.address, &p.options, &told);
	CU_ASSERT_EQUAL(told.rc, 0);
	CU_ASSERT_EQUAL(told.nr_fails, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(told.notes, "damaged in 1 places"));
	CU_ASSERT_PTR_NOT_NULL(strstr(told.notes, "that stand: 0, 2-3"));
	CU_ASSERT_PTR_NOT_NULL(strstr(told.notes, "cycle 3: no verdict: the journal is damaged"));
	CU_ASSERT_EQUAL(told.first, CYCLES); /* none of it is judged again, the rest is done */
	CU_ASSERT_EQUAL(told.last, CYCLES + 1);
	drop(&p);
}

/* ---- another time, another place ---- */

static void a_finished_campaign_is_looked_at_once_more(void)
{
	struct told told;
	struct place p;

	make(&p, (struct nvp_campaign_options){ .seed = 7 });
	run(p.address, &p.options, &told);
	CU_ASSERT_EQUAL(told.rc, 0);
	CU_ASSERT_EQUAL(told.nr_fails, 0);
	CU_ASSERT_EQUAL(told.nr_cycles, 1);
	CU_ASSERT_EQUAL(told.first, CYCLES - 1);
	drop(&p);
}

/* The window moves with each cycle; a journal that ends between two is of the one before. */
static void a_window_that_moved_is_not_mixed_up(void)
{
	size_t at[400];
	uint8_t type[400];
	unsigned cuts = 0, nr;

	for (unsigned want = 1; want <= 3; want++) {
		struct told told;
		struct place p;
		unsigned cycle = 0, f = 0;

		/* with this many cycles the drive never saw the next window */
		make(&p, (struct nvp_campaign_options){ .seed = 8, .cycles = want + 1,
						       .working_set = NVP_SET_FULL });
		nr = frames(&p, at, type, 400);
		while (f < nr && cycle <= want)
			cycle += type[f++] == NVP_FRAME_CYCLE;
		CU_ASSERT_EQUAL_FATAL(cycle, want + 1);
		CU_ASSERT_EQUAL(type[f - 2], NVP_FRAME_SETTLED);
		write_journal(&p, at[f - 1]); /* up to the cycle that has that window */
		run(p.address, &p.options, &told);
		CU_ASSERT_EQUAL(told.rc, 0);
		CU_ASSERT_EQUAL(told.nr_fails, 0);
		CU_ASSERT_EQUAL(told.first, want - 1);
		cuts += told.nr_cycles;
		drop(&p);
	}
	CU_ASSERT_EQUAL(cuts, 6); /* each: one looked at again, one done */
}

static void what_does_not_belong_to_it_is_refused(void)
{
	static const struct {
		struct nvp_campaign_options options;
		const char *serial;
		enum nvp_err_kind kind;
	} rows[] = {
		{ { .seed = 9 }, "OTHER", NVP_ERR_REFUSED },
		{ { .seed = 10 }, "", NVP_ERR_USAGE },
		{ { .seed = 9, .rules = "ocp" }, "", NVP_ERR_USAGE },
		{ { .seed = 9, .policy = "strict" }, "", NVP_ERR_USAGE },
		{ { .seed = 9, .nsid = 2 }, "", NVP_ERR_USAGE },
		{ { .seed = 9, .first_lba = 1, .nr_lbas = 3 }, "", NVP_ERR_USAGE },
	};
	struct nvp_campaign_options same = { .seed = 9, .rules = "client-vwc", .nsid = 1 };
	struct nvp_err err = { 0 };
	struct place p;

	make(&p, (struct nvp_campaign_options){ .seed = 9 });
	same.resume = p.journal;
	CU_ASSERT_EQUAL(nvp_campaign_resume_check(&same, "", NULL, &err), 0);
	for (unsigned i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_campaign_options o = rows[i].options;

		o.resume = p.journal;
		err = (struct nvp_err){ 0 };
		CU_ASSERT(nvp_campaign_resume_check(&o, rows[i].serial, NULL, &err) < 0);
		CU_ASSERT_EQUAL(err.kind, rows[i].kind);
	}
	write_journal(&p, 4);
	err = (struct nvp_err){ 0 };
	CU_ASSERT(nvp_campaign_resume_check(&same, "", NULL, &err) < 0);
	drop(&p);
}

CU_TestInfo nvp_unit_resume[] = {
	{ "a tail is torn at every byte", a_tail_is_torn_at_every_byte },
	{ "a journal without its end accuses nobody", a_journal_without_its_end_accuses_nobody },
	{ "damage gives no verdict and says what stands",
	  damage_gives_no_verdict_and_says_what_stands },
	{ "damage is told by the campaign", damage_is_told_by_the_campaign },
	{ "a finished campaign is looked at once more", a_finished_campaign_is_looked_at_once_more },
	{ "a window that moved is not mixed up", a_window_that_moved_is_not_mixed_up },
	{ "what does not belong to it is refused", what_does_not_belong_to_it_is_refused },
	CU_TEST_INFO_NULL,
};
