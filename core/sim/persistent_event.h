/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Persistent Event log (NVMe Base 2.0, 5.16.1.14): what is recorded, and how it is read. */
#ifndef NVP_SIM_PERSISTENT_EVENT_H
#define NVP_SIM_PERSISTENT_EVENT_H

#include "core/nvme/fields.h"
#include "core/sim/world.h"

#define NVP_LOG_PERSISTENT_EVENT 0x0d
#define NVP_PEL_HEADER_BYTES 512u	/* of the log */
#define NVP_PEL_EVENT_HEADER_BYTES 24u
#define NVP_PEL_DATA_BYTES 512u		/* most data of an event */
#define NVP_PEL_SLOTS 1024u		/* events that are kept, and one that is being written */
#define NVP_PEL_64K 9u			/* Identify PELS: the log at its largest */

enum nvp_pel_type {
	NVP_PEL_SNAPSHOT = 0x01, NVP_PEL_FIRMWARE_COMMIT = 0x02, NVP_PEL_TIMESTAMP = 0x03,
	NVP_PEL_RESET = 0x04, NVP_PEL_HARDWARE_ERROR = 0x05, NVP_PEL_NAMESPACE = 0x06,
	NVP_PEL_FORMAT_START = 0x07, NVP_PEL_FORMAT_DONE = 0x08, NVP_PEL_SANITIZE_START = 0x09,
	NVP_PEL_SANITIZE_DONE = 0x0a, NVP_PEL_SET_FEATURE = 0x0b, NVP_PEL_TELEMETRY = 0x0c,
};

enum nvp_pel_hardware_error { NVP_PEL_POWER_LOST = 0x08, NVP_PEL_FATAL_STATUS = 0x09 };

/* ---- persistent_event.c: the ring in the arena ---- */

/* One event as the log gives it. */
struct nvp_pel_slot {
	uint64_t number;		/* events before it, over the life of the drive, + 1 */
	uint32_t crc32c;		/* of number and event */
	uint32_t bytes;
	uint8_t event[NVP_PEL_EVENT_HEADER_BYTES + NVP_PEL_DATA_BYTES];
};

/* At the start of the reserve. Events first .. next - 1 are there, each in slot number % SLOTS. */
struct nvp_pel_ring {
	uint64_t next;
	uint64_t first;			/* only a wrong drive moves it; older ones are overwritten */
	uint64_t reserved[6];
	struct nvp_pel_slot slot[NVP_PEL_SLOTS];
};

struct nvp_pel_context {
	uint8_t *page;			/* the log as it was when it was established, or NULL */
	uint32_t bytes;
	uint64_t reset_ns;		/* the last controller-level reset */
	uint64_t snapshot;		/* counts snapshots that were planned: older plans are void */
};

/* The profile has the log; nothing is recorded otherwise. */
bool nvp_sim_has_persistent_events(const struct nvp_sim *w);
/* Recorded by one store; data as the type's figure says, at most NVP_PEL_DATA_BYTES. */
void nvp_pel_add(struct nvp_sim *w, enum nvp_pel_type type, const void *data, uint32_t nr_bytes);
/* Events that are there: the oldest has number *first, the newest *next - 1. */
void nvp_pel_range(const struct nvp_sim *w, uint64_t *first, uint64_t *next);
const struct nvp_pel_slot *nvp_pel_slot(const struct nvp_sim *w, uint64_t number);
void nvp_pel_forget(struct nvp_sim *w);		/* a wrong drive: all of them */
/* What is in the ring is whole; 0 or -EUCLEAN and *err. */
int nvp_pel_arena_check(const struct nvp_sim_arena *arena, struct nvp_err *err);

/* ---- persistent_event_kinds.c: what happened, as events ---- */

void nvp_pel_power_on(struct nvp_sim *w, bool lost);	/* lost: power went without a shutdown */
void nvp_pel_reset(struct nvp_sim *w, bool formats);	/* formats: a Format NVM ran */
void nvp_pel_hardware_error(struct nvp_sim *w, enum nvp_pel_hardware_error code);
void nvp_pel_command_done(struct nvp_sim *w, const struct nvp_sim_cmd *c);
void nvp_pel_timestamp(struct nvp_sim *w, const uint8_t before[8]);
/* A successful Create, or Delete of this namespace; ns NULL: of all of them. */
void nvp_pel_namespace(struct nvp_sim *w, const struct nvp_sim_cmd *c,
		       const struct nvp_sim_ns *ns);
void nvp_pel_format_start(struct nvp_sim *w, const struct nvp_sim_cmd *c);
/* left: percent; c NULL: it was stopped. */
void nvp_pel_format_done(struct nvp_sim *w, const struct nvp_sim_cmd *c, uint32_t nsid,
			 unsigned left);
void nvp_pel_sanitize_start(struct nvp_sim *w, uint32_t cdw10, uint32_t cdw11);
void nvp_pel_sanitize_done(struct nvp_sim *w);
void nvp_pel_set_feature(struct nvp_sim *w, const struct nvp_sim_cmd *c);
void nvp_pel_telemetry(struct nvp_sim *w, const uint8_t header[512]);

/* ---- persistent_event_log.c: the log page ---- */

/*
 * What the Action field asks for. False: c has the status, or (Release) nothing more is to be
 * done. *fresh: this command established the context, and takes it with it if it fails.
 */
bool nvp_pel_begin(struct nvp_sim *w, struct nvp_sim_cmd *c, bool *fresh);
/* The action gives the header alone, wherever the command points. */
bool nvp_pel_header_only(const struct nvp_sim_cmd *c);
void nvp_pel_release(struct nvp_sim *w);
uint32_t nvp_pel_bytes(const struct nvp_sim *w);	/* of the log, as the context has it */
void nvp_log_fill_persistent(struct nvp_sim *w, uint8_t *data);

#endif
