// SPDX-License-Identifier: GPL-2.0-or-later
// What may be done to a drive: reads always, more only on the drive that was named and is free.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/run/slot.h"

#define LID_SMART 0x02
#define SMART_BYTES 512
#define IN_USE_BUSY 2	/* of nvp_prepared_in_use; 1 is a signature or a partition table */

static bool serial_given(const struct nvp_run_request *request, const char *serial)
{
	for (size_t i = 0; i < request->nr_serials; i++) {
		if (!strcmp(request->serials[i], serial))
			return true;
	}
	return false;
}

static int refuse(const struct nvp_safety *drive, struct nvp_err *err, const char *why)
{
	return nvp_err_set(err, NVP_ERR_REFUSED, -EPERM, "refused: %.100s (serial %s) %s",
			   drive->address, drive->serial, why);
}

static int check_serial(const struct nvp_safety *drive, const struct nvp_run_request *request,
			struct nvp_err *err)
{
	if (serial_given(request, drive->serial))
		return 0;
	if (request->nr_serials) {
		refuse(drive, err, "is not the drive that --serial names");
		nvp_err_expected(err, "serial %s", request->serials[0]);
		nvp_err_advice(err, "if this is the drive, give --serial %s", drive->serial);
		return -EPERM;
	}
	if (!request->allow)
		return 0;
	refuse(drive, err, "is only changed when its serial number confirms it");
	nvp_err_advice(err, "if this is the drive, give --serial %s", drive->serial);
	return -EPERM;
}

int nvp_safety_judge(const struct nvp_safety *drive, const struct nvp_run_request *request,
		     struct nvp_err *err)
{
	if (check_serial(drive, request, err))
		return -EPERM;
	if (!request->allow || !drive->in_use)
		return 0;
	if (drive->in_use >= IN_USE_BUSY) {
		refuse(drive, err, "is in use");
		nvp_err_seen(err, "%s", drive->in_use_text);
		nvp_err_advice(err, "no option overrides this");
		return -EPERM;
	}
	if (!request->force) {
		refuse(drive, err, "holds something");
		nvp_err_seen(err, "%s", drive->in_use_text);
		nvp_err_advice(err, "--force, if it may be lost");
		return -EPERM;
	}
	return 0;
}

bool nvp_safety_worn(struct nvp_drive *drive, unsigned limit_percent, char *why, size_t bytes)
{
	struct nvp_cmd cmd = nvp_build_get_log(LID_SMART, NVP_NSID_ALL, SMART_BYTES, 0, true, 0);
	struct nvp_smart smart = { 0 };
	struct nvp_cpl cpl;
	bool read;

	cmd.data = nvp_buf_new(drive, SMART_BYTES);
	read = cmd.data && !nvp_exec_admin(drive, &cmd, &cpl) && nvp_cpl_ok(&cpl);
	if (read)
		nvp_decode_smart(nvp_buf_data(cmd.data), SMART_BYTES, &smart);
	nvp_buf_free(cmd.data);
	if (read && smart.percentage_used < limit_percent)
		return false;
	if (read)
		snprintf(why, bytes, "refused: %u %% of the drive's endurance is used, the limit is %u %%"
			 " (--wear-limit, or --force)", smart.percentage_used, limit_percent);
	else
		snprintf(why, bytes, "refused: the wear of the drive cannot be read (--force)");
	return true;
}

int nvp_safety_check(struct nvp_slot *slot, const struct nvp_run_request *request,
		     struct nvp_err *err)
{
	struct nvp_safety drive = {
		.address = nvp_prepared_address(slot->prepared),
		.serial = nvp_prepared_serial(slot->prepared), .in_use_text = slot->in_use,
	};

	slot->allow = UINT32_MAX;
	if (slot->simulated)
		return 0;
	slot->allow = request->allow;
	drive.in_use = nvp_prepared_in_use(slot->prepared, slot->in_use, sizeof(slot->in_use));
	if (!drive.in_use)
		slot->in_use[0] = '\0';
	return nvp_safety_judge(&drive, request, err);
}
