// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts over losses of power: what was written before, what is there after.

#include <stdio.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/firmware_image.h"
#include "core/base/rand.h"
#include "tests/unit/sim_probe.h"

#define PAGE 4096u
#define FUA 0x40

static struct nvp_cmd write_cmd(struct sim_host *h, uint32_t nsid, uint64_t slba, unsigned nr,
				uint8_t key, bool fua)
{
	struct nvp_cmd cmd = nvp_build_write(nsid, slba, (uint16_t)(nr - 1), 512);

	nvp_rand_fill(h->data, nr * 512u, key);
	cmd.sqe.bytes[51] |= fua ? FUA : 0;
	return cmd;
}

static void put(struct sim_host *h, uint32_t nsid, uint64_t slba, unsigned nr, uint8_t key)
{
	sim_host_io(h, write_cmd(h, nsid, slba, nr, key, false));
}

static void put_fua(struct sim_host *h, uint64_t slba, unsigned nr, uint8_t key)
{
	sim_host_io(h, write_cmd(h, 1, slba, nr, key, true));
}

static void flush(struct sim_host *h, uint32_t nsid)
{
	sim_host_io(h, nvp_build_flush(nsid));
}

static void trim(struct sim_host *h, uint64_t slba, uint32_t nr)
{
	nvp_build_dsm_range(h->data, 0, nr, slba);
	sim_host_io(h, nvp_build_dsm(1, 0, true, false, false));
}

/* On the media, and long enough ago for everything. */
static void put_cold(struct sim_host *h, uint32_t nsid, uint64_t slba, unsigned nr, uint8_t key)
{
	put(h, nsid, slba, nr, key);
	flush(h, nsid);
	sim_host_pass(h, 20 * NVP_NS_PER_MS);
}

static bool start(struct sim_host *h)
{
	nvp_sim_power(h->sim, true);
	sim_host_pass(h, 11 * NVP_NS_PER_MS);
	return sim_host_enable(h) && sim_host_create_queues(h);
}

static void cut(struct sim_host *h)
{
	nvp_sim_power(h->sim, false);
	sim_host_pass(h, NVP_NS_PER_S);
	start(h);
}

/* Each block by itself: a line says which are what they were. */
static void look(struct sim_host *h, struct nvp_text *out, const char *label, uint32_t nsid,
		 uint64_t slba, unsigned nr)
{
	nvp_text_addf(out, "%s:", label);
	for (unsigned i = 0; i < nr; i++) {
		struct nvp_cpl cpl;

		sim_host_fill(h, 0xa5);
		cpl = sim_host_io(h, nvp_build_read(nsid, slba + i, 0, 512));
		if (nvp_cpl_ok(&cpl))
			nvp_text_addf(out, " %08x", nvp_crc32c(h->data, 512));
		else
			nvp_text_addf(out, " %03x", sim_host_status(cpl));
	}
	nvp_text_add(out, "\n");
}

/* ---- flush, FUA, cache on and off ---- */

static void probe_flush(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 64, 1);
	put(h, 1, 0, 8, 2);
	sim_host_io(h, nvp_build_write_zeroes(1, 16, 7, false));
	put(h, 1, 8, 8, 3);
	flush(h, 1);
	put(h, 1, 32, 4, 4);
	cut(h);
	look(h, out, "first", 1, 0, 8);
	look(h, out, "last", 1, 8, 8);
	look(h, out, "zeroes", 1, 16, 8);
	look(h, out, "unflushed", 1, 32, 4);
	put(h, 1, 40, 4, 5);
	flush(h, 1);
	cut(h);
	look(h, out, "early", 1, 40, 4);
}

/* More than the media take in the time that the drive needs to notice. */
static void put_many(struct sim_host *h, uint8_t key)
{
	for (unsigned i = 0; i < 512; i++)
		put(h, 1, 1024 + 8 * i, 8, key);
}

static void probe_backlog(struct sim_host *h, struct nvp_text *out)
{
	put_many(h, 1);
	flush(h, 1);
	cut(h);
	look(h, out, "flushed", 1, 1024 + 8 * 511, 8);
	put_many(h, 2);
	nvp_sim_bar_write(h->sim, NVP_REG_CC, 4, 0x00464001);
	for (unsigned ms = 0; (nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4) & 0xc) != 8 && ms < 1000;
	     ms++)
		sim_host_pass(h, NVP_NS_PER_MS);
	cut(h);
	look(h, out, "shut-down", 1, 1024 + 8 * 511, 8);
}

/* Deallocate of a large range is under way while a write is flushed. */
static void while_trimming(struct sim_host *h, struct nvp_text *out, bool flushed)
{
	struct nvp_cmd cmd = nvp_build_dsm(1, 0, true, false, false);
	struct nvp_cpl cpl;
	uint16_t cid;

	put_cold(h, 1, 0, 8, 1);
	nvp_build_dsm_range(h->data, 0, 4000, 1024);
	cid = sim_host_post(h, &h->io, &cmd);
	sim_host_pass(h, 10 * NVP_NS_PER_US);
	cmd = write_cmd(h, 1, 0, 8, 2, false);
	sim_host_post(h, &h->io, &cmd);
	while (sim_host_reap(h, &h->io, &cpl) && cpl.cid == cid)
		continue;
	cmd = nvp_build_flush(1);
	if (flushed) {
		sim_host_post(h, &h->io, &cmd);
		sim_host_reap(h, &h->io, &cpl);
	}
	sim_probe_value(out, "trim-goes-on", cpl.cid != cid);
	cut(h);
	look(h, out, "data", 1, 0, 8);
}

static void probe_trimming(struct sim_host *h, struct nvp_text *out)
{
	while_trimming(h, out, true);
}

static void probe_protected_trimming(struct sim_host *h, struct nvp_text *out)
{
	while_trimming(h, out, false);
}

static bool second_queue(struct sim_host *h, struct sim_host_queue *q)
{
	struct nvp_cmd sq;

	*q = (struct sim_host_queue){
		.qid = 2,
		.sq = h->memory + 6 * PAGE,
		.sq_iova = h->iova + 6 * PAGE,
	};
	sq = nvp_build_create_sq(2, SIM_HOST_DEPTH - 1, q->sq_iova, true, 0, 1);
	sq.raw_dptr = true;
	return !sim_host_status(sim_host_admin(h, sq));
}

static void probe_queues(struct sim_host *h, struct nvp_text *out)
{
	struct sim_host_queue second;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	put_cold(h, 1, 0, 16, 1);
	sim_probe_value(out, "created", second_queue(h, &second));
	cmd = write_cmd(h, 1, 0, 8, 2, false);
	sim_host_post(h, &second, &cmd);
	sim_host_reap(h, &h->io, &cpl);
	put(h, 1, 8, 8, 3);
	flush(h, 1);
	cut(h);
	look(h, out, "other", 1, 0, 8);
	look(h, out, "own", 1, 8, 8);
}

static void probe_namespaces(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 8, 1);
	put_cold(h, 2, 0, 8, 2);
	cut(h);
	put(h, 2, 4, 4, 3);
	flush(h, 2);
	cut(h);
	look(h, out, "first", 1, 0, 8);
	look(h, out, "second-old", 2, 0, 4);
	look(h, out, "second", 2, 4, 4);
}

static void probe_fua(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = nvp_build_read(1, 24, 3, 512);

	put_cold(h, 1, 0, 64, 1);
	put(h, 1, 24, 4, 4);
	cmd.sqe.bytes[51] |= FUA;
	sim_host_io(h, cmd);
	put_fua(h, 0, 4, 2);
	put_fua(h, 8, 8, 3);
	cmd = nvp_build_write_zeroes(1, 16, 3, false);
	cmd.sqe.bytes[51] |= FUA;
	sim_host_io(h, cmd);
	cut(h);
	look(h, out, "small", 1, 0, 4);
	look(h, out, "large", 1, 8, 8);
	look(h, out, "zeroes", 1, 16, 4);
	look(h, out, "read", 1, 24, 4);
}

/* What is acknowledged while the rail falls counts like anything else. */
static void probe_falling(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	put_cold(h, 1, 0, 8, 1);
	nvp_sim_power(h->sim, false);
	cmd = write_cmd(h, 1, 0, 8, 2, true);
	sim_host_post(h, &h->io, &cmd);
	sim_host_pass(h, 2 * NVP_NS_PER_MS);
	sim_probe_value(out, "done", sim_host_has_completion(h, &h->io));
	sim_host_reap(h, &h->io, &cpl);
	sim_host_pass(h, NVP_NS_PER_S);
	start(h);
	look(h, out, "data", 1, 0, 8);
}

static void probe_cache_off(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 16, 1);
	put(h, 1, 0, 8, 2);
	sim_host_admin(h, nvp_build_set_features(6, 0, false, 0));
	cut(h);
	look(h, out, "switched", 1, 0, 8);
}

static void probe_no_cache(struct sim_host *h, struct nvp_text *out)
{
	put(h, 1, 0, 8, 1);
	cut(h);
	look(h, out, "first", 1, 0, 8);
	put(h, 1, 0, 8, 2);
	cut(h);
	look(h, out, "second", 1, 0, 8);
}

/* ---- shutdown, resets ---- */

static void shut_down(struct sim_host *h, struct nvp_text *out, const char *label, uint32_t shn)
{
	unsigned ms = 0;

	nvp_sim_bar_write(h->sim, NVP_REG_CC, 4, 0x00460001 | shn << 14);
	while ((nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4) & 0xc) != 8 && ms++ < 1000)
		sim_host_pass(h, NVP_NS_PER_MS);
	cut(h);
	look(h, out, label, 1, 0, 8);
}

static void probe_shutdown(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 8, 1);
	put(h, 1, 0, 8, 2);
	shut_down(h, out, "normal", 1);
	put(h, 1, 0, 8, 3);
	shut_down(h, out, "abrupt", 2);
}

static void probe_function_reset(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 8, 1);
	put(h, 1, 0, 8, 2);
	nvp_sim_reset(h->sim, NVP_RESET_FUNCTION);
	sim_host_pass(h, 200 * NVP_NS_PER_MS);
	sim_host_enable(h);
	sim_host_create_queues(h);
	look(h, out, "data", 1, 0, 8);
}

/* A write that is in flight at a reset; a newer one after it. */
static void probe_late_write(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd = write_cmd(h, 1, 0, 8, 1, false);

	sim_host_post(h, &h->io, &cmd);
	sim_host_pass(h, 12 * NVP_NS_PER_US);
	sim_host_reset(h);
	put(h, 1, 0, 8, 2);
	flush(h, 1);
	look(h, out, "at-once", 1, 0, 8);
	sim_host_pass(h, NVP_NS_PER_S);
	look(h, out, "later", 1, 0, 8);
}

/* ---- stored energy ---- */

static void probe_protection(struct sim_host *h, struct nvp_text *out)
{
	put(h, 1, 0, 4, 1);
	put(h, 1, 8, 8, 2);
	cut(h);
	look(h, out, "small", 1, 0, 4);
	look(h, out, "large", 1, 8, 8);
	put(h, 1, 16, 4, 3);
	cut(h);
	look(h, out, "early", 1, 16, 4);
	sim_host_pass(h, 5 * NVP_NS_PER_S);
	for (unsigned i = 0; i < 32; i++)
		put(h, 1, 64 + i * 8, 4, (uint8_t)(4 + i));
	cut(h);
	for (unsigned i = 0; i < 32; i++)
		look(h, out, "many", 1, 64 + i * 8, 1);
}

/* ---- data that were durable ---- */

static void look_at_all(struct sim_host *h, struct nvp_text *out, const char *when)
{
	static const struct { const char *name; unsigned slba, nr; } areas[] = {
		{ "cold", 0, 16 }, { "elsewhere", 16, 16 }, { "first", 100, 8 },
		{ "behind", 108, 4 }, { "second", 120, 8 }, { "large", 132, 32 },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(areas); i++) {
		char label[40];

		snprintf(label, sizeof(label), "%s-%s", areas[i].name, when);
		look(h, out, label, 1, areas[i].slba, areas[i].nr);
	}
}

static void probe_blocks(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 32, 1);
	put_cold(h, 1, 100, 64, 7);
	put_cold(h, 1, 100, 64, 2);
	cut(h);
	put(h, 1, 100, 8, 3);
	put(h, 1, 120, 8, 4);
	put(h, 1, 132, 32, 5);
	flush(h, 1);
	sim_host_pass(h, 20 * NVP_NS_PER_MS);
	cut(h);
	look_at_all(h, out, "cut");
	look_at_all(h, out, "again");
	cut(h);
	look_at_all(h, out, "later");
}

static void probe_marks(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 24, 1);
	sim_host_io(h, nvp_build_write_uncorrectable(1, 0, 3));
	sim_host_io(h, nvp_build_write_zeroes(1, 8, 3, false));
	flush(h, 1);
	cut(h);
	look(h, out, "marked", 1, 0, 4);
	look(h, out, "zeroed", 1, 8, 4);
	look(h, out, "others", 1, 12, 12);
}

static void probe_trim(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 24, 1);
	put_cold(h, 1, 0, 8, 2);
	trim(h, 0, 8);
	flush(h, 1);
	trim(h, 16, 4);
	flush(h, 1);
	put(h, 1, 16, 2, 3);
	flush(h, 1);
	cut(h);
	look(h, out, "trimmed", 1, 0, 8);
	look(h, out, "trimmed-again", 1, 0, 8);
	look(h, out, "behind", 1, 8, 8);
	look(h, out, "rewritten", 1, 16, 2);
	look(h, out, "behind-second", 1, 20, 4);
}

/* ---- what is being written ---- */

static void probe_torn(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd;

	put_cold(h, 1, 0, 32, 1);
	cmd = write_cmd(h, 1, 8, 8, 2, true);
	sim_host_post(h, &h->io, &cmd);
	sim_host_pass(h, 20 * NVP_NS_PER_US);
	nvp_sim_cut_after_event(h->sim, 1);
	cut(h);
	look(h, out, "before", 1, 0, 8);
	look(h, out, "head", 1, 8, 1);
	look(h, out, "body", 1, 9, 7);
	look(h, out, "behind", 1, 16, 16);
}

/* ---- metadata ---- */

#define META 0x40000u	/* of h->data */

static struct nvp_cmd with_meta(struct sim_host *h, struct nvp_cmd cmd)
{
	nvp_cmd_set_mptr(&cmd, h->data_iova + META);
	return cmd;
}

static struct nvp_cmd write_meta_cmd(struct sim_host *h, uint64_t slba, unsigned nr, uint8_t key)
{
	nvp_rand_fill(h->data + META, 8 * nr, key + 100u);
	return with_meta(h, write_cmd(h, 1, slba, nr, key, true));
}

/* Data of each block, and behind them their metadata. */
static void look_meta(struct sim_host *h, struct nvp_text *out, const char *label, uint64_t slba,
		      unsigned nr)
{
	nvp_text_addf(out, "%s:", label);
	for (unsigned i = 0; i < nr; i++) {
		struct nvp_cpl cpl = sim_host_io(h, with_meta(h, nvp_build_read(1, slba + i, 0,
										512)));

		nvp_text_addf(out, " %03x %08x-%08x", sim_host_status(cpl),
			      nvp_crc32c(h->data, 512), nvp_crc32c(h->data + META, 8));
	}
	nvp_text_add(out, "\n");
}

/* Durable blocks, and some that are being written. */
static void probe_metadata(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd cmd;

	sim_host_io(h, write_meta_cmd(h, 0, 16, 1));
	sim_host_io(h, write_meta_cmd(h, 0, 4, 2));
	sim_host_pass(h, 20 * NVP_NS_PER_MS);
	cmd = write_meta_cmd(h, 8, 8, 3);
	sim_host_post(h, &h->io, &cmd);
	sim_host_pass(h, 20 * NVP_NS_PER_US);
	nvp_sim_cut_after_event(h->sim, 1);
	cut(h);
	look_meta(h, out, "durable", 0, 4);
	look_meta(h, out, "others", 4, 4);
	look_meta(h, out, "flight", 8, 8);
}

/* Across the end of the namespace: refused. */
static void probe_refused(struct sim_host *h, struct nvp_text *out)
{
	uint64_t end;

	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	end = nvp_le64(h->data);
	put_cold(h, 1, end - 4, 4, 1);
	sim_probe_line(h, out, "status", sim_host_io(h, write_cmd(h, 1, end - 4, 8, 2, false)), 0);
	look(h, out, "inside", 1, end - 4, 4);
}

/* ---- the drive itself ---- */

static uint64_t smart(struct sim_host *h, unsigned offset)
{
	sim_host_admin(h, nvp_build_get_log(2, NVP_NSID_ALL, 512, 0, true, 0));
	return nvp_le64(h->data + offset);
}

static void identity(struct sim_host *h, struct nvp_text *out, const char *when)
{
	char label[40];

	sim_host_admin(h, nvp_build_identify(1, 0, 0, 0, 0));
	snprintf(label, sizeof(label), "serial-%s", when);
	sim_probe_value(out, label, nvp_crc32c(h->data + 4, 20));
	sim_host_admin(h, nvp_build_identify(0, 1, 0, 0, 0));
	snprintf(label, sizeof(label), "size-%s", when);
	sim_probe_value(out, label, nvp_le64(h->data));
	snprintf(label, sizeof(label), "name-%s", when);
	sim_probe_value(out, label, nvp_crc32c(h->data + 104, 24));
	snprintf(label, sizeof(label), "warning-%s", when);
	sim_probe_value(out, label, smart(h, 0) & 0xff);
}

static void counts(struct sim_host *h, struct nvp_text *out, const char *when,
		   const uint64_t before[3])
{
	static const struct { const char *name; unsigned offset; } counters[] = {
		{ "cycles", 112 }, { "unsafe", 144 }, { "writes", 80 },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(counters); i++) {
		char label[40];

		snprintf(label, sizeof(label), "%s-%s", counters[i].name, when);
		sim_probe_value(out, label, smart(h, counters[i].offset) - before[i]);
	}
}

static void probe_counts(struct sim_host *h, struct nvp_text *out)
{
	uint64_t before[3];

	put_cold(h, 1, 0, 4, 1);
	before[0] = smart(h, 112);
	before[1] = smart(h, 144);
	before[2] = smart(h, 80);
	identity(h, out, "before");
	cut(h);
	identity(h, out, "after");
	counts(h, out, "cut", before);
	nvp_sim_bar_write(h->sim, NVP_REG_CC, 4, 0x00464001);
	sim_host_pass(h, NVP_NS_PER_S);
	cut(h);
	counts(h, out, "shutdown", before);
	put(h, 1, 0, 4, 1);
	look(h, out, "written", 1, 0, 4);
}

/* Link and registers after each of four cuts: all-ones, not ready, ready. */
static void probe_return(struct sim_host *h, struct nvp_text *out)
{
	uint64_t to_ms = (nvp_sim_bar_read(h->sim, NVP_REG_CAP, 8) >> 24 & 0xff) * 500;

	for (unsigned i = 0; i < 4; i++) {
		nvp_sim_power(h->sim, false);
		sim_host_pass(h, NVP_NS_PER_S);
		sim_probe_value(out, "off", nvp_sim_powered(h->sim));
		nvp_sim_power(h->sim, true);
		sim_host_pass(h, 11 * NVP_NS_PER_MS);
		sim_probe_value(out, "link", nvp_sim_config_read(h->sim, 0, 4) != UINT32_MAX);
		nvp_sim_config_write(h->sim, 4, 2, 0x0006);
		nvp_sim_bar_write(h->sim, NVP_REG_AQA, 4, 0x000f000f);
		nvp_sim_bar_write(h->sim, NVP_REG_ASQ, 8, h->admin.sq_iova);
		nvp_sim_bar_write(h->sim, NVP_REG_ACQ, 8, h->admin.cq_iova);
		nvp_sim_bar_write(h->sim, NVP_REG_CC, 4, 0x00460001);
		sim_host_pass(h, to_ms * NVP_NS_PER_MS);
		sim_probe_value(out, "status", nvp_sim_bar_read(h->sim, NVP_REG_CSTS, 4));
	}
}

static uint32_t feature(struct sim_host *h, uint8_t fid)
{
	return sim_host_admin(h, nvp_build_get_features(fid, 0, 0, 0)).dw0;
}

static void probe_saved(struct sim_host *h, struct nvp_text *out)
{
	sim_host_admin(h, nvp_build_set_features(8, 0, true, 0x1234));
	sim_host_admin(h, nvp_build_set_features(8, 0, false, 0x4321));
	cut(h);
	sim_probe_value(out, "saved", feature(h, 8));
	sim_probe_value(out, "cache", feature(h, 6));
}

/* ---- while an admin command is under way ---- */

/* Power goes some time after the command was given. */
static void cut_in(struct sim_host *h, struct nvp_cmd cmd, uint64_t after_ns)
{
	sim_host_post(h, &h->admin, &cmd);
	sim_host_pass(h, after_ns);
	cut(h);
}

static void probe_format(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 1000, 8, 1);
	sim_probe_line(h, out, "status",
		       sim_host_admin(h, nvp_build_format(1, 0, 0, 0, false, 1)), 0);
	cut(h);
	look(h, out, "blocks", 1, 1000, 8);
}

static void probe_sanitize(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 1000, 8, 1);
	cut_in(h, nvp_build_sanitize(2, false, 0, false, false, 0), 50 * NVP_NS_PER_MS);
	sim_host_pass(h, 60 * NVP_NS_PER_S);
	sim_host_admin(h, nvp_build_get_log(0x81, NVP_NSID_ALL, 512, 0, true, 0));
	sim_probe_value(out, "status", nvp_le16(h->data + 2) & 7);
	look(h, out, "blocks", 1, 1000, 8);
}

/* In the second of three passes: what it is like at the end, pattern and passes. */
static void probe_overwrite(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 1000, 8, 1);
	cut_in(h, nvp_build_sanitize(3, false, 3, true, true, 0x11223344), 5 * NVP_NS_PER_S);
	sim_host_pass(h, 60 * NVP_NS_PER_S);
	sim_host_admin(h, nvp_build_get_log(0x81, NVP_NSID_ALL, 512, 0, true, 0));
	sim_probe_value(out, "status", nvp_le16(h->data + 2) & 0xff);
	look(h, out, "blocks", 1, 1000, 8);
}

static void probe_format_again(struct sim_host *h, struct nvp_text *out)
{
	struct nvp_cmd format = nvp_build_format(1, 0, 0, 0, false, 0);

	cut_in(h, format, 20 * NVP_NS_PER_MS);
	sim_probe_line(h, out, "status", sim_host_admin(h, format), 0);
}

static void probe_after_commit(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 8, 1);
	put_cold(h, 1, 0, 8, 2);
	sim_host_admin(h, nvp_build_firmware_commit(2, 1, false));
	cut(h);
	look(h, out, "blocks", 1, 0, 8);
}

static void probe_commit(struct sim_host *h, struct nvp_text *out)
{
	sim_host_admin(h, nvp_build_firmware_commit(2, 1, false));
	nvp_sim_power(h->sim, false);
	sim_host_pass(h, NVP_NS_PER_S);
	sim_probe_value(out, "ready", start(h));
}

static void firmware_piece(struct sim_host *h, uint32_t number, const char *revision)
{
	nvp_firmware_image_make(h->data, 4 * PAGE, revision, NVP_FIRMWARE_NEEDS_NOTHING, 1);
	memmove(h->data, h->data + number * PAGE, PAGE);
	sim_host_admin(h, nvp_build_firmware_download(PAGE, number * PAGE));
}

/* Power goes with half of an image there; the other half and a commit come after it. */
static void probe_half_image(struct sim_host *h, struct nvp_text *out)
{
	firmware_piece(h, 0, "HALF");
	firmware_piece(h, 1, "HALF");
	cut(h);
	sim_host_admin(h, nvp_build_get_log(3, NVP_NSID_ALL, 512, 0, true, 0));
	sim_probe_value(out, "slots", nvp_crc32c(h->data, 512));
	firmware_piece(h, 2, "HALF");
	firmware_piece(h, 3, "HALF");
	sim_probe_line(h, out, "commit",
		       sim_host_admin(h, nvp_build_firmware_commit(0, 2, false)), 0);
}

/* While an image goes to its slot. */
static void probe_half_commit(struct sim_host *h, struct nvp_text *out)
{
	uint8_t image[16 * PAGE];

	for (uint32_t i = 0; i < 16; i++) {
		nvp_firmware_image_make(image, sizeof(image), "NEW", NVP_FIRMWARE_NEEDS_NOTHING, 1);
		memcpy(h->data, image + i * PAGE, PAGE);
		sim_host_admin(h, nvp_build_firmware_download(PAGE, i * PAGE));
	}
	cut_in(h, nvp_build_firmware_commit(0, 2, false), 5 * NVP_NS_PER_MS);
	sim_host_admin(h, nvp_build_get_log(3, NVP_NSID_ALL, 512, 0, true, 0));
	sim_probe_value(out, "slots", nvp_crc32c(h->data, 512));
}

static void probe_self_test(struct sim_host *h, struct nvp_text *out)
{
	put_cold(h, 1, 0, 8, 1);
	sim_host_admin(h, nvp_build_self_test(1, 1));
	put_cold(h, 1, 0, 8, 2);
	cut(h);
	look(h, out, "blocks", 1, 0, 8);
}

#define PLAIN "sim:size=16M,cache-loss=all"

const struct sim_probe sim_probes_power[] = {
	{ "cut-flush", PLAIN, probe_flush },
	{ "cut-trimming", PLAIN, probe_trimming },
	{ "cut-backlog", PLAIN, probe_backlog },
	{ "cut-protected-trimming", "sim:size=16M,cache-loss=all,plp=on",
	  probe_protected_trimming },
	{ "cut-queues", PLAIN, probe_queues },
	{ "cut-namespaces", "sim:size=16M,cache-loss=all,ns=2", probe_namespaces },
	{ "cut-fua", PLAIN, probe_fua },
	{ "cut-falling", PLAIN, probe_falling },
	{ "cut-cache-off", PLAIN, probe_cache_off },
	{ "cut-no-cache", "sim:size=16M,cache-loss=all,vwc=off", probe_no_cache },
	{ "cut-shutdown", PLAIN, probe_shutdown },
	{ "function-reset", PLAIN, probe_function_reset },
	{ "late-write", "sim:size=16M,vwc=off", probe_late_write },
	{ "cut-protection", "sim:size=16M,cache-loss=all,plp=on", probe_protection },
	{ "cut-blocks", PLAIN, probe_blocks },
	{ "cut-marks", PLAIN, probe_marks },
	{ "cut-trim", PLAIN, probe_trim },
	{ "cut-torn", PLAIN, probe_torn },
	{ "cut-metadata", PLAIN ",pi=1", probe_metadata },
	{ "refused", PLAIN, probe_refused },
	{ "cut-counts", PLAIN, probe_counts },
	{ "cut-return", PLAIN, probe_return },
	{ "cut-saved", PLAIN, probe_saved },
	{ "cut-format", PLAIN, probe_format },
	{ "cut-sanitize", PLAIN, probe_sanitize },
	{ "cut-overwrite", PLAIN, probe_overwrite },
	{ "cut-format-again", PLAIN, probe_format_again },
	{ "cut-after-commit", PLAIN, probe_after_commit },
	{ "cut-commit", PLAIN, probe_commit },
	{ "cut-half-image", PLAIN, probe_half_image },
	{ "cut-half-commit", PLAIN, probe_half_commit },
	{ "cut-self-test", PLAIN, probe_self_test },
	{ NULL, NULL, NULL }
};

const struct sim_probe_expected sim_expected_power[] = {
	{ "abrupt-shutdown-loses-cache", "cut-shutdown/abrupt" },
	{ "cache-off-ignored",
	  "cut-flush/unflushed cut-cache-off/switched cut-no-cache/first "
	  "cut-no-cache/second" },
	{ "cache-on-after-cut", "cut-no-cache/second" },
	{ "cut-blends-saved-features", "cut-saved/saved" },
	{ "cut-bricks-firmware", "cut-commit/ready cut-after-commit/blocks" },
	{ "cut-changes-capacity", "cut-counts/size-after" },
	{ "cut-changes-identifiers", "cut-counts/name-after" },
	{ "cut-changes-serial", "cut-counts/serial-after" },
	{ "cut-counted-twice", "cut-counts/unsafe-cut cut-counts/unsafe-shutdown" },
	{ "cut-crosses-namespaces", "cut-namespaces/first cut-namespaces/second-old" },
	{ "cut-duplicates-write", "cut-blocks/large-cut cut-*" },
	{ "cut-ends-sanitize", "cut-sanitize/blocks cut-overwrite/status cut-overwrite/blocks" },
	{ "cut-fails-sanitize",
	  "cut-sanitize/status cut-sanitize/blocks cut-overwrite/status cut-overwrite/blocks" },
	{ "cut-fails-backup", "cut-counts/warning-after" },
	{ "cut-fills-block-with-ones", "cut-blocks/first-cut cut-*" },
	{ "cut-forgets-sanitize",
	  "cut-sanitize/status cut-sanitize/blocks cut-overwrite/status cut-overwrite/blocks" },
	{ "cut-forgets-counters", "cut-counts/writes-cut cut-counts/writes-shutdown" },
	{ "cut-flips-bits", "cut-blocks/first-cut cut-*" },
	{ "cut-flips-cold-bits", "cut-namespaces/first cut-blocks/elsewhere-later" },
	{ "cut-garbles-block", "cut-blocks/first-cut cut-*" },
	{ "cut-invents-data", "cut-blocks/first-cut cut-*" },
	{ "cut-keeps-download", "cut-half-image/commit" },
	{ "cut-keeps-half-download", "cut-half-image/slots" },
	{ "cut-kills-drive", "cut-return/link cut-return/status cut-*" },
	{ "cut-kills-drive-once", "cut-return/link cut-return/status cut-*" },
	{ "cut-leaves-fatal-status", "cut-return/status cut-*" },
	{ "cut-leaves-half-format", "cut-format/blocks" },
	{ "cut-leaves-format-stuck", "cut-format-again/status" },
	{ "cut-leaves-read-only", "cut-blocks/first-cut cut-*" },
	{ "cut-loses-cold-block", "cut-namespaces/first cut-blocks/elsewhere-later" },
	{ "cut-loses-extent", "cut-blocks/elsewhere-cut cut-blocks/first-cut cut-*" },
	{ "cut-loses-large-writes", "cut-blocks/large-cut cut-*" },
	{ "cut-loses-last-moments", "cut-blocks/large-cut cut-blocks/second-cut cut-*" },
	{ "cut-loses-other-namespace", "cut-namespaces/first" },
	{ "cut-loses-page-neighbours", "cut-metadata/others cut-torn/before cut-torn/behind" },
	{ "cut-loses-saved-features", "cut-saved/saved" },
	{ "cut-loses-write-during-commit", "cut-after-commit/blocks" },
	{ "cut-loses-tail", "cut-blocks/large-cut cut-*" },
	{ "cut-loses-third", "cut-blocks/elsewhere-cut cut-blocks/large-cut cut-*" },
	{ "cut-misdirects-write", "cut-blocks/large-cut cut-blocks/first-cut cut-*" },
	{ "cut-not-counted", "cut-counts/unsafe-cut cut-counts/unsafe-shutdown" },
	{ "cut-regresses-later", "cut-blocks/first-later cut-*" },
	{ "cut-replays-trims", "cut-trim/rewritten" },
	{ "cut-resurrects", "cut-blocks/first-cut cut-blocks/first-again cut-blocks/first-later" },
	{ "cut-skips-overwrite-passes", "cut-overwrite/blocks" },
	{ "cut-slows-ready", "cut-return/status cut-*" },
	{ "cut-stops-sanitize",
	  "cut-sanitize/status cut-sanitize/blocks cut-overwrite/status cut-overwrite/blocks" },
	{ "cut-tears-block", "cut-metadata/flight cut-torn/head" },
	{ "cut-tears-durable-block", "cut-blocks/first-cut cut-*" },
	{ "cut-tears-firmware-slot", "cut-half-commit/slots" },
	{ "cut-tears-metadata", "cut-metadata/durable" },
	{ "cut-tears-metadata-in-flight", "cut-metadata/flight" },
	{ "cut-tears-unit", "cut-metadata/flight cut-torn/head cut-torn/body" },
	{ "cut-tears-unit-backwards", "cut-metadata/flight cut-torn/body" },
	{ "cut-trim-shows-older", "cut-trim/trimmed cut-trim/trimmed-again" },
	{ "cut-trims-neighbour", "cut-trim/behind-second" },
	{ "cut-uncorrectable-forgotten", "cut-marks/marked" },
	{ "cut-unmaps-block", "cut-blocks/first-cut cut-*" },
	{ "cut-unmaps-metadata", "cut-metadata/durable" },
	{ "cut-unreadable", "cut-blocks/first-cut cut-*" },
	{ "cut-unstable", "cut-blocks/first-cut cut-*" },
	{ "cut-unstable-deallocated", "cut-trim/trimmed" },
	{ "cut-write-reverts", "cut-blocks/first-cut cut-*" },
	{ "cut-write-reverts-in-self-test", "cut-self-test/blocks" },
	{ "cut-zeroes-block", "cut-blocks/first-cut cut-*" },
	{ "cut-zeroes-revert", "cut-flush/zeroes cut-fua/zeroes cut-marks/zeroed" },
	{ "flush-completes-early", "cut-backlog/flushed" },
	{ "flush-lies", "cut-flush/first cut-marks/marked cut-*" },
	{ "flush-lies-after-power-on", "cut-flush/early cut-*" },
	{ "flush-lies-while-trimming", "cut-trimming/data" },
	{ "flush-misses-last-write",
	  "cut-flush/last cut-flush/early cut-backlog/flushed cut-queues/own "
	  "cut-namespaces/second cut-marks/zeroed cut-trim/rewritten" },
	{ "flush-misses-other-namespaces", "cut-namespaces/second" },
	{ "flush-misses-other-queues", "cut-queues/other" },
	{ "flush-misses-zeroes",
	  "cut-flush/zeroes cut-marks/marked cut-marks/zeroed cut-trim/trimmed "
	  "cut-trim/trimmed-again" },
	{ "fua-ignored", "cut-fua/small cut-fua/large cut-fua/zeroes cut-falling/data" },
	{ "fua-ignored-by-zeroes", "cut-fua/zeroes" },
	{ "fua-ignored-when-large", "cut-fua/large cut-falling/data" },
	{ "fua-ignored-while-power-falls", "cut-falling/data" },
	{ "fua-read-does-not-commit", "cut-fua/read" },
	{ "function-reset-drops-cache", "function-reset/data" },
	{ "plp-fails-large-writes",
	  "cut-protected-trimming/data cut-fua/large cut-falling/data "
	  "cut-metadata/flight cut-no-cache/first cut-no-cache/second "
	  "cut-protection/large cut-torn/head cut-torn/body" },
	{ "plp-fails-while-trimming", "cut-protected-trimming/data" },
	{ "plp-hold-up-short", "cut-protection/small cut-*" },
	{ "plp-not-charged", "cut-protection/early cut-*" },
	{ "plp-weak", "cut-protection/small cut-*" },
	{ "power-cycles-stuck", "cut-counts/cycles-cut cut-counts/cycles-shutdown" },
	{ "power-off-ignored", "cut-return/off cut-counts/cycles-cut cut-counts/unsafe-cut cut-*" },
	{ "refused-range-written", "refused/inside" },
	{ "reset-write-lands-late", "late-write/later" },
	{ "shutdown-completes-early", "cut-backlog/shut-down" },
	{ "shutdown-counted-as-cut", "cut-counts/unsafe-shutdown" },
	{ "shutdown-loses-cache", "cut-backlog/shut-down cut-shutdown/normal cut-shutdown/abrupt" },
	{ "write-unit-torn", "cut-metadata/flight cut-torn/head cut-torn/body" },
	{ NULL, NULL }
};
