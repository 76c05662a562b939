// SPDX-License-Identifier: GPL-2.0-or-later
// GPIO lines over libgpiod 2.x.

#include <errno.h>
#include <glob.h>
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/parse.h"
#include "power/gpio.h"

#define CHIPS "/dev/gpiochip*"
#define NAME_AT (sizeof("/dev/") - 1)
#define NUMBER_AT (sizeof("/dev/gpiochip") - 1)

struct nvp_gpio {
	struct gpiod_chip *chip;
	struct gpiod_line_request *request;
	unsigned offset;
};

/* Its path, its name, its number, or the label that the chip gives. */
static bool is_it(struct gpiod_chip *one, const char *path, const char *chip)
{
	struct gpiod_chip_info *info = gpiod_chip_get_info(one);
	bool same = !strcmp(path, chip) || !strcmp(path + NAME_AT, chip) ||
		    !strcmp(path + NUMBER_AT, chip) ||
		    (info && !strcmp(gpiod_chip_info_get_label(info), chip));

	gpiod_chip_info_free(info);
	return same;
}

static void add_chip(struct gpiod_chip *one, const char *path, char *list, size_t bytes)
{
	struct gpiod_chip_info *info = gpiod_chip_get_info(one);
	uint64_t number = 0;

	nvp_parse_u64(path + NUMBER_AT, &number);
	if (info)
		nvp_gpio_list_add(list, bytes, gpiod_chip_info_get_label(info), (unsigned)number);
	gpiod_chip_info_free(info);
}

static int find_chip(struct nvp_gpio *g, const char *chip, struct nvp_err *err)
{
	char list[100] = "";
	int error = ENODEV;
	glob_t found;

	if (glob(CHIPS, 0, NULL, &found))
		return nvp_gpio_no_chip(chip, error, list, err);
	for (size_t i = 0; i < found.gl_pathc && !g->chip; i++) {
		const char *path = found.gl_pathv[i];
		struct gpiod_chip *one = gpiod_chip_open(path);

		if (!one) {
			error = errno;
			continue;
		}
		if (is_it(one, path, chip)) {
			g->chip = one;
			continue;
		}
		add_chip(one, path, list, sizeof(list));
		gpiod_chip_close(one);
	}
	globfree(&found);
	return g->chip ? 0 : nvp_gpio_no_chip(chip, error, list, err);
}

static unsigned nr_lines(struct nvp_gpio *g)
{
	struct gpiod_chip_info *info = gpiod_chip_get_info(g->chip);
	size_t nr = info ? gpiod_chip_info_get_num_lines(info) : 0;

	gpiod_chip_info_free(info);
	return (unsigned)nr;
}

static int find_line(struct nvp_gpio *g, const char *chip, const char *line, struct nvp_err *err)
{
	int offset = gpiod_chip_get_line_offset_from_name(g->chip, line);
	unsigned nr = nr_lines(g);
	char list[100] = "";
	uint64_t number;

	if (offset >= 0 || (nr && !nvp_parse_u64_range(line, 0, nr - 1, &number))) {
		g->offset = offset >= 0 ? (unsigned)offset : (unsigned)number;
		return 0;
	}
	for (unsigned i = 0; i < nr; i++) {
		struct gpiod_line_info *one = gpiod_chip_get_line_info(g->chip, i);

		if (one)
			nvp_gpio_list_add(list, sizeof(list), gpiod_line_info_get_name(one), i);
		gpiod_line_info_free(one);
	}
	return nvp_gpio_no_line(chip, line, nr, list, err);
}

/* Direction, level and polarity in the one request: the line never stands otherwise. */
static int request(struct nvp_gpio *g, bool active_low)
{
	struct gpiod_line_settings *settings = gpiod_line_settings_new();
	struct gpiod_line_config *line = gpiod_line_config_new();
	struct gpiod_request_config *who = gpiod_request_config_new();
	int rc = settings && line && who ? 0 : -ENOMEM;

	if (!rc) {
		gpiod_line_settings_set_active_low(settings, active_low);
		gpiod_request_config_set_consumer(who, NVP_GPIO_CONSUMER);
	}
	if (!rc && (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) ||
		    gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_ACTIVE) ||
		    gpiod_line_config_add_line_settings(line, &g->offset, 1, settings)))
		rc = -errno;
	if (!rc) {
		g->request = gpiod_chip_request_lines(g->chip, who, line);
		rc = g->request ? 0 : -errno;
	}
	gpiod_request_config_free(who);
	gpiod_line_config_free(line);
	gpiod_line_settings_free(settings);
	return rc;
}

static int not_given(struct nvp_gpio *g, const char *chip, const char *line, int rc,
		     struct nvp_err *err)
{
	struct gpiod_line_info *info = gpiod_chip_get_line_info(g->chip, g->offset);

	nvp_gpio_not_given(chip, line, -rc, info ? gpiod_line_info_get_consumer(info) : NULL, err);
	gpiod_line_info_free(info);
	return rc;
}

struct nvp_gpio *nvp_gpio_open(const char *chip, const char *line, bool active_low,
			       struct nvp_err *err)
{
	struct nvp_gpio *g = calloc(1, sizeof(*g));
	int rc;

	if (!g) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "GPIO line %s/%s", chip, line);
		return NULL;
	}
	rc = find_chip(g, chip, err);
	if (!rc)
		rc = find_line(g, chip, line, err);
	if (!rc) {
		rc = request(g, active_low);
		if (rc)
			not_given(g, chip, line, rc, err);
	}
	if (!rc)
		return g;
	nvp_gpio_close(g);
	return NULL;
}

int nvp_gpio_set(struct nvp_gpio *g, bool active)
{
	return gpiod_line_request_set_value(g->request, g->offset,
					    active ? GPIOD_LINE_VALUE_ACTIVE :
						     GPIOD_LINE_VALUE_INACTIVE) ? -errno : 0;
}

int nvp_gpio_get(struct nvp_gpio *g)
{
	enum gpiod_line_value value = gpiod_line_request_get_value(g->request, g->offset);

	return value == GPIOD_LINE_VALUE_ERROR ? -errno : value == GPIOD_LINE_VALUE_ACTIVE;
}

void nvp_gpio_close(struct nvp_gpio *g)
{
	if (g->request)
		gpiod_line_request_release(g->request);
	if (g->chip)
		gpiod_chip_close(g->chip);
	free(g);
}
