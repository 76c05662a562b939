// SPDX-License-Identifier: GPL-2.0-or-later
// Interrupts: which vector, none, masked, joined; and none that gets lost.

#include "cases/common.h"

#define DEPTH 16
#define VECTOR 1u
#define OTHER 2u

/* A queue pair of this case, with flushes as its traffic: they touch no data. */
struct pair {
	struct nvp_sq *sq;
	struct nvp_cq *cq;
};

static bool has_room(struct nvp_t *t, unsigned nr_pairs, unsigned nr_vectors)
{
	const struct nvp_facts *facts = nvp_t_facts(t);

	if (facts->nr_io_sq <= nr_pairs || facts->nr_io_cq <= nr_pairs) {
		nvp_skip_at(t, __FILE__, __LINE__, "the drive has %u I/O queues", facts->nr_io_sq);
		return false;
	}
	if (facts->nr_vectors < nr_vectors) {
		nvp_skip_at(t, __FILE__, __LINE__, "the drive has %u interrupt vectors",
			    facts->nr_vectors);
		return false;
	}
	return true;
}

/* vector -1: without interrupts. */
static bool pair_new(struct nvp_t *t, uint16_t qid, int vector, struct pair *p)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_cpl cpl;

	p->cq = nvp_cq_new(drive, qid, DEPTH, vector);
	p->sq = p->cq ? nvp_sq_new(drive, qid, DEPTH, p->cq) : NULL;
	if (!p->sq) {
		nvp_broken_at(t, __FILE__, __LINE__, "no memory for a queue");
		return false;
	}
	return CASE_TRAVELS(t, nvp_cq_create(p->cq, &cpl)) && CASE_SUCCEEDS(t, &cpl) &&
	       CASE_TRAVELS(t, nvp_sq_create(p->sq, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

static void pair_delete(struct nvp_t *t, struct pair *p)
{
	struct nvp_cpl cpl;

	if (CASE_TRAVELS(t, nvp_sq_delete(p->sq, &cpl)) && CASE_SUCCEEDS(t, &cpl) &&
	    CASE_TRAVELS(t, nvp_cq_delete(p->cq, &cpl)))
		CASE_SUCCEEDS(t, &cpl);
}

/* nr commands behind one doorbell write. */
static bool send(struct nvp_t *t, struct pair *p, unsigned nr)
{
	struct nvp_cmd cmd = nvp_build_flush(nvp_t_ns(t)->nsid);

	for (unsigned i = 0; i < nr; i++)
		if (!CASE_TRAVELS(t, nvp_submit(p->sq, &cmd, NULL)))
			return false;
	return CASE_TRAVELS(t, nvp_ring_tail(p->sq));
}

static uint64_t in_ns(struct nvp_t *t, uint64_t ns)
{
	return nvp_clock_deadline_ns(nvp_drive_clock(nvp_t_drive(t)), ns);
}

static uint64_t io_budget_ns(struct nvp_t *t)
{
	return nvp_drive_budget_ns(nvp_t_drive(t), NVP_TIME_IO);
}

/* Take nr completions by looking at the queue. */
static bool take(struct nvp_t *t, struct nvp_cq *cq, unsigned nr)
{
	uint64_t until_ns = in_ns(t, io_budget_ns(t));

	for (unsigned i = 0; i < nr; i++) {
		struct nvp_cpl cpl;
		int rc = nvp_reap_until(cq, until_ns, &cpl);

		if (!CASE_TRAVELS(t, rc) ||
		    !nvp_check(t, rc == 1, "%u of %u completions came", i, nr) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
	}
	return true;
}

/* Forget what fired so far. */
static void quiet(struct nvp_t *t)
{
	for (unsigned v = 0; v < nvp_t_facts(t)->nr_vectors; v++)
		(void)nvp_vector_take(nvp_t_drive(t), v);
}

/* Does this vector fire within so long? */
static bool fires(struct nvp_t *t, unsigned vector, uint64_t ns, bool *fired)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	struct nvp_wait wait = { .vectors = 1ull << vector, .until_ns = in_ns(t, ns) };
	int rc = clock->wait(clock->context, &wait);

	*fired = rc == NVP_WOKEN_VECTOR && nvp_vector_take(nvp_t_drive(t), vector);
	return CASE_TRAVELS(t, rc);
}

/* Nothing joins interrupts, or the case ends. */
static bool not_coalesced(struct nvp_t *t)
{
	uint32_t value;

	if (!case_feature_value(t, 0x08, 0, &value))
		return false;
	if (value & 0xff00)
		nvp_skip_at(t, __FILE__, __LINE__, "interrupts are coalesced (%08Xh)", value);
	return !(value & 0xff00);
}

/* ---- ARB-04, ARB-08 ---- */

/* Each of two queues raises its own vector and not the other's. */
static void vectors_belong_to_their_queues(struct nvp_t *t)
{
	struct pair one, two;
	bool fired;

	if (!has_room(t, 2, 3) || !not_coalesced(t) || !pair_new(t, 2, VECTOR, &one) ||
	    !pair_new(t, 3, OTHER, &two))
		return;
	for (unsigned i = 0; i < 8; i++) {
		quiet(t);
		if (!send(t, i % 2 ? &two : &one, 1) ||
		    !fires(t, i % 2 ? OTHER : VECTOR, io_budget_ns(t), &fired))
			return;
		nvp_check(t, fired, "command %u: its vector did not fire", i);
		nvp_check(t, !nvp_vector_take(nvp_t_drive(t), i % 2 ? VECTOR : OTHER),
			  "command %u: the vector of the other queue fired", i);
		if (!take(t, i % 2 ? two.cq : one.cq, 1))
			return;
	}
	pair_delete(t, &one);
	pair_delete(t, &two);
}

/* Two queues may have one vector: it fires for both. */
static void a_vector_can_be_shared(struct nvp_t *t)
{
	struct pair one, two;
	bool fired;

	if (!has_room(t, 2, 2) || !not_coalesced(t) || !pair_new(t, 2, VECTOR, &one) ||
	    !pair_new(t, 3, VECTOR, &two))
		return;
	for (unsigned i = 0; i < 8; i++) {
		struct pair *p = i % 2 ? &two : &one;

		quiet(t);
		if (!send(t, p, 1) || !fires(t, VECTOR, io_budget_ns(t), &fired))
			return;
		nvp_check(t, fired, "command %u, queue %u: no interrupt", i, i % 2 + 2);
		if (!take(t, p->cq, 1))
			return;
	}
	pair_delete(t, &one);
	pair_delete(t, &two);
}

/* A completion queue with IEN = 0 raises nothing. */
static void disabled_interrupts_stay_away(struct nvp_t *t)
{
	struct pair p;

	if (!has_room(t, 1, 2) || !pair_new(t, 2, -1, &p))
		return;
	quiet(t);
	if (!send(t, &p, DEPTH - 1) || !take(t, p.cq, DEPTH - 1))
		return;
	nvp_done(t, nvp_clock_pass(nvp_drive_clock(nvp_t_drive(t)), NVP_NS_PER_MS));
	for (unsigned v = 0; v < nvp_t_facts(t)->nr_vectors; v++)
		nvp_check(t, !nvp_vector_take(nvp_t_drive(t), v), "vector %u fired", v);
	pair_delete(t, &p);
}

/*
 * ARB-07. A host that takes a part of the entries is told of new ones again: an interrupt comes
 * for each completion that follows.
 */
static void partly_read_queues_lose_nothing(struct nvp_t *t)
{
	struct pair p;
	bool fired;

	if (!has_room(t, 1, 2) || !not_coalesced(t) || !pair_new(t, 2, VECTOR, &p))
		return;
	for (unsigned round = 0; round < 5; round++) {
		quiet(t);
		if (!send(t, &p, 4) || !fires(t, VECTOR, io_budget_ns(t), &fired))
			return;
		nvp_check(t, fired, "round %u: no interrupt for four completions", round);
		if (!take(t, p.cq, 2))
			return;
		nvp_done(t, nvp_clock_pass(nvp_drive_clock(nvp_t_drive(t)), NVP_NS_PER_MS));
		quiet(t);			/* two entries are left, and were told */
		if (!send(t, &p, 1) || !fires(t, VECTOR, io_budget_ns(t), &fired))
			return;
		nvp_check(t, fired, "round %u: no interrupt behind entries not taken", round);
		if (!take(t, p.cq, 3))
			return;
	}
	pair_delete(t, &p);
}

/* ---- ARB-05: the function mask of MSI-X ---- */

#define MSIX_ID 0x11
#define FUNCTION_MASK 0x4000u

/* Offset of the MSI-X capability; 0: there is none. */
static bool find_msix(struct nvp_t *t, unsigned *at)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	uint32_t value;

	*at = 0;
	if (!CASE_TRAVELS(t, nvp_config_read(drive, 0x34, 1, &value)))
		return false;
	for (unsigned next = value & 0xfc, i = 0; next && i < 48; i++, next = value >> 8 & 0xfc) {
		if (!CASE_TRAVELS(t, nvp_config_read(drive, next, 2, &value)))
			return false;
		if ((value & 0xff) == MSIX_ID)
			*at = next;
	}
	return true;
}

static bool set_function_mask(struct nvp_t *t, unsigned msix, bool on)
{
	uint32_t control;

	if (!CASE_TRAVELS(t, nvp_config_read(nvp_t_drive(t), msix + 2, 2, &control)))
		return false;
	control = (control & ~FUNCTION_MASK) | (on ? FUNCTION_MASK : 0);
	return CASE_TRAVELS(t, nvp_config_write(nvp_t_drive(t), msix + 2, 2, control));
}

static bool is_pending(struct nvp_t *t, unsigned msix, bool *pending)
{
	uint32_t place, bits;

	if (!CASE_TRAVELS(t, nvp_config_read(nvp_t_drive(t), msix + 8, 4, &place)) ||
	    !CASE_TRAVELS(t, nvp_reg_read32(nvp_t_drive(t), place & ~7u, &bits)))
		return false;
	*pending = bits >> VECTOR & 1;
	return true;
}

static void unmask_at_end(struct nvp_t *t, void *context)
{
	unsigned msix;

	(void)context;
	if (find_msix(t, &msix) && msix)
		(void)set_function_mask(t, msix, false);
	(void)nvp_baseline(nvp_t_drive(t));	/* configuration space was written */
}

/* What happens while all vectors are masked becomes pending, and is sent when they no longer are. */
static void masked_interrupts_stay_pending(struct nvp_t *t)
{
	bool fired, pending;
	struct pair p;
	unsigned msix;

	if (!has_room(t, 1, 2) || !not_coalesced(t) || !find_msix(t, &msix))
		return;
	if (!msix)
		nvp_skip(t, "the function has no MSI-X capability");
	if (!pair_new(t, 2, VECTOR, &p))
		return;
	quiet(t);
	nvp_defer(t, unmask_at_end, NULL);
	if (!set_function_mask(t, msix, true) || !send(t, &p, 3) || !take(t, p.cq, 3) ||
	    !fires(t, VECTOR, NVP_NS_PER_MS, &fired) || !is_pending(t, msix, &pending))
		return;
	nvp_check(t, !fired, "the vector fired although all are masked");
	nvp_check(t, pending, "the bit of the vector in the Pending Bit Array is 0");
	if (!set_function_mask(t, msix, false) || !fires(t, VECTOR, NVP_NS_PER_MS, &fired) ||
	    !is_pending(t, msix, &pending))
		return;
	nvp_check(t, fired, "nothing fired when the mask was taken away");
	nvp_check(t, !pending, "the bit in the Pending Bit Array is still 1");
	if (!fires(t, VECTOR, NVP_NS_PER_MS, &fired))
		return;
	nvp_check(t, !fired, "the vector fired a second time");
	pair_delete(t, &p);
}

/* ---- ARB-06, FEA-17: coalescing ---- */

#define TIME_100US 200u			/* 20 ms */
#define TIME_NS (TIME_100US * 100 * NVP_NS_PER_US)
#define THRESHOLD 4u

/* Without a time and a threshold of ours there is nothing to see: some drives have none to set. */
static bool can_coalesce(struct nvp_t *t)
{
	bool changes;

	if (!case_feature_changes(t, 0x08, &changes))
		return false;
	if (!changes)
		nvp_skip_at(t, __FILE__, __LINE__,
			    "Interrupt Coalescing cannot be changed on this drive");
	return changes;
}

/* Switch it on for all vectors, or all but that of this case. */
static bool coalesce(struct nvp_t *t, bool for_vector)
{
	struct nvp_cpl cpl;

	return nvp_change_feature(t, 0x08, 0, TIME_100US << 8 | (THRESHOLD - 1), &cpl) &&
	       CASE_SUCCEEDS(t, &cpl) &&
	       nvp_change_feature(t, 0x09, 0, VECTOR | (for_vector ? 0 : 1u << 16), &cpl) &&
	       CASE_SUCCEEDS(t, &cpl);
}

/*
 * Fewer completions than the threshold: the interrupt comes all the same, and should wait for the
 * time. As many as the threshold: it should not wait.
 */
static void joined_interrupts_come(struct nvp_t *t)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	uint64_t start_ns;
	struct pair p;
	bool fired;

	if (!has_room(t, 1, 2) || !can_coalesce(t) || !pair_new(t, 2, VECTOR, &p) ||
	    !coalesce(t, true))
		return;
	quiet(t);
	start_ns = nvp_clock_now_ns(clock);
	if (!send(t, &p, 1) || !fires(t, VECTOR, io_budget_ns(t) + TIME_NS, &fired))
		return;
	nvp_check(t, fired, "one completion: no interrupt, whatever the time");
	nvp_measure(t, "one_completion",
		    (double)(nvp_clock_now_ns(clock) - start_ns) / NVP_NS_PER_US, "us");
	nvp_check_by(t, CASE_SHOULD, nvp_clock_now_ns(clock) - start_ns >= TIME_NS / 2,
		     "one completion: the interrupt did not wait for others");
	if (!take(t, p.cq, 1))
		return;
	quiet(t);
	if (!send(t, &p, THRESHOLD) || !take(t, p.cq, THRESHOLD) ||
	    !fires(t, VECTOR, TIME_NS / 2, &fired))
		return;
	nvp_check_by(t, CASE_SHOULD, fired,
		     "%u completions, which are the threshold: the interrupt waited", THRESHOLD);
	nvp_done(t, nvp_clock_pass(clock, 2 * TIME_NS));
	pair_delete(t, &p);
}

/* A vector with CD = 1, and the admin queue, are not for coalescing (5.27.1.6, 5.27.1.7). */
static void exempt_interrupts_do_not_wait(struct nvp_t *t)
{
	struct nvp_cmd cmd = nvp_build_get_features(0x08, 0, 0, 0);
	struct nvp_sq *admin = nvp_admin_sq(nvp_t_drive(t));
	struct nvp_cpl cpl;
	struct pair p;
	uint16_t cid;
	bool fired;

	if (!has_room(t, 1, 2) || !can_coalesce(t) || !pair_new(t, 2, VECTOR, &p) ||
	    !coalesce(t, false))
		return;
	quiet(t);
	if (!send(t, &p, 1) || !take(t, p.cq, 1) || !fires(t, VECTOR, TIME_NS / 2, &fired))
		return;
	nvp_check(t, fired, "CD is 1, and the interrupt waited");
	nvp_done(t, nvp_clock_pass(nvp_drive_clock(nvp_t_drive(t)), 2 * TIME_NS));
	quiet(t);
	nvp_done(t, nvp_submit(admin, &cmd, &cid));
	nvp_done(t, nvp_ring_tail(admin));
	nvp_done(t, nvp_wait_cid(admin, cid, &cpl));
	if (!fires(t, 0, TIME_NS / 2, &fired))
		return;
	nvp_check(t, fired, "the interrupt of the admin queue waited");
	pair_delete(t, &p);
}

#define NEEDS (NVP_NEED_QUEUES | NVP_NEED_INTERRUPTS | NVP_NEED_NAMESPACE)

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "interrupt.vectors-belong-to-their-queues",
		.title = "A completion fires the vector of its queue and no other",
		.spec = { "NVMe Base", "2.0", "5.4", "IV" },
		.rows = NVP_LIST("ARB-04"),
		.needs = NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("interrupt-wrong-vector", "interrupt-on-two-vectors"),
		.run = vectors_belong_to_their_queues,
	}, {
		NVP_CASE,
		.id = "interrupt.a-vector-can-be-shared",
		.title = "A vector that two queues share fires for both",
		.spec = { "NVMe Base", "2.0", "5.4", "IV" },
		.rows = NVP_LIST("ARB-04"),
		.needs = NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("interrupt-shared-vector-lost"),
		.run = a_vector_can_be_shared,
	}, {
		NVP_CASE,
		.id = "interrupt.disabled-interrupts-stay-away",
		.title = "A completion queue without interrupts raises none",
		.spec = { "NVMe Base", "2.0", "5.4", "IEN" },
		.rows = NVP_LIST("ARB-08"),
		.needs = NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("interrupt-although-disabled",
				    "io-command-lost:nth=9"),
		.run = disabled_interrupts_stay_away,
	}, {
		NVP_CASE,
		.id = "interrupt.partly-read-queues-lose-nothing",
		.title = "New completions raise an interrupt although older ones were not taken",
		.spec = { "NVMe PCIe Transport", "1.0", "3.5.1", NULL },
		.rows = NVP_LIST("ARB-07"),
		.needs = NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("interrupt-only-when-queue-was-empty", "cqe-interrupt-lost:nth=1"),
		.run = partly_read_queues_lose_nothing,
	}, {
		NVP_CASE,
		.id = "interrupt.masked-interrupts-stay-pending",
		.title = "Masked interrupts are pending, and come when the mask is taken away",
		.spec = { "PCI Express Base", "5.0", "6.1.4.5", "Function Mask" },
		.rows = NVP_LIST("ARB-05"),
		/* the kernel's driver for user space has the mask of a real function to itself */
		.needs = NEEDS | NVP_NEED_CONFIG | NVP_NEED_REGISTERS | NVP_NEED_SIMULATED,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("interrupt-mask-ignored", "interrupt-lost-while-masked",
				    "interrupt-pending-bit-stays", "interrupt-pending-bit-missing",
				    "interrupt-pending-sent-twice"),
		.run = masked_interrupts_stay_pending,
	}, {
		NVP_CASE,
		.id = "interrupt.joined-interrupts-come",
		.title = "Coalesced interrupts come, after the time or with the threshold",
		.spec = { "NVMe Base", "2.0", "5.27.1.6", NULL },
		.rows = NVP_LIST("ARB-06", "FEA-17"),
		.needs = NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("coalescing-never-ends", "coalescing-ignored",
				    "coalescing-threshold-ignored"),
		.run = joined_interrupts_come,
	}, {
		NVP_CASE,
		.id = "interrupt.exempt-interrupts-do-not-wait",
		.title = "Coalescing leaves vectors with CD = 1 and the admin queue alone",
		.spec = { "NVMe Base", "2.0", "5.27.1.7", "CD" },
		.rows = NVP_LIST("ARB-06", "FEA-17"),
		.needs = NEEDS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("coalescing-disable-ignored", "coalescing-of-admin-queue"),
		.run = exempt_interrupts_do_not_wait,
	},
};

NVP_SUITE(interrupt, cases);
