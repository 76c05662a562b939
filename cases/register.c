// SPDX-License-Identifier: GPL-2.0-or-later
// Controller registers: capabilities, version, read-only bits, the admin queue registers.

#include "cases/common.h"

/*
 * REG-01. The relations that CAP must keep whatever the drive is, and its reserved bits:
 * reserved bits of a property read 0, so only bits that no revision up to 2.1 defines are looked
 * at, and only on a drive that says it is no newer.
 */
static void capabilities_are_consistent(struct nvp_t *t)
{
	const uint64_t undefined_bits = 0xc000000000f80000ull;	/* 63:62 and 23:19 */
	struct nvp_cap cap;
	uint64_t raw;
	uint32_t cc;

	nvp_done(t, nvp_reg_read64(nvp_t_drive(t), NVP_REG_CAP, &raw));
	nvp_done(t, nvp_reg_read32(nvp_t_drive(t), NVP_REG_CC, &cc));
	nvp_decode_cap(raw, &cap);
	nvp_check(t, cap.mpsmax >= cap.mpsmin, "MPSMIN %u, MPSMAX %u", cap.mpsmin, cap.mpsmax);
	nvp_check(t, cap.mqes_z >= 1, "MQES %u (0-based)", cap.mqes_z);
	nvp_check_range(t, cc >> 7 & 0xf, cap.mpsmin, cap.mpsmax);
	if (nvp_t_version(t) <= NVP_VERSION(2, 1, 0))
		nvp_check_eq(t, raw & undefined_bits, 0);
	else
		nvp_note(t, "reserved bits not checked: the drive is newer than what is known");
}

/*
 * REG-02. VS and the version in Identify Controller are the same number from 1.2 on, where VER
 * became mandatory; before it VER may be 0.
 */
static void version_matches_identify(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_id_ctrl id;
	struct nvp_cpl cpl;
	uint32_t vs;

	if (!buf || !case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_decode_id_ctrl(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &id);
	nvp_done(t, nvp_reg_read32(nvp_t_drive(t), NVP_REG_VS, &vs));
	if (vs >> 16 > 2)
		nvp_note(t, "version %u is newer than what is known here", vs >> 16);
	if (id.ver || vs >= NVP_VERSION(1, 2, 0))
		nvp_check_eq(t, id.ver, vs);
}

/*
 * REG-03. Writing to a read-only property or bit changes nothing. CSTS.NSSRO is cleared by writing
 * 1, so it is left out; all other bits of CSTS are read-only.
 */
static void read_only_properties_keep_their_value(struct nvp_t *t)
{
	static const struct {
		enum nvp_register reg;
		uint32_t write;
	} writes[] = {
		{ NVP_REG_CAP, 0xffffffff }, { NVP_REG_CAP, 0 },
		{ NVP_REG_CAP + 4, 0xffffffff }, { NVP_REG_CAP + 4, 0 },
		{ NVP_REG_VS, 0xffffffff }, { NVP_REG_VS, 0 }, { NVP_REG_VS, 0x00010000 },
		{ NVP_REG_CSTS, 0xffffffef }, { NVP_REG_CSTS, 0 },
	};

	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		uint32_t before, after;

		nvp_done(t, nvp_reg_read32(nvp_t_drive(t), writes[i].reg, &before));
		nvp_done(t, nvp_reg_write32(nvp_t_drive(t), writes[i].reg, writes[i].write));
		nvp_done(t, nvp_reg_read32(nvp_t_drive(t), writes[i].reg, &after));
		nvp_check(t, after == before, "register %02Xh was %08Xh, with %08Xh written %08Xh",
			  (unsigned)writes[i].reg, before, writes[i].write, after);
	}
}

/*
 * REG-05. AQA, ASQ and ACQ hold what was written; bits 11:0 of the addresses are reserved and read
 * 0. Looked at while the controller is disabled, when they may be written; the reserved bits were
 * written as 1.
 */
static void admin_queue_registers_read_back(struct nvp_t *t)
{
	const uint64_t address = 0x123456789a000ull;
	struct nvp_drive *drive = nvp_t_drive(t);
	uint64_t asq, acq;
	uint32_t aqa;

	nvp_defer(t, case_reset_at_end, NULL);
	nvp_done(t, nvp_ctrl_disable(drive, NULL));
	nvp_done(t, nvp_reg_write32(drive, NVP_REG_AQA, 0x003f001f));
	nvp_done(t, nvp_reg_write64(drive, NVP_REG_ASQ, address | 0xfff));
	nvp_done(t, nvp_reg_write64(drive, NVP_REG_ACQ, (address + 0x10000) | 0xfff));
	nvp_done(t, nvp_reg_read32(drive, NVP_REG_AQA, &aqa));
	nvp_done(t, nvp_reg_read64(drive, NVP_REG_ASQ, &asq));
	nvp_done(t, nvp_reg_read64(drive, NVP_REG_ACQ, &acq));
	nvp_check(t, aqa == 0x003f001f && asq == address && acq == address + 0x10000,
		  "AQA %08Xh, ASQ %016llXh, ACQ %016llXh", aqa, (unsigned long long)asq,
		  (unsigned long long)acq);
}

/*
 * REG-10, REG-12. A controller reset leaves AQA, ASQ and ACQ alone, and the admin queues start
 * again at slot 0: after CC.EN went to 0 and to 1 with nothing else written, commands work. Sizes
 * differ from each other, so that a mix-up shows.
 */
static void reset_keeps_admin_queue_registers(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_enable enable;
	uint32_t aqa[2];
	uint64_t asq[2], acq[2];
	struct nvp_cpl cpl;

	if (!buf)
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	nvp_done(t, nvp_ctrl_disable(drive, NULL));
	nvp_enable_defaults(drive, &enable);
	enable.asq_entries = 8;
	enable.acq_entries = 24;
	nvp_done(t, nvp_ctrl_enable(drive, &enable, NULL));
	for (int i = 0; i < 5; i++) {
		if (!case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
	}
	for (int i = 0; i < 2; i++) {
		if (i)
			nvp_done(t, nvp_ctrl_disable(drive, NULL));
		nvp_done(t, nvp_reg_read32(drive, NVP_REG_AQA, &aqa[i]));
		nvp_done(t, nvp_reg_read64(drive, NVP_REG_ASQ, &asq[i]));
		nvp_done(t, nvp_reg_read64(drive, NVP_REG_ACQ, &acq[i]));
	}
	nvp_require_eq(t, aqa[1], aqa[0]);
	nvp_require(t, asq[1] == asq[0] && acq[1] == acq[0],
		    "ASQ was %llXh, is %llXh; ACQ was %llXh, is %llXh", (unsigned long long)asq[0],
		    (unsigned long long)asq[1], (unsigned long long)acq[0],
		    (unsigned long long)acq[1]);

	enable.keep_admin_registers = true;
	nvp_done(t, nvp_ctrl_enable(drive, &enable, NULL));
	for (int i = 0; i < 30; i++) {
		if (!case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "register.capabilities-are-consistent",
		.title = "CAP keeps the relations between its fields and its reserved bits are 0",
		.spec = { "NVMe Base", "2.0", "3.1.3.1", NULL },
		.rows = NVP_LIST("REG-01"),
		.needs = NVP_NEED_REGISTERS,
		.catches = NVP_LIST("cap-mpsmin-above-mpsmax", "cap-mqes-zero",
				    "cap-reserved-bit-set"),
		.run = capabilities_are_consistent,
	}, {
		NVP_CASE,
		.id = "register.version-matches-identify",
		.title = "VS and the version in Identify Controller are the same",
		.spec = { "NVMe Base", "2.0", "5.17.2.1", "VER" },
		.rows = NVP_LIST("REG-02"),
		.needs = NVP_NEED_REGISTERS,
		.catches = NVP_LIST("version-register-wrong", "identify-version-differs"),
		.run = version_matches_identify,
	}, {
		NVP_CASE,
		.id = "register.read-only-properties-keep-their-value",
		.title = "A write to a read-only property or bit changes nothing",
		.spec = { "NVMe Base", "2.0", "3.1.3", "RO" },
		.rows = NVP_LIST("REG-03"),
		.needs = NVP_NEED_REGISTERS,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("vs-writable", "csts-rdy-writable"),
		.run = read_only_properties_keep_their_value,
	}, {
		NVP_CASE,
		.id = "register.admin-queue-registers-read-back",
		.title = "AQA, ASQ and ACQ read back as written, the reserved bits of the "
			 "addresses as 0",
		.spec = { "NVMe Base", "2.0", "3.1.3.9", NULL },
		.rows = NVP_LIST("REG-05"),
		.needs = NVP_NEED_REGISTERS | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_RESET,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("asq-low-bits-kept"),
		.run = admin_queue_registers_read_back,
	}, {
		NVP_CASE,
		.id = "register.reset-keeps-admin-queue-registers",
		.title = "A controller reset keeps AQA, ASQ and ACQ, and the admin queues "
			 "start at slot 0",
		.spec = { "NVMe Base", "2.0", "3.7.2", NULL },
		.rows = NVP_LIST("REG-10", "REG-12"),
		.needs = NVP_NEED_REGISTERS | NVP_NEED_RESETS | NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_RESET,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("aqa-lost-on-reset", "asq-lost-on-reset",
				    "cc-reset-keeps-admin-head"),
		.run = reset_keeps_admin_queue_registers,
	},
};

NVP_SUITE(register, cases);
