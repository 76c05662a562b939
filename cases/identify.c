// SPDX-License-Identifier: GPL-2.0-or-later
// Identify: the controller data structure, selectors to refuse, and data that has to be whole.

#include <string.h>

#include "cases/common.h"

/* Is a fixed-width text ASCII 20h-7Eh, left justified and padded with spaces? */
static void text_field(struct nvp_t *t, const char *name, const uint8_t *text, size_t bytes)
{
	size_t last = bytes;

	for (size_t i = 0; i < bytes; i++) {
		nvp_check(t, text[i] >= 0x20 && text[i] <= 0x7e, "%s: byte %zu is %02Xh", name, i,
			  text[i]);
		if (text[i] != ' ')
			last = i;
	}
	if (last < bytes && text[0] == ' ')
		nvp_warn(t, "%s begins with a space", name);
}

/*
 * IDY-01. Texts are ASCII padded with spaces; the entry sizes that every controller has to
 * support are 64 and 16 bytes; from 1.2.1 on the subsystem has a qualified name, "nqn." and so
 * on, ended by a NUL.
 */
static void controller_data_is_well_formed(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	const uint8_t *data;
	struct nvp_id_ctrl id;
	struct nvp_cpl cpl;

	if (!buf || !case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	data = nvp_buf_data(buf);
	nvp_decode_id_ctrl(data, NVP_IDENTIFY_BYTES, &id);
	text_field(t, "SN", data + 4, 20);
	text_field(t, "MN", data + 24, 40);
	text_field(t, "FR", data + 64, 8);
	nvp_check(t, (id.sqes & 0xf) == 6 && id.sqes >> 4 >= 6 &&
		  (id.cqes & 0xf) == 4 && id.cqes >> 4 >= 4, "SQES %02Xh, CQES %02Xh", id.sqes,
		  id.cqes);
	if (nvp_t_version(t) >= NVP_VERSION(1, 2, 1)) {
		nvp_check(t, !memcmp(data + 768, "nqn.", 4), "SUBNQN begins with \"%.8s\"",
			  id.subnqn);
		nvp_check(t, memchr(data + 768, 0, 256), "SUBNQN has no NUL in its 256 bytes");
	}
}

/*
 * IDY-16, LOG-14. Identify gives all of its 4096 bytes: a buffer filled in two different ways
 * before two equal commands ends up the same both times. Guard bytes round it are a standing
 * invariant.
 */
static void all_bytes_are_transferred(struct nvp_t *t)
{
	static const uint8_t cns[] = { 0x01, 0x02 };

	for (size_t i = 0; i < sizeof(cns); i++) {
		struct nvp_buf *first = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
		struct nvp_buf *second = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
		struct nvp_cpl cpl;

		if (!first || !second)
			return;
		nvp_buf_fill(first, 0x55);
		nvp_buf_fill(second, 0xaa);
		if (!case_identify(t, cns[i], 0, 0, first, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		if (!case_identify(t, cns[i], 0, 0, second, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		nvp_check_bytes(t, nvp_buf_data(second), nvp_buf_data(first), NVP_IDENTIFY_BYTES);
	}
}

/*
 * IDY-12. CNS values that every revision up to 2.1 reserves are refused, whatever the NSID. The
 * vendor's range is left alone.
 */
static void reserved_cns_is_refused(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 0x0d, 0x0f, 0x3e, 0x5a };
	const struct nvp_facts *facts = nvp_t_facts(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(reserved); i++) {
		if (!case_identify(t, reserved[i], 0, 0, buf, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
		if (!facts->nr_ns)
			continue;
		if (!case_identify(t, reserved[i], facts->ns[0].nsid, 0, buf, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * IDY-08. From 2.0 on the I/O Command Set specific controller data of the NVM Command Set is
 * mandatory; a command set that the controller does not have is refused: 1Fh and 2Fh are reserved
 * for all revisions up to 2.1.
 */
static void command_set_selects_the_structure(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 0x1f, 0x2f };
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_id_ctrl_nvm id;
	struct nvp_cpl cpl;

	if (!buf || !case_identify(t, 0x06, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_decode_id_ctrl_nvm(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &id);
	nvp_check_by(t, NVP_SPEC("NVM Command Set", "1.0", "4.1.5.2", "DMRL, DMRSL, DMSL"),
		     !id.dmrl == !id.dmrsl_lbas && !id.dmrl == !id.dmsl_lbas,
		     "DMRL %u, DMRSL %u, DMSL %llu: all 0 or none", id.dmrl, id.dmrsl_lbas,
		     (unsigned long long)id.dmsl_lbas);
	for (size_t i = 0; i < sizeof(reserved); i++) {
		if (!case_identify(t, 0x06, 0, reserved[i], buf, &cpl))
			return;
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD },
						  { NVP_SCT_COMMAND, 0x29 },
						  { NVP_SCT_COMMAND, 0x2c }));
	}
}

/*
 * LOG-10, IDY-01. A command that ONCS claims exists: it is never refused as an opcode. Only
 * commands that change nothing are tried, on one block: Compare (its answer may be Compare
 * Failure) and Verify.
 */
static void claimed_commands_exist(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint16_t oncs = nvp_t_facts(t)->ctrl.oncs;
	struct nvp_buf *buf = nvp_t_buf(t, ns->id.lba_bytes);
	const struct {
		unsigned bit;
		struct nvp_cmd cmd;
	} claims[] = {
		{ 0, nvp_build_compare(ns->nsid, 0, 0, ns->id.lba_bytes) },
		{ 7, nvp_build_verify(ns->nsid, 0, 0) },
	};
	unsigned tried = 0;
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		struct nvp_cmd cmd = claims[i].cmd;

		if (!(oncs & 1 << claims[i].bit))
			continue;
		if (cmd.dir != NVP_DIR_NONE)
			cmd.data = buf;
		nvp_io(t, &cmd, &cpl);
		nvp_check(t, !nvp_status_is(&cpl.status, NVP_SCT_GENERIC, NVP_SC_INVALID_OPCODE),
			  "ONCS %04Xh claims %s: status %u/%02Xh", oncs,
			  nvp_opcode_name(false, nvp_sqe_opcode(&cmd.sqe)), cpl.status.sct,
			  cpl.status.sc);
		tried++;
	}
	if (!tried)
		nvp_skip(t, "ONCS %04Xh claims neither Compare nor Verify", oncs);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "identify.controller-data-is-well-formed",
		.title = "Texts, entry sizes and the subsystem's name in Identify Controller "
			 "are well formed",
		.spec = { "NVMe Base", "2.0", "5.17.2.1", NULL },
		.rows = NVP_LIST("IDY-01"),
		.catches = NVP_LIST("identify-serial-not-padded", "identify-sqes-wrong",
				    "identify-subnqn-wrong"),
		.run = controller_data_is_well_formed,
	}, {
		NVP_CASE,
		.id = "identify.all-bytes-are-transferred",
		.title = "Identify transfers all 4096 bytes of its data structure",
		.spec = { "NVMe Base", "2.0", "5.17", NULL },
		.rows = NVP_LIST("IDY-01", "IDY-06", "IDY-16"),
		.catches = NVP_LIST("identify-short"),
		.run = all_bytes_are_transferred,
	}, {
		NVP_CASE,
		.id = "identify.reserved-cns-is-refused",
		.title = "A reserved CNS value gives Invalid Field in Command",
		.spec = { "NVMe Base", "2.0", "5.17.1", "CNS" },
		.rows = NVP_LIST("IDY-12"),
		.catches = NVP_LIST("identify-cns-reserved-accepted"),
		.run = reserved_cns_is_refused,
	}, {
		NVP_CASE,
		.id = "identify.command-set-selects-the-structure",
		.title = "The NVM Command Set's controller data is there, that of a reserved "
			 "set is refused",
		.spec = { "NVMe Base", "2.0", "5.17.1", "CSI" },
		.rows = NVP_LIST("IDY-08", "IOC-16"),
		.since = NVP_VERSION(2, 0, 0),
		.catches = NVP_LIST("identify-csi-unchecked", "identify-dsm-limits-mixed"),
		.run = command_set_selects_the_structure,
	}, {
		NVP_CASE,
		.id = "identify.claimed-commands-exist",
		.title = "Commands that ONCS claims are not refused as opcodes",
		.spec = { "NVMe Base", "2.0", "5.17.2.1", "ONCS" },
		.rows = NVP_LIST("LOG-10", "IDY-01"),
		.needs = NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
		.catches = NVP_LIST("oncs-claims-missing-command"),
		.run = claimed_commands_exist,
	},
};

NVP_SUITE(identify, cases);
