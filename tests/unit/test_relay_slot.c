// SPDX-License-Identifier: GPL-2.0-or-later
// The power controller of a slot: a port's configuration space in a file, its capability list walked.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "power/relay.h"
#include "power/relay_slot.h"
#include "tests/unit/fake_root.h"
#include "tests/unit/unit.h"

#define PORT "0000:00:04.0"
#define PCIE_AT 0x54u

static const struct nvp_relay_ops *ops = &nvp_relay_slot;

struct port {
	struct nvp_root root;
	uint8_t config[256];
};

/* A root port of QEMU's kind: MSI first, then PCI Express with a slot that has a power controller. */
static void begin(struct port *p)
{
	memset(p, 0, sizeof(*p));
	nvp_root_make(&p->root);
	p->config[0x34] = 0x48;
	p->config[0x48] = 0x05; /* MSI */
	p->config[0x49] = PCIE_AT;
	p->config[PCIE_AT] = 0x10;
	nvp_put_le_n(p->config + PCIE_AT + 0x02, 2, 0x0142); /* root port, slot implemented */
	nvp_put_le_n(p->config + PCIE_AT + 0x14, 4, 0x0000007b);
	nvp_put_le_n(p->config + PCIE_AT + 0x18, 2, 0x01e1); /* lamp on, interrupts enabled */
}

static void *open_it(struct port *p, size_t bytes, struct nvp_err *err)
{
	char path[160];
	int fd;

	nvp_root_put(&p->root, "/sys/bus/pci/devices/" PORT "/config", "");
	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/" PORT "/config", p->root.path);
	fd = open(path, O_WRONLY);
	CU_ASSERT_EQUAL(write(fd, p->config, bytes), (ssize_t)bytes);
	close(fd);
	return nvp_relay_slot_open(p->root.path, PORT, err);
}

static unsigned control(const struct port *p)
{
	uint8_t raw[2] = { 0 };
	char path[160];
	int fd;

	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/" PORT "/config", p->root.path);
	fd = open(path, O_RDONLY);
	CU_ASSERT_EQUAL(pread(fd, raw, 2, PCIE_AT + 0x18), 2);
	close(fd);
	return (unsigned)nvp_le_n(raw, 2);
}

static void power_goes_and_comes(void)
{
	struct nvp_err err = { 0 };
	struct port p;
	void *slot;

	begin(&p);
	slot = open_it(&p, 256, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(slot);
	CU_ASSERT_EQUAL(ops->state(slot, &err), 1);
	CU_ASSERT_EQUAL(ops->set(slot, NVP_POWER_OFF, &err), 0);
	CU_ASSERT_EQUAL(control(&p), 0x07e1); /* off, lamp off, the rest as it was */
	CU_ASSERT_EQUAL(ops->state(slot, &err), 0);
	CU_ASSERT_EQUAL(ops->set(slot, NVP_POWER_ON, &err), 0);
	CU_ASSERT_EQUAL(control(&p), 0x01e1);
	ops->close(slot);
	nvp_root_remove(&p.root);
}

static void refused(struct port *p, size_t bytes, enum nvp_err_kind kind, const char *word)
{
	struct nvp_err err = { 0 };
	char text[400];

	CU_ASSERT_PTR_NULL(open_it(p, bytes, &err));
	CU_ASSERT_EQUAL(err.kind, kind);
	nvp_err_text(&err, text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, word));
	if (!strstr(text, word))
		printf("%s\n", text);
	nvp_root_remove(&p->root);
}

static void what_cannot_switch_is_told(void)
{
	struct nvp_err err = { 0 };
	struct port p;

	begin(&p);
	p.config[PCIE_AT + 0x14] = 0x79;
	refused(&p, 256, NVP_ERR_USAGE, "without Power Controller Present");
	begin(&p);
	p.config[PCIE_AT + 0x03] = 0;
	refused(&p, 256, NVP_ERR_USAGE, "a port without a slot");
	begin(&p);
	p.config[0x49] = 0x48; /* a list that goes round */
	refused(&p, 256, NVP_ERR_USAGE, "no PCI Express capability");
	begin(&p);
	refused(&p, 64, NVP_ERR_USAGE, "run as root");
	begin(&p);
	nvp_root_put(&p.root, "/sys/bus/pci/devices/" PORT "/0000:01:00.0/vendor", "x");
	nvp_root_put(&p.root, "/sys/bus/pci/devices/" PORT "/0000:01:00.1/vendor", "x");
	refused(&p, 256, NVP_ERR_REFUSED, "one function may be below the port");
	CU_ASSERT_PTR_NULL(nvp_relay_slot_open("", "04.0", &err));
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
}

static void one_function_below_is_the_drive(void)
{
	struct nvp_err err = { 0 };
	struct port p;
	void *slot;

	begin(&p);
	nvp_root_put(&p.root, "/sys/bus/pci/devices/" PORT "/0000:01:00.0/vendor", "x");
	nvp_root_put(&p.root, "/sys/bus/pci/devices/" PORT "/0000:00:04.0:pcie004/x", "x");
	slot = open_it(&p, 256, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(slot);
	ops->close(slot);
	nvp_root_remove(&p.root);
}

CU_TestInfo nvp_unit_relay_slot[] = {
	{ "power goes and comes", power_goes_and_comes },
	{ "what cannot switch is told", what_cannot_switch_is_told },
	{ "one function below is the drive", one_function_below_is_the_drive },
	CU_TEST_INFO_NULL,
};
