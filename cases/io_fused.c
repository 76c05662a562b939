// SPDX-License-Identifier: GPL-2.0-or-later
// Fused Compare and Write: both or none, and nobody between them.

#include "cases/common.h"

#define CASE_MISSING NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_FUSED_MISSING })
#define NR_PAIRS 6

/* One block, its content, and a buffer for what is written. */
struct fused {
	struct case_written w;
	struct nvp_buf *next;
};

static bool fused_new(struct nvp_t *t, struct fused *f)
{
	if (!(nvp_t_facts(t)->ctrl.fuses & 1)) {
		nvp_skip_at(t, __FILE__, __LINE__, "FUSES does not claim Compare and Write");
		return false;
	}
	if (!case_written_new(t, 2, &f->w))
		return false;
	f->next = nvp_t_buf(t, NR_PAIRS * (size_t)f->w.region.lba_bytes);
	if (!f->next)
		return false;
	nvp_buf_fill_pattern(f->next, ~f->w.key);
	return true;
}

/* Block 0 of the region; for a write: block n of next. */
static struct nvp_cmd first_half(struct fused *f)
{
	struct nvp_cmd cmd = case_transfer(NVP_IO_COMPARE, &f->w.region, 0, 1, f->w.data);

	nvp_cmd_set_fuse(&cmd, 1);
	return cmd;
}

static struct nvp_cmd second_half(struct fused *f, unsigned n)
{
	struct nvp_cmd cmd = case_transfer(NVP_IO_WRITE, &f->w.region, 0, 1, f->next);

	cmd.data_offset = n * (size_t)f->w.region.lba_bytes;
	nvp_cmd_set_fuse(&cmd, 2);
	return cmd;
}

/* Commands that one doorbell exposes, and their completions. */
static bool send_together(struct nvp_t *t, const struct nvp_cmd *cmd, unsigned nr,
			  struct nvp_cpl *cpl)
{
	struct nvp_sq *sq = nvp_io_sq(nvp_t_drive(t));
	uint16_t cid[2 * NR_PAIRS];

	for (unsigned i = 0; i < nr; i++)
		if (!CASE_TRAVELS(t, nvp_submit(sq, &cmd[i], &cid[i])))
			return false;
	if (!CASE_TRAVELS(t, nvp_ring_tail(sq)))
		return false;
	for (unsigned i = 0; i < nr; i++)
		if (!CASE_TRAVELS(t, nvp_wait_cid(sq, cid[i], &cpl[i])))
			return false;
	return true;
}

/* Does block 0 hold block n of next? */
static bool holds_next(struct nvp_t *t, struct fused *f, unsigned n, bool *holds)
{
	size_t bytes = f->w.region.lba_bytes;

	if (!case_read(t, &f->w.region, 0, 1, f->w.seen))
		return false;
	*holds = !memcmp(nvp_buf_data(f->w.seen), nvp_buf_data(f->next) + n * bytes, bytes);
	return true;
}

/*
 * IOC-22. Where the data is equal both halves succeed and the block is written. Where it differs
 * the first gives Compare Failure, the second Failed Fused Command, and the block stays.
 */
static void compare_decides_about_the_write(struct nvp_t *t)
{
	struct nvp_cmd pair[2];
	struct nvp_cpl cpl[2];
	struct fused f;
	bool holds;

	if (!fused_new(t, &f))
		return;
	pair[0] = first_half(&f);
	pair[1] = second_half(&f, 0);
	nvp_buf_data(f.w.data)[17] ^= 0x40;
	if (!send_together(t, pair, 2, cpl))
		return;
	nvp_check_status(t, &cpl[0], NVP_ANY({ NVP_SCT_MEDIA, NVP_SC_COMPARE_FAILURE }));
	nvp_check_status(t, &cpl[1], NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_FUSED_FAILED }));
	nvp_buf_data(f.w.data)[17] ^= 0x40;
	if (!case_written_holds(t, &f.w, 0, 2) || !send_together(t, pair, 2, cpl))
		return;
	CASE_OK(t, &cpl[0]);
	CASE_OK(t, &cpl[1]);
	if (!holds_next(t, &f, 0, &holds))
		return;
	nvp_check(t, holds, "block %llu does not hold what the fused write wrote",
		  (unsigned long long)f.w.region.slba);
	case_written_holds(t, &f.w, 1, 1);
}

/* IOC-22. One half without the other is aborted, whatever stands around it, and changes nothing. */
static void halves_alone_are_refused(struct nvp_t *t)
{
	struct nvp_cmd cmd[2];
	struct nvp_cpl cpl[2];
	struct fused f;

	if (!fused_new(t, &f))
		return;
	cmd[0] = first_half(&f);
	if (!send_together(t, cmd, 1, cpl))
		return;
	nvp_check_status(t, &cpl[0], CASE_MISSING);
	cmd[0] = second_half(&f, 0);
	if (!send_together(t, cmd, 1, cpl))
		return;
	nvp_check_status(t, &cpl[0], CASE_MISSING);
	cmd[0] = first_half(&f);
	cmd[1] = case_transfer(NVP_IO_READ, &f.w.region, 0, 1, f.w.seen);
	if (!send_together(t, cmd, 2, cpl))
		return;
	nvp_check_status(t, &cpl[0], CASE_MISSING);
	CASE_OK(t, &cpl[1]);
	case_written_holds(t, &f.w, 0, 2);
}

/*
 * IOC-22. Halves that name different blocks, and halves that are no Compare and Write, had better
 * give Invalid Field (no revision says shall); where they do, nothing was written.
 */
static void halves_have_to_match(struct nvp_t *t)
{
	struct nvp_cmd pair[2];
	struct nvp_cpl cpl[2];
	struct fused f;

	if (!fused_new(t, &f))
		return;
	for (unsigned i = 0; i < 2; i++) {
		pair[0] = first_half(&f);
		pair[1] = second_half(&f, 0);
		if (!i)
			nvp_sqe_set_qw(&pair[1].sqe, 10, f.w.region.slba + 1);
		else
			pair[0].sqe.bytes[0] = NVP_IO_WRITE;	/* of what is there already */
		if (!send_together(t, pair, 2, cpl))
			return;
		nvp_check_status_by(t, CASE_SHOULD, &cpl[0], CASE_INVALID_FIELD);
		if (nvp_cpl_ok(&cpl[1])) {
			nvp_note(t, "the drive carried out a pair that does not match");
			continue;
		}
		if (!case_written_holds(t, &f.w, 0, 2))
			return;
	}
}

/*
 * IOC-22. Pairs that wait together and all compare with the same old data: as each pair is one
 * atomic operation, the first of them changes the block and no other finds the old data.
 */
static void one_of_many_pairs_succeeds(struct nvp_t *t)
{
	struct nvp_cmd cmd[2 * NR_PAIRS];
	struct nvp_cpl cpl[2 * NR_PAIRS];
	unsigned good = 0, last = 0;
	struct fused f;
	bool holds;

	if (!fused_new(t, &f))
		return;
	if (nvp_sq_entries(nvp_io_sq(nvp_t_drive(t))) <= 2 * NR_PAIRS)
		nvp_skip(t, "the queue is too small for %u pairs", NR_PAIRS);
	for (unsigned i = 0; i < NR_PAIRS; i++) {
		cmd[2 * i] = first_half(&f);
		cmd[2 * i + 1] = second_half(&f, i);
	}
	if (!send_together(t, cmd, 2 * NR_PAIRS, cpl))
		return;
	for (unsigned i = 0; i < NR_PAIRS; i++) {
		if (nvp_cpl_ok(&cpl[2 * i + 1])) {
			good++;
			last = i;
		}
	}
	nvp_check_eq(t, good, 1);
	if (!good || !holds_next(t, &f, last, &holds))
		return;
	nvp_check(t, holds, "pair %u succeeded and block %llu does not hold its data", last,
		  (unsigned long long)f.w.region.slba);
}

#define FUSED_NEEDS (NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA | NVP_NEED_QUEUES)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "io.fused-compare-decides-about-the-write",
		.title = "The write of a fused pair is done when the compare succeeds, and only "
			 "then",
		.spec = { "NVMe Base", "2.0", "3.4.2", NULL },
		.rows = NVP_LIST("IOC-22"),
		.needs = FUSED_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("fused-writes-after-miscompare", "fused-write-lost",
				    "fused-second-wrong-status", "compare-always-equal",
				    "compare-wrong-status"),
		.run = compare_decides_about_the_write,
	}, {
		NVP_CASE,
		.id = "io.fused-halves-alone-are-refused",
		.title = "One half of a fused pair gives Missing Fused Command and does nothing",
		.spec = { "NVMe Base", "2.0", "3.4.2", "Missing Fused Command" },
		.rows = NVP_LIST("IOC-22"),
		.needs = FUSED_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("fused-first-alone-accepted", "fused-second-alone-accepted"),
		.run = halves_alone_are_refused,
	}, {
		NVP_CASE,
		.id = "io.fused-halves-have-to-match",
		.title = "Halves of different blocks or of the wrong commands are refused",
		.spec = { "NVMe Base", "2.0", "3.4.2", NULL },
		.rows = NVP_LIST("IOC-22"),
		.needs = FUSED_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("fused-range-unchecked", "fused-opcodes-unchecked"),
		.run = halves_have_to_match,
	}, {
		NVP_CASE,
		.id = "io.fused-one-of-many-pairs-succeeds",
		.title = "Of pairs that compare with the same old data exactly one succeeds",
		.spec = { "NVM Command Set", "1.0", "2.1.3", "ACWU" },
		.rows = NVP_LIST("IOC-22", "IOC-20"),
		.needs = FUSED_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("fused-not-atomic", "fused-write-lost"),
		.run = one_of_many_pairs_succeeds,
	},
};

NVP_SUITE(io_fused, cases);
