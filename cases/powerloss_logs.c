// SPDX-License-Identifier: GPL-2.0-or-later
// Power loss: logs that have to outlive it.

#include <nvproof/ocp.h>

#include "cases/capture.h"
#include "cases/ocp.h"
#include "cases/persistent.h"
#include "cases/powerloss.h"

#define LOOKED_AT 16	/* newest events that a power cycle must leave */

/*
 * Base 5.16.1.14: the log is retained across power cycles. Power goes after a shutdown: of a
 * sudden loss the text only says that little should be lost.
 */
static void persistent_events_survive(struct nvp_t *t)
{
	struct persistent before, after;
	struct nvp_persistent_event event, on;
	uint64_t at = 0, done_ns;

	if (!persistent_now(t, &before))
		return;
	nvp_done(t, nvp_ctrl_shutdown(nvp_t_drive(t), false, &done_ns));
	if (!powerloss_cut(t) || !persistent_now(t, &after))
		return;
	for (unsigned i = 0; i < LOOKED_AT && persistent_next(&before, &at, &event); i++)
		nvp_check(t, persistent_has(&after, persistent_bytes(&before, at, &event),
					    event.bytes),
			  "event %u (%s) is gone after a power cycle", i,
			  nvp_persistent_event_name(event.type));
	nvp_check(t, persistent_new(&before, &after, 0x04, &on),
		  "no event Power-on or Reset after a power cycle");
	nvp_check(t, after.header.power_cycles > before.header.power_cycles,
		  "Power Cycle Count %llu, was %llu", (unsigned long long)after.header.power_cycles,
		  (unsigned long long)before.header.power_cycles);
}

/* Base 5.16.1.9: Data Available and the generation number persist across power cycles. */
static void capture_survives(struct nvp_t *t)
{
	struct capture before, made, after;
	struct case_written w;

	if (!capture_made(t, &w, &before, &made) || !powerloss_cut(t) ||
	    !capture_state(t, CAPTURE_LID, true, &after))
		return;
	nvp_check(t, after.available == made.available && after.generation >= made.generation,
		  "a capture: available %u, generation %u; after a power cut %u, %u",
		  made.available, made.generation, after.available, after.generation);
	nvp_check(t, after.last_block == made.last_block,
		  "a capture of %u blocks has %u after a power cut", made.last_block,
		  after.last_block);
}

static bool protection_counts(struct nvp_t *t, struct nvp_buf *buf, struct nvp_ocp_smart *smart)
{
	bool there;

	if (!case_ocp_log(t, NVP_OCP_LOG_SMART, buf, &there))
		return false;
	if (!there)
		nvp_skip_at(t, __FILE__, __LINE__, "the drive has no log C0h");
	else
		nvp_decode_ocp_smart(nvp_buf_data(buf), 512, smart);
	return there;
}

/* TEL-12. A loss of power starts the protection, which finishes what it has to do. */
static void protection_is_counted(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_ocp_smart before, after;
	struct case_written w;

	if (!buf || !case_needs_ocp(t, buf) || !protection_counts(t, buf, &before))
		return;
	if (before.capacitor_health_pct == 0xffff)
		nvp_skip(t, "the drive has no power loss protection (Capacitor Health FFFFh)");
	if (!case_written_new(t, 64, &w) || !powerloss_cut(t) || !protection_counts(t, buf, &after))
		return;
	nvp_check_by(t, CASE_OCP, nvp_u128_compare(&after.plp_starts, &before.plp_starts) > 0,
		     "PLP Start Count %llu, was %llu", (unsigned long long)after.plp_starts.low,
		     (unsigned long long)before.plp_starts.low);
	nvp_check_by(t, CASE_OCP, after.incomplete_shutdowns == before.incomplete_shutdowns,
		     "Incomplete Shutdowns %u, was %u", after.incomplete_shutdowns,
		     before.incomplete_shutdowns);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "powerloss.persistent-events-survive",
		.title = "Persistent events are there after a shutdown and a power cycle, which is one "
			 "more",
		.spec = { "NVMe Base", "2.0", "5.16.1.14", NULL },
		.rows = NVP_LIST("TEL-07"),
		.since = NVP_VERSION(1, 4, 0),
		.needs = POWERLOSS_NEEDS | NVP_NEED_LOG_OFFSET,
		.impact = POWERLOSS_IMPACT,
		.time_class = NVP_TIME_POWER,
		.catches = NVP_LIST("persistent-events-lost-by-power-cycle",
				    "persistent-event-missing", "power-cycles-stuck"),
		.run = persistent_events_survive,
	}, {
		NVP_CASE,
		.id = "powerloss.capture-survives",
		.title = "A capture of the controller waits to be read over a power cut",
		.spec = { "NVMe Base", "2.0", "5.16.1.9", "Data Available" },
		.rows = NVP_LIST("TEL-04"),
		.needs = POWERLOSS_NEEDS | CAPTURE_NEEDS,
		.impact = POWERLOSS_IMPACT,
		.time_class = NVP_TIME_POWER,
		.catches = NVP_LIST("telemetry-available-lost", "telemetry-capture-lost"),
		.run = capture_survives,
	}, {
		NVP_CASE,
		.id = "powerloss.protection-is-counted",
		.title = "An OCP drive counts that its power loss protection started, and that it "
			 "finished",
		.spec = { "OCP Datacenter NVMe SSD", "2.0", "4.8", "PLP Start Count" },
		.rows = NVP_LIST("TEL-12"),
		.needs = POWERLOSS_NEEDS,
		.impact = POWERLOSS_IMPACT,
		.time_class = NVP_TIME_POWER,
		.catches = NVP_LIST("ocp-plp-starts-stuck", "plp-weak"),
		.run = protection_is_counted,
	},
};

NVP_SUITE(powerloss_logs, cases);
