// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over firmware, self-test, power states, time, protection and persistent events.

#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/firmware_image.h"
#include "tests/unit/sim_probe.h"

#define PIECE NVP_FIRMWARE_PIECE_BYTES
#define IMAGE (4 * PIECE)

static struct nvp_cpl commit(struct sim_host *h, unsigned action, unsigned slot)
{
	return sim_host_admin(h, nvp_build_firmware_commit((uint8_t)action, (uint8_t)slot, false));
}

/* The pieces of an image that stands at h->data + IMAGE; bit n of pieces: piece n. */
static struct nvp_cpl download(struct sim_host *h, unsigned pieces)
{
	struct nvp_cpl cpl = { 0 };

	for (unsigned i = 0; i < IMAGE / PIECE; i++) {
		if (!(pieces >> i & 1))
			continue;
		memcpy(h->data, h->data + IMAGE + i * PIECE, PIECE);
		cpl = sim_host_admin(h, nvp_build_firmware_download(PIECE, i * PIECE));
	}
	return cpl;
}

static void make(struct sim_host *h, const char *revision, enum nvp_firmware_needs needs)
{
	nvp_firmware_image_make(h->data + IMAGE, IMAGE, revision, needs, 1);
}

/* Active slot, next slot, and the revisions of log and Identify. */
static void slots_line(struct sim_host *h, struct nvp_text *out, const char *label)
{
	struct nvp_firmware_slots slots;
	struct nvp_id_ctrl ctrl;

	sim_host_admin(h, nvp_build_get_log(3, NVP_NSID_ALL, 512, 0, true, 0));
	nvp_decode_firmware_slots(h->data, 512, &slots);
	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	nvp_decode_id_ctrl(h->data, 4096, &ctrl);
	nvp_text_addf(out, "%s: active %u next %u runs %s slots %s %s %s\n", label,
		      slots.active_slot, slots.next_slot, ctrl.fr, slots.revision[0],
		      slots.revision[1], slots.revision[2]);
}

static void commit_line(struct sim_host *h, struct nvp_text *out, const char *label,
			unsigned action, unsigned slot)
{
	sim_probe_line(h, out, label, commit(h, action, slot), 0);
}

static void probe_firmware_bad(struct sim_host *h, struct nvp_text *out)
{
	commit_line(h, out, "above", 2, 4);
	commit_line(h, out, "action", 4, 2);
	commit_line(h, out, "empty", 2, 3);
	commit_line(h, out, "nothing", 0, 2);
	make(h, "BAD", NVP_FIRMWARE_NEEDS_NOTHING);
	sim_probe_line(h, out, "odd", sim_host_admin(h, nvp_build_firmware_download(PIECE - 4, 0)),
		       0);
	sim_host_reset(h);
	memset(h->data + IMAGE, 0x3c, IMAGE);
	download(h, 15);
	commit_line(h, out, "garbage", 0, 2);
	make(h, "BAD", NVP_FIRMWARE_NEEDS_NOTHING);
	h->data[2 * IMAGE - 1] ^= 1;
	download(h, 15);
	commit_line(h, out, "damaged", 0, 2);
	make(h, "BAD", NVP_FIRMWARE_NEEDS_NOTHING);
	download(h, 13);
	commit_line(h, out, "gap", 0, 2);
	make(h, "BAD", NVP_FIRMWARE_NEEDS_NOTHING);
	nvp_firmware_image_other_family(h->data + IMAGE, IMAGE);
	download(h, 15);
	commit_line(h, out, "family", 0, 2);
	make(h, "BAD", NVP_FIRMWARE_IS_PROHIBITED);
	download(h, 15);
	commit_line(h, out, "prohibited", 0, 2);
	make(h, "BAD", NVP_FIRMWARE_NEEDS_NOTHING);
	download(h, 15);
	commit_line(h, out, "slot-1", 0, 1);
	sim_host_reset(h);
	download(h, 3);
	sim_probe_line(h, out, "overlap", download(h, 2), 0);
	sim_host_reset(h);
	download(h, 12);
	commit_line(h, out, "half", 0, 2);
}

static void probe_firmware(struct sim_host *h, struct nvp_text *out)
{
	slots_line(h, out, "shipped");
	make(h, "ONE", NVP_FIRMWARE_NEEDS_NOTHING);
	download(h, 15);
	commit_line(h, out, "store", 0, 2);
	slots_line(h, out, "stored");
	sim_host_reset(h);
	slots_line(h, out, "stored-reset");
	commit_line(h, out, "activate", 2, 2);
	slots_line(h, out, "activate-waits");
	sim_host_reset(h);
	slots_line(h, out, "activate-reset");
	commit_line(h, out, "back", 2, 1);
	sim_host_reset(h);
	make(h, "TWO", NVP_FIRMWARE_NEEDS_SUBSYSTEM_RESET);
	download(h, 15);
	commit_line(h, out, "subsystem", 1, 2);
	sim_host_reset(h);
	slots_line(h, out, "subsystem-waits");
	sim_probe_line(h, out, "sanitize",
		       sim_host_admin(h, nvp_build_sanitize(2, true, 1, false, false, 0)), 0);
	sim_host_power_cycle(h);
	slots_line(h, out, "subsystem-done");
}

static void probe_firmware_now(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd aer = nvp_build_async_event();
	struct nvp_cmd now = nvp_build_firmware_commit(3, 2, false);
	struct nvp_cpl cpl = { .status = { .sct = 7 } };

	sim_host_admin(h, nvp_build_set_features(0x0b, 0, false, 1u << 9));
	make(h, "NOW", NVP_FIRMWARE_NEEDS_NOTHING);
	download(h, 15);
	sim_host_post(h, &h->admin, &aer);
	sim_host_post(h, &h->admin, &now);
	sim_host_reap(h, &h->admin, &cpl);
	sim_probe_line(h, out, "event", cpl, 0);
	if (sim_host_reap(h, &h->admin, &cpl))
		sim_probe_line(h, out, "commit", cpl, 0);
	else
		nvp_text_add(out, "commit: none\n");
}

static void subsystem_reset(struct sim_host *h, uint32_t value)
{
	nvp_sim_bar_write(h->sim, NVP_REG_NSSR, 4, value);
	nvp_sim_config_write(h->sim, 4, 2, 0x0006);
}

static void probe_subsystem(struct sim_host *h, struct nvp_text *out)
{
	uint32_t csts;

	subsystem_reset(h, 0x12345678);
	csts = (uint32_t)nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4);
	sim_probe_value(out, "other", csts);
	subsystem_reset(h, 0x4e564d65);
	csts = (uint32_t)nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4);
	sim_probe_value(out, "ready", csts & 1);
	sim_probe_value(out, "noted", csts >> 4 & 1);
	nvp_sim_bar_write(h->sim, NVP_REG_CSTS, 4, 0x10);
	csts = (uint32_t)nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4);
	sim_probe_value(out, "cleared", csts >> 4 & 1);
	nvp_sim_bar_write(h->sim, NVP_REG_CC, 4, 0x00460001);	/* with no queues */
	sim_host_pass(h, NVP_NS_PER_S);
	csts = (uint32_t)nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4);
	sim_probe_value(out, "fatal", csts);
	nvp_sim_bar_write(h->sim, NVP_REG_CC, 4, 0x00460000);
	sim_host_pass(h, NVP_NS_PER_S);
	csts = (uint32_t)nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4);
	sim_probe_value(out, "usable", csts & 3);
}

static struct nvp_cpl self_test(struct sim_host *h, uint32_t nsid, uint8_t code)
{
	return sim_host_admin(h, nvp_build_self_test(nsid, code));
}

/* Operation in progress, and the two newest results. */
static void self_test_line(struct sim_host *h, struct nvp_text *out, const char *label)
{
	struct nvp_self_test_log log;

	sim_host_admin(h, nvp_build_get_log(6, NVP_NSID_ALL, 564, 0, true, 0));
	nvp_decode_self_test_log(h->data, 564, &log);
	nvp_text_addf(out, "%s: runs %u", label, log.current);
	for (unsigned i = 0; i < 2; i++)
		nvp_text_addf(out, ", %u of %u nsid %u hour %u", log.result[i].result,
			      log.result[i].code, log.result[i].nsid,
			      (unsigned)log.result[i].power_on_hours);
	nvp_text_add(out, "\n");
}

static void percent_line(struct sim_host *h, struct nvp_text *out, const char *label)
{
	sim_host_admin(h, nvp_build_get_log(6, NVP_NSID_ALL, 564, 0, true, 0));
	sim_probe_value(out, label, h->data[1] & 0x7f);
}

static void probe_self_test(struct sim_host *h, struct nvp_text *out)
{
	self_test_line(h, out, "never");
	sim_probe_line(h, out, "nsid", self_test(h, 0xfffffffe, 1), 0);
	self_test(h, 0, 15);
	sim_probe_line(h, out, "code", self_test(h, 0, 5), 0);
	self_test_line(h, out, "idle");
	sim_probe_line(h, out, "start", self_test(h, 1, 1), 0);
	sim_host_pass(h, 20 * NVP_NS_PER_S);
	percent_line(h, out, "short-20s");
	sim_host_pass(h, 50 * NVP_NS_PER_S);
	self_test_line(h, out, "short-70s");
	self_test(h, 0, 2);
	sim_probe_line(h, out, "second", self_test(h, 0, 1), 0);
	self_test_line(h, out, "extended");
	sim_host_reset(h);
	self_test_line(h, out, "extended-reset");
	self_test(h, 0, 15);
	self_test_line(h, out, "extended-stopped");
	self_test(h, 0, 15);
	self_test(h, 1, 1);
	sim_host_reset(h);
	self_test_line(h, out, "short-reset");
	self_test(h, 0, 15);
	self_test(h, 1, 2);
	sim_host_admin(h, nvp_build_format(1, 0, false, 0, false, 0));
	self_test_line(h, out, "format");
	self_test(h, 0, 15);
}

/* ---- power states, time, protection ---- */

static uint32_t feature(struct sim_host *h, uint8_t fid, uint32_t nsid)
{
	return sim_host_admin(h, nvp_build_get_features(fid, nsid, 0, 0)).dw0;
}

static struct nvp_cpl set(struct sim_host *h, uint8_t fid, uint32_t nsid, uint32_t dw11)
{
	return sim_host_admin(h, nvp_build_set_features(fid, nsid, false, dw11));
}

/* Idle transitions of state 0 after 100 ms. */
static struct nvp_cpl set_apst(struct sim_host *h, unsigned to)
{
	memset(h->data, 0, 256);
	h->data[0] = (uint8_t)(to << 3);
	h->data[1] = 100;
	return set(h, 0x0c, 0, 1);
}

static void probe_power(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd read = nvp_build_read(1, 0, 0, 512);

	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	sim_probe_value(out, "watts", nvp_le16(h->data + 2080));
	sim_probe_value(out, "rank", h->data[2080 + 12]);
	set(h, 2, 0, 1);
	set(h, 2, 0, 4);
	sim_probe_value(out, "set", feature(h, 2, 0));
	sim_probe_line(h, out, "read", sim_host_io(h, read), 0);
	sim_probe_value(out, "woken", feature(h, 2, 0));
	sim_probe_line(h, out, "target", set_apst(h, 1), 0);
	set(h, 2, 0, 0);
	set_apst(h, 3);
	sim_host_fill(h, 0);
	sim_probe_value(out, "enabled", feature(h, 0x0c, 0));
	sim_probe_value(out, "table", nvp_le32(h->data));
	sim_host_pass(h, NVP_NS_PER_S);
	sim_probe_value(out, "idle", feature(h, 2, 0));
	sim_probe_line(h, out, "order", set(h, 0x10, 0, 340u << 16 | 320), 0);
	sim_probe_line(h, out, "range", set(h, 0x10, 0, 320u << 16 | 400), 0);
	sim_probe_line(h, out, "thermal", set(h, 0x10, 0, 320u << 16 | 340), 0);
}

static void time_line(struct sim_host *h, struct nvp_text *out, const char *label)
{
	struct nvp_timestamp time;

	sim_host_admin(h, nvp_build_get_features(0x0e, 0, 0, 0));
	nvp_decode_timestamp(h->data, 8, &time);
	nvp_text_addf(out, "%s: origin %u, %llu s\n", label, time.origin,
		      (unsigned long long)time.ms / 1000);
}

static void probe_time(struct sim_host *h, struct nvp_text *out)
{
	memset(h->data, 0, 8);
	nvp_put_le_n(h->data, 6, 1000000500);
	set(h, 0x0e, 0, 0);
	time_line(h, out, "set");
	sim_host_pass(h, 10 * NVP_NS_PER_S);
	time_line(h, out, "10s");
	sim_host_reset(h);
	time_line(h, out, "reset");
}

static void protected_line(struct sim_host *h, struct nvp_text *out, const char *label,
			   uint32_t nsid)
{
	memset(h->data, 0x11, 512);
	sim_probe_line(h, out, label, sim_host_io(h, nvp_build_write(nsid, 3, 0, 512)), 0);
}

static void probe_protect(struct sim_host *h, struct nvp_text *out)
{
	set(h, 0x84, 1, 1);
	protected_line(h, out, "write", 1);
	protected_line(h, out, "other", 2);
	sim_probe_line(h, out, "zeroes", sim_host_io(h, nvp_build_write_zeroes(1, 3, 0, false)),
		       0);
	nvp_build_dsm_range(h->data, 0, 1, 3);
	sim_probe_line(h, out, "deallocate",
		       sim_host_io(h, nvp_build_dsm(1, 0, true, false, false)), 0);
	sim_probe_line(h, out, "read", sim_host_io(h, nvp_build_read(1, 3, 0, 512)), 0);
	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	sim_probe_value(out, "shown", h->data[99]);
	sim_probe_line(h, out, "format",
		       sim_host_admin(h, nvp_build_format(1, 0, false, 0, false, 0)), 0);
	sim_host_reset(h);
	sim_probe_value(out, "reset", feature(h, 0x84, 1));
	set(h, 0x84, 1, 0);
	protected_line(h, out, "free", 1);
}

const struct sim_probe sim_probes_manage[] = {
	{ "power", "sim:size=16M", probe_power },
	{ "time", "sim:size=16M", probe_time },
	{ "protect", "sim:size=16M,ns=2", probe_protect },
	{ "subsystem", "sim:size=16M", probe_subsystem },
	{ "selftest", "sim:size=16M", probe_self_test },
	{ "firmware-bad", "sim:size=16M", probe_firmware_bad },
	{ "firmware", "sim:size=16M", probe_firmware },
	{ "firmware-now", "sim:size=16M", probe_firmware_now },
	{ NULL, NULL, NULL }
};
