// SPDX-License-Identifier: GPL-2.0-or-later
// Get Log Page: which logs there are, how much and from where is transferred, and what has to be refused.

#include <string.h>

#include "cases/common.h"

/*
 * LOG-01. From 2.0 on the log of supported logs is mandatory and lists at least the logs that are
 * mandatory themselves; each of those can be read.
 */
static void mandatory_logs_are_listed(struct nvp_t *t)
{
	static const struct {
		uint8_t lid;
		uint16_t bytes;
	} mandatory[] = { { 0x00, 1024 }, { 0x01, 64 }, { 0x02, 512 }, { 0x03, 512 },
			  { 0x05, 4096 }, { 0x12, 1024 } };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_supported_logs logs;

	if (!buf || !case_log(t, 0x00, 1024, buf))
		return;
	nvp_decode_supported_logs(nvp_buf_data(buf), 1024, &logs);
	for (size_t i = 0; i < sizeof(mandatory) / sizeof(mandatory[0]); i++) {
		nvp_check(t, logs.lid[mandatory[i].lid] & 1, "log %02Xh is listed as %08Xh",
			  mandatory[i].lid, logs.lid[mandatory[i].lid]);
		if (!case_log(t, mandatory[i].lid, mandatory[i].bytes, buf))
			return;
	}
}

/*
 * LOG-02. A log identifier that every revision up to 2.1 reserves is refused: Invalid Log Page, or,
 * as the command's text said until 2.0, Invalid Field in Command.
 */
static void reserved_logs_are_refused(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 0x3f, 0x55, 0x6a };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(reserved); i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_get_log(reserved[i], NVP_NSID_ALL,
								      512, 0, true, 0), buf);
		struct nvp_cpl cpl;

		nvp_admin(t, &cmd, &cpl);
		if (nvp_t_version(t) <= NVP_VERSION(2, 0, 0))
			nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_LOG_PAGE },
							  { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD }));
		else
			nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_LOG_PAGE }));
	}
}

/*
 * LOG-14, LOG-15. Exactly NUMD dwords are transferred: all of them, and not a byte more of the buffer
 * is touched (bytes outside it are a standing invariant).
 */
static void numd_dwords_are_transferred(struct nvp_t *t)
{
	static const uint32_t sizes[] = { 4, 64, 256, 508, 512 };
	struct nvp_buf *a = nvp_t_buf(t, 8192), *b = nvp_t_buf(t, 8192);

	if (!a || !b)
		return;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t bytes = sizes[i];
		int64_t beyond;

		nvp_buf_fill(a, 0xa5);
		nvp_buf_fill(b, 0x5a);
		if (!case_log(t, 0x03, bytes, a) || !case_log(t, 0x03, bytes, b))
			return;
		nvp_check_bytes(t, nvp_buf_data(b), nvp_buf_data(a), bytes);
		beyond = nvp_buf_find_not(a, bytes, nvp_buf_bytes(a) - bytes, 0xa5);
		nvp_check(t, beyond < 0, "asked for %u bytes, byte %lld was written", bytes,
			  (long long)beyond);
	}
}

/* Get Log Page of the Firmware Slot log (512 bytes, it does not change by itself) from an offset. */
static bool firmware_log_at(struct nvp_t *t, uint64_t lpo, struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_get_log(0x03, NVP_NSID_ALL, 64, lpo, true, 0),
					    buf);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/*
 * LOG-17, LOG-18. An offset gives the same bytes as the whole log has there. One that is no multiple
 * of 4 is refused, or its low bits count as 0; one beyond the end of the log is refused.
 */
static void offset_selects_the_bytes(struct nvp_t *t)
{
	static const uint16_t aligned[] = { 0, 4, 8, 64, 448 };
	static const uint16_t unaligned[] = { 2, 9, 67 };
	struct nvp_buf *whole = nvp_t_buf(t, 512), *part = nvp_t_buf(t, 4096);
	struct nvp_cpl cpl;

	if (!whole || !part || !case_log(t, 0x03, 512, whole))
		return;
	for (size_t i = 0; i < sizeof(aligned) / sizeof(aligned[0]); i++) {
		nvp_buf_fill(part, 0xa5);
		if (!firmware_log_at(t, aligned[i], part, &cpl))
			return;
		nvp_require_ok(t, &cpl);
		nvp_check_bytes(t, nvp_buf_data(part), nvp_buf_data(whole) + aligned[i], 64);
	}
	for (size_t i = 0; i < sizeof(unaligned) / sizeof(unaligned[0]); i++) {
		nvp_buf_fill(part, 0xa5);
		if (!firmware_log_at(t, unaligned[i], part, &cpl))
			return;
		if (nvp_cpl_ok(&cpl))
			nvp_check_bytes(t, nvp_buf_data(part),
					nvp_buf_data(whole) + (unaligned[i] & ~3), 64);
		else
			nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
	if (!firmware_log_at(t, 516, part, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	if (!firmware_log_at(t, 1ull << 32, part, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
}

/*
 * LOG-09. The Firmware Slot log names an active slot between 1 and 7, and the revision in it is the
 * one that Identify Controller gives.
 */
static void active_slot_has_the_running_revision(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_firmware_slots slots;

	if (!buf || !case_log(t, 0x03, 512, buf))
		return;
	nvp_decode_firmware_slots(nvp_buf_data(buf), 512, &slots);
	nvp_require(t, slots.active_slot >= 1 && slots.active_slot <= 7, "active slot %u",
		    slots.active_slot);
	nvp_check(t, !strcmp(slots.revision[slots.active_slot - 1], nvp_t_facts(t)->ctrl.fr),
		  "slot %u has \"%s\", FR is \"%s\"", slots.active_slot,
		  slots.revision[slots.active_slot - 1], nvp_t_facts(t)->ctrl.fr);
}

/*
 * LOG-06, LOG-09. A log of the whole controller or subsystem is not given for one namespace. 1.4 says
 * that the controller should refuse it, revisions after 2.0 that it shall.
 */
static void controller_logs_refuse_a_namespace(struct nvp_t *t)
{
	static const uint8_t lids[] = { 0x01, 0x03 };
	const struct nvp_basis *basis = nvp_t_version(t) > NVP_VERSION(2, 0, 0) ? NULL : CASE_SHOULD;
	struct nvp_buf *buf = nvp_t_buf(t, 4096);

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(lids); i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_get_log(lids[i], nvp_t_ns(t)->nsid, 64,
								      0, true, 0), buf);
		struct nvp_cpl cpl;

		nvp_admin(t, &cmd, &cpl);
		nvp_check_status_by(t, basis, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * LOG-10. Commands Supported and Effects lists every mandatory command, and those that ONCS claims.
 */
static void effects_list_what_is_supported(struct nvp_t *t)
{
	static const uint8_t admin[] = { 0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0a, 0x0c };
	static const uint8_t io[] = { NVP_IO_FLUSH, NVP_IO_WRITE, NVP_IO_READ };
	static const struct {
		uint8_t bit, opcode;
	} claimed[] = { { 0, NVP_IO_COMPARE }, { 1, NVP_IO_WRITE_UNCORRECTABLE }, { 2, NVP_IO_DSM },
			{ 3, NVP_IO_WRITE_ZEROES }, { 7, NVP_IO_VERIFY }, { 8, NVP_IO_COPY } };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	uint16_t oncs = nvp_t_facts(t)->ctrl.oncs;
	struct nvp_effects effects;

	if (!buf || !case_log(t, 0x05, 4096, buf))
		return;
	nvp_decode_effects(nvp_buf_data(buf), 4096, &effects);
	for (size_t i = 0; i < sizeof(admin); i++)
		nvp_check(t, effects.admin[admin[i]] & 1, "%s: effects %08Xh",
			  nvp_opcode_name(true, admin[i]), effects.admin[admin[i]]);
	for (size_t i = 0; i < sizeof(io); i++)
		nvp_check(t, effects.io[io[i]] & 1, "%s: effects %08Xh",
			  nvp_opcode_name(false, io[i]), effects.io[io[i]]);
	for (size_t i = 0; i < sizeof(claimed) / sizeof(claimed[0]); i++)
		if (oncs & 1 << claimed[i].bit)
			nvp_check(t, effects.io[claimed[i].opcode] & 1, "%s: ONCS %04Xh, effects %08Xh",
				  nvp_opcode_name(false, claimed[i].opcode), oncs,
				  effects.io[claimed[i].opcode]);
}

/* LOG-12. Feature Identifiers Supported and Effects lists every mandatory feature. */
static void feature_effects_list_mandatory_features(struct nvp_t *t)
{
	static const uint8_t fids[] = { 0x01, 0x02, 0x04, 0x05, 0x07, 0x08, 0x09, 0x0a, 0x0b };
	struct nvp_buf *buf = nvp_t_buf(t, 1024);
	struct nvp_feature_effects effects;

	if (!buf || !case_log(t, 0x12, 1024, buf))
		return;
	nvp_decode_feature_effects(nvp_buf_data(buf), 1024, &effects);
	for (size_t i = 0; i < sizeof(fids); i++)
		nvp_check(t, effects.fid[fids[i]] & 1, "%s: effects %08Xh",
			  nvp_feature_name(fids[i]), effects.fid[fids[i]]);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "log.mandatory-logs-are-listed",
		.title = "Supported Log Pages lists the mandatory logs, and they can be read",
		.spec = { "NVMe Base", "2.0", "5.16.1.1", "LSUPP" },
		.rows = NVP_LIST("LOG-01"),
		.since = NVP_VERSION(2, 0, 0),
		.catches = NVP_LIST("log-supported-incomplete"),
		.run = mandatory_logs_are_listed,
	}, {
		NVP_CASE,
		.id = "log.reserved-logs-are-refused",
		.title = "A reserved log identifier is refused",
		.spec = { "NVMe Base", "2.0", "5.16", "LID" },
		.rows = NVP_LIST("LOG-02"),
		.catches = NVP_LIST("log-reserved-accepted"),
		.run = reserved_logs_are_refused,
	}, {
		NVP_CASE,
		.id = "log.numd-dwords-are-transferred",
		.title = "Get Log Page transfers as many dwords as NUMD asks for",
		.spec = { "NVMe Base", "2.0", "5.16", "NUMDL, NUMDU" },
		.rows = NVP_LIST("LOG-14", "IDY-16"),
		.catches = NVP_LIST("log-numd-ignored"),
		.run = numd_dwords_are_transferred,
	}, {
		NVP_CASE,
		.id = "log.offset-selects-the-bytes",
		.title = "Log Page Offset gives the bytes from there, and is refused beyond the end",
		.spec = { "NVMe Base", "2.0", "5.16", "LPOL, LPOU" },
		.rows = NVP_LIST("LOG-17", "LOG-18"),
		.needs = NVP_NEED_LOG_OFFSET,
		.catches = NVP_LIST("log-lpo-ignored", "log-lpo-beyond-end-accepted",
				    "log-lpo-unaligned-accepted"),
		.run = offset_selects_the_bytes,
	}, {
		NVP_CASE,
		.id = "log.active-slot-has-the-running-revision",
		.title = "The active firmware slot holds the revision that Identify gives",
		.spec = { "NVMe Base", "2.0", "5.16.1.4", "AFI" },
		.rows = NVP_LIST("LOG-09"),
		.catches = NVP_LIST("log-firmware-revision-differs"),
		.run = active_slot_has_the_running_revision,
	}, {
		NVP_CASE,
		.id = "log.controller-logs-refuse-a-namespace",
		.title = "A log of the controller is not given for one namespace",
		.spec = { "NVMe Base", "2.1", "5.1.12.1", NULL },
		.rows = NVP_LIST("LOG-06", "LOG-09"),
		.since = NVP_VERSION(1, 4, 0),
		.needs = NVP_NEED_NAMESPACE,
		.catches = NVP_LIST("log-nsid-unchecked"),
		.run = controller_logs_refuse_a_namespace,
	}, {
		NVP_CASE,
		.id = "log.effects-list-what-is-supported",
		.title = "Commands Supported and Effects lists mandatory and claimed commands",
		.spec = { "NVMe Base", "2.0", "5.16.1.6", "CSUPP" },
		.rows = NVP_LIST("LOG-10"),
		.needs = NVP_NEED_EFFECTS_LOG,
		.catches = NVP_LIST("log-effects-incomplete"),
		.run = effects_list_what_is_supported,
	}, {
		NVP_CASE,
		.id = "log.feature-effects-list-mandatory-features",
		.title = "Feature Identifiers Supported and Effects lists the mandatory features",
		.spec = { "NVMe Base", "2.0", "5.16.1.18", "FSUPP" },
		.rows = NVP_LIST("LOG-12"),
		.since = NVP_VERSION(2, 0, 0),
		.catches = NVP_LIST("log-feature-effects-incomplete"),
		.run = feature_effects_list_mandatory_features,
	},
};

NVP_SUITE(log, cases);
