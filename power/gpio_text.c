// SPDX-License-Identifier: GPL-2.0-or-later
// What is said of chips and lines that cannot be had, whatever version of libgpiod was asked.

#include "power/gpio.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void nvp_gpio_list_add(char *list, size_t bytes, const char *name, unsigned number)
{
	size_t at = strlen(list);

	if (!name || !name[0])
		return;
	if (at + strlen(name) + 24 < bytes)
		snprintf(list + at, bytes - at, "%s%s (%u)", at ? ", " : "", name, number);
}

int nvp_gpio_no_chip(const char *chip, int error, const char *list, struct nvp_err *err)
{
	if (error == EACCES || error == EPERM) {
		nvp_err_set(err, NVP_ERR_USAGE, -error, "GPIO chip %.60s: %s", chip, strerror(error));
		nvp_err_advice(err, "run as root, or join the group that has /dev/gpiochip*");
		return -error;
	}
	nvp_err_set(err, NVP_ERR_USAGE, -ENODEV, "no GPIO chip \"%.60s\"", chip);
	nvp_err_expected(err, "%s", list[0] ? list : "a chip; this machine has none that can be read");
	return -ENODEV;
}

int nvp_gpio_no_line(const char *chip, const char *line, unsigned nr_lines, const char *list,
		     struct nvp_err *err)
{
	nvp_err_set(err, NVP_ERR_USAGE, -ENODEV, "GPIO chip %.60s has no line \"%.40s\"", chip, line);
	if (list[0])
		nvp_err_expected(err, "0 to %u, or %s", nr_lines - 1, list);
	else
		nvp_err_expected(err, "0 to %u: its lines have no names", nr_lines - 1);
	return -ENODEV;
}

int nvp_gpio_not_given(const char *chip, const char *line, int error, const char *consumer,
		       struct nvp_err *err)
{
	nvp_err_set(err, NVP_ERR_USAGE, -error, "GPIO line %.60s/%.40s: %s", chip, line,
		    error == EBUSY ? "in use" : strerror(error));
	if (error != EBUSY)
		return -error;
	if (consumer && consumer[0])
		nvp_err_seen(err, "%s has it", consumer);
	nvp_err_advice(err, "end who has it, or take another line");
	return -error;
}
