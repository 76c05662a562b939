// SPDX-License-Identifier: GPL-2.0-or-later
// Identify of the simulated drive against NVMe Base 2.0, 5.17, and NVM Command Set 1.0, 4.1.5.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

static const char *const addresses[] = {
	"sim:", "sim:lba=4096", "sim:ns=3", "sim:vwc=off", "sim:vwc=absent", "sim:profile=minimal",
	"sim:profile=minimal,lba=4096",
};

static unsigned identify(struct sim_host *h, uint8_t cns, uint32_t nsid, uint8_t csi)
{
	sim_host_fill(h, 0xa5);
	return sim_host_status(sim_host_admin(h, nvp_build_identify(cns, nsid, 0, csi, 0)));
}

static void controller(void)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		struct sim_host h = { 0 };
		struct nvp_id_ctrl id;
		bool minimal = strstr(addresses[i], "minimal");

		if (!sim_host_open(&h, addresses[i]))
			continue;
		CU_ASSERT_EQUAL(identify(&h, 0x01, 0, 0), 0);
		CU_ASSERT_EQUAL(h.data[4096], 0xa5);
		CU_ASSERT_EQUAL(nvp_decode_id_ctrl(h.data, 4096, &id), 0);
		CU_ASSERT_EQUAL(id.ver, nvp_sim_bar_read(h.sim, NVP_REG_VS, 4));
		CU_ASSERT_EQUAL(id.ver, NVP_VERSION(2, 0, 0));
		CU_ASSERT_EQUAL(id.vid, nvp_sim_config_read(h.sim, 0, 2));
		CU_ASSERT_EQUAL(id.ssvid, nvp_sim_config_read(h.sim, 0x2c, 2));
		CU_ASSERT_EQUAL(id.sqes, 0x66);
		CU_ASSERT_EQUAL(id.cqes, 0x44);
		CU_ASSERT_EQUAL(id.cntrltype, 1);
		CU_ASSERT_EQUAL(memcmp(id.subnqn, "nqn.", 4), 0);
		CU_ASSERT_EQUAL(h.data[1023], 0);
		CU_ASSERT_EQUAL(id.vwc & 1, !minimal && !strstr(addresses[i], "absent"));
		CU_ASSERT_EQUAL(id.vwc >> 1, 3);
		CU_ASSERT_EQUAL(id.oncs, minimal ? 0 : 0x1df);
		CU_ASSERT_EQUAL(id.fuses, !minimal);
		CU_ASSERT_EQUAL(id.acwu_z, minimal ? 0 : 7);
		CU_ASSERT_EQUAL(id.ocfs, !minimal);
		CU_ASSERT_EQUAL(id.oacs & 0x04, minimal ? 0 : 0x04);
		CU_ASSERT_EQUAL(id.lpa, minimal ? 0x26 : 0x3e);
		CU_ASSERT_EQUAL(id.awupf_z, minimal ? 0 : 7);
		CU_ASSERT(id.awun_z >= id.awupf_z);
		CU_ASSERT(id.nn >= 1);
		for (unsigned at = 4; at < 72; at++)	/* SN, MN, FR: printable, then spaces */
			CU_ASSERT(h.data[at] >= 0x20 && h.data[at] <= 0x7e);
		CU_ASSERT_EQUAL(h.data[4 + 19], ' ');
		CU_ASSERT_EQUAL(h.data[24 + 39], ' ');
		sim_host_close(&h);
	}
}

static void namespaces(void)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(addresses); i++) {
		struct sim_host h = { 0 };
		struct nvp_id_ns id;

		if (!sim_host_open(&h, addresses[i]))
			continue;
		CU_ASSERT_EQUAL(identify(&h, 0x00, 1, 0), 0);
		CU_ASSERT_EQUAL(nvp_decode_id_ns(h.data, 4096, &id), 0);
		CU_ASSERT(id.nsze_lbas >= 1);
		CU_ASSERT(id.nsze_lbas >= id.ncap_lbas && id.ncap_lbas >= id.nuse_lbas);
		CU_ASSERT(id.format_index <= id.nlbaf_z);
		CU_ASSERT_EQUAL(id.lba_bytes, strstr(addresses[i], "4096") ? 4096 : 512);
		CU_ASSERT_EQUAL(id.dlfeat & 7, 1);
		CU_ASSERT_EQUAL(nvp_le64(id.nvmcap), id.nsze_lbas * id.lba_bytes);
		CU_ASSERT_FALSE(nvp_all_zero(id.nguid, 16) && nvp_all_zero(id.eui64, 8));
		/* never written: nothing is in use */
		CU_ASSERT_EQUAL(id.nuse_lbas, 0);
		sim_host_close(&h);
	}
}

static void invalid_nsids(void)
{
	struct sim_host h = { 0 };
	struct nvp_id_ctrl id;

	if (!sim_host_open(&h, "sim:ns=3"))
		return;
	identify(&h, 0x01, 0, 0);
	nvp_decode_id_ctrl(h.data, 4096, &id);
	CU_ASSERT(id.nn > 3);
	/* invalid: 0/0Bh; with Namespace Management FFFFFFFFh gives what all have in common */
	CU_ASSERT_EQUAL(identify(&h, 0x00, 0, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x00, id.nn + 1, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x00, NVP_NSID_ALL, 0), 0);
	CU_ASSERT_TRUE(nvp_all_zero(h.data, 24));
	CU_ASSERT_EQUAL(identify(&h, 0x08, id.nn + 1, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x05, 0, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x03, 0, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x03, NVP_NSID_ALL, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x03, 4, 0), 0x02);	/* inactive */
	/* inactive: zeroes */
	CU_ASSERT_EQUAL(identify(&h, 0x00, 4, 0), 0);
	CU_ASSERT_TRUE(nvp_all_zero(h.data, 4096));
	CU_ASSERT_EQUAL(identify(&h, 0x08, 4, 0), 0);
	CU_ASSERT_TRUE(nvp_all_zero(h.data, 4096));
	sim_host_close(&h);
}

static void lists(void)
{
	struct sim_host h = { 0 };
	struct nvp_nsid_list list;

	if (!sim_host_open(&h, "sim:ns=3"))
		return;
	CU_ASSERT_EQUAL(identify(&h, 0x02, 0, 0), 0);
	nvp_decode_nsid_list(h.data, 4096, &list);
	CU_ASSERT_EQUAL(list.nr, 3);
	CU_ASSERT_TRUE(list.ascending);
	CU_ASSERT_TRUE(list.zero_tail);
	CU_ASSERT_EQUAL(list.nsid[0], 1);
	CU_ASSERT_EQUAL(identify(&h, 0x02, 2, 0), 0);
	nvp_decode_nsid_list(h.data, 4096, &list);
	CU_ASSERT_EQUAL(list.nr, 1);
	CU_ASSERT_EQUAL(list.nsid[0], 3);
	CU_ASSERT_EQUAL(identify(&h, 0x02, 0xfffffffd, 0), 0);
	CU_ASSERT_TRUE(nvp_all_zero(h.data, 4096));
	CU_ASSERT_EQUAL(identify(&h, 0x02, 0xfffffffe, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x02, 0xffffffff, 0), 0x0b);
	CU_ASSERT_EQUAL(identify(&h, 0x07, 0, 0), 0);
	nvp_decode_nsid_list(h.data, 4096, &list);
	CU_ASSERT_EQUAL(list.nr, 3);
	CU_ASSERT_EQUAL(identify(&h, 0x07, 0, 2), 0x02);
	sim_host_close(&h);
}

static void descriptors(void)
{
	struct sim_host h = { 0 };
	struct nvp_ns_descriptors first, second;

	if (!sim_host_open(&h, "sim:ns=2"))
		return;
	CU_ASSERT_EQUAL(identify(&h, 0x03, 1, 0), 0);
	nvp_decode_ns_descriptors(h.data, 4096, &first);
	CU_ASSERT_EQUAL(identify(&h, 0x03, 2, 0), 0);
	nvp_decode_ns_descriptors(h.data, 4096, &second);
	CU_ASSERT_TRUE(first.has_eui64 && first.has_nguid && first.has_uuid && first.has_csi);
	CU_ASSERT_FALSE(first.length_wrong || first.duplicate || first.overrun);
	CU_ASSERT_EQUAL(first.csi, 0);
	CU_ASSERT_NOT_EQUAL(memcmp(first.eui64, second.eui64, 8), 0);
	CU_ASSERT_NOT_EQUAL(memcmp(first.nguid, second.nguid, 16), 0);
	CU_ASSERT_NOT_EQUAL(memcmp(first.uuid, second.uuid, 16), 0);
	CU_ASSERT_FALSE(nvp_all_zero(first.uuid, 16));
	/* the same identifiers as in Identify Namespace, EUI-64 of the OUI that IEEE says */
	CU_ASSERT_EQUAL(identify(&h, 0x00, 1, 0), 0);
	CU_ASSERT_EQUAL(memcmp(h.data + 104, first.nguid, 16), 0);
	CU_ASSERT_EQUAL(memcmp(h.data + 120, first.eui64, 8), 0);
	identify(&h, 0x01, 0, 0);
	CU_ASSERT_EQUAL(h.data[75], first.eui64[0]);
	CU_ASSERT_EQUAL(h.data[74], first.eui64[1]);
	CU_ASSERT_EQUAL(h.data[73], first.eui64[2]);
	sim_host_close(&h);
}

static void command_sets(void)
{
	struct sim_host h = { 0 };
	struct nvp_cmd cmd;

	if (!sim_host_open(&h, "sim:"))
		return;
	CU_ASSERT_EQUAL(identify(&h, 0x05, 1, 0), 0);
	CU_ASSERT_EQUAL(identify(&h, 0x06, 0, 0), 0);
	CU_ASSERT_EQUAL(nvp_le32(h.data), 0x00080008);	/* VSL, WUSL: recommended sizes */
	CU_ASSERT_TRUE(nvp_all_zero(h.data + 4, 4092));	/* ONCS has the commands: no limits */
	CU_ASSERT_EQUAL(identify(&h, 0x06, 0, 1), 0x02);
	CU_ASSERT_EQUAL(identify(&h, 0x05, 1, 0x30), 0x02);
	CU_ASSERT_EQUAL(identify(&h, 0x08, 1, 0), 0);
	CU_ASSERT_EQUAL(h.data[14], 1);			/* NSTAT: ready */
	cmd = nvp_build_identify(0x1c, 0, 0xffff, 0, 0);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, cmd)), 0);
	CU_ASSERT_EQUAL(nvp_le64(h.data), 1);
	CU_ASSERT_TRUE(nvp_all_zero(h.data + 8, 4088));
	cmd = nvp_build_identify(0x1c, 0, 0x7777, 0, 0);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, cmd)), 0x02);
	sim_host_close(&h);
}

static void other_cns(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:"))
		return;
	for (unsigned cns = 0; cns < 256; cns++) {
		bool known = cns <= 0x03 || (cns >= 0x05 && cns <= 0x08) ||
			     (cns >= 0x10 && cns <= 0x13) || cns == 0x1c;

		if (!known)
			CU_ASSERT_EQUAL(identify(&h, (uint8_t)cns, 1, 0), 0x02);
	}
	sim_host_close(&h);
}

/* NUSE follows what is written, zeroed and deallocated. */
static void utilization(void)
{
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	sim_host_io(&h, nvp_build_write(1, 10, 7, 512));
	sim_host_io(&h, nvp_build_flush(1));
	identify(&h, 0x00, 1, 0);
	CU_ASSERT_EQUAL(nvp_le64(h.data + 16), 8);
	sim_host_io(&h, nvp_build_write_zeroes(1, 10, 3, true));
	sim_host_io(&h, nvp_build_flush(1));
	identify(&h, 0x00, 1, 0);
	CU_ASSERT(nvp_le64(h.data + 16) <= 8);
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_identify[] = {
	{ "controller", controller },
	{ "namespaces", namespaces },
	{ "invalid_nsids", invalid_nsids },
	{ "lists", lists },
	{ "descriptors", descriptors },
	{ "command_sets", command_sets },
	{ "other_cns", other_cns },
	{ "utilization", utilization },
	CU_TEST_INFO_NULL
};
