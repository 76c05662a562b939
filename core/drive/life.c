// SPDX-License-Identifier: GPL-2.0-or-later
// The controller's life: enable, disable, shutdown, resets, and the baseline that cases start from.

#include <nvproof/decode.h>

#include <errno.h>

#include "core/base/bits.h"
#include "core/drive/door.h"

#define CC_EN	       1u
#define CC_SHN_SHIFT   14
#define CSTS_RDY       1u
#define CSTS_SHST      0xcu
#define CSTS_SHST_DONE 0x8u
#define NSSR_MAGIC     0x4e564d65u /* "NVMe" (section 3.1.3.8) */
#define TO_UNIT_NS     (500 * NVP_NS_PER_MS)

int nvp_drive_read_cap(struct nvp_drive *drive)
{
	uint64_t cap;
	uint32_t version;
	int rc = nvp_reg_read64(drive, NVP_REG_CAP, &cap);

	if (!rc)
		rc = nvp_reg_read32(drive, NVP_REG_VS, &version);
	if (rc)
		return rc;
	if (cap == UINT64_MAX)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, -ENODEV,
				      "CAP reads all-ones: the drive is gone");
	nvp_decode_cap(cap, &drive->facts.cap);
	drive->facts.has_cap = true;
	drive->facts.version = version;
	return 0;
}

/*
 * How long to wait for RDY: twice what the drive itself allows and a second more. A drive that
 * is late is still waited for, so that a case can say how late; *ready_ns has the truth.
 */
static int ready_budget_ns(struct nvp_drive *drive, uint64_t *budget_ns)
{
	uint64_t units = drive->facts.cap.to_500ms;
	uint32_t crto = 0;
	int rc = 0;

	if (drive->facts.cap.crwms || drive->facts.cap.crims)
		rc = nvp_reg_read32(drive, NVP_REG_CRTO, &crto);
	if (rc)
		return rc;
	units = nvp_max_u64(units, nvp_max_u64(crto & 0xffff, crto >> 16));
	*budget_ns = (2 * units * TO_UNIT_NS + NVP_NS_PER_S) * drive->timeout_scale;
	return 0;
}

void nvp_enable_defaults(const struct nvp_drive *drive, struct nvp_enable *enable)
{
	const struct nvp_cap *cap = &drive->facts.cap;

	*enable = (struct nvp_enable){
		.asq_entries = NVP_BASELINE_ENTRIES,
		.acq_entries = NVP_BASELINE_ENTRIES,
		.mps = cap->mpsmin,
		.iosqes = 6,
		.iocqes = 4,
		/* 110b: all that the drive has; else 000b, the NVM command set (section 3.1.3.5) */
		.css = cap->css & 1u << 6 ? 6 : 0,
	};
}

static int stop(struct nvp_drive *drive, uint64_t *ready_ns)
{
	uint64_t budget_ns;
	uint32_t cc;
	int rc = nvp_drive_read_cap(drive);

	if (!rc)
		rc = nvp_reg_read32(drive, NVP_REG_CC, &cc);
	if (!rc)
		rc = ready_budget_ns(drive, &budget_ns);
	if (rc)
		return rc;
	drive->cc = cc;
	if (cc & CC_EN)
		rc = nvp_reg_write32(drive, NVP_REG_CC, cc & ~CC_EN);
	if (!rc)
		rc = nvp_drive_poll_csts(drive, CSTS_RDY, 0, budget_ns, ready_ns);
	if (!rc)
		nvp_drive_queues_gone(drive);
	return rc;
}

int nvp_ctrl_disable(struct nvp_drive *drive, uint64_t *ready_ns)
{
	int rc = nvp_drive_need(drive, NVP_PATH_REGISTERS | NVP_PATH_RESETS,
				"disabling the controller");

	return rc ? rc : stop(drive, ready_ns);
}

/* --- enable ------------------------------------------------------------------------------- */

static int make_admin_queues(struct nvp_drive *drive, const struct nvp_enable *enable)
{
	int rc = 0;

	if (!drive->admin_cq) {
		drive->admin_cq = nvp_cq_new(drive, 0, enable->acq_entries,
					     drive->path & NVP_PATH_INTERRUPTS ? 0 : -1);
		if (!drive->admin_cq)
			return -ENOMEM;
		drive->admin_cq->own = true;
		drive->admin_sq = nvp_sq_new(drive, 0, enable->asq_entries, drive->admin_cq);
		if (!drive->admin_sq)
			return -ENOMEM;
		drive->admin_sq->own = true;
		return 0;
	}
	/* New completion memory each time: what arrives in the old is late. */
	rc = nvp_cq_replace_ring(drive->admin_cq, enable->acq_entries);
	if (!rc && drive->admin_sq->ring->entries != enable->asq_entries)
		rc = nvp_sq_replace_ring(drive->admin_sq, enable->asq_entries);
	if (rc)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "no memory for the admin queue");
	drive->admin_sq->entries = enable->asq_entries;
	return 0;
}

static int write_admin_registers(struct nvp_drive *drive)
{
	uint32_t aqa = ((drive->admin_cq->entries - 1) & 0xfff) << 16 |
		       ((drive->admin_sq->entries - 1) & 0xfff);
	int rc = nvp_reg_write32(drive, NVP_REG_AQA, aqa);

	if (!rc)
		rc = nvp_reg_write64(drive, NVP_REG_ASQ, nvp_sq_iova(drive->admin_sq));
	if (!rc)
		rc = nvp_reg_write64(drive, NVP_REG_ACQ, nvp_cq_iova(drive->admin_cq));
	return rc;
}

/* The drive's AQA decides over our bookkeeping, as far as our memory goes. */
static int follow_admin_registers(struct nvp_drive *drive)
{
	uint32_t aqa;
	int rc = nvp_reg_read32(drive, NVP_REG_AQA, &aqa);

	if (rc)
		return rc;
	if ((aqa & 0xfff) < drive->admin_sq->ring->entries)
		drive->admin_sq->entries = (aqa & 0xfff) + 1;
	if ((aqa >> 16 & 0xfff) < drive->admin_cq->ring->entries)
		drive->admin_cq->entries = (aqa >> 16 & 0xfff) + 1;
	return 0;
}

int nvp_ctrl_enable(struct nvp_drive *drive, const struct nvp_enable *enable, uint64_t *ready_ns)
{
	uint64_t budget_ns;
	uint32_t cc = CC_EN | (enable->css & 7u) << 4 | (enable->mps & 15u) << 7 |
		      (enable->ams & 7u) << 11 | (enable->iosqes & 15u) << 16 |
		      (enable->iocqes & 15u) << 20;
	int rc = nvp_drive_need(drive, NVP_PATH_REGISTERS | NVP_PATH_RESETS,
				"enabling the controller");

	if (rc)
		return rc;
	if (!enable->asq_entries || enable->asq_entries > 4096 || !enable->acq_entries ||
	    enable->acq_entries > 4096 || (enable->keep_admin_registers && !drive->admin_sq))
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, -EINVAL,
				      "admin queues of %u and %u entries: 1 to 4096 can be made",
				      enable->asq_entries, enable->acq_entries);
	rc = nvp_drive_read_cap(drive);
	if (!rc)
		rc = ready_budget_ns(drive, &budget_ns);
	if (!rc && enable->keep_admin_registers)
		rc = follow_admin_registers(drive);
	else if (!rc)
		rc = make_admin_queues(drive, enable);
	if (!rc && !enable->keep_admin_registers)
		rc = write_admin_registers(drive);
	if (rc)
		return rc;
	drive->facts.page_bytes = 4096u << (enable->mps & 15);
	rc = nvp_reg_write32(drive, NVP_REG_CC, cc);
	return rc ? rc : nvp_drive_poll_csts(drive, CSTS_RDY, CSTS_RDY, budget_ns, ready_ns);
}

int nvp_ctrl_shutdown(struct nvp_drive *drive, bool abrupt, uint64_t *done_ns)
{
	uint64_t budget_ns = nvp_drive_budget_ns(drive, NVP_TIME_POWER);
	uint32_t cc;
	int rc = nvp_drive_need(drive, NVP_PATH_REGISTERS | NVP_PATH_RESETS, "a shutdown");

	if (!rc)
		rc = nvp_reg_read32(drive, NVP_REG_CC, &cc);
	if (rc)
		return rc;
	if (drive->facts.ctrl.rtd3e_us)
		budget_ns = (2 * drive->facts.ctrl.rtd3e_us * NVP_NS_PER_US + NVP_NS_PER_S) *
			    drive->timeout_scale;
	cc = (cc & ~(3u << CC_SHN_SHIFT)) | (abrupt ? 2u : 1u) << CC_SHN_SHIFT;
	rc = nvp_reg_write32(drive, NVP_REG_CC, cc);
	return rc ? rc : nvp_drive_poll_csts(drive, CSTS_SHST, CSTS_SHST_DONE, budget_ns, done_ns);
}

/* --- resets ------------------------------------------------------------------------------- */

uint32_t nvp_resets(const struct nvp_drive *drive)
{
	uint32_t resets = 0;

	if (drive->base->resets)
		resets = drive->base->resets(drive->base_backend);
	resets &= ~(1u << NVP_RESET_CONTROLLER | 1u << NVP_RESET_SUBSYSTEM);
	if (!(drive->path & NVP_PATH_RESETS))
		return resets;
	resets |= 1u << NVP_RESET_CONTROLLER;
	if (drive->facts.cap.nssrs)
		resets |= 1u << NVP_RESET_SUBSYSTEM;
	return resets;
}

/* A campaign comes back a thousand times: what is as it was the last time is not told again. */
static void tell_way(struct nvp_drive *drive)
{
	const char *how = NULL;

	if (drive->base->came_back)
		how = drive->base->came_back(drive->base_backend);
	if (how && how != drive->came_back)
		nvp_drive_note(drive, "the drive came back: %s", how);
	drive->came_back = how;
}

/* The function lost its configuration: make it usable again; CC is 0 afterwards. */
int nvp_drive_reattach(struct nvp_drive *drive, uint64_t until_ns)
{
	struct nvp_err err = { 0 };
	char text[200];
	int rc = 0;

	if (drive->base->reattach)
		rc = drive->base->reattach(drive->base_backend, until_ns, &err);
	nvp_drive_heartbeat(drive);
	drive->cc = 0;
	nvp_drive_queues_gone(drive);
	if (rc)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "the drive did not come back: %s",
				      nvp_err_text(&err, text, sizeof(text)));
	tell_way(drive);
	return 0;
}

static int come_back(struct nvp_drive *drive)
{
	uint64_t budget_ns = nvp_drive_budget_ns(drive, NVP_TIME_POWER);

	return nvp_drive_reattach(drive, nvp_clock_deadline_ns(drive->clock, budget_ns));
}

int nvp_drive_power(struct nvp_drive *drive, bool on)
{
	int rc = nvp_drive_need(drive, NVP_PATH_POWER, "switching the supply");

	if (rc)
		return rc;
	rc = drive->ops->power(drive->backend, on);
	if (rc == -EPERM)
		return nvp_drive_fail(drive, NVP_ERR_DENIED, rc,
				      "switching the supply needs --allow power");
	if (rc)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "switching the supply %s",
				      on ? "on" : "off");
	drive->baseline = false;
	return 0;
}

static int reset_outside(struct nvp_drive *drive, enum nvp_reset kind)
{
	struct nvp_err err = { 0 };
	char text[200];
	int rc = drive->ops->reset(drive->backend, kind, &err);

	if (rc == -EPERM)
		return nvp_drive_fail(drive, NVP_ERR_DENIED, rc, "a reset needs --allow reset");
	if (rc)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "reset: %s",
				      nvp_err_text(&err, text, sizeof(text)));
	return come_back(drive);
}

int nvp_reset(struct nvp_drive *drive, enum nvp_reset kind)
{
	int rc;

	if ((unsigned)kind >= NVP_NR_RESETS || !(nvp_resets(drive) >> kind & 1))
		return nvp_drive_fail(drive, NVP_ERR_UNSUPPORTED, -EOPNOTSUPP,
				      "this reset cannot be done here");
	if (kind == NVP_RESET_CONTROLLER) {
		nvp_wrap_record(&drive->tracer, NVP_TRACE_RESET, 0, kind, 0, NULL, 0, 0);
		rc = nvp_ctrl_disable(drive, NULL);
	} else if (kind == NVP_RESET_SUBSYSTEM) {
		nvp_wrap_record(&drive->tracer, NVP_TRACE_RESET, 0, kind, 0, NULL, 0, 0);
		rc = nvp_reg_write32(drive, NVP_REG_NSSR, NSSR_MAGIC);
		if (!rc)
			rc = come_back(drive);
	} else {
		rc = reset_outside(drive, kind);
	}
	return rc ? rc : nvp_baseline(drive);
}

/* --- baseline ----------------------------------------------------------------------------- */

static int create_io_pair(struct nvp_drive *drive)
{
	uint32_t entries =
		(uint32_t)nvp_min_u64(NVP_BASELINE_ENTRIES, (uint64_t)drive->facts.cap.mqes_z + 1);
	char text[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl = { 0 };
	int rc;

	if (entries < 2) /* MQES below 1 is against section 3.1.3.1; try all the same */
		entries = 2;
	if (!drive->io_cq) {
		drive->io_cq = nvp_cq_new(drive, 1, entries, -1);
		if (!drive->io_cq)
			return -ENOMEM;
		drive->io_cq->own = true;
		drive->io_sq = nvp_sq_new(drive, 1, entries, drive->io_cq);
		if (!drive->io_sq)
			return -ENOMEM;
		drive->io_sq->own = true;
	}
	rc = nvp_cq_create(drive->io_cq, &cpl);
	if (!rc && nvp_cpl_ok(&cpl))
		rc = nvp_sq_create(drive->io_sq, &cpl);
	if (rc)
		return rc;
	if (nvp_cpl_ok(&cpl))
		return 0;
	return nvp_drive_fail(drive, NVP_ERR_BROKEN, -EPROTO,
			      "the drive refused the first I/O queue pair: %s",
			      nvp_status_text(&cpl.status, text));
}

static int restart(struct nvp_drive *drive)
{
	struct nvp_enable enable;
	int rc = stop(drive, NULL);

	if (rc)
		return rc;
	nvp_enable_defaults(drive, &enable);
	rc = nvp_ctrl_enable(drive, &enable, &drive->ready_ns);
	if (!rc)
		rc = nvp_drive_negotiate_queues(drive);
	if (rc)
		return rc;
	nvp_drive_check_late(drive);
	rc = create_io_pair(drive);
	if (!rc)
		drive->baseline = true;
	return rc;
}

int nvp_baseline(struct nvp_drive *drive)
{
	int rc = 0;

	nvp_drive_baseline_begin(drive);
	if (!(drive->path & NVP_PATH_QUEUES)) {
		rc = nvp_depth_drain(drive);
		drive->baseline = !rc;
	} else if (!nvp_at_baseline(drive)) {
		rc = restart(drive);
	}
	if (!rc)
		rc = nvp_drive_learn(drive);
	nvp_drive_baseline_end(drive);
	drive->vectors_seen = 0;
	return rc;
}

uint64_t nvp_drive_ready_ns(const struct nvp_drive *drive)
{
	return drive->ready_ns;
}

bool nvp_at_baseline(const struct nvp_drive *drive)
{
	const struct nvp_sq *admin = drive->admin_sq, *io = drive->io_sq;

	if (!(drive->path & NVP_PATH_QUEUES))
		return drive->baseline && !drive->nr_outstanding;
	return drive->baseline && !drive->nr_outstanding && drive->nr_live_sq == 1 &&
	       drive->nr_live_cq == 1 && io->state == NVP_QUEUE_LIVE &&
	       drive->io_cq->state == NVP_QUEUE_LIVE && admin->tail_rung == admin->tail &&
	       io->tail_rung == io->tail;
}
