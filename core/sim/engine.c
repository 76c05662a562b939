// SPDX-License-Identifier: GPL-2.0-or-later
// Running commands: each a chain of small events that a handler puts together step by step.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/cmd.h>

#include "core/base/bits.h"
#include "core/sim/dma.h"

#define ADMIN_RESERVE 64	/* slots that I/O commands leave free */
#define BUFFER_STEP 4096u
#define TRANSFER_NS 500

struct nvp_engine_state {
	struct nvp_sim_cmd cmd[NVP_MAX_COMMANDS];
	uint32_t nr_begun;			/* slots that were ever used; the first ones */
	uint32_t free[NVP_MAX_COMMANDS];	/* those of them that are free; a stack */
	uint32_t nr_free;
};

int nvp_engine_new(struct nvp_sim *w)
{
	struct nvp_engine_state *e = calloc(1, sizeof(*e));

	if (!e)
		return -ENOMEM;
	w->engine = e;
	return 0;
}

void nvp_engine_free(struct nvp_sim *w)
{
	if (!w->engine)
		return;
	for (uint32_t i = 0; i < w->engine->nr_begun; i++) {
		for (unsigned b = 0; b < NVP_NR_BUFFERS; b++)
			free(w->engine->cmd[i].buffer[b]);
	}
	free(w->engine);
	w->engine = NULL;
}

struct nvp_sim_cmd *nvp_engine_cmd(struct nvp_sim *w, uint32_t slot)
{
	return &w->engine->cmd[slot];
}

struct nvp_sim_cmd *nvp_engine_alloc(struct nvp_sim *w, bool admin)
{
	struct nvp_engine_state *e = w->engine;
	struct nvp_sim_cmd *c;

	if (NVP_MAX_COMMANDS - e->nr_begun + e->nr_free <= (admin ? 0 : ADMIN_RESERVE))
		return NULL;
	if (e->nr_free) {
		c = &e->cmd[e->free[--e->nr_free]];
	} else {
		c = &e->cmd[e->nr_begun];
		c->slot = e->nr_begun++;
	}
	c->state = NVP_CMD_CHECK;
	return c;
}

/* All but its place, its generation and its buffers starts from zero for the next command. */
static void forget(struct nvp_sim_cmd *c)
{
	struct nvp_sim_cmd next = { .slot = c->slot, .generation = c->generation + 1 };

	memcpy(next.buffer, c->buffer, sizeof(next.buffer));
	memcpy(next.buffer_bytes, c->buffer_bytes, sizeof(next.buffer_bytes));
	*c = next;
}

static void unlink_command(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sq *sq = &w->queues->sq[c->sqid];

	if (c->newer != NVP_NO_COMMAND)
		nvp_engine_cmd(w, c->newer)->older = c->older;
	else
		sq->newest = c->older;
	if (c->older != NVP_NO_COMMAND)
		nvp_engine_cmd(w, c->older)->newer = c->newer;
	sq->nr_commands--;
}

void nvp_engine_release(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_engine_state *e = w->engine;

	if (c->linked)
		unlink_command(w, c);
	forget(c);
	e->free[e->nr_free++] = c->slot;
	nvp_queues_kick(w);
}

void nvp_engine_reset(struct nvp_sim *w)
{
	struct nvp_engine_state *e = w->engine;
	int stale_cid = -1;

	e->nr_free = 0;
	for (uint32_t i = e->nr_begun; i > 0; i--) {
		struct nvp_sim_cmd *c = &e->cmd[i - 1];

		if (c->state != NVP_CMD_FREE) {
			stale_cid = c->cid;
			forget(c);
		}
		e->free[e->nr_free++] = c->slot;
	}
	/* a wrong drive remembers one, and answers it on the new admin queue */
	if (stale_cid >= 0 && nvp_defect(w, NVP_HOOK_REG_RESET_OLD_CQE))
		nvp_event_add(w, NVP_SCOPE_DEVICE, w->profile->disable_ns + 2ULL *
			      w->profile->enable_ns, nvp_queues_stale, (uint64_t)stale_cid);
}

bool nvp_engine_uses(struct nvp_sim *w, const struct nvp_sim_ns *ns)
{
	for (uint32_t i = 0; i < w->engine->nr_begun; i++) {
		const struct nvp_sim_cmd *c = &w->engine->cmd[i];

		if (c->state == NVP_CMD_STEP && c->sqid && c->ns && (!ns || c->ns == ns))
			return true;
	}
	return false;
}

uint32_t nvp_engine_depth(const struct nvp_sim *w)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < w->engine->nr_begun; i++)
		nr += w->engine->cmd[i].state != NVP_CMD_FREE && w->engine->cmd[i].sqid;
	return nr;
}

/* ---- buffers ---- */

uint8_t *nvp_sim_cmd_buffer(struct nvp_sim_cmd *c, enum nvp_cmd_buffer which, uint32_t nr_bytes)
{
	if (nr_bytes > c->buffer_bytes[which] || !c->buffer[which]) {
		uint32_t room = (nr_bytes + BUFFER_STEP - 1) / BUFFER_STEP * BUFFER_STEP;

		room = room ? room : BUFFER_STEP;
		free(c->buffer[which]);
		c->buffer[which] = malloc(room);
		if (!c->buffer[which]) {
			fputs("nvproof: out of memory in the simulated drive\n", stderr);
			abort();
		}
		c->buffer_bytes[which] = room;
	}
	memset(c->buffer[which], 0, nr_bytes);
	return c->buffer[which];
}

uint8_t *nvp_sim_cmd_data(struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t nr_bytes)
{
	(void)w;
	c->data = nvp_sim_cmd_buffer(c, NVP_BUFFER_DATA, nr_bytes);
	c->data_bytes = nr_bytes;
	return c->data;
}

uint8_t *nvp_sim_cmd_second(struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t nr_bytes)
{
	(void)w;
	return nvp_sim_cmd_buffer(c, NVP_BUFFER_SECOND, nr_bytes);
}

/* ---- steps ---- */

static void take_step(struct nvp_sim *w, struct nvp_sim_cmd *c, enum nvp_step step);

void nvp_engine_finish(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_sim_cmd *second;

	c->then = NULL;
	c->state = NVP_CMD_DONE;
	nvp_event_add_cmd(w, c, 0, nvp_queues_post);
	second = nvp_fused_first_done(w, c);
	if (second)
		take_step(w, second, nvp_fused_check(w, second));
}

void nvp_engine_next(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	nvp_step_fn *then = c->then;

	c->then = NULL;
	if (then)
		take_step(w, c, then(w, c));
	else
		nvp_engine_finish(w, c);
}

static void transfer(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);

	if (nvp_dma_transfer(w, c, c->step == NVP_STEP_TO_HOST))
		nvp_engine_next(w, c);
	else
		nvp_engine_finish(w, c);
}

/* What a wrong drive does after it has answered already. */
static void late_transfer(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);

	nvp_dma_transfer(w, c, true);
	nvp_engine_release(w, c);
}

static void answer_early(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	nvp_queues_write_cqe(w, c);
	c->state = NVP_CMD_DONE;
	nvp_event_add_cmd(w, c, 50 * NVP_NS_PER_US, late_transfer);
}

static void media_read(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);

	nvp_media_read(w, c, c->media ? c->media : c->data);
	nvp_engine_next(w, c);
}

static void delay_over(struct nvp_sim *w, uint64_t slot)
{
	nvp_engine_next(w, nvp_engine_cmd(w, (uint32_t)slot));
}

static void take_step(struct nvp_sim *w, struct nvp_sim_cmd *c, enum nvp_step step)
{
	c->state = NVP_CMD_STEP;
	c->step = step;
	switch (step) {
	case NVP_STEP_COMPLETE:
		nvp_engine_finish(w, c);
		break;
	case NVP_STEP_HELD:
		c->state = NVP_CMD_HELD;
		break;
	case NVP_STEP_TO_HOST:
		if (c->sqid && nvp_defect(w, NVP_HOOK_CQE_EARLY) &&
		    w->queues->cq[c->cqid].used < w->queues->cq[c->cqid].size - 1) {
			answer_early(w, c);
			break;
		}
		nvp_event_add_cmd(w, c, TRANSFER_NS, transfer);
		break;
	case NVP_STEP_FROM_HOST:
		nvp_event_add_cmd(w, c, TRANSFER_NS, transfer);
		break;
	case NVP_STEP_READ:
		nvp_event_add_cmd(w, c, w->profile->read_ns, media_read);
		break;
	case NVP_STEP_WRITE:
	case NVP_STEP_ZERO:
		nvp_cache_write(w, c);
		break;
	case NVP_STEP_FLUSH:
		nvp_cache_flush(w, c);
		break;
	case NVP_STEP_DELAY:
		nvp_event_add_cmd(w, c, c->delay_ns, delay_over);
		break;
	}
}

static bool is_queue_command(uint8_t opcode)
{
	return opcode == 0x00 || opcode == 0x01 || opcode == 0x04 || opcode == 0x05;
}

/*
 * FUSE and PSDT: SGLs and fused operations are there by the profile, and admin commands take none
 * of both anyway (NVMe Base 2.0, figure Command Dword 0; 4.1.2).
 */
void nvp_engine_check(struct nvp_sim *w, uint64_t slot)
{
	struct nvp_sim_cmd *c = nvp_engine_cmd(w, (uint32_t)slot);
	bool fuse_ok = nvp_defect(w, c->sqid ? NVP_HOOK_IO_FUSE_OK : NVP_HOOK_ADM_FUSE_OK);
	bool psdt_ok = c->sqid ? nvp_sgl_psdt_ok(w, c) : nvp_defect(w, NVP_HOOK_ADM_PSDT_OK);
	bool fused = c->sqid && nvp_sim_has_fused(w);

	if (c->sqe[1] & 0x03 && !fuse_ok && !fused)
		take_step(w, c, nvp_sim_fail_at(c, 0, NVP_SC_INVALID_FIELD, 0, 8));
	else if (c->sqe[1] & 0xc0 && !psdt_ok)
		take_step(w, c, nvp_sim_fail_at(c, 0, NVP_SC_INVALID_FIELD, 0, 14));
	else if (fused && c->sqe[1] & 0x03)
		take_step(w, c, nvp_fused_check(w, c));
	else if (c->sqid)
		take_step(w, c, nvp_commands_io(w, c));
	else if (is_queue_command(c->opcode))
		take_step(w, c, nvp_queues_admin_command(w, c));
	else
		take_step(w, c, nvp_commands_admin(w, c));
}

/* ---- held commands, abort ---- */

void nvp_sim_cmd_complete(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (c->state == NVP_CMD_HELD)
		nvp_engine_finish(w, c);
}

struct nvp_sim_cmd *nvp_sim_cmd_find(struct nvp_sim *w, uint16_t sqid, uint16_t cid)
{
	uint32_t slot;

	if (!nvp_sim_sq_exists(w, sqid))
		return NULL;
	for (slot = w->queues->sq[sqid].newest; slot != NVP_NO_COMMAND;) {
		struct nvp_sim_cmd *c = nvp_engine_cmd(w, slot);

		if (c->cid == cid && c->state != NVP_CMD_DONE && c->state != NVP_CMD_WAIT_CQ)
			return c;
		slot = c->older;
	}
	return NULL;
}

bool nvp_sim_cmd_abort(struct nvp_sim *w, struct nvp_sim_cmd *c, uint8_t sct, uint8_t sc)
{
	if (c->state == NVP_CMD_DONE || c->state == NVP_CMD_WAIT_CQ || c->visible)
		return false;
	nvp_cache_drop_command(w, c);
	c->generation++;	/* the events of its next step are void */
	nvp_sim_fail(c, sct, sc);
	c->dnr = false;		/* it may well succeed next time */
	nvp_engine_finish(w, c);
	return true;
}
