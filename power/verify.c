// SPDX-License-Identifier: GPL-2.0-or-later
// After recovery: what is read, what is said of it, and what counts from now on.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "power/engine.h"
#include "power/oracle_impl.h"

#define ACROSS_SAMPLE 32u /* blocks a cycle that are looked up in another namespace */
#define COLD_SAMPLE 16u /* blocks a cycle that nothing touched */

/* ---- which blocks ---- */

static void mark(struct nvp_camp *c, bool deallocations, uint8_t set, uint8_t clear)
{
	for (uint32_t i = 0; i < c->nr_ops; i++) {
		const struct nvp_op *op = &c->ops[i].op;

		if (op->kind > NVP_ORACLE_COPY ||
		    (deallocations && op->kind != NVP_ORACLE_DEALLOCATE))
			continue;
		for (uint32_t b = op->block; b <= op->block + op->nlb_z; b++)
			c->flags[b] = (uint8_t)((c->flags[b] & ~clear) | set);
	}
}

static void mark_touched(struct nvp_camp *c)
{
	mark(c, false, NVP_CAMP_FLAG_TOUCHED, NVP_CAMP_FLAG_TRIMMED);
	mark(c, true, NVP_CAMP_FLAG_TRIMMED, 0);
}

static void mark_sample(struct nvp_camp *c)
{
	for (uint32_t i = 0; i < COLD_SAMPLE; i++) {
		uint64_t block =
			nvp_rand_below(c->seed, "cold", c->cycle, i, c->facts.nr_blocks);

		c->flags[block] |= NVP_CAMP_FLAG_SAMPLED;
	}
}

static int choose(struct nvp_camp *c, bool everything, struct nvp_camp_read *reads)
{
	const uint8_t wanted = NVP_CAMP_FLAG_TOUCHED | NVP_CAMP_FLAG_RECENT |
			       NVP_CAMP_FLAG_SAMPLED;
	uint32_t nr = 0;

	for (uint32_t b = 0; b < c->facts.nr_blocks; b++)
		if (everything || c->flags[b] & wanted)
			reads[nr++].lba = c->first_lba + b;
	return (int)nr;
}

/* ---- two readings of one block ---- */

static bool looks_unmapped(uint64_t version)
{
	enum nvp_version_what what = nvp_version_what(version);

	return what == NVP_VERSION_ZEROES || what == NVP_VERSION_ONES ||
	       what == NVP_VERSION_UNMAPPED;
}

/*
 * The second reading of a block. A deallocation may be taken between the two (data, then
 * deallocated: it counts as it is now); everything else has to be the same.
 */
static void compare_readings(struct nvp_camp *c, const struct nvp_camp_read *first,
			     const struct nvp_camp_read *second, struct nvp_history_block *b)
{
	bool late = !looks_unmapped(first->version) && looks_unmapped(second->version) &&
		    c->flags[b->seen.block] & NVP_CAMP_FLAG_TRIMMED &&
		    !(b->cold && looks_unmapped(b->was));

	if (nvp_version_what(first->version) == NVP_VERSION_UNC &&
	    nvp_version_what(second->version) == NVP_VERSION_UNC)
		b->seen.recurs = true;
	if (first->version == second->version && first->form == second->form)
		return;
	nvp_camp_classify(c, second, b->seen.block, &b->seen);
	b->is = second->version;
	b->data = second->data;
	b->meta = second->meta;
	b->seen.reread_differs = !late;
	b->late = late;
}

/* One that was deallocated late stays so: a third reading. */
static int read_late_again(struct nvp_camp *c)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < c->nr_blocks; i++) {
		struct nvp_history_block *b = &c->blocks[i];
		struct nvp_camp_read read = { .lba = c->first_lba + b->seen.block };

		if (!b->late)
			continue;
		rc = nvp_camp_read(c, c->nsid, &read, 1);
		b->seen.reread_differs = read.version != b->is;
	}
	return rc;
}

/* Some of what the cycle touched; others in each cycle. */
static uint32_t sample_touched(const struct nvp_camp *c, struct nvp_camp_read *reads)
{
	uint32_t touched = 0, nr = 0;

	for (uint32_t i = 0; i < c->nr_blocks; i++)
		touched += !c->blocks[i].cold;
	for (uint32_t i = 0; i < c->nr_blocks && nr < ACROSS_SAMPLE; i++)
		if (!c->blocks[i].cold &&
		    nvp_rand_below(c->seed, "across", c->cycle, i, touched) < ACROSS_SAMPLE)
			reads[nr++].lba = c->first_lba + c->blocks[i].seen.block;
	return nr;
}

/* What was written to one namespace stands at the same place of no other. */
static int look_across(struct nvp_camp *c)
{
	const struct nvp_facts *facts = nvp_drive_facts(c->drive);
	struct nvp_finding finding = nvp_judge_again(NVP_JUDGE_COLD, true, false, false);
	struct nvp_camp_read reads[ACROSS_SAMPLE];
	uint32_t nr = sample_touched(c, reads);
	int rc = 0;

	finding.class = NVP_CLASS_CROSS_NS;
	for (unsigned n = 0; !rc && nr && n < facts->nr_ns; n++) {
		const struct nvp_ns *ns = &facts->ns[n];
		struct nvp_lb_format format = nvp_lb_format_of(ns);

		if (ns->nsid == c->nsid || !nvp_lb_same_format(&format, &c->format) ||
		    ns->id.nsze_lbas <= reads[nr - 1].lba)
			continue;
		rc = nvp_camp_read(c, ns->nsid, reads, nr);
		for (uint32_t i = 0; !rc && i < nr; i++) {
			if (reads[i].form != NVP_ORACLE_OTHER_NS)
				continue;
			c->record.classes[finding.class]++;
			nvp_camp_say(c, &finding, ns->nsid, reads[i].lba, 1,
				     "namespace %u LBA %llu holds operation %llu of namespace %u",
				     ns->nsid, (unsigned long long)reads[i].lba,
				     (unsigned long long)reads[i].found.stamp.seq, c->nsid);
			break;
		}
		break; /* one other stands for all */
	}
	return rc;
}

/* ---- what is said of it ---- */

/* A block that no operation of this cycle touches is not lost but changed: P2, P3. */
static void judge_cold(const struct nvp_camp *c, struct nvp_history_block *b)
{
	uint8_t flags = c->flags[b->seen.block];
	bool trimmed = flags & NVP_CAMP_FLAG_TRIMMED;
	enum nvp_class class = b->finding.class;

	if (!b->cold || b->finding.severity != NVP_SEVERITY_FAIL ||
	    (b->seen.form && b->seen.form != NVP_ORACLE_OTHER_RUN) ||
	    (class == NVP_CLASS_LOST_TO_UNMAP && flags & NVP_CAMP_FLAG_RECENT && !trimmed) ||
	    class == NVP_CLASS_UNREADABLE || class == NVP_CLASS_PI_TORN || class == NVP_CLASS_UNSTABLE ||
	    class == NVP_CLASS_UNSTABLE_UNMAP)
		return;
	if (trimmed && (looks_unmapped(b->was) || looks_unmapped(b->is)))
		b->finding = nvp_judge_again(NVP_JUDGE_NEXT_CUT, flags & NVP_CAMP_FLAG_ACKED,
					     looks_unmapped(b->was), looks_unmapped(b->is));
	else
		b->finding = nvp_judge_again(flags & NVP_CAMP_FLAG_RECENT ? NVP_JUDGE_NEXT_CUT :
									    NVP_JUDGE_COLD,
					     flags & NVP_CAMP_FLAG_ACKED, false, false);
}

static int judge(struct nvp_camp *c)
{
	struct nvp_oracle_seen *seen = malloc((c->nr_blocks + 1u) * sizeof(*seen));
	struct nvp_finding *findings = malloc((c->nr_blocks + 1u) * sizeof(*findings));
	int rc = -ENOMEM;

	for (uint32_t i = 0; seen && i < c->nr_blocks; i++)
		seen[i] = c->blocks[i].seen;
	if (seen && findings)
		rc = nvp_judge(c->oracle, seen, c->nr_blocks, findings);
	for (uint32_t i = 0; rc >= 0 && i < c->nr_blocks; i++) {
		c->blocks[i].finding = findings[i];
		judge_cold(c, &c->blocks[i]);
	}
	free(seen);
	free(findings);
	if (rc < 0)
		return nvp_err_set(c->err, NVP_ERR_BROKEN, rc, "cycle %u: judging", c->cycle);
	return 0;
}

/* Operations are exposed in the order of the history, and the oracle numbers them as they come. */
static uint32_t history_of(const struct nvp_camp *c, uint32_t oracle_op)
{
	uint32_t low = 0, high = c->nr_rung;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->ops[middle].oracle_op < oracle_op)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->nr_rung && c->ops[low].oracle_op == oracle_op ? low : UINT32_MAX;
}

static const char *op_word(const struct nvp_op *op)
{
	static const char *const words[] = {
		[NVP_ORACLE_WRITE] = "write",
		[NVP_ORACLE_COMPARE_WRITE] = "compare and write",
		[NVP_ORACLE_WRITE_ZEROES] = "write zeroes",
		[NVP_ORACLE_WRITE_UNCORRECTABLE] = "write uncorrectable",
		[NVP_ORACLE_DEALLOCATE] = "deallocate",
		[NVP_ORACLE_COPY] = "copy",
	};

	return op->kind <= NVP_ORACLE_COPY ? words[op->kind] : "operation";
}

static const char *end_word(const struct nvp_history_op *h)
{
	return !h->ack ? "not acknowledged" : h->sct || h->sc ? "refused" : "acknowledged";
}

/* One line for all blocks of a class: the first of them stands for the others. */
static void tell(struct nvp_camp *c, const struct nvp_history_block *b, uint32_t count)
{
	uint64_t lba = c->first_lba + b->seen.block;
	const char *meta = b->seen.pi_bad ? nvp_lb_meta_text(b->meta) : "";
	char was[48], is[48];
	uint32_t i = b->finding.op == UINT32_MAX ? UINT32_MAX : history_of(c, b->finding.op);

	nvp_version_text(b->was, was);
	nvp_version_text(b->data, is);
	if (i != UINT32_MAX)
		nvp_camp_say(c, &b->finding, c->nsid, lba, count,
			     "LBA %llu holds %s%s, %s before the cycle; operation %llu (%s of %u%s, "
			     "%s) is %sthere; %u block%s",
			     (unsigned long long)lba, is, meta, was,
			     (unsigned long long)(c->seq + i),
			     op_word(&c->ops[i].op), c->ops[i].op.nlb_z + 1u,
			     c->ops[i].op.fua ? ", FUA" : "",
			     end_word(&c->ops[i]),
			     b->finding.class == NVP_CLASS_REFUSED_BUT_WRITTEN ? "" : "not ", count,
			     count == 1 ? "" : "s");
	else
		nvp_camp_say(c, &b->finding, c->nsid, lba, count,
			     "LBA %llu holds %s%s, %s before the cycle; %u block%s",
			     (unsigned long long)lba, is, meta, was, count, count == 1 ? "" : "s");
}

static void tell_all(struct nvp_camp *c)
{
	/* by class and severity: the first block of each, and how many */
	uint32_t first[NVP_NR_CLASSES][5], count[NVP_NR_CLASSES][5] = { { 0 } };

	for (uint32_t i = 0; i < c->nr_blocks; i++) {
		const struct nvp_finding *f = &c->blocks[i].finding;

		if (!count[f->class][f->severity]++)
			first[f->class][f->severity] = i;
		c->record.classes[f->class]++;
	}
	for (unsigned class = 1; class < NVP_NR_CLASSES; class++)
		for (unsigned s = NVP_SEVERITY_WARN; s <= NVP_SEVERITY_INVALID; s++)
			if (count[class][s])
				tell(c, &c->blocks[first[class][s]], count[class][s]);
}

/* How old what a cache lost was; whether anything could be lost at all. */
static void measure_loss(struct nvp_camp *c)
{
	for (uint32_t i = 0; i < c->nr_ops; i++) {
		const struct nvp_history_op *h = &c->ops[i];

		if (!h->ack || h->sct || h->sc || h->op.kind > NVP_ORACLE_COPY ||
		    h->op.kind == NVP_ORACLE_DEALLOCATE)
			continue;
		if (!nvp_oracle_durable(c->oracle, &c->oracle->ops[h->oracle_op], h->op.block))
			c->record.volatile_ops++;
	}
	for (uint32_t i = 0; i < c->nr_blocks; i++) {
		const struct nvp_finding *f = &c->blocks[i].finding;
		uint32_t h = f->op == UINT32_MAX ? UINT32_MAX : history_of(c, f->op);

		if (f->class == NVP_CLASS_OK_VOLATILE_LOSS && h != UINT32_MAX && c->ops[h].ack)
			c->record.lost_age_ns = nvp_max_u64(c->record.lost_age_ns,
							    c->cut_ns > c->ops[h].ack_ns ?
								    c->cut_ns - c->ops[h].ack_ns :
								    0);
	}
	c->record.can_lose = c->power_losses && c->record.volatile_ops;
}

/* ---- what counts from now on ---- */

static uint8_t flags_of(const struct nvp_camp *c, const struct nvp_history_block *b)
{
	uint8_t flags = c->flags[b->seen.block] & NVP_CAMP_FLAG_TRIMMED;
	uint32_t i;

	if (b->cold) /* a deallocation of earlier may be taken late still */
		return c->flags[b->seen.block] & (NVP_CAMP_FLAG_TRIMMED | NVP_CAMP_FLAG_ACKED);
	if (b->seen.content.what == NVP_ORACLE_DATA && !b->seen.form) {
		i = history_of(c, b->seen.content.op);
		if (i != UINT32_MAX && c->ops[i].ack)
			flags |= NVP_CAMP_FLAG_ACKED;
	} else {
		flags |= NVP_CAMP_FLAG_ACKED;
	}
	return flags | NVP_CAMP_FLAG_RECENT;
}

static int settle(struct nvp_camp *c)
{
	struct nvp_journal_settled *settled = NULL;
	uint32_t nr = 0;
	int rc = 0;

	if (c->journal && c->nr_blocks)
		settled = malloc(c->nr_blocks * sizeof(*settled));
	for (uint32_t i = 0; i < c->nr_blocks; i++) {
		const struct nvp_history_block *b = &c->blocks[i];

		c->flags[b->seen.block] = flags_of(c, b);
		if (settled && (b->is != b->was || !b->cold))
			settled[nr++] = (struct nvp_journal_settled){ b->seen.block, b->is };
		c->ledger[b->seen.block] = b->is;
	}
	if (settled)
		rc = nvp_journal_settled(c->journal, settled, nr);
	free(settled);
	return rc;
}

/* ---- all of it ---- */

static int read_all(struct nvp_camp *c, struct nvp_camp_read *reads, uint32_t nr)
{
	struct nvp_camp_read *again = malloc((nr + 1u) * sizeof(*again));
	uint32_t nr_again = 0;
	int rc = again ? nvp_camp_read(c, c->nsid, reads, nr) : -ENOMEM;

	for (uint32_t i = 0; !rc && i < nr; i++) {
		struct nvp_history_block *b = &c->blocks[i];
		uint32_t block = (uint32_t)(reads[i].lba - c->first_lba);

		*b = (struct nvp_history_block){ .was = c->ledger[block], .is = reads[i].version,
						 .data = reads[i].data, .meta = reads[i].meta };
		b->cold = !(c->flags[block] & NVP_CAMP_FLAG_TOUCHED);
		nvp_camp_classify(c, &reads[i], block, &b->seen);
		if (!b->cold || reads[i].version != b->was)
			again[nr_again++].lba = reads[i].lba;
	}
	if (!rc)
		rc = nvp_camp_read(c, c->nsid, again, nr_again);
	for (uint32_t i = 0, at = 0; !rc && i < nr && at < nr_again; i++)
		if (again[at].lba == reads[i].lba)
			compare_readings(c, &reads[i], &again[at++], &c->blocks[i]);
	if (!rc)
		rc = read_late_again(c);
	free(again);
	c->record.nr_read = nr;
	c->record.nr_undecided = nr_again;
	return rc;
}

int nvp_camp_verify(struct nvp_camp *c, bool everything)
{
	struct nvp_camp_read *reads = calloc(c->facts.nr_blocks, sizeof(*reads));
	int rc = reads ? nvp_camp_dulbe_keep(c) : -ENOMEM;

	mark_touched(c);
	mark_sample(c);
	if (!rc)
		rc = choose(c, everything, reads);
	c->nr_blocks = rc > 0 ? (uint32_t)rc : 0;
	if (rc >= 0)
		rc = read_all(c, reads, c->nr_blocks);
	free(reads);
	if (!rc)
		rc = judge(c);
	if (rc)
		return rc;
	tell_all(c);
	measure_loss(c);
	rc = nvp_camp_canaries_check(c);
	if (!rc)
		rc = look_across(c);
	nvp_camp_hand_over(c);
	return rc ? rc : settle(c);
}

int nvp_camp_learn(struct nvp_camp *c)
{
	struct nvp_camp_read *reads = calloc(c->facts.nr_blocks, sizeof(*reads));
	int rc = reads ? nvp_camp_dulbe_keep(c) : -ENOMEM;

	for (uint32_t b = 0; !rc && b < c->facts.nr_blocks; b++)
		reads[b].lba = c->first_lba + b;
	if (!rc)
		rc = nvp_camp_read(c, c->nsid, reads, c->facts.nr_blocks);
	for (uint32_t b = 0; !rc && b < c->facts.nr_blocks; b++) {
		c->ledger[b] = reads[b].version;
		c->flags[b] = 0;
	}
	free(reads);
	return rc;
}
