// SPDX-License-Identifier: GPL-2.0-or-later
// Registers and configuration space through the door.

#include <nvproof/decode.h>

#include <errno.h>

#include "core/drive/door.h"

static int result(struct nvp_drive *drive, int rc, const char *what, uint64_t offset,
		  uint32_t impacts)
{
	char words[64];

	nvp_drive_heartbeat(drive);
	if (rc == -EPERM)
		return nvp_drive_fail(drive, NVP_ERR_DENIED, rc, "%s at %llxh needs --allow %s",
				      what, (unsigned long long)offset,
				      nvp_impact_words(impacts, words, sizeof(words)));
	if (rc == -ENODEV)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "%s at %llxh: the drive is gone",
				      what, (unsigned long long)offset);
	if (rc)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "%s at %llxh", what,
				      (unsigned long long)offset);
	return 0;
}

static int reg_read(struct nvp_drive *drive, uint64_t offset, unsigned bytes, uint64_t *value)
{
	int rc = nvp_drive_need(drive, NVP_PATH_REGISTERS, "reading a register");

	*value = UINT64_MAX;
	if (rc)
		return rc;
	rc = drive->ops->reg_read(drive->backend, offset, bytes, value);
	if (rc == 0)
		nvp_observe_reg_read(drive, offset, bytes, *value);
	return result(drive, rc, "register read", offset, 0);
}

static int reg_write(struct nvp_drive *drive, uint64_t offset, unsigned bytes, uint64_t value)
{
	int rc = nvp_drive_need(drive, NVP_PATH_REGISTERS, "writing a register");

	if (rc)
		return rc;
	/* Rings that the write sets going must be ready before it. */
	if (nvp_guard_lets(&drive->guard, nvp_impact_register(offset, bytes)))
		nvp_observe_reg_write(drive, offset, bytes, value);
	rc = drive->ops->reg_write(drive->backend, offset, bytes, value);
	return result(drive, rc, "register write", offset, drive->guard.missing);
}

int nvp_reg_read32(struct nvp_drive *drive, uint64_t offset, uint32_t *value)
{
	uint64_t wide;
	int rc = reg_read(drive, offset, 4, &wide);

	*value = (uint32_t)wide;
	return rc;
}

int nvp_reg_read64(struct nvp_drive *drive, uint64_t offset, uint64_t *value)
{
	return reg_read(drive, offset, 8, value);
}

int nvp_reg_write32(struct nvp_drive *drive, uint64_t offset, uint32_t value)
{
	return reg_write(drive, offset, 4, value);
}

int nvp_reg_write64(struct nvp_drive *drive, uint64_t offset, uint64_t value)
{
	return reg_write(drive, offset, 8, value);
}

int nvp_config_read(struct nvp_drive *drive, unsigned offset, unsigned bytes, uint32_t *value)
{
	int rc = nvp_drive_need(drive, NVP_PATH_CONFIG, "reading configuration space");

	*value = UINT32_MAX;
	if (rc)
		return rc;
	return result(drive, drive->ops->config_read(drive->backend, offset, bytes, value),
		      "configuration read", offset, 0);
}

int nvp_config_write(struct nvp_drive *drive, unsigned offset, unsigned bytes, uint32_t value)
{
	int rc = nvp_drive_need(drive, NVP_PATH_CONFIG, "writing configuration space");

	if (rc)
		return rc;
	rc = drive->ops->config_write(drive->backend, offset, bytes, value);
	/* Memory space or bus master off, D3, a function reset: none of it is the baseline. */
	if (rc == 0)
		drive->baseline = false;
	return result(drive, rc, "configuration write", offset, drive->guard.missing);
}

bool nvp_drive_gone(struct nvp_drive *drive)
{
	uint64_t csts = 0;

	if (!(drive->path & NVP_PATH_REGISTERS))
		return false;
	if (drive->ops->reg_read(drive->backend, NVP_REG_CSTS, 4, &csts))
		return true;
	return (uint32_t)csts == UINT32_MAX;
}

int nvp_drive_poll_csts(struct nvp_drive *drive, uint32_t mask, uint32_t want, uint64_t budget_ns,
			uint64_t *took_ns)
{
	uint64_t begin_ns = nvp_drive_now_ns(drive);
	uint32_t csts = 0;

	for (;;) {
		uint64_t now_ns, elapsed_ns, step_ns;
		struct nvp_wait wait = { 0 };
		int rc = nvp_reg_read32(drive, NVP_REG_CSTS, &csts);

		now_ns = nvp_drive_now_ns(drive);
		elapsed_ns = now_ns - begin_ns;
		if (took_ns)
			*took_ns = elapsed_ns;
		if (rc)
			return rc;
		if (csts == UINT32_MAX)
			return nvp_drive_fail(drive, NVP_ERR_BROKEN, -ENODEV,
					      "CSTS reads all-ones: the drive is gone");
		if ((csts & mask) == want)
			return 0;
		if (elapsed_ns >= budget_ns)
			return nvp_drive_fail(
				drive, NVP_ERR_BROKEN, -ETIMEDOUT,
				"CSTS is %xh after %llu ms, waited for %xh in bits %xh%s", csts,
				(unsigned long long)(elapsed_ns / NVP_NS_PER_MS), want, mask,
				csts & 2 ? " (fatal status)" : "");
		/* Closer at first, so that what is measured is right to about an eighth. */
		step_ns = elapsed_ns / 8;
		if (step_ns < 10 * NVP_NS_PER_US)
			step_ns = 10 * NVP_NS_PER_US;
		if (step_ns > 10 * NVP_NS_PER_MS)
			step_ns = 10 * NVP_NS_PER_MS;
		wait.until_ns = now_ns + step_ns;
		if (nvp_drive_wait(drive, &wait) < 0)
			return nvp_drive_fail(drive, NVP_ERR_BROKEN, -ENODEV, "the drive is gone");
	}
}
