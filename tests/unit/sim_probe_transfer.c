// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over scatter gather lists.

#include <string.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "tests/unit/sim_probe.h"

#define AREA 0x80000u		/* of the data: descriptors of these scripts */
#define BLOCKS 8u
#define BYTES (BLOCKS * 512u)

/* Descriptor i of the list at AREA + 512 * segment: data at this offset of the host's data. */
static void put(struct sim_host *h, unsigned segment, unsigned i, uint8_t identifier,
		uint32_t offset, uint32_t bytes)
{
	nvp_build_sgl(h->data + AREA + 512 * segment + 16 * i, identifier, h->data_iova + offset,
		      bytes);
}

/* A line of blocks 100 to 107 over the list of segment 0, which has nr descriptors. */
static void sgl_line(struct sim_host *h, struct nvp_text *out, const char *label, bool write,
		     unsigned bytes, uint8_t identifier)
{
	struct nvp_cmd cmd = write ? nvp_build_write(1, 100, BLOCKS - 1, 512) :
				     nvp_build_read(1, 100, BLOCKS - 1, 512);
	uint8_t sgl1[16];
	struct nvp_cpl cpl;

	nvp_build_sgl(sgl1, identifier, h->data_iova + AREA, bytes);
	nvp_cmd_set_sgl(&cmd, sgl1);
	if (!write)
		memset(h->data, 0xa5, AREA);
	cpl = sim_host_io(h, cmd);
	if (write && nvp_cpl_ok(&cpl))
		cpl = sim_host_io(h, nvp_build_read(1, 100, BLOCKS - 1, 512));
	sim_probe_line(h, out, label, cpl, nvp_cpl_ok(&cpl) ? 3 * BYTES : 0);
}

static void read_line(struct sim_host *h, struct nvp_text *out, const char *label, unsigned nr)
{
	sgl_line(h, out, label, false, 16 * nr, NVP_SGL_LAST_SEGMENT);
}

static void fill_blocks(struct sim_host *h)
{
	nvp_rand_fill(h->data, BYTES, 9);
	sim_host_io(h, nvp_build_write(1, 100, BLOCKS - 1, 512));
}

static void probe_shapes(struct sim_host *h, struct nvp_text *out)
{
	fill_blocks(h);
	put(h, 0, 0, NVP_SGL_DATA_BLOCK, 4096, 1024);
	put(h, 0, 1, NVP_SGL_DATA_BLOCK, 512, BYTES - 1024);
	read_line(h, out, "two", 2);
	put(h, 0, 1, NVP_SGL_DATA_BLOCK, 8195, BYTES - 1024);
	read_line(h, out, "odd", 2);
	put(h, 0, 1, NVP_SGL_SEGMENT, AREA + 512, 32);
	put(h, 1, 0, NVP_SGL_DATA_BLOCK, 0, 1024);
	put(h, 1, 1, NVP_SGL_LAST_SEGMENT, AREA + 1024, 16);
	put(h, 2, 0, NVP_SGL_DATA_BLOCK, 6000, BYTES - 2048);
	sgl_line(h, out, "chain", false, 32, NVP_SGL_SEGMENT);
	for (unsigned i = 0; i < 32; i++)
		put(h, 0, i, NVP_SGL_DATA_BLOCK, 8192 - 256 * i, BYTES / 32);
	read_line(h, out, "many", 32);
	put(h, 0, 0, NVP_SGL_DATA_BLOCK, 0, 0);
	put(h, 0, 1, NVP_SGL_DATA_BLOCK, 512, BYTES);
	read_line(h, out, "empty", 2);
	put(h, 0, 0, NVP_SGL_DATA_BLOCK, 512, 1000);
	put(h, 0, 1, NVP_SGL_BIT_BUCKET, 0, 96);
	put(h, 0, 2, NVP_SGL_DATA_BLOCK, 2048, BYTES - 1096);
	read_line(h, out, "bucket", 3);
	put(h, 0, 2, NVP_SGL_DATA_BLOCK, 2048, BYTES - 1000);
	nvp_rand_fill(h->data, AREA, 10);
	sgl_line(h, out, "bucket-write", true, 48, NVP_SGL_LAST_SEGMENT);
}

static void probe_refused(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_read(1, 100, 0, 512);
	uint8_t sgl1[16];

	fill_blocks(h);
	put(h, 0, 0, NVP_SGL_DATA_BLOCK, 0, 1024);
	put(h, 0, 1, NVP_SGL_DATA_BLOCK, 4096, BYTES - 1028);
	read_line(h, out, "short", 2);
	put(h, 0, 1, NVP_SGL_DATA_BLOCK, 4096, BYTES - 1020);
	read_line(h, out, "long", 2);
	put(h, 0, 1, 0x60, 4096, BYTES - 1024);
	read_line(h, out, "type", 2);
	put(h, 0, 1, 0x0b, 4096, BYTES - 1024);
	read_line(h, out, "subtype", 2);
	put(h, 0, 1, NVP_SGL_LAST_SEGMENT, AREA + 512, 16);
	put(h, 1, 0, NVP_SGL_DATA_BLOCK, 4096, BYTES - 1024);
	read_line(h, out, "last", 2);
	put(h, 0, 2, NVP_SGL_DATA_BLOCK, 4096, 0);
	read_line(h, out, "place", 3);
	put(h, 0, 0, NVP_SGL_DATA_BLOCK, 0, BYTES);
	sgl_line(h, out, "no-length", false, 0, NVP_SGL_LAST_SEGMENT);
	sgl_line(h, out, "odd-length", false, 24, NVP_SGL_LAST_SEGMENT);
	nvp_build_sgl(sgl1, NVP_SGL_DATA_BLOCK, h->data_iova, 512);
	nvp_cmd_set_sgl(&cmd, sgl1);
	sim_probe_line(h, out, "one", sim_host_io(h, cmd), 512);
	nvp_cmd_set_psdt(&cmd, 3);
	sim_probe_line(h, out, "psdt", sim_host_io(h, cmd), 512);
}

const struct sim_probe sim_probes_transfer[] = {
	{ "sgl", "sim:size=16M", probe_shapes },
	{ "sgl-refused", "sim:size=16M", probe_refused },
	{ NULL, NULL, NULL }
};
