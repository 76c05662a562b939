/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the door: the drive object, its queues and commands under way. */
#ifndef NVP_DRIVE_DOOR_H
#define NVP_DRIVE_DOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/drive_ops.h>

#include "core/drive/ring.h"
#include "core/drive/wrap.h"
#include "core/nvme/prp.h"

#define NVP_NR_QIDS 65536
#define NVP_BASELINE_ENTRIES 64
#define NVP_PAGE_BYTES 4096

/* What the controller knows of a queue, as far as we saw its Create and Delete pass. */
enum nvp_queue_state {
	NVP_QUEUE_NEW = 0,	/* never created, or gone with a reset */
	NVP_QUEUE_LIVE,
	NVP_QUEUE_DELETED,
};

enum nvp_flight_state {
	NVP_FLIGHT_FREE = 0,
	NVP_FLIGHT_POSTED,	/* in the ring, not yet exposed by a doorbell */
	NVP_FLIGHT_EXPOSED,
	NVP_FLIGHT_DONE,	/* completed, not yet delivered */
	NVP_FLIGHT_CANCELLED,	/* its queue went away first */
};

/* A command under way. Owned by its queue, reused; the PRP list pages stay with it. */
struct nvp_flight {
	struct nvp_flight *next;	/* free, pending or kept list */
	struct nvp_flight *bucket_next;
	struct nvp_sq *sq;
	uint16_t cid;
	uint8_t state;
	bool snapshot;			/* the rest of the buffer was summed before */
	uint32_t slot;
	enum nvp_time_class time_class;
	struct nvp_sqe sqe;
	enum nvp_dir dir;
	struct nvp_buf *buf, *meta;
	size_t data_offset, data_bytes;
	uint32_t before_crc, behind_crc;
	uint64_t sub_tick, start_ns;
	struct nvp_cpl cpl;
	int error;			/* DONE: no answer but this, and why (static) */
	const char *reason;
	uint8_t *list_memory;		/* list_pages pages of the controller's page size */
	uint64_t list_iova;
	size_t list_bytes;
};

struct nvp_flights {
	struct nvp_flight *first, **end;
};

struct nvp_cq {
	struct nvp_drive *drive;
	struct nvp_cq *next;
	struct nvp_ring *ring;	/* NULL: the kernel's queues are behind it (depth.c) */
	uint16_t qid;
	uint32_t entries;
	int vector;
	enum nvp_queue_state state;
	bool own, doomed, hold_head;
	bool quiet;		/* cleared when it went away: what appears in it later is late */
	uint8_t phase;		/* of the next entry to come */
	uint32_t head;
	uint32_t unrung;	/* entries taken since the head doorbell was written */
	unsigned nr_sqs;
	const volatile uint8_t *phase_base;	/* phase byte of slot 0 */
	uint8_t *taken;		/* what was last taken from each slot, 16 bytes each */
	struct nvp_flights kept;
	struct nvp_flight *strays;	/* free flights for completions that belong to nobody */
	struct nvp_sq *last_sq;
};

struct nvp_sq {
	struct nvp_drive *drive;
	struct nvp_sq *next;
	struct nvp_ring *ring;	/* NULL: as of its cq */
	struct nvp_cq *cq;
	uint16_t qid;
	uint32_t entries;
	enum nvp_queue_state state;
	bool own, doomed;
	uint32_t head;		/* as last reported by SQHD */
	uint32_t tail;		/* next slot to fill */
	uint32_t tail_rung;	/* last value of the doorbell that was inside the queue */
	unsigned nr_outstanding;	/* posted or exposed */
	uint16_t next_cid;
	struct nvp_flight **bucket;
	uint32_t bucket_mask;
	struct nvp_flights pending;
	struct nvp_flight *free;
	uint8_t *completed;	/* bit for each CID that has completed */
};

struct nvp_buf {
	struct nvp_drive *drive;
	struct nvp_buf *next;
	uint8_t *memory;	/* a guard page, the data, a guard page */
	size_t memory_bytes;
	uint8_t *data;
	size_t bytes;
	uint64_t iova;		/* of memory; 0: no addresses */
	unsigned in_flight;
	uint64_t uses;		/* commands that were given it, ever */
	bool own, doomed;
};

#define NVP_MAX_BURIED 8
#define NVP_MAX_UNSEEN 8

struct nvp_unseen {
	enum nvp_invariant invariant;
	char site[64], expected[120], seen[160];
};

struct nvp_drive {
	/* the top of the stack of wrappers, and the backend below all of them */
	const struct nvp_drive_ops *ops;
	void *backend;
	const struct nvp_drive_ops *base;
	void *base_backend;
	struct nvp_wrap guard, tracer;
	struct nvp_trace *trace;
	uint64_t ready_ns;		/* of the last enable by nvp_baseline */
	uint64_t tick;			/* counts when there is no trace */

	const struct nvp_clock *clock;
	uint32_t path;
	unsigned timeout_scale;
	struct nvp_err err;
	struct nvp_observer observer;
	bool observed;
	const char *came_back;		/* as it was last told in this case */
	struct nvp_unseen unseen[NVP_MAX_UNSEEN];	/* broken before anybody listened */
	unsigned nr_unseen;

	struct nvp_facts facts;
	struct nvp_ns *ns;
	unsigned ns_capacity;

	struct nvp_sq *sqs;
	struct nvp_cq *cqs;
	struct nvp_buf *bufs;
	struct nvp_sq *admin_sq, *io_sq;
	struct nvp_cq *admin_cq, *io_cq;
	struct nvp_buf *scratch;	/* 4096 bytes for the door's own commands */
	struct nvp_ring *buried[NVP_MAX_BURIED];	/* admin CQ memory of before a reset */
	unsigned nr_buried;
	uint8_t live_sq[NVP_NR_QIDS / 8], live_cq[NVP_NR_QIDS / 8];
	uint8_t dead_sq[NVP_NR_QIDS / 8];	/* deleted since it was last created */
	unsigned nr_live_sq, nr_live_cq;

	uint32_t cc;			/* as last written */
	bool disabling;			/* EN went to 0, RDY not yet seen at 0 */
	bool baseline;			/* nothing but I/O and queues of cases since then */
	unsigned nr_outstanding;
	uint64_t vectors_seen;		/* taken while waiting, not yet asked for */
	uint64_t dma_faults;
	uint8_t guard_page[NVP_PAGE_BYTES];
};

/* --- drive.c ------------------------------------------------------------------------------ */
/* Record why a call failed (the last one counts) and return code. */
int nvp_drive_fail_at(struct nvp_drive *drive, enum nvp_err_kind kind, int code, const char *file,
		      int line, const char *format, ...) __attribute__((format(printf, 6, 7)));
#define nvp_drive_fail(drive, kind, code, ...) \
	nvp_drive_fail_at((drive), (kind), (code), __FILE__, __LINE__, __VA_ARGS__)
void nvp_drive_heartbeat(struct nvp_drive *drive);
void nvp_drive_note(struct nvp_drive *drive, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t nvp_drive_now_ns(const struct nvp_drive *drive);
/* A number of the one order of this drive, taken before what it stands for. */
uint64_t nvp_drive_take_tick(struct nvp_drive *drive);
/* The tick of the record that the last call made, or with no trace the one taken before it. */
uint64_t nvp_drive_last_tick(const struct nvp_drive *drive);
int nvp_drive_need(struct nvp_drive *drive, uint32_t path, const char *what);
/* Let time pass until until_ns at most, in slices that send a heartbeat. As clock wait. */
int nvp_drive_wait(struct nvp_drive *drive, const struct nvp_wait *wait);
/* Poll CSTS until (value & mask) == want. 0, -ETIMEDOUT, -ENODEV. */
int nvp_drive_poll_csts(struct nvp_drive *drive, uint32_t mask, uint32_t want, uint64_t budget_ns,
			uint64_t *took_ns);
/* Registers, already checked for NVP_PATH_REGISTERS; all-ones of a 4-byte CSTS means gone. */
bool nvp_drive_gone(struct nvp_drive *drive);
static inline void nvp_drive_baseline_begin(struct nvp_drive *drive) { drive->guard.baseline++; }
static inline void nvp_drive_baseline_end(struct nvp_drive *drive) { drive->guard.baseline--; }

/* --- flight.c ----------------------------------------------------------------------------- */
int nvp_flights_init(struct nvp_sq *sq);
void nvp_flights_destroy(struct nvp_sq *sq);
struct nvp_flight *nvp_flight_new(struct nvp_sq *sq);	/* NULL without memory */
void nvp_flight_insert(struct nvp_flight *flight, uint16_t cid);
void nvp_flight_release(struct nvp_flight *flight);	/* back to the free list */
/* The oldest with this CID in one of these states (bits 1 << state), or NULL. */
struct nvp_flight *nvp_flight_find(const struct nvp_sq *sq, uint16_t cid, unsigned states);
bool nvp_flight_pick_cid(struct nvp_sq *sq, uint16_t *cid);
/* The command is over: its buffer may go, its place in the counts too. */
void nvp_flight_end(struct nvp_flight *flight, enum nvp_flight_state state);
void nvp_flights_cancel(struct nvp_sq *sq);
/* Forget those that were cancelled and never asked for. */
void nvp_flights_forget(struct nvp_sq *sq);
void nvp_flights_init_list(struct nvp_flights *list);
void nvp_flights_add(struct nvp_flights *list, struct nvp_flight *flight);
struct nvp_flight *nvp_flights_take(struct nvp_flights *list);
void nvp_flights_remove(struct nvp_flights *list, struct nvp_flight *flight);

/* --- submit.c ----------------------------------------------------------------------------- */
/* As nvp_submit; snapshot: sum what of the buffer must not change (the caller waits at once). */
int nvp_submit_flight(struct nvp_sq *sq, const struct nvp_cmd *cmd, bool snapshot,
		      struct nvp_flight **out);

/* --- exec.c: commands of a backend without queues of ours ----------------------------------- */
int nvp_exec_refuse_raw(struct nvp_drive *drive, const struct nvp_cmd *cmd);
void nvp_exec_fill(struct nvp_exec *exec, const struct nvp_cmd *cmd);
int nvp_exec_failed(struct nvp_drive *drive, bool admin, const struct nvp_cmd *cmd, int rc,
		    const struct nvp_err *err);

/* --- depth.c: the baseline pair of such a backend, when it takes several commands at once ----- */
int nvp_depth_open(struct nvp_drive *drive);	/* makes the pair, or nothing: 0 or -ENOMEM */
int nvp_depth_post(struct nvp_flight *flight, const struct nvp_cmd *cmd);
int nvp_depth_send(struct nvp_drive *drive);
int nvp_depth_take(struct nvp_cq *cq, struct nvp_flight **out);	/* as nvp_cq_take */
int nvp_depth_wait(struct nvp_cq *cq, uint64_t until_ns);	/* 1, 0 (time), negative errno */
uint64_t nvp_depth_budget_ns(const struct nvp_drive *drive, enum nvp_time_class time_class);
/* When even the kernel must have given the command back, and the error when it has not. */
uint64_t nvp_depth_deadline_ns(const struct nvp_flight *flight);
int nvp_depth_late(const struct nvp_flight *flight);
int nvp_depth_error(struct nvp_flight *flight);	/* the flight's own error, recorded */
int nvp_depth_drain(struct nvp_drive *drive);	/* until nothing is outstanding; else -EIO */

/* --- reap.c ------------------------------------------------------------------------------- */
/* Take one entry from ring memory: 1 and *out, or 0. The flight is DONE and in no list. */
int nvp_cq_take(struct nvp_cq *cq, struct nvp_flight **out);
/* Take all that is there and keep it for delivery. */
void nvp_cq_drain(struct nvp_cq *cq);
/* Look for entries that a wrong phase hides, after a wait that ended in vain. */
void nvp_cq_check_phase(struct nvp_cq *cq);
/* Anything in the memory of a completion queue that the controller has no business in? */
void nvp_drive_check_late(struct nvp_drive *drive);

/* --- queues.c ----------------------------------------------------------------------------- */
struct nvp_sq *nvp_drive_find_sq(struct nvp_drive *drive, uint16_t qid);
struct nvp_cq *nvp_drive_find_cq(struct nvp_drive *drive, uint16_t qid);
/* Bookkeeping and memory as right before Create. */
void nvp_sq_rewind(struct nvp_sq *sq);
void nvp_cq_rewind(struct nvp_cq *cq);
int nvp_cq_replace_ring(struct nvp_cq *cq, uint32_t entries);
int nvp_sq_replace_ring(struct nvp_sq *sq, uint32_t entries);
/* Free what waited for the controller to let go of it. */
void nvp_drive_free_doomed(struct nvp_drive *drive);
void nvp_drive_free_queues(struct nvp_drive *drive, bool own_too);

/* --- observe.c ---------------------------------------------------------------------------- */
void nvp_observe_post(struct nvp_sq *sq, const struct nvp_sqe *sqe);
void nvp_observe_completion(struct nvp_flight *flight);
void nvp_observe_reg_write(struct nvp_drive *drive, uint64_t offset, unsigned bytes,
			   uint64_t value);
void nvp_observe_reg_read(struct nvp_drive *drive, uint64_t offset, unsigned bytes,
			  uint64_t value);
/* The controller has let go of every queue and command. */
void nvp_drive_queues_gone(struct nvp_drive *drive);

/* --- invariants.c ------------------------------------------------------------------------- */
void nvp_invariant_broken(struct nvp_drive *drive, enum nvp_invariant invariant, const char *site,
			  const char *expected, const char *seen_format, ...)
	__attribute__((format(printf, 5, 6)));
#define NVP_SITE_2(file, line) file ":" #line
#define NVP_SITE_1(file, line) NVP_SITE_2(file, line)
#define NVP_SITE NVP_SITE_1(__FILE__, __LINE__)
/* One standing invariant; its file:line is a check site. True when it holds. */
#define NVP_INVARIANT(drive, invariant, condition, expected, ...)			\
	({										\
		bool nvp_holds = (condition);						\
		if (!nvp_holds)								\
			nvp_invariant_broken((drive), (invariant), NVP_SITE, (expected),	\
					     __VA_ARGS__);				\
		nvp_holds;								\
	})

/* Who completed, by the entry's SQID and CID; NULL when the entry names nobody. */
struct nvp_flight *nvp_check_identity(struct nvp_cq *cq, const struct nvp_cpl *cpl,
				      struct nvp_sq **sq);
void nvp_check_sqhd(struct nvp_sq *sq, const struct nvp_cpl *cpl);
void nvp_check_status(struct nvp_drive *drive, const struct nvp_sqe *sqe,
		      const struct nvp_cpl *cpl);
/* Do data and metadata of the command lie in their buffers? 0, or -EINVAL and why. */
int nvp_check_room(struct nvp_drive *drive, const struct nvp_cmd *cmd);
void nvp_check_memory(struct nvp_drive *drive, const struct nvp_flight *flight);
void nvp_check_dma(struct nvp_drive *drive);
void nvp_check_buf_guards(struct nvp_buf *buf);
void nvp_check_late_entry(struct nvp_drive *drive, uint16_t qid, uint32_t slot, const void *cqe);
void nvp_check_phase_slot(struct nvp_cq *cq, uint32_t slot, const uint8_t *cqe);

/* --- buf.c -------------------------------------------------------------------------------- */
struct nvp_buf *nvp_buf_make(struct nvp_drive *drive, size_t bytes, bool own);
void nvp_buf_release(struct nvp_buf *buf);	/* one command less; frees it when doomed */
void nvp_drive_free_bufs(struct nvp_drive *drive, bool own_too);
void nvp_buf_snapshot(const struct nvp_buf *buf, size_t offset, size_t bytes, uint32_t *before_crc,
		      uint32_t *behind_crc);

/* --- life.c, facts.c ---------------------------------------------------------------------- */
int nvp_drive_read_cap(struct nvp_drive *drive);
int nvp_drive_learn(struct nvp_drive *drive);	/* Identify */
int nvp_drive_negotiate_queues(struct nvp_drive *drive);

static inline bool nvp_bitmap_get(const uint8_t *map, uint16_t bit)
{
	return map[bit >> 3] >> (bit & 7) & 1;
}

static inline void nvp_bitmap_set(uint8_t *map, uint16_t bit)
{
	map[bit >> 3] |= (uint8_t)(1u << (bit & 7));
}

static inline void nvp_bitmap_clear(uint8_t *map, uint16_t bit)
{
	map[bit >> 3] &= (uint8_t)~(1u << (bit & 7));
}

#endif
