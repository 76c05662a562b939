// SPDX-License-Identifier: GPL-2.0-or-later
// A script over Namespace Management and Attachment, with two controllers in the subsystem.

#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "tests/unit/sim_probe.h"

static struct nvp_cpl create(struct sim_host *h, uint64_t nsze, uint64_t ncap, uint8_t flbas,
			     bool shared)
{
	memset(h->data, 0, 4096);
	nvp_put_le64(h->data, nsze);
	nvp_put_le64(h->data + 8, ncap);
	h->data[26] = flbas;
	h->data[30] = shared;
	return sim_host_admin(h, nvp_build_ns_create(0));
}

/* To or from the controllers `first` and, when it is not 0, `second`. */
static struct nvp_cpl attach(struct sim_host *h, uint32_t nsid, bool detach, uint16_t first,
			     uint16_t second)
{
	memset(h->data, 0, 4096);
	nvp_put_le16(h->data, second ? 2 : 1);
	nvp_put_le16(h->data + 2, first);
	nvp_put_le16(h->data + 4, second);
	return sim_host_admin(h, nvp_build_ns_attachment(nsid, detach));
}

static struct nvp_cpl identify(struct sim_host *h, uint8_t cns, uint32_t nsid, uint16_t cntid)
{
	return sim_host_admin(h, nvp_build_identify(cns, nsid, cntid, 0, 0));
}

static struct nvp_cpl delete(struct sim_host *h, uint32_t nsid)
{
	return sim_host_admin(h, nvp_build_ns_delete(nsid));
}

static uint64_t unallocated(struct sim_host *h)
{
	identify(h, 1, 0, 0);
	return nvp_le64(h->data + 296);
}

/* What a script sees does not depend on the NSID that Create told. */
static void probe_life(struct sim_host *h, struct nvp_text *out)
{
	uint64_t before = unallocated(h);
	uint8_t eui64[8];

	sim_probe_line(h, out, "create", create(h, 2048, 2048, 0, false), 0);
	sim_probe_line(h, out, "active-new", identify(h, 2, 0, 0), 64);
	sim_probe_line(h, out, "allocated", identify(h, 0x10, 0, 0), 64);
	identify(h, 0x11, 2, 0);
	sim_probe_value(out, "nsze", nvp_le64(h->data));
	memcpy(eui64, h->data + 120, 8);
	sim_probe_line(h, out, "attach", attach(h, 2, false, 1, 0), 0);
	sim_probe_line(h, out, "attach-twice", attach(h, 2, false, 1, 0), 0);
	sim_probe_line(h, out, "active", identify(h, 2, 0, 0), 64);
	memset(h->data, 0x66, 512);
	sim_probe_line(h, out, "write", sim_host_io(h, nvp_build_write(2, 1, 0, 512)), 0);
	sim_probe_line(h, out, "detach", attach(h, 2, true, 1, 0), 0);
	sim_probe_line(h, out, "detached", sim_host_io(h, nvp_build_read(2, 1, 0, 512)), 0);
	sim_probe_line(h, out, "detach-twice", attach(h, 2, true, 1, 0), 0);
	sim_probe_line(h, out, "delete", delete(h, 2), 0);
	sim_probe_value(out, "given-back", unallocated(h) == before);
	sim_probe_line(h, out, "delete-twice", delete(h, 2), 0);
	sim_probe_line(h, out, "unallocated", identify(h, 0x11, 2, 0), 3584);
	create(h, 2048, 2048, 0, false);
	identify(h, 0x11, 2, 0);
	sim_probe_value(out, "same-id", !memcmp(eui64, h->data + 120, 8));
	attach(h, 2, false, 1, 0);
	sim_probe_line(h, out, "stale", sim_host_io(h, nvp_build_read(2, 1, 0, 512)), 512);
	sim_host_reset(h);
	sim_probe_line(h, out, "after-reset", sim_host_io(h, nvp_build_read(2, 0, 0, 512)), 0);
	create(h, 2048, 2048, 0, false);
	delete(h, 3);
	sim_probe_line(h, out, "neighbour", identify(h, 0x11, 2, 0), 8);
}

static void probe_refused(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd select = nvp_build_raw(NVP_ADMIN_NS_MANAGEMENT, 1);

	sim_probe_line(h, out, "large", create(h, 1 << 20, 1 << 20, 0, false), 0);
	sim_probe_line(h, out, "zero", create(h, 0, 0, 0, false), 0);
	sim_probe_line(h, out, "thin", create(h, 2048, 1024, 0, false), 0);
	delete(h, 2);
	sim_probe_line(h, out, "format", create(h, 2048, 2048, 15, false), 0);
	delete(h, 2);
	nvp_sqe_set_dw(&select.sqe, 10, 2);
	sim_probe_line(h, out, "select", sim_host_admin(h, select), 0);
	for (unsigned i = 0; i < 15; i++)
		create(h, 16, 16, 0, false);
	sim_probe_line(h, out, "nsid", create(h, 16, 16, 0, false), 0);
	sim_probe_line(h, out, "controllers", attach(h, 2, false, 77, 0), 0);
}

static void probe_shared(struct sim_host *h, struct nvp_text *out)
{
	sim_probe_line(h, out, "list", identify(h, 0x13, 0, 0), 8);
	sim_probe_line(h, out, "list-from", identify(h, 0x13, 0, 2), 8);
	create(h, 2048, 2048, 0, false);
	sim_probe_line(h, out, "private", attach(h, 2, false, 1, 2), 0);
	create(h, 2048, 2048, 0, true);
	attach(h, 3, false, 1, 2);
	sim_probe_line(h, out, "both", identify(h, 0x12, 3, 0), 8);
	attach(h, 3, true, 1, 0);
	sim_probe_line(h, out, "other", identify(h, 0x12, 3, 0), 8);
}

static void probe_change(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd request = nvp_build_async_event();
	struct nvp_cpl cpl;

	sim_host_admin(h, nvp_build_set_features(0x0b, 0, false, 1 << 8));
	sim_host_post(h, &h->admin, &request);
	create(h, 2048, 2048, 0, false);
	memset(h->data, 0, 4096);
	nvp_put_le16(h->data, 1);
	nvp_put_le16(h->data + 2, 1);
	request = nvp_build_ns_attachment(2, false);
	sim_host_post(h, &h->admin, &request);
	sim_host_pass(h, NVP_NS_PER_MS);
	for (unsigned i = 0; i < 2; i++) {
		bool came = sim_host_has_completion(h, &h->admin);

		memset(&cpl, 0, sizeof(cpl));
		if (came)
			sim_host_reap(h, &h->admin, &cpl);
		nvp_text_addf(out, "event-%u: %d dw0 %08x\n", i, came, cpl.dw0);
	}
	sim_probe_line(h, out, "log", sim_host_admin(h, nvp_build_get_log(4, NVP_NSID_ALL, 4096, 0,
									  false, 0)), 4096);
	sim_probe_line(h, out, "again", sim_host_admin(h, nvp_build_get_log(4, NVP_NSID_ALL, 4096,
									    0, false, 0)), 4096);
}

const struct sim_probe sim_probes_namespace[] = {
	{ "ns-life", "sim:size=16M", probe_life },
	{ "ns-refused", "sim:size=16M", probe_refused },
	{ "ns-shared", "sim:size=16M,controllers=2", probe_shared },
	{ "ns-change", "sim:size=16M", probe_change },
	{ NULL, NULL, NULL }
};
