// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over the I/O commands.

#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_probe.h"

static void write_blocks(struct sim_host *h, uint32_t nsid, uint64_t slba, unsigned nr, uint8_t key)
{
	nvp_rand_fill(h->data, nr * 512u, key);
	sim_host_io(h, nvp_build_write(nsid, slba, (uint16_t)(nr - 1), 512));
}

static void read_line(struct sim_host *h, struct nvp_text *out, const char *label, uint32_t nsid,
		      uint64_t slba, unsigned nr)
{
	struct nvp_cpl cpl;

	sim_host_fill(h, 0xa5);
	cpl = sim_host_io(h, nvp_build_read(nsid, slba, (uint16_t)(nr - 1), 512));
	sim_probe_line(h, out, label, cpl, nr * 512u);
}

static uint64_t nsze(struct sim_host *h)
{
	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	return nvp_le64(h->data);
}

static void probe_data(struct sim_host *h, struct nvp_text *out)
{
	write_blocks(h, 1, 20, 8, 1);
	write_blocks(h, 1, 10, 1, 2);
	read_line(h, out, "one", 1, 10, 1);
	write_blocks(h, 1, 10, 4, 3);
	read_line(h, out, "range", 1, 10, 3);
	read_line(h, out, "last", 1, 13, 1);
	write_blocks(h, 1, 16, 4, 4);
	read_line(h, out, "newest", 1, 16, 3);
	read_line(h, out, "behind", 1, 20, 1);
	read_line(h, out, "others", 1, 21, 7);
}

static void probe_ranges(struct sim_host *h, struct nvp_text *out)
{
	uint64_t end = nsze(h);
	struct nvp_cmd cmd;

	read_line(h, out, "end", 1, end, 1);
	read_line(h, out, "across", 1, end - 1, 2);
	read_line(h, out, "wrap", 1, UINT64_MAX, 8);
	read_line(h, out, "far", 1, end + 1000, 1);
	read_line(h, out, "upper", 1, UINT64_C(0x100000001), 1);
	read_line(h, out, "nsid-0", 0, 0, 1);
	read_line(h, out, "nsid-above", 0x2000, 0, 1);
	read_line(h, out, "nsid-all", NVP_NSID_ALL, 0, 1);
	sim_probe_line(h, out, "mdts", sim_host_io(h, nvp_build_write(1, 0, 256, 512)), 0);
	cmd = nvp_build_read(1, 0, 0, 512);
	nvp_cmd_set_fuse(&cmd, 3);
	sim_probe_line(h, out, "fuse", sim_host_io(h, cmd), 0);
	sim_probe_line(h, out, "opcode", sim_host_io(h, nvp_build_raw(0x6f, 1)), 0);
	sim_probe_line(h, out, "flush", sim_host_io(h, nvp_build_flush(1)), 0);
	sim_probe_line(h, out, "flush-above", sim_host_io(h, nvp_build_flush(0x2000)), 0);
}

static void probe_namespaces(struct sim_host *h, struct nvp_text *out)
{
	write_blocks(h, 1, 0, 1, 5);
	write_blocks(h, 2, 0, 1, 6);
	read_line(h, out, "first", 1, 0, 1);
	read_line(h, out, "second", 2, 0, 1);
}

static void probe_compare(struct sim_host *h, struct nvp_text *out)
{
	write_blocks(h, 1, 0, 4, 7);
	sim_probe_line(h, out, "equal", sim_host_io(h, nvp_build_compare(1, 0, 3, 512)), 0);
	h->data[3 * 512] ^= 1;
	sim_probe_line(h, out, "later", sim_host_io(h, nvp_build_compare(1, 0, 3, 512)), 0);
	h->data[0] ^= 1;
	sim_probe_line(h, out, "first", sim_host_io(h, nvp_build_compare(1, 0, 3, 512)), 0);
}

static void probe_zeroes(struct sim_host *h, struct nvp_text *out)
{
	write_blocks(h, 1, 0, 8, 8);
	sim_host_io(h, nvp_build_write_zeroes(1, 1, 3, false));
	read_line(h, out, "range", 1, 1, 3);
	read_line(h, out, "last", 1, 4, 1);
	read_line(h, out, "before", 1, 0, 1);
	read_line(h, out, "behind", 1, 5, 3);
}

static void probe_dsm(struct sim_host *h, struct nvp_text *out)
{
	uint64_t end = nsze(h);

	write_blocks(h, 1, 0, 8, 9);
	nvp_build_dsm_range(h->data, 0, 2, 6);
	sim_host_io(h, nvp_build_dsm(1, 0, false, true, true));
	read_line(h, out, "hints", 1, 6, 2);
	write_blocks(h, 1, 0, 8, 9);
	nvp_build_dsm_range(h->data, 0, 2, 1);
	sim_probe_line(h, out, "good", sim_host_io(h, nvp_build_dsm(1, 0, true, false, false)), 0);
	read_line(h, out, "range", 1, 1, 2);
	read_line(h, out, "again", 1, 1, 2);
	read_line(h, out, "behind", 1, 3, 1);
	read_line(h, out, "others", 1, 4, 4);
	nvp_build_dsm_range(h->data, 0, 2, end - 1);
	sim_probe_line(h, out, "past", sim_host_io(h, nvp_build_dsm(1, 0, true, false, false)), 0);
	sim_host_admin(h, nvp_build_set_features(5, 1, false, 0x10000));
	read_line(h, out, "dulbe", 1, 0, 2);
}

static void probe_reset(struct sim_host *h, struct nvp_text *out)
{
	write_blocks(h, 1, 40, 4, 10);
	sim_host_reset(h);
	read_line(h, out, "data", 1, 40, 4);
}

const struct sim_probe sim_probes_io[] = {
	{ "data", "sim:size=16M", probe_data },
	{ "ranges", "sim:size=16M", probe_ranges },
	{ "namespaces", "sim:size=16M,ns=2", probe_namespaces },
	{ "compare", "sim:size=16M", probe_compare },
	{ "zeroes", "sim:size=16M", probe_zeroes },
	{ "dsm", "sim:size=16M", probe_dsm },
	{ "reset", "sim:size=16M", probe_reset },
	{ NULL, NULL, NULL }
};
