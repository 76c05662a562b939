// SPDX-License-Identifier: GPL-2.0-or-later
// Features in general: what can be read, SEL, saving, scope, and identifiers and values to refuse.

#include "cases/common.h"

/* Features of the controller (not of a namespace) whose value is one dword and harmless to set. */
static const uint8_t controller_fids[] = { 0x01, 0x02, 0x04, 0x0a };
#define NR_CONTROLLER_FIDS (sizeof(controller_fids) / sizeof(controller_fids[0]))

/*
 * FEA-01. Every feature that is mandatory for an I/O controller on PCIe can be read; Error
 * Recovery belongs to a namespace and is asked with its NSID.
 */
static void mandatory_features_can_be_read(struct nvp_t *t)
{
	static const uint8_t fids[] = { 0x01, 0x02, 0x04, 0x05, 0x07, 0x08, 0x09, 0x0a, 0x0b };
	const struct nvp_facts *facts = nvp_t_facts(t);

	for (size_t i = 0; i < sizeof(fids); i++) {
		struct nvp_cpl cpl;
		uint32_t nsid;

		if (fids[i] == 0x05 && !facts->nr_ns)
			continue;
		nsid = fids[i] == 0x05 ? facts->ns[0].nsid : 0;
		if (!case_get_feature(t, fids[i], nsid, 0, 0, &cpl))
			return;
		nvp_check(t, nvp_cpl_ok(&cpl), "Get Features of %s: status %u/%02Xh",
			  nvp_feature_name(fids[i]), cpl.status.sct, cpl.status.sc);
	}
}

/*
 * FEA-02. Identifiers that every revision up to 2.1 reserves are refused by Get and Set Features.
 */
static void reserved_identifiers_are_refused(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 0x00, 0x31, 0x47, 0x5a, 0x6f };
	struct nvp_cpl cpl;

	for (size_t i = 0; i < sizeof(reserved); i++) {
		if (!case_get_feature(t, reserved[i], 0, 0, 0, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
		if (!case_set_feature(t, reserved[i], 0, false, 0, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * FEA-03. After a Set the current value is the new one and the default is what it was. Temperature
 * Threshold (over, composite) is used, a kelvin higher than before, so that nothing is triggered.
 */
static void current_and_default_are_kept_apart(struct nvp_t *t)
{
	uint32_t old_current, value;
	struct nvp_cpl cpl, factory;

	if (!case_feature_value(t, 0x04, 0, &old_current))
		return;
	if (!case_get_feature(t, 0x04, 0, 1, 0, &factory) || !CASE_SUCCEEDS(t, &factory))
		return;
	value = (old_current & 0xffff) < 0xffff ? (old_current & 0xffff) + 1 : 0xfffe;
	if (!nvp_change_feature(t, 0x04, 0, value, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;

	if (!case_get_feature(t, 0x04, 0, 0, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_check_eq(t, cpl.dw0 & 0xffff, value);
	if (!case_get_feature(t, 0x04, 0, 1, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_check_eq(t, cpl.dw0 & 0xffff, factory.dw0 & 0xffff);
}

/* FEA-04. SEL 100b to 111b are reserved values of a defined field. */
static void reserved_select_is_refused(struct nvp_t *t)
{
	for (uint8_t sel = 4; sel < 8; sel++) {
		struct nvp_cpl cpl;

		if (!case_get_feature(t, 0x04, 0, sel, 0, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

/*
 * FEA-05. A feature whose capabilities say that it cannot be saved refuses SV = 1. The value set
 * is the current one, so that nothing changes. Where it cannot be changed either, both reasons
 * are right. Features that the kernel keeps to itself are tried on queues of our own only.
 */
static void unsaveable_features_refuse_save(struct nvp_t *t)
{
	static const uint8_t fids[] = { 0x01, 0x02, 0x04, 0x05, 0x06, 0x0a, 0x08, 0x0b };
	static const struct nvp_expect right[] = { { NVP_SCT_COMMAND, NVP_SC_NOT_SAVEABLE },
						   { NVP_SCT_COMMAND, NVP_SC_NOT_CHANGEABLE } };
	const struct nvp_facts *facts = nvp_t_facts(t);
	bool own = nvp_drive_path(nvp_t_drive(t)) & NVP_PATH_QUEUES;
	unsigned tried = 0;

	for (size_t i = 0; i < sizeof(fids); i++) {
		uint32_t nsid = fids[i] == 0x05 && facts->nr_ns ? facts->ns[0].nsid : 0, value;
		struct nvp_feature_caps caps;
		struct nvp_cpl cpl;
		bool known;

		if ((fids[i] == 0x05 && !nsid) || (fids[i] == 0x06 && !(facts->ctrl.vwc & 1)) ||
		    ((fids[i] == 0x08 || fids[i] == 0x0b) && !own))
			continue;
		if (!case_feature_caps(t, fids[i], nsid, &known, &caps))
			return;
		if (!known || caps.saveable)
			continue;
		if (!case_feature_value(t, fids[i], nsid, &value) ||
		    !case_set_feature(t, fids[i], nsid, true, value, &cpl))
			return;
		tried++;
		nvp_check_status(t, &cpl, right, caps.changeable ? 1 : 2);
	}
	if (!tried)
		nvp_skip(t, "all features looked at can be saved");
}

/*
 * FEA-06. A feature whose capabilities say that it cannot be changed refuses another value with
 * Feature Not Changeable: what SEL = 011b says and what Set Features does have to agree. Features
 * that the kernel keeps to itself are not among those tried.
 */
static void unchangeable_features_refuse_change(struct nvp_t *t)
{
	static const struct {
		uint8_t fid;
		uint32_t flip;	/* bits of Dword 11 that make another valid value */
	} tries[] = { { 0x01, 1 }, { 0x04, 1 }, { 0x0a, 1 } };
	unsigned tried = 0;

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct nvp_feature_caps caps;
		struct nvp_cpl cpl;
		uint32_t value;
		bool known;

		if (!case_feature_caps(t, tries[i].fid, 0, &known, &caps))
			return;
		if (!known || caps.changeable)
			continue;
		if (!case_feature_value(t, tries[i].fid, 0, &value) ||
		    !case_set_refused(t, tries[i].fid, value ^ tries[i].flip, &cpl))
			return;
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_NOT_CHANGEABLE }));
		tried++;
	}
	if (!tried)
		nvp_skip(t, "all features looked at can be changed");
}

/*
 * FEA-07. Set Features of a feature of the controller for one valid namespace is refused with
 * Feature Not Namespace Specific. The value is the current one; a feature that cannot be changed
 * at all may say that instead.
 */
static void controller_features_refuse_a_namespace(struct nvp_t *t)
{
	uint32_t nsid = nvp_t_ns(t)->nsid;

	for (size_t i = 0; i < NR_CONTROLLER_FIDS; i++) {
		uint8_t fid = controller_fids[i];
		struct nvp_cpl cpl;
		uint32_t value;

		if (!case_feature_value(t, fid, 0, &value) ||
		    !case_set_feature(t, fid, nsid, false, value, &cpl))
			return;
		nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_NOT_NS_SPECIFIC },
						  { NVP_SCT_COMMAND, NVP_SC_NOT_CHANGEABLE }));
	}
}

/* Saves the old value again: the buffer holds the bytes fid and value (4, little-endian). */
static void save_again(struct nvp_t *t, void *context)
{
	const uint8_t *old = nvp_buf_data(context);
	uint32_t value = old[1] | (uint32_t)old[2] << 8 | (uint32_t)old[3] << 16 |
			 (uint32_t)old[4] << 24;
	struct nvp_cmd cmd = nvp_build_set_features(old[0], 0, true, value);
	struct nvp_cpl cpl;

	(void)nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl);
}

/* The first feature of the controller that can be changed and saved; 0 if there is none. */
static bool find_saveable(struct nvp_t *t, uint8_t *fid)
{
	static const uint8_t fids[] = { 0x04, 0x01 };

	*fid = 0;
	for (size_t i = 0; i < sizeof(fids) && !*fid; i++) {
		struct nvp_feature_caps caps;
		bool known;

		if (!case_feature_caps(t, fids[i], 0, &known, &caps))
			return false;
		if (known && caps.saveable && caps.changeable)
			*fid = fids[i];
	}
	return true;
}

/*
 * FEA-08. After a controller reset the current value of a saveable feature is the saved one;
 * what was set without saving is gone. Bit 0 of Temperature Threshold or of Arbitration's burst
 * tells them apart.
 */
static void saved_values_survive_a_reset(struct nvp_t *t)
{
	struct nvp_buf *old = nvp_t_buf(t, 8);
	struct nvp_cpl cpl;
	uint32_t keep;
	uint8_t fid;

	if (!old || !find_saveable(t, &fid))
		return;
	if (!fid)
		nvp_skip(t, "no feature looked at can be saved");
	if (!case_get_feature(t, fid, 0, 2, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_buf_data(old)[0] = fid;
	for (int i = 0; i < 4; i++)
		nvp_buf_data(old)[1 + i] = (uint8_t)(cpl.dw0 >> 8 * i);
	keep = cpl.dw0 ^ 1;
	nvp_defer(t, save_again, old);

	if (!case_set_feature(t, fid, 0, true, keep, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	if (!case_set_feature(t, fid, 0, false, keep ^ 3, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	if (!case_get_feature(t, fid, 0, 2, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_check_eq(t, cpl.dw0, keep);

	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!case_get_feature(t, fid, 0, 0, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_check_eq(t, cpl.dw0, keep);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "feature.mandatory-features-can-be-read",
		.title = "Get Features answers for every mandatory feature",
		.spec = { "NVMe Base", "2.0", "3.1.2.1.3", NULL },
		.rows = NVP_LIST("FEA-01"),
		.catches = NVP_LIST("feature-mandatory-missing"),
		.run = mandatory_features_can_be_read,
	}, {
		NVP_CASE,
		.id = "feature.reserved-identifiers-are-refused",
		.title = "Get and Set Features of a reserved identifier give Invalid Field in "
			 "Command",
		.spec = { "NVMe Base", "2.0", "5.27", "FID" },
		.rows = NVP_LIST("FEA-02"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-fid-reserved-accepted"),
		.run = reserved_identifiers_are_refused,
	}, {
		NVP_CASE,
		.id = "feature.current-and-default-are-kept-apart",
		.title = "Set Features changes the current value and leaves the default alone",
		.spec = { "NVMe Base", "2.0", "4.2", NULL },
		.rows = NVP_LIST("FEA-03"),
		.needs = NVP_NEED_SAVE_SELECT,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-set-ignored", "feature-default-overwritten"),
		.run = current_and_default_are_kept_apart,
	}, {
		NVP_CASE,
		.id = "feature.reserved-select-is-refused",
		.title = "Get Features with a reserved SEL gives Invalid Field in Command",
		.spec = { "NVMe Base", "2.0", "5.15", "SEL" },
		.rows = NVP_LIST("FEA-04"),
		.needs = NVP_NEED_SAVE_SELECT,
		.catches = NVP_LIST("feature-sel-reserved-accepted"),
		.run = reserved_select_is_refused,
	}, {
		NVP_CASE,
		.id = "feature.unsaveable-features-refuse-save",
		.title = "Saving a feature that cannot be saved gives Feature Identifier Not "
			 "Saveable",
		.spec = { "NVMe Base", "2.0", "5.27", "SV" },
		.rows = NVP_LIST("FEA-05"),
		.needs = NVP_NEED_SAVE_SELECT,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-not-saveable-accepted",
				    "feature-not-saveable-wrong-status"),
		.run = unsaveable_features_refuse_save,
	}, {
		NVP_CASE,
		.id = "feature.unchangeable-features-refuse-change",
		.title = "Changing a feature that says it cannot be changed gives Feature Not "
			 "Changeable",
		.spec = { "NVMe Base", "2.0", "5.15.1", NULL },
		.rows = NVP_LIST("FEA-03", "FEA-06"),
		.needs = NVP_NEED_SAVE_SELECT,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-capabilities-wrong"),
		.run = unchangeable_features_refuse_change,
	}, {
		NVP_CASE,
		.id = "feature.controller-features-refuse-a-namespace",
		.title = "Setting a feature of the controller for one namespace is refused",
		.spec = { "NVMe Base", "2.0", "5.27", "Feature Not Namespace Specific" },
		.rows = NVP_LIST("FEA-07"),
		.needs = NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("feature-nsid-accepted"),
		.run = controller_features_refuse_a_namespace,
	}, {
		NVP_CASE,
		.id = "feature.saved-values-survive-a-reset",
		.title = "After a controller reset a feature has its saved value, not an "
			 "unsaved one",
		.spec = { "NVMe Base", "2.0", "4.2", "saved value" },
		.rows = NVP_LIST("FEA-08"),
		.needs = NVP_NEED_SAVE_SELECT | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.time_class = NVP_TIME_REGISTER,
		.catches = NVP_LIST("feature-saved-lost-on-reset",
				    "feature-unsaved-survives-reset", "feature-set-ignored"),
		.run = saved_values_survive_a_reset,
	},
};

NVP_SUITE(feature, cases);
