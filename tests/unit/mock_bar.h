/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scripted PCIe function: it logs what it is asked, the test posts completions. */
#ifndef NVP_TESTS_MOCK_BAR_H
#define NVP_TESTS_MOCK_BAR_H

#include <stdlib.h>

#include <nvproof/bar.h>
#include <nvproof/drive_ops.h>

#define MOCK_MAX_QUEUES 8
#define MOCK_MAX_MAPS 256
#define MOCK_MAX_LOG 4096
#define MOCK_IO_ENTRIES 64	/* what the door's baseline pair has with MQES 1023 */

struct mock_access {
	bool write;
	uint64_t offset;
	unsigned bytes;
	uint64_t value;
};

/* One queue pair as the mock has learned it from AQA/ASQ/ACQ or from Create commands. */
struct mock_queue {
	uint64_t sq, cq;	/* I/O addresses */
	uint32_t sq_entries, cq_entries;
	uint32_t sq_tail, cq_head;	/* last doorbell values */
	uint32_t sq_head;		/* entries fetched by the mock */
	uint32_t cq_tail;
	uint8_t phase;
};

/*
 * The admin queue is served at once: Identify gives `identify` or zeroes, Create and Delete are
 * followed, everything else succeeds; fail_* change that. I/O queues do nothing by themselves.
 */
struct mock_bar {
	uint32_t cc, csts;
	uint64_t cap;
	uint32_t vs, aqa;
	uint64_t asq, acq;
	uint64_t now_ns;
	struct { uint8_t *va; size_t bytes; uint64_t iova; } map[MOCK_MAX_MAPS];
	unsigned nr_map;
	uint64_t next_iova;
	struct mock_access log[MOCK_MAX_LOG];
	unsigned nr_log;
	struct mock_queue queue[MOCK_MAX_QUEUES];
	struct nvp_sqe admin[64];	/* the last admin commands */
	unsigned nr_admin;

	bool gone;			/* everything reads all-ones */
	bool never_ready, never_idle, mute_admin;
	const char *came_back;		/* what it says of its last reattach */
	uint8_t fail_opcode;		/* answered with 0/02h; 0: none */
	uint64_t faults;
	struct nvp_dma_fault fault;
	uint32_t nsids[1024];		/* answer to CNS 02h with NSID 0 */
	uint8_t csi[16];		/* in the answer to CNS 03h, by NSID */
	unsigned nr_vectors;
	uint64_t vectors;
	/* called at each wait that would pass time; true: look again, something was posted */
	bool (*on_wait)(struct mock_bar *mock);
	uint64_t argument;

	struct nvp_clock clock;
	struct nvp_prepared *prepared;
	struct nvp_drive *drive;
	struct nvp_trace *trace;
	unsigned broken[NVP_NR_INVARIANTS], nr_broken, heartbeats;
	char site[64], seen[160];
	unsigned notes;
	char note[160];
};

extern const struct nvp_drive_ops mock_drive_ops;

/* Zero and defaults; then open it, false after a failed assertion. */
void mock_bar_set_up(struct mock_bar *mock);
bool mock_bar_open(struct mock_bar *mock);
void mock_bar_close(struct mock_bar *mock);

/* The observer that counts into the mock. */
void mock_bar_listen(struct mock_bar *mock, struct nvp_observer *observer);

/* The host memory behind an I/O address, NULL when that is not mapped. */
uint8_t *mock_bar_memory(struct mock_bar *mock, uint64_t iova, size_t bytes);

/* The next entry of an SQ that a doorbell has exposed; false: none. */
bool mock_bar_fetch(struct mock_bar *mock, unsigned qid, struct nvp_sqe *sqe);
/* Post a completion to CQ cqid: as given, with the phase that is right. */
void mock_bar_complete(struct mock_bar *mock, unsigned cqid, uint16_t sqid, uint16_t sqhd,
		       uint16_t cid, uint16_t status_field);
/* Write a whole entry into slot of CQ cqid; nothing is added. */
void mock_bar_write_cqe(struct mock_bar *mock, unsigned cqid, uint32_t slot, const void *cqe);
/* Fetch one entry of queue 1 and complete it well; false: none there. */
bool mock_bar_serve(struct mock_bar *mock);

/* Writes to `offset` since the log began; the last value in *value. */
unsigned mock_bar_writes(const struct mock_bar *mock, uint64_t offset, uint64_t *value);

/* One mock for each test: too large for the stack of some. */
#define WITH_MOCK(m)							\
	struct mock_bar *m = malloc(sizeof(*m));			\
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);				\
	mock_bar_set_up(m)
#define OPEN(m) do {							\
	if (!mock_bar_open(m)) {					\
		free(m);						\
		return;							\
	}								\
} while (0)
#define DONE(m) do {							\
	mock_bar_close(m);						\
	free(m);							\
} while (0)

/* Doorbell of a queue with CAP.DSTRD = 0. */
#define DOORBELL(qid, head) (NVP_REG_DOORBELLS + 4u * (2u * (qid) + (head)))

#endif
