// SPDX-License-Identifier: GPL-2.0-or-later
// GPIO lines without libgpiod: refused with what to do.

#include <errno.h>

#include "power/gpio.h"

struct nvp_gpio *nvp_gpio_open(const char *chip, const char *line, bool active_low,
			       struct nvp_err *err)
{
	(void)active_low;
	nvp_err_set(err, NVP_ERR_UNSUPPORTED, -ENOSYS,
		    "relay gpiod:%.60s/%.40s: this program was built without libgpiod", chip, line);
	nvp_err_advice(err, "install libgpiod-dev and build it again");
	return NULL;
}

int nvp_gpio_set(struct nvp_gpio *gpio, bool active)
{
	(void)gpio;
	(void)active;
	return -ENOSYS;
}

int nvp_gpio_get(struct nvp_gpio *gpio)
{
	(void)gpio;
	return -ENOSYS;
}

void nvp_gpio_close(struct nvp_gpio *gpio)
{
	(void)gpio;
}
