// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the Identify decoders and registers: good, short and lying data.

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "tests/unit/unit.h"

union any_out {
	struct nvp_id_ctrl ctrl;
	struct nvp_id_ns ns;
	struct nvp_nsid_list list;
	struct nvp_ns_descriptors descriptors;
	struct nvp_id_ctrl_nvm nvm;
	struct nvp_id_ns_independent independent;
	struct nvp_io_command_sets sets;
};

/* Each decoder behind one type, so that all are tried with all lengths. */
#define WRAP(name, member)								\
	static int call_ ## name(const void *b, size_t n, union any_out *out)		\
	{										\
		return nvp_decode_ ## name(b, n, &out->member);				\
	}
WRAP(id_ctrl, ctrl)
WRAP(id_ns, ns)
WRAP(nsid_list, list)
WRAP(ns_descriptors, descriptors)
WRAP(id_ctrl_nvm, nvm)
WRAP(id_ns_independent, independent)
WRAP(io_command_sets, sets)

static const struct {
	int (*call)(const void *b, size_t n, union any_out *out);
	size_t out_bytes;
} decoders[] = {
	{ call_id_ctrl, sizeof(struct nvp_id_ctrl) },
	{ call_id_ns, sizeof(struct nvp_id_ns) },
	{ call_nsid_list, sizeof(struct nvp_nsid_list) },
	{ call_ns_descriptors, sizeof(struct nvp_ns_descriptors) },
	{ call_id_ctrl_nvm, sizeof(struct nvp_id_ctrl_nvm) },
	{ call_id_ns_independent, sizeof(struct nvp_id_ns_independent) },
	{ call_io_command_sets, sizeof(struct nvp_io_command_sets) },
};

/* Memory of exactly n bytes, all FFh: whoever reads behind it or trusts it is found out by ASan. */
static void short_data_is_refused_and_zeroed(void)
{
	static union any_out out;

	for (size_t d = 0; d < NVP_ARRAY_SIZE(decoders); d++) {
		for (size_t n = 0; n <= 4096; n += n < 4090 ? 13 : 1) {
			uint8_t *bytes = malloc(n ? n : 1);
			int rc;

			CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
			memset(bytes, 0xff, n);
			memset(&out, 0xaa, sizeof(out));
			rc = decoders[d].call(bytes, n, &out);
			CU_ASSERT_EQUAL(rc, n < 4096 ? -EMSGSIZE : 0);
			if (rc)
				CU_ASSERT_TRUE(nvp_all_zero(&out, decoders[d].out_bytes));
			free(bytes);
		}
	}
}

static void controller(void)
{
	uint8_t b[4096] = { 0 };
	struct nvp_id_ctrl out;

	nvp_put_le16(b, 0x1b36);
	nvp_put_le16(b + 2, 0x1af4);
	memcpy(b + 4, "SERIAL 1            ", 20);
	memcpy(b + 24, "A model with a \x1b in it and 40 bytes!!...", 40);
	memcpy(b + 64, "1.0\0\0\0\0\0", 8);
	b[76] = 2;
	b[77] = 7;
	nvp_put_le16(b + 78, 0x1234);
	nvp_put_le32(b + 80, NVP_VERSION(2, 0, 1));
	nvp_put_le32(b + 84, 500000);
	nvp_put_le32(b + 88, 600000);
	nvp_put_le32(b + 92, 0x100);
	nvp_put_le32(b + 96, 0x8000);
	b[111] = 1;
	nvp_put_le16(b + 256, 0x10a);
	memcpy(b + 258, "\x03\x04\x16\x2f\x3f\x05", 6);
	b[265] = 1;
	nvp_put_le16(b + 266, 343);
	nvp_put_le16(b + 268, 353);
	b[512] = 0x66;
	b[513] = 0x44;
	nvp_put_le16(b + 514, 256);
	nvp_put_le32(b + 516, 1024);
	nvp_put_le16(b + 520, 0x15d);
	nvp_put_le16(b + 522, 1);
	b[524] = 4;
	b[525] = 7;
	nvp_put_le16(b + 526, 0xff);
	nvp_put_le16(b + 528, 7);
	b[531] = 3;
	nvp_put_le16(b + 532, 9);
	nvp_put_le32(b + 536, 0xf0001);
	nvp_put_le32(b + 540, 32);
	memset(b + 768, 'q', 256);	/* no NUL anywhere */
	CU_ASSERT_EQUAL(nvp_decode_id_ctrl(b, sizeof(b), &out), 0);
	CU_ASSERT_TRUE(out.vid == 0x1b36 && out.ssvid == 0x1af4);
	CU_ASSERT_STRING_EQUAL(out.sn, "SERIAL 1");
	CU_ASSERT_STRING_EQUAL(out.mn, "A model with a ? in it and 40 bytes!!...");
	CU_ASSERT_STRING_EQUAL(out.fr, "1.0");
	CU_ASSERT_TRUE(out.cmic == 2 && out.mdts == 7 && out.cntlid == 0x1234 && out.ver == 0x20001);
	CU_ASSERT_TRUE(out.rtd3r_us == 500000 && out.rtd3e_us == 600000);
	CU_ASSERT_TRUE(out.oaes == 0x100 && out.ctratt == 0x8000 && out.cntrltype == 1);
	CU_ASSERT_TRUE(out.oacs == 0x10a && out.acl_z == 3 && out.aerl_z == 4 && out.frmw == 0x16);
	CU_ASSERT_TRUE(out.lpa == 0x2f && out.elpe_z == 0x3f && out.npss_z == 5 && out.apsta == 1);
	CU_ASSERT_TRUE(out.wctemp_k == 343 && out.cctemp_k == 353);
	CU_ASSERT_TRUE(out.sqes == 0x66 && out.cqes == 0x44 && out.maxcmd == 256 && out.nn == 1024);
	CU_ASSERT_TRUE(out.oncs == 0x15d && out.fuses == 1 && out.fna == 4 && out.vwc == 7);
	CU_ASSERT_TRUE(out.awun_z == 0xff && out.awupf_z == 7 && out.acwu_z == 9 && out.nwpc == 3);
	CU_ASSERT_TRUE(out.sgls == 0xf0001 && out.mnan == 32);
	CU_ASSERT_EQUAL(strlen(out.subnqn), 256);
}

/* Each two-byte field of a namespace by its offset in the figure. */
static void namespace_fields(void)
{
	uint8_t b[4096] = { 0 };
	struct nvp_id_ns out;

	for (unsigned i = 0; i < 128; i++)
		b[i] = (uint8_t)(i + 1);
	b[25] = 1;
	b[26] = 1;
	b[82] = 0;
	memcpy(b + 128, "\x00\x00\x09\x02\x08\x00\x0c\xfd", 8);
	CU_ASSERT_EQUAL(nvp_decode_id_ns(b, sizeof(b), &out), 0);
	CU_ASSERT_EQUAL(out.nsze_lbas, UINT64_C(0x0807060504030201));
	CU_ASSERT_EQUAL(out.ncap_lbas, UINT64_C(0x100f0e0d0c0b0a09));
	CU_ASSERT_EQUAL(out.nuse_lbas, UINT64_C(0x1817161514131211));
	CU_ASSERT_TRUE(out.nsfeat == 25 && out.nlbaf_z == 1 && out.flbas == 1 && out.mc == 28);
	CU_ASSERT_TRUE(out.dpc == 29 && out.dps == 30 && out.nmic == 31 && out.rescap == 32);
	CU_ASSERT_TRUE(out.fpi == 33 && out.dlfeat == 34);
	CU_ASSERT_TRUE(out.nawun_z == 0x2423 && out.nawupf_z == 0x2625 && out.nacwu_z == 0x2827);
	CU_ASSERT_TRUE(out.nabsn_z == 0x2a29 && out.nabo == 0x2c2b && out.nabspf_z == 0x2e2d);
	CU_ASSERT_EQUAL(out.noiob, 0x302f);
	CU_ASSERT_EQUAL(memcmp(out.nvmcap, b + 48, 16), 0);
	CU_ASSERT_TRUE(out.npwg_z == 0x4241 && out.npwa_z == 0x4443 && out.npdg_z == 0x4645);
	CU_ASSERT_TRUE(out.npda_z == 0x4847 && out.nows_z == 0x4a49);
	CU_ASSERT_EQUAL(memcmp(out.nguid, b + 104, 16), 0);
	CU_ASSERT_EQUAL(memcmp(out.eui64, b + 120, 8), 0);
	CU_ASSERT_TRUE(out.lbaf[0].ms_bytes == 0 && out.lbaf[0].lbads == 9 && out.lbaf[0].rp == 2);
	CU_ASSERT_TRUE(out.lbaf[1].ms_bytes == 8 && out.lbaf[1].lbads == 12 && out.lbaf[1].rp == 1);
	CU_ASSERT_TRUE(out.format_index == 1 && out.lba_bytes == 4096 && out.metadata_bytes == 8);
}

struct format_row {
	uint8_t nlbaf_z, nulbaf, flbas, lbads;	/* every format gets this lbads */
	unsigned index;
	uint32_t lba_bytes;
};

/* FLBAS in all its forms; 0 bytes where it names nothing that can be used. */
static void format_in_use(void)
{
	static const struct format_row rows[] = {
		{ 0, 0, 0x00, 9, 0, 512 },
		{ 0, 0, 0x10, 9, 0, 512 },	/* metadata bit is no index */
		{ 0, 0, 0x01, 9, 1, 0 },	/* beyond NLBAF */
		{ 15, 0, 0x0f, 12, 15, 4096 },
		{ 15, 0, 0x6f, 12, 15, 4096 },	/* 16 formats: upper bits are ignored */
		{ 16, 0, 0x20, 12, 16, 4096 },
		{ 16, 0, 0x21, 12, 17, 0 },
		{ 63, 0, 0x6f, 9, 63, 512 },
		{ 15, 48, 0x6f, 9, 63, 512 },	/* the unique formats count too */
		{ 255, 255, 0xff, 9, 63, 512 },
		{ 0, 0, 0, 0, 0, 0 },		/* format not available */
		{ 0, 0, 0, 8, 0, 0 },
		{ 0, 0, 0, 31, 0, UINT32_C(1) << 31 },
		{ 0, 0, 0, 32, 0, 0 },
		{ 0, 0, 0, 255, 0, 0 },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		uint8_t b[4096] = { 0 };
		struct nvp_id_ns out;

		b[25] = rows[i].nlbaf_z;
		b[26] = rows[i].flbas;
		b[82] = rows[i].nulbaf;
		for (size_t f = 0; f < 64; f++)
			nvp_put_le32(b + 128 + 4 * f, (uint32_t)rows[i].lbads << 16 | 16);
		CU_ASSERT_EQUAL(nvp_decode_id_ns(b, sizeof(b), &out), 0);
		CU_ASSERT_EQUAL(out.format_index, rows[i].index);
		CU_ASSERT_EQUAL(out.lba_bytes, rows[i].lba_bytes);
		CU_ASSERT_EQUAL(out.metadata_bytes, rows[i].lba_bytes ? 16 : 0);
	}
}

static void check_list(const uint32_t *nsids, size_t nr, unsigned expected_nr, bool ascending,
		       bool zero_tail)
{
	uint8_t b[4096] = { 0 };
	struct nvp_nsid_list out;

	for (size_t i = 0; i < nr; i++)
		nvp_put_le32(b + 4 * i, nsids[i]);
	CU_ASSERT_EQUAL(nvp_decode_nsid_list(b, sizeof(b), &out), 0);
	CU_ASSERT_EQUAL(out.nr, expected_nr);
	CU_ASSERT_EQUAL(out.ascending, ascending);
	CU_ASSERT_EQUAL(out.zero_tail, zero_tail);
	for (unsigned i = 0; i < out.nr; i++)
		CU_ASSERT_EQUAL(out.nsid[i], nsids[i]);
}

static void namespace_lists(void)
{
	uint32_t full[1024];

	check_list(NULL, 0, 0, true, true);
	check_list((uint32_t[]) { 1 }, 1, 1, true, true);
	check_list((uint32_t[]) { 1, 2, 0xfffffffe }, 3, 3, true, true);
	check_list((uint32_t[]) { 2, 1 }, 2, 2, false, true);
	check_list((uint32_t[]) { 1, 1 }, 2, 2, false, true);
	check_list((uint32_t[]) { 1, 0, 2 }, 3, 1, true, false);
	check_list((uint32_t[]) { 0, 2 }, 2, 0, true, false);
	for (uint32_t i = 0; i < 1024; i++)
		full[i] = i + 1;
	check_list(full, 1024, 1024, true, true);
	full[1023] = 5;
	check_list(full, 1024, 1024, false, true);
	full[1023] = 0;
	full[1022] = 0;
	check_list(full, 1024, 1022, true, true);
}

static struct nvp_ns_descriptors described(const void *bytes, size_t nr)
{
	uint8_t b[4096] = { 0 };
	struct nvp_ns_descriptors out;

	memcpy(b, bytes, nr);
	CU_ASSERT_EQUAL(nvp_decode_ns_descriptors(b, sizeof(b), &out), 0);
	return out;
}

#define EUI "\x01\x08\0\0" "12345678"
#define GUID "\x02\x10\0\0" "abcdefghijklmnop"
#define UUID "\x03\x10\0\0" "ABCDEFGHIJKLMNOP"
#define CSI "\x04\x01\0\0" "\x02"

static void good_descriptors(void)
{
	struct nvp_ns_descriptors out = described(CSI UUID GUID EUI, 5 + 20 + 20 + 12);

	CU_ASSERT_TRUE(out.has_eui64 && out.has_nguid && out.has_uuid && out.has_csi);
	CU_ASSERT_EQUAL(memcmp(out.eui64, "12345678", 8), 0);
	CU_ASSERT_EQUAL(memcmp(out.nguid, "abcdefghijklmnop", 16), 0);
	CU_ASSERT_EQUAL(memcmp(out.uuid, "ABCDEFGHIJKLMNOP", 16), 0);
	CU_ASSERT_EQUAL(out.csi, 2);
	CU_ASSERT_EQUAL(out.nr, 4);
	CU_ASSERT_FALSE(out.nr_unknown || out.length_wrong || out.duplicate || out.overrun);
	out = described("", 0);
	CU_ASSERT_FALSE(out.nr || out.overrun);
}

static void lying_descriptors(void)
{
	struct nvp_ns_descriptors out;
	uint8_t b[4096] = { 0 };

	out = described("\x01\x10\0\0" "1234567812345678" UUID, 40);	/* EUI64 of 16 bytes */
	CU_ASSERT_TRUE(out.length_wrong && !out.has_eui64 && out.has_uuid && out.nr == 2);
	out = described("\x05\x02\0\0" "xx" CSI, 11);			/* unknown type: stepped over */
	CU_ASSERT_TRUE(out.nr_unknown == 1 && out.has_csi && out.nr == 2 && !out.length_wrong);
	out = described(EUI "\x01\x08\0\0" "87654321", 24);
	CU_ASSERT_TRUE(out.duplicate && out.has_eui64 && out.nr == 2);
	CU_ASSERT_EQUAL(memcmp(out.eui64, "12345678", 8), 0);
	out = described(CSI "\0\0\0\0" UUID, 29);			/* behind the end: not looked at */
	CU_ASSERT_TRUE(out.nr == 1 && !out.has_uuid);

	/* Unknown ones up to the end, the last exactly ending there, then one byte too long. */
	for (size_t at = 0; at < 4096; at += 64) {
		b[at] = 0x7f;
		b[at + 1] = 60;
	}
	out = described(b, sizeof(b));
	CU_ASSERT_TRUE(out.nr == 64 && out.nr_unknown == 64 && !out.overrun);
	b[4033] = 61;
	out = described(b, sizeof(b));
	CU_ASSERT_TRUE(out.nr == 63 && out.overrun);
	/* Three bytes left at the end: no header fits there. */
	b[4033] = 57;
	out = described(b, sizeof(b));
	CU_ASSERT_TRUE(out.nr == 64 && !out.overrun);
	b[4093] = 1;
	out = described(b, sizeof(b));
	CU_ASSERT_TRUE(out.nr == 64 && out.overrun);
}

static void small_structures(void)
{
	uint8_t b[4096] = { 0 };
	struct nvp_id_ctrl_nvm nvm;
	struct nvp_id_ns_independent independent;
	struct nvp_io_command_sets sets;

	for (unsigned i = 0; i < 16; i++)
		b[i] = (uint8_t)(i + 1);
	CU_ASSERT_EQUAL(nvp_decode_id_ctrl_nvm(b, sizeof(b), &nvm), 0);
	CU_ASSERT_TRUE(nvm.vsl == 1 && nvm.wzsl == 2 && nvm.wusl == 3 && nvm.dmrl == 4);
	CU_ASSERT_TRUE(nvm.dmrsl_lbas == 0x08070605 && nvm.dmsl_lbas == UINT64_C(0x100f0e0d0c0b0a09));
	CU_ASSERT_EQUAL(nvp_decode_id_ns_independent(b, sizeof(b), &independent), 0);
	CU_ASSERT_TRUE(independent.nsfeat == 1 && independent.nmic == 2 && independent.rescap == 3);
	CU_ASSERT_TRUE(independent.fpi == 4 && independent.anagrpid == 0x08070605);
	CU_ASSERT_TRUE(independent.nsattr == 9 && independent.nvmsetid == 0x0c0b);
	CU_ASSERT_TRUE(independent.endgid == 0x0e0d && independent.nstat == 15);
	nvp_put_le64(b + 4088, UINT64_C(0x8000000000000001));
	CU_ASSERT_EQUAL(nvp_decode_io_command_sets(b, sizeof(b), &sets), 0);
	CU_ASSERT_EQUAL(sets.combination[0], UINT64_C(0x0807060504030201));
	CU_ASSERT_EQUAL(sets.combination[511], UINT64_C(0x8000000000000001));
}

/* Each field of CAP alone, all ones; then a real one. */
static void capabilities(void)
{
	struct nvp_cap cap;

	nvp_decode_cap(UINT64_C(0x004018200f0107ff), &cap);	/* QEMU 7.2 */
	CU_ASSERT_TRUE(cap.mqes_z == 2047 && cap.cqr && cap.ams == 0 && cap.to_500ms == 15);
	CU_ASSERT_TRUE(cap.dstrd == 0 && !cap.nssrs && cap.css == 0xc1 && !cap.bps && cap.cps == 0);
	CU_ASSERT_TRUE(cap.mpsmin == 0 && cap.mpsmax == 4 && !cap.pmrs && !cap.cmbs && !cap.nsss);
	CU_ASSERT_FALSE(cap.crwms || cap.crims);
	nvp_decode_cap(UINT64_C(3) << 17 | UINT64_C(0xf) << 32 | UINT64_C(3) << 46, &cap);
	CU_ASSERT_TRUE(cap.ams == 3 && cap.dstrd == 15 && cap.cps == 3 && cap.mqes_z == 0);
	nvp_decode_cap(UINT64_C(1) << 36 | UINT64_C(1) << 45 | UINT64_C(0xf) << 48, &cap);
	CU_ASSERT_TRUE(cap.nssrs && cap.bps && cap.mpsmin == 15 && cap.mpsmax == 0 && cap.css == 0);
	nvp_decode_cap(UINT64_C(1) << 56, &cap);
	CU_ASSERT_TRUE(cap.pmrs && !cap.cmbs && !cap.nsss && !cap.crwms && !cap.crims);
	nvp_decode_cap(UINT64_C(1) << 57, &cap);
	CU_ASSERT_TRUE(!cap.pmrs && cap.cmbs && !cap.nsss && !cap.crwms && !cap.crims);
	nvp_decode_cap(UINT64_C(1) << 58, &cap);
	CU_ASSERT_TRUE(!cap.pmrs && !cap.cmbs && cap.nsss && !cap.crwms && !cap.crims);
	nvp_decode_cap(UINT64_C(1) << 59, &cap);
	CU_ASSERT_TRUE(!cap.nsss && cap.crwms && !cap.crims);
	nvp_decode_cap(UINT64_C(1) << 60, &cap);
	CU_ASSERT_TRUE(!cap.crwms && cap.crims && cap.mpsmax == 0);
}

/* Each bit of CAP lands in one field and in no other: a sum, so that a bit taken twice shows. */
static void each_bit_of_capabilities_once(void)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		bool reserved = (bit >= 19 && bit <= 23) || bit >= 61;
		uint64_t value = UINT64_C(1) << bit, sum;
		struct nvp_cap c;

		nvp_decode_cap(value, &c);
		sum = c.mqes_z + ((uint64_t)c.cqr << 16) + ((uint64_t)c.ams << 17) +
		      ((uint64_t)c.to_500ms << 24) + ((uint64_t)c.dstrd << 32) +
		      ((uint64_t)c.nssrs << 36) + ((uint64_t)c.css << 37) + ((uint64_t)c.bps << 45) +
		      ((uint64_t)c.cps << 46) + ((uint64_t)c.mpsmin << 48) +
		      ((uint64_t)c.mpsmax << 52) + ((uint64_t)c.pmrs << 56) +
		      ((uint64_t)c.cmbs << 57) + ((uint64_t)c.nsss << 58) +
		      ((uint64_t)c.crwms << 59) + ((uint64_t)c.crims << 60);
		CU_ASSERT_EQUAL(sum, reserved ? 0 : value);
	}
}

CU_TestInfo nvp_unit_decode_id[] = {
	{ "short_data_is_refused_and_zeroed", short_data_is_refused_and_zeroed },
	{ "controller", controller },
	{ "namespace_fields", namespace_fields },
	{ "format_in_use", format_in_use },
	{ "namespace_lists", namespace_lists },
	{ "good_descriptors", good_descriptors },
	{ "lying_descriptors", lying_descriptors },
	{ "small_structures", small_structures },
	{ "capabilities", capabilities },
	{ "each_bit_of_capabilities_once", each_bit_of_capabilities_once },
	CU_TEST_INFO_NULL,
};
