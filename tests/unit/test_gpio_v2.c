// SPDX-License-Identifier: GPL-2.0-or-later
// power/gpio_v2.c against a library of ours that follows the documented calls of libgpiod 2.x: one chip
// with three lines, and everything that was made is given back. The other version is what is linked.

#include <errno.h>
#include <glob.h>
#include <string.h>

#include "tests/gpiod2/gpiod.h"

/* The file under test has names of its own here, and looks for chips where there are ours. */
#define nvp_gpio v2_gpio
#define nvp_gpio_open v2_open
#define nvp_gpio_set v2_set
#define nvp_gpio_get v2_get
#define nvp_gpio_close v2_close
#define glob(pattern, flags, on_error, found) our_glob(found)
#define globfree(found) ((void)(found))
static int our_glob(glob_t *found);
#include "power/gpio_v2.c"
#undef glob
#undef globfree

#include "tests/unit/unit.h"

/* ---- the library ---- */

struct gpiod_chip { bool open; };
struct gpiod_chip_info { bool taken; };
struct gpiod_line_info { unsigned offset; };
struct gpiod_line_settings {
	enum gpiod_line_direction direction;
	enum gpiod_line_value value;
	bool active_low;
};
struct gpiod_line_config { struct gpiod_line_settings settings; unsigned offset; };
struct gpiod_request_config { const char *consumer; };
struct gpiod_line_request { unsigned offset; };

static struct {
	struct gpiod_chip chip;
	struct gpiod_chip_info info;
	struct gpiod_line_info line_info;
	struct gpiod_line_settings settings, given;
	struct gpiod_line_config config;
	struct gpiod_request_config who;
	struct gpiod_line_request request;
	char consumer[32];
	int made; /* and not given back */
	int open_error, request_error;
	enum gpiod_line_value value;
} lib;

static const char *const names[] = { "rail-12v", "rail-3v3", "" };

static int our_glob(glob_t *found)
{
	static char *paths[] = { (char *)"/dev/gpiochip4", NULL };

	*found = (glob_t){ .gl_pathc = 1, .gl_pathv = paths };
	return 0;
}

static void *make(void *thing)
{
	lib.made++;
	return thing;
}

static void give_back(const void *thing)
{
	lib.made -= thing != NULL;
}

static struct gpiod_chip *gpiod_chip_open(const char *path)
{
	errno = lib.open_error;
	return lib.open_error || strcmp(path, "/dev/gpiochip4") ? NULL : make(&lib.chip);
}
static void gpiod_chip_close(struct gpiod_chip *chip) { give_back(chip); }
static struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip)
{
	return chip == &lib.chip ? make(&lib.info) : NULL;
}
static void gpiod_chip_info_free(struct gpiod_chip_info *info) { give_back(info); }
static const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info)
{
	return info == &lib.info ? "relay" : NULL;
}
static size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info) { return info ? 3 : 0; }
static int gpiod_chip_get_line_offset_from_name(struct gpiod_chip *chip, const char *name)
{
	for (int i = 0; chip && i < 3; i++)
		if (names[i][0] && !strcmp(names[i], name))
			return i;
	errno = ENOENT;
	return -1;
}
static struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset)
{
	lib.line_info.offset = offset;
	return chip && offset < 3 ? make(&lib.line_info) : NULL;
}
static void gpiod_line_info_free(struct gpiod_line_info *info) { give_back(info); }
static const char *gpiod_line_info_get_name(struct gpiod_line_info *info) { return names[info->offset]; }
static const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info)
{
	return info->offset == 1 ? "the fan" : NULL;
}
static struct gpiod_line_settings *gpiod_line_settings_new(void)
{
	lib.settings = (struct gpiod_line_settings){ 0 };
	return make(&lib.settings);
}
static void gpiod_line_settings_free(struct gpiod_line_settings *settings) { give_back(settings); }
static int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings,
				      enum gpiod_line_direction direction)
{
	settings->direction = direction;
	return 0;
}
static void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool active_low)
{
	settings->active_low = active_low;
}
static int gpiod_line_settings_set_output_value(struct gpiod_line_settings *settings,
					 enum gpiod_line_value value)
{
	settings->value = value;
	return 0;
}
static struct gpiod_line_config *gpiod_line_config_new(void) { return make(&lib.config); }
static void gpiod_line_config_free(struct gpiod_line_config *config) { give_back(config); }
static int gpiod_line_config_add_line_settings(struct gpiod_line_config *config,
					const unsigned int *offsets, size_t num_offsets,
					struct gpiod_line_settings *settings)
{
	config->settings = *settings;
	config->offset = offsets[0];
	return num_offsets == 1 ? 0 : -1;
}
static struct gpiod_request_config *gpiod_request_config_new(void) { return make(&lib.who); }
static void gpiod_request_config_free(struct gpiod_request_config *config) { give_back(config); }
static void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer)
{
	config->consumer = consumer;
}
static struct gpiod_line_request *gpiod_chip_request_lines(struct gpiod_chip *chip,
						    struct gpiod_request_config *request,
						    struct gpiod_line_config *line)
{
	errno = line->offset == 1 ? EBUSY : lib.request_error;
	if (errno || chip != &lib.chip)
		return NULL;
	lib.given = line->settings;
	lib.value = line->settings.value;
	lib.request.offset = line->offset;
	strncpy(lib.consumer, request->consumer, sizeof(lib.consumer) - 1);
	return make(&lib.request);
}
static void gpiod_line_request_release(struct gpiod_line_request *request) { give_back(request); }
static enum gpiod_line_value gpiod_line_request_get_value(struct gpiod_line_request *request,
						   unsigned int offset)
{
	return request->offset == offset ? lib.value : GPIOD_LINE_VALUE_ERROR;
}
static int gpiod_line_request_set_value(struct gpiod_line_request *request, unsigned int offset,
				 enum gpiod_line_value value)
{
	errno = request->offset == offset ? 0 : EINVAL;
	lib.value = value;
	return errno ? -1 : 0;
}

/* ---- what is asked of it ---- */

static void a_line_is_taken_active_and_held(void)
{
	static const char *const chips[] = { "relay", "4", "gpiochip4", "/dev/gpiochip4" };
	static const char *const lines[] = { "rail-12v", "0", "2" };

	for (size_t i = 0; i < 4 * 3; i++) {
		struct nvp_err err = { 0 };
		struct v2_gpio *g;

		memset(&lib, 0, sizeof(lib));
		g = v2_open(chips[i / 3], lines[i % 3], i & 1, &err);
		CU_ASSERT_PTR_NOT_NULL_FATAL(g);
		CU_ASSERT_EQUAL(lib.request.offset, i % 3 == 2 ? 2 : 0);
		CU_ASSERT_EQUAL(lib.given.direction, GPIOD_LINE_DIRECTION_OUTPUT);
		CU_ASSERT_EQUAL(lib.given.value, GPIOD_LINE_VALUE_ACTIVE);
		CU_ASSERT_EQUAL(lib.given.active_low, i & 1);
		CU_ASSERT_STRING_EQUAL(lib.consumer, "nvproof");
		CU_ASSERT_EQUAL(lib.made, 2); /* the chip and the request */
		CU_ASSERT_EQUAL(v2_get(g), 1);
		CU_ASSERT_EQUAL(v2_set(g, false), 0);
		CU_ASSERT_EQUAL(v2_get(g), 0);
		v2_close(g);
		CU_ASSERT_EQUAL(lib.made, 0);
	}
}

static void refused(const char *chip, const char *line, const char *word)
{
	struct nvp_err err = { 0 };
	char text[400];

	CU_ASSERT_PTR_NULL(v2_open(chip, line, false, &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	nvp_err_text(&err, text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, word));
	CU_ASSERT_EQUAL(lib.made, 0);
}

static void what_cannot_be_had_is_told(void)
{
	memset(&lib, 0, sizeof(lib));
	refused("relais", "0", "expected relay (4)");
	refused("relay", "3", "expected 0 to 2, or rail-12v (0), rail-3v3 (1)");
	refused("relay", "rail", "has no line \"rail\"");
	refused("relay", "rail-3v3", "the fan has it");
	lib.request_error = EPERM;
	refused("relay", "0", "Operation not permitted");
	lib.open_error = EACCES;
	refused("relay", "0", "join the group");
}

CU_TestInfo nvp_unit_gpio_v2[] = {
	{ "a line is taken active and held", a_line_is_taken_active_and_held },
	{ "what cannot be had is told", what_cannot_be_had_is_told },
	CU_TEST_INFO_NULL,
};
