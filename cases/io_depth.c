// SPDX-License-Identifier: GPL-2.0-or-later
// Read and Write with many commands under way: each moves its own data.

#include "cases/common.h"

#define COMMANDS 32
#define REGION_LBAS (COMMANDS / 4 * (1 + 2 + 3 + 4))

struct batch {
	struct case_region region;
	struct nvp_buf *data, *seen;
	unsigned nr;
	uint16_t cid[COMMANDS];
};

static bool batch_new(struct nvp_t *t, struct batch *b)
{
	uint32_t room = nvp_sq_entries(nvp_io_sq(nvp_t_drive(t))) - 1;

	*b = (struct batch){ .nr = room < COMMANDS ? room : COMMANDS };
	if (!case_region(t, REGION_LBAS, &b->region))
		return false;
	b->data = nvp_t_buf(t, (size_t)REGION_LBAS * b->region.lba_bytes);
	b->seen = nvp_t_buf(t, (size_t)REGION_LBAS * b->region.lba_bytes);
	return b->data && b->seen;
}

/* Command i: 1, 2, 3, 4, 1, .. blocks behind those of the command before. */
static uint32_t first_of(unsigned i)
{
	return i / 4 * (1 + 2 + 3 + 4) + i % 4 * (i % 4 + 1) / 2;
}

static uint32_t lbas_of(struct nvp_t *t, unsigned i)
{
	uint32_t most = case_max_lbas(t), lbas = i % 4 + 1;

	return lbas < most ? lbas : most;
}

/* At the same place of the buffer. */
static bool give(struct nvp_t *t, struct batch *b, uint8_t opcode, unsigned i)
{
	uint32_t first = first_of(i), lbas = lbas_of(t, i);
	struct nvp_cmd cmd;

	cmd = case_transfer(opcode, &b->region, first, lbas,
			    opcode == NVP_IO_READ ? b->seen : b->data);
	cmd.data_offset = (size_t)first * b->region.lba_bytes;
	return CASE_TRAVELS(t, nvp_submit(nvp_io_sq(nvp_t_drive(t)), &cmd, &b->cid[i]));
}

/* All of them at once, in an order by the seed; then wait for each, the last given first. */
static bool all_at_once(struct nvp_t *t, struct batch *b, uint8_t opcode, unsigned round)
{
	uint32_t shift = (uint32_t)(nvp_t_rand(t, "shift", round) % b->nr);
	struct nvp_sq *sq = nvp_io_sq(nvp_t_drive(t));
	struct nvp_cpl cpl;

	for (unsigned i = 0; i < b->nr; i++)
		if (!give(t, b, opcode, (i + shift) % b->nr))
			return false;
	if (!CASE_TRAVELS(t, nvp_ring_tail(sq)))
		return false;
	for (unsigned i = b->nr; i-- > 0;)
		if (!CASE_TRAVELS(t, nvp_wait_cid(sq, b->cid[(i + shift) % b->nr], &cpl)) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
	return true;
}

/*
 * QUE-17. Commands of different lengths, side by side and given together: what is written is there,
 * and what is read is the blocks that were asked for. The second round overwrites the first.
 */
static void commands_at_once_keep_their_data(struct nvp_t *t)
{
	struct batch b;

	if (!batch_new(t, &b))
		return;
	for (unsigned round = 0; round < 2; round++) {
		uint64_t key = nvp_t_rand(t, "key", round);
		uint32_t bytes = b.region.lba_bytes;

		nvp_buf_fill_pattern(b.data, key);
		nvp_buf_fill(b.seen, 0xee);
		if (!all_at_once(t, &b, NVP_IO_WRITE, 2 * round) ||
		    !all_at_once(t, &b, NVP_IO_READ, 2 * round + 1))
			return;
		for (unsigned i = 0; i < b.nr; i++) {
			size_t offset = (size_t)first_of(i) * bytes;
			int64_t at = nvp_buf_pattern_mismatch(b.seen, key, offset,
							      (size_t)lbas_of(t, i) * bytes);

			nvp_check(t, at < 0, "round %u, command %u of %u: LBA %llu is not what was "
				  "written", round, i, b.nr,
				  (unsigned long long)(b.region.slba + (at < 0 ? 0 : at / bytes)));
		}
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "io.commands-at-once-keep-their-data",
		.title = "Writes and reads that are under way together move each its own data",
		.spec = { "NVM Command Set", "1.0", "3.2.6", NULL },
		.rows = NVP_LIST("QUE-17"),
		.needs = NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA | NVP_NEED_DEPTH,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("read-mixed-at-depth"),
		.run = commands_at_once_keep_their_data,
	},
};

NVP_SUITE(io_depth, cases);
