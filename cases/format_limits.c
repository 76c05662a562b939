// SPDX-License-Identifier: GPL-2.0-or-later
// Format NVM: what it refuses, and what goes on while it runs.

#include "cases/erase.h"

#define REFUSAL_NEEDS (NVP_NEED_FORMAT | NVP_NEED_NAMESPACE)
#define INVALID_FORMAT NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_INVALID_FORMAT })
#define INVALID_SETTING NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_INVALID_FORMAT },		\
				{ NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD })
/* What an I/O command may be told while its namespace is formatted (5.14). */
#define FORMAT_RUNS NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_FORMAT_IN_PROGRESS },		\
			    { NVP_SCT_GENERIC, NVP_SC_NS_NOT_READY },			\
			    { NVP_SCT_GENERIC, NVP_SC_SUCCESS })

/* FMT-02. */
static void unknown_lba_format_is_refused(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_cmd format;
	struct nvp_cpl cpl;

	if (ns->id.nlbaf_z >= 15)
		nvp_skip(t, "all sixteen LBA formats are there");
	format = nvp_build_format(ns->nsid, (uint8_t)(ns->id.nlbaf_z + 1), false, 0, false, 0);
	if (nvp_change_format(t, &format, &cpl))
		nvp_check_status(t, &cpl, INVALID_FORMAT);
}

/* FMT-03. */
static void reserved_secure_erase_is_refused(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);

	for (uint8_t ses = 2; ses < 8; ses++) {
		struct nvp_cmd format = erase_same_format(ns->nsid, &ns->id, ses);
		struct nvp_cpl cpl;

		if (ses == 2 && nvp_t_facts(t)->ctrl.fna & 4)
			continue;
		if (!nvp_change_format(t, &format, &cpl))
			return;
		nvp_check_status(t, &cpl, INVALID_SETTING);
	}
}

/* FMT-04. */
static void protection_needs_metadata(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	unsigned nr = erase_nr_formats(&ns->id);
	unsigned i = 0;
	struct nvp_cpl cpl;

	while (i < nr && (!ns->id.lbaf[i].lbads || ns->id.lbaf[i].ms_bytes >= 8))
		i++;
	if (i == nr)
		nvp_skip(t, "each LBA format has room for protection information");
	for (uint8_t pi = 1; pi <= 7; pi++) {
		struct nvp_cmd format = nvp_build_format(ns->nsid, (uint8_t)i, false, pi, false, 0);

		if (!nvp_change_format(t, &format, &cpl))
			return;
		nvp_check_status(t, &cpl, INVALID_SETTING);
	}
}

/* FMT-05. */
static void unknown_namespace_is_refused(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	struct nvp_cmd format = erase_same_format(facts->ctrl.nn + 1, &facts->ns[0].id, 0);
	struct nvp_cpl cpl;

	if (facts->ctrl.nn >= 0xfffffffe)
		nvp_skip(t, "every NSID is valid");
	if (nvp_change_format(t, &format, &cpl))
		nvp_check_status(t, &cpl, CASE_INVALID_NSID);
}

/* ---- while it runs ---- */

/* The format, and reads of marked blocks one after the other until it is done. */
static bool read_while_formatting(struct nvp_t *t, const struct erase_marks *m,
				  unsigned *nr_reads)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	struct case_region last = erase_place(m, ERASE_PLACES - 1);
	size_t bytes = (size_t)ERASE_LBAS * m->lba_bytes;
	struct nvp_cpl cpl = { 0 };
	int rc;

	while (!(rc = nvp_reap(nvp_admin_cq(drive), &cpl))) {
		struct nvp_cmd read = case_transfer(NVP_IO_READ, &last, 0, ERASE_LBAS, m->seen);
		struct nvp_cpl io;

		memset(nvp_buf_data(m->seen), 0, bytes);
		if (!CASE_TRAVELS(t, nvp_exec_io(drive, &read, &io)))
			return false;
		nvp_check_status(t, &io, FORMAT_RUNS);
		/* the first may have come before the format began */
		if (++*nr_reads > 1)
			nvp_check(t, !nvp_cpl_ok(&io) || memcmp(nvp_buf_data(m->seen),
								nvp_buf_data(m->data), bytes),
				  "read %u during the format gave the data of before", *nr_reads);
		if (nvp_t_ended(t))
			return false;
		nvp_clock_pass(nvp_drive_clock(drive), NVP_NS_PER_MS);
	}
	return CASE_TRAVELS(t, rc) && CASE_SUCCEEDS(t, &cpl);
}

static bool submit_format(struct nvp_t *t, const struct nvp_ns *ns, uint8_t ses)
{
	struct nvp_cmd format = erase_same_format(ns->nsid, &ns->id, ses);
	struct nvp_sq *sq = nvp_admin_sq(nvp_t_drive(t));

	return nvp_note_formats(t, ns->nsid) && CASE_TRAVELS(t, nvp_submit(sq, &format, NULL)) &&
	       CASE_TRAVELS(t, nvp_ring_tail(sq));
}

/* FMT-06. */
static void reads_during_a_format(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct erase_marks m;
	unsigned nr_reads = 0;

	if (!erase_mark(t, ns, &m) || !submit_format(t, ns, 1) ||
	    !read_while_formatting(t, &m, &nr_reads))
		return;
	nvp_measure(t, "reads during the format", nr_reads, "commands");
	erase_all_gone(t, &m);
}

/* FPI: percent that remain, so never more than before. */
static void progress_counts_down(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cmd identify = case_with_data(nvp_build_identify(0, ns->nsid, 0, 0, 0), buf);
	unsigned last = 100, nr_seen = 0;
	struct nvp_cpl cpl;
	uint16_t asked;

	if (!(ns->id.fpi & 0x80))
		nvp_skip(t, "FPI bit 7 is clear: the drive does not tell the progress of a format");
	if (!buf || !submit_format(t, ns, 1))
		return;
	for (;;) {
		struct nvp_id_ns id;

		nvp_done(t, nvp_submit(nvp_admin_sq(drive), &identify, &asked));
		nvp_done(t, nvp_ring_tail(nvp_admin_sq(drive)));
		nvp_done(t, nvp_wait_cid(nvp_admin_sq(drive), asked, &cpl));
		CASE_OK(t, &cpl);
		if (nvp_reap(nvp_admin_cq(drive), &cpl) == 1)
			break;
		nvp_decode_id_ns(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &id);
		nr_seen++;
		nvp_check(t, (id.fpi & 0x7fu) <= last, "FPI went from %u to %u percent", last,
			  id.fpi & 0x7fu);
		last = id.fpi & 0x7f;
		nvp_clock_pass(nvp_drive_clock(drive), 10 * NVP_NS_PER_MS);
	}
	CASE_OK(t, &cpl);
	nvp_measure(t, "progress seen", nr_seen, "times");
	nvp_done(t, nvp_exec_admin(drive, &identify, &cpl));
	CASE_OK(t, &cpl);
	nvp_check_eq(t, nvp_buf_data(buf)[32] & 0x7fu, 0);
}

/*
 * FMT-07: after a reset in the middle the contents are open; the namespace can be formatted, and
 * used after that.
 */
static void reset_during_a_format(struct nvp_t *t)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	const struct nvp_ns *ns = nvp_t_ns(t);
	struct nvp_ns kept = *ns;
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_id_ns id;
	struct nvp_cmd format;
	struct nvp_cpl cpl;

	if (!buf || !submit_format(t, &kept, 1))
		return;
	nvp_clock_pass(nvp_drive_clock(drive), 50 * NVP_NS_PER_MS);
	nvp_done(t, nvp_reset(drive, NVP_RESET_CONTROLLER));
	format = erase_same_format(kept.nsid, &kept.id, 0);
	if (!nvp_change_format(t, &format, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (erase_identify(t, kept.nsid, buf, &id))
		erase_usable(t, kept.nsid, &id);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "format.unknown-lba-format-is-refused",
		.title = "An LBA format above NLBAF gives Invalid Format",
		.spec = { "NVMe Base", "2.0", "5.14.1", "Invalid Format" },
		.rows = NVP_LIST("FMT-02"),
		.needs = REFUSAL_NEEDS,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-unknown-lba-format-accepted",
				    "format-invalid-format-wrong-status"),
		.run = unknown_lba_format_is_refused,
	}, {
		NVP_CASE,
		.id = "format.reserved-secure-erase-is-refused",
		.title = "A reserved or missing kind of secure erase is refused",
		.spec = { "NVMe Base", "2.0", "5.14", "SES" },
		.rows = NVP_LIST("FMT-03"),
		.needs = REFUSAL_NEEDS,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-secure-erase-unchecked"),
		.run = reserved_secure_erase_is_refused,
	}, {
		NVP_CASE,
		.id = "format.protection-needs-metadata",
		.title = "Protection information without the metadata for it is refused, as are reserved types",
		.spec = { "NVMe Base", "2.0", "5.14.1", "Invalid Format" },
		.rows = NVP_LIST("FMT-04"),
		.needs = REFUSAL_NEEDS,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-protection-unchecked"),
		.run = protection_needs_metadata,
	}, {
		NVP_CASE,
		.id = "format.unknown-namespace-is-refused",
		.title = "A format of a namespace above NN gives Invalid Namespace or Format",
		.spec = { "NVMe Base", "2.0", "3.2.1.1", NULL },
		.rows = NVP_LIST("FMT-05"),
		.needs = REFUSAL_NEEDS,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-unknown-namespace-accepted"),
		.run = unknown_namespace_is_refused,
	}, {
		NVP_CASE,
		.id = "format.reads-during-it-give-nothing-of-before",
		.title = "Reads during a format are refused or give nothing of what was there",
		.spec = { "NVMe Base", "2.0", "5.14", NULL },
		.rows = NVP_LIST("FMT-06"),
		.needs = REFUSAL_NEEDS | NVP_NEED_QUEUES | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-lets-io-through", "format-io-wrong-status"),
		.run = reads_during_a_format,
	}, {
		NVP_CASE,
		.id = "format.progress-counts-down",
		.title = "The Format Progress Indicator goes down to 0",
		.spec = { "NVM Command Set", "1.0", "4.1.5.1", "FPI" },
		.rows = NVP_LIST("FMT-01"),
		.needs = REFUSAL_NEEDS | NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_ERASE,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-progress-stuck", "format-progress-counts-up"),
		.run = progress_counts_down,
	}, {
		NVP_CASE,
		.id = "format.stopped-by-a-reset-leaves-a-usable-namespace",
		.title = "After a reset during a format the namespace can be formatted and used",
		.spec = { "NVMe Base", "2.0", "5.14", NULL },
		.rows = NVP_LIST("FMT-07"),
		.needs = REFUSAL_NEEDS | NVP_NEED_QUEUES | NVP_NEED_RESETS | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA | NVP_IMPACT_RESET,
		.time_class = NVP_TIME_FORMAT,
		.catches = NVP_LIST("format-stopped-by-reset-bricks"),
		.run = reset_during_a_format,
	},
};

NVP_SUITE(format_limits, cases);
