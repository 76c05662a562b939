/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the simulated drive: the world, its events, running commands, and what survives. */
#ifndef NVP_SIM_WORLD_H
#define NVP_SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sim/hooks.h"
#include "core/sim/sim.h"

/*
 * Who owns what:
 *   mechanism  address.c profile.c arena.c nonvolatile.c sim.c events.c registers.c config_space.c
 *              queues.c create.c engine.c dma.c media.c cache.c rail.c
 *   commands   commands.c identify.c features.c logs.c aer.c admin.c nvm.c defects.c defects_*.c
 *              and what they keep to themselves, struct nvp_commands
 */

/* ---- times of the supply (rail.c), keys of the address in microseconds ---- */

enum nvp_rail_time {
	NVP_RAIL_DETECT,	/* off command to the drive noticing: nothing is fetched any more */
	NVP_RAIL_DEAD,		/* off command to no more events, without protection */
	NVP_RAIL_LINK_DOWN,	/* off command to all-ones, at the latest when it is dead */
	NVP_RAIL_HOLD_UP,	/* plp=on: noticing to the end of the stored energy */
	NVP_RAIL_POWER_ON,	/* on command to where link training begins */
	NVP_RAIL_TRAIN,		/* to the link being up */
	NVP_NR_RAIL_TIMES
};

/* What a cut leaves of a volatile cache; each of them is allowed. */
enum nvp_cache_loss {
	NVP_LOSS_SUBSET,	/* any units, chosen by the seed, are lost */
	NVP_LOSS_ALL,		/* all that is not on the media is lost */
	NVP_LOSS_NEWEST,	/* the newest from a point on, chosen by the seed */
};

/* ---- profiles: what kind of drive (profile.c, const) ---- */

struct nvp_profile {
	const char *name;
	const char *model;		/* Identify MN */
	const char *firmware;		/* FR of slot 1 as shipped, at most 8 characters */
	bool vwc;			/* a volatile write cache is there */
	bool plp;
	uint16_t max_namespaces;
	uint16_t mqes_z;		/* CAP.MQES */
	uint16_t nr_io_queues;		/* pairs */
	uint8_t mdts;			/* power of two of 4 KiB; 0: none */
	uint8_t awun_z, awupf_z;	/* blocks */
	uint8_t aerl_z, acl_z, elpe_z;	/* Identify AERL, ACL, ELPE */
	uint8_t nr_firmware_slots;
	uint8_t nr_lba_formats;		/* of nvp_sim_format(); 1: just the one of the address */
	uint8_t fna;			/* Identify FNA */
	uint32_t sanicap;		/* Identify SANICAP */
	bool optional_commands;		/* Compare, Write Zeroes, DSM, Save/Select, ... */
	bool weighted;			/* CAP.AMS: weighted round robin with urgent class */
	bool fixed_coalescing;		/* Interrupt Coalescing is there and not changeable */
	bool ocp;			/* logs and features of OCP (ocp.c) */
	bool ns_management;		/* and capacity that no namespace has yet (ns_manage.c) */
	uint32_t enable_ns, disable_ns, shutdown_ns;
	uint32_t command_ns;		/* check step */
	uint32_t read_ns, cache_ns, flush_ns, program_ns;	/* the last: per 512-byte sector */
	uint64_t rail_ns[NVP_NR_RAIL_TIMES];
	uint32_t to_500ms;		/* CAP.TO, CRTO */
};
const struct nvp_profile *nvp_profile_find(const char *name);

#define NVP_SIM_VENDOR_ID 0x1234	/* configuration space and Identify VID, SSVID */
#define NVP_SIM_DEVICE_ID 0x4e56
#define NVP_SIM_OUI 0x024e56u	/* EUI-64, NGUID and Identify IEEE: a locally administered one */

enum nvp_vwc { NVP_VWC_ABSENT, NVP_VWC_OFF, NVP_VWC_ON };

/* What the address said, after defaults; kept beside the arena for each world (address.c). */
struct nvp_sim_config {
	const struct nvp_profile *profile;
	uint64_t size_bytes;		/* of the drive */
	uint32_t lba_bytes;		/* 512 or 4096 */
	uint32_t nr_ns;
	uint32_t nr_controllers;	/* of the subsystem: 1 or 2 (ns_attach.c) */
	uint8_t meta_bytes, pi_type;	/* of each namespace at first */
	bool meta_extended, pi_first;
	uint64_t seed;
	enum nvp_vwc vwc;
	bool plp;
	enum nvp_cache_loss cache_loss;
	uint64_t rail_ns[NVP_NR_RAIL_TIMES];
	bool real_clock;
	char serial[21];
	char image[512];		/* "" : memfd */
	struct nvp_defect_set defects;
	uint32_t given;			/* bit k: key k of nvp_sim_keys() stands in the address */
};

/* ---- what survives power loss: small records (nonvolatile.c) ---- */

/*
 * Each region holds two copies and one selector; nvp_nv_commit writes the copy that does not
 * count and then makes it count with one aligned 8-byte store. Load at power-on, change a copy
 * in the heap, commit. Never-committed regions load as zeroes.
 */
enum nvp_nv_region {
	NVP_NV_FEATURES,	/* saved features */
	NVP_NV_ERROR_LOG,	/* error information log entries and error count */
	NVP_NV_FIRMWARE,	/* slots, active slot, next slot */
	NVP_NV_EVENTS,		/* event state that must outlive power (none is needed yet) */
	NVP_NV_NAMESPACES,	/* namespace table, if it can change */
	NVP_NV_SELF_TEST,
	NVP_NV_SANITIZE,
	NVP_NV_FORMAT,
	NVP_NV_RESERVATIONS,
	NVP_NV_PERSISTENT_LOG,
	NVP_NV_MISC,
	NVP_NV_TELEMETRY,
	NVP_NV_SPARE_2, NVP_NV_SPARE_3, NVP_NV_SPARE_4,
	NVP_NR_NV_REGIONS
};
#define NVP_NV_BYTES 16384	/* of one copy of one region */
void nvp_nv_load(const struct nvp_sim *w, enum nvp_nv_region region, void *bytes, size_t nr_bytes);
void nvp_nv_commit(struct nvp_sim *w, enum nvp_nv_region region, const void *bytes,
		   size_t nr_bytes);

/*
 * Counters that only grow. Each is a 128-bit base, fixed when the arena was made, plus 64 bits
 * counted since, one aligned store each. The unit is the log's own where no other is said.
 */
enum nvp_counter {
	NVP_COUNT_POWER_CYCLES,		/* mechanism */
	NVP_COUNT_UNSAFE_SHUTDOWNS,	/* mechanism */
	NVP_COUNT_POWER_ON_NS,		/* mechanism; nanoseconds, the log wants hours */
	NVP_COUNT_MEDIA_SECTORS,	/* mechanism; 512-byte sectors programmed */
	NVP_COUNT_SECTORS_READ,		/* commands; 512 bytes; the log wants 1000s, rounded up */
	NVP_COUNT_SECTORS_WRITTEN,	/* commands */
	NVP_COUNT_HOST_READS,		/* commands */
	NVP_COUNT_HOST_WRITES,		/* commands */
	NVP_COUNT_BUSY_NS,		/* commands; nanoseconds, the log wants minutes */
	NVP_COUNT_MEDIA_ERRORS,		/* commands */
	NVP_COUNT_ERROR_ENTRIES,	/* commands; of the error log, over its life */
	NVP_COUNT_WARNING_TEMP_NS,	/* commands */
	NVP_COUNT_CRITICAL_TEMP_NS,	/* commands */
	NVP_COUNT_PLP_STARTS,		/* mechanism; the hold-up energy wrote the cache out */
	NVP_COUNT_INCOMPLETE_SHUTDOWNS,	/* mechanism; .. or should have, and did not */
	NVP_COUNT_POWER_STATES,		/* commands; changes of the power state */
	NVP_NR_COUNTERS = 64
};
void nvp_count(struct nvp_sim *w, enum nvp_counter counter, uint64_t by);
uint64_t nvp_counted(struct nvp_sim *w, enum nvp_counter counter);	/* low 64 bits */
void nvp_counter_get(struct nvp_sim *w, enum nvp_counter counter, uint8_t le128[16]);

/* ---- namespaces (namespace.c fills at power-on) ---- */

/* Of one LBA format (NVM Command Set 1.0, figure 98). */
struct nvp_sim_lba_format {
	uint8_t lba_shift;		/* LBADS */
	uint8_t meta_bytes;		/* MS */
	uint8_t performance;		/* RP */
};
/* NULL: the drive has no such format. */
const struct nvp_sim_lba_format *nvp_sim_format(const struct nvp_sim_config *config, unsigned index);

struct nvp_sim_ns {
	uint32_t nsid;
	bool allocated;
	bool active;			/* allocated, attached and not about to go */
	bool shared;			/* NMIC bit 0: may be attached to several controllers */
	bool deleting;			/* Delete works on it */
	uint64_t nr_lbas;		/* NSZE */
	uint64_t capacity_lbas;		/* NCAP */
	uint64_t nr_used;		/* NUSE: blocks with data or written zeroes */
	uint32_t lba_bytes;		/* data alone */
	uint8_t lba_shift;
	uint8_t format;			/* index of its LBA format */
	uint8_t meta_bytes;
	bool meta_extended;		/* metadata at the end of the data, else in a buffer */
	uint8_t pi_type;		/* 0: none */
	bool pi_first;			/* protection information in the first 8 bytes, not the last */
	uint32_t write_protect;
	uint32_t format_slot;		/* slot + 1 of the Format NVM that works on it; 0: none */
	uint8_t format_left;		/* percent that it has still to do */
	uint64_t bytes;			/* of the drive that it takes */
	uint64_t attached;		/* as in struct nvp_ns_record */
	uint32_t generation;
	uint64_t map_first;		/* index of LBA 0 in the arena's map */
	uint8_t eui64[8], nguid[16], uuid[16];
};
/* NULL when nsid is 0, FFFFFFFFh, above NN, or inactive. */
struct nvp_sim_ns *nvp_sim_ns(struct nvp_sim *w, uint32_t nsid);
/* The same of an allocated one, attached or not. */
struct nvp_sim_ns *nvp_sim_ns_allocated(struct nvp_sim *w, uint32_t nsid);
/*
 * What w->ns says becomes what is there after a power loss, all of it by one store. First what a
 * format says of a namespace (lba_bytes, lba_shift, meta_bytes) and its identifiers are made to
 * follow its format and generation.
 */
void nvp_sim_ns_commit(struct nvp_sim *w);

/* Deleted namespaces whose blocks are still in the map (power-on, reset): they are given back. */
void nvp_namespaces_tidy(struct nvp_sim *w);
/* Capacity beyond `size`, which no namespace has when the drive is made; bytes. */
uint64_t nvp_sim_spare_bytes(const struct nvp_sim_config *config);

/* ---- events (events.c) ---- */

/*
 * One queue, ordered by (time, sequence). An event carries no pointer to anything that may go:
 * a command is named by slot and generation, and the event is dropped unseen when that command
 * has ended, or when the scope it belongs to was ended (controller reset, power off).
 */
enum nvp_scope {
	NVP_SCOPE_CONTROLLER,	/* ends with any controller-level reset */
	NVP_SCOPE_DEVICE,	/* goes on over resets, ends when the drive is dead */
	NVP_SCOPE_RAIL,		/* ends with nothing */
	NVP_NR_SCOPES
};

struct nvp_sim_event;
typedef void nvp_event_fn(struct nvp_sim *w, uint64_t argument);

/* delay_ns from now. */
void nvp_event_add(struct nvp_sim *w, enum nvp_scope scope, uint64_t delay_ns, nvp_event_fn *fn,
		   uint64_t argument);
static inline uint64_t nvp_sim_now(const struct nvp_sim *w);

/* ---- commands (engine.c) ---- */

/*
 * What a handler wants done next. A handler is called at the check step, and again (as c->then)
 * when what it asked for is done; without c->then the command then completes with c's status.
 * Handlers never loop over time and never touch host memory themselves.
 */
enum nvp_step {
	NVP_STEP_COMPLETE,	/* post the completion as c says */
	NVP_STEP_HELD,		/* nothing until nvp_sim_cmd_complete (AER) */
	NVP_STEP_FROM_HOST,	/* c->data_bytes from the PRPs to c->data */
	NVP_STEP_TO_HOST,	/* c->data_bytes from c->data to the PRPs */
	NVP_STEP_READ,		/* c->nr_lbas blocks at c->slba of c->ns to c->media */
	NVP_STEP_WRITE,		/* the same from c->media; c->fua; through the cache if it is on */
	/* the same with zeroes, no data; c->deallocate: unmapped; c->mark: not readable */
	NVP_STEP_ZERO,
	NVP_STEP_FLUSH,		/* everything cached of c->ns (NULL: of all) at this moment */
	NVP_STEP_DELAY,		/* c->delay_ns */
};

/* What a command can have of memory; each is kept for the next command with its slot. */
enum nvp_cmd_buffer {
	NVP_BUFFER_DATA, NVP_BUFFER_SECOND, NVP_BUFFER_META, NVP_BUFFER_SECOND_META,
	NVP_BUFFER_WIRE,
	NVP_NR_BUFFERS
};

struct nvp_sim_cmd;
typedef enum nvp_step nvp_step_fn(struct nvp_sim *w, struct nvp_sim_cmd *c);

struct nvp_sim_cmd {
	/* set at fetch */
	uint8_t sqe[64] __attribute__((aligned(8)));	/* as fetched; read by nvp_le32() .. */
	uint32_t slot, generation;
	uint16_t sqid, cqid, cid;
	uint16_t sq_head;		/* SQHD as of its fetch */
	uint8_t opcode;
	uint8_t state;			/* enum in engine.c; 0: free */
	uint32_t nsid;
	uint64_t fetched_ns;

	/* the completion to be; zero is success. DNR is set by nvp_sim_fail */
	uint8_t sct, sc;
	bool dnr, more;
	uint32_t dw0, dw1;
	uint16_t location_1;		/* Parameter Error Location + 1 (byte, bit << 8); 0: none */

	/* what the next step works on; set by the handler */
	uint8_t *data;			/* of nvp_sim_cmd_data(); owned by the slot, reused */
	uint32_t data_bytes;
	uint32_t prp_skip_bytes;	/* reserved: where the transfer starts in the PRPs */
	uint8_t *media;			/* data, or a second buffer of nvp_sim_cmd_second() */
	uint8_t *meta;			/* metadata of READ and WRITE, meta_bytes each; NULL: none */
	uint8_t *host_meta;		/* metadata as it moves to and from the host; mptr_bytes */
	uint32_t mptr_bytes;		/* .. through the Metadata Pointer; 0: not that way */
	uint8_t *wire;			/* blocks with their metadata in a row, instead of data */
	uint32_t wire_bytes;
	struct nvp_sim_ns *ns;
	uint64_t slba;
	uint32_t nr_lbas;
	bool fua, deallocate, mark;
	uint32_t nr_unmapped;		/* after READ: blocks never written or deallocated */
	uint64_t first_unmapped;	/* LBA of the first of them */
	uint32_t nr_marked;		/* after READ: blocks that Write Uncorrectable marked */
	uint64_t first_marked;
	uint64_t delay_ns;
	nvp_step_fn *then;

	uint64_t scratch[8];		/* the handler's own */

	/* engine's own */
	uint8_t *buffer[NVP_NR_BUFFERS];
	uint32_t buffer_bytes[NVP_NR_BUFFERS];
	enum nvp_step step;
	bool linked;			/* in the list of its SQ */
	bool swapped;			/* got another command's CID, by a defect */
	bool visible;			/* part of what it does can be seen: too late to abort */
	bool held_back;			/* a write that waits for a fused pair */
	uint8_t fused;			/* enum nvp_fused */
	uint32_t partner, partner_generation;	/* of a fused pair */
	uint32_t done_lbas;
	uint64_t flush_upto;
	uint32_t older, newer;		/* commands of the same SQ; oldest has older == none */
	uint32_t next_waiting;		/* for room in the CQ */
};

/* Buffers of at least nr_bytes, zeroed; never NULL (the drive's memory is bounded by MDTS). */
uint8_t *nvp_sim_cmd_data(struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t nr_bytes);
uint8_t *nvp_sim_cmd_second(struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t nr_bytes);
uint8_t *nvp_sim_cmd_buffer(struct nvp_sim_cmd *c, enum nvp_cmd_buffer which, uint32_t nr_bytes);

/* An error status with DNR=1; returns NVP_STEP_COMPLETE. */
static inline enum nvp_step nvp_sim_fail(struct nvp_sim_cmd *c, uint8_t sct, uint8_t sc)
{
	c->sct = sct;
	c->sc = sc;
	c->dnr = true;
	return NVP_STEP_COMPLETE;
}

/* The same, naming the bit of the command that is wrong: Command Dword and bit in it. */
static inline enum nvp_step nvp_sim_fail_at(struct nvp_sim_cmd *c, uint8_t sct, uint8_t sc,
					    unsigned dword, unsigned bit)
{
	c->location_1 = (uint16_t)((dword * 4 + bit / 8) + 1 + (bit % 8 << 8));
	return nvp_sim_fail(c, sct, sc);
}

/* Complete a held command with the status it has. */
void nvp_sim_cmd_complete(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* A fetched, not yet completed command; NULL if there is none. The newest, if CIDs were reused. */
struct nvp_sim_cmd *nvp_sim_cmd_find(struct nvp_sim *w, uint16_t sqid, uint16_t cid);
/*
 * Stop it and complete it with 0/07h (Abort) or another status. False when it is too late (its
 * completion is on its way or part of what it does is visible): it then completes by itself.
 */
bool nvp_sim_cmd_abort(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t sct, uint8_t sc);

/* ---- what the commands part implements for the mechanism ---- */

struct nvp_commands;		/* volatile state of identify.c features.c logs.c ..: heap */

/* Power-on: w->commands made from the arena; features at saved values. 0 or -ENOMEM. */
int nvp_commands_power_on(struct nvp_sim *w, struct nvp_err *err);
void nvp_commands_free(struct nvp_sim *w);
/* A controller-level reset is done: held commands are gone, features at saved or default values. */
void nvp_commands_reset(struct nvp_sim *w);
/*
 * The check step. Admin opcodes 00h 01h 04h 05h (queues) never come here. Generic checks that
 * hold for every command (FUSE, PSDT) are done before.
 */
enum nvp_step nvp_commands_admin(struct nvp_sim *w, struct nvp_sim_cmd *c);
enum nvp_step nvp_commands_io(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* Just before the CQE is made: error log entry and M bit, SMART counters. c's status may change. */
void nvp_commands_done(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* A doorbell error: NVMe Base 2.0 section 5.2, type 0 (error), info 00h or 01h, LID 01h. */
void nvp_commands_doorbell_error(struct nvp_sim *w, bool no_such_queue, uint16_t qid);

/* Features that the mechanism obeys; commands set them (power-on, reset, Set Features). */
struct nvp_live_features {
	uint8_t arbitration_burst;	/* FID 01h AB: 2^n commands, 7: no limit */
	uint8_t weight_z[4];		/* .. HPW, MPW and LPW, by QPRIO; [0] is not used */
	bool write_cache;		/* FID 06h WCE */
	uint16_t nr_sqs, nr_cqs;	/* FID 07h: I/O queues allocated, 1-based; default: all */
	uint8_t coalescing_threshold_z;	/* FID 08h THR */
	uint8_t coalescing_time_100us;	/* FID 08h TIME */
	uint64_t coalescing_off[4];	/* FID 09h CD: bit v, vector v */
	uint8_t power_state;		/* FID 02h PS */
};

/* ---- the world ---- */

#define NVP_MAX_QUEUES 129	/* with the admin queue */
#define NVP_MAX_VECTORS 129
#define NVP_MAX_COMMANDS 1024	/* fetched at a time */
#define NVP_MAX_NAMESPACES 128

struct nvp_queue_state;		/* queues.c */
struct nvp_register_state;	/* registers.c */
struct nvp_event_state;		/* events.c */
struct nvp_engine_state;	/* engine.c */
struct nvp_cache_state;		/* cache.c */
struct nvp_media_state;		/* media.c */
struct nvp_dma_state;		/* dma.c */
struct nvp_config_state;	/* config_space.c */
struct nvp_rail_state;		/* rail.c */
struct nvp_msix_state;		/* msix.c */
struct nvp_holdup_state;	/* holdup.c */
struct nvp_cut_state;		/* cut.c */

struct nvp_sim {
	struct nvp_sim_arena *arena;
	const struct nvp_sim_config *config;
	const struct nvp_profile *profile;
	uint64_t now_ns;
	uint64_t real_offset_ns;	/* clock=real: what is added to CLOCK_MONOTONIC */
	struct nvp_clock *clock;	/* what nvp_sim_clock hands out */

	struct nvp_live_features live;
	struct nvp_sim_ns ns[NVP_MAX_NAMESPACES];	/* ns[nsid - 1] */
	uint32_t nr_ns;			/* NSIDs there can be (NN), allocated or not */
	uint16_t nr_io_queues;		/* pairs that the controller has */
	uint16_t cntlid;
	uint8_t reset_kind;		/* enum nvp_reset: of the reset that is being done */
	uint64_t counted_until_ns;		/* power-on time is counted up to here */

	struct nvp_commands *commands;
	struct nvp_queue_state *queues;
	struct nvp_register_state *registers;
	struct nvp_event_state *events;
	struct nvp_engine_state *engine;
	struct nvp_cache_state *cache;
	struct nvp_media_state *media;
	struct nvp_dma_state *dma;
	struct nvp_config_state *cfg;
	struct nvp_rail_state *rail;
	struct nvp_msix_state *msix;
	struct nvp_holdup_state *holdup;	/* NULL without plp; this one and the next last */
	struct nvp_cut_state *cut;	/* longer than the power. NULL but for defects of power */
	uint64_t fired[4];		/* MSI-X vectors that fired and were not taken yet */

	uint64_t defect_seen[NVP_NR_HOOKS];	/* occurrences since power-on, for nvp_defect_nth */
};

static inline uint64_t nvp_sim_now(const struct nvp_sim *w)
{
	return w->now_ns;
}

/* Some active defect has this hook. Cheap: ask it in hot paths. */
static inline bool nvp_defect(const struct nvp_sim *w, enum nvp_hook hook)
{
	return w->config->defects.mask[hook / 64] >> (hook % 64) & 1;
}

/* True when the I/O queue exists (for Abort and error checks). */
bool nvp_sim_sq_exists(const struct nvp_sim *w, uint16_t qid);
/* Any I/O submission or completion queue exists now (for Number of Queues). */
bool nvp_sim_has_io_queues(const struct nvp_sim *w);

#endif
