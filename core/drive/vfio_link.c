// SPDX-License-Identifier: GPL-2.0-or-later
// The link of a function taken down and up by the port above it, through the port's configuration.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/drive/vfio.h"

/* PCI Express Base 5.0, 7.5.3.2 and 7.5.3.6 to 7.5.3.8 */
#define CAP_POINTER	  0x34
#define CAP_EXPRESS	  0x10
#define EXPRESS_CAPS	  0x02
#define TYPE_ROOT_PORT	  4u
#define TYPE_DOWNSTREAM	  6u
#define LINK_CAPS	  0x0c
#define LINK_CAPS_REPORTS (1u << 20)	/* Data Link Layer Link Active Reporting Capable */
#define LINK_CONTROL	  0x10
#define LINK_DISABLE	  (1u << 4)
#define LINK_STATUS	  0x12
#define LINK_ACTIVE	  (1u << 13)
#define MAX_CAPABILITIES  48

#define STEP_NS	 NVP_NS_PER_MS
#define HOLD_NS	 (10 * NVP_NS_PER_MS)	/* 4.2.6.9: the other side leaves Disabled after 2 ms */
#define LIMIT_NS NVP_NS_PER_S		/* as long as the kernel waits for a link */
#define READY_NS (100 * NVP_NS_PER_MS)	/* 6.6.1: from training to the first request */

struct port {
	int config;
	unsigned express;	/* where the capability is */
};

static bool get(const struct port *port, unsigned offset, unsigned bytes, uint32_t *value)
{
	uint8_t raw[4];

	if (pread(port->config, raw, bytes, offset) != (ssize_t)bytes)
		return false;
	*value = (uint32_t)nvp_le_n(raw, bytes);
	return *value != UINT32_MAX >> (32 - 8 * bytes);
}

static bool find_express(struct port *port)
{
	uint32_t at, found;

	if (!get(port, CAP_POINTER, 1, &at))
		return false;
	for (unsigned i = 0; at >= 0x40 && i < MAX_CAPABILITIES; i++) {
		port->express = at & 0xfc;
		if (!get(port, port->express, 1, &found))
			return false;
		if (found == CAP_EXPRESS)
			return true;
		if (!get(port, port->express + 1, 1, &at))
			return false;
	}
	return false;
}

static bool open_port(const char *root, const struct nvp_vfio_place *place, int how,
		      struct port *port)
{
	char path[PATH_MAX];

	if (!place->port[0])
		return false;
	snprintf(path, sizeof(path), "%s" NVP_PCI_DEVICES "/%s/config", root, place->port);
	port->config = open(path, how | O_CLOEXEC);
	if (port->config < 0)
		return false;
	if (find_express(port))
		return true;
	close(port->config);
	return false;
}

static bool active(const struct port *port)
{
	uint32_t status;

	return get(port, port->express + LINK_STATUS, 2, &status) && status & LINK_ACTIVE;
}

/* It is one of those that have the bit, and it can be seen what the bit does. */
static bool suits(const struct port *port)
{
	uint32_t type, caps;

	if (!get(port, port->express + EXPRESS_CAPS, 2, &type) ||
	    !get(port, port->express + LINK_CAPS, 4, &caps))
		return false;
	type = type >> 4 & 0xf;
	return (type == TYPE_ROOT_PORT || type == TYPE_DOWNSTREAM) && caps & LINK_CAPS_REPORTS &&
	       active(port);
}

/* The driver of hot-plug slots has services of ports, "0000:00:04.0:pcie004". */
static bool has_hotplug(const char *root, const char *port)
{
	size_t length = strlen(port);
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/bus/pci_express/drivers/pciehp", root);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir)))
		found = !strncmp(entry->d_name, port, length) && entry->d_name[length] == ':';
	if (dir)
		closedir(dir);
	return found;
}

bool nvp_vfio_link_can(const char *root, const struct nvp_vfio_place *place)
{
	struct port port;
	bool can;

	if (!open_port(root, place, O_RDWR, &port))
		return false;
	can = suits(&port) && !has_hotplug(root, place->port);
	close(port.config);
	return can;
}

static bool wait_until(const struct port *port, bool is_active, const struct nvp_clock *clock)
{
	uint64_t until_ns = nvp_clock_deadline_ns(clock, LIMIT_NS);

	while (active(port) != is_active) {
		if (nvp_clock_now_ns(clock) >= until_ns)
			return false;
		nvp_clock_pass(clock, STEP_NS);
	}
	return true;
}

static bool put_control(const struct port *port, uint32_t control)
{
	uint8_t raw[2];

	nvp_put_le16(raw, (uint16_t)control);
	return pwrite(port->config, raw, sizeof(raw), port->express + LINK_CONTROL) ==
	       (ssize_t)sizeof(raw);
}

static int down_and_up(const struct port *port, const struct nvp_clock *clock)
{
	uint32_t control;
	bool went;

	if (!get(port, port->express + LINK_CONTROL, 2, &control))
		return -ENODEV;
	if (!put_control(port, control | LINK_DISABLE))
		return errno ? -errno : -EIO;
	went = wait_until(port, false, clock);
	nvp_clock_pass(clock, HOLD_NS);
	if (!put_control(port, control & ~LINK_DISABLE))
		return errno ? -errno : -EIO;
	if (!went)
		return -ETIMEDOUT;
	wait_until(port, true, clock);
	nvp_clock_pass(clock, READY_NS);
	return 0;
}

int nvp_vfio_link_reset(const char *root, const struct nvp_vfio_place *place,
			const struct nvp_clock *clock, struct nvp_err *err)
{
	sigset_t all, before;
	struct port port;
	int rc = -EOPNOTSUPP;

	if (!nvp_vfio_link_can(root, place) || !open_port(root, place, O_RDWR, &port))
		return nvp_err_set(err, NVP_ERR_UNSUPPORTED, rc,
				   "pci:%s: its port does not take the link down", place->bdf);
	/* A link that nobody enables again is a drive that is gone. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	rc = down_and_up(&port, clock);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(port.config);
	if (rc == -ETIMEDOUT)
		nvp_err_set(err, NVP_ERR_BROKEN, rc,
			    "pci:%s: its link stays active though port %s was to disable it",
			    place->bdf, place->port);
	else if (rc)
		nvp_err_set(err, NVP_ERR_BROKEN, rc, "pci:%s: Link Control of port %s: %s",
			    place->bdf, place->port, strerror(-rc));
	return rc;
}
