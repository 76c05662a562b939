// SPDX-License-Identifier: GPL-2.0-or-later
// Life of what manages the drive: firmware, self-test and their like, over power and resets.

#include "core/sim/manage.h"

#include <errno.h>
#include <stdlib.h>

#include "core/sim/commands.h"

int nvp_manage_power_on(struct nvp_sim *w)
{
	w->commands->manage = calloc(1, sizeof(*w->commands->manage));
	if (!w->commands->manage)
		return -ENOMEM;
	nvp_firmware_power_on(w);
	nvp_self_test_power_on(w);
	nvp_power_reset(w);
	nvp_time_power_on(w);
	nvp_protect_power_on(w);
	return 0;
}

void nvp_manage_free(struct nvp_sim *w)
{
	if (!w->commands->manage)
		return;
	nvp_firmware_free(w);
	nvp_pel_release(w);
	free(w->commands->manage);
	w->commands->manage = NULL;
}

void nvp_manage_reset(struct nvp_sim *w)
{
	nvp_firmware_reset(w);
	nvp_self_test_reset(w);
	nvp_power_reset(w);
	nvp_time_reset(w);
	nvp_protect_reset(w);
}
