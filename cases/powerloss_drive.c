// SPDX-License-Identifier: GPL-2.0-or-later
// Power loss: what the drive itself has to be afterwards.

#include "cases/powerloss.h"

#define COALESCING 0x08

/* The commands that a host needs work again, at the first power-on after each of some cuts. */
static void comes_back(struct nvp_t *t)
{
	struct case_written w;

	for (unsigned i = 0; i < 4; i++) {
		if (!powerloss_cut(t) || !case_written_new(t, 8, &w))
			return;
		case_written_holds(t, &w, 0, 8);
	}
}

/* Base 5.17.2.1: SN and MN are those of the drive, whatever happened to it. */
static void identity_survives(struct nvp_t *t)
{
	struct nvp_buf *before = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_buf *after = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;

	if (!before || !after || !case_identify(t, 1, 0, 0, before, &cpl) ||
	    !CASE_SUCCEEDS(t, &cpl) || !powerloss_cut(t) ||
	    !case_identify(t, 1, 0, 0, after, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	/* bytes 23:4 and 63:24 */
	nvp_check_bytes(t, (const uint8_t *)nvp_buf_data(after) + 4,
			(const uint8_t *)nvp_buf_data(before) + 4, 60);
}

/* Base 5.16.1.3: the log is over the life of the controller and retained across power cycles. */
static void counters_survive(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_smart before, after;
	struct case_written w;

	if (!buf || !case_written_new(t, 64, &w) || !case_smart(t, buf, &before) ||
	    !powerloss_cut(t) || !case_smart(t, buf, &after))
		return;
	nvp_check(t, after.host_writes.low >= before.host_writes.low,
		  "Host Write Commands %llu, was %llu", (unsigned long long)after.host_writes.low,
		  (unsigned long long)before.host_writes.low);
	nvp_check(t, after.data_units_written.low >= before.data_units_written.low,
		  "Data Units Written %llu, was %llu",
		  (unsigned long long)after.data_units_written.low,
		  (unsigned long long)before.data_units_written.low);
}

static void save_again(struct nvp_t *t, void *kept)
{
	struct nvp_cpl cpl;
	uint32_t value;

	memcpy(&value, nvp_buf_data(kept), sizeof(value));
	(void)case_set_feature(t, COALESCING, 0, true, value, &cpl);
}

/* Base 4.2: a saved value persists over power cycles; it is the current one after power-on. */
static void saved_features_survive(struct nvp_t *t)
{
	struct nvp_buf *kept = nvp_t_buf(t, sizeof(uint32_t));
	struct nvp_feature_caps caps;
	uint32_t old, value;
	struct nvp_cpl cpl;
	bool known;

	if (!kept || !case_feature_caps(t, COALESCING, 0, &known, &caps))
		return;
	if (!known || !caps.saveable || !caps.changeable)
		nvp_skip(t, "Interrupt Coalescing cannot be saved on this drive");
	if (!case_get_feature(t, COALESCING, 0, 2, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	old = cpl.dw0 & 0xffff;
	memcpy(nvp_buf_data(kept), &old, sizeof(old));
	nvp_defer(t, save_again, kept);
	if (!case_set_feature(t, COALESCING, 0, true, old ^ 0x1234, &cpl) ||
	    !CASE_SUCCEEDS(t, &cpl) || !powerloss_cut(t) ||
	    !case_feature_value(t, COALESCING, 0, &value))
		return;
	nvp_check_eq(t, value & 0xffff, old ^ 0x1234);
}

#define DRIVE									\
	.needs = POWERLOSS_PLAIN_NEEDS,						\
	.impact = POWERLOSS_IMPACT,						\
	.time_class = NVP_TIME_POWER

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "powerloss.drive-comes-back",
		.title = "After a power cut the drive is there at the first power-on, and can be written",
		.spec = { "NVMe Base", "2.0", "3.5.1", NULL },
		DRIVE,
		.catches = NVP_LIST("cut-kills-drive-once", "cut-leaves-read-only"),
		.run = comes_back,
	}, {
		NVP_CASE,
		.id = "powerloss.identity-survives",
		.title = "Serial and model number are the same after a power cut",
		.spec = { "NVMe Base", "2.0", "5.17.2.1", "SN" },
		DRIVE,
		.catches = NVP_LIST("cut-changes-serial"),
		.run = identity_survives,
	}, {
		NVP_CASE,
		.id = "powerloss.counters-survive",
		.title = "Counters of the SMART log do not go back over a power cut",
		.spec = { "NVMe Base", "2.0", "5.16.1.3", NULL },
		DRIVE,
		.catches = NVP_LIST("cut-forgets-counters"),
		.run = counters_survive,
	}, {
		NVP_CASE,
		.id = "powerloss.saved-features-survive",
		.title = "A saved feature value is there after a power cut, the whole of it",
		.spec = { "NVMe Base", "2.0", "4.2", NULL },
		.needs = POWERLOSS_PLAIN_NEEDS | NVP_NEED_SAVE_SELECT,
		.impact = POWERLOSS_IMPACT,
		.time_class = NVP_TIME_POWER,
		.catches = NVP_LIST("cut-loses-saved-features", "cut-blends-saved-features"),
		.run = saved_features_survive,
	},
};

NVP_SUITE(powerloss_drive, cases);
