/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the mechanism say to each other; the commands part needs world.h only. */
#ifndef NVP_SIM_MECHANISM_H
#define NVP_SIM_MECHANISM_H

#include "core/sim/arena.h"

/* ---- events.c ---- */

int nvp_events_new(struct nvp_sim *w);
void nvp_events_free(struct nvp_sim *w);
/* As nvp_event_add, for a command: dropped when the command's generation is over. */
void nvp_event_add_cmd(struct nvp_sim *w, struct nvp_sim_cmd *c, uint64_t delay_ns,
		       nvp_event_fn *fn);
void nvp_event_end_scope(struct nvp_sim *w, enum nvp_scope scope);
/* Time of the next event that is still wanted; NVP_NEVER_NS if there is none. */
uint64_t nvp_event_next_ns(struct nvp_sim *w);
/* Run the next event; the clock goes to its time. False if there was none. */
bool nvp_event_run_one(struct nvp_sim *w);
/* Run what is due up to and including until_ns; the clock ends there. */
void nvp_event_run_until(struct nvp_sim *w, uint64_t until_ns);
void nvp_sim_set_now(struct nvp_sim *w, uint64_t now_ns);
void nvp_events_restart(struct nvp_sim *w);		/* power-on: counts from 0, no cut is due */
void nvp_sim_tick(struct nvp_sim *w);			/* the time of one access (sim.c) */

/* ---- engine.c ---- */

enum nvp_cmd_state {
	NVP_CMD_FREE = 0, NVP_CMD_CHECK, NVP_CMD_STEP, NVP_CMD_HELD, NVP_CMD_DONE, NVP_CMD_WAIT_CQ
};

#define NVP_NO_COMMAND UINT32_MAX

int nvp_engine_new(struct nvp_sim *w);
void nvp_engine_free(struct nvp_sim *w);
/* A slot for a command of this queue, or NULL: none left (some are kept for the admin queue). */
struct nvp_sim_cmd *nvp_engine_alloc(struct nvp_sim *w, bool admin);
void nvp_engine_release(struct nvp_sim *w, struct nvp_sim_cmd *c);
void nvp_engine_check(struct nvp_sim *w, uint64_t slot);	/* event: the check step */
/* The step is done; go on with c->then, or complete. */
void nvp_engine_next(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* Complete with what c says, dropping c->then. */
void nvp_engine_finish(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* All commands are forgotten: reset. */
void nvp_engine_reset(struct nvp_sim *w);
uint32_t nvp_engine_depth(const struct nvp_sim *w);	/* I/O commands under way */
struct nvp_sim_cmd *nvp_engine_cmd(struct nvp_sim *w, uint32_t slot);
/* An I/O command works on this namespace (NULL: on any). */
bool nvp_engine_uses(struct nvp_sim *w, const struct nvp_sim_ns *ns);

/* ---- queues.c create.c ---- */

struct nvp_sq {
	bool exists, deleting, stuck;
	uint16_t qid, cqid;
	uint8_t priority;		/* QPRIO */
	uint32_t size, head, tail;
	uint64_t base;
	uint32_t newest;		/* list of its commands: slot, or NVP_NO_COMMAND */
	uint32_t nr_commands;
};

struct nvp_cq {
	bool exists, interrupts;
	uint16_t qid, vector;
	uint32_t size, head, tail, used;
	uint8_t phase;
	uint64_t base;
	uint32_t nr_sqs;
	uint32_t first_waiting, last_waiting;	/* commands that found it full, or NVP_NO_COMMAND */
};

struct nvp_queue_state {
	struct nvp_sq sq[NVP_MAX_QUEUES];
	struct nvp_cq cq[NVP_MAX_QUEUES];
	uint64_t pending[(NVP_MAX_QUEUES + 63) / 64];	/* SQs with something to fetch */
	bool fetching;			/* a fetch event is on its way */
	bool stopped;			/* power is going: nothing is fetched any more */
	bool paused;			/* nothing is fetched for a while: CSTS.PP */
	unsigned turn;			/* queue whose turn it is */
	unsigned burst;			/* commands taken from it in this turn */
	unsigned credit[4];		/* .. and what is left to each weighted priority */
	unsigned last[4];		/* queue of each priority that was served last */
	struct {
		bool scheduled, timed;
		uint32_t held_back;
	} vector[NVP_MAX_VECTORS];
};

int nvp_queues_new(struct nvp_sim *w);
void nvp_queues_free(struct nvp_sim *w);
void nvp_queues_reset(struct nvp_sim *w);	/* all gone, the admin queue too */
void nvp_queues_admin(struct nvp_sim *w, uint64_t asq, uint32_t sq_size, uint64_t acq,
		      uint32_t cq_size);
void nvp_queues_doorbell(struct nvp_sim *w, uint16_t qid, bool cq, uint32_t value);
void nvp_queues_kick(struct nvp_sim *w);	/* see whether there is something to fetch */
/* completion.c */
void nvp_queues_post(struct nvp_sim *w, uint64_t slot);	/* event: make the completion entry */
void nvp_queues_write_cqe(struct nvp_sim *w, struct nvp_sim_cmd *c);	/* whatever the room */
void nvp_queues_stale(struct nvp_sim *w, uint64_t cid);	/* event: an entry nobody waits for */
/* As far as there is room now. */
void nvp_queues_post_waiting(struct nvp_sim *w, struct nvp_cq *cq);
/* Forget the commands of this SQ that wait for room in its CQ. */
void nvp_queues_drop_waiting(struct nvp_sim *w, uint16_t sqid);
void nvp_queues_stop(struct nvp_sim *w);		/* power is going: no more fetches */
void nvp_sq_update(struct nvp_sim *w, struct nvp_sq *sq);	/* head, tail or state changed */
/* Admin opcodes 00h 01h 04h 05h (create.c). */
enum nvp_step nvp_queues_admin_command(struct nvp_sim *w, struct nvp_sim_cmd *c);

/* ---- dma.c ---- */

int nvp_dma_new(struct nvp_sim *w);
void nvp_dma_free(struct nvp_sim *w);
/* False: outside the map (recorded), or the function may not master the bus. */
bool nvp_dma_read(struct nvp_sim *w, uint64_t iova, void *bytes, uint32_t nr_bytes);
bool nvp_dma_write(struct nvp_sim *w, uint64_t iova, const void *bytes, uint32_t nr_bytes);
/* c->data over the PRPs or the SGL of c; false: c has the status. */
bool nvp_dma_transfer(struct nvp_sim *w, struct nvp_sim_cmd *c, bool to_host);

/* ---- namespace.c ---- */

void nvp_namespaces_load(struct nvp_sim *w);

/* ---- media.c cache.c ---- */

int nvp_media_new(struct nvp_sim *w);	/* mounts the arena */
void nvp_media_free(struct nvp_sim *w);
/* Blocks of c as they are visible now, cache first; counts the unmapped ones in c. */
void nvp_media_read(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t *bytes);
/* One block as it is on the media, whatever is cached; meta may be NULL. */
void nvp_media_read_block(struct nvp_sim *w, uint64_t map_index, uint8_t *bytes, uint8_t *meta);
uint64_t nvp_media_slot_take(struct nvp_sim *w, uint32_t lba_bytes);
void nvp_media_slot_give(struct nvp_sim *w, uint64_t slot);
/* Write one 512-byte sector of a block into its new slot. */
void nvp_media_program(struct nvp_sim *w, uint64_t slot, uint32_t sector, const uint8_t *bytes);
/* What a block without data of its own has beside it: no metadata, and nothing to check. */
void nvp_media_no_metadata(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint8_t *meta);
/* Say what is in the slot, before it is published. */
void nvp_media_seal(struct nvp_sim *w, uint64_t slot, uint64_t map_index, const uint8_t *meta,
		    uint32_t meta_bytes);
/* Make up to NVP_ARENA_REDO_MAX map entries count together; gives the old slots back. */
void nvp_media_publish(struct nvp_sim *w, const uint64_t *index, const uint64_t *entry,
		       uint32_t nr);

/*
 * The first blocks from map index first to end - 1 that are anything but unwritten (or of the kind
 * `keep`) become `entry` (0: deallocated), as many as can count together. Where to go on; end when
 * all are done. nvp_media_fill: each of them, whatever it was.
 */
uint64_t nvp_media_purge(struct nvp_sim *w, uint64_t first, uint64_t end, uint64_t entry,
			 enum nvp_map_kind keep);
uint64_t nvp_media_fill(struct nvp_sim *w, uint64_t first, uint64_t end, uint64_t entry);

int nvp_cache_new(struct nvp_sim *w);
void nvp_cache_free(struct nvp_sim *w);
void nvp_cache_write(struct nvp_sim *w, struct nvp_sim_cmd *c);	/* WRITE and ZERO steps */
void nvp_cache_flush(struct nvp_sim *w, struct nvp_sim_cmd *c);	/* FLUSH step */
void nvp_cache_drop_command(struct nvp_sim *w, const struct nvp_sim_cmd *c);
void nvp_cache_drop_unseen(struct nvp_sim *w);		/* reset: writes that were not done */
void nvp_cache_drop_all(struct nvp_sim *w);
/* Nothing cached of these map indices is written any more, or seen. */
void nvp_cache_drop_range(struct nvp_sim *w, uint64_t first, uint64_t end);
void nvp_cache_write_back(struct nvp_sim *w);		/* start writing all of it out now */
bool nvp_cache_empty(const struct nvp_sim *w);
/* The power is gone: what survives of it is decided here. */
void nvp_cache_power_lost(struct nvp_sim *w);
/* Is this block cached, and as what; *block, and *meta if it has some, only for NVP_MAP_DATA. */
bool nvp_cache_lookup(const struct nvp_sim *w, uint64_t map_index, enum nvp_map_kind *kind,
		      const uint8_t **block, const uint8_t **meta);

/* ---- nvm_fused.c ---- */

enum nvp_fused {
	NVP_FUSED_NOT = 0,
	NVP_FUSED_FIRST,		/* its second is c->partner */
	NVP_FUSED_WAITS,		/* a second whose first is not done yet */
	NVP_FUSED_GOES,			/* a second whose first succeeded */
	NVP_FUSED_FAILED,		/* .. did not */
	NVP_FUSED_INVALID,		/* the two are no pair that can be */
};

/* The drive has Compare and Write (FUSES bit 0). */
bool nvp_sim_has_fused(const struct nvp_sim *w);
/* The check step of an I/O command whose FUSE is not 00b. */
nvp_step_fn nvp_fused_check;
/* The first command of a pair is done: the second, if it waits to be checked again; or NULL. */
struct nvp_sim_cmd *nvp_fused_first_done(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* From now on until its second is done nobody else writes these blocks; false: not yet. */
bool nvp_fused_lock(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* A pair is at work on blocks that this command wants to write. */
bool nvp_fused_holds_back(struct nvp_sim *w, const struct nvp_sim_cmd *c);

/* ---- registers.c ---- */

#define NVP_BAR_BYTES 16384
#define NVP_BAR_DOORBELLS 0x1000
#define NVP_BAR_MSIX_TABLE 0x2000
#define NVP_BAR_MSIX_PBA 0x3000

int nvp_registers_new(struct nvp_sim *w);
void nvp_registers_free(struct nvp_sim *w);
uint64_t nvp_registers_read(struct nvp_sim *w, uint64_t offset, unsigned bytes);
void nvp_registers_write(struct nvp_sim *w, uint64_t offset, unsigned bytes, uint64_t value);
/* A controller-level reset that is none by CC.EN: AQA, ASQ and ACQ go too. */
void nvp_registers_hard_reset(struct nvp_sim *w);
/* NSSR, a reset of the whole subsystem (NVMe Base 2.0, 3.7.1): it is noted in CSTS.NSSRO. */
void nvp_registers_subsystem_reset(struct nvp_sim *w);
void nvp_registers_fatal(struct nvp_sim *w);		/* CSTS.CFS */
void nvp_registers_pause(struct nvp_sim *w, bool pause);	/* CSTS.PP; no commands are taken */
bool nvp_registers_ready(const struct nvp_sim *w);
uint32_t nvp_registers_cc(const struct nvp_sim *w);
unsigned nvp_registers_page_shift(const struct nvp_sim *w);

/* ---- msix.c config_space.c ---- */

int nvp_msix_new(struct nvp_sim *w);
void nvp_msix_free(struct nvp_sim *w);
int nvp_config_new(struct nvp_sim *w);
void nvp_config_free(struct nvp_sim *w);
void nvp_config_reset(struct nvp_sim *w, bool function_only);	/* not the sticky bits */
bool nvp_config_memory(const struct nvp_sim *w);	/* Command.MSE, and not in D3 */
bool nvp_config_master(const struct nvp_sim *w);	/* Command.BME, and not in D3 */
bool nvp_config_msix(const struct nvp_sim *w, bool *function_masked);
void nvp_msix_fire(struct nvp_sim *w, unsigned vector);
void nvp_msix_unmasked(struct nvp_sim *w);		/* a mask changed: send what is pending */
uint64_t nvp_msix_read(struct nvp_sim *w, uint64_t offset, unsigned bytes);
void nvp_msix_write(struct nvp_sim *w, uint64_t offset, unsigned bytes, uint64_t value);
void nvp_msix_reset(struct nvp_sim *w);

/* ---- rail.c ---- */

int nvp_rail_new(struct nvp_sim *w, struct nvp_err *err);	/* powers on */
void nvp_rail_free(struct nvp_sim *w);				/* loses power now */
/* The volatile parts made anew from the arena, and thrown away (sim.c). */
int nvp_sim_parts_new(struct nvp_sim *w, struct nvp_err *err);
void nvp_sim_parts_free(struct nvp_sim *w);
void nvp_rail_kill(struct nvp_sim *w);				/* no power from this instant */
bool nvp_rail_link_up(const struct nvp_sim *w);
/* A shutdown notification came; or (announced false) the controller runs again. */
void nvp_rail_shutdown(struct nvp_sim *w, bool announced);

/* lies.c: what Identify (CNS) or a log (LID) gives, whole, before the host gets it. */
void nvp_lie_about_length(const struct nvp_sim *w, bool log, uint8_t id, uint8_t *data);

#endif
