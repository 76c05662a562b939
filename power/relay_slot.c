// SPDX-License-Identifier: GPL-2.0-or-later
// The power controller of a hot-plug slot: Slot Control of the port above the drive (PCI Express Base
// 5.0, 7.5.3.9 to 7.5.3.11). The port cuts everything below it, so one function is all that may be there.

#include "power/relay_slot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "power/relay.h"

#define CONFIG_CAPABILITIES 0x34u
#define CAP_ID_PCIE	    0x10u
#define PCIE_FLAGS	    0x02u
#define PCIE_FLAGS_SLOT	    (1u << 8)
#define PCIE_SLOT_CAP	    0x14u
#define SLOT_CAP_POWER	    (1u << 1) /* Power Controller Present */
#define PCIE_SLOT_CONTROL   0x18u
#define SLOT_CONTROL_OFF    (1u << 10) /* Power Controller Control: 1 is off */
#define SLOT_CONTROL_LAMP   (3u << 8) /* Power Indicator Control */
#define SLOT_LAMP_ON	    (1u << 8)
#define SLOT_LAMP_OFF	    (3u << 8)
#define MOST_CAPABILITIES   48u /* 4 bytes each is all that fits behind the header */

struct slot {
	int config;
	unsigned at; /* of the PCI Express capability */
	char bdf[16];
};

static int get(const struct slot *s, unsigned at, unsigned bytes, uint32_t *value)
{
	uint8_t raw[4] = { 0 };

	if (pread(s->config, raw, bytes, at) != (ssize_t)bytes)
		return errno ? -errno : -EIO;
	*value = (uint32_t)nvp_le_n(raw, bytes);
	return 0;
}

static int find_pcie(struct slot *s)
{
	uint32_t at = 0, id = 0;

	if (get(s, CONFIG_CAPABILITIES, 1, &at))
		return -EIO;
	for (unsigned i = 0; i < MOST_CAPABILITIES && at >= 0x40; i++) {
		at &= ~3u;
		if (get(s, at, 2, &id))
			return -EACCES; /* beyond 64 bytes only root reads */
		if ((id & 0xff) == CAP_ID_PCIE) {
			s->at = at;
			return 0;
		}
		at = id >> 8;
	}
	return -ENOENT;
}

/* Directories of functions right below the port: what goes when its power goes. */
static unsigned functions_below(const char *path, char other[24])
{
	DIR *dir = opendir(path);
	unsigned nr = 0, a, b, c, d;
	struct dirent *entry;
	char end;

	while (dir && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "%x:%x:%x.%x%c", &a, &b, &c, &d, &end) == 4 && nr++)
			snprintf(other, 24, "%.23s", entry->d_name);
	if (dir)
		closedir(dir);
	return nr;
}

static int check_slot(struct slot *s, const char *path, struct nvp_err *err)
{
	uint32_t flags = 0, cap = 0;
	char other[24] = "";
	int rc = find_pcie(s);

	if (rc == -EACCES)
		return nvp_err_set(err, NVP_ERR_USAGE, rc, "relay slot:%s: its configuration space "
				   "cannot be read beyond 64 bytes: run as root", s->bdf);
	if (!rc)
		rc = get(s, s->at + PCIE_FLAGS, 2, &flags);
	if (!rc)
		rc = get(s, s->at + PCIE_SLOT_CAP, 4, &cap);
	if (rc || !(flags & PCIE_FLAGS_SLOT) || !(cap & SLOT_CAP_POWER)) {
		nvp_err_set(err, NVP_ERR_USAGE, -ENOTSUP, "relay slot:%s switches nothing", s->bdf);
		nvp_err_expected(err, "a port with a slot that has a power controller");
		nvp_err_seen(err, "%s", rc ? "no PCI Express capability" :
				  flags & PCIE_FLAGS_SLOT ? "Slot Capabilities without Power "
				  "Controller Present" : "a port without a slot");
		return -ENOTSUP;
	}
	if (functions_below(path, other) > 1)
		return nvp_err_set(err, NVP_ERR_REFUSED, -EBUSY, "relay slot:%s would cut %s too: "
				   "one function may be below the port", s->bdf, other);
	return 0;
}

void *nvp_relay_slot_open(const char *root, const char *address, struct nvp_err *err)
{
	struct slot *s = calloc(1, sizeof(*s));
	char path[300], config[320];
	unsigned a, b, c, d;
	char end;

	if (!s || sscanf(address, "%4x:%2x:%2x.%1x%c", &a, &b, &c, &d, &end) != 4) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay slot:%.40s", address);
		nvp_err_expected(err, "the port above the drive, like slot:0000:00:04.0");
		free(s);
		return NULL;
	}
	snprintf(s->bdf, sizeof(s->bdf), "%04x:%02x:%02x.%x", a, b, c, d);
	snprintf(path, sizeof(path), "%.200s/sys/bus/pci/devices/%s", root, s->bdf);
	snprintf(config, sizeof(config), "%s/config", path);
	s->config = open(config, O_RDWR | O_CLOEXEC);
	if (s->config < 0) {
		nvp_err_set(err, NVP_ERR_USAGE, -errno, "relay slot:%s: %s: %s", s->bdf, config,
			    strerror(errno));
	} else if (!check_slot(s, path, err)) {
		return s;
	} else {
		close(s->config);
	}
	free(s);
	return NULL;
}

static void *open_it(const char *address, struct nvp_err *err)
{
	return nvp_relay_slot_open("", address, err);
}

static void close_it(void *device)
{
	struct slot *s = device;

	close(s->config);
	free(s);
}

static int set(void *device, enum nvp_power_action action, struct nvp_err *err)
{
	struct slot *s = device;
	uint32_t control = 0;
	uint8_t raw[2];
	int rc = get(s, s->at + PCIE_SLOT_CONTROL, 2, &control);

	control &= ~(SLOT_CONTROL_OFF | SLOT_CONTROL_LAMP);
	control |= action == NVP_POWER_ON ? SLOT_LAMP_ON : SLOT_CONTROL_OFF | SLOT_LAMP_OFF;
	nvp_put_le_n(raw, sizeof(raw), control);
	if (!rc && pwrite(s->config, raw, sizeof(raw), s->at + PCIE_SLOT_CONTROL) != sizeof(raw))
		rc = errno ? -errno : -EIO;
	return rc ? nvp_err_set(err, NVP_ERR_BROKEN, rc, "relay slot:%s: Slot Control: %s", s->bdf,
				strerror(-rc)) : 0;
}

static int state(void *device, struct nvp_err *err)
{
	struct slot *s = device;
	uint32_t control = 0;
	int rc = get(s, s->at + PCIE_SLOT_CONTROL, 2, &control);

	if (rc || control == 0xffff)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc ? rc : -ENODEV,
				   "relay slot:%s: Slot Control cannot be read", s->bdf);
	return !(control & SLOT_CONTROL_OFF);
}

const struct nvp_relay_ops nvp_relay_slot = {
	.scheme = "slot",
	.help = "slot:0000:00:04.0   the power controller of the port above the drive",
	.open = open_it,
	.close = close_it,
	.set = set,
	.state = state,
};
