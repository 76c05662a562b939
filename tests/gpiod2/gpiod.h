/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stand-in for <gpiod.h> of libgpiod 2.x, which Debian 12 does not have: the documented calls that
 * power/gpio_v2.c makes, so that the file compiles here and test_gpio_v2.c can play the library. All
 * are static: the library of the other version has some of the names too.
 */
#ifndef NVP_TESTS_GPIOD2_H
#define NVP_TESTS_GPIOD2_H

#include <stdbool.h>
#include <stddef.h>

struct gpiod_chip;
struct gpiod_chip_info;
struct gpiod_line_info;
struct gpiod_line_settings;
struct gpiod_line_config;
struct gpiod_request_config;
struct gpiod_line_request;

enum gpiod_line_value {
	GPIOD_LINE_VALUE_ERROR = -1, GPIOD_LINE_VALUE_INACTIVE = 0, GPIOD_LINE_VALUE_ACTIVE = 1,
};
enum gpiod_line_direction {
	GPIOD_LINE_DIRECTION_AS_IS = 1, GPIOD_LINE_DIRECTION_INPUT, GPIOD_LINE_DIRECTION_OUTPUT,
};

static struct gpiod_chip *gpiod_chip_open(const char *path);
static void gpiod_chip_close(struct gpiod_chip *chip);
static struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip);
static void gpiod_chip_info_free(struct gpiod_chip_info *info);
static const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info);
static size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info);
static int gpiod_chip_get_line_offset_from_name(struct gpiod_chip *chip, const char *name);
static struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset);
static void gpiod_line_info_free(struct gpiod_line_info *info);
static const char *gpiod_line_info_get_name(struct gpiod_line_info *info);
static const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info);
static struct gpiod_line_settings *gpiod_line_settings_new(void);
static void gpiod_line_settings_free(struct gpiod_line_settings *settings);
static int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings,
				      enum gpiod_line_direction direction);
static void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool active_low);
static int gpiod_line_settings_set_output_value(struct gpiod_line_settings *settings,
					 enum gpiod_line_value value);
static struct gpiod_line_config *gpiod_line_config_new(void);
static void gpiod_line_config_free(struct gpiod_line_config *config);
static int gpiod_line_config_add_line_settings(struct gpiod_line_config *config,
					const unsigned int *offsets, size_t num_offsets,
					struct gpiod_line_settings *settings);
static struct gpiod_request_config *gpiod_request_config_new(void);
static void gpiod_request_config_free(struct gpiod_request_config *config);
static void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer);
static struct gpiod_line_request *gpiod_chip_request_lines(struct gpiod_chip *chip,
						    struct gpiod_request_config *request,
						    struct gpiod_line_config *line);
static void gpiod_line_request_release(struct gpiod_line_request *request);
static enum gpiod_line_value gpiod_line_request_get_value(struct gpiod_line_request *request,
						   unsigned int offset);
static int gpiod_line_request_set_value(struct gpiod_line_request *request, unsigned int offset,
				 enum gpiod_line_value value);

#endif
