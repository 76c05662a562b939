// SPDX-License-Identifier: GPL-2.0-or-later
// The tale of a cycle that failed, in about ten lines: what the block held, what was done, and what
// is there now.

#include "power/replay.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "power/ledger.h"

#define OPS_TOLD 5u
#define CONTENTS_TOLD 3u

static const char *rule_text(enum nvp_oracle_rule rule)
{
	static const char *const texts[] = {
		[NVP_ORACLE_D1] = "no volatile cache was on",
		[NVP_ORACLE_D2] = "it had Force Unit Access",
		[NVP_ORACLE_D3] = "a Flush succeeded that was given after it was acknowledged",
		[NVP_ORACLE_D4] = "a shutdown begun after it was seen complete",
		[NVP_ORACLE_D5] = "the cache was switched off after it",
		[NVP_ORACLE_D6] = "the drive is claimed to protect against power loss",
		[NVP_ORACLE_D7] = "a read with Force Unit Access succeeded after it",
		[NVP_ORACLE_NO_LOSS] = "power was never lost",
	};

	return (unsigned)rule < NVP_ARRAY_SIZE(texts) ? texts[rule] : NULL;
}

static bool touches(const struct nvp_op *op, uint32_t block)
{
	return op->kind <= NVP_ORACLE_COPY && block >= op->block &&
	       block - op->block <= op->nlb_z;
}

/* What has to do with the block: operations there, what was copied from there, flushes. */
static bool matters(const struct nvp_op *op, uint32_t block)
{
	return block == UINT32_MAX || op->kind == NVP_ORACLE_FLUSH || touches(op, block) ||
	       (op->kind == NVP_ORACLE_COPY && block >= op->source &&
		block - op->source <= op->nlb_z);
}

static void tell_op(const struct nvp_failed_cycle *f, uint32_t i, struct nvp_text *out)
{
	const struct nvp_history_op *h = &f->ops[i];
	const struct nvp_op *op = &h->op;

	nvp_text_addf(out, "  %-7" PRIu32 "%s", i + 1, nvp_replay_op_word(op->kind));
	if (op->kind == NVP_ORACLE_READ_FUA)
		nvp_text_add(out, " with FUA");
	if (op->kind <= NVP_ORACLE_READ_FUA)
		nvp_text_addf(out, " of LBA %" PRIu64 ", %u block%s", f->first_lba + op->block,
			      op->nlb_z + 1u, op->nlb_z ? "s" : "");
	if (op->beyond)
		nvp_text_addf(out, " and %u behind the end of the namespace", op->beyond);
	if (op->kind == NVP_ORACLE_COPY)
		nvp_text_addf(out, " from LBA %" PRIu64, f->first_lba + op->source);
	if (op->fua)
		nvp_text_add(out, ", FUA");
	if (op->cache)
		nvp_text_add(out, op->cache == NVP_SWITCH_ON ? ", the cache switched on before" :
							       ", the cache switched off before");
	if (op->wrong_compare)
		nvp_text_add(out, ", compared with what is not there");
	if (f->queues > 1)
		nvp_text_addf(out, ", queue %u", op->queue);
	nvp_text_addf(out, ": given at %" PRIu64, h->sub);
	if (!h->ack)
		nvp_text_add(out, ", not acknowledged\n");
	else if (h->sct || h->sc)
		nvp_text_addf(out, ", refused at %" PRIu64 " with %u/%02xh\n", h->ack, h->sct,
			      h->sc);
	else
		nvp_text_addf(out, ", acknowledged at %" PRIu64 "%s\n", h->ack,
			      h->late ? " (found after the cut)" : "");
}

static void tell_ops(const struct nvp_failed_cycle *f, uint32_t block, struct nvp_text *out)
{
	uint32_t all = 0, told = 0;

	for (uint32_t i = 0; i < f->nr_ops; i++)
		all += f->ops[i].posted && matters(&f->ops[i].op, block);
	for (uint32_t i = 0, k = 0; i < f->nr_ops; i++) {
		if (!f->ops[i].posted || !matters(&f->ops[i].op, block))
			continue;
		/* the last of them: what is lost is one of these */
		if (k++ + OPS_TOLD < all)
			continue;
		if (!told++ && all > OPS_TOLD)
			nvp_text_addf(out, "  ...    %" PRIu32 " operations before\n",
				      all - OPS_TOLD);
		tell_op(f, i, out);
	}
}

void nvp_replay_tell_admin(const struct nvp_failed_cycle *f, struct nvp_text *out)
{
	const struct nvp_failed_admin *admin = &f->admin;

	if (!admin->given)
		return;
	nvp_text_addf(out, "  %-7s%s, CDW10 %" PRIx32 "h: ", "admin",
		      nvp_opcode_name(true, admin->opcode), admin->dw10);
	if (f->cut.command_ns)
		nvp_text_addf(out, "given %" PRIu64 " ns after the off command, ",
			      f->cut.command_ns);
	nvp_text_add(out, admin->acked	 ? "acknowledged\n" :
			  admin->refused ? "refused\n" :
					   "not acknowledged\n");
}

static void tell_cut(const struct nvp_failed_cycle *f, struct nvp_text *out)
{
	const struct nvp_cut *cut = &f->cut;

	nvp_text_addf(out, "  %-7s", cut->is_reset ? "reset" : "cut");
	if (cut->is_reset)
		nvp_text_addf(out, "%s reset, ", nvp_replay_reset_word(cut->reset));
	if (cut->clean)
		nvp_text_addf(out, "after a complete %s shutdown",
			      cut->abrupt ? "abrupt" : "normal");
	else if (f->admin.given && !cut->command_ns)
		nvp_text_addf(out, "%" PRIu64 " ns after the admin command was given",
			      cut->delay_ns);
	else if (cut->after_ops)
		nvp_text_addf(out, "%" PRIu64 " ns after operation %" PRIu32 " was given",
			      cut->delay_ns, cut->after_ops);
	else
		nvp_text_addf(out, "armed before the first operation, %" PRIu64 " ns to go",
			      cut->delay_ns);
	nvp_text_addf(out, ", phase %s%s\n", nvp_phase_name(f->phase),
		      cut->more_cuts ? ", and cut again before the drive was ready" : "");
}

static uint32_t op_number(const struct nvp_failed_cycle *f, uint32_t oracle_op)
{
	for (uint32_t i = 0; i < f->nr_ops; i++)
		if (f->ops[i].posted && f->ops[i].oracle_op == oracle_op)
			return i + 1;
	return 0;
}

static void tell_content(const struct nvp_failed_cycle *f,
			 const struct nvp_oracle_content *content, struct nvp_text *out)
{
	switch (content->what) {
	case NVP_ORACLE_OLD:
		nvp_text_add(out, "what it held before");
		return;
	case NVP_ORACLE_DATA:
		nvp_text_addf(out, "data of operation %" PRIu32, op_number(f, content->op));
		return;
	case NVP_ORACLE_ZEROES:
		nvp_text_add(out, "zeroes");
		return;
	case NVP_ORACLE_ONES:
		nvp_text_add(out, "ones");
		return;
	case NVP_ORACLE_UNC:
		nvp_text_add(out, "a read error");
		return;
	default:
		nvp_text_add(out, "deallocated");
	}
}

/* Numbers in a version are of the run; the tale numbers the operations of its cycle. */
static void tell_version(const struct nvp_failed_cycle *f, uint64_t version, uint64_t was,
			 struct nvp_text *out)
{
	enum nvp_version_what what = nvp_version_what(version);
	bool ours = what == NVP_VERSION_STAMP || what == NVP_VERSION_MOVED;
	uint64_t seq = ours ? nvp_version_seq(version) : 0;
	char text[48];

	if (version == was)
		nvp_text_add(out, "what it held before");
	else if (ours && seq >= f->seq && seq - f->seq < f->nr_ops)
		nvp_text_addf(out, "data of operation %" PRIu64, seq - f->seq + 1);
	else if (ours)
		nvp_text_add(out, "data from before the cycle");
	else
		nvp_text_add(out, nvp_version_text(version, text));
	if (what == NVP_VERSION_MOVED)
		nvp_text_addf(out, " for LBA %" PRIu64, f->first_lba + nvp_version_home(version));
}

static void tell_block(const struct nvp_failed_cycle *f, const struct nvp_history_block *b,
		       struct nvp_text *out)
{
	struct nvp_oracle_content allowed[CONTENTS_TOLD];
	uint32_t nr = nvp_oracle_allowed(f->oracle, b->seen.block, allowed, CONTENTS_TOLD);
	const char *rule = rule_text(b->finding.rule);

	nvp_text_addf(out, "  %-7sLBA %" PRIu64 " holds ", "after", f->first_lba + b->seen.block);
	tell_version(f, b->data, b->was, out);
	nvp_text_addf(out, "%s%s\n", b->seen.pi_bad ? nvp_lb_meta_text(b->meta) : "",
		      b->seen.reread_differs ? ", and at another read something else" : "");
	nvp_text_addf(out, "  %-7s", "allowed");
	for (uint32_t i = 0; i < nr && i < CONTENTS_TOLD; i++) {
		nvp_text_add(out, i ? ", or " : " ");
		tell_content(f, &allowed[i], out);
	}
	nvp_text_addf(out, "%s\n", nr > CONTENTS_TOLD ? ", or older" : "");
	if (rule && b->finding.op != UINT32_MAX)
		nvp_text_addf(out, "  %-7soperation %" PRIu32 " was durable: %s\n", "rule",
			      op_number(f, b->finding.op), rule);
	nvp_text_addf(out, "  %-7s%s\n", "source", nvp_class_source(b->finding.class));
}

/* What the cycles before did to the block: an operation of each stands for the others. */
static void tell_past(const struct nvp_failed_cycle *f, uint32_t block, struct nvp_text *out)
{
	for (uint32_t n = f->nr_past; n > 0; n--) {
		const struct nvp_past_cycle *past = &f->past[n - 1];
		const struct nvp_op *op = NULL;

		for (uint32_t i = 0; i < past->nr_ops; i++)
			if (!op || touches(&past->ops[i], block))
				op = &past->ops[i];
		nvp_text_addf(out, "  %-7s%s", "past", nvp_replay_op_word(op->kind));
		if (op->kind <= NVP_ORACLE_READ_FUA)
			nvp_text_addf(out, " of LBA %" PRIu64 ", %u block%s",
				      f->first_lba + op->block, op->nlb_z + 1u,
				      op->nlb_z ? "s" : "");
		if (past->nr_ops > 1)
			nvp_text_addf(out, " and %" PRIu32 " more", past->nr_ops - 1);
		nvp_text_addf(out, ", then a %s\n", f->cut.is_reset ? "reset" : "cut");
	}
}

/* What is wrong with the drive, or with blocks that no cycle writes. */
static void tell_said(const struct nvp_failed_cycle *f, uint8_t class_id, struct nvp_text *out)
{
	const char *source = nvp_class_source((enum nvp_class)class_id);

	for (uint32_t i = 0; i < f->nr_said; i++) {
		if (f->said[i].class_id != class_id)
			continue;
		nvp_text_addf(out, "  %-7s%s\n", "after", f->said[i].text);
		source = f->said[i].source;
	}
	nvp_text_addf(out, "  %-7s%s\n", "source", source);
}

void nvp_replay_story(const struct nvp_failed_cycle *f, uint8_t class_id, struct nvp_text *out)
{
	const struct nvp_history_block *b = NULL;

	for (uint32_t i = 0; !b && i < f->nr_blocks; i++)
		if (f->blocks[i].finding.class == class_id &&
		    f->blocks[i].finding.severity == NVP_SEVERITY_FAIL)
			b = &f->blocks[i];
	nvp_text_addf(out, "%s in %" PRIu32 " operation%s",
		      nvp_class_name((enum nvp_class)class_id), f->nr_ops,
		      f->nr_ops == 1 ? "" : "s");
	if (f->nr_past)
		nvp_text_addf(out, ", after %" PRIu32 " cycle%s in which all was right", f->nr_past,
			      f->nr_past == 1 ? "" : "s");
	nvp_text_add(out, "\n");
	tell_past(f, b ? b->seen.block : UINT32_MAX, out);
	if (b) {
		nvp_text_addf(out, "  %-7sLBA %" PRIu64 " held ", "before",
			      f->first_lba + b->seen.block);
		tell_version(f, b->was, UINT64_MAX, out);
		nvp_text_add(out, "\n");
	}
	tell_ops(f, b ? b->seen.block : UINT32_MAX, out);
	nvp_replay_tell_admin(f, out);
	tell_cut(f, out);
	if (b)
		tell_block(f, b, out);
	else
		tell_said(f, class_id, out);
}
