// SPDX-License-Identifier: GPL-2.0-or-later
// Workloads: pure, inside their window, apart within an epoch, and what each is named for.

#include "power/workload.h"

#include <string.h>

#include "tests/unit/unit.h"

#define BLOCKS 512u

static struct nvp_workload_plan plan_of(enum nvp_workload workload)
{
	return (struct nvp_workload_plan){
		.key = 0x1234567 + (uint64_t)workload,
		.workload = workload,
		.nr_blocks = BLOCKS,
		.slot_blocks = 16,
		.most_blocks = 16,
		.atomic_blocks = 8,
		.copy_blocks = 8,
		.pair_blocks = 4,
		.queues = 4,
		.max_volatile = 1000000,
		.kinds = UINT32_MAX,
		.cache = true,
		.trigger_at = UINT32_MAX,
	};
}

static bool has_range(const struct nvp_op *op)
{
	return op->kind <= NVP_ORACLE_READ_FUA;
}

static void every_operation_lies_in_the_window(void)
{
	for (unsigned w = 0; w < NVP_NR_WORKLOADS; w++) {
		struct nvp_workload_plan p = plan_of((enum nvp_workload)w);
		unsigned wrong = 0;

		for (uint64_t i = 0; i < 3000; i++) {
			struct nvp_op op;

			nvp_workload_op(&p, i, &op);
			wrong += op.nlb_z >= p.most_blocks || op.queue >= p.queues ||
				 op.block + op.nlb_z >= p.nr_blocks ||
				 op.source + op.nlb_z >= p.nr_blocks;
		}
		CU_ASSERT_EQUAL(wrong, 0);
	}
}

static void an_operation_is_a_function_of_its_number(void)
{
	for (unsigned w = 0; w < NVP_NR_WORKLOADS; w++) {
		struct nvp_workload_plan p = plan_of((enum nvp_workload)w), other = p;
		struct nvp_op forward[200], op;
		unsigned same_elsewhere = 0;

		memset(forward, 0, sizeof(forward));
		other.key++;
		for (unsigned i = 0; i < 200; i++)
			nvp_workload_op(&p, i, &forward[i]);
		for (unsigned i = 200; i > 0; i--) {
			nvp_workload_op(&p, i - 1, &op);
			CU_ASSERT_EQUAL(op.block, forward[i - 1].block);
			CU_ASSERT_EQUAL(op.kind, forward[i - 1].kind);
			CU_ASSERT_EQUAL(op.nlb_z, forward[i - 1].nlb_z);
			CU_ASSERT_EQUAL(op.fua, forward[i - 1].fua);
			CU_ASSERT_EQUAL(op.queue, forward[i - 1].queue);
			nvp_workload_op(&other, i - 1, &op);
			same_elsewhere += op.kind == NVP_ORACLE_FLUSH ||
					  op.block == forward[i - 1].block;
		}
		CU_ASSERT(same_elsewhere < 190);
	}
}

/* Between two barriers no two operations share a block, but where the workload is about that. */
static void operations_of_an_epoch_lie_apart(void)
{
	for (unsigned w = 0; w < NVP_NR_WORKLOADS; w++) {
		struct nvp_workload_plan p = plan_of((enum nvp_workload)w);
		uint8_t used[BLOCKS] = { 0 };
		unsigned shared = 0, barriers = 0;

		for (uint64_t i = 0; i < 400; i++) {
			struct nvp_op op;

			nvp_workload_op(&p, i, &op);
			if (op.barrier) {
				memset(used, 0, sizeof(used));
				barriers++;
			}
			/* what crosses the end of the namespace writes nothing */
			for (uint32_t b = 0; has_range(&op) && !op.beyond && b <= op.nlb_z; b++)
				shared += used[op.block + b]++ > 0;
		}
		if (w == NVP_WORKLOAD_OVERLAP) {
			CU_ASSERT(shared > 100);
		} else {
			CU_ASSERT_EQUAL(shared, 0);
			CU_ASSERT(barriers > 3);
		}
	}
}

static void a_flush_comes_when_so_many_are_volatile(void)
{
	struct nvp_workload_plan p = plan_of(NVP_WORKLOAD_OVERLAP);
	unsigned since = 0, flushes = 0;

	p.max_volatile = 7;
	for (uint64_t i = 0; i < 500; i++) {
		struct nvp_op op;

		nvp_workload_op(&p, i, &op);
		since = op.kind == NVP_ORACLE_FLUSH ? 0 : since + 1;
		flushes += op.kind == NVP_ORACLE_FLUSH;
		CU_ASSERT(since < 7);
	}
	CU_ASSERT(flushes > 60);
	p.cache = false;
	for (uint64_t i = 0; i < 100; i++) {
		struct nvp_op op;

		nvp_workload_op(&p, i, &op);
		CU_ASSERT_NOT_EQUAL(op.kind, NVP_ORACLE_FLUSH);
	}
}

static void the_trigger_is_of_its_kind(void)
{
	static const enum nvp_oracle_kind kinds[] = {
		NVP_ORACLE_FLUSH, NVP_ORACLE_DEALLOCATE, NVP_ORACLE_WRITE_ZEROES,
	};

	for (unsigned k = 0; k < 3; k++) {
		for (uint32_t at = 0; at < 100; at++) {
			struct nvp_workload_plan p = plan_of(NVP_WORKLOAD_MIXED);
			struct nvp_op op;

			p.trigger_at = at;
			p.trigger_kind = kinds[k];
			nvp_workload_op(&p, at, &op);
			CU_ASSERT_EQUAL(op.kind, kinds[k]);
			CU_ASSERT_FALSE(op.fua);
		}
	}
}

static void what_reads_goes_where_the_write_before_it_went(void)
{
	static const enum nvp_workload pairs[] = {
		NVP_WORKLOAD_COMPARE, NVP_WORKLOAD_COPY, NVP_WORKLOAD_FUA_READS,
	};

	for (unsigned k = 0; k < 3; k++) {
		struct nvp_workload_plan p = plan_of(pairs[k]);
		struct nvp_op before = { 0 }, op;
		unsigned nr = 0;

		for (uint64_t i = 0; i < 300; i++, before = op) {
			nvp_workload_op(&p, i, &op);
			if (op.kind == NVP_ORACLE_WRITE || op.kind == NVP_ORACLE_FLUSH)
				continue;
			nr++;
			/* a flush may stand between the two; both belong to one pair */
			if (before.kind != NVP_ORACLE_WRITE)
				continue;
			CU_ASSERT(op.barrier);
			CU_ASSERT_EQUAL(op.nlb_z, before.nlb_z);
			if (op.kind == NVP_ORACLE_COPY) {
				CU_ASSERT_EQUAL(op.source, before.block);
				CU_ASSERT(op.block >= BLOCKS / 2);
				CU_ASSERT(op.source + op.nlb_z < BLOCKS / 2);
			} else {
				CU_ASSERT_EQUAL(op.block, before.block);
			}
		}
		CU_ASSERT(nr > 100);
	}
}

static void boundaries_are_crossed(void)
{
	struct nvp_workload_plan p = plan_of(NVP_WORKLOAD_BOUNDARY);
	unsigned crossed = 0, writes = 0;

	p.boundary_blocks = 8;
	p.boundary_at = 3;
	for (uint64_t i = 0; i < 300; i++) {
		struct nvp_op op;

		nvp_workload_op(&p, i, &op);
		if (op.kind != NVP_ORACLE_WRITE)
			continue;
		writes++;
		crossed += (op.block + 8 - 3) / 8 != (op.block + op.nlb_z + 8 - 3) / 8;
	}
	CU_ASSERT(crossed * 10 > writes * 9);
}

static void lengths_lie_about_the_atomic_unit(void)
{
	struct nvp_workload_plan p = plan_of(NVP_WORKLOAD_ATOMIC);
	unsigned of[17] = { 0 };

	for (uint64_t i = 0; i < 300; i++) {
		struct nvp_op op;

		nvp_workload_op(&p, i, &op);
		if (op.kind == NVP_ORACLE_WRITE)
			of[op.nlb_z + 1]++;
	}
	CU_ASSERT(of[7] > 20 && of[8] > 20 && of[9] > 20);
	CU_ASSERT_EQUAL(of[6] + of[10], 0);
}

/* One with fewer blocks than two is refused as well, and never longer than a command may be. */
static void the_end_of_the_namespace_is_crossed(void)
{
	for (uint16_t most = 1; most <= 16; most++) {
		struct nvp_workload_plan p = plan_of(NVP_WORKLOAD_REFUSED);
		unsigned crossed = 0, inside = 0, wrong = 0;

		p.most_blocks = most;
		for (uint64_t i = 0; i < 400; i++) {
			struct nvp_op op;

			nvp_workload_op(&p, i, &op);
			inside += op.kind == NVP_ORACLE_WRITE && !op.beyond;
			if (!op.beyond)
				continue;
			crossed++;
			wrong += op.kind != NVP_ORACLE_WRITE ||
				 op.block + op.nlb_z + 1 != p.nr_blocks ||
				 op.beyond > NVP_WORKLOAD_MOST_BEYOND ||
				 op.nlb_z + 1u + op.beyond > (most > 2 ? most : 2u);
		}
		CU_ASSERT(crossed > 50 && inside > 150);
		CU_ASSERT_EQUAL(wrong, 0);
	}
}

static void every_workload_has_a_name_of_its_own(void)
{
	for (unsigned w = 0; w < NVP_NR_WORKLOADS; w++) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(nvp_workload_name((enum nvp_workload)w));
		for (unsigned v = 0; v < w; v++)
			CU_ASSERT_STRING_NOT_EQUAL(nvp_workload_name((enum nvp_workload)w),
						   nvp_workload_name((enum nvp_workload)v));
	}
	CU_ASSERT_PTR_NULL(nvp_workload_name(NVP_NR_WORKLOADS));
	for (unsigned p = 0; p < NVP_NR_PHASES; p++)
		CU_ASSERT_PTR_NOT_NULL(nvp_phase_name((enum nvp_phase)p));
	CU_ASSERT_PTR_NULL(nvp_phase_name(NVP_NR_PHASES));
}

CU_TestInfo nvp_unit_workload[] = {
	{ "every_operation_lies_in_the_window", every_operation_lies_in_the_window },
	{ "an_operation_is_a_function_of_its_number", an_operation_is_a_function_of_its_number },
	{ "operations_of_an_epoch_lie_apart", operations_of_an_epoch_lie_apart },
	{ "a_flush_comes_when_so_many_are_volatile", a_flush_comes_when_so_many_are_volatile },
	{ "the_trigger_is_of_its_kind", the_trigger_is_of_its_kind },
	{ "what_reads_goes_where_the_write_before_it_went",
	  what_reads_goes_where_the_write_before_it_went },
	{ "boundaries_are_crossed", boundaries_are_crossed },
	{ "lengths_lie_about_the_atomic_unit", lengths_lie_about_the_atomic_unit },
	{ "the_end_of_the_namespace_is_crossed", the_end_of_the_namespace_is_crossed },
	{ "every_workload_has_a_name_of_its_own", every_workload_has_a_name_of_its_own },
	CU_TEST_INFO_NULL,
};
