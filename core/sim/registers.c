// SPDX-License-Identifier: GPL-2.0-or-later
// Controller registers (NVMe Base 2.0, 3.1.3) and the enable, ready and shutdown state machine.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cache.h"
#include "core/sim/cut.h"
#include "core/sim/manage.h"

#define REG_CAP 0x00
#define REG_VS 0x08
#define REG_INTMS 0x0c
#define REG_INTMC 0x10
#define REG_CC 0x14
#define REG_CSTS 0x1c
#define REG_NSSR 0x20
#define REG_AQA 0x24
#define REG_ASQ 0x28
#define REG_ACQ 0x30
#define REG_CRTO 0x68

#define CC_EN 0x00000001u
#define CC_CSS(cc) ((cc) >> 4 & 7)
#define CC_MPS(cc) ((cc) >> 7 & 15)
#define CC_AMS(cc) ((cc) >> 11 & 7)
#define CC_SHN(cc) ((cc) >> 14 & 3)
#define CC_WRITABLE 0x01fffff1u		/* EN CSS MPS AMS SHN IOSQES IOCQES CRIME */
#define CC_WHEN_DISABLED 0x01003ff0u	/* CSS MPS AMS CRIME: fixed while enabled */

#define CSTS_RDY 0x1u
#define CSTS_CFS 0x2u
#define CSTS_SHST 0xcu
#define CSTS_SHST_BUSY 0x4u
#define CSTS_SHST_DONE 0x8u
#define CSTS_NSSRO 0x10u
#define CSTS_PP 0x20u

#define NSSR_VALUE 0x4e564d65u		/* "NVMe" */

#define MPS_MIN 0
#define MPS_MAX 4

struct nvp_register_state {
	uint32_t cc, csts, aqa, intms;
	uint64_t asq, acq;
	uint32_t vs_written;		/* only a wrong drive keeps it */
	bool changing;			/* RDY is on its way */
	uint8_t shadow[64];		/* registers 00h to 3Fh as bytes, made for each access */
};

int nvp_registers_new(struct nvp_sim *w)
{
	w->registers = calloc(1, sizeof(*w->registers));
	return w->registers ? 0 : -ENOMEM;
}

void nvp_registers_free(struct nvp_sim *w)
{
	free(w->registers);
	w->registers = NULL;
}

uint32_t nvp_registers_cc(const struct nvp_sim *w)
{
	return w->registers->cc;
}

unsigned nvp_registers_page_shift(const struct nvp_sim *w)
{
	return 12 + CC_MPS(w->registers->cc);
}

bool nvp_registers_ready(const struct nvp_sim *w)
{
	const struct nvp_register_state *r = w->registers;

	return (r->cc & CC_EN) && (r->csts & CSTS_RDY) && !(r->csts & CSTS_CFS);
}

void nvp_registers_fatal(struct nvp_sim *w)
{
	if (!(w->registers->csts & CSTS_CFS))
		nvp_pel_hardware_error(w, NVP_PEL_FATAL_STATUS);
	w->registers->csts |= CSTS_CFS;
}

void nvp_registers_pause(struct nvp_sim *w, bool pause)
{
	w->registers->csts = (w->registers->csts & ~CSTS_PP) | (pause ? CSTS_PP : 0);
	w->queues->paused = pause;
	if (!pause)
		nvp_queues_kick(w);
}

static uint64_t capabilities(const struct nvp_sim *w)
{
	const struct nvp_profile *p = w->profile;
	uint64_t mps_min = MPS_MIN, mps_max = MPS_MAX;
	uint64_t cap = p->mqes_z;

	if (nvp_defect(w, NVP_HOOK_REG_MQES_ZERO))
		cap = 0;
	if (nvp_defect(w, NVP_HOOK_REG_MPS_SWAPPED)) {
		mps_min = 4;
		mps_max = 0;
	}
	cap |= 1ULL << 16;			/* CQR */
	cap |= (uint64_t)p->weighted << 17;	/* AMS */
	cap |= (uint64_t)p->to_500ms << 24;	/* TO */
	if (p->optional_commands)
		cap |= 1ULL << 36;		/* NSSRS */
	cap |= 1ULL << 37;			/* CSS: NVM command set */
	cap |= 1ULL << 43;			/* CSS: I/O command sets by CC.CSS = 110b */
	cap |= mps_min << 48 | mps_max << 52;
	cap |= 1ULL << 59;			/* CRMS: ready with media */
	if (nvp_defect(w, NVP_HOOK_REG_CAP_RESERVED))
		cap |= 1ULL << 63;
	return cap;
}

static uint32_t version(const struct nvp_sim *w)
{
	if (nvp_defect(w, NVP_HOOK_REG_VS_WRONG))
		return 0x00010400;
	if (nvp_defect(w, NVP_HOOK_REG_RO_WRITABLE) && w->registers->vs_written)
		return w->registers->vs_written;
	return 0x00020000;
}

static void make_shadow(struct nvp_sim *w)
{
	struct nvp_register_state *r = w->registers;

	memset(r->shadow, 0, sizeof(r->shadow));
	nvp_put_le64(r->shadow + REG_CAP, capabilities(w));
	nvp_put_le32(r->shadow + REG_VS, version(w));
	nvp_put_le32(r->shadow + REG_INTMS, r->intms);
	nvp_put_le32(r->shadow + REG_INTMC, r->intms);
	nvp_put_le32(r->shadow + REG_CC, r->cc);
	nvp_put_le32(r->shadow + REG_CSTS, r->csts);
	nvp_put_le32(r->shadow + REG_AQA, r->aqa);
	nvp_put_le64(r->shadow + REG_ASQ, r->asq);
	nvp_put_le64(r->shadow + REG_ACQ, r->acq);
}

/* Everything else in the first page reads as zero: so does NSSR; CMB, boot partition and PMR are absent. */
uint64_t nvp_registers_read(struct nvp_sim *w, uint64_t offset, unsigned bytes)
{
	uint8_t value[8] = { 0 };
	uint8_t crto[4];

	if (offset == REG_CSTS && bytes == 4)
		return w->registers->csts;
	make_shadow(w);
	nvp_put_le32(crto, w->profile->to_500ms);
	for (unsigned i = 0; i < bytes; i++) {
		uint64_t at = offset + i;

		if (at < sizeof(w->registers->shadow))
			value[i] = w->registers->shadow[at];
		else if (at >= REG_CRTO && at < REG_CRTO + 4)
			value[i] = crto[at - REG_CRTO];
	}
	return nvp_le_n(value, bytes);
}

/* ---- enable and ready ---- */

static uint64_t lateness_ns(const struct nvp_sim *w)
{
	if (nvp_defect(w, NVP_HOOK_CUT_SLOW_READY) && w->cut->after_cut)
		return w->profile->to_500ms * 500 * NVP_NS_PER_MS +
		       nvp_defect_value(w, NVP_HOOK_CUT_SLOW_READY, "ms", 1000) * NVP_NS_PER_MS;
	if (!nvp_defect(w, NVP_HOOK_REG_RDY_LATE))
		return 0;
	return w->profile->to_500ms * 500 * NVP_NS_PER_MS +
	       nvp_defect_value(w, NVP_HOOK_REG_RDY_LATE, "ms", 1000) * NVP_NS_PER_MS;
}

/* What an enable must bring (NVMe Base 2.0, 3.5.1); else the controller can only say CFS. */
static bool enable_is_good(const struct nvp_sim *w)
{
	const struct nvp_register_state *r = w->registers;
	uint64_t page_mask = (1ULL << nvp_registers_page_shift(w)) - 1;
	unsigned css = CC_CSS(r->cc);

	if (CC_MPS(r->cc) > MPS_MAX || CC_AMS(r->cc) > w->profile->weighted || (css != 0 && css != 6))
		return false;
	if (r->cc & 1u << 24)		/* CRIME: CAP.CRMS does not offer it */
		return false;
	if (!(r->aqa & 0xfff) || !(r->aqa >> 16 & 0xfff))
		return false;
	if (w->defect_seen[NVP_HOOK_REG_CFS_ON_ENABLE] > 1)
		return false;
	if (nvp_cut_fatal(w) || !nvp_firmware_runs(w))
		return false;
	return r->asq && r->acq && !(r->asq & page_mask) && !(r->acq & page_mask);
}

static void became_ready(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_register_state *r = w->registers;

	(void)argument;
	r->changing = false;
	nvp_queues_admin(w, r->asq, (r->aqa & 0xfff) + 1, r->acq, (r->aqa >> 16 & 0xfff) + 1);
	r->csts |= CSTS_RDY;
}

static void found_bad(struct nvp_sim *w, uint64_t argument)
{
	(void)argument;
	w->registers->changing = false;
	nvp_registers_fatal(w);
}

static void became_idle(struct nvp_sim *w, uint64_t argument)
{
	(void)argument;
	w->registers->changing = false;
	w->registers->csts &= ~CSTS_RDY;
}

static void enable(struct nvp_sim *w)
{
	struct nvp_register_state *r = w->registers;

	r->csts &= ~(CSTS_SHST | (nvp_defect(w, NVP_HOOK_REG_CFS_STUCK) ? 0 : CSTS_CFS));
	r->changing = true;
	nvp_rail_shutdown(w, false);
	w->cache->frozen = false;
	if (nvp_defect(w, NVP_HOOK_REG_CFS_ON_ENABLE))
		w->defect_seen[NVP_HOOK_REG_CFS_ON_ENABLE]++;
	if (!enable_is_good(w))
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, w->profile->enable_ns, found_bad, 0);
	else if (!nvp_defect(w, NVP_HOOK_REG_RDY_NEVER))
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, w->profile->enable_ns + lateness_ns(w),
			      became_ready, 0);
}

/* What every controller-level reset does (NVMe Base 2.0, 3.7.2). */
static void reset_controller(struct nvp_sim *w)
{
	nvp_event_end_scope(w, NVP_SCOPE_CONTROLLER);
	if (nvp_defect(w, NVP_HOOK_RESET_DROPS_CACHE))
		nvp_cache_drop_all(w);
	nvp_queues_reset(w);
	nvp_engine_reset(w);
	nvp_cut_reset(w);
	nvp_cache_drop_unseen(w);
	nvp_commands_reset(w);
}

static void disable(struct nvp_sim *w)
{
	struct nvp_register_state *r = w->registers;

	reset_controller(w);
	r->cc = 0;
	r->intms = 0;
	r->csts &= CSTS_RDY | CSTS_NSSRO |
		   (nvp_defect(w, NVP_HOOK_REG_CFS_STUCK) ? CSTS_CFS : 0);
	if (nvp_defect(w, NVP_HOOK_REG_AQA_LOST))
		r->aqa = 0;
	if (nvp_defect(w, NVP_HOOK_REG_ASQ_LOST))
		r->asq = r->acq = 0;
	r->changing = true;
	if (!nvp_defect(w, NVP_HOOK_REG_RDY_STUCK))
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, w->profile->disable_ns + lateness_ns(w),
			      became_idle, 0);
}

void nvp_registers_hard_reset(struct nvp_sim *w)
{
	struct nvp_register_state *r = w->registers;
	uint32_t nssro = r->csts & CSTS_NSSRO;	/* stays until it is cleared, or power goes */
	uint32_t kept = nvp_defect(w, NVP_HOOK_REG_CC_KEPT) ? r->cc & ~(CC_EN | 3u << 14) : 0;

	reset_controller(w);
	memset(r, 0, sizeof(*r));
	r->cc = kept;
	r->csts = nssro;
}

void nvp_registers_subsystem_reset(struct nvp_sim *w)
{
	w->reset_kind = NVP_RESET_SUBSYSTEM;
	nvp_registers_hard_reset(w);
	w->reset_kind = NVP_RESET_CONTROLLER;
	nvp_config_reset(w, false);
	if (!nvp_defect(w, NVP_HOOK_NSSRO_MISSING))
		w->registers->csts |= CSTS_NSSRO;
}

static void write_nssr(struct nvp_sim *w, uint32_t value)
{
	bool right = value == NSSR_VALUE ? !nvp_defect(w, NVP_HOOK_NSSR_IGNORED) :
		     nvp_defect(w, NVP_HOOK_NSSR_ANY);

	if (right && w->profile->optional_commands)
		nvp_registers_subsystem_reset(w);
}

/* ---- shutdown (NVMe Base 2.0, 3.6.1) ---- */

static void shutdown_step(struct nvp_sim *w, uint64_t argument)
{
	struct nvp_register_state *r = w->registers;

	(void)argument;
	if (!nvp_cache_empty(w) && !w->cache->frozen) {
		nvp_cache_write_back(w);
		nvp_event_add(w, NVP_SCOPE_CONTROLLER, NVP_NS_PER_MS, shutdown_step, 0);
		return;
	}
	if (!nvp_defect(w, NVP_HOOK_REG_SHST_STUCK))
		r->csts = (r->csts & ~CSTS_SHST) | CSTS_SHST_DONE;
}

static void shut_down(struct nvp_sim *w)
{
	struct nvp_register_state *r = w->registers;

	if (nvp_defect(w, NVP_HOOK_REG_SHST_SKIPPED))
		return;
	w->cache->frozen = nvp_defect(w, NVP_HOOK_CLEAN_SHUTDOWN_LOSES) ||
			   (nvp_defect(w, NVP_HOOK_SHUTDOWN_ABRUPT_LOSES) && CC_SHN(r->cc) == 2);
	r->csts = (r->csts & ~CSTS_SHST) | CSTS_SHST_BUSY;
	if (nvp_defect(w, NVP_HOOK_SHUTDOWN_EARLY)) {
		r->csts = (r->csts & ~CSTS_SHST) | CSTS_SHST_DONE;
		nvp_cache_write_back(w);
	}
	nvp_rail_shutdown(w, !nvp_defect(w, NVP_HOOK_UNSAFE_COUNT_WRONG));
	nvp_event_add(w, NVP_SCOPE_CONTROLLER, w->profile->shutdown_ns, shutdown_step, 0);
}

static void write_cc(struct nvp_sim *w, uint32_t value)
{
	struct nvp_register_state *r = w->registers;
	uint32_t old = r->cc;

	value &= CC_WRITABLE;
	if ((old & CC_EN) && !(value & CC_EN)) {
		disable(w);
		return;
	}
	if (old & CC_EN)
		value = (value & ~CC_WHEN_DISABLED) | (old & CC_WHEN_DISABLED);
	r->cc = value;
	if (!(old & CC_EN) && (value & CC_EN)) {
		/* a host that does not wait for RDY to fall gets its enable after that fall */
		if (r->csts & CSTS_RDY && !nvp_defect(w, NVP_HOOK_REG_RDY_STUCK))
			r->csts &= ~CSTS_RDY;
		nvp_event_end_scope(w, NVP_SCOPE_CONTROLLER);
		enable(w);
	}
	if (CC_SHN(value) && CC_SHN(value) != CC_SHN(old) && CC_SHN(value) != 3)
		shut_down(w);
}

/* ---- writes ---- */

static void write4(struct nvp_sim *w, uint64_t offset, uint32_t value)
{
	struct nvp_register_state *r = w->registers;
	uint32_t low_mask = nvp_defect(w, NVP_HOOK_REG_ASQ_LOW_BITS) ? 0xffffffff : 0xfffff000;
	bool open = !(r->cc & CC_EN);

	switch (offset) {
	case REG_VS:
		r->vs_written = value;
		break;
	case REG_INTMS:
		r->intms |= value;
		break;
	case REG_INTMC:
		r->intms &= ~value;
		break;
	case REG_CC:
		write_cc(w, value);
		break;
	case REG_CSTS:
		if (!nvp_defect(w, NVP_HOOK_NSSRO_STUCK))
			r->csts &= ~(value & CSTS_NSSRO);
		if (nvp_defect(w, NVP_HOOK_REG_CSTS_WRITABLE))
			r->csts = (r->csts & ~CSTS_RDY) | (value & CSTS_RDY);
		break;
	case REG_NSSR:
		write_nssr(w, value);
		break;
	case REG_AQA:
		r->aqa = open ? value & 0x0fff0fff : r->aqa;
		break;
	case REG_ASQ:
		r->asq = open ? (r->asq & ~0xffffffffULL) | (value & low_mask) : r->asq;
		break;
	case REG_ASQ + 4:
		r->asq = open ? (r->asq & 0xffffffffULL) | (uint64_t)value << 32 : r->asq;
		break;
	case REG_ACQ:
		r->acq = open ? (r->acq & ~0xffffffffULL) | (value & low_mask) : r->acq;
		break;
	case REG_ACQ + 4:
		r->acq = open ? (r->acq & 0xffffffffULL) | (uint64_t)value << 32 : r->acq;
		break;
	default:
		break;
	}
}

static void doorbell(struct nvp_sim *w, uint64_t offset, uint32_t value)
{
	uint64_t number = (offset - NVP_BAR_DOORBELLS) / 4;

	if (nvp_registers_ready(w))
		nvp_queues_doorbell(w, (uint16_t)(number / 2), number & 1, value);
}

/* An 8-byte write is two of 4; a write that is not aligned to 4 has no effect. */
void nvp_registers_write(struct nvp_sim *w, uint64_t offset, unsigned bytes, uint64_t value)
{
	if (offset % 4)
		return;
	for (unsigned i = 0; i < bytes; i += 4, value >>= 32) {
		if (offset + i < NVP_BAR_DOORBELLS)
			write4(w, offset + i, (uint32_t)value);
		else if (offset + i < NVP_BAR_MSIX_TABLE)
			doorbell(w, offset + i, (uint32_t)value);
	}
}
