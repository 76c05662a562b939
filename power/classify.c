// SPDX-License-Identifier: GPL-2.0-or-later
// What a block that was read is taken for: which operation of which cycle, or what else.

#include "power/engine.h"

static bool has_copies(const struct nvp_camp *c)
{
	for (uint32_t i = 0; i < c->nr_ops; i++)
		if (c->ops[i].op.kind == NVP_ORACLE_COPY)
			return true;
	return false;
}

/* A stamp of this cycle: the operation that wrote it, if it was ever given and has this block. */
static void of_this_cycle(const struct nvp_camp *c, uint64_t seq, uint32_t home,
			  struct nvp_oracle_seen *seen)
{
	uint64_t i = seq - c->seq;
	const struct nvp_history_op *h = i < c->nr_ops ? &c->ops[i] : NULL;

	if (!h || !h->posted || home < h->op.block || home > h->op.block + h->op.nlb_z) {
		seen->form = NVP_ORACLE_UNKNOWN_SEQ;
		return;
	}
	seen->form = NVP_ORACLE_HOLDS;
	seen->content = (struct nvp_oracle_content){ NVP_ORACLE_DATA, h->oracle_op, home };
}

static void old(struct nvp_oracle_seen *seen, uint32_t block)
{
	seen->form = NVP_ORACLE_HOLDS;
	seen->content = (struct nvp_oracle_content){ .what = NVP_ORACLE_OLD, .block = block };
}

static void stamped(const struct nvp_camp *c, const struct nvp_camp_read *read, uint32_t block,
		    struct nvp_oracle_seen *seen)
{
	uint64_t seq = nvp_version_seq(read->data);
	bool is_moved = nvp_version_what(read->data) == NVP_VERSION_MOVED;
	uint32_t home = is_moved ? nvp_version_home(read->data) : block;

	if (read->data == c->ledger[block])
		old(seen, block);
	else if (seq >= c->seq)
		of_this_cycle(c, seq, home, seen);
	else if (is_moved && has_copies(c) &&
		 c->ledger[home] == nvp_version(NVP_VERSION_STAMP, seq))
		old(seen, home);
	else
		seen->form = is_moved ? NVP_ORACLE_OTHER_LBA : NVP_ORACLE_OTHER_RUN;
	if (is_moved && seen->form == NVP_ORACLE_UNKNOWN_SEQ)
		seen->form = NVP_ORACLE_OTHER_LBA;
}

void nvp_camp_classify(const struct nvp_camp *c, const struct nvp_camp_read *read, uint32_t block,
		       struct nvp_oracle_seen *seen)
{
	*seen = (struct nvp_oracle_seen){ .block = block, .form = read->form };
	if (read->meta_bad && read->version == c->ledger[block]) {
		old(seen, block); /* said when it was found */
		return;
	}
	seen->pi_bad = read->meta_bad;
	switch (nvp_version_what(read->data)) {
	case NVP_VERSION_STAMP:
	case NVP_VERSION_MOVED:
		stamped(c, read, block, seen);
		break;
	case NVP_VERSION_ZEROES:
		seen->content.what = NVP_ORACLE_ZEROES;
		break;
	case NVP_VERSION_ONES:
		seen->content.what = NVP_ORACLE_ONES;
		break;
	case NVP_VERSION_UNC:
		seen->content.what = NVP_ORACLE_UNC;
		break;
	case NVP_VERSION_UNMAPPED:
		seen->content.what = NVP_ORACLE_UNMAPPED;
		break;
	default:
		if (read->data == c->ledger[block])
			old(seen, block);
	}
	seen->content.block = seen->content.what >= NVP_ORACLE_ZEROES ? block :
									 seen->content.block;
}
