// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over Identify, features, logs, events and Abort.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "tests/unit/sim_probe.h"

void sim_probe_value(struct nvp_text *out, const char *label, uint64_t value)
{
	nvp_text_addf(out, "%s: %llu\n", label, (unsigned long long)value);
}

void sim_probe_line(struct sim_host *h, struct nvp_text *out, const char *label,
		    struct nvp_cpl cpl, size_t bytes)
{
	nvp_text_addf(out, "%s: status %03x dw0 %08x", label, sim_host_status(cpl), cpl.dw0);
	if (bytes && nvp_cpl_ok(&cpl))
		nvp_text_addf(out, " data %08x", nvp_crc32c(h->data, bytes));
	nvp_text_add(out, "\n");
}

static void probe_admin(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_identify(1, 0, 0, 0, 0);

	sim_probe_line(h, out, "opcode", sim_host_admin(h, nvp_build_raw(0x77, 0)), 0);
	nvp_cmd_set_fuse(&cmd, 1);
	sim_probe_line(h, out, "fuse", sim_host_admin(h, cmd), 0);
	cmd = nvp_build_identify(1, 0, 0, 0, 0);
	nvp_cmd_set_psdt(&cmd, 1);
	sim_probe_line(h, out, "psdt", sim_host_admin(h, cmd), 0);
	cmd = nvp_build_get_log(2, 0, 131076, 0, true, 0);
	sim_probe_line(h, out, "mdts", sim_host_admin(h, cmd), 0);
	sim_probe_line(h, out, "io-opcode", sim_host_io(h, nvp_build_raw(0x6f, 1)), 0);
}

static struct nvp_cpl identify(struct sim_host *h, uint8_t cns, uint32_t nsid, uint8_t csi)
{
	sim_host_fill(h, 0xa5);
	return sim_host_admin(h, nvp_build_identify(cns, nsid, 0xffff, csi, 0));
}

static void crc_line(struct sim_host *h, struct nvp_text *out, const char *label, size_t at,
		     size_t bytes)
{
	sim_probe_value(out, label, nvp_crc32c(h->data + at, bytes));
	memset(h->data + at, 0, bytes);
}

static void probe_controller(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cpl cpl = identify(h, 1, 0, 0);

	crc_line(h, out, "names", 4, 60);
	crc_line(h, out, "ver", 80, 4);
	crc_line(h, out, "sqes", 512, 1);
	crc_line(h, out, "oncs", 520, 2);
	crc_line(h, out, "subnqn", 768, 256);
	crc_line(h, out, "tail", 3584, 512);
	sim_probe_line(h, out, "rest", cpl, 4096);
}

static void probe_namespace(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cpl cpl = identify(h, 0, 1, 0);

	crc_line(h, out, "ncap", 8, 8);
	crc_line(h, out, "nuse", 16, 8);
	crc_line(h, out, "flbas", 26, 1);
	crc_line(h, out, "lbaf", 128, 8);
	crc_line(h, out, "tail", 3584, 512);
	sim_probe_line(h, out, "rest", cpl, 4096);
	sim_probe_line(h, out, "above-nn", identify(h, 0, 0x1000, 0), 0);
	sim_probe_line(h, out, "zero", identify(h, 0, 0, 0), 0);
	sim_probe_line(h, out, "all", identify(h, 0, NVP_NSID_ALL, 0), 0);
	sim_probe_line(h, out, "inactive", identify(h, 0, 5, 0), 3584);
	sim_probe_line(h, out, "descriptors", identify(h, 3, 1, 0), 3584);
	sim_probe_line(h, out, "csi", identify(h, 6, 0, 2), 0);
	sim_probe_line(h, out, "limits", identify(h, 6, 0, 0), 3584);
	sim_probe_line(h, out, "cns", identify(h, 0x50, 1, 0), 0);
	sim_probe_line(h, out, "independent", identify(h, 8, 1, 0), 3584);
	sim_probe_line(h, out, "command-sets", identify(h, 0x1c, 0, 0), 3584);
}

static void probe_lists(struct sim_host *h, struct nvp_text *out)
{
	sim_probe_line(h, out, "from-0", identify(h, 2, 0, 0), 12);
	crc_line(h, out, "behind", 16, 3568);
	sim_probe_line(h, out, "from-1", identify(h, 2, 1, 0), 8);
	sim_probe_line(h, out, "top", identify(h, 2, 0xffffffff, 0), 0);
	sim_probe_line(h, out, "below-top", identify(h, 2, 0xfffffffd, 0), 0);
}

static struct nvp_cpl get(struct sim_host *h, uint8_t fid, uint8_t sel, uint32_t dw11)
{
	return sim_host_admin(h, nvp_build_get_features(fid, fid == 5, sel, dw11));
}

static struct nvp_cpl set(struct sim_host *h, uint8_t fid, uint32_t nsid, bool sv, uint32_t dw11)
{
	return sim_host_admin(h, nvp_build_set_features(fid, nsid, sv, dw11));
}

static void probe_feature(struct sim_host *h, struct nvp_text *out)
{
	sim_probe_line(h, out, "set", set(h, 8, 0, false, 0x1234), 0);
	sim_probe_line(h, out, "get", get(h, 8, 0, 0), 0);
	sim_probe_line(h, out, "default", get(h, 8, 1, 0), 0);
	sim_probe_line(h, out, "capabilities", get(h, 8, 3, 0), 0);
	set(h, 1, 0, false, 0x30201005);
	sim_probe_line(h, out, "arbitration", get(h, 1, 0, 0), 0);
	set(h, 0x0a, 0, false, 1);
	sim_probe_line(h, out, "atomicity", get(h, 0x0a, 0, 0), 0);
	set(h, 0x0b, 0, false, 0x200);
	sim_probe_line(h, out, "events", get(h, 0x0b, 0, 0), 0);
	sim_probe_line(h, out, "sel", get(h, 8, 4, 0), 0);
	sim_probe_line(h, out, "fid-get", get(h, 0x2f, 0, 0), 0);
	sim_probe_line(h, out, "fid-set", set(h, 0x2f, 0, false, 0), 0);
	sim_probe_line(h, out, "sv", set(h, 0x0b, 0, true, 0), 0);
	sim_probe_line(h, out, "nsid", set(h, 1, 1, false, 3), 0);
	sim_probe_line(h, out, "ps", set(h, 2, 0, false, 0x1f), 0);
	sim_probe_line(h, out, "tmpsel-set", set(h, 4, 0, false, 0x0c0000 | 400), 0);
	sim_probe_line(h, out, "tmpsel-get", get(h, 4, 0, 0x0c0000), 0);
	sim_probe_line(h, out, "vector-set", set(h, 9, 0, false, 0x1fff0), 0);
	sim_probe_line(h, out, "vector-get", get(h, 9, 0, 0xfff0), 0);
	sim_probe_line(h, out, "queues-late", set(h, 7, 0, false, 0x00030003), 0);
}

static void probe_feature_reset(struct sim_host *h, struct nvp_text *out)
{
	set(h, 2, 0, true, 1);
	set(h, 8, 0, false, 0x4321);
	sim_host_disable(h);
	sim_host_enable(h);
	sim_probe_line(h, out, "saved", get(h, 2, 0, 0), 0);
	sim_probe_line(h, out, "unsaved", get(h, 8, 0, 0), 0);
	sim_probe_line(h, out, "queues-ffff", set(h, 7, 0, false, 0xffff0003), 0);
	set(h, 7, 0, false, 0x00030003);
	sim_probe_line(h, out, "queues-get", get(h, 7, 0, 0), 0);
}

static void probe_no_cache(struct sim_host *h, struct nvp_text *out)
{
	sim_probe_line(h, out, "vwc-get", get(h, 6, 0, 0), 0);
	sim_probe_line(h, out, "vwc-set", set(h, 6, 0, false, 1), 0);
}

static struct nvp_cpl get_log(struct sim_host *h, uint8_t lid, uint32_t bytes, uint64_t lpo,
			      bool rae)
{
	sim_host_fill(h, 0xa5);
	return sim_host_admin(h, nvp_build_get_log(lid, NVP_NSID_ALL, bytes, lpo, rae, 0));
}

static void probe_log(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_get_log(2, 1, 512, 0, true, 0);

	sim_probe_line(h, out, "supported", get_log(h, 0, 1024, 0, true), 1024);
	sim_probe_line(h, out, "firmware", get_log(h, 3, 512, 0, true), 512);
	sim_probe_line(h, out, "effects", get_log(h, 5, 4096, 0, true), 4096);
	sim_probe_line(h, out, "effects-part", get_log(h, 5, 64, 1024, true), 64);
	sim_probe_value(out, "guard", nvp_crc32c(h->data + 64, 4096));
	sim_probe_line(h, out, "features", get_log(h, 0x12, 1024, 0, true), 1024);
	sim_probe_line(h, out, "offset", get_log(h, 0, 64, 8, true), 64);
	sim_probe_line(h, out, "unaligned", get_log(h, 0, 4, 6, true), 4);
	sim_probe_line(h, out, "beyond", get_log(h, 0, 4, 2048, true), 0);
	sim_probe_line(h, out, "longer", get_log(h, 3, 1024, 0, true), 512);
	sim_probe_line(h, out, "reserved", get_log(h, 0x60, 64, 0, true), 0);
	sim_probe_line(h, out, "nsid", sim_host_admin(h, cmd), 0);
}

static void probe_errors(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_error_entry newer, older;
	struct nvp_cpl cpl[2];

	get_log(h, 2, 512, 0, true);
	sim_probe_value(out, "smart-entries", nvp_le64(h->data + 176));
	cpl[0] = set(h, 0x0b, 0, false, 0x80000000);
	cpl[1] = set(h, 0x05, 0, false, 0);
	sim_probe_value(out, "more", cpl[0].status.more + 2u * cpl[1].status.more);
	get_log(h, 1, 128, 0, true);
	nvp_decode_error_entry(h->data, 64, &newer);
	nvp_decode_error_entry(h->data + 64, 64, &older);
	sim_probe_value(out, "order", newer.count > older.count);
	sim_probe_value(out, "count", newer.count - older.count);
	sim_probe_value(out, "cid", newer.cid == cpl[1].cid);
	sim_probe_value(out, "nsid", newer.nsid);
	sim_probe_value(out, "status", newer.status.sct * 256u + newer.status.sc);
	get_log(h, 2, 512, 0, true);
	sim_probe_value(out, "smart-entries", nvp_le64(h->data + 176));
}

static void probe_smart(struct sim_host *h, struct nvp_text *out)
{
	uint64_t units_read, units_written, writes, reads;

	set(h, 4, 0, false, 300);
	get_log(h, 2, 512, 0, true);
	sim_probe_value(out, "warning", h->data[0]);
	set(h, 4, 0, false, 400);
	get_log(h, 2, 512, 0, true);
	units_read = nvp_le64(h->data + 32);
	units_written = nvp_le64(h->data + 48);
	reads = nvp_le64(h->data + 64);
	writes = nvp_le64(h->data + 80);
	for (unsigned i = 0; i < 16; i++) {
		sim_host_io(h, nvp_build_write(1, 0, 249, 512));
		sim_host_io(h, nvp_build_read(1, 0, 249, 512));
	}
	get_log(h, 2, 512, 0, true);
	sim_probe_value(out, "units-read", nvp_le64(h->data + 32) - units_read);
	sim_probe_value(out, "units-written", nvp_le64(h->data + 48) - units_written);
	sim_probe_value(out, "reads", nvp_le64(h->data + 64) - reads);
	sim_probe_value(out, "writes", nvp_le64(h->data + 80) - writes);
	sim_probe_value(out, "minutes", nvp_le64(h->data + 192));
}

static void request(struct sim_host *h, unsigned nr)
{
	struct nvp_cmd cmd = nvp_build_async_event();

	while (nr--)
		sim_host_post(h, &h->admin, &cmd);
}

/* All completions that come within the time, each with the distance of its CID from `first`. */
static void arrivals(struct sim_host *h, struct nvp_text *out, const char *label, uint16_t first,
		     uint64_t ns)
{
	struct nvp_cpl cpl;

	sim_host_pass(h, ns);
	nvp_text_addf(out, "%s:", label);
	while (sim_host_has_completion(h, &h->admin) && sim_host_reap(h, &h->admin, &cpl))
		nvp_text_addf(out, " [%u status %03x dw0 %08x]", (uint16_t)(cpl.cid - first),
			      sim_host_status(cpl), cpl.dw0);
	nvp_text_add(out, "\n");
}

static void bad_doorbell(struct sim_host *h)
{
	nvp_sim_bar_write(h->sim, NVP_REG_DOORBELLS + 8, 4, 500);
}

static void probe_event(struct sim_host *h, struct nvp_text *out)
{
	uint16_t first = h->next_cid;

	bad_doorbell(h);		/* nobody waits */
	request(h, 1);
	arrivals(h, out, "kept", first, NVP_NS_PER_MS);
	get_log(h, 1, 64, 0, false);
	first = h->next_cid;
	request(h, 3);
	bad_doorbell(h);
	arrivals(h, out, "one", first, NVP_NS_PER_MS);
	bad_doorbell(h);
	arrivals(h, out, "masked", first, NVP_NS_PER_MS);
	get_log(h, 1, 64, 0, true);
	bad_doorbell(h);
	arrivals(h, out, "retained", first, NVP_NS_PER_MS);
	sim_host_reset(h);
	first = h->next_cid;
	request(h, 2);
	set(h, 4, 0, false, 300);	/* switched off by the configuration */
	arrivals(h, out, "off", first, NVP_NS_PER_MS);
}

static void probe_event_limit(struct sim_host *h, struct nvp_text *out)
{
	uint16_t first = h->next_cid;

	request(h, 9);
	arrivals(h, out, "limit", first, NVP_NS_PER_S);
	arrivals(h, out, "20s", first, 20 * NVP_NS_PER_S);
}

static void probe_abort(struct sim_host *h, struct nvp_text *out)
{
	uint16_t first = h->next_cid;
	struct nvp_cmd cmd;

	sim_probe_line(h, out, "missing", sim_host_admin(h, nvp_build_abort(0, 0x7777)), 0);
	first = h->next_cid;
	request(h, 3);
	cmd = nvp_build_abort(0, (uint16_t)(first + 1));
	sim_host_post(h, &h->admin, &cmd);
	arrivals(h, out, "aborted", first, NVP_NS_PER_S);
}

static struct nvp_cpl telemetry(struct sim_host *h, uint64_t offset, uint8_t lsp)
{
	sim_host_fill(h, 0xa5);
	return sim_host_admin(h, nvp_build_get_log(0x07, NVP_NSID_ALL, 512, offset, true, lsp));
}

static void probe_telemetry(struct sim_host *h, struct nvp_text *out)
{
	sim_probe_line(h, out, "none", telemetry(h, 512, 0), 512);
	sim_probe_line(h, out, "first", telemetry(h, 0, 1), 14);
	sim_probe_value(out, "generation", h->data[381]);
	sim_probe_line(h, out, "data", telemetry(h, 512, 0), 512);
	sim_probe_line(h, out, "unaligned", telemetry(h, 516, 0), 0);
	telemetry(h, 0, 1);
	sim_probe_value(out, "next", h->data[381]);
	sim_host_admin(h, nvp_build_get_log(0x08, NVP_NSID_ALL, 512, 0, true, 0));
	sim_probe_value(out, "controller", h->data[0]);
}

const struct sim_probe sim_probes_admin[] = {
	{ "admin", "sim:size=16M", probe_admin },
	{ "controller", "sim:size=16M", probe_controller },
	{ "namespace", "sim:size=16M,ns=3", probe_namespace },
	{ "lists", "sim:size=16M,ns=3", probe_lists },
	{ "feature", "sim:size=16M", probe_feature },
	{ "feature-reset", "sim:size=16M", probe_feature_reset },
	{ "no-cache", "sim:size=16M,vwc=absent", probe_no_cache },
	{ "log", "sim:size=16M", probe_log },
	{ "errors", "sim:size=16M", probe_errors },
	{ "smart", "sim:size=16M", probe_smart },
	{ "telemetry", "sim:size=16M", probe_telemetry },
	{ "event", "sim:size=16M", probe_event },
	{ "event-limit", "sim:size=16M", probe_event_limit },
	{ "abort", "sim:size=16M", probe_abort },
	{ NULL, NULL, NULL }
};
