/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The backend side of a drive: what a way to the drive implements, and what the runner may ask of the door. */
#ifndef NVPROOF_DRIVE_OPS_H
#define NVPROOF_DRIVE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/drive.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Impacts (DESIGN section 2): what a case does, what --allow permits. */
enum nvp_impact {
	NVP_IMPACT_READ = 0,		/* always allowed */
	NVP_IMPACT_STATE = 1 << 0,	/* changed and restored */
	NVP_IMPACT_DATA = 1 << 1,
	NVP_IMPACT_ERASE = 1 << 2,
	NVP_IMPACT_RESET = 1 << 3,
	NVP_IMPACT_POWER = 1 << 4,
	NVP_IMPACT_FIRMWARE = 1 << 5,
	NVP_IMPACT_PERMANENT = 1 << 6,
	NVP_IMPACT_ALL = (1 << 6) - 1,	/* the word "all": never permanent */
};

/* Rules that hold for every completion (DESIGN section 3, "Standing invariants"). */
enum nvp_invariant {
	NVP_INVARIANT_SQID = 0,		/* SQ Identifier names a queue of this CQ */
	NVP_INVARIANT_CID,		/* CID names an outstanding command */
	NVP_INVARIANT_ONCE,		/* no command completes twice */
	NVP_INVARIANT_SQHD,		/* SQ Head inside the queue, never past the tail, never back */
	NVP_INVARIANT_PHASE,		/* Phase Tag inverts once each pass */
	NVP_INVARIANT_STATUS,		/* no reserved type; nothing that only a host makes (3/70h-7Fh) */
	NVP_INVARIANT_GUARD,		/* nothing written outside the data buffer */
	NVP_INVARIANT_DMA,		/* no access outside what is mapped */
	NVP_INVARIANT_LATE,		/* no completion for a queue that is deleted or was reset away */
	NVP_NR_INVARIANTS
};
const char *nvp_invariant_name(enum nvp_invariant invariant);	/* "sqid", "cid", ... */
const char *nvp_invariant_section(enum nvp_invariant invariant);	/* "NVMe Base 2.0, 3.3.3.2" */

/* A ring as a backend keeps it. Its memory is never handed out: all access passes the ops. */
struct nvp_ring;

/* A whole command, for a backend that has no queues of ours. All borrowed. */
struct nvp_exec {
	bool admin;
	const struct nvp_sqe *sqe;
	enum nvp_dir dir;		/* NVP_DIR_NONE without data */
	void *data;			/* page aligned, or NULL */
	size_t data_bytes;
	void *meta;			/* metadata apart from its data, or NULL */
	size_t meta_bytes;
	uint64_t timeout_ns;
};

/* How a command ended that was handed over with others. */
struct nvp_exec_end {
	uint64_t tag;
	int error;			/* 0, or a negative errno as exec gives it: no answer of the drive */
	const char *reason;		/* of error; static */
	uint16_t cid;			/* as its entry had it */
	struct nvp_cpl cpl;		/* status and Dword 0 */
};

/*
 * A way to a drive. Required: name, help, path, open, close, clock, buf_alloc, buf_free, and
 * either exec (a backend that has no queues of ours) or all of the ring calls. Others may be
 * NULL. Wrappers (trace, guard) implement the same struct and hand on to the next. Calls return
 * 0 or a negative errno as drive.h lists them, and put the reason into *err where they have one.
 */
struct nvp_drive_open {
	const char *address;
	void *prepared;			/* of nvp_drive_prepare; NULL on a real drive */
	unsigned timeout_scale;		/* 1 and up */
};

struct nvp_drive_ops {
	const char *name;	/* "sim", "pci", "kernel" */
	const char *help;	/* one line: the form of the address */

	void *(*open)(const struct nvp_drive_open *open, struct nvp_err *err);
	void (*close)(void *backend);
	uint32_t (*path)(void *backend);	/* enum nvp_path bits */
	const struct nvp_clock *(*clock)(void *backend);

	/* Memory for data: page aligned, reachable by the drive; *iova 0 where that has no meaning. */
	void *(*buf_alloc)(void *backend, size_t bytes, uint64_t *iova);
	void (*buf_free)(void *backend, void *memory, size_t bytes);

	/* One command, waiting for it (kernel). */
	int (*exec)(void *backend, const struct nvp_exec *exec, struct nvp_cpl *cpl,
		    struct nvp_err *err);

	/*
	 * Several I/O commands at once, for a backend with exec. depth: how many, or 0: one at a
	 * time. exec_post makes one ready under a tag of the caller's, at most depth of them until
	 * they are taken; its buffers stay until then. exec_send hands all of them over. exec_take
	 * gives one that is over: 1, or 0. exec_wait: 1 when there is one, 0 at until_ns.
	 */
	unsigned (*depth)(void *backend);
	int (*exec_post)(void *backend, const struct nvp_exec *exec, uint64_t tag,
			 struct nvp_err *err);
	int (*exec_send)(void *backend, struct nvp_err *err);
	int (*exec_take)(void *backend, struct nvp_exec_end *end);
	int (*exec_wait)(void *backend, uint64_t until_ns);

	/* Rings. entry_bytes 64 or 16. Slot numbers run from 0 to entries - 1. */
	struct nvp_ring *(*ring_new)(void *backend, uint32_t entries, unsigned entry_bytes,
				     uint64_t *iova);
	void (*ring_free)(void *backend, struct nvp_ring *ring);
	void (*ring_clear)(void *backend, struct nvp_ring *ring);
	/* 0, or -EPERM from the guard; a backend itself never refuses. */
	int (*post)(void *backend, struct nvp_ring *sq, uint32_t slot, const struct nvp_sqe *sqe);
	/* Copy entry `slot` (16 bytes) after a read barrier. */
	void (*peek)(void *backend, struct nvp_ring *cq, uint32_t slot, void *cqe);
	const volatile uint8_t *(*phase_byte)(void *backend, struct nvp_ring *cq, uint32_t slot);
	/* Doorbell of queue qid; head false: SQ tail. Orders all earlier posts before it. */
	int (*doorbell)(void *backend, uint16_t qid, bool head, uint32_t value);

	int (*reg_read)(void *backend, uint64_t offset, unsigned bytes, uint64_t *value);
	int (*reg_write)(void *backend, uint64_t offset, unsigned bytes, uint64_t value);
	int (*config_read)(void *backend, unsigned offset, unsigned bytes, uint32_t *value);
	int (*config_write)(void *backend, unsigned offset, unsigned bytes, uint32_t value);

	unsigned (*nr_vectors)(void *backend);
	bool (*vector_take)(void *backend, unsigned vector);

	uint32_t (*resets)(void *backend);
	int (*reset)(void *backend, enum nvp_reset kind, struct nvp_err *err);
	int (*reattach)(void *backend, uint64_t until_ns, struct nvp_err *err);
	int (*power)(void *backend, bool on);
	uint64_t (*dma_faults)(void *backend, struct nvp_dma_fault *last);

	/* NSIDs that I/O can be sent to: 0 entries in the answer means any. */
	uint32_t (*only_nsid)(void *backend);

	/* How the last reattach did it, a constant text; NULL: none, or nothing to tell. */
	const char *(*came_back)(void *backend);
};

/* --- for the runner ----------------------------------------------------------------------- */

/* What the door reports while a case runs; all borrowed for the call. */
struct nvp_observer {
	void *context;
	/* A standing invariant was checked and broken. site is "file:line" of the check. */
	void (*broken)(void *context, enum nvp_invariant invariant, const char *site,
		       const char *expected, const char *seen);
	void (*note)(void *context, const char *text);
	/* Called at each completed or waited call; the supervisor's wall budget is renewed by it. */
	void (*heartbeat)(void *context);
};

/*
 * What has to exist before the worker is forked (simulated drives: the arena; real drives: the
 * exclusive lock and the facts for the safety checks). position: place on the command line.
 */
struct nvp_prepared;
struct nvp_prepared *nvp_drive_prepare(const char *address, uint64_t seed, unsigned position,
				       struct nvp_err *err);
void nvp_drive_discard(struct nvp_prepared *prepared);
bool nvp_prepared_is_simulated(const struct nvp_prepared *prepared);
const char *nvp_prepared_address(const struct nvp_prepared *prepared);
/* Serial number, known before the drive is opened by a worker. */
const char *nvp_prepared_serial(const struct nvp_prepared *prepared);
/* Model number without padding, known as early; "" when it is not. */
const char *nvp_prepared_model(const struct nvp_prepared *prepared);
/* "nvme0" when the kernel's driver has the controller, else "". */
const char *nvp_prepared_controller(const struct nvp_prepared *prepared);

/*
 * In use by the host (real drives): 0 nothing found; 1 a signature or partition table; 2 mounted,
 * swap or has a holder. text (at least bytes) says by what.
 */
int nvp_prepared_in_use(const struct nvp_prepared *prepared, char *text, size_t bytes);
/* The same of a drive that is not prepared, by its address; negative errno: text says why not known. */
int nvp_drive_used_by(const char *address, char *text, size_t bytes);
/* Does this file or folder lie on the drive (real drives)? text says where: "/srv is on nvme0n1p1". */
bool nvp_prepared_holds(const struct nvp_prepared *prepared, const char *path, char *text,
			size_t bytes);

/*
 * Open and bring to the baseline. trace may be NULL. NULL and *err on failure. A controller that
 * never becomes ready or refuses its first queue is no failure to open: its registers are there
 * to be judged; nvp_at_baseline() is then false, and nvp_baseline() can be tried again.
 */
struct nvp_trace;
struct nvp_drive *nvp_drive_open(struct nvp_prepared *prepared, struct nvp_trace *trace,
				 unsigned timeout_scale, struct nvp_err *err);
void nvp_drive_close(struct nvp_drive *drive);

void nvp_drive_observe(struct nvp_drive *drive, const struct nvp_observer *observer);
/* What the guard lets through from now on: NVP_IMPACT_* bits. */
void nvp_drive_permit(struct nvp_drive *drive, uint32_t impacts);
/* The number that trace records carry from now on: the case's place in the plan. */
void nvp_drive_set_case(struct nvp_drive *drive, uint32_t case_number);
/* Free buffers and queues that the case made; only once nothing is outstanding on them. */
void nvp_drive_free_case_memory(struct nvp_drive *drive);
/*
 * Switch the supply (NVP_PATH_POWER: a simulated drive). Returns at once; the rail takes its time,
 * and registers read all-ones in the end. What was completed into ring memory can still be reaped.
 */
int nvp_drive_power(struct nvp_drive *drive, bool on);
/*
 * After power came back: make the function usable again, waiting until until_ns (drive clock) at
 * most. Outstanding commands end with -ECANCELED; nvp_baseline comes next. 0, -ETIMEDOUT, -ENODEV.
 * The way that it took is a note of the running case, the first time and when it changes.
 */
int nvp_drive_reattach(struct nvp_drive *drive, uint64_t until_ns);
/* CC.EN = 1 to CSTS.RDY = 1 of the last enable that nvp_baseline made; 0: none was made. */
uint64_t nvp_drive_ready_ns(const struct nvp_drive *drive);
/* Commands outstanding on any queue. */
unsigned nvp_drive_outstanding(const struct nvp_drive *drive);

/* Backends, NULL-ended, and the scheme list for help. */
const struct nvp_drive_ops *const *nvp_drive_backends(void);

/* The release of libnvme that runs with us ("1.3"), and whether its calls are those that we make. */
const char *nvp_kernel_library(void);
bool nvp_kernel_library_fits(const char *version);

/*
 * Hand a drive ("pci:0000:01:00.0", "/dev/nvme0") to vfio-pci for the backend "pci", or back to the
 * kernel's driver. 0 and *out, or one line: no such drive (usage); mounted, swap or held whatever
 * is forced, a signature unless forced, other functions in its IOMMU group, open in another
 * process (refused).
 */
struct nvp_handed {
	char address[32];	/* "pci:0000:01:00.0" */
	char driver[32];	/* that has it now */
	unsigned iommu_group;
};
int nvp_drive_bind(const char *drive, bool force, struct nvp_handed *out, struct nvp_err *err);
int nvp_drive_unbind(const char *drive, struct nvp_handed *out, struct nvp_err *err);

/* --- trace: shared memory, made before the fork -------------------------------------------------- */

enum nvp_trace_kind {
	NVP_TRACE_SQE = 1,	/* 64 bytes of a posted entry; on the kernel path of the executed command */
	NVP_TRACE_CQE,		/* 16 bytes; on the kernel path status and Dword 0 only */
	NVP_TRACE_DOORBELL,	/* a = qid | head << 16, b = value */
	NVP_TRACE_REG_READ,	/* a = offset, b = value */
	NVP_TRACE_REG_WRITE,
	NVP_TRACE_CONFIG_READ,
	NVP_TRACE_CONFIG_WRITE,
	NVP_TRACE_RESET,	/* a = enum nvp_reset */
	NVP_TRACE_POWER,	/* a = 1 on, 0 off */
	NVP_TRACE_REFUSED,	/* an SQE, register or configuration write that the guard stopped */
	NVP_TRACE_SENT,		/* what was posted before is handed to the kernel (NVP_PATH_DEPTH alone) */
};

/* 128 bytes, host byte order, in the order of `tick` (one counter for each drive, from 1). */
struct nvp_trace_record {
	uint64_t tick;
	uint64_t drive_ns;
	uint64_t wall_ns;	/* CLOCK_REALTIME */
	uint32_t case_number;
	uint16_t qid;
	uint16_t kind;		/* enum nvp_trace_kind */
	uint32_t bytes;		/* of payload that count */
	int32_t result;		/* negative errno for NVP_TRACE_REFUSED, else 0 */
	uint64_t a, b;
	uint8_t payload[64];
	uint8_t reserved[8];
};

/* A ring of nr_records in shared memory (MAP_SHARED, survives the worker). NULL without memory. */
struct nvp_trace *nvp_trace_new(uint32_t nr_records);
void nvp_trace_free(struct nvp_trace *trace);
uint64_t nvp_trace_last_tick(const struct nvp_trace *trace);
/* Copy record `tick`; false when it was overwritten or never written. */
bool nvp_trace_get(const struct nvp_trace *trace, uint64_t tick, struct nvp_trace_record *record);
/* Append a record (tick and wall_ns are filled in); returns its tick. */
uint64_t nvp_trace_put(struct nvp_trace *trace, struct nvp_trace_record *record);
/* One line for people, without a newline; text at least NVP_TRACE_TEXT_BYTES. */
#define NVP_TRACE_TEXT_BYTES 256
const char *nvp_trace_text(const struct nvp_trace_record *record, char *text);

#ifdef __cplusplus
}
#endif
#endif
