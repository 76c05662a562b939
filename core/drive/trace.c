// SPDX-License-Identifier: GPL-2.0-or-later
// The trace: a ring of records in shared memory that outlives the process that writes it.

#include <nvproof/drive_ops.h>

#include <string.h>
#include <sys/mman.h>
#include <time.h>

_Static_assert(sizeof(struct nvp_trace_record) == 128, "a trace record is 128 bytes");

struct nvp_trace {
	uint64_t last_tick;
	uint64_t mask; /* records - 1 */
	size_t bytes;
	uint8_t reserved[128 - 2 * sizeof(uint64_t) - sizeof(size_t)];
	struct nvp_trace_record record[];
};

struct nvp_trace *nvp_trace_new(uint32_t nr_records)
{
	struct nvp_trace *trace;
	uint64_t nr = 1;
	size_t bytes;

	while (nr < nr_records)
		nr *= 2;
	bytes = sizeof(*trace) + nr * sizeof(trace->record[0]);
	trace = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (trace == MAP_FAILED)
		return NULL;
	trace->mask = nr - 1;
	trace->bytes = bytes;
	return trace;
}

void nvp_trace_free(struct nvp_trace *trace)
{
	if (trace)
		munmap(trace, trace->bytes);
}

uint64_t nvp_trace_last_tick(const struct nvp_trace *trace)
{
	return __atomic_load_n(&trace->last_tick, __ATOMIC_ACQUIRE);
}

/* A reader in another process may look at any moment: a record counts while it has its tick. */
bool nvp_trace_get(const struct nvp_trace *trace, uint64_t tick, struct nvp_trace_record *record)
{
	const struct nvp_trace_record *from = &trace->record[tick & trace->mask];

	if (!tick || __atomic_load_n(&from->tick, __ATOMIC_ACQUIRE) != tick)
		return false;
	memcpy(record, from, sizeof(*record));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&from->tick, __ATOMIC_RELAXED) != tick)
		return false;
	record->tick = tick;
	return true;
}

uint64_t nvp_trace_put(struct nvp_trace *trace, struct nvp_trace_record *record)
{
	uint64_t tick = trace->last_tick + 1;
	struct nvp_trace_record *to = &trace->record[tick & trace->mask];
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	record->wall_ns = (uint64_t)ts.tv_sec * NVP_NS_PER_S + (uint64_t)ts.tv_nsec;
	record->tick = tick;
	__atomic_store_n(&to->tick, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy((uint8_t *)to + sizeof(to->tick), (const uint8_t *)record + sizeof(to->tick),
	       sizeof(*to) - sizeof(to->tick));
	__atomic_store_n(&to->tick, tick, __ATOMIC_RELEASE);
	__atomic_store_n(&trace->last_tick, tick, __ATOMIC_RELEASE);
	return tick;
}
