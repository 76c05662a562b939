// SPDX-License-Identifier: GPL-2.0-or-later
// Get Log Page: which logs there are, how much of them is transferred, and what is refused.

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
 * LOG-02. A log identifier that every revision up to 2.1 reserves is refused: Invalid Log Page,
 * or, as the command's text said until 2.0, Invalid Field in Command.
 */
static void reserved_logs_are_refused(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 0x3f, 0x55, 0x6a };
	static const struct nvp_expect right[] = { { NVP_SCT_COMMAND, NVP_SC_LOG_PAGE },
						   { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD } };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(reserved); i++) {
		struct nvp_cmd cmd = case_with_data(nvp_build_get_log(reserved[i], NVP_NSID_ALL,
								      512, 0, true, 0), buf);
		struct nvp_cpl cpl;

		nvp_admin(t, &cmd, &cpl);
		nvp_check_status(t, &cpl, right, nvp_t_version(t) > NVP_VERSION(2, 0, 0) ? 1 : 2);
	}
}

/*
 * LOG-14. Exactly NUMD dwords are transferred: all of them, and not a byte more of the
 * buffer is touched (bytes outside it are a standing invariant).
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

/*
 * LOG-15. More than the log has may be asked for: it succeeds, the log is in front, what is behind
 * it is undefined, and nothing behind NUMD is touched.
 */
static void more_than_the_log_can_be_read(struct nvp_t *t)
{
	static const uint32_t sizes[] = { 516, 1024, 4096 };
	struct nvp_buf *log = nvp_t_buf(t, 512), *more = nvp_t_buf(t, 8192);

	if (!log || !more || !case_log(t, 0x03, 512, log))
		return;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int64_t beyond;

		nvp_buf_fill(more, 0xa5);
		if (!case_log(t, 0x03, sizes[i], more))
			return;
		nvp_check_bytes(t, nvp_buf_data(more), nvp_buf_data(log), 512);
		beyond = nvp_buf_find_not(more, sizes[i], nvp_buf_bytes(more) - sizes[i], 0xa5);
		nvp_check(t, beyond < 0, "asked for %u bytes, byte %lld was written", sizes[i],
			  (long long)beyond);
	}
}

/*
 * Get Log Page of the Firmware Slot log (512 bytes, it does not change by itself) from an
 * offset.
 */
static bool firmware_log_at(struct nvp_t *t, uint64_t lpo, struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_get_log(0x03, NVP_NSID_ALL, 64, lpo, true, 0),
					    buf);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/*
 * LOG-17, LOG-18. An offset gives the same bytes as the whole log has there. One that is no
 * multiple of 4 is refused, or its low bits count as 0; one beyond the end of the log is
 * refused.
 */
static void offset_selects_the_bytes(struct nvp_t *t)
{
	static const uint16_t aligned[] = { 0, 4, 8, 64, 448 };
	static const uint16_t unaligned[] = { 2, 9, 67 };
	static const uint64_t beyond[] = { 516, 1ull << 32 };
	struct nvp_buf *whole = nvp_t_buf(t, 512), *part = nvp_t_buf(t, 4096);
	struct nvp_cpl cpl;
	bool same;

	if (!whole || !part || !case_log(t, 0x03, 512, whole))
		return;
	for (size_t i = 0; i < sizeof(aligned) / sizeof(aligned[0]); i++) {
		nvp_buf_fill(part, 0xa5);
		if (!firmware_log_at(t, aligned[i], part, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		nvp_check_bytes(t, nvp_buf_data(part), nvp_buf_data(whole) + aligned[i], 64);
	}
	for (size_t i = 0; i < sizeof(unaligned) / sizeof(unaligned[0]); i++) {
		nvp_buf_fill(part, 0xa5);
		if (!firmware_log_at(t, unaligned[i], part, &cpl))
			return;
		same = !memcmp(nvp_buf_data(part), nvp_buf_data(whole) + (unaligned[i] & ~3), 64);
		nvp_check(t, nvp_status_is(&cpl.status, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD) ||
			  (nvp_cpl_ok(&cpl) && same),
			  "offset %u: status %u/%02Xh, %s the bytes of offset %u", unaligned[i],
			  cpl.status.sct, cpl.status.sc, same ? "with" : "without",
			  unaligned[i] & ~3u);
	}
	for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
		if (!firmware_log_at(t, beyond[i], part, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * LOG-09. The Firmware Slot log names an active slot between 1 and 7, and the revision in it is
 * the one that Identify Controller gives.
 */
static void active_slot_has_the_running_revision(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_firmware_slots slots;
	const char *revision = "no revision";

	if (!buf || !case_log(t, 0x03, 512, buf))
		return;
	nvp_decode_firmware_slots(nvp_buf_data(buf), 512, &slots);
	if (slots.active_slot >= 1 && slots.active_slot <= 7)
		revision = slots.revision[slots.active_slot - 1];
	nvp_check(t, !strcmp(revision, nvp_t_facts(t)->ctrl.fr),
		  "active slot %u has \"%s\", FR is \"%s\"", slots.active_slot, revision,
		  nvp_t_facts(t)->ctrl.fr);
}

/*
 * LOG-06, LOG-09. A log of the whole controller or subsystem is not given for one namespace. 1.4
 * says that the controller should refuse it, revisions after 2.0 that it shall.
 */
static void controller_logs_refuse_a_namespace(struct nvp_t *t)
{
	static const uint8_t lids[] = { 0x01, 0x03 };
	bool shall = nvp_t_version(t) > NVP_VERSION(2, 0, 0);
	struct nvp_buf *buf = nvp_t_buf(t, 4096);

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(lids); i++) {
		struct nvp_cmd cmd = nvp_build_get_log(lids[i], nvp_t_ns(t)->nsid, 64, 0, true, 0);
		struct nvp_cpl cpl;

		cmd.data = buf;
		nvp_admin(t, &cmd, &cpl);
		nvp_check_status_by(t, shall ? NULL : CASE_SHOULD, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * Create and Delete of I/O queues are commands of memory-based transports (section 3.1.2.1.1): over
 * Fabrics a controller has none. Such a one has capsule sizes (section 5.17.2.1, IOCCSZ).
 */
static bool is_over_fabrics(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	static const uint8_t none[4];
	struct nvp_cpl cpl;

	return buf && case_identify(t, 0x01, 0, 0, buf, &cpl) && nvp_cpl_ok(&cpl) &&
	       memcmp(nvp_buf_data(buf) + 1792, none, sizeof(none)) != 0;
}

static bool makes_queues(uint8_t opcode)
{
	return opcode == NVP_ADMIN_DELETE_SQ || opcode == NVP_ADMIN_CREATE_SQ ||
	       opcode == NVP_ADMIN_DELETE_CQ || opcode == NVP_ADMIN_CREATE_CQ;
}

/*
 * LOG-10. Commands Supported and Effects lists every mandatory command, and those that ONCS
 * claims.
 */
static void effects_list_what_is_supported(struct nvp_t *t)
{
	static const struct {
		bool io;
		uint8_t opcode;
		uint16_t oncs;		/* the bit that claims it; 0: mandatory */
	} commands[] = {
		{ false, NVP_ADMIN_DELETE_SQ, 0 }, { false, NVP_ADMIN_CREATE_SQ, 0 },
		{ false, NVP_ADMIN_GET_LOG_PAGE, 0 }, { false, NVP_ADMIN_DELETE_CQ, 0 },
		{ false, NVP_ADMIN_CREATE_CQ, 0 }, { false, NVP_ADMIN_IDENTIFY, 0 },
		{ false, NVP_ADMIN_ABORT, 0 }, { false, NVP_ADMIN_SET_FEATURES, 0 },
		{ false, NVP_ADMIN_GET_FEATURES, 0 }, { false, NVP_ADMIN_ASYNC_EVENT, 0 },
		{ true, NVP_IO_FLUSH, 0 }, { true, NVP_IO_WRITE, 0 }, { true, NVP_IO_READ, 0 },
		{ true, NVP_IO_COMPARE, 1 << 0 }, { true, NVP_IO_WRITE_UNCORRECTABLE, 1 << 1 },
		{ true, NVP_IO_DSM, 1 << 2 }, { true, NVP_IO_WRITE_ZEROES, 1 << 3 },
		{ true, NVP_IO_VERIFY, 1 << 7 }, { true, NVP_IO_COPY, 1 << 8 },
	};
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	uint16_t oncs = nvp_t_facts(t)->ctrl.oncs;
	struct nvp_effects effects;

	if (!buf || !case_log(t, 0x05, 4096, buf))
		return;
	nvp_decode_effects(nvp_buf_data(buf), 4096, &effects);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		uint8_t opcode = commands[i].opcode;
		uint32_t effect = commands[i].io ? effects.io[opcode] : effects.admin[opcode];

		if (commands[i].oncs && !(oncs & commands[i].oncs))
			continue;
		if (!(effect & 1) && !commands[i].io && makes_queues(opcode) && is_over_fabrics(t))
			continue;
		nvp_check(t, effect & 1, "%s: ONCS %04Xh, effects %08Xh",
			  nvp_opcode_name(!commands[i].io, opcode), oncs, effect);
	}
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
		.catches = NVP_LIST("log-numd-ignored", "data-short"),
		.run = numd_dwords_are_transferred,
	}, {
		NVP_CASE,
		.id = "log.more-than-the-log-can-be-read",
		.title = "A read of more than a log has gives the log, and no more than NUMD asks for",
		.spec = { "NVMe Base", "2.0", "5.16", "NUMDL, NUMDU" },
		.rows = NVP_LIST("LOG-15"),
		.catches = NVP_LIST("log-numd-ignored", "log-numd-beyond-refused",
				    "log-numd-beyond-empty"),
		.run = more_than_the_log_can_be_read,
	}, {
		NVP_CASE,
		.id = "log.offset-selects-the-bytes",
		.title = "Log Page Offset gives the bytes from there, and is refused beyond "
			 "the end",
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
