// SPDX-License-Identifier: GPL-2.0-or-later
// A SCPI power supply on USBTMC, by the kernel's own driver, on the bench (NVP_VHCI is set there).

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/clock.h>

#include "power/relay_scpi.h"
#include "tests/unit/unit.h"
#include "tests/unit/usbip_device.h"

#define NODE	"/dev/usbtmc0"
#define BOOT_NS (30 * NVP_NS_PER_S) /* the kernel's own way from a device to a node, at most */

static const struct nvp_relay_ops *ops = &nvp_relay_scpi;

static void wait_for_node(int there)
{
	const struct nvp_clock *clock = nvp_clock_real();
	uint64_t until = nvp_clock_deadline_ns(clock, BOOT_NS);

	while ((access(NODE, F_OK) == 0) != there && nvp_clock_now_ns(clock) < until)
		nvp_clock_pass(clock, 50 * NVP_NS_PER_MS);
}

static void says(struct nvp_err *err, int code, const char *part)
{
	char line[700];

	nvp_err_text(err, line, sizeof(line));
	if (!strstr(line, part))
		printf("\"%s\" is not in \"%s\"\n", part, line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, part));
	CU_ASSERT_EQUAL(err->kind, NVP_ERR_BROKEN);
	CU_ASSERT_EQUAL(err->code, code);
	memset(err, 0, sizeof(*err));
}

static void through_the_kernel(void)
{
	struct far_device model = { .on = 1, .volts_mv = { 12000 }, .limit_mv = 13000 };
	struct nvp_err err = { 0 };
	struct usbip_device d;
	void *relay;

	if (!getenv("NVP_VHCI"))
		return;
	CU_ASSERT_EQUAL_FATAL(usbip_plug_in(&d, &model), 0);
	wait_for_node(1);
	relay = ops->open(NODE, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(relay);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(ops->millivolts(relay, &err), 12000);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(model.on, 0);
	CU_ASSERT_EQUAL(ops->set_millivolts(relay, 9500, &err), 0);
	CU_ASSERT_EQUAL(model.volts_mv[0], 9500);
	CU_ASSERT_EQUAL(ops->set_millivolts(relay, 14000, &err), -EREMOTEIO);
	says(&err, -EREMOTEIO, "-222,\"Data out of range\"");
	/* No line end, and the bit that says that it was all. */
	model.about = "OUTP?";
	model.fault = FAR_HALF;
	CU_ASSERT_EQUAL(ops->state(relay, &err), 0);
	CU_ASSERT_EQUAL(err.code, 0);
	/* The driver's own timeout is the deadline; then the instrument is cleared. */
	nvp_scpi_deadline(relay, 500);
	model.fault = FAR_MUTE;
	CU_ASSERT_EQUAL(ops->state(relay, &err), -ETIMEDOUT);
	says(&err, -ETIMEDOUT, "\"OUTP?\" was not answered");
	CU_ASSERT_EQUAL(d.clears, 0);
	model.fault = FAR_HEALTHY;
	nvp_scpi_deadline(relay, 2000);
	CU_ASSERT_EQUAL(ops->set(relay, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(ops->state(relay, &err), 1);
	CU_ASSERT_EQUAL(d.clears, 1);
	CU_ASSERT_EQUAL(err.code, 0);
	usbip_pull_out(&d);
	wait_for_node(0);
	CU_ASSERT_TRUE(ops->set(relay, NVP_POWER_OFF, &err) < 0);
	says(&err, err.code, "; plug it in again");
	ops->close(relay);
	printf("an instrument of the kernel's was switched ");
}

/* Everywhere: what is there is no instrument. */
static void no_instrument(void)
{
	struct nvp_err err = { 0 };

	CU_ASSERT_PTR_NULL(ops->open("/dev/full", &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
}

CU_TestInfo nvp_unit_relay_usbtmc[] = {
	{ "no instrument", no_instrument },
	{ "through the kernel", through_the_kernel },
	CU_TEST_INFO_NULL,
};
