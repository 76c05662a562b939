/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front door to a drive: what a case may do with commands, queues, registers and resets. */
#ifndef NVPROOF_DRIVE_H
#define NVPROOF_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/bar.h>
#include <nvproof/buf.h>
#include <nvproof/clock.h>
#include <nvproof/cmd.h>
#include <nvproof/decode.h>
#include <nvproof/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Two channels for wrong. Calls that return int give 0 (or a count) when the command travelled,
 * and what the drive answered stands in the completion; else a negative errno:
 *   -ETIMEDOUT   no completion within the deadline of its time class
 *   -ENODEV      the drive is gone (all-ones, surprise removal, power off)
 *   -EPERM       the guard refused it: not among the allowed impacts
 *   -EOPNOTSUPP  this way to the drive cannot do it (the kernel owns its queues, ...)
 *   -EIO         the kernel or the host made the error; not the drive's answer
 *   -ECANCELED   the command was given up by a reset before it completed
 *   -ENOMEM, -ENOSPC (queue full: one slot stays empty), -EINVAL (caller's mistake)
 * nvp_drive_err() has the one-line reason of the last of them.
 * Where a call gives no completion, it leaves *cpl zeroed.
 */
struct nvp_drive;
struct nvp_sq;		/* a submission queue of ours: ring memory, tail, its completion queue */
struct nvp_cq;		/* a completion queue of ours: ring memory, head, phase */

const struct nvp_err *nvp_drive_err(const struct nvp_drive *drive);
const struct nvp_clock *nvp_drive_clock(struct nvp_drive *drive);
/* The budget of a time class, drive clock, --timeout-scale included. */
uint64_t nvp_drive_budget_ns(const struct nvp_drive *drive, enum nvp_time_class time_class);

/* --- what is there ---------------------------------------------------------------------- */

/* What the way to the drive offers; bits of nvp_drive_path(). */
enum nvp_path {
	NVP_PATH_REGISTERS = 1 << 0,	/* controller registers */
	NVP_PATH_QUEUES = 1 << 1,	/* own queues: raw entries, doorbells, CIDs, Abort, AER */
	NVP_PATH_INTERRUPTS = 1 << 2,	/* vectors can be waited for */
	NVP_PATH_CONFIG = 1 << 3,	/* PCI configuration space */
	NVP_PATH_RESETS = 1 << 4,	/* controller reset and shutdown */
	NVP_PATH_POWER = 1 << 5,	/* the supply can be switched */
	NVP_PATH_DMA = 1 << 6,		/* addresses of memory are ours: PRPs can be built by hand */
	NVP_PATH_SIMULATED = 1 << 7,
	NVP_PATH_DEPTH = 1 << 8,	/* several I/O commands at once on the baseline pair */
};
uint32_t nvp_drive_path(const struct nvp_drive *drive);

/* An active namespace as it was when the drive was opened or last reset to its baseline. */
struct nvp_ns {
	uint32_t nsid;
	struct nvp_id_ns id;
};

/* Facts from Identify and registers, refreshed when the drive returns to its baseline. */
struct nvp_facts {
	uint32_t version;	/* VS (kernel path: Identify VER) as NVP_VERSION */
	bool has_cap;		/* registers could be read */
	struct nvp_cap cap;
	struct nvp_id_ctrl ctrl;
	bool has_ctrl_nvm;
	struct nvp_id_ctrl_nvm ctrl_nvm;
	uint32_t page_bytes;		/* memory page size in use (CC.MPS; kernel path: 4096) */
	uint64_t mdts_bytes;		/* largest data transfer; 0: no limit */
	/* Of the NVM Command Set, ascending by NSID; ns[0] is the namespace under test. */
	unsigned nr_ns;
	const struct nvp_ns *ns;
	unsigned nr_io_sq, nr_io_cq;	/* allocated to us (Number of Queues); 0 on the kernel path */
	unsigned nr_vectors;
	/*
	 * Behind the first nr_ns of ns, up to this many: active ones of another I/O command set
	 * (zoned, key value), which takes writes by other rules (5.17.2.3, NIDT 04h).
	 */
	unsigned nr_all_ns;
};
const struct nvp_facts *nvp_drive_facts(const struct nvp_drive *drive);

/* --- commands, one at a time --------------------------------------------------------------- */

/*
 * Execute on the admin queue or the baseline I/O queue (queue 1) and wait for its completion.
 * Fills in CID and PRPs unless the command says raw. cmd is not changed. -EINVAL for a command
 * that moves data and has neither a buffer nor data pointers of its own.
 */
int nvp_exec_admin(struct nvp_drive *drive, const struct nvp_cmd *cmd, struct nvp_cpl *cpl);
int nvp_exec_io(struct nvp_drive *drive, const struct nvp_cmd *cmd, struct nvp_cpl *cpl);
/* The same on a queue of one's own. */
int nvp_exec(struct nvp_sq *sq, const struct nvp_cmd *cmd, struct nvp_cpl *cpl);

/* --- queues (NVP_PATH_QUEUES) ---------------------------------------------------------------- */

struct nvp_sq *nvp_admin_sq(struct nvp_drive *drive);
struct nvp_cq *nvp_admin_cq(struct nvp_drive *drive);
/*
 * The baseline pair, queue 1. NVP_PATH_DEPTH alone (the kernel path): submit, ring_tail, reap,
 * reap_until and wait_cid work on it. What the kernel's queues make of it is not seen: CIDs are
 * ours, completions have no queue fields, entries and doorbells of one's own are refused with
 * -EOPNOTSUPP, and what the kernel itself ends comes back as -EIO or -ENODEV. NULL without it.
 */
struct nvp_sq *nvp_io_sq(struct nvp_drive *drive);
struct nvp_cq *nvp_io_cq(struct nvp_drive *drive);

/*
 * Host side only: ring memory and bookkeeping; the drive does not know of it before Create. Any
 * qid and any number of entries (1 to 65536) is taken. vector -1: no interrupts. NULL and
 * nvp_drive_err() when memory ran out. Freed at the end of the case by the runner, or earlier by
 * the free call; memory the controller may still reach stays mapped until it cannot.
 */
struct nvp_cq *nvp_cq_new(struct nvp_drive *drive, uint16_t qid, uint32_t entries, int vector);
struct nvp_sq *nvp_sq_new(struct nvp_drive *drive, uint16_t qid, uint32_t entries,
			  struct nvp_cq *cq);
void nvp_cq_free(struct nvp_cq *cq);
void nvp_sq_free(struct nvp_sq *sq);

/* Send Create or Delete for it, as its fields say, and wait. */
int nvp_cq_create(struct nvp_cq *cq, struct nvp_cpl *cpl);
int nvp_sq_create(struct nvp_sq *sq, struct nvp_cpl *cpl);
int nvp_cq_delete(struct nvp_cq *cq, struct nvp_cpl *cpl);
int nvp_sq_delete(struct nvp_sq *sq, struct nvp_cpl *cpl);

uint16_t nvp_cq_id(const struct nvp_cq *cq);
uint16_t nvp_sq_id(const struct nvp_sq *sq);
uint32_t nvp_cq_entries(const struct nvp_cq *cq);
uint32_t nvp_sq_entries(const struct nvp_sq *sq);
/* Address of the ring as the drive sees it, for Create commands built by hand. */
uint64_t nvp_cq_iova(const struct nvp_cq *cq);
uint64_t nvp_sq_iova(const struct nvp_sq *sq);
/* Commands given and not yet completed. */
unsigned nvp_sq_outstanding(const struct nvp_sq *sq);

/*
 * Many in flight. nvp_submit fills in CID and PRPs, writes the entry into the ring and does not
 * ring; *cid (may be NULL) tells which it is. nvp_ring_tail writes the doorbell once for all that
 * was posted. 0 or a negative errno.
 */
int nvp_submit(struct nvp_sq *sq, const struct nvp_cmd *cmd, uint16_t *cid);
int nvp_ring_tail(struct nvp_sq *sq);

/*
 * Take the next completion if there is one: 1, or 0 when there is none, or a negative errno. Does
 * not wait. The CQ head doorbell is written when the queue is empty or a quarter was taken, unless
 * nvp_cq_hold_head(cq, true) leaves that to the caller (nvp_ring_head).
 */
int nvp_reap(struct nvp_cq *cq, struct nvp_cpl *cpl);
/* Take the next completion, waiting for it until until_ns (drive clock). 1, 0 (time), negative errno. */
int nvp_reap_until(struct nvp_cq *cq, uint64_t until_ns, struct nvp_cpl *cpl);
/*
 * Commands that a reset or a loss of power ended are kept until the case is over, so that one
 * which completes afterwards is told from one that was never given. A case that goes through
 * thousands of them says here from time to time that it asks for none of them any more.
 */
void nvp_forget_cancelled(struct nvp_drive *drive);

/*
 * Wait for the completion of one command of sq (within its time class's budget); others that
 * come meanwhile are kept and delivered by nvp_reap or nvp_wait_cid later.
 */
int nvp_wait_cid(struct nvp_sq *sq, uint16_t cid, struct nvp_cpl *cpl);
void nvp_cq_hold_head(struct nvp_cq *cq, bool hold);
int nvp_ring_head(struct nvp_cq *cq);

/* Raw: nothing is validated or filled in. The entry is tracked by the CID in its bytes. */
int nvp_post_raw(struct nvp_sq *sq, const struct nvp_sqe *sqe);
int nvp_ring_tail_raw(struct nvp_sq *sq, uint32_t value);
int nvp_ring_head_raw(struct nvp_cq *cq, uint32_t value);
/* A doorbell of a queue that we do not have: qid, false for tail, true for head. */
int nvp_ring_any(struct nvp_drive *drive, uint16_t qid, bool head, uint32_t value);

/* Did the vector fire since last asked? Vectors of MSI-X, 0-based (NVP_PATH_INTERRUPTS). */
bool nvp_vector_take(struct nvp_drive *drive, unsigned vector);

/* --- registers and configuration space ------------------------------------------------------- */

/* -ENODEV when the function is gone. offset in bytes, not validated. */
int nvp_reg_read32(struct nvp_drive *drive, uint64_t offset, uint32_t *value);
int nvp_reg_read64(struct nvp_drive *drive, uint64_t offset, uint64_t *value);
int nvp_reg_write32(struct nvp_drive *drive, uint64_t offset, uint32_t value);
int nvp_reg_write64(struct nvp_drive *drive, uint64_t offset, uint64_t value);
int nvp_config_read(struct nvp_drive *drive, unsigned offset, unsigned bytes, uint32_t *value);
int nvp_config_write(struct nvp_drive *drive, unsigned offset, unsigned bytes, uint32_t value);

/* --- the controller's life ---------------------------------------------------------------------- */

/* What Enable writes; nvp_enable_defaults gives what the baseline uses. */
struct nvp_enable {
	uint32_t asq_entries, acq_entries;	/* 2 to 4096 */
	uint8_t mps;				/* page size 1 << (12 + mps) */
	uint8_t iosqes, iocqes;			/* 6 and 4 */
	uint8_t ams, css;
	bool keep_admin_registers;	/* leave AQA, ASQ and ACQ as they stand in the drive */
};
void nvp_enable_defaults(const struct nvp_drive *drive, struct nvp_enable *enable);

/*
 * CC.EN = 0 and wait for CSTS.RDY = 0 (section 3.7.2, CAP.TO): all queues and outstanding
 * commands are gone. *ready_ns (may be NULL) is how long it took.
 */
int nvp_ctrl_disable(struct nvp_drive *drive, uint64_t *ready_ns);
/* Admin queue memory, AQA, ASQ, ACQ, CC, and wait for CSTS.RDY = 1 (CAP.TO or CRTO). No other command. */
int nvp_ctrl_enable(struct nvp_drive *drive, const struct nvp_enable *enable, uint64_t *ready_ns);
/* CC.SHN and wait for CSTS.SHST = 10b within RTD3E (0: the power class budget). */
int nvp_ctrl_shutdown(struct nvp_drive *drive, bool abrupt, uint64_t *done_ns);

/* Bit n: nvp_reset(n) can be done here. */
uint32_t nvp_resets(const struct nvp_drive *drive);
/* Reset, then baseline. Outstanding commands end with -ECANCELED. */
int nvp_reset(struct nvp_drive *drive, enum nvp_reset kind);

/*
 * Baseline: controller enabled with default options, Number of Queues set, one I/O queue pair
 * (queue 1), nothing outstanding, facts fresh. Disables and enables if it is not there already.
 */
int nvp_baseline(struct nvp_drive *drive);
/* The facts again, at the baseline: after a format, or anything else that changes Identify. */
int nvp_learn(struct nvp_drive *drive);
/* Is it there, as far as the host can tell without sending anything? */
bool nvp_at_baseline(const struct nvp_drive *drive);

#ifdef __cplusplus
}
#endif
#endif
