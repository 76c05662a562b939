// SPDX-License-Identifier: GPL-2.0-or-later
// The way through VFIO without any: a bus made of files, who may be handed over, addresses, SIGBUS.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/drive/bar_vfio_device.h"
#include "core/drive/kernel.h"
#include "tests/unit/fake_root.h"
#include "tests/unit/unit.h"

#define PORT   "/sys/devices/pci0000:00/0000:00:04.0"
#define DRIVE  PORT "/0000:01:00.0"
#define DRIVES "/sys/bus/pci/drivers"

static void add_function(const struct nvp_root *r, const char *folder, const char *class,
			 const char *group)
{
	char path[200], target[200];
	const char *bdf = strrchr(folder, '/') + 1;

	snprintf(path, sizeof(path), "%s/class", folder);
	nvp_root_put(r, path, class);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", bdf);
	snprintf(target, sizeof(target), "../../..%s", folder + 4);
	nvp_root_link(r, path, target);
	if (!group)
		return;
	snprintf(path, sizeof(path), "%s/iommu_group", folder);
	snprintf(target, sizeof(target), "%s/sys/kernel/iommu_groups/%s", r->path, group);
	nvp_root_link(r, path, target);
	snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%s/devices/%s", group, bdf);
	nvp_root_put(r, path, "");
}

static void set_driver(const struct nvp_root *r, const char *driver)
{
	char target[128], unbind[128];

	snprintf(unbind, sizeof(unbind), DRIVES "/%s/unbind", driver);
	nvp_root_put(r, unbind, "");
	snprintf(target, sizeof(target), "%s" DRIVES "/%s", r->path, driver);
	nvp_root_link(r, DRIVE "/driver", target);
}

/* A drive below its own port, in a group with that port, the kernel's driver and a network card. */
static void make_bus(struct nvp_root *r)
{
	nvp_root_make(r);
	add_function(r, PORT, "0x060400\n", "7");
	add_function(r, DRIVE, "0x010802\n", "7");
	add_function(r, "/sys/devices/pci0000:00/0000:00:05.0", "0x020000\n", "8");
	set_driver(r, "nvme");
	nvp_root_put(r, DRIVES "/vfio-pci/new_id", "");
	nvp_root_put(r, "/sys/bus/pci/drivers_probe", "");
	nvp_root_put(r, DRIVE "/driver_override", "(null)\n");
	nvp_root_put(r, "/dev/vfio/vfio", "");
	nvp_root_put(r, "/dev/vfio/7", "");
	nvp_root_put(r, DRIVE "/nvme/nvme0/state", "live\n");
	nvp_root_put(r, "/dev/nvme0", "");
	nvp_root_put(r, "/dev/nvme0n1", "");
	nvp_root_put(r, "/sys/class/nvme/nvme0/serial", "S-ZERO\n");
	nvp_root_put(r, "/sys/class/nvme/nvme0/nvme0n1/nsid", "1\n");
	nvp_root_put(r, "/sys/class/block/nvme0n1/dev", "259:0\n");
	nvp_root_put(r, "/proc/swaps", "Filename\n");
	nvp_root_put(r, "/proc/self/mountinfo", "25 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
}

/* The line has all of this, and its kind is right. */
static void expect_line(const struct nvp_err *err, enum nvp_err_kind kind, const char *text,
			const char *advice)
{
	char line[600];

	nvp_err_text(err, line, sizeof(line));
	CU_ASSERT_EQUAL(err->kind, kind);
	if (!strstr(line, text) || !strstr(line, advice))
		printf("\"%s\" or \"%s\" is not in \"%s\"\n", text, advice, line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, text));
	CU_ASSERT_PTR_NOT_NULL(strstr(line, advice));
}

static void function_is_found(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct nvp_root r;
	char bdf[NVP_BDF_BYTES];

	make_bus(&r);
	CU_ASSERT_EQUAL_FATAL(nvp_vfio_find(r.path, "pci:01:00.0", &place, &err), 0);
	CU_ASSERT_STRING_EQUAL(place.bdf, "0000:01:00.0");
	CU_ASSERT_STRING_EQUAL(place.port, "0000:00:04.0");
	CU_ASSERT_STRING_EQUAL(place.driver, "nvme");
	CU_ASSERT_EQUAL(place.group, 7);
	CU_ASSERT_EQUAL(nvp_vfio_below(r.path, "0000:00:04.0", bdf), 0);
	CU_ASSERT_STRING_EQUAL(bdf, "0000:01:00.0");
	CU_ASSERT_EQUAL(nvp_vfio_below(r.path, "0000:00:05.0", bdf), -ENODEV);
	/* Two of them below one port: which is the one that went away? */
	add_function(&r, PORT "/0000:01:00.1", "0x010802\n", "9");
	CU_ASSERT_EQUAL(nvp_vfio_below(r.path, "0000:00:04.0", bdf), -ENODEV);
	nvp_root_remove(&r);
}

static void wrong_functions_are_told_apart(void)
{
	static const struct { const char *address, *text, *advice; } rows[] = {
		{ "pci:zz", "no PCI address", "pci:0000:01:00.0" },
		{ "0000:01:00.0", "no PCI address", "pci:0000:01:00.0" },
		{ "pci:0000:02:00.0", "no such PCI function", "nvproof list" },
		{ "pci:0000:00:05.0", "no NVMe controller", "" },
		{ "pci:0000:00:04.0", "no NVMe controller", "" },
	};
	struct nvp_vfio_place place;
	struct nvp_root r;

	make_bus(&r);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_err err = { 0 };

		CU_ASSERT_NOT_EQUAL(nvp_vfio_find(r.path, rows[i].address, &place, &err), 0);
		expect_line(&err, NVP_ERR_USAGE, rows[i].text, rows[i].advice);
	}
	nvp_root_remove(&r);
}

static void group_decides(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct nvp_root r;

	make_bus(&r);
	add_function(&r, "/sys/devices/pci0000:00/0000:00:06.0", "0x010601\n", "7");
	CU_ASSERT_EQUAL(nvp_vfio_find(r.path, "pci:01:00.0", &place, &err), -EBUSY);
	expect_line(&err, NVP_ERR_REFUSED, "shares IOMMU group 7 with 0000:00:06.0", "ACS");
	nvp_root_remove(&r);

	nvp_root_make(&r);
	err = (struct nvp_err){ 0 };
	add_function(&r, DRIVE, "0x010802\n", NULL);
	CU_ASSERT_EQUAL(nvp_vfio_find(r.path, "pci:01:00.0", &place, &err), -ENODEV);
	expect_line(&err, NVP_ERR_USAGE, "no IOMMU group", "intel_iommu=on");
	nvp_root_remove(&r);
}

static void what_is_missing_is_said(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct nvp_root r;
	char path[128];

	make_bus(&r);
	nvp_vfio_find(r.path, "pci:01:00.0", &place, &err);
	CU_ASSERT_NOT_EQUAL(nvp_vfio_ready(r.path, &place, &err), 0);
	expect_line(&err, NVP_ERR_USAGE, "the driver nvme has it", "nvproof bind pci:0000:01:00.0");

	err = (struct nvp_err){ 0 };
	snprintf(path, sizeof(path), "rm -r %s" DRIVES "/vfio-pci", r.path);
	CU_ASSERT_EQUAL(system(path), 0);
	CU_ASSERT_NOT_EQUAL(nvp_vfio_ready(r.path, &place, &err), 0);
	expect_line(&err, NVP_ERR_USAGE, "has it", "modprobe vfio-pci");

	err = (struct nvp_err){ 0 };
	set_driver(&r, "vfio-pci");
	nvp_vfio_find(r.path, "pci:01:00.0", &place, &err);
	snprintf(path, sizeof(path), "%s/dev/vfio/7", r.path);
	unlink(path);
	CU_ASSERT_NOT_EQUAL(nvp_vfio_ready(r.path, &place, &err), 0);
	expect_line(&err, NVP_ERR_USAGE, "/dev/vfio/7 does not exist", "modprobe vfio-pci");
	nvp_root_remove(&r);
}

static void locked_memory_has_a_least(void)
{
	CU_ASSERT_TRUE(nvp_vfio_memlock_short(64 << 10, false));
	CU_ASSERT_TRUE(nvp_vfio_memlock_short((64ULL << 20) - 1, false));
	CU_ASSERT_FALSE(nvp_vfio_memlock_short(64ULL << 20, false));
	CU_ASSERT_FALSE(nvp_vfio_memlock_short(0, true));
}

/* --- handing over ------------------------------------------------------------------------- */

static void expect_file(const struct nvp_root *r, const char *path, const char *text)
{
	char line[64] = "";

	nvp_read_line(r->path, path, line, sizeof(line));
	CU_ASSERT_STRING_EQUAL(line, text);
}

static int bind_it(const struct nvp_root *r, bool force, struct nvp_err *err)
{
	struct nvp_vfio_place place;

	*err = (struct nvp_err){ 0 };
	if (nvp_vfio_find(r->path, "pci:01:00.0", &place, err))
		return -ENODEV;
	return nvp_vfio_bind(r->path, &place, force, err);
}

static void drive_in_use_stays(void)
{
	struct nvp_err err;
	struct nvp_root r;

	make_bus(&r);
	nvp_root_put(&r, "/proc/self/mountinfo", "25 1 259:0 / /srv rw - ext4 /dev/nvme0n1 rw\n");
	CU_ASSERT_NOT_EQUAL(bind_it(&r, true, &err), 0);
	expect_line(&err, NVP_ERR_REFUSED, "nvme0n1 is mounted on /srv", "no option overrides");
	nvp_root_put(&r, "/proc/self/mountinfo", "25 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	nvp_root_put(&r, "/proc/swaps", "Filename\n/dev/nvme0n1 partition 1 0 -2\n");
	CU_ASSERT_NOT_EQUAL(bind_it(&r, true, &err), 0);
	expect_line(&err, NVP_ERR_REFUSED, "nvme0n1 is used for swap", "no option overrides");
	nvp_root_put(&r, "/proc/swaps", "Filename\n");
	nvp_root_put(&r, "/sys/class/block/nvme0n1/holders/dm-3", "");
	CU_ASSERT_NOT_EQUAL(bind_it(&r, true, &err), 0);
	expect_line(&err, NVP_ERR_REFUSED, "nvme0n1 is held by dm-3", "no option overrides");
	/* Nothing was written on the way to the refusal. */
	expect_file(&r, DRIVE "/driver_override", "(null)");
	expect_file(&r, "/sys/bus/pci/drivers_probe", "");
	expect_file(&r, DRIVES "/nvme/unbind", "");
	nvp_root_remove(&r);
}

/* The header of a swap area, which libblkid knows: version 1, last page 10, and its magic. */
static void write_signature(const struct nvp_root *r)
{
	static const uint32_t header[] = { 1, 10 };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/nvme0n1", r->path);
	fd = open(path, O_RDWR);
	CU_ASSERT_FATAL(fd >= 0 && !ftruncate(fd, 1 << 20));
	CU_ASSERT_EQUAL(pwrite(fd, header, sizeof(header), 1024), sizeof(header));
	CU_ASSERT_EQUAL(pwrite(fd, "SWAPSPACE2", 10, 4096 - 10), 10);
	close(fd);
}

/* A bus of files takes no driver away and gives none: as a kernel where vfio-pci refuses. */
static void failed_hand_over_is_taken_back(void)
{
	struct nvp_err err;
	struct nvp_root r;

	make_bus(&r);
	write_signature(&r);
	CU_ASSERT_NOT_EQUAL(bind_it(&r, false, &err), 0);
	expect_line(&err, NVP_ERR_REFUSED, "nvme0n1 carries the signature of swap", "--force");
	CU_ASSERT_NOT_EQUAL(bind_it(&r, true, &err), 0);
	expect_line(&err, NVP_ERR_BROKEN, "vfio-pci did not take it", "");
	expect_file(&r, DRIVE "/driver_override", "");
	expect_file(&r, DRIVES "/nvme/unbind", "0000:01:00.0");
	expect_file(&r, "/sys/bus/pci/drivers_probe", "0000:01:00.0");
	nvp_root_remove(&r);
}

static void hand_over_needs_driver_and_lock(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct nvp_root r;
	char command[128];
	int lock;

	make_bus(&r);
	CU_ASSERT_EQUAL(nvp_vfio_find(r.path, "pci:01:00.0", &place, &err), 0);
	lock = nvp_vfio_lock(r.path, &place, &err);
	CU_ASSERT_TRUE(lock >= 0);
	CU_ASSERT_NOT_EQUAL(bind_it(&r, true, &err), 0);
	expect_line(&err, NVP_ERR_REFUSED, "another nvproof works on it", "");
	close(lock);
	set_driver(&r, "vfio-pci");
	CU_ASSERT_EQUAL(bind_it(&r, false, &err), 0); /* it has it already */
	set_driver(&r, "nvme");
	snprintf(command, sizeof(command), "rm -r %s" DRIVES "/vfio-pci", r.path);
	CU_ASSERT_EQUAL(system(command), 0);
	CU_ASSERT_NOT_EQUAL(bind_it(&r, true, &err), 0);
	expect_line(&err, NVP_ERR_USAGE, "vfio-pci is not loaded", "modprobe vfio-pci");
	nvp_root_remove(&r);
}

static void only_what_vfio_has_is_given_back(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct nvp_root r;

	make_bus(&r);
	nvp_vfio_find(r.path, "pci:01:00.0", &place, &err);
	CU_ASSERT_EQUAL(nvp_vfio_unbind(r.path, &place, &err), -ENODEV);
	expect_line(&err, NVP_ERR_USAGE, "is not with vfio-pci", "nvme");
	set_driver(&r, "vfio-pci");
	err = (struct nvp_err){ 0 };
	nvp_vfio_find(r.path, "pci:01:00.0", &place, &err);
	CU_ASSERT_EQUAL(nvp_vfio_unbind(r.path, &place, &err), 0);
	expect_file(&r, DRIVES "/vfio-pci/unbind", "0000:01:00.0");
	expect_file(&r, DRIVE "/driver_override", "");
	nvp_root_remove(&r);
}

/* Two of us give it back: the second must not unbind the driver that has it since the first was done. */
static void handed_back_meanwhile_stays_there(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct nvp_root r;

	make_bus(&r);
	set_driver(&r, "vfio-pci");
	nvp_vfio_find(r.path, "pci:01:00.0", &place, &err);
	set_driver(&r, "nvme");
	CU_ASSERT_EQUAL(nvp_vfio_unbind(r.path, &place, &err), -ENODEV);
	expect_line(&err, NVP_ERR_USAGE, "is not with vfio-pci", "nvme");
	expect_file(&r, DRIVES "/nvme/unbind", "");
	nvp_root_remove(&r);
}

/* Who has the function is asked under the lock, not before it. */
static void locked_before_it_is_looked_at(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct nvp_root r;
	int lock;

	make_bus(&r);
	CU_ASSERT_EQUAL(nvp_vfio_find(r.path, "pci:01:00.0", &place, &err), 0);
	lock = nvp_vfio_lock(r.path, &place, &err);
	CU_ASSERT_PTR_NULL(nvp_vfio_prepare(r.path, "pci:01:00.0", &err));
	expect_line(&err, NVP_ERR_REFUSED, "another nvproof works on it", "");
	close(lock);
	err = (struct nvp_err){ 0 };
	CU_ASSERT_PTR_NULL(nvp_vfio_prepare(r.path, "pci:01:00.0", &err));
	expect_line(&err, NVP_ERR_USAGE, "the driver nvme has it, not vfio-pci", "nvproof bind");
	/* What was refused is not locked any more. */
	lock = nvp_vfio_lock(r.path, &place, &err);
	CU_ASSERT_TRUE(lock >= 0);
	close(lock);
	nvp_root_remove(&r);
}

/* The same drive through its other port, which the kernel's driver has. */
static void use_through_the_other_port_is_seen(void)
{
	struct nvp_root r;
	char text[160] = "";

	make_bus(&r);
	nvp_root_put(&r, "/sys/class/nvme/nvme0/subsysnqn", "nqn.two-ports\n");
	CU_ASSERT_EQUAL(nvp_vfio_other_port(r.path, "nqn.two-ports", text, sizeof(text)), 0);
	nvp_root_put(&r, "/proc/self/mountinfo", "25 1 259:0 / /srv rw - ext4 /dev/nvme0n1 rw\n");
	CU_ASSERT_EQUAL(nvp_vfio_other_port(r.path, "nqn.another", text, sizeof(text)), 0);
	CU_ASSERT_EQUAL(nvp_vfio_other_port(r.path, "", text, sizeof(text)), 0);
	CU_ASSERT_EQUAL(nvp_vfio_other_port(r.path, "nqn.two-ports", text, sizeof(text)), 2);
	CU_ASSERT_STRING_EQUAL(text, "nvme0n1 is mounted on /srv");
	nvp_root_remove(&r);
}

/* --- the link ----------------------------------------------------------------------------- */

#define PORT_CONFIG "/sys/bus/pci/devices/0000:00:04.0/config"
#define EXPRESS	    0x54	/* behind another capability, as on real ports */

/* A port whose link follows Link Disable, one millisecond later; or does not. */
struct port {
	struct nvp_root root;
	int fd;
	uint64_t now_ns, disabled_ns;
	bool stuck, stays_down;
	struct nvp_clock clock;
};

static uint16_t port_read(const struct port *p, unsigned at)
{
	uint8_t raw[2] = { 0 };

	CU_ASSERT_EQUAL(pread(p->fd, raw, sizeof(raw), at), (ssize_t)sizeof(raw));
	return nvp_le16(raw);
}

static void port_write(const struct port *p, unsigned at, uint16_t value)
{
	uint8_t raw[2];

	nvp_put_le16(raw, value);
	CU_ASSERT_EQUAL(pwrite(p->fd, raw, sizeof(raw), at), (ssize_t)sizeof(raw));
}

static uint64_t port_now_ns(void *context)
{
	return ((struct port *)context)->now_ns;
}

static int port_wait(void *context, const struct nvp_wait *wait)
{
	struct port *p = context;
	bool disabled = port_read(p, EXPRESS + 0x10) & 0x10;

	if (disabled)
		p->disabled_ns += wait->until_ns - p->now_ns;
	if (disabled && !p->stuck)
		port_write(p, EXPRESS + 0x12, 0x0011);
	if (!disabled && !p->stays_down)
		port_write(p, EXPRESS + 0x12, 0x2011);
	p->now_ns = wait->until_ns;
	return NVP_WOKEN_TIME;
}

static void make_port(struct port *p, struct nvp_vfio_place *place)
{
	struct nvp_err err = { 0 };
	char path[200];

	*p = (struct port){ .clock = { .now_ns = port_now_ns, .wait = port_wait, .context = p } };
	make_bus(&p->root);
	snprintf(path, sizeof(path), "%s" PORT "/config", p->root.path);
	p->fd = open(path, O_RDWR | O_CREAT, 0600);
	CU_ASSERT_EQUAL(ftruncate(p->fd, 256), 0);
	port_write(p, 0x34, 0x40);
	port_write(p, 0x40, EXPRESS << 8 | 0x05);
	port_write(p, EXPRESS, 0x0010);
	port_write(p, EXPRESS + 0x02, 0x0142);	/* root port with a slot */
	port_write(p, EXPRESS + 0x0e, 0x0010);	/* Link Capabilities: active reporting */
	port_write(p, EXPRESS + 0x10, 0x0040);	/* Link Control: Common Clock */
	port_write(p, EXPRESS + 0x12, 0x2011);
	CU_ASSERT_EQUAL(nvp_vfio_find(p->root.path, "pci:01:00.0", place, &err), 0);
}

static void remove_port(struct port *p)
{
	close(p->fd);
	nvp_root_remove(&p->root);
}

static void link_goes_down_and_comes_up(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct port p;

	make_port(&p, &place);
	CU_ASSERT_TRUE(nvp_vfio_link_can(p.root.path, &place));
	CU_ASSERT_EQUAL(nvp_vfio_link_reset(p.root.path, &place, &p.clock, &err), 0);
	CU_ASSERT_TRUE(p.disabled_ns >= 10 * NVP_NS_PER_MS);
	CU_ASSERT_EQUAL(port_read(&p, EXPRESS + 0x10), 0x0040);	/* as it was */
	CU_ASSERT_EQUAL(port_read(&p, EXPRESS + 0x12), 0x2011);
	/* A link that does not come up is for the one who looks for the drive to say. */
	p.stays_down = true;
	CU_ASSERT_EQUAL(nvp_vfio_link_reset(p.root.path, &place, &p.clock, &err), 0);
	CU_ASSERT_EQUAL(port_read(&p, EXPRESS + 0x10), 0x0040);
	remove_port(&p);
}

static void link_that_stays_is_told_and_enabled_again(void)
{
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct port p;

	make_port(&p, &place);
	p.stuck = true;
	CU_ASSERT_EQUAL(nvp_vfio_link_reset(p.root.path, &place, &p.clock, &err), -ETIMEDOUT);
	expect_line(&err, NVP_ERR_BROKEN, "its link stays active", "0000:00:04.0");
	CU_ASSERT_EQUAL(port_read(&p, EXPRESS + 0x10), 0x0040);
	remove_port(&p);
}

static void link_is_left_alone_where_nobody_could_see(void)
{
	static const struct { unsigned at; uint16_t value; } rows[] = {
		{ EXPRESS + 0x02, 0x0002 },	/* an endpoint */
		{ EXPRESS + 0x02, 0x0052 },	/* upstream port of a switch: the bit is reserved */
		{ EXPRESS + 0x0e, 0x0000 },	/* does not report */
		{ EXPRESS + 0x12, 0x0011 },	/* says that it is down while the drive answers */
		{ 0x40, 0x0005 },		/* no such capability */
	};
	struct nvp_vfio_place place;
	struct nvp_err err = { 0 };
	struct port p;

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		make_port(&p, &place);
		port_write(&p, rows[i].at, rows[i].value);
		CU_ASSERT_FALSE(nvp_vfio_link_can(p.root.path, &place));
		CU_ASSERT_EQUAL(nvp_vfio_link_reset(p.root.path, &place, &p.clock, &err),
				-EOPNOTSUPP);
		CU_ASSERT_EQUAL(p.now_ns, 0);
		remove_port(&p);
	}
	/* The driver of hot-plug slots would take the function out. */
	make_port(&p, &place);
	nvp_root_put(&p.root, "/sys/bus/pci_express/drivers/pciehp/0000:00:05.0:pcie004", "");
	CU_ASSERT_TRUE(nvp_vfio_link_can(p.root.path, &place));
	nvp_root_put(&p.root, "/sys/bus/pci_express/drivers/pciehp/0000:00:04.0:pcie004", "");
	CU_ASSERT_FALSE(nvp_vfio_link_can(p.root.path, &place));
	remove_port(&p);
}

/* --- addresses ---------------------------------------------------------------------------- */

static void *page(unsigned n)
{
	return (void *)(uintptr_t)(0x10000000u + n * 4096u);
}

static bool sound(const struct nvp_iova *v)
{
	for (size_t i = 0; i < v->nr; i++) {
		const struct nvp_iova_map *m = &v->map[i];
		bool inside = false;

		for (unsigned k = 0; k < v->nr_ranges; k++)
			inside |= m->iova > v->range[k].first &&
				  m->iova + m->bytes <= v->range[k].last;
		if (!inside || m->iova % 4096 ||
		    (i && v->map[i - 1].iova + v->map[i - 1].bytes + 4096 > m->iova))
			return false;
	}
	return true;
}

static void addresses_keep_apart(void)
{
	struct nvp_iova v = {
		.range = { { 0, 0x1fffff }, { 0x300000, 0x4fffff } }, .nr_ranges = 2,
	};
	uint64_t given[64], address;
	struct nvp_iova_map was;
	unsigned nr = 0;

	for (unsigned i = 0; i < 4000; i++) {
		uint64_t pick = nvp_rand(1, "iova", i, 0);

		if (nr == 64 || (nr && pick % 3 == 0)) {
			unsigned at = (unsigned)(pick >> 8) % nr;

			CU_ASSERT_EQUAL(nvp_iova_give(&v, given[at], &was), 0);
			CU_ASSERT_EQUAL(was.iova, given[at]);
			given[at] = given[--nr];
		} else if (!nvp_iova_take(&v, page(i), (1 + (pick >> 8) % 40) * 4096, &address)) {
			given[nr++] = address;
		}
		CU_ASSERT_TRUE_FATAL(sound(&v));
	}
	CU_ASSERT_EQUAL(v.nr, nr);
	CU_ASSERT_EQUAL(nvp_iova_give(&v, 0x123000000, &was), -ENOENT);
	nvp_iova_clear(&v);
}

static void freed_address_rests_and_comes_again(void)
{
	struct nvp_iova v = { .range = { { 0, 0x107fff } }, .nr_ranges = 1 };
	struct nvp_iova_map was;
	uint64_t a, b, c;

	/* From 1 MiB on eight pages: three of one page, each between two that stay free. */
	CU_ASSERT_EQUAL(nvp_iova_take(&v, page(1), 4096, &a), 0);
	CU_ASSERT_EQUAL(nvp_iova_give(&v, a, &was), 0);
	CU_ASSERT_PTR_EQUAL(was.va, page(1));
	CU_ASSERT_EQUAL(nvp_iova_take(&v, page(2), 4096, &b), 0);
	CU_ASSERT_NOT_EQUAL(a, b);
	CU_ASSERT_EQUAL(nvp_iova_take(&v, page(3), 4096, &c), 0);
	CU_ASSERT_EQUAL(nvp_iova_take(&v, page(4), 4096, &c), 0);
	CU_ASSERT_EQUAL(a, c);
	CU_ASSERT_EQUAL(nvp_iova_take(&v, page(5), 4096, &c), -ENOSPC);
	CU_ASSERT_EQUAL(nvp_iova_take(&v, page(5), 100, &c), -EINVAL);
	CU_ASSERT_EQUAL(nvp_iova_take(&v, (char *)page(5) + 8, 4096, &c), -EINVAL);
	nvp_iova_clear(&v);
}

/* --- registers ---------------------------------------------------------------------------- */

static void access_to_what_is_gone_comes_back(void)
{
	struct sigaction before, after;
	uint64_t value = 7;
	uint8_t *regs;
	int fd = memfd_create("nvproof-unit", MFD_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0 && !ftruncate(fd, 8192));
	regs = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CU_ASSERT_TRUE_FATAL(regs != MAP_FAILED);
	nvp_vfio_catch_sigbus(&before);
	CU_ASSERT_TRUE(nvp_vfio_store(regs + 0x14, 4, 0x460001));
	CU_ASSERT_TRUE(nvp_vfio_store(regs + 0x31, 8, 0x1122334455667788));
	CU_ASSERT_TRUE(nvp_vfio_load(regs + 0x14, 4, &value));
	CU_ASSERT_EQUAL(value, 0x460001);
	CU_ASSERT_TRUE(nvp_vfio_load(regs + 0x31, 8, &value));
	CU_ASSERT_EQUAL(value, 0x1122334455667788);
	CU_ASSERT_TRUE(nvp_vfio_load(regs + 0x33, 2, &value));
	CU_ASSERT_EQUAL(value, 0x5566);
	CU_ASSERT_TRUE(nvp_vfio_load(regs + 0x31, 1, &value));
	CU_ASSERT_EQUAL(value, 0x88);
	/* As when a function is taken away: the pages lose what is behind them. */
	CU_ASSERT_EQUAL(ftruncate(fd, 0), 0);
	for (unsigned i = 0; i < 3; i++) {
		CU_ASSERT_FALSE(nvp_vfio_load(regs + 0x1c, 4, &value));
		CU_ASSERT_FALSE(nvp_vfio_store(regs + 0x1000, 4, 1));
	}
	CU_ASSERT_EQUAL(ftruncate(fd, 8192), 0);
	CU_ASSERT_TRUE(nvp_vfio_load(regs + 0x1c, 4, &value));
	CU_ASSERT_EQUAL(value, 0);
	nvp_vfio_release_sigbus(&before);
	sigaction(SIGBUS, NULL, &after);
	CU_ASSERT_PTR_EQUAL(after.sa_handler, before.sa_handler);
	munmap(regs, 8192);
	close(fd);
}

CU_TestInfo nvp_unit_vfio[] = {
	{ "function_is_found", function_is_found },
	{ "wrong_functions_are_told_apart", wrong_functions_are_told_apart },
	{ "group_decides", group_decides },
	{ "what_is_missing_is_said", what_is_missing_is_said },
	{ "locked_memory_has_a_least", locked_memory_has_a_least },
	{ "drive_in_use_stays", drive_in_use_stays },
	{ "failed_hand_over_is_taken_back", failed_hand_over_is_taken_back },
	{ "hand_over_needs_driver_and_lock", hand_over_needs_driver_and_lock },
	{ "only_what_vfio_has_is_given_back", only_what_vfio_has_is_given_back },
	{ "handed_back_meanwhile_stays_there", handed_back_meanwhile_stays_there },
	{ "locked_before_it_is_looked_at", locked_before_it_is_looked_at },
	{ "use_through_the_other_port_is_seen", use_through_the_other_port_is_seen },
	{ "link_goes_down_and_comes_up", link_goes_down_and_comes_up },
	{ "link_that_stays_is_told_and_enabled_again", link_that_stays_is_told_and_enabled_again },
	{ "link_is_left_alone_where_nobody_could_see", link_is_left_alone_where_nobody_could_see },
	{ "addresses_keep_apart", addresses_keep_apart },
	{ "freed_address_rests_and_comes_again", freed_address_rests_and_comes_again },
	{ "access_to_what_is_gone_comes_back", access_to_what_is_gone_comes_back },
	CU_TEST_INFO_NULL,
};
