// SPDX-License-Identifier: GPL-2.0-or-later
// GPIO lines over libgpiod 1.x.

#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>

#include "core/base/parse.h"
#include "power/gpio.h"

struct nvp_gpio {
	struct gpiod_chip *chip;
	struct gpiod_line *line;
};

static int no_chip(const char *chip, int error, struct nvp_err *err)
{
	struct gpiod_chip_iter *all = gpiod_chip_iter_new();
	struct gpiod_chip *one;
	char list[100] = "";

	if (all) {
		gpiod_foreach_chip(all, one) {
			const char *label = gpiod_chip_label(one);
			uint64_t number = 0;

			nvp_parse_u64(gpiod_chip_name(one) + sizeof("gpiochip") - 1, &number);
			nvp_gpio_list_add(list, sizeof(list), label && label[0] ? label :
					  gpiod_chip_name(one), (unsigned)number);
		}
		gpiod_chip_iter_free(all);
	}
	return nvp_gpio_no_chip(chip, error, list, err);
}

static int no_line(struct nvp_gpio *g, const char *chip, const char *line, struct nvp_err *err)
{
	unsigned nr = gpiod_chip_num_lines(g->chip);
	char list[100] = "";

	for (unsigned i = 0; i < nr; i++) {
		struct gpiod_line *one = gpiod_chip_get_line(g->chip, i);

		if (one)
			nvp_gpio_list_add(list, sizeof(list), gpiod_line_name(one), i);
	}
	return nvp_gpio_no_line(chip, line, nr, list, err);
}

static int take(struct nvp_gpio *g, const char *chip, const char *line, bool active_low,
		struct nvp_err *err)
{
	int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
	uint64_t offset;

	g->chip = gpiod_chip_open_lookup(chip);
	if (!g->chip)
		return no_chip(chip, errno, err);
	g->line = gpiod_chip_find_line(g->chip, line);
	if (!g->line && !nvp_parse_u64_range(line, 0, gpiod_chip_num_lines(g->chip) - 1, &offset))
		g->line = gpiod_chip_get_line(g->chip, (unsigned)offset);
	if (!g->line)
		return no_line(g, chip, line, err);
	if (gpiod_line_request_output_flags(g->line, NVP_GPIO_CONSUMER, flags, 1))
		return nvp_gpio_not_given(chip, line, errno, gpiod_line_consumer(g->line), err);
	return 0;
}

struct nvp_gpio *nvp_gpio_open(const char *chip, const char *line, bool active_low,
			       struct nvp_err *err)
{
	struct nvp_gpio *g = calloc(1, sizeof(*g));

	if (!g)
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "GPIO line %s/%s", chip, line);
	else if (take(g, chip, line, active_low, err))
		nvp_gpio_close(g);
	else
		return g;
	return NULL;
}

int nvp_gpio_set(struct nvp_gpio *g, bool active)
{
	return gpiod_line_set_value(g->line, active) ? -errno : 0;
}

int nvp_gpio_get(struct nvp_gpio *g)
{
	int value = gpiod_line_get_value(g->line);

	return value < 0 ? -errno : value;
}

void nvp_gpio_close(struct nvp_gpio *g)
{
	if (g->chip)
		gpiod_chip_close(g->chip); /* its lines with it */
	free(g);
}
