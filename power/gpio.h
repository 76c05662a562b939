/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One output line of a GPIO chip, over libgpiod 1.x (gpio_v1.c) or 2.x (gpio_v2.c), or none of it. */
#ifndef NVP_POWER_GPIO_H
#define NVP_POWER_GPIO_H

#include <stdbool.h>

#include <nvproof/err.h>

#define NVP_GPIO_CONSUMER "nvproof" /* who holds the line, as the kernel tells others */

struct nvp_gpio;

/*
 * Take the line as an output that is active from the first moment, and hold it. chip: its name
 * ("gpiochip0"), number or label; line: its offset or name. Active is the low level with active_low.
 * NULL and *err: no such chip or line (with those that exist), in use (by whom), no permission.
 */
struct nvp_gpio *nvp_gpio_open(const char *chip, const char *line, bool active_low,
			       struct nvp_err *err);
/* 0 or a negative errno: -ENODEV, the chip is gone. */
int nvp_gpio_set(struct nvp_gpio *gpio, bool active);
/* 1 active, 0 not, or a negative errno. */
int nvp_gpio_get(struct nvp_gpio *gpio);
/* The kernel may do with the line what it likes from here on. */
void nvp_gpio_close(struct nvp_gpio *gpio);

/* --- gpio_text.c: what both versions say -------------------------------------------------- */

/* A list of names, parted by commas, as long as it has room. */
void nvp_gpio_list_add(char *list, size_t bytes, const char *name, unsigned number);
int nvp_gpio_no_chip(const char *chip, int error, const char *list, struct nvp_err *err);
int nvp_gpio_no_line(const char *chip, const char *line, unsigned nr_lines, const char *list,
		     struct nvp_err *err);
/* consumer: NULL or empty, nobody is known. */
int nvp_gpio_not_given(const char *chip, const char *line, int error, const char *consumer,
		       struct nvp_err *err);

#endif
