/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the commands part say to each other: volatile state and the command tables. */
#ifndef NVP_SIM_COMMANDS_H
#define NVP_SIM_COMMANDS_H

#include <nvproof/cmd.h>

#include "core/sim/ns_manage.h"
#include "core/sim/erase.h"
#include "core/sim/world.h"

#define NVP_SIM_VERSION 0x00020000u	/* VS and VER: NVMe 2.0 */
#define NVP_SIM_PAGE_BYTES 4096u	/* the minimum memory page, CAP.MPSMIN 0: the unit of MDTS */
#define NVP_SIM_TEMPERATURE_K 311	/* the composite temperature; it does not change */
#define NVP_SIM_WARNING_TEMP_K 343
#define NVP_SIM_CRITICAL_TEMP_K 353
#define NVP_SIM_MAX_SENSORS 8

/* ---- command tables (admin.c, nvm.c) ---- */

/* Bits of a row of the Commands Supported and Effects log (NVMe Base 2.0 section 5.16.1.6). */
#define NVP_EFFECT_CSUPP (1u << 0)
#define NVP_EFFECT_LBCC (1u << 1)
#define NVP_EFFECT_NCC (1u << 2)
#define NVP_EFFECT_CSE_NS (1u << 16)	/* alone on its namespace */
#define NVP_EFFECT_SCOPE_SUBSYSTEM (1u << 25)
#define NVP_EFFECT_CSE_ALL (2u << 16)	/* alone on every namespace */
#define NVP_EFFECT_NIC (1u << 3)
#define NVP_EFFECT_SCOPE_NS (1u << 20)
#define NVP_EFFECT_SCOPE_CONTROLLER (1u << 21)

struct nvp_sim_command {
	uint8_t opcode;
	nvp_step_fn *check;	/* NULL: a queue command of the mechanism */
	uint32_t effects;
	bool optional;		/* only on profiles with optional commands */
};

/* The row of a supported command, or NULL. */
const struct nvp_sim_command *nvp_admin_command(const struct nvp_sim *w, uint8_t opcode);
const struct nvp_sim_command *nvp_io_command(const struct nvp_sim *w, uint8_t opcode);

nvp_step_fn nvp_sim_identify;		/* identify.c */
nvp_step_fn nvp_sim_get_features;	/* get_features.c */
nvp_step_fn nvp_sim_set_features;	/* set_features.c */
nvp_step_fn nvp_sim_get_log;		/* logs.c */
nvp_step_fn nvp_sim_async_event;	/* aer.c */
nvp_step_fn nvp_sim_abort;		/* abort.c */
nvp_step_fn nvp_sim_dsm;		/* dsm.c */
nvp_step_fn nvp_sim_write_uncorrectable;	/* nvm_uncorrectable.c */
nvp_step_fn nvp_sim_verify;
nvp_step_fn nvp_sim_copy;		/* nvm_copy.c */

/* True when the transfer is larger than MDTS (5.17.2.1); 0 means no limit. */
bool nvp_sim_above_mdts(const struct nvp_sim *w, uint64_t bytes);

/*
 * NSID of a command for one namespace (3.2.1): 0, above NN and FFFFFFFFh are invalid (0/0Bh), an
 * inactive one is an invalid field (0/02h). False: c has the status.
 */
bool nvp_sim_take_ns(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* The same for an I/O command. */
bool nvp_sim_take_io_ns(struct nvp_sim *w, struct nvp_sim_cmd *c);
/*
 * What Read, Write, Compare, Verify and others have in common: namespace, SLBA and NLB, MDTS when
 * data moves, range. False: c has the status. *bytes is the length of the data.
 */
bool nvp_sim_take_lbas(struct nvp_sim *w, struct nvp_sim_cmd *c, bool moves_data, uint32_t *bytes);
/* After READ: a block that was marked, or is unmapped while DULBE is 1. True: c has the status. */
bool nvp_sim_unreadable(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* 1 to NN, active or not. */
bool nvp_sim_nsid_valid(const struct nvp_sim *w, uint32_t nsid);

/* ---- features ---- */

#define NVP_FEATURE_SLOTS 512

struct nvp_sim_feature;		/* a row of the table (features.c) */

/* Each instance of each feature has a slot: thresholds by sensor, error recovery by namespace, .. */
struct nvp_feature_values {
	uint32_t value[NVP_FEATURE_SLOTS];
};

struct nvp_saved_features {
	uint32_t value[NVP_FEATURE_SLOTS];
	uint8_t is_saved[NVP_FEATURE_SLOTS];
};

#define NVP_FID_VENDOR 0xc0	/* from here on vendor specific: those of OCP */

enum nvp_feature_id {
	NVP_FID_ARBITRATION = 0x01, NVP_FID_POWER = 0x02, NVP_FID_TEMPERATURE = 0x04,
	NVP_FID_ERROR_RECOVERY = 0x05, NVP_FID_WRITE_CACHE = 0x06, NVP_FID_QUEUES = 0x07,
	NVP_FID_COALESCING = 0x08, NVP_FID_VECTOR = 0x09, NVP_FID_ATOMICITY = 0x0a,
	NVP_FID_EVENTS = 0x0b, NVP_FID_APST = 0x0c, NVP_FID_TIMESTAMP = 0x0e,
	NVP_FID_THERMAL = 0x10, NVP_FID_COMMAND_SETS = 0x19, NVP_FID_WRITE_PROTECT = 0x84,
	NVP_FID_OCP_PLP_MODE = 0xc2, NVP_FID_OCP_CLEAR_PCIE = 0xc3, NVP_FID_OCP_PLP_CHECK = 0xc6,
};

struct nvp_sim_feature {
	uint8_t fid;
	bool saveable, ns_specific, changeable;
	uint16_t first_slot, nr_slots;
	uint32_t mask;		/* bits of Dword 11 that are kept */
};

/* The row of a supported feature, or NULL. */
const struct nvp_sim_feature *nvp_feature_find(const struct nvp_sim *w, uint8_t fid);
bool nvp_feature_changeable(const struct nvp_sim *w, const struct nvp_sim_feature *f);
bool nvp_feature_saveable(const struct nvp_sim *w, const struct nvp_sim_feature *f);
uint32_t nvp_feature_default(const struct nvp_sim *w, const struct nvp_sim_feature *f,
			     unsigned slot);
uint32_t nvp_feature_saved(const struct nvp_sim *w, const struct nvp_sim_feature *f,
			   unsigned slot);
/* Current value of a feature with one instance. */
uint32_t nvp_feature_value(const struct nvp_sim *w, enum nvp_feature_id fid);
/* A new current value of one, from inside the drive; it counts at once. */
void nvp_feature_put(struct nvp_sim *w, enum nvp_feature_id fid, uint32_t value);
/* Time Limited Error Recovery and DULBE of one namespace. */
uint32_t nvp_feature_error_recovery(const struct nvp_sim *w, uint32_t nsid);
void nvp_features_power_on(struct nvp_sim *w);
void nvp_features_reset(struct nvp_sim *w);
/* The mechanism's copy (w->live) of what the current values say. */
void nvp_features_apply(struct nvp_sim *w);
/* Slot of a threshold: sensor 0 (composite) to 8; under: the lower one. */
unsigned nvp_temperature_slot(unsigned sensor, bool under);
unsigned nvp_sim_nr_sensors(const struct nvp_sim *w);
uint16_t nvp_sim_sensor_k(const struct nvp_sim *w, unsigned sensor);	/* 0: composite */
unsigned nvp_sim_npss(const struct nvp_sim *w);

/* ---- logs ---- */

#define NVP_MAX_ERROR_ENTRIES 256

/* Entries of the Error Information log, a ring; the spec lets them go with a reset (5.16.1.2). */
struct nvp_error_ring {
	uint8_t entry[NVP_MAX_ERROR_ENTRIES][64];
	unsigned newest;	/* index */
	unsigned nr;
};

struct nvp_sim_error {
	uint16_t sqid, cid;	/* FFFFh: of no command */
	uint16_t status_field;	/* bits 15:1 as in the completion entry */
	uint16_t location;
	uint64_t lba;
	uint32_t nsid;
};
void nvp_error_add(struct nvp_sim *w, const struct nvp_sim_error *error);
void nvp_errors_reset(struct nvp_sim *w);
/* Critical Warning of the SMART log, as of now. */
uint8_t nvp_sim_critical_warning(const struct nvp_sim *w);
/* Bytes of a log of this controller, 0: not supported. */
uint32_t nvp_log_bytes(const struct nvp_sim *w, uint8_t lid);

/* ---- asynchronous events ---- */

enum nvp_event_type { NVP_EVENT_ERROR = 0, NVP_EVENT_SMART = 1, NVP_EVENT_NOTICE = 2,
		      NVP_EVENT_IO = 6,
		      NVP_NR_EVENT_TYPES = 8 };

struct nvp_aer_state {
	uint32_t waiting[256];	/* slots of held requests, oldest first */
	unsigned nr_waiting;
	struct {
		bool masked;	/* reported; the host has not read the log yet */
		bool pending;	/* occurred while no request waited */
		uint8_t info, lid;
	} type[NVP_NR_EVENT_TYPES];
};

/* Bits of Asynchronous Event Configuration and of OAES (5.27.1.8, 5.17.2.1) beside warnings. */
#define NVP_EVENTS_NS_ATTRIBUTE (1u << 8)
#define NVP_EVENTS_FIRMWARE (1u << 9)
#define NVP_EVENTS_TELEMETRY (1u << 10)	/* with LPA bit 3; OAES has no bit for it */

/* The notices that this drive has. */
uint32_t nvp_sim_notices(const struct nvp_sim *w);

/* Something happened: reported, kept until a request comes, or masked (5.2). */
void nvp_event_occurred(struct nvp_sim *w, enum nvp_event_type type, uint8_t info, uint8_t lid);
/* The host read this log with RAE=0. */
void nvp_event_log_read(struct nvp_sim *w, uint8_t lid);
/* If the command is a request that waits, it does no longer. */
void nvp_aer_done(struct nvp_sim *w, const struct nvp_sim_cmd *c);
/* If the command is an Abort, one less runs. */
void nvp_abort_done(struct nvp_sim *w, const struct nvp_sim_cmd *c);
/* Thresholds or the configuration of events changed: the drive will look, and raise what is new. */
void nvp_smart_look(struct nvp_sim *w);
void nvp_aer_reset(struct nvp_sim *w);

/* ---- optional I/O commands ---- */

/* Limits of Copy (NVM Command Set 1.0, 4.1.5.1) and the recommended sizes of CNS 06h (4.1.5.2). */
#define NVP_SIM_MSSRL 64u
#define NVP_SIM_MCL 256u
#define NVP_SIM_MSRC_Z 7u
#define NVP_SIM_SIZE_LIMIT 8u		/* VSL and WUSL: 2^8 pages of 4 KiB */

#define NVP_MAX_LOCKS 16

/* Blocks that a fused pair works on, until its second command is done (map indices). */
struct nvp_fused_lock {
	uint32_t slot, generation;
	uint64_t first, end;
};

/* ---- all of it ---- */

struct nvp_commands {
	struct nvp_feature_values features;
	struct nvp_saved_features saved;
	struct nvp_error_ring errors;
	struct nvp_aer_state aer;
	struct nvp_sanitize_state sanitize;
	bool queues_allocated;		/* Number of Queues was set since the reset */
	unsigned nr_aborts;		/* Abort commands that run */
	struct nvp_fused_lock lock[NVP_MAX_LOCKS];
	unsigned nr_locks;
	uint8_t warnings_reported;	/* bits of Critical Warning that were enabled and true */
	uint64_t busy_until_ns;		/* end of the last interval counted as busy */
	struct nvp_manage *manage;	/* manage.h */
	struct nvp_ns_changes ns_changes;
	uint64_t smart_reads;		/* for defects that change from one reading to the next */
};

#endif
