// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over the Persistent Event log and the telemetry that the controller captures.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "tests/unit/sim_probe.h"

enum { READ, ESTABLISH, RELEASE, HEADER };

static struct nvp_cpl get(struct sim_host *h, uint8_t action)
{
	sim_host_fill(h, 0xa5);
	return sim_host_admin(h, nvp_build_get_log(0x0d, NVP_NSID_ALL, 16384, 0, true, action));
}

/* The generation, and type and data of the events that came since *seen, the newest first. */
static void events(struct sim_host *h, struct nvp_text *out, const char *label, uint32_t *seen)
{
	struct nvp_persistent_event event;
	struct nvp_persistent_log log;
	uint64_t at;

	get(h, RELEASE);
	get(h, ESTABLISH);
	nvp_decode_persistent_log(h->data, 512, &log);
	nvp_text_addf(out, "%s: generation %u", label, log.generation);
	at = log.header_bytes;
	for (uint32_t i = *seen; i < log.nr_events && at < log.bytes; i++, at += event.bytes) {
		if (nvp_decode_persistent_event(h->data + at, log.bytes - at, &event)) {
			nvp_text_add(out, " past-end");
			break;
		}
		/* a snapshot has counters that the rest of a script must not depend on */
		nvp_text_addf(out, " %02x", event.type);
		if (event.type != 1)
			nvp_text_addf(out, "-%08x", nvp_crc32c(event.data, event.data_bytes));
	}
	*seen = log.nr_events;
	nvp_text_add(out, "\n");
	get(h, RELEASE);
}

static void probe_context(struct sim_host *h, struct nvp_text *out)
{
	sim_probe_line(h, out, "read-early", get(h, READ), 0);
	sim_probe_line(h, out, "release-early", get(h, RELEASE), 0);
	sim_probe_line(h, out, "establish", get(h, ESTABLISH), 16);
	sim_probe_value(out, "header", nvp_crc32c(h->data + 16, 4));
	sim_probe_value(out, "identity", nvp_crc32c(h->data + 52, 320));
	sim_probe_value(out, "supported", nvp_crc32c(h->data + 480, 32));
	sim_probe_line(h, out, "second", get(h, ESTABLISH), 0);
	sim_host_admin(h, nvp_build_set_features(0x04, 0, false, 400));
	sim_probe_line(h, out, "frozen", get(h, READ), 16);
	sim_probe_line(h, out, "existed", get(h, HEADER), 0);
	sim_probe_value(out, "rce", h->data[376]);
	sim_probe_line(h, out, "release", get(h, RELEASE), 0);
	sim_probe_line(h, out, "read-late", get(h, READ), 0);
	get(h, ESTABLISH);
	sim_host_disable(h);
	sim_host_enable(h);
	sim_probe_line(h, out, "read-reset", get(h, READ), 0);
	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	sim_probe_value(out, "pels", nvp_le32(h->data + 352));
}

static void probe_recorded(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd time = nvp_build_set_features(0x0e, 0, false, 0);
	uint32_t seen = 0;

	events(h, out, "first", &seen);
	memset(h->data, 0, 8);
	nvp_put_le_n(h->data, 6, 1700000000000ULL);
	sim_host_admin(h, time);
	events(h, out, "timestamp", &seen);
	sim_host_admin(h, nvp_build_set_features(0x04, 0, false, 400));
	events(h, out, "feature", &seen);
	sim_host_admin(h, nvp_build_firmware_commit(0, 7, false));
	events(h, out, "firmware", &seen);
	sim_host_admin(h, nvp_build_format(1, 0, false, 0, false, 0));
	events(h, out, "format", &seen);
	sim_host_admin(h, nvp_build_ns_delete(1));
	events(h, out, "namespace", &seen);
	sim_host_admin(h, nvp_build_sanitize(4, true, 1, false, false, 0));
	sim_host_pass(h, 60 * NVP_NS_PER_S);
	events(h, out, "sanitize", &seen);
	sim_host_disable(h);
	sim_host_enable(h);
	events(h, out, "reset", &seen);
	sim_host_power_cycle(h);
	events(h, out, "power", &seen);
}

/* Byte 382 is Data Available, 383 the generation number. */
static void captured(struct sim_host *h, struct nvp_text *out, const char *label, uint8_t lid,
		     bool retain)
{
	struct nvp_cpl cpl = sim_host_admin(h, nvp_build_get_log(lid, NVP_NSID_ALL, 512, 0,
								 retain, 0));

	nvp_text_addf(out, "%s: status %03x available %u generation %u last %u\n", label,
		      sim_host_status(cpl), h->data[382], h->data[383], h->data[12]);
}

static void media_error(struct sim_host *h)
{
	sim_host_io(h, nvp_build_write_uncorrectable(1, 8, 3));
	sim_host_io(h, nvp_build_flush(1));
	sim_host_io(h, nvp_build_read(1, 8, 0, 512));
}

static void probe_captures(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd request = nvp_build_async_event();
	struct nvp_cpl cpl;

	h->quiet = true;	/* a request may end at any time where a drive is wrong */
	sim_host_admin(h, nvp_build_set_features(0x0b, 0, false, 0x400));
	sim_host_post(h, &h->admin, &request);
	captured(h, out, "none", 0x08, true);
	media_error(h);
	sim_host_pass(h, NVP_NS_PER_MS);
	nvp_text_addf(out, "event: %08x\n",
		      sim_host_reap(h, &h->admin, &cpl) ? cpl.dw0 : 0xffffffff);
	captured(h, out, "retained", 0x08, true);
	captured(h, out, "again", 0x08, true);
	captured(h, out, "host", 0x07, true);
	media_error(h);
	captured(h, out, "unread", 0x08, true);
	captured(h, out, "acknowledging", 0x08, false);
	captured(h, out, "acknowledged", 0x08, true);
	media_error(h);
	captured(h, out, "second", 0x08, true);
	sim_host_power_cycle(h);
	captured(h, out, "power", 0x08, true);
}

const struct sim_probe sim_probes_persistent[] = {
	{ "persistent", "sim:size=16M", probe_context },
	{ "recorded", "sim:size=16M", probe_recorded },
	{ "captures", "sim:size=16M", probe_captures },
	{ NULL, NULL, NULL }
};
