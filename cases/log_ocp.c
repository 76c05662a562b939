// SPDX-License-Identifier: GPL-2.0-or-later
// Logs of the OCP Datacenter NVMe SSD specification, and the UUID that names them.

#include "cases/ocp.h"

/* TEL-08, TEL-09. Each log that the drive has ends with its own GUID, and a version in front of it. */
static void pages_have_guid_and_version(struct nvp_t *t)
{
	static const uint8_t lids[] = { NVP_OCP_LOG_SMART, NVP_OCP_LOG_ERROR_RECOVERY,
					NVP_OCP_LOG_LATENCY, NVP_OCP_LOG_CAPABILITIES,
					NVP_OCP_LOG_UNSUPPORTED };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);

	if (!buf || !case_needs_ocp(t, buf))
		return;
	for (size_t i = 0; i < sizeof(lids); i++) {
		uint32_t bytes = nvp_ocp_log_bytes(lids[i]);
		const void *data = nvp_buf_data(buf);
		bool there;

		if (!case_ocp_log(t, lids[i], buf, &there))
			return;
		if (!there) {	/* from version 2.0 on all of them; 1.0 had C0h and C1h */
			nvp_note(t, "the drive has no log %02Xh", lids[i]);
			continue;
		}
		nvp_check_by(t, CASE_OCP, nvp_ocp_is(lids[i], data, bytes),
			     "log %02Xh ends with another GUID", lids[i]);
		nvp_check_by(t, CASE_OCP, nvp_ocp_version(lids[i], data, bytes) > 0,
			     "log %02Xh has version 0", lids[i]);
	}
}

/* The extended SMART log as values. False when the case ended, skipped where it is none of OCP. */
static bool ocp_smart(struct nvp_t *t, struct nvp_buf *buf, struct nvp_ocp_smart *smart)
{
	bool there;

	if (!case_ocp_log(t, NVP_OCP_LOG_SMART, buf, &there))
		return false;
	if (!there || !nvp_ocp_is(NVP_OCP_LOG_SMART, nvp_buf_data(buf), 512)) {
		nvp_skip_at(t, __FILE__, __LINE__, "no log C0h with the GUID of OCP");
		return false;
	}
	nvp_decode_ocp_smart(nvp_buf_data(buf), 512, smart);
	return true;
}

/* TEL-08. Counters go up only, over writes and reads of a few blocks. */
static void smart_counters_never_go_down(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_ocp_smart before, after;
	struct case_written w;

	if (!buf || !ocp_smart(t, buf, &before) || !case_written_new(t, 16, &w) ||
	    !case_written_holds(t, &w, 0, 16) || !ocp_smart(t, buf, &after))
		return;
	nvp_check_by(t, CASE_OCP, nvp_u128_compare(&after.media_bytes_written,
						   &before.media_bytes_written) >= 0,
		     "Physical Media Units Written: %llu, then %llu",
		     (unsigned long long)before.media_bytes_written.low,
		     (unsigned long long)after.media_bytes_written.low);
}

/* TEL-08. What a version of the log does not define is 0. */
static void smart_reserved_bytes_are_zero(struct nvp_t *t)
{
	static const struct {
		uint16_t first, last, until_version;
	} reserved[] = { { 116, 119, 4 }, { 121, 127, 4 }, { 132, 135, 4 }, { 208, 215, 3 },
			 { 216, 493, 4 } };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_ocp_smart smart;

	if (!buf || !ocp_smart(t, buf, &smart))
		return;
	if (smart.version > 4)
		nvp_skip(t, "version %u of the log is not known", smart.version);
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		uint16_t bytes = (uint16_t)(reserved[i].last - reserved[i].first + 1);
		int64_t at;

		if (smart.version > reserved[i].until_version)
			continue;
		at = nvp_buf_find_not(buf, reserved[i].first, bytes, 0);
		nvp_check_by(t, CASE_OCP, at < 0, "reserved byte %lld is not 0", (long long)at);
	}
}

/* TEL-11, TEL-12. An OCP drive has power loss protection: its capacitors have some health. */
static void smart_tells_of_power_loss_protection(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_ocp_smart smart;

	if (!buf || !ocp_smart(t, buf, &smart))
		return;
	nvp_check_by(t, CASE_OCP, smart.capacitor_health_pct != 0xffff,
		     "Capacitor Health is FFFFh: no power loss protection");
	nvp_measure(t, "capacitor_health", smart.capacitor_health_pct, "percent");
	nvp_measure(t, "free_blocks", smart.free_blocks_pct, "percent");
}

static struct nvp_cmd log_with_uuid(uint8_t index, struct nvp_buf *buf)
{
	struct nvp_cmd cmd = nvp_build_get_log(NVP_OCP_LOG_SMART, NVP_NSID_ALL, 512, 0, true, 0);

	nvp_sqe_set_dw(&cmd.sqe, 14, index);
	return case_with_data(cmd, buf);
}

/*
 * IDY-11, LOG-20. The UUID list of an OCP drive (from 2.0 on) names OCP; its index selects the log,
 * and an index without an entry is refused (8.25).
 */
static void uuid_index_selects_the_log(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_uuid_list list;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	unsigned index = 0;

	if (!(nvp_t_facts(t)->ctrl.ctratt & 1 << 9))
		nvp_skip(t, "CTRATT bit 9 is clear: the drive has no UUID list");
	if (!buf || !case_needs_ocp(t, buf) || !case_identify(t, 0x17, 0, 0, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	nvp_decode_uuid_list(nvp_buf_data(buf), 4096, &list);
	for (unsigned i = 0; i < list.nr && !index; i++)
		if (!memcmp(list.uuid[i], nvp_ocp_uuid(), 16))
			index = i + 1;
	nvp_check_by(t, CASE_OCP, index, "none of %u UUIDs is that of OCP", list.nr);
	cmd = log_with_uuid((uint8_t)index, buf);
	nvp_admin(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	nvp_check_by(t, CASE_OCP, nvp_ocp_is(NVP_OCP_LOG_SMART, nvp_buf_data(buf), 512),
		     "log C0h with the UUID index %u has another GUID", index);
	if (list.nr == 127)
		return;
	cmd = log_with_uuid((uint8_t)(list.nr + 1), buf);
	nvp_admin(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "log.ocp-pages-have-guid-and-version",
		.title = "Each OCP log page ends with a version and its own GUID",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "SMART-7 and the other logs",
			  "Log Page GUID" },
		.rows = NVP_LIST("TEL-08", "TEL-09"),
		.catches = NVP_LIST("ocp-guid-wrong", "ocp-version-zero"),
		.run = pages_have_guid_and_version,
	}, {
		NVP_CASE,
		.id = "log.ocp-media-counters-never-go-down",
		.title = "Physical media units of the OCP log never go down",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "log C0h",
			  "Physical Media Units Written" },
		.rows = NVP_LIST("TEL-08"),
		.needs = NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("ocp-media-written-goes-down"),
		.run = smart_counters_never_go_down,
	}, {
		NVP_CASE,
		.id = "log.ocp-reserved-bytes-are-zero",
		.title = "Reserved bytes of the extended SMART log are zero",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "log C0h", NULL },
		.rows = NVP_LIST("TEL-08"),
		.catches = NVP_LIST("ocp-reserved-not-zero"),
		.run = smart_reserved_bytes_are_zero,
	}, {
		NVP_CASE,
		.id = "log.ocp-smart-tells-of-power-loss-protection",
		.title = "Capacitor Health says that there is power loss protection",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "log C0h", "Capacitor Health" },
		.rows = NVP_LIST("TEL-08"),
		.catches = NVP_LIST("ocp-capacitor-missing"),
		.run = smart_tells_of_power_loss_protection,
	}, {
		NVP_CASE,
		.id = "log.ocp-uuid-index-selects-the-page",
		.title = "The UUID list names OCP, its index works, an index beyond it is refused",
		.spec = { "NVMe Base", "2.0", "8.25", "UUID Index" },
		.rows = NVP_LIST("IDY-11", "LOG-20"),
		.since = NVP_VERSION(1, 4, 0),
		.catches = NVP_LIST("ocp-uuid-missing", "uuid-index-unchecked",
				    "ocp-guid-wrong:log=0xc0"),
		.run = uuid_index_selects_the_log,
	},
};

NVP_SUITE(log_ocp, cases);
