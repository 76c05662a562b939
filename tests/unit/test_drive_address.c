// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses: which backend, and one clear line for each that is wrong.

#include <nvproof/drive_ops.h>

#include <string.h>

#include "tests/unit/unit.h"

static void refused(const char *address, const char *text)
{
	struct nvp_err err = { 0 };
	char line[600];

	CU_ASSERT_PTR_NULL(nvp_drive_prepare(address, 1, 0, &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	nvp_err_text(&err, line, sizeof(line));
	if (!strstr(line, text))
		printf("%s: \"%s\" is not in \"%s\"\n", address, text, line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, text));
}

static void wrong_addresses_name_the_nearest_form(void)
{
	refused("simm:", "nearest valid form: sim:");
	refused("sim", "nearest valid form: sim:");
	refused("nvme0", "nearest valid form: /dev/nvme0");
	refused("dev/nvme0", "nearest valid form: /dev/nvme0");
	refused("", "no such form of address");
	refused("pcie:0000:01:00.0", "nearest valid form: pci:0000:01:00.0");
	refused("pci:zz", "no PCI address");
	refused("pci:00ff:fe:1f.7", "there is no such PCI function");
}

static void paths_that_are_no_drive(void)
{
	refused("/dev/nvme987", "does not exist");
	refused("/dev/null", "is no NVMe controller or namespace");
	refused("/", "is no NVMe controller or namespace");
	refused("/etc/passwd", "is no NVMe controller or namespace");
}

static void simulated_address_errors_come_through(void)
{
	refused("sim:szie=1G", "size");
	refused("sim:profile=entreprise", "enterprise");
	refused("sim:defect=no-such-defect-anywhere", "no-such-defect-anywhere");
}

static void backends_are_listed(void)
{
	const struct nvp_drive_ops *const *backends = nvp_drive_backends();
	unsigned nr = 0;

	for (; backends[nr]; nr++) {
		CU_ASSERT_PTR_NOT_NULL(backends[nr]->name);
		CU_ASSERT_TRUE(strlen(backends[nr]->help) > 10);
		CU_ASSERT_TRUE(backends[nr]->open && backends[nr]->close && backends[nr]->path &&
			       backends[nr]->clock && backends[nr]->buf_alloc &&
			       backends[nr]->buf_free);
		/* One command at a time, or all of the ring calls. */
		CU_ASSERT_TRUE(backends[nr]->exec ||
			       (backends[nr]->ring_new && backends[nr]->ring_free &&
				backends[nr]->ring_clear && backends[nr]->post &&
				backends[nr]->peek && backends[nr]->phase_byte &&
				backends[nr]->doorbell));
	}
	CU_ASSERT_EQUAL(nr, 3);
}

static void simulated_drive_is_free_and_has_its_serial(void)
{
	struct nvp_err err = { 0 };
	struct nvp_prepared *prepared = nvp_drive_prepare("sim:serial=XYZ", 1, 0, &err);
	char text[64] = "x";

	CU_ASSERT_PTR_NOT_NULL_FATAL(prepared);
	CU_ASSERT_TRUE(nvp_prepared_is_simulated(prepared));
	CU_ASSERT_STRING_EQUAL(nvp_prepared_serial(prepared), "XYZ");
	CU_ASSERT_STRING_EQUAL(nvp_prepared_address(prepared), "sim:serial=XYZ");
	CU_ASSERT_EQUAL(nvp_prepared_in_use(prepared, text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	nvp_drive_discard(prepared);
	nvp_drive_discard(NULL);
}

CU_TestInfo nvp_unit_drive_address[] = {
	{ "wrong_addresses_name_the_nearest_form", wrong_addresses_name_the_nearest_form },
	{ "paths_that_are_no_drive", paths_that_are_no_drive },
	{ "simulated_address_errors_come_through", simulated_address_errors_come_through },
	{ "backends_are_listed", backends_are_listed },
	{ "simulated_drive_is_free_and_has_its_serial",
	  simulated_drive_is_free_and_has_its_serial },
	CU_TEST_INFO_NULL,
};
