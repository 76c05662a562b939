// SPDX-License-Identifier: GPL-2.0-or-later
// A script over metadata and protection information, in whatever format the drive has.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>
#include <nvproof/pi.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_probe.h"

#define META 0x40000u		/* of the data: metadata apart, and what the lines sum up to */
#define SLBA 100u
#define LBAS 4u
#define ALL (NVP_PRCHK_GUARD | NVP_PRCHK_APP | NVP_PRCHK_REF)
#define TAG 0xa5c3

struct format {
	struct nvp_pi_layout layout;
	unsigned type;
	bool extended;
	uint32_t first;		/* reference tag of type 2 */
};

static struct format format_of(struct sim_host *h)
{
	struct nvp_id_ns id;

	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	nvp_decode_id_ns(h->data, 4096, &id);
	return (struct format){
		.layout = { id.lba_bytes, id.metadata_bytes, id.dps >> 3 & 1 },
		.type = id.dps & 7,
		.extended = id.flbas >> 4 & 1,
		.first = 77,
	};
}

/* Where the data and the metadata of block i are. */
static uint8_t *block(struct sim_host *h, const struct format *f, unsigned i)
{
	return h->data + i * (f->layout.lba_bytes + (f->extended ? f->layout.meta_bytes : 0));
}

static uint8_t *meta(struct sim_host *h, const struct format *f, unsigned i)
{
	return f->extended ? block(h, f, i) + f->layout.lba_bytes :
			     h->data + META + i * f->layout.meta_bytes;
}

static uint32_t reference(const struct format *f, unsigned i)
{
	return f->type == 1 ? SLBA + i : f->type == 2 ? f->first + i : 0x12345678;
}

static unsigned checks(const struct format *f)
{
	return f->type == 3 ? NVP_PRCHK_GUARD | NVP_PRCHK_APP : ALL;
}

static struct nvp_cmd with(const struct sim_host *h, const struct format *f, struct nvp_cmd cmd,
			   unsigned prinfo)
{
	nvp_cmd_set_prinfo(&cmd, prinfo);
	nvp_cmd_set_tags(&cmd, reference(f, 0), TAG, 0xffff);
	if (!f->extended)
		nvp_cmd_set_mptr(&cmd, h->data_iova + META);
	return cmd;
}

static struct nvp_cmd read_cmd(const struct sim_host *h, const struct format *f, unsigned prinfo)
{
	return with(h, f, nvp_build_read(1, SLBA, LBAS - 1, f->layout.lba_bytes +
					 (f->extended ? f->layout.meta_bytes : 0)), prinfo);
}

static struct nvp_cmd write_cmd(const struct sim_host *h, const struct format *f, unsigned prinfo)
{
	return with(h, f, nvp_build_write(1, SLBA, LBAS - 1, f->layout.lba_bytes +
					  (f->extended ? f->layout.meta_bytes : 0)), prinfo);
}

/* Data and metadata with right information, in the host's memory. */
static void fill(struct sim_host *h, const struct format *f, uint64_t key)
{
	nvp_rand_fill(h->data, META + LBAS * 64, key);
	for (unsigned i = 0; f->type && f->layout.meta_bytes >= 8 && i < LBAS; i++) {
		struct nvp_pi pi = {
			.guard = nvp_pi_guard(&f->layout, block(h, f, i), meta(h, f, i)),
			.application = TAG,
			.reference = reference(f, i),
		};

		nvp_pi_put(&f->layout, meta(h, f, i), &pi);
	}
}

/* A line of what a read leaves in memory. */
static void read_line(struct sim_host *h, struct nvp_text *out, const char *label,
		      const struct format *f, struct nvp_cmd cmd)
{
	struct nvp_cpl cpl;

	memset(h->data, 0xa5, META + LBAS * 64);
	cpl = sim_host_io(h, cmd);
	memmove(h->data + LBAS * 4200, h->data + META, LBAS * 64);
	sim_probe_line(h, out, label, cpl, nvp_cpl_ok(&cpl) ? LBAS * (4200 + 64) : 0);
	(void)f;
}

static void line(struct sim_host *h, struct nvp_text *out, const char *label, struct nvp_cmd cmd)
{
	sim_probe_line(h, out, label, sim_host_io(h, cmd), 0);
}

/* Block 3 with its information changed, written unchecked. */
static void spoil(struct sim_host *h, const struct format *f, uint16_t guard, uint16_t application,
		  uint32_t reference_bits)
{
	struct nvp_pi pi;

	if (!f->type || f->layout.meta_bytes < 8)
		return;
	fill(h, f, 5);
	pi = nvp_pi_get(&f->layout, meta(h, f, 3));
	pi.guard ^= guard;
	pi.application ^= application;
	pi.reference ^= reference_bits;
	nvp_pi_put(&f->layout, meta(h, f, 3), &pi);
	sim_host_io(h, write_cmd(h, f, 0));
}

static void probe_right(struct sim_host *h, struct nvp_text *out)
{
	struct format f = format_of(h);
	struct nvp_cmd cmd;
	uint8_t *list = h->data + 0x80000, sgl1[16];

	sim_probe_value(out, "settings", nvp_le32(h->data + 26) >> 8);
	if (!f.layout.meta_bytes)
		return;
	fill(h, &f, 1);
	line(h, out, "write", write_cmd(h, &f, checks(&f)));
	read_line(h, out, "read", &f, read_cmd(h, &f, checks(&f)));
	fill(h, &f, 2);
	line(h, out, "insert", write_cmd(h, &f, NVP_PRACT));
	read_line(h, out, "inserted", &f, read_cmd(h, &f, 0));
	read_line(h, out, "strip", &f, read_cmd(h, &f, NVP_PRACT | checks(&f)));
	cmd = read_cmd(h, &f, 0);
	nvp_cmd_set_mptr(&cmd, h->data_iova + META + 8);
	read_line(h, out, "pointer", &f, cmd);
	nvp_build_sgl(list, NVP_SGL_DATA_BLOCK, h->data_iova + META, LBAS * f.layout.meta_bytes - 4);
	nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, h->data_iova, (uint32_t)cmd.data_bytes);
	nvp_cmd_set_sgl(&cmd, sgl1);
	nvp_cmd_set_psdt(&cmd, 2);
	nvp_cmd_set_mptr(&cmd, h->data_iova + 0x80000);
	line(h, out, "sgl-short", cmd);
}

static void probe_wrong(struct sim_host *h, struct nvp_text *out)
{
	struct format f = format_of(h);
	struct nvp_cmd cmd;

	sim_probe_value(out, "type", f.layout.meta_bytes ? f.type : 0);
	if (!f.layout.meta_bytes || !f.type)
		return;
	spoil(h, &f, 1, 0, 0);
	line(h, out, "guard-write", write_cmd(h, &f, checks(&f)));
	read_line(h, out, "guard", &f, read_cmd(h, &f, checks(&f)));
	line(h, out, "guard-off", read_cmd(h, &f, checks(&f) & ~(unsigned)NVP_PRCHK_GUARD));
	spoil(h, &f, 0, 0x8000, 0);
	line(h, out, "application", read_cmd(h, &f, checks(&f)));
	cmd = read_cmd(h, &f, checks(&f));
	nvp_cmd_set_tags(&cmd, reference(&f, 0), TAG, 0x7fff);
	line(h, out, "mask", cmd);
	spoil(h, &f, 0, 0, 1);
	line(h, out, "reference", read_cmd(h, &f, checks(&f)));
	spoil(h, &f, 0, 0, 0x10000);
	line(h, out, "reference-high", read_cmd(h, &f, checks(&f)));
	spoil(h, &f, 1, (uint16_t)~TAG, 0);
	line(h, out, "escape", read_cmd(h, &f, checks(&f)));
	fill(h, &f, 6);
	sim_host_io(h, write_cmd(h, &f, 0));
	cmd = read_cmd(h, &f, NVP_PRCHK_REF);
	nvp_cmd_set_tags(&cmd, reference(&f, 0) + 0x1000000, TAG, 0xffff);
	line(h, out, "initial", cmd);
	if (f.type != 2)
		return;
	f.first = 0xfffffffe;
	fill(h, &f, 7);
	line(h, out, "reference-passes-zero", write_cmd(h, &f, ALL));
}

static struct nvp_cmd copy_cmd(struct sim_host *h, const struct format *f, unsigned prinfo)
{
	struct nvp_cmd cmd = nvp_build_copy(1, SLBA + 64, 0, 0);

	nvp_build_copy_range(h->data, SLBA, LBAS - 1);
	nvp_put_le32(h->data + 24, reference(f, 0));
	nvp_put_le16(h->data + 28, TAG);
	nvp_put_le16(h->data + 30, 0xffff);
	nvp_cmd_set_prinfo(&cmd, NVP_PRACT);
	nvp_sqe_set_dw(&cmd.sqe, 12, nvp_sqe_dw(&cmd.sqe, 12) | prinfo << 12);
	nvp_cmd_set_tags(&cmd, f->type == 1 ? SLBA + 64 : 5, 0x4444, 0xffff);
	return cmd;
}

static void probe_commands(struct sim_host *h, struct nvp_text *out)
{
	struct format f = format_of(h);
	struct nvp_cmd cmd;

	sim_probe_value(out, "type", f.layout.meta_bytes ? f.type : 0);
	if (!f.layout.meta_bytes)
		return;
	fill(h, &f, 3);
	sim_host_io(h, write_cmd(h, &f, 0));
	cmd = with(h, &f, nvp_build_compare(1, SLBA, LBAS - 1, f.layout.lba_bytes), 0);
	line(h, out, "equal", cmd);
	meta(h, &f, 2)[f.type && f.layout.first ? 8 : 0] ^= 1;
	line(h, out, "compare", cmd);
	fill(h, &f, 3);
	line(h, out, "verify", with(h, &f, nvp_build_verify(1, SLBA, LBAS - 1), checks(&f)));
	line(h, out, "copy", copy_cmd(h, &f, NVP_PRACT | checks(&f)));
	cmd = read_cmd(h, &f, 0);
	nvp_sqe_set_qw(&cmd.sqe, 10, SLBA + 64);
	read_line(h, out, "copied", &f, cmd);
	spoil(h, &f, 1, 0, 0);
	line(h, out, "verify-guard", with(h, &f, nvp_build_verify(1, SLBA, LBAS - 1), checks(&f)));
	line(h, out, "verify-off", with(h, &f, nvp_build_verify(1, SLBA, LBAS - 1), 0));
	line(h, out, "copy-guard", copy_cmd(h, &f, NVP_PRACT | NVP_PRCHK_GUARD));
	line(h, out, "zeroes",
	     with(h, &f, nvp_build_write_zeroes(1, SLBA, LBAS - 1, false), NVP_PRACT));
	read_line(h, out, "zeroed", &f, read_cmd(h, &f, 0));
	line(h, out, "deallocate",
	     with(h, &f, nvp_build_write_zeroes(1, SLBA, LBAS - 1, true), 0));
	read_line(h, out, "deallocated", &f, read_cmd(h, &f, 0));
}

const struct sim_probe sim_probes_protection[] = {
	{ "protection", "sim:size=16M", probe_right },
	{ "protection-wrong", "sim:size=16M", probe_wrong },
	{ "protection-commands", "sim:size=16M", probe_commands },
	{ NULL, NULL, NULL }
};
