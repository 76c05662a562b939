// SPDX-License-Identifier: GPL-2.0-or-later
// Cases that try our own driver on a controller that is not ours: deep queues, resets and lost
// power in the middle of I/O, every block looked at. tests/vm/real.sh runs them in the guest.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/drive_ops.h>
#include <nvproof/nvproof.h>

#define QUEUES	     8u
#define DEPTH	     256u
#define FIRST_QID    2u
#define BLOCKS	     (QUEUES * DEPTH)
#define DEEP_ROUNDS  16u
#define RESET_ROUNDS 12u
#define POWER_ROUNDS 20u
#define OFF_NS	     (200 * NVP_NS_PER_MS)
#define LIMIT_NS     (20 * NVP_NS_PER_S)

/* A check for the event log only when it fails: there is one for each of many thousand commands. */
#define HOLDS(l, condition, ...) ((condition) || nvp_check((l)->t, condition, __VA_ARGS__))

enum fate { OLD_OR_NEW = 0, NEW };

/* Block q * DEPTH + i is written by command i of queue q, each round with data of its own. */
struct load {
	struct nvp_t *t;
	struct nvp_sq *sq[QUEUES];
	struct nvp_cq *cq[QUEUES];
	unsigned nr;			/* queues that the drive has given us */
	uint32_t lba_bytes;
	uint64_t round;
	struct nvp_buf *now, *before, *seen;	/* all blocks: this round's data, the last one's */
	uint16_t cid[QUEUES][DEPTH];
	uint8_t fate[BLOCKS];
};

static bool load_new(struct nvp_t *t, struct load *l)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	size_t bytes = (size_t)BLOCKS * nvp_t_ns(t)->id.lba_bytes;

	*l = (struct load){ .t = t, .lba_bytes = nvp_t_ns(t)->id.lba_bytes };
	l->nr = facts->nr_io_sq - 1 < QUEUES ? facts->nr_io_sq - 1 : QUEUES;
	if (!l->nr || facts->cap.mqes_z < DEPTH) {
		nvp_skip_at(t, __FILE__, __LINE__, "the drive has not the queues for it");
		return false;
	}
	for (unsigned q = 0; q < l->nr; q++) {
		uint16_t qid = (uint16_t)(FIRST_QID + q);
		int vector = facts->nr_vectors ? (int)(qid % facts->nr_vectors) : -1;

		l->cq[q] = nvp_cq_new(nvp_t_drive(t), qid, DEPTH + 1, vector);
		l->sq[q] = l->cq[q] ? nvp_sq_new(nvp_t_drive(t), qid, DEPTH + 1, l->cq[q]) : NULL;
		if (!l->sq[q]) {
			nvp_broken_at(t, __FILE__, __LINE__, "no memory for queue %u", qid);
			return false;
		}
	}
	l->now = nvp_t_buf(t, bytes);
	l->before = nvp_t_buf(t, bytes);
	l->seen = nvp_t_buf(t, bytes);
	return l->now && l->before && l->seen;
}

static bool travels(struct load *l, int rc, const char *what)
{
	return nvp_done_at(l->t, __FILE__, __LINE__, rc, what);
}

static bool create(struct load *l)
{
	for (unsigned q = 0; q < l->nr; q++) {
		struct nvp_cpl cpl;

		if (!travels(l, nvp_cq_create(l->cq[q], &cpl), "create a completion queue") ||
		    !nvp_check(l->t, nvp_cpl_ok(&cpl), "completion queue %u was refused", q) ||
		    !travels(l, nvp_sq_create(l->sq[q], &cpl), "create a submission queue") ||
		    !nvp_check(l->t, nvp_cpl_ok(&cpl), "submission queue %u was refused", q))
			return false;
	}
	return true;
}

static bool destroy(struct load *l)
{
	for (unsigned q = 0; q < l->nr; q++) {
		struct nvp_cpl cpl;

		if (!travels(l, nvp_sq_delete(l->sq[q], &cpl), "delete a submission queue") ||
		    !travels(l, nvp_cq_delete(l->cq[q], &cpl), "delete a completion queue"))
			return false;
	}
	return true;
}

/* DEPTH commands on every queue, exposed by one doorbell write each. */
static bool expose(struct load *l, uint8_t opcode, struct nvp_buf *data)
{
	for (unsigned q = 0; q < l->nr; q++) {
		for (unsigned i = 0; i < DEPTH; i++) {
			unsigned block = q * DEPTH + i;
			uint32_t nsid = nvp_t_ns(l->t)->nsid;
			struct nvp_cmd cmd = opcode == NVP_IO_WRITE ?
						     nvp_build_write(nsid, block, 0, l->lba_bytes) :
						     nvp_build_read(nsid, block, 0, l->lba_bytes);

			cmd.data = data;
			cmd.data_offset = (size_t)block * l->lba_bytes;
			if (!travels(l, nvp_submit(l->sq[q], &cmd, &l->cid[q][i]), "submit"))
				return false;
		}
		if (!travels(l, nvp_ring_tail(l->sq[q]), "ring"))
			return false;
	}
	return true;
}

static bool took(struct load *l, unsigned q, const struct nvp_cpl *cpl)
{
	if (!HOLDS(l, nvp_cpl_ok(cpl), "queue %u: status %u/%02Xh", q, cpl->status.sct,
		       cpl->status.sc))
		return false;
	for (unsigned i = 0; i < DEPTH; i++)
		if (l->cid[q][i] == cpl->cid)
			l->fate[q * DEPTH + i] = NEW;
	return true;
}

/* Take so many completions, from one queue after the other. */
static bool reap(struct load *l, unsigned nr)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(l->t));
	uint64_t until_ns = nvp_clock_deadline_ns(clock, LIMIT_NS);

	for (unsigned n = 0; n < nr; n++) {
		unsigned q = n % l->nr;
		struct nvp_cpl cpl;
		int rc = nvp_reap_until(l->cq[q], until_ns, &cpl);

		if (rc < 0)
			return travels(l, rc, "reap");
		if (!HOLDS(l, rc == 1, "queue %u: %u of %u came", q, n / l->nr, DEPTH) ||
		    !took(l, q, &cpl))
			return false;
	}
	return true;
}

/* What had completed before the blow and was not taken counts, too. */
static void reap_rest(struct load *l)
{
	struct nvp_cpl cpl;

	for (unsigned q = 0; q < l->nr; q++)
		while (nvp_reap(l->cq[q], &cpl) == 1)
			took(l, q, &cpl);
}

static bool write_all(struct load *l)
{
	struct nvp_buf *swap = l->before;

	l->before = l->now;
	l->now = swap;
	memset(l->fate, OLD_OR_NEW, sizeof(l->fate));
	nvp_buf_fill_pattern(l->now, nvp_t_rand(l->t, "round", l->round++));
	return expose(l, NVP_IO_WRITE, l->now);
}

static bool holds(const struct load *l, const struct nvp_buf *data, unsigned block)
{
	size_t at = (size_t)block * l->lba_bytes;

	return !memcmp(nvp_buf_data((struct nvp_buf *)data) + at, nvp_buf_data(l->seen) + at,
		       l->lba_bytes);
}

/* Read all through the queues: new where it was acknowledged, elsewhere whole and old or new. */
static bool judge(struct load *l)
{
	unsigned nr_new = 0, nr_wrong = 0, first = 0;
	uint8_t fate[BLOCKS];

	memcpy(fate, l->fate, sizeof(fate));
	nvp_buf_fill(l->seen, 0xee);
	if (!expose(l, NVP_IO_READ, l->seen) || !reap(l, l->nr * DEPTH))
		return false;
	for (unsigned block = 0; block < l->nr * DEPTH; block++) {
		bool new = holds(l, l->now, block);

		nr_new += new;
		if (new || (fate[block] != NEW && holds(l, l->before, block)))
			continue;
		if (!nr_wrong++)
			first = block;
	}
	nvp_measure(l->t, "new blocks", nr_new, "blocks");
	return nvp_check(l->t, !nr_wrong, "round %u: %u blocks hold something else, first %u, %s",
			 (unsigned)l->round, nr_wrong, first,
			 fate[first] == NEW ? "acknowledged" : "not acknowledged");
}

/* All blocks hold this round's data. */
static bool settle(struct load *l)
{
	return write_all(l) && reap(l, l->nr * DEPTH);
}

/*
 * Is there another round? So many of them, unless NVP_UNTIL names a file: then until it exists,
 * so that a test that needs the drive in use need not guess how long that is.
 */
static bool goes_on(unsigned round, unsigned rounds)
{
	const char *until = getenv("NVP_UNTIL");

	return until ? access(until, F_OK) != 0 : round < rounds;
}

static void deep_queues_carry_data(struct nvp_t *t)
{
	struct load l;

	if (!load_new(t, &l) || !create(&l))
		return;
	for (unsigned round = 0; goes_on(round, DEEP_ROUNDS); round++)
		if (!settle(&l) || !judge(&l))
			return;
	destroy(&l);
}

/* --- blows -------------------------------------------------------------------------------- */

static bool reset_next(struct load *l, unsigned round)
{
	uint32_t resets = nvp_resets(nvp_t_drive(l->t));
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(l->t));
	uint64_t start_ns = nvp_clock_now_ns(clock);
	unsigned kind = round;

	for (kind %= NVP_NR_RESETS; !(resets >> kind & 1);)
		kind = (kind + 1) % NVP_NR_RESETS;
	if (!travels(l, nvp_reset(nvp_t_drive(l->t), (enum nvp_reset)kind), "reset"))
		return false;
	nvp_note(l->t, "round %u: reset %u took %llu ms", round, kind,
		 (unsigned long long)((nvp_clock_now_ns(clock) - start_ns) / NVP_NS_PER_MS));
	return true;
}

static bool slot(struct load *l, const char *word)
{
	const char *program = getenv("NVP_SLOT");
	char command[300];

	snprintf(command, sizeof(command), "%s %s", program, word);
	return nvp_check(l->t, !system(command), "%s failed", command);
}

static bool gone(struct load *l)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(l->t));
	uint64_t until_ns = nvp_clock_deadline_ns(clock, LIMIT_NS);
	uint32_t csts = 0;

	while (!nvp_reg_read32(nvp_t_drive(l->t), NVP_REG_CSTS, &csts) && csts != UINT32_MAX) {
		if (!HOLDS(l, nvp_clock_now_ns(clock) < until_ns, "the drive did not go"))
			return false;
		nvp_clock_pass(clock, NVP_NS_PER_MS);
	}
	return true;
}

static bool power_next(struct load *l, unsigned round)
{
	struct nvp_drive *drive = nvp_t_drive(l->t);
	const struct nvp_clock *clock = nvp_drive_clock(drive);
	uint64_t start_ns;

	if (!slot(l, getenv("NVP_SLOT_OFF") ? getenv("NVP_SLOT_OFF") : "off") || !gone(l))
		return false;
	reap_rest(l);
	nvp_clock_pass(clock, OFF_NS);
	if (!slot(l, "on"))
		return false;
	start_ns = nvp_clock_now_ns(clock);
	if (!travels(l, nvp_drive_reattach(drive, nvp_clock_deadline_ns(clock, LIMIT_NS)),
		     "reattach"))
		return false;
	nvp_note(l->t, "round %u: usable again after %llu ms", round,
		 (unsigned long long)((nvp_clock_now_ns(clock) - start_ns) / NVP_NS_PER_MS));
	return travels(l, nvp_baseline(drive), "baseline");
}

/* Strike while the writes of every queue are under way, after none, some or many completions. */
static void strike(struct nvp_t *t, unsigned rounds, bool (*blow)(struct load *, unsigned))
{
	struct load l;

	if (!load_new(t, &l) || !create(&l) || !settle(&l) || !judge(&l))
		return;
	for (unsigned round = 0; goes_on(round, rounds); round++) {
		unsigned before = (unsigned)(nvp_t_rand(t, "before", round) % (l.nr * DEPTH));

		if (!write_all(&l) || !reap(&l, round % 4 ? before : 0) || !blow(&l, round))
			return;
		reap_rest(&l);
		nvp_forget_cancelled(nvp_t_drive(t));
		/* Blocks of unknown fate are settled before the next blow. */
		if (!create(&l) || !judge(&l) || !settle(&l))
			return;
	}
	destroy(&l);
}

static void resets_lose_nothing(struct nvp_t *t)
{
	strike(t, RESET_ROUNDS, reset_next);
}

static void lost_power_is_recovered(struct nvp_t *t)
{
	if (!getenv("NVP_SLOT"))
		nvp_skip(t, "NVP_SLOT names no program that switches the slot");
	strike(t, POWER_ROUNDS, power_next);
}

#define ROUGH(ID, FUNCTION, IMPACTS, TITLE)						\
	{										\
		NVP_CASE, .id = "runner.rough-" ID, .title = TITLE,				\
		.spec = { .document = "nvproof", .revision = "1", .section = "driver" },	\
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS | NVP_NEED_NAMESPACE |	\
			 NVP_NEED_NO_METADATA,						\
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_DATA | (IMPACTS),		\
		.wall_budget_s = 300, .run = FUNCTION,					\
	}

static const struct nvp_case cases[] = {
	ROUGH("deep-queues-carry-data", deep_queues_carry_data, 0,
	      "Eight queues with 256 commands each, written and read"),
	ROUGH("resets-lose-nothing", resets_lose_nothing, NVP_IMPACT_RESET,
	      "Resets of all kinds in the middle of I/O"),
	ROUGH("lost-power-is-recovered", lost_power_is_recovered,
	      NVP_IMPACT_RESET | NVP_IMPACT_POWER,
	      "The slot's power lost in the middle of I/O, twenty times"),
};

NVP_SUITE(rough, cases);
