// SPDX-License-Identifier: GPL-2.0-or-later
// Drives of the machine from sysfs: real shapes, none, and what no drive should say.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/cli/sysfs.h"
#include "tests/unit/fake_root.h"
#include "tests/unit/unit.h"

static struct nvp_root top;

static void drives_and_namespaces_are_listed_in_order(void)
{
	struct nvp_listed_drive *drives;
	struct nvp_err err = { 0 };
	size_t nr;

	nvp_root_make(&top);
	nvp_root_put(&top, "/class/nvme/nvme10/serial", "TEN                 \n");
	nvp_root_put(&top, "/class/nvme/nvme2/serial", "TWO\n");
	nvp_root_put(&top, "/class/nvme/nvme2/model", "A model \x1b[31m\n");
	nvp_root_put(&top, "/class/nvme/nvme2/firmware_rev", "1.0     \n");
	nvp_root_put(&top, "/class/nvme/nvme2/transport", "pcie\n");
	nvp_root_put(&top, "/class/nvme/nvme2/address", "0000:01:00.0\n");
	nvp_root_put(&top, "/class/nvme/nvme2/state", "live\n");
	nvp_root_put(&top, "/class/nvme/nvme2/nvme2n2/size", "8\n");
	nvp_root_put(&top, "/class/nvme/nvme2/nvme2n2/queue/logical_block_size", "512\n");
	nvp_root_put(&top, "/class/nvme/nvme2/nvme2c0n10/queue/logical_block_size", "4096\n");
	/* Multipath: its node is nvme2n10. */
	nvp_root_put(&top, "/class/nvme/nvme2/nvme2c0n10/size", "2097152\n");
	nvp_root_put(&top, "/class/nvme/nvme2/hwmon1/name", "nvme\n");
	nvp_root_put(&top, "/class/nvme/nvme2/nvme2n3x/size", "1\n");
	nvp_root_put(&top, "/class/nvme/nvme2/nvme2n4/size", "no number\n");
	CU_ASSERT_EQUAL(nvp_list_drives(top.path, &drives, &nr, &err), 0);
	CU_ASSERT_EQUAL_FATAL(nr, 2);
	CU_ASSERT_STRING_EQUAL(drives[0].address, "/dev/nvme2");
	CU_ASSERT_STRING_EQUAL(drives[0].serial, "TWO");
	CU_ASSERT_STRING_EQUAL(drives[0].model, "A model ?[31m");
	CU_ASSERT_STRING_EQUAL(drives[0].firmware, "1.0");
	CU_ASSERT_STRING_EQUAL(drives[0].transport_address, "0000:01:00.0");
	CU_ASSERT_EQUAL_FATAL(drives[0].nr_ns, 3);
	CU_ASSERT_EQUAL(drives[0].bytes, (1ull << 30) + 4096);
	CU_ASSERT_STRING_EQUAL(drives[0].format, "512 4096");
	CU_ASSERT_STRING_EQUAL(drives[0].ns[0].name, "nvme2n2");
	CU_ASSERT_EQUAL(drives[0].ns[0].bytes, 4096);
	CU_ASSERT_STRING_EQUAL(drives[0].ns[1].name, "nvme2n4");
	CU_ASSERT_EQUAL(drives[0].ns[1].bytes, 0);
	CU_ASSERT_STRING_EQUAL(drives[0].ns[2].name, "nvme2n10");
	CU_ASSERT_EQUAL(drives[0].ns[2].bytes, 1ull << 30);
	CU_ASSERT_STRING_EQUAL(drives[1].address, "/dev/nvme10");
	CU_ASSERT_STRING_EQUAL(drives[1].serial, "TEN");
	CU_ASSERT_STRING_EQUAL(drives[1].model, "");
	free(drives);
	nvp_root_remove(&top);
}

/* One that the kernel's driver has, one that vfio-pci has, one that nobody has, and what is no drive. */
static void functions_tell_slot_link_and_driver(void)
{
	struct nvp_listed_drive *drives;
	struct nvp_err err = { 0 };
	size_t nr;

	nvp_root_make(&top);
	nvp_root_put(&top, "/class/nvme/nvme0/serial", "S0\n");
	nvp_root_put(&top, "/class/nvme/nvme0/transport", "pcie\n");
	nvp_root_put(&top, "/class/nvme/nvme0/address", "0000:01:00.0\n");
	nvp_root_put(&top, "/class/nvme/nvme1/serial", "S1\n");
	nvp_root_put(&top, "/class/nvme/nvme1/transport", "tcp\n");
	nvp_root_put(&top, "/class/nvme/nvme1/address", "traddr=127.0.0.1,trsvcid=4420\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:01:00.0/class", "0x010802\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:01:00.0/current_link_speed", "8.0 GT/s PCIe\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:01:00.0/current_link_width", "2\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:01:00.0/max_link_speed", "16.0 GT/s PCIe\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:01:00.0/max_link_width", "4\n");
	nvp_root_link(&top, "/bus/pci/devices/0000:01:00.0/driver", "../../../bus/pci/drivers/nvme");
	nvp_root_put(&top, "/bus/pci/devices/0000:02:00.0/class", "0x010802\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:02:00.0/current_link_speed", "16.0 GT/s PCIe\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:02:00.0/current_link_width", "4\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:02:00.0/max_link_speed", "16.0 GT/s PCIe\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:02:00.0/max_link_width", "4\n");
	nvp_root_link(&top, "/bus/pci/devices/0000:02:00.0/driver", "../../../bus/pci/drivers/vfio-pci");
	nvp_root_put(&top, "/bus/pci/devices/0000:12:00.0/class", "0x010802\n");
	nvp_root_put(&top, "/bus/pci/devices/0000:03:00.0/class", "0x010601\n");
	nvp_root_put(&top, "/bus/pci/slots/7/address", "0000:01:00\n");
	nvp_root_put(&top, "/bus/pci/slots/8/address", "0000:02:0\n");
	CU_ASSERT_EQUAL(nvp_list_drives(top.path, &drives, &nr, &err), 0);
	CU_ASSERT_EQUAL_FATAL(nr, 4);
	CU_ASSERT_STRING_EQUAL(drives[0].address, "/dev/nvme0");
	CU_ASSERT_STRING_EQUAL(drives[0].driver, "nvme");
	CU_ASSERT_STRING_EQUAL(drives[0].slot, "7");
	CU_ASSERT_STRING_EQUAL(drives[0].link, "8.0 GT/s PCIe x2 of 16.0 GT/s PCIe x4");
	CU_ASSERT_STRING_EQUAL(drives[1].address, "/dev/nvme1");
	CU_ASSERT_STRING_EQUAL(drives[1].driver, "");
	CU_ASSERT_STRING_EQUAL(drives[1].slot, "");
	CU_ASSERT_STRING_EQUAL(drives[2].address, "pci:0000:02:00.0");
	CU_ASSERT_STRING_EQUAL(drives[2].transport_address, "0000:02:00.0");
	CU_ASSERT_STRING_EQUAL(drives[2].driver, "vfio-pci");
	CU_ASSERT_STRING_EQUAL(drives[2].slot, "");
	CU_ASSERT_STRING_EQUAL(drives[2].link, "16.0 GT/s PCIe x4");
	CU_ASSERT_STRING_EQUAL(drives[3].address, "pci:0000:12:00.0");
	CU_ASSERT_STRING_EQUAL(drives[3].driver, "");
	free(drives);
	nvp_root_remove(&top);
}

static void no_drive_is_no_error(void)
{
	struct nvp_listed_drive *drives;
	struct nvp_err err = { 0 };
	size_t nr = 9;

	nvp_root_make(&top);
	CU_ASSERT_EQUAL(nvp_list_drives(top.path, &drives, &nr, &err), 0);
	CU_ASSERT_EQUAL(nr, 0);
	CU_ASSERT_PTR_NULL(drives);
	CU_ASSERT_EQUAL(err.code, 0);
	nvp_root_remove(&top);
}

static void a_class_that_cannot_be_read_is_named(void)
{
	struct nvp_listed_drive *drives;
	struct nvp_err err = { 0 };
	size_t nr;

	nvp_root_make(&top);
	nvp_root_put(&top, "/class/nvme", "a file\n");
	CU_ASSERT_TRUE(nvp_list_drives(top.path, &drives, &nr, &err) < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.what, "class/nvme"));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_BROKEN);
	nvp_root_remove(&top);
}

extern CU_TestInfo nvp_unit_list[];
CU_TestInfo nvp_unit_list[] = {
	{ "drives_and_namespaces_are_listed_in_order", drives_and_namespaces_are_listed_in_order },
	{ "functions_tell_slot_link_and_driver", functions_tell_slot_link_and_driver },
	{ "no_drive_is_no_error", no_drive_is_no_error },
	{ "a_class_that_cannot_be_read_is_named", a_class_that_cannot_be_read_is_named },
	CU_TEST_INFO_NULL
};
