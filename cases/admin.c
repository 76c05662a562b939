// SPDX-License-Identifier: GPL-2.0-or-later
// Rules of the admin queue and of every entry: identifiers, opcodes, FUSE, PSDT, More, wraps.

#include "cases/common.h"

/*
 * ADQ-03. Any 16-bit value that no other command of the queue uses is a valid identifier and comes
 * back in the completion: a command whose identifier does not is never found to be complete. FFFFh
 * is left out, which 2.0 asks hosts not to use.
 */
static void command_identifiers_come_back(struct nvp_t *t)
{
	static const uint16_t first[] = { 0, 0xfffe, 1, 0x8000, 0x7fff, 0x00ff, 0xff00 };
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);

	if (!buf)
		return;
	for (unsigned i = 0; i < 64; i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_identify(0x01, 0, 0, 0, 0), buf);
		uint16_t cid = i < 7 ? first[i] : (uint16_t)(nvp_t_rand(t, "cid", i) % 0xffff);
		struct nvp_cpl cpl;

		nvp_sqe_set_cid(&cmd.sqe, cid);
		cmd.raw_cid = true;
		nvp_admin(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
	}
}

/*
 * ADQ-01, ADQ-02. Admin queues of different lengths, also the shortest, take more commands than
 * three times their entries, one by one: every slot is used, SQHD follows the submission queue's
 * length and the phase the completion queue's (standing invariants).
 */
static void rings_wrap(struct nvp_t *t)
{
	static const struct {
		uint32_t asq_entries, acq_entries;
	} sizes[] = { { 2, 2 }, { 2, 7 }, { 16, 3 }, { 5, 64 } };
	struct nvp_drive *drive = nvp_t_drive(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_enable enable;
	struct nvp_cpl cpl;

	if (!buf)
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t asq = sizes[i].asq_entries, acq = sizes[i].acq_entries;

		nvp_done(t, nvp_ctrl_disable(drive, NULL));
		nvp_enable_defaults(drive, &enable);
		enable.asq_entries = asq;
		enable.acq_entries = acq;
		nvp_done(t, nvp_ctrl_enable(drive, &enable, NULL));
		for (uint32_t n = 1; n <= 3 * (asq > acq ? asq : acq) + 1; n++) {
			if (!case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
				return;
		}
	}
}

/* Send opcodes with no data pointer set; each has to be refused as an opcode. */
static void refuse_opcodes(struct nvp_t *t, bool admin, const uint8_t *opcodes, size_t nr,
			   uint32_t nsid)
{
	for (size_t i = 0; i < nr; i++) {
		struct nvp_cmd cmd = nvp_build_raw(opcodes[i], nsid);
		struct nvp_cpl cpl;
		int rc = admin ? nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)
			       : nvp_exec_io(nvp_t_drive(t), &cmd, &cpl);

		if (!CASE_TRAVELS(t, rc))
			return;
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_OPCODE }));
	}
}

/*
 * ADQ-09. Opcodes that every revision up to 2.1 reserves are refused with Invalid Command Opcode.
 * Only reserved values are sent, never an optional or vendor command: what those would do here is
 * not known. The list has all four transfer directions.
 */
static void reserved_admin_opcodes_are_refused(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 0x03, 0x07, 0x0b, 0x0e, 0x0f, 0x12, 0x13, 0x16, 0x17,
					    0x1b, 0x1f, 0x50, 0x61, 0x6a, 0x73 };

	refuse_opcodes(t, true, reserved, sizeof(reserved), 0);
}

/* ADQ-11. The opcode of Fabrics commands does not exist on a PCIe controller. */
static void fabrics_opcode_is_refused(struct nvp_t *t)
{
	static const uint8_t fabrics[] = { NVP_ADMIN_FABRICS };

	refuse_opcodes(t, true, fabrics, 1, 0);
}

/*
 * ADQ-10. The same on an I/O queue: values that no I/O Command Set and no revision up to 2.1
 * defines.
 */
static void reserved_io_opcodes_are_refused(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 0x03, 0x06, 0x07, 0x0a, 0x0b, 0x13, 0x14, 0x16, 0x17,
					    0x1b, 0x1f, 0x3a, 0x55, 0x68 };

	refuse_opcodes(t, false, reserved, sizeof(reserved), nvp_t_ns(t)->nsid);
}

/*
 * ADQ-06, ADQ-08. No admin command can be fused, and on PCIe admin commands use PRPs: FUSE or PSDT
 * with another value is a reserved or unsupported value in a defined field.
 */
static void fuse_and_psdt_are_refused(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (unsigned value = 1; value < 4; value++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_identify(0x01, 0, 0, 0, 0), buf);

		nvp_cmd_set_fuse(&cmd, value);
		nvp_admin(t, &cmd, &cpl);
		nvp_check_status_by(t, NVP_SPEC("NVMe Base", "2.0", "3.4.2", "FUSE"), &cpl,
				    CASE_INVALID_FIELD);
	}
	for (unsigned value = 1; value < 4; value++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_identify(0x01, 0, 0, 0, 0), buf);

		nvp_cmd_set_psdt(&cmd, value);
		nvp_admin(t, &cmd, &cpl);
		nvp_check_status_by(t, NVP_SPEC("NVMe Base", "2.0", "3.3.3.1", "PSDT"), &cpl,
				    CASE_INVALID_FIELD);
	}
}

/* Is there an entry of the Error Information log for this command with this status? */
static bool error_log_has(const struct nvp_buf *log, unsigned nr_entries, const struct nvp_cpl *cpl)
{
	for (unsigned i = 0; i < nr_entries; i++) {
		struct nvp_error_entry entry;

		nvp_decode_error_entry(nvp_buf_data((struct nvp_buf *)log) + 64 * i, 64, &entry);
		if (entry.count && entry.cid == cpl->cid && entry.sqid == cpl->sqid &&
		    nvp_status_is(&entry.status, cpl->status.sct, cpl->status.sc))
			return true;
	}
	return false;
}

/*
 * ADQ-13. A completion that says More points to an entry of the Error Information log with the
 * command's queue, identifier and status. A drive need not say More; then there is only that the
 * command failed.
 */
static void more_points_into_the_error_log(struct nvp_t *t)
{
	unsigned nr = nvp_t_facts(t)->ctrl.elpe_z + 1u;
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_buf *log = nvp_t_buf(t, 64 * nr);
	struct nvp_cpl failed;
	bool any = false;

	if (!buf || !log)
		return;
	for (unsigned i = 0; i < 4; i++) {
		/* CNS 00h of an NSID that cannot exist: 5.17.1, 3.2.1 */
		if (!case_identify(t, 0x00, 0xfffffffe, 0, buf, &failed))
			return;
		nvp_require(t, !nvp_cpl_ok(&failed), "Identify of NSID FFFFFFFEh succeeded");
		if (!failed.status.more)
			continue;
		any = true;
		if (!case_log(t, 0x01, 64 * nr, log))
			return;
		nvp_check(t, error_log_has(log, nr, &failed),
			  "More is 1, no entry for queue %u, command %04Xh, status %u/%02Xh",
			  failed.sqid, failed.cid, failed.status.sct, failed.status.sc);
	}
	if (!any)
		nvp_note(t, "the drive never said More");
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "admin.command-identifiers-come-back",
		.title = "Any command identifier is accepted and comes back in the completion",
		.spec = { "NVMe Base", "2.0", "3.3.3.1", "CID" },
		.rows = NVP_LIST("ADQ-03", "ADQ-12"),
		.needs = NVP_NEED_QUEUES,
		.catches = NVP_LIST("cqe-cid-truncated"),
		.run = command_identifiers_come_back,
	}, {
		NVP_CASE,
		.id = "admin.rings-wrap",
		.title = "Admin queues of any two lengths wrap, with every slot in use",
		.spec = { "NVMe Base", "2.0", "3.3.3.2", "SQHD" },
		.rows = NVP_LIST("ADQ-01", "ADQ-02"),
		.needs = NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_RESET,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("cqe-phase-stuck-after-wrap"),
		.run = rings_wrap,
	}, {
		NVP_CASE,
		.id = "admin.reserved-opcodes-are-refused",
		.title = "A reserved admin opcode gives Invalid Command Opcode",
		.spec = { "NVMe Base", "2.0", "3.3.3.2.1.1", "Invalid Command Opcode" },
		.rows = NVP_LIST("ADQ-09"),
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("admin-opcode-reserved-accepted", "admin-opcode-wrong-status"),
		.run = reserved_admin_opcodes_are_refused,
	}, {
		NVP_CASE,
		.id = "admin.fabrics-opcode-is-refused",
		.title = "The Fabrics opcode gives Invalid Command Opcode on a PCIe controller",
		.spec = { "NVMe Base", "2.0", "3.3.3.2.1.1", "Invalid Command Opcode" },
		.rows = NVP_LIST("ADQ-11"),
		.needs = NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("admin-opcode-reserved-accepted", "admin-opcode-wrong-status"),
		.run = fabrics_opcode_is_refused,
	}, {
		NVP_CASE,
		.id = "admin.reserved-io-opcodes-are-refused",
		.title = "A reserved I/O opcode gives Invalid Command Opcode",
		.spec = { "NVMe Base", "2.0", "3.3.3.2.1.1", "Invalid Command Opcode" },
		.rows = NVP_LIST("ADQ-10"),
		.needs = NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_FIRMWARE,
		.catches = NVP_LIST("io-opcode-reserved-accepted", "io-opcode-wrong-status"),
		.run = reserved_io_opcodes_are_refused,
	}, {
		NVP_CASE,
		.id = "admin.fuse-and-psdt-are-refused",
		.title = "An admin command that is fused or does not use PRPs gives Invalid Field",
		.spec = { "NVMe Base", "2.0", "3.3.3.1", NULL },
		.rows = NVP_LIST("ADQ-06", "ADQ-08"),
		.needs = NVP_NEED_QUEUES,
		.catches = NVP_LIST("admin-fuse-accepted", "admin-psdt-accepted"),
		.run = fuse_and_psdt_are_refused,
	}, {
		NVP_CASE,
		.id = "admin.more-points-into-the-error-log",
		.title = "A completion that says More has its entry in the Error Information log",
		.spec = { "NVMe Base", "2.0", "3.3.3.2.1", "M" },
		.rows = NVP_LIST("ADQ-13"),
		.needs = NVP_NEED_QUEUES,
		.catches = NVP_LIST("cqe-more-without-log",
				    "error-log-cid-wrong", "error-log-status-shifted",
				    "identify-nsid-unchecked"),
		.run = more_points_into_the_error_log,
	},
};

NVP_SUITE(admin, cases);
