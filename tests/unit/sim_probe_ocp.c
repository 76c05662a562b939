// SPDX-License-Identifier: GPL-2.0-or-later
// A script over the logs, features and UUIDs of profile ocp.

#include <nvproof/build.h>
#include <nvproof/decode.h>
#include <nvproof/ocp.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "tests/unit/sim_probe.h"

static struct nvp_cpl get_log(struct sim_host *h, uint8_t lid, uint32_t uuid_index)
{
	struct nvp_cmd cmd = nvp_build_get_log(lid, NVP_NSID_ALL, nvp_ocp_log_bytes(lid), 0, true,
					       0);

	nvp_sqe_set_dw(&cmd.sqe, 14, uuid_index);
	sim_host_fill(h, 0xa5);
	return sim_host_admin(h, cmd);
}

static struct nvp_cpl set(struct sim_host *h, uint8_t fid, uint32_t dw11)
{
	return sim_host_admin(h, nvp_build_set_features(fid, 0, false, dw11));
}

static struct nvp_cpl get(struct sim_host *h, uint8_t fid)
{
	return sim_host_admin(h, nvp_build_get_features(fid, 0, 0, 0));
}

static void probe_ocp(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_ocp_smart smart;

	sim_probe_line(h, out, "smart", get_log(h, 0xc0, 0), 8);
	nvp_decode_ocp_smart(h->data, 512, &smart);
	sim_probe_value(out, "version", smart.version);
	sim_probe_value(out, "capacitor", smart.capacitor_health_pct);
	sim_probe_value(out, "reserved", nvp_crc32c(h->data + 208, 286));
	sim_probe_value(out, "guid", nvp_crc32c(h->data + 496, 16));
	get_log(h, 0xc1, 1);
	sim_probe_value(out, "recovery-version", nvp_le16(h->data + 494));
	sim_probe_value(out, "recovery-guid", nvp_crc32c(h->data + 496, 16));
	sim_probe_line(h, out, "uuid-index", get_log(h, 0xc0, 2), 0);
	sim_host_admin(h, nvp_build_identify(0x17, 0, 0, 0, 0));
	sim_probe_value(out, "uuid", nvp_crc32c(h->data, 4096));
	sim_probe_line(h, out, "mode-set", set(h, 0xc2, 2u << 30), 0);
	sim_probe_line(h, out, "mode-get", get(h, 0xc2), 0);
	sim_probe_line(h, out, "mode-zero", set(h, 0xc2, 0), 0);
	sim_probe_line(h, out, "check-set", set(h, 0xc6, 7u << 16), 0);
	sim_probe_line(h, out, "check-get", get(h, 0xc6), 0);
	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	sim_probe_value(out, "aerl", h->data[259]);
	sim_host_power_cycle(h);
	get_log(h, 0xc0, 0);
	nvp_decode_ocp_smart(h->data, 512, &smart);
	sim_probe_value(out, "starts", smart.plp_starts.low);
}

const struct sim_probe sim_probes_ocp[] = {
	{ "ocp", "sim:size=16M,profile=ocp", probe_ocp },
	{ NULL, NULL, NULL }
};
