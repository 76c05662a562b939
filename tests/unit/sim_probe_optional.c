// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over Write Uncorrectable, Verify, Copy and fused pairs.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_probe.h"

static void write_blocks(struct sim_host *h, uint64_t slba, unsigned nr, uint8_t key)
{
	nvp_rand_fill(h->data, nr * 512u, key);
	sim_host_io(h, nvp_build_write(1, slba, (uint16_t)(nr - 1), 512));
}

static void io_line(struct sim_host *h, struct nvp_text *out, const char *label, struct nvp_cmd cmd)
{
	sim_probe_line(h, out, label, sim_host_io(h, cmd), 0);
}

/* What of the data a refused read leaves is of no interest. */
static void read_line(struct sim_host *h, struct nvp_text *out, const char *label, uint64_t slba,
		      unsigned nr)
{
	struct nvp_cpl cpl;

	sim_host_fill(h, 0xa5);
	cpl = sim_host_io(h, nvp_build_read(1, slba, (uint16_t)(nr - 1), 512));
	sim_probe_line(h, out, label, cpl, nvp_cpl_ok(&cpl) ? nr * 512u : 0);
}

static uint64_t nsze(struct sim_host *h)
{
	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	return nvp_le64(h->data);
}

static void probe_uncorrectable(struct sim_host *h, struct nvp_text *out)
{
	uint64_t end = nsze(h);

	write_blocks(h, 8, 16, 1);
	io_line(h, out, "mark", nvp_build_write_uncorrectable(1, 10, 1));
	read_line(h, out, "first", 10, 1);
	read_line(h, out, "last", 11, 1);
	read_line(h, out, "large", 8, 8);
	read_line(h, out, "before", 8, 2);
	read_line(h, out, "behind", 12, 4);
	memset(h->data, 0, 512);
	io_line(h, out, "compare", nvp_build_compare(1, 10, 0, 512));
	io_line(h, out, "verify", nvp_build_verify(1, 8, 7));
	io_line(h, out, "verify-good", nvp_build_verify(1, 16, 7));
	read_line(h, out, "verified", 16, 8);
	io_line(h, out, "past", nvp_build_write_uncorrectable(1, end - 1, 1));
	io_line(h, out, "verify-past", nvp_build_verify(1, end, 0));
	io_line(h, out, "verify-large", nvp_build_verify(1, 64, 4095));
	sim_host_io(h, nvp_build_write_zeroes(1, 11, 0, false));
	read_line(h, out, "zeroed", 11, 1);
	write_blocks(h, 10, 1, 2);
	read_line(h, out, "cured", 10, 1);
}

static void probe_copy(struct sim_host *h, struct nvp_text *out)
{
	uint64_t end;

	write_blocks(h, 200, 1, 3);
	write_blocks(h, 100, 16, 1);
	nvp_build_copy_range(h->data, 100, 3);
	nvp_build_copy_range(h->data + 32, 108, 0);
	io_line(h, out, "good", nvp_build_copy(1, 200, 1, 0));
	read_line(h, out, "one", 200, 1);
	read_line(h, out, "two", 201, 2);
	read_line(h, out, "four", 203, 1);
	read_line(h, out, "last", 204, 1);
	read_line(h, out, "source", 100, 1);
	read_line(h, out, "others", 101, 15);
	nvp_build_copy_range(h->data, 100, 64);
	io_line(h, out, "mssrl", nvp_build_copy(1, 400, 0, 0));
	for (unsigned i = 0; i < 9; i++)
		nvp_build_copy_range(h->data + 32 * i, 100, i < 5 ? 63 : 0);
	io_line(h, out, "mcl", nvp_build_copy(1, 1000, 4, 0));
	for (unsigned i = 0; i < 9; i++)
		nvp_build_copy_range(h->data + 32 * i, 100 + i, 0);
	io_line(h, out, "msrc", nvp_build_copy(1, 400, 8, 0));
	io_line(h, out, "format", nvp_build_copy(1, 500, 0, 2));
	end = nsze(h);
	nvp_build_copy_range(h->data, end - 1, 1);
	io_line(h, out, "source-past", nvp_build_copy(1, 400, 0, 0));
	nvp_build_copy_range(h->data, 100, 1);
	io_line(h, out, "past", nvp_build_copy(1, end - 1, 0, 0));
	nvp_build_copy_range(h->data, 100, 7);
	io_line(h, out, "overlap", nvp_build_copy(1, 102, 0, 0));
	read_line(h, out, "moved", 103, 7);
	sim_host_io(h, nvp_build_write_uncorrectable(1, 50, 0));
	nvp_build_copy_range(h->data, 50, 0);
	io_line(h, out, "marked", nvp_build_copy(1, 60, 0, 0));
}

/* Halves of a fused pair; data of the second stands 4096 bytes behind that of the first. */
static struct nvp_cmd half(struct sim_host *h, struct nvp_cmd cmd, unsigned fuse)
{
	nvp_cmd_set_fuse(&cmd, fuse);
	nvp_sqe_set_qw(&cmd.sqe, 6, h->data_iova + (fuse == 2 ? 4096 : 0));
	cmd.raw_dptr = true;
	return cmd;
}

/* Into the queue without the doorbell: the next one that is posted rings for both. */
static void post_silently(struct sim_host *h, const struct nvp_cmd *cmd)
{
	struct nvp_sqe sqe = cmd->sqe;

	nvp_sqe_set_cid(&sqe, h->next_cid++);
	memcpy(h->io.sq + h->io.tail * NVP_SQE_BYTES, sqe.bytes, NVP_SQE_BYTES);
	h->io.tail = (h->io.tail + 1) % SIM_HOST_DEPTH;
}

static void pair_line(struct sim_host *h, struct nvp_text *out, const char *label,
		      const char *second_label, struct nvp_cmd first, struct nvp_cmd second)
{
	struct nvp_cpl cpl = { .status = { .sct = 7, .sc = 0xff } };

	first = half(h, first, 1);
	second = half(h, second, 2);
	post_silently(h, &first);
	sim_host_post(h, &h->io, &second);
	sim_host_reap(h, &h->io, &cpl);
	sim_probe_line(h, out, label, cpl, 0);
	cpl.status.sct = 7;
	sim_host_reap(h, &h->io, &cpl);
	sim_probe_line(h, out, second_label, cpl, 0);
}

static void set_data(struct sim_host *h, uint8_t compared, uint8_t written)
{
	memset(h->data, compared, 512);
	memset(h->data + 4096, written, 512);
}

/* So that it is no question what unwritten blocks read as. */
static void write_zeroes(struct sim_host *h)
{
	memset(h->data, 0, 8192);
	sim_host_io(h, nvp_build_write(1, 0, 15, 512));
}

static void probe_fused(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd compare = nvp_build_compare(1, 5, 0, 512);
	struct nvp_cmd write = nvp_build_write(1, 5, 0, 512);

	write_zeroes(h);
	set_data(h, 0, 0);
	pair_line(h, out, "zeroes", "zeroes-write", compare, write);
	set_data(h, 0, 0x11);
	pair_line(h, out, "new", "new-write", compare, write);
	read_line(h, out, "data", 5, 1);
	set_data(h, 0x12, 0x22);
	pair_line(h, out, "differs", "differs-write", compare, write);
	read_line(h, out, "kept", 5, 1);
	set_data(h, 0x11, 0x33);
	io_line(h, out, "first-alone", half(h, compare, 1));
	io_line(h, out, "second-alone", half(h, nvp_build_write(1, 7, 0, 512), 2));
	set_data(h, 0, 0x44);
	pair_line(h, out, "ranges", "ranges-write", nvp_build_compare(1, 9, 0, 512),
		  nvp_build_write(1, 10, 0, 512));
	pair_line(h, out, "opcodes", "opcodes-write", nvp_build_write(1, 12, 0, 512),
		  nvp_build_write(1, 12, 0, 512));
}

/* Two pairs that both find the old data, if nothing keeps them apart. */
static void probe_race(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd compare = half(h, nvp_build_compare(1, 5, 0, 512), 1);
	struct nvp_cmd write = half(h, nvp_build_write(1, 5, 0, 512), 2);
	unsigned good = 0;

	write_zeroes(h);
	set_data(h, 0, 0x55);
	post_silently(h, &compare);
	post_silently(h, &write);
	post_silently(h, &compare);
	sim_host_post(h, &h->io, &write);
	for (unsigned i = 0; i < 4; i++) {
		struct nvp_cpl cpl = { .status = { .sct = 7 } };

		sim_host_reap(h, &h->io, &cpl);
		good += nvp_cpl_ok(&cpl);
	}
	sim_probe_value(out, "good", good);
}

/* One read, alone and with eleven others; the drive is idle in between. */
static void probe_depth(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd read = nvp_build_read(1, 3, 0, 512);
	struct nvp_cpl cpl = { 0 };

	memset(h->data, 0x31, 512);
	memset(h->data + 512, 0x32, 512);
	io_line(h, out, "write", nvp_build_write(1, 3, 1, 1024));
	io_line(h, out, "alone", read);
	sim_probe_value(out, "alone-data", h->data[0]);
	for (unsigned i = 0; i < 12; i++)
		sim_host_post(h, &h->io, &read);
	for (unsigned i = 0; i < 12; i++)
		sim_host_reap(h, &h->io, &cpl);
	sim_probe_value(out, "together-data", h->data[0]);
}

static void probe_limits(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_id_ns ns;

	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	nvp_decode_id_ns(h->data, 4096, &ns);
	sim_probe_value(out, "mssrl", ns.mssrl_lbas);
	sim_probe_value(out, "mcl", ns.mcl_lbas);
}

const struct sim_probe sim_probes_optional[] = {
	{ "uncorrectable", "sim:size=16M", probe_uncorrectable },
	{ "copy", "sim:size=16M", probe_copy },
	{ "fused", "sim:size=16M", probe_fused },
	{ "race", "sim:size=16M", probe_race },
	{ "depth", "sim:size=16M", probe_depth },
	{ "copy-limits", "sim:size=16M", probe_limits },
	{ NULL, NULL, NULL }
};
