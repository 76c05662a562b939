// SPDX-License-Identifier: GPL-2.0-or-later
// Firmware slots of the simulated drive against NVMe Base 2.0 sections 5.12, 5.13 and 5.16.1.4.

#include <errno.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/firmware_image.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

#define PIECE NVP_FIRMWARE_PIECE_BYTES
#define IMAGE (16 * PIECE)

static void make(uint8_t *image, const char *revision, enum nvp_firmware_needs needs)
{
	nvp_firmware_image_make(image, IMAGE, revision, needs, 7);
}

static unsigned piece(struct sim_host *h, const uint8_t *image, unsigned n)
{
	memcpy(h->data, image + n * PIECE, PIECE);
	return sim_host_status(sim_host_admin(h, nvp_build_firmware_download(PIECE, n * PIECE)));
}

static void download(struct sim_host *h, const uint8_t *image)
{
	for (unsigned n = 0; n < IMAGE / PIECE; n++)
		CU_ASSERT_EQUAL(piece(h, image, n), 0);
}

static unsigned commit(struct sim_host *h, unsigned action, unsigned slot)
{
	return sim_host_status(sim_host_admin(h, nvp_build_firmware_commit((uint8_t)action,
									   (uint8_t)slot, false)));
}

static void slots(struct sim_host *h, struct nvp_firmware_slots *log, char running[9])
{
	struct nvp_id_ctrl ctrl;

	sim_host_admin(h, nvp_build_get_log(3, NVP_NSID_ALL, 512, 0, true, 0));
	nvp_decode_firmware_slots(h->data, 512, log);
	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	nvp_decode_id_ctrl(h->data, 4096, &ctrl);
	memcpy(running, ctrl.fr, 9);
}

static void expect(struct sim_host *h, unsigned active, unsigned next, const char *running)
{
	struct nvp_firmware_slots log;
	char now[9];

	slots(h, &log, now);
	CU_ASSERT_EQUAL(log.active_slot, active);
	CU_ASSERT_EQUAL(log.next_slot, next);
	CU_ASSERT_STRING_EQUAL(now, running);
}

static void images_are_checked(void)
{
	struct nvp_firmware_image image;
	static uint8_t bytes[IMAGE];

	make(bytes, "REV1", NVP_FIRMWARE_NEEDS_CONTROLLER_RESET);
	CU_ASSERT_EQUAL(nvp_firmware_image_check(bytes, IMAGE, &image), 0);
	CU_ASSERT_STRING_EQUAL(image.revision, "REV1");
	CU_ASSERT_EQUAL(image.bytes, IMAGE);
	CU_ASSERT_EQUAL(image.needs, NVP_FIRMWARE_NEEDS_CONTROLLER_RESET);
	CU_ASSERT_EQUAL(nvp_firmware_image_check(bytes, IMAGE - 1, &image), -EBADMSG);
	CU_ASSERT_EQUAL(nvp_firmware_image_check(bytes, 10, &image), -EBADMSG);
	for (unsigned at = 0; at < IMAGE; at += 61) {
		bytes[at] ^= 1;
		CU_ASSERT_EQUAL(nvp_firmware_image_check(bytes, IMAGE, &image), -EBADMSG);
		bytes[at] ^= 1;
	}
	nvp_firmware_image_other_family(bytes, IMAGE);
	CU_ASSERT_EQUAL(nvp_firmware_image_check(bytes, IMAGE, &image), -EXDEV);
}

static void reset_and_power(void)
{
	static uint8_t image[IMAGE];
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	expect(&h, 1, 0, "NVPE1.0");
	make(image, "TWO", NVP_FIRMWARE_NEEDS_NOTHING);
	for (unsigned n = IMAGE / PIECE; n > 0; n--)	/* out of order is fine */
		CU_ASSERT_EQUAL(piece(&h, image, n - 1), 0);
	CU_ASSERT_EQUAL(commit(&h, 1, 2), 0);
	expect(&h, 1, 2, "NVPE1.0");
	CU_ASSERT_TRUE(sim_host_reset(&h));
	expect(&h, 2, 0, "TWO");
	CU_ASSERT_TRUE(sim_host_power_cycle(&h));
	expect(&h, 2, 0, "TWO");
	make(image, "THREE", NVP_FIRMWARE_NEEDS_CONVENTIONAL_RESET);
	download(&h, image);
	CU_ASSERT_EQUAL(commit(&h, 1, 0), 0x10b);	/* the drive chooses: slot 3 */
	expect(&h, 2, 3, "TWO");
	CU_ASSERT_TRUE(sim_host_reset(&h));
	expect(&h, 2, 3, "TWO");
	CU_ASSERT_EQUAL(nvp_sim_reset(h.sim, NVP_RESET_HOT), 0);
	CU_ASSERT_TRUE(sim_host_enable(&h));
	expect(&h, 3, 0, "THREE");
	CU_ASSERT_EQUAL(commit(&h, 3, 1), 0);		/* back to what was shipped, at once */
	expect(&h, 1, 0, "NVPE1.0");
	CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
	sim_host_close(&h);
}

static void refusals(void)
{
	static uint8_t image[IMAGE];
	struct sim_host h = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	make(image, "X", NVP_FIRMWARE_NEEDS_NOTHING);
	CU_ASSERT_EQUAL(commit(&h, 2, 4), 0x106);
	CU_ASSERT_EQUAL(commit(&h, 2, 2), 0x107);	/* empty */
	CU_ASSERT_EQUAL(commit(&h, 0, 2), 0x107);	/* nothing downloaded */
	for (unsigned action = 4; action < 8; action++)
		CU_ASSERT_EQUAL(commit(&h, action, 2), 0x02);
	CU_ASSERT_EQUAL(piece(&h, image, 0), 0);
	CU_ASSERT_EQUAL(piece(&h, image, 0), 0x114);
	CU_ASSERT_EQUAL(commit(&h, 0, 1), 0x106);	/* read only */
	CU_ASSERT_EQUAL(commit(&h, 0, 2), 0x107);	/* the rest is missing */
	CU_ASSERT_EQUAL(piece(&h, image, 0), 0);	/* which threw it away */
	CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, nvp_build_firmware_download(
		PIECE, NVP_FIRMWARE_MOST_BYTES))), 0x02);
	CU_ASSERT_EQUAL(sim_host_status(sim_host_admin(&h, nvp_build_firmware_download(
		PIECE, 0xfffff000))), 0x02);
	expect(&h, 1, 0, "NVPE1.0");
	sim_host_close(&h);
	if (!sim_host_open(&h, "sim:size=16M,profile=minimal"))
		return;
	CU_ASSERT_EQUAL(commit(&h, 2, 1), 0x01);
	sim_host_close(&h);
}

/*
 * Power goes after each event of a commit into the slot that is to run next: what runs afterwards
 * is the old image or the new one, and all images are whole.
 */
static void cut_leaves_old_or_new(void)
{
	static uint8_t image[IMAGE];
	bool seen_old = false, seen_new = false;

	make(image, "NEW", NVP_FIRMWARE_NEEDS_NOTHING);
	for (unsigned n = 1; n < 60 && !(seen_new && seen_old && n > 20); n++) {
		struct nvp_cmd cmd = nvp_build_firmware_commit(1, 2, false);
		struct nvp_firmware_slots log;
		struct sim_host h = { 0 };
		char running[9];
		bool old, new;

		if (!sim_host_open(&h, "sim:size=16M"))
			return;
		download(&h, image);
		nvp_sim_cut_after_event(h.sim, n);
		sim_host_post(&h, &h.admin, &cmd);
		sim_host_pass(&h, 100 * NVP_NS_PER_MS);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
		CU_ASSERT_TRUE(sim_host_power_cycle(&h));
		slots(&h, &log, running);
		old = !strcmp(running, "NVPE1.0") && log.active_slot == 1 && !log.revision[1][0];
		new = !strcmp(running, "NEW") && log.active_slot == 2;
		CU_ASSERT_TRUE(old || new);
		CU_ASSERT_EQUAL(log.next_slot, 0);
		seen_old |= old;
		seen_new |= new;
		sim_host_close(&h);
	}
	CU_ASSERT_TRUE(seen_old);
	CU_ASSERT_TRUE(seen_new);
}

/* Commands wait while an image is activated with no reset; CSTS.PP says so. */
static void activation_pauses(void)
{
	static uint8_t image[IMAGE];
	struct nvp_cmd now = nvp_build_firmware_commit(3, 2, false);
	struct nvp_cmd read = nvp_build_read(1, 0, 0, 512);
	struct sim_host h = { 0 };
	struct nvp_cpl cpl = { 0 };

	if (!sim_host_open(&h, "sim:size=16M"))
		return;
	make(image, "NOW", NVP_FIRMWARE_NEEDS_NOTHING);
	download(&h, image);
	sim_host_post(&h, &h.admin, &now);
	sim_host_pass(&h, 50 * NVP_NS_PER_MS);
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CSTS, 4) & 0x21, 0x21);
	sim_host_post(&h, &h.io, &read);
	sim_host_pass(&h, 50 * NVP_NS_PER_MS);
	CU_ASSERT_FALSE(sim_host_has_completion(&h, &h.io));
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.admin, &cpl));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_TRUE(sim_host_reap(&h, &h.io, &cpl));
	CU_ASSERT_EQUAL(sim_host_status(cpl), 0);
	CU_ASSERT_EQUAL(nvp_sim_bar_read(h.sim, NVP_REG_CSTS, 4) & 0x21, 0x01);
	expect(&h, 2, 0, "NOW");
	sim_host_close(&h);
}

CU_TestInfo nvp_unit_sim_firmware[] = {
	{ "images_are_checked", images_are_checked },
	{ "reset_and_power", reset_and_power },
	{ "refusals", refusals },
	{ "cut_leaves_old_or_new", cut_leaves_old_or_new },
	{ "activation_pauses", activation_pauses },
	CU_TEST_INFO_NULL
};
