// SPDX-License-Identifier: GPL-2.0-or-later
// Power states: what Identify says of them, I/O in each, and the transitions of an idle drive.

#include "cases/common.h"

#define TABLE_BYTES 256
#define MAX_STATES 32

/* One Power State Descriptor (figure of Identify Controller, bytes 2048 and on). */
struct descriptor {
	uint64_t milliwatts_x10;	/* of MP, in units of 0.1 mW */
	bool idle;			/* non-operational */
	uint8_t rank[4];		/* RRT, RRL, RWT, RWL */
};

static bool read_descriptors(struct nvp_t *t, struct descriptor *d, unsigned *nr)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;

	if (!buf || !case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	*nr = nvp_t_facts(t)->ctrl.npss_z + 1u;
	if (*nr > MAX_STATES)
		*nr = MAX_STATES;
	for (unsigned ps = 0; ps < *nr; ps++) {
		const uint8_t *b = nvp_buf_data(buf) + 2048 + 32 * ps;
		bool scale = b[3] & 1;		/* MXPS: units of 0.0001 W, else of 0.01 W */

		d[ps].milliwatts_x10 = (uint64_t)(b[0] | b[1] << 8) * (scale ? 1 : 100);
		d[ps].idle = b[3] & 2;
		for (unsigned i = 0; i < 4; i++)
			d[ps].rank[i] = b[12 + i] & 31;
	}
	return true;
}

/*
 * PWR-02. No state takes more power than the one before it (8.15), and the four ranks are below the
 * number of states (5.17.2.1). MP 0 means that it is not reported.
 */
static void descriptors_are_in_order(struct nvp_t *t)
{
	static const char *const ranks[] = { "RRT", "RRL", "RWT", "RWL" };
	struct descriptor d[MAX_STATES];
	unsigned nr;

	if (!read_descriptors(t, d, &nr))
		return;
	for (unsigned ps = 0; ps < nr; ps++) {
		for (unsigned i = 0; i < 4; i++)
			nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "5.17.2.1", "RRT"),
				     d[ps].rank[i] < nr, "state %u of %u has %s %u", ps, nr,
				     ranks[i], d[ps].rank[i]);
		if (!ps || !d[ps].milliwatts_x10 || !d[ps - 1].milliwatts_x10)
			continue;
		nvp_check(t, d[ps].milliwatts_x10 <= d[ps - 1].milliwatts_x10,
			  "state %u takes %llu tenths of mW, state %u %llu", ps,
			  (unsigned long long)d[ps].milliwatts_x10, ps - 1,
			  (unsigned long long)d[ps - 1].milliwatts_x10);
	}
}

static bool changes(struct nvp_t *t)
{
	bool can;

	if (!case_feature_changes(t, 0x02, &can))
		return false;
	if (can && nvp_t_facts(t)->ctrl.npss_z)
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the drive has one power state, or keeps the one it has");
	return false;
}

/* No transition of its own while the case works with power states. */
static bool no_idle_transitions(struct nvp_t *t)
{
	struct nvp_buf *table = nvp_t_buf(t, TABLE_BYTES);
	struct nvp_cmd cmd = nvp_build_get_features(0x0c, 0, 0, 0);
	struct nvp_cpl cpl;

	if (!(nvp_t_facts(t)->ctrl.apsta & 1))
		return true;
	if (!table)
		return false;
	cmd.data = table;
	if (!CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	if (!(cpl.dw0 & 1))
		return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the drive changes its power state by itself (APSTE)");
	return false;
}

/*
 * PWR-01. Each state can be set and reads back, I/O works in it, and a state that is not
 * operational is left for the most recent operational one by I/O.
 */
static void io_works_in_every_state(struct nvp_t *t)
{
	struct descriptor d[MAX_STATES];
	struct case_written w;
	struct nvp_cpl cpl;
	uint32_t value;
	unsigned nr;

	if (!changes(t) || !no_idle_transitions(t) || !read_descriptors(t, d, &nr) ||
	    !case_written_new(t, 8, &w))
		return;
	for (unsigned ps = 0; ps < nr; ps++) {
		if (!nvp_change_feature(t, 0x02, 0, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
		    !nvp_change_feature(t, 0x02, 0, ps, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
		    !case_feature_value(t, 0x02, 0, &value))
			return;
		nvp_check(t, (value & 31) == ps, "state %u was set, %u reads back", ps, value & 31);
		if (!case_written_holds(t, &w, 0, 8) || !case_written_write(t, &w) ||
		    !case_feature_value(t, 0x02, 0, &value))
			return;
		nvp_check(t, (value & 31) == (d[ps].idle ? 0 : ps),
			  "after I/O in state %u, which is %soperational, it is state %u", ps,
			  d[ps].idle ? "not " : "", value & 31);
	}
}

/* The table of idle transitions as the host wants it; it has to be taken. */
static bool set_table(struct nvp_t *t, struct nvp_buf *table, bool enable, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_set_features(0x0c, 0, false, enable), table);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

static bool get_table(struct nvp_t *t, struct nvp_buf *table, bool *enabled)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_get_features(0x0c, 0, 0, 0), table);
	struct nvp_cpl cpl;

	if (!CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	*enabled = cpl.dw0 & 1;
	return true;
}

/* Byte TABLE_BYTES of the buffer: was it enabled? */
static void give_back(struct nvp_t *t, void *context)
{
	struct nvp_buf *table = context;
	struct nvp_cmd cmd = case_with_data(
		nvp_build_set_features(0x0c, 0, false, nvp_buf_data(table)[TABLE_BYTES]), table);
	struct nvp_cpl cpl;

	(void)nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl);
}

/* The drive has idle transitions; what its table is now comes back at the end of the case. */
static bool begin_table(struct nvp_t *t)
{
	struct nvp_buf *kept = nvp_t_buf(t, TABLE_BYTES + 1);
	bool enabled;

	if (!(nvp_t_facts(t)->ctrl.apsta & 1)) {
		nvp_skip_at(t, __FILE__, __LINE__,
			    "the drive has no idle transitions (APSTA bit 0)");
		return false;
	}
	if (!kept || !get_table(t, kept, &enabled))
		return false;
	nvp_buf_data(kept)[TABLE_BYTES] = enabled;
	nvp_defer(t, give_back, kept);
	return true;
}

/* Every operational state goes to state `to` after ms of idleness. */
static void fill_table(struct nvp_buf *table, unsigned nr, unsigned to, uint32_t ms)
{
	nvp_buf_fill(table, 0);
	for (unsigned ps = 0; ps < nr; ps++) {
		uint8_t *entry = nvp_buf_data(table) + 8 * ps;

		entry[0] = (uint8_t)(to << 3);
		entry[1] = (uint8_t)ms;
		entry[2] = (uint8_t)(ms >> 8);
		entry[3] = (uint8_t)(ms >> 16);
	}
}

static bool first_idle_state(struct nvp_t *t, const struct descriptor *d, unsigned nr, unsigned *to)
{
	for (*to = 0; *to < nr; ++*to)
		if (d[*to].idle)
			return true;
	nvp_skip_at(t, __FILE__, __LINE__, "the drive has no non-operational state");
	return false;
}

/*
 * PWR-03, FEA-20. The table reads back as it was set; then the drive is left alone for ten times
 * as long as the table says and should have gone to that state. Asking for the state is a command
 * itself, so a drive that is in another one may have been woken by it.
 */
static void idle_drive_changes_state(struct nvp_t *t)
{
	struct nvp_buf *table = nvp_t_buf(t, TABLE_BYTES), *seen = nvp_t_buf(t, TABLE_BYTES);
	struct descriptor d[MAX_STATES];
	unsigned nr, to;
	struct nvp_cpl cpl;
	uint32_t value;
	bool enabled;

	if (!table || !seen || !read_descriptors(t, d, &nr) || !begin_table(t) ||
	    !first_idle_state(t, d, nr, &to))
		return;
	fill_table(table, to, to, 100);
	if (!nvp_change_feature(t, 0x02, 0, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
	    !set_table(t, table, true, &cpl) || !CASE_SUCCEEDS(t, &cpl) ||
	    !get_table(t, seen, &enabled))
		return;
	nvp_check_bytes(t, nvp_buf_data(seen), nvp_buf_data(table), TABLE_BYTES);
	nvp_check(t, enabled, "APSTE reads 0 after it was set");
	nvp_done(t, nvp_clock_pass(nvp_drive_clock(nvp_t_drive(t)), NVP_NS_PER_S));
	if (!case_feature_value(t, 0x02, 0, &value))
		return;
	nvp_check_by(t, CASE_SHOULD, (value & 31) == to, "after 1 s of idleness it is state %u",
		     value & 31);
}

/* FEA-20. A target that is operational, or beyond NPSS, is refused. */
static void bad_targets_are_refused(struct nvp_t *t)
{
	struct nvp_buf *table = nvp_t_buf(t, TABLE_BYTES);
	unsigned npss = nvp_t_facts(t)->ctrl.npss_z;
	struct nvp_cpl cpl;

	if (!table || !begin_table(t))
		return;
	for (unsigned i = 0; i < 2; i++) {
		unsigned to = i ? npss + 1 : 0;

		if (to >= MAX_STATES)
			continue;
		fill_table(table, 1, to, 100);
		if (!set_table(t, table, true, &cpl))
			return;
		nvp_check_status_by(t, CASE_SHOULD, &cpl, CASE_INVALID_FIELD);
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "powerstate.descriptors-are-in-order",
		.title = "Each power state takes no more power than the one before it",
		.spec = { "NVMe Base", "2.0", "8.15", "MP" },
		.rows = NVP_LIST("PWR-02"),
		.catches = NVP_LIST("power-order-wrong", "power-rank-too-large"),
		.run = descriptors_are_in_order,
	}, {
		NVP_CASE,
		.id = "powerstate.io-works-in-every-state",
		.title = "I/O works in every power state and ends one that is not operational",
		.spec = { "NVMe Base", "2.0", "8.15.1", NULL },
		.rows = NVP_LIST("PWR-01", "FEA-10"),
		.needs = NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_STATE | NVP_IMPACT_DATA,
		.catches = NVP_LIST("power-idle-state-kept", "power-idle-state-fails-io",
				    "feature-set-ignored"),
		.run = io_works_in_every_state,
	}, {
		NVP_CASE,
		.id = "powerstate.idle-drive-changes-state",
		.title = "An idle drive enters the power state that its table of transitions says",
		.spec = { "NVMe Base", "2.0", "5.27.1.9", NULL },
		.rows = NVP_LIST("PWR-03", "FEA-20"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("apst-never-happens", "apst-table-lost",
				    "apst-enable-not-shown"),
		.run = idle_drive_changes_state,
	}, {
		NVP_CASE,
		.id = "powerstate.bad-targets-are-refused",
		.title = "Idle transitions to states that are operational or not there are refused",
		.spec = { "NVMe Base", "2.0", "5.27.1.9", "ITPS" },
		.rows = NVP_LIST("FEA-20"),
		.impact = NVP_IMPACT_STATE,
		.catches = NVP_LIST("apst-target-unchecked"),
		.run = bad_targets_are_refused,
	},
};

NVP_SUITE(powerstate, cases);
