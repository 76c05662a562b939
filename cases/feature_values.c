// SPDX-License-Identifier: GPL-2.0-or-later
// Features one by one: values that read back, values that have to be refused, and what they do.

#include "cases/common.h"

/*
 * FEA-09. Every field of Arbitration reads back as set. A drive may say that it cannot be changed.
 * The weights mean something only with weighted round robin (CAP.AMS bit 0): where that is not
 * there, or not known to be, they should read back.
 */
static void arbitration_reads_back(struct nvp_t *t)
{
	static const uint32_t values[] = { 0x0a0b0c05, 0xff00ff07, 0x01020300 };
	const struct nvp_facts *facts = nvp_t_facts(t);
	bool weighted = facts->has_cap && facts->cap.ams & 1;
	bool changes;

	if (!case_feature_changes(t, 0x01, &changes))
		return;
	if (!changes)
		nvp_skip(t, "Arbitration cannot be changed on this drive");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct nvp_cpl cpl;
		uint32_t value;

		if (!nvp_change_feature(t, 0x01, 0, values[i], &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
		    !case_feature_value(t, 0x01, 0, &value))
			return;
		nvp_check_eq(t, value & 7, values[i] & 7);
		nvp_check_eq_by(t, weighted ? NULL : CASE_SHOULD, value & 0xffffff00,
				values[i] & 0xffffff00);
	}
}

/*
 * FEA-10. A power state above NPSS is refused: the controller shall abort the command, and should
 * say Invalid Field in Command. One that exists reads back.
 */
static void power_states_end_at_npss(struct nvp_t *t)
{
	unsigned npss = nvp_t_facts(t)->ctrl.npss_z;
	struct nvp_cpl cpl;
	uint32_t value;
	bool changes;

	if (npss >= 31)
		nvp_skip(t, "all 32 power states exist");
	if (!case_set_refused(t, 0x02, npss + 1, &cpl) || !case_feature_changes(t, 0x02, &changes))
		return;
	nvp_check(t, !nvp_cpl_ok(&cpl), "power state %u was accepted, NPSS is %u", npss + 1, npss);
	nvp_check_status_by(t, CASE_SHOULD, &cpl,
			    NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD },
				    { NVP_SCT_COMMAND, NVP_SC_NOT_CHANGEABLE }));
	if (!npss || !changes)
		return;
	if (!nvp_change_feature(t, 0x02, 0, 1, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
	    !case_feature_value(t, 0x02, 0, &value))
		return;
	nvp_check_eq(t, value & 0x1f, 1);
}

/*
 * FEA-11. TMPSEL 9h to Eh are reserved values of a defined field: Get and Set Features of
 * Temperature Threshold refuse them. THSEL 10b and 11b are reserved as well.
 */
static void reserved_temperature_selects_are_refused(struct nvp_t *t)
{
	static const uint32_t dw11[] = { 0x9 << 16, 0xe << 16, 2 << 20, 3 << 20 };

	for (size_t i = 0; i < sizeof(dw11) / sizeof(dw11[0]); i++) {
		struct nvp_cpl cpl;

		if (!case_set_feature(t, 0x04, 0, false, dw11[i] | 0x0fff, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * FEA-11, LOG-05. When the composite temperature is at or above the over temperature threshold,
 * Critical Warning bit 1 is 1; with the threshold far above it, the bit has to be 0 unless an
 * under temperature threshold is crossed. The drive has the time of an admin command to notice.
 */
static bool wait_for_warning(struct nvp_t *t, bool wanted, struct nvp_buf *buf,
			     struct nvp_smart *smart)
{
	const struct nvp_clock *clock = nvp_drive_clock(nvp_t_drive(t));
	uint64_t budget_ns = nvp_drive_budget_ns(nvp_t_drive(t), NVP_TIME_ADMIN);
	uint64_t until_ns = nvp_clock_deadline_ns(clock, budget_ns);

	for (;;) {
		if (!case_smart(t, buf, smart))
			return false;
		if (!(smart->critical_warning & 2) == !wanted ||
		    nvp_clock_now_ns(clock) >= until_ns)
			return true;
		if (!CASE_TRAVELS(t, nvp_clock_pass(clock, budget_ns / 50)))
			return false;
	}
}

static void temperature_threshold_warns(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_smart smart;
	struct nvp_cpl cpl;

	if (!buf || !case_smart(t, buf, &smart))
		return;
	if (smart.composite_temperature_k <= 20)
		nvp_skip(t, "the drive reports no temperature");
	if (!nvp_change_feature(t, 0x04, 0, smart.composite_temperature_k - 20u, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!wait_for_warning(t, true, buf, &smart))
		return;
	nvp_check(t, smart.critical_warning & 2, "Critical Warning %02Xh at %u K",
		  smart.critical_warning, smart.composite_temperature_k);
	if (!nvp_change_feature(t, 0x04, 0, 0xffff, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	if (!wait_for_warning(t, false, buf, &smart))
		return;
	if (smart.critical_warning & 2)
		nvp_note(t, "the warning stays with the over threshold at FFFFh");
}

/*
 * FEA-13. The volatile write cache is switched and reads back; a controller without one refuses
 * Get and Set of the feature.
 */
static void write_cache_follows_identify(struct nvp_t *t)
{
	struct nvp_cpl cpl;
	uint32_t wce, value;
	bool changes;

	if (!(nvp_t_facts(t)->ctrl.vwc & 1)) {
		for (int set = 0; set < 2; set++) {
			if (!(set ? case_set_feature(t, 0x06, 0, false, 0, &cpl)
				  : case_get_feature(t, 0x06, 0, 0, 0, &cpl)))
				return;
			nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
		}
		return;
	}
	if (!case_feature_value(t, 0x06, 0, &wce) || !case_feature_changes(t, 0x06, &changes))
		return;
	if (!changes)
		nvp_skip(t, "the write cache cannot be switched on this drive");
	for (int i = 0; i < 2; i++) {
		wce = ~wce & 1;
		if (!nvp_change_feature(t, 0x06, 0, wce, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
		    !case_feature_value(t, 0x06, 0, &value))
			return;
		nvp_check_eq(t, value & 1, wce);
	}
}

/*
 * FEA-12. With DULBE = 1 a deallocated block is not read: the command ends with Deallocated or
 * Unwritten Logical Block. Deallocate is a hint, so blocks that still read what was written were
 * not deallocated and prove nothing; anything else that reads successfully is a fail.
 */
static void deallocated_blocks_report_an_error(struct nvp_t *t)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint64_t key = nvp_t_rand(t, "data", 0);
	struct nvp_buf *data, *range = nvp_t_buf(t, 4096);
	struct case_region region;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	bool kept;
	uint32_t lbas = 1, granule = (ns->id.nsfeat & 1 << 4) ? ns->id.npdg_z + 1u : 1;

	if (!(ns->id.nsfeat & 1 << 2))
		nvp_skip(t, "the namespace has no error for deallocated blocks (NSFEAT bit 2)");
	while (lbas < granule && lbas < case_max_lbas(t))
		lbas *= 2;
	if (!case_region_aligned(t, lbas, lbas, &region))
		return;
	data = nvp_t_buf(t, (size_t)lbas * region.lba_bytes);
	if (!data || !range)
		return;
	nvp_buf_fill_pattern(data, key);
	if (!case_write(t, &region, 0, lbas, data))
		return;
	nvp_build_dsm_range(nvp_buf_data(range), 0, lbas, region.slba);
	cmd = case_with_data(nvp_build_dsm(region.nsid, 0, true, false, false), range);
	nvp_io(t, &cmd, &cpl);
	CASE_OK(t, &cpl);
	if (!nvp_change_feature(t, 0x05, region.nsid, 1u << 16, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;

	nvp_buf_fill(data, 0x3c);
	cmd = case_with_data(nvp_build_read(region.nsid, region.slba, (uint16_t)(lbas - 1),
					    region.lba_bytes), data);
	nvp_io(t, &cmd, &cpl);
	kept = nvp_cpl_ok(&cpl) &&
	       nvp_buf_pattern_mismatch(data, key, 0, nvp_buf_bytes(data)) < 0;
	nvp_check(t, kept || nvp_status_is(&cpl.status, NVP_SCT_MEDIA, NVP_SC_DEALLOCATED),
		  "status %u/%02Xh, and the data is not what was written", cpl.status.sct,
		  cpl.status.sc);
	if (kept)
		nvp_note(t, "nothing was deallocated: Deallocate is a hint");
}

/* FEA-19. Both values of DN read back. */
static void write_atomicity_reads_back(struct nvp_t *t)
{
	bool changes;

	if (!case_feature_changes(t, 0x0a, &changes))
		return;
	if (!changes)
		nvp_skip(t, "Write Atomicity Normal cannot be changed on this drive");
	for (uint32_t dn = 2; dn-- > 0;) {
		struct nvp_cpl cpl;
		uint32_t value;

		if (!nvp_change_feature(t, 0x0a, 0, dn, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
		    !case_feature_value(t, 0x0a, 0, &value))
			return;
		nvp_check_eq(t, value & 1, dn);
	}
}

/*
 * FEA-19. Events of health that every drive has, and the notices that OAES offers, are configured
 * one by one: what was set reads back. Others may be refused or not be kept: nothing to judge.
 */
static void event_configuration_reads_back(struct nvp_t *t)
{
	uint32_t offered = 0x1f | (nvp_t_facts(t)->ctrl.oaes & 0xffffff00);

	for (unsigned bit = 0; bit < 32; bit++) {
		struct nvp_cpl cpl;
		uint32_t value;

		if (!(offered >> bit & 1))
			continue;
		if (!nvp_change_feature(t, 0x0b, 0, 1u << bit, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
		    !case_feature_value(t, 0x0b, 0, &value))
			return;
		nvp_check_eq(t, value & offered, 1u << bit);
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "feature.arbitration-reads-back",
		.title = "Burst and weights of Arbitration read back as set",
		.spec = { "NVMe Base", "2.0", "5.27.1.1", NULL },
		.rows = NVP_LIST("FEA-09"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-arbitration-truncated", "feature-set-ignored"),
		.run = arbitration_reads_back,
	}, {
		NVP_CASE,
		.id = "feature.power-states-end-at-npss",
		.title = "A power state above NPSS is refused, one that exists reads back",
		.spec = { "NVMe Base", "2.0", "5.27.1.2", "PS" },
		.rows = NVP_LIST("FEA-10"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-power-state-unchecked", "feature-set-ignored"),
		.run = power_states_end_at_npss,
	}, {
		NVP_CASE,
		.id = "feature.reserved-temperature-selects-are-refused",
		.title = "Reserved TMPSEL and THSEL of Temperature Threshold are refused",
		.spec = { "NVMe Base", "2.0", "5.27.1.3", "TMPSEL" },
		.rows = NVP_LIST("FEA-11"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-tmpsel-reserved-accepted"),
		.run = reserved_temperature_selects_are_refused,
	}, {
		NVP_CASE,
		.id = "feature.temperature-threshold-warns",
		.title = "A temperature at or above its threshold sets Critical Warning bit 1",
		.spec = { "NVMe Base", "2.0", "5.16.1.3", "Critical Warning" },
		.rows = NVP_LIST("FEA-11", "LOG-05"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("smart-temperature-warning-missing"),
		.run = temperature_threshold_warns,
	}, {
		NVP_CASE,
		.id = "feature.write-cache-follows-identify",
		.title = "The write cache can be switched where there is one, and is refused "
			 "where not",
		.spec = { "NVMe Base", "2.0", "5.27.1.4", NULL },
		.rows = NVP_LIST("FEA-13"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-vwc-without-cache", "feature-set-ignored"),
		.run = write_cache_follows_identify,
	}, {
		NVP_CASE,
		.id = "feature.deallocated-blocks-report-an-error",
		.title = "With DULBE = 1 reading a deallocated block gives its own error",
		.spec = { "NVM Command Set", "1.0", "4.1.3.2", "DULBE" },
		.rows = NVP_LIST("FEA-12"),
		.needs = NVP_NEED_DSM | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_DATA | NVP_IMPACT_STATE,
		.catches = NVP_LIST("dulbe-ignored"),
		.run = deallocated_blocks_report_an_error,
	}, {
		NVP_CASE,
		.id = "feature.write-atomicity-reads-back",
		.title = "Disable Normal of Write Atomicity Normal reads back as set",
		.spec = { "NVM Command Set", "1.0", "4.1.3.3", "DN" },
		.rows = NVP_LIST("FEA-19"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-write-atomicity-stuck"),
		.run = write_atomicity_reads_back,
	}, {
		NVP_CASE,
		.id = "feature.event-configuration-reads-back",
		.title = "Each event that Identify offers can be configured and reads back",
		.spec = { "NVMe Base", "2.0", "5.27.1.8", NULL },
		.rows = NVP_LIST("FEA-19"),
		.needs = NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-events-truncated"),
		.run = event_configuration_reads_back,
	},
};

NVP_SUITE(feature_values, cases);
