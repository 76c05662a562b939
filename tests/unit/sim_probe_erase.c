// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over Format NVM and Sanitize.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_probe.h"

static void write_blocks(struct sim_host *h, uint32_t nsid, uint64_t slba, unsigned nr, uint8_t key)
{
	nvp_rand_fill(h->data, nr * 512u, key);
	sim_host_io(h, nvp_build_write(nsid, slba, (uint16_t)(nr - 1), 512));
	sim_host_io(h, nvp_build_flush(nsid));
}

static void read_line(struct sim_host *h, struct nvp_text *out, const char *label, uint32_t nsid,
		      uint64_t slba, unsigned nr)
{
	struct nvp_cpl cpl;

	sim_host_fill(h, 0xa5);
	cpl = sim_host_io(h, nvp_build_read(nsid, slba, (uint16_t)(nr - 1), 512));
	sim_probe_line(h, out, label, cpl, nvp_cpl_ok(&cpl) ? nr * 512u : 0);
}

static struct nvp_id_ns identify(struct sim_host *h, uint32_t nsid)
{
	struct nvp_id_ns id;

	sim_host_admin(h, nvp_build_identify(0, nsid, 0, 0, 0));
	nvp_decode_id_ns(h->data, NVP_IDENTIFY_BYTES, &id);
	return id;
}

static void format_line(struct sim_host *h, struct nvp_text *out, const char *label, uint32_t nsid,
			uint8_t lbaf, uint8_t pi, uint8_t ses)
{
	sim_probe_line(h, out, label, sim_host_admin(h, nvp_build_format(nsid, lbaf, false, pi,
									 false, ses)), 0);
}

/* Format in the same LBA format, with each kind of erase. */
static void probe_contents(struct sim_host *h, struct nvp_text *out)
{
	static const char *const erased[] = { "none", "user-data", "crypto" };
	static const char *const ends[] = { "none-end", "user-data-end", "crypto-end" };
	uint64_t end = identify(h, 1).nsze_lbas;

	write_blocks(h, 2, 0, 8, 2);
	for (uint8_t ses = 0; ses < 3; ses++) {
		write_blocks(h, 1, 0, 8, 1);
		write_blocks(h, 1, end - 1, 1, 3);
		format_line(h, out, "format", 1, 0, 0, ses);
		read_line(h, out, erased[ses], 1, 0, 8);
		read_line(h, out, ends[ses], 1, end - 1, 1);
	}
	sim_probe_value(out, "used", identify(h, 1).nuse_lbas);
	sim_probe_value(out, "progress", identify(h, 1).fpi);
	read_line(h, out, "neighbour", 2, 0, 8);
	sim_host_io(h, nvp_build_write_uncorrectable(1, 4, 1));
	sim_host_io(h, nvp_build_flush(1));
	format_line(h, out, "format", 1, 0, 0, 0);
	read_line(h, out, "marked", 1, 0, 8);
	write_blocks(h, 1, 0, 8, 1);
	write_blocks(h, 2, 0, 8, 2);
	format_line(h, out, "all", NVP_NSID_ALL, 0, 0, 0);
	read_line(h, out, "all-first", 1, 0, 8);
	read_line(h, out, "all-second", 2, 0, 8);
}

static void layout_lines(struct sim_host *h, struct nvp_text *out, const char *index,
			 const char *size)
{
	struct nvp_id_ns id = identify(h, 1);

	sim_probe_value(out, index, id.flbas << 8 | id.dps);
	sim_probe_value(out, size, id.nsze_lbas);
}

static void probe_layout(struct sim_host *h, struct nvp_text *out)
{
	format_line(h, out, "4096", 1, 1, 0, 0);
	layout_lines(h, out, "4096-index", "4096-size");
	sim_host_reset(h);
	layout_lines(h, out, "reset-index", "reset-size");
	format_line(h, out, "back", 1, 0, 0, 0);
	format_line(h, out, "protected", 1, 2, 3, 0);
	layout_lines(h, out, "protected-index", "protected-size");
	format_line(h, out, "again", 1, 0, 0, 0);
	sim_host_admin(h, nvp_build_get_log(0x05, NVP_NSID_ALL, 4096, 0, true, 0));
	sim_probe_value(out, "effects", nvp_le32(h->data + 4 * NVP_ADMIN_FORMAT));
}

static void probe_limits(struct sim_host *h, struct nvp_text *out)
{
	format_line(h, out, "lbaf", 1, 9, 0, 0);
	format_line(h, out, "pi", 1, 0, 1, 0);
	format_line(h, out, "ses", 1, 0, 0, 5);
	format_line(h, out, "nsid", 17, 0, 0, 0);
	format_line(h, out, "zero", 0, 0, 0, 0);
}

static void probe_running(struct sim_host *h, struct nvp_text *out)
{
	uint64_t end = identify(h, 1).nsze_lbas;
	struct nvp_cmd format = nvp_build_format(1, 0, false, 0, false, 1);
	struct nvp_cmd ask = nvp_build_identify(0, 1, 0, 0, 0);
	struct nvp_cpl cpl;

	write_blocks(h, 1, end - 1, 1, 1);
	sim_host_post(h, &h->admin, &format);
	sim_host_pass(h, 500 * NVP_NS_PER_MS);
	read_line(h, out, "read", 1, end - 1, 1);
	sim_host_post(h, &h->admin, &ask);
	sim_host_reap(h, &h->admin, &cpl);
	sim_probe_value(out, "left", h->data[32]);
	sim_host_reap(h, &h->admin, &cpl);
	sim_probe_line(h, out, "done", cpl, 0);
	sim_host_post(h, &h->admin, &format);
	sim_host_pass(h, 100 * NVP_NS_PER_MS);
	sim_host_reset(h);
	sim_probe_line(h, out, "stopped", sim_host_io(h, nvp_build_read(1, 0, 0, 512)), 0);
	format_line(h, out, "again", 1, 0, 0, 0);
}

/* ---- sanitize ---- */

static struct nvp_sanitize_log sanitize_log(struct sim_host *h)
{
	struct nvp_sanitize_log log;

	sim_host_admin(h, nvp_build_get_log(0x81, NVP_NSID_ALL, 512, 0, false, 0));
	nvp_decode_sanitize_log(h->data, 512, &log);
	return log;
}

static void sanitize_line(struct sim_host *h, struct nvp_text *out, const char *label,
			  uint8_t action, bool keep)
{
	struct nvp_cmd cmd = nvp_build_sanitize(action, true, 1, false, keep, 0x11223344);

	sim_probe_line(h, out, label, sim_host_admin(h, cmd), 0);
	sim_host_pass(h, 10 * NVP_NS_PER_S);
}

static void probe_sanitize(struct sim_host *h, struct nvp_text *out)
{
	static const char *const kinds[] = { "block", "overwrite", "crypto" };
	static const char *const ends[] = { "block-end", "overwrite-end", "crypto-end" };
	static const char *const logs[] = { "block-log", "overwrite-log", "crypto-log" };
	uint64_t end = identify(h, 1).nsze_lbas;

	for (unsigned i = 0; i < 3; i++) {
		struct nvp_sanitize_log log;

		write_blocks(h, 1, end - 1, 1, 1);
		nvp_rand_fill(h->data, 4096, 7);
		sim_host_io(h, nvp_build_write(1, 8, 7, 512));	/* in the cache */
		sanitize_line(h, out, "start", (uint8_t)(i + 2), i == 1);
		read_line(h, out, kinds[i], 1, 8, 8);
		read_line(h, out, ends[i], 1, end - 1, 1);
		log = sanitize_log(h);
		sim_probe_value(out, logs[i], (uint64_t)log.progress << 32 | log.status << 16 |
				log.global_data_erased);
		sim_probe_value(out, "command", log.cdw10);
	}
	write_blocks(h, 1, 0, 1, 1);
	sim_probe_value(out, "written", sanitize_log(h).global_data_erased);
	sanitize_line(h, out, "reserved", 5, false);
	sanitize_line(h, out, "exit", 1, false);
	sim_host_admin(h, nvp_build_get_log(0x05, NVP_NSID_ALL, 4096, 0, true, 0));
	sim_probe_value(out, "effects", nvp_le32(h->data + 4 * NVP_ADMIN_SANITIZE));
}

static void probe_sanitize_runs(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd aer = nvp_build_async_event();
	struct nvp_cmd start = nvp_build_sanitize(2, true, 1, false, false, 0);
	uint64_t last = identify(h, 1).nsze_lbas - 8;	/* erased last: all the rest is before it */
	struct nvp_cpl cpl;

	write_blocks(h, 1, last, 8, 1);
	sim_probe_line(h, out, "start", sim_host_admin(h, start), 0);
	sim_host_pass(h, 100 * NVP_NS_PER_MS);
	sim_probe_value(out, "progress", sanitize_log(h).progress);
	sim_probe_line(h, out, "read", sim_host_io(h, nvp_build_read(1, 0, 0, 512)), 0);
	sim_probe_line(h, out, "second", sim_host_admin(h, start), 0);
	sim_probe_line(h, out, "identify", sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0)), 0);
	sim_host_post(h, &h->admin, &aer);
	sim_host_pass(h, 10 * NVP_NS_PER_S);
	if (sim_host_has_completion(h, &h->admin)) {
		sim_host_reap(h, &h->admin, &cpl);
		sim_probe_line(h, out, "event", cpl, 0);
	} else {
		nvp_text_add(out, "event: none\n");
	}
	write_blocks(h, 1, last, 8, 1);
	sim_host_admin(h, start);
	sim_host_pass(h, 100 * NVP_NS_PER_MS);
	sim_host_reset(h);
	sim_host_pass(h, 10 * NVP_NS_PER_S);
	read_line(h, out, "reset", 1, last, 8);
	write_blocks(h, 1, last, 8, 1);
	sim_host_admin(h, start);
	sim_host_pass(h, 100 * NVP_NS_PER_MS);
	sim_host_power_cycle(h);
	sim_host_pass(h, 10 * NVP_NS_PER_S);
	read_line(h, out, "power", 1, last, 8);
	sim_probe_value(out, "status", sanitize_log(h).status);
}

const struct sim_probe sim_probes_erase[] = {
	{ "sanitize", "sim:size=1M", probe_sanitize },
	{ "sanitize-runs", "sim:size=1M", probe_sanitize_runs },
	{ "format", "sim:size=4M,ns=2", probe_contents },
	{ "format-layout", "sim:size=4M,ns=2", probe_layout },
	{ "format-limits", "sim:size=4M,ns=2", probe_limits },
	{ "format-runs", "sim:size=4M,ns=2", probe_running },
	{ NULL, NULL, NULL }
};
