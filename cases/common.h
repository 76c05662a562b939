/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few steps that many cases share: read a structure, a log or a feature, pick blocks, write
 * and read them.
 */
#ifndef NVP_CASES_COMMON_H
#define NVP_CASES_COMMON_H

#include <string.h>

#include <nvproof/nvproof.h>

/*
 * Each helper that returns bool has ended the case when it returns false: return at once.
 * Expectation sets that come again and again:
 */
#define CASE_INVALID_FIELD NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD })
#define CASE_INVALID_NSID NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT })
#define CASE_LBA_RANGE NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_LBA_RANGE })

/* What a specification only recommends ("should") never fails a drive by itself. */
#define CASE_SHOULD NVP_POLICY("sane")

/* A command that has to travel, in a function that is not the case itself. */
#define CASE_TRAVELS(t, call) nvp_done_at((t), __FILE__, __LINE__, (call), #call)

/* A command that has to succeed before the case can go on; CASE_OK returns from the case itself. */
static inline bool case_succeeds_at(struct nvp_t *t, const struct nvp_cpl *cpl, const char *file,
				    int line)
{
	if (nvp_check_status_(t, true, NULL, cpl, NVP_OK))
		return true;
	nvp_note(t, "the success was needed at %s:%d", file, line);
	return false;
}

#define CASE_SUCCEEDS(t, cpl) case_succeeds_at((t), (cpl), __FILE__, __LINE__)
#define CASE_OK(t, cpl) do {							\
	if (!CASE_SUCCEEDS((t), (cpl)))						\
		return;								\
} while (0)

/* The same command with its data in buf from the start. */
static inline struct nvp_cmd case_with_data(struct nvp_cmd cmd, struct nvp_buf *buf)
{
	cmd.data = buf;
	return cmd;
}

/* Identify into buf (4096 bytes), whatever the drive answers. */
static inline bool case_identify(struct nvp_t *t, uint8_t cns, uint32_t nsid, uint8_t csi,
				 struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_identify(cns, nsid, 0, csi, 0), buf);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* A log of the controller from offset 0, events kept (RAE = 1); it has to succeed. */
static inline bool case_log(struct nvp_t *t, uint8_t lid, uint32_t bytes, struct nvp_buf *buf)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_get_log(lid, NVP_NSID_ALL, bytes, 0, true, 0),
					    buf);
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) &&
	       CASE_SUCCEEDS(t, &cpl);
}

static inline bool case_smart(struct nvp_t *t, struct nvp_buf *buf, struct nvp_smart *smart)
{
	if (!case_log(t, 0x02, 512, buf))
		return false;
	nvp_decode_smart(nvp_buf_data(buf), 512, smart);
	return true;
}

/* Get Features, whatever the drive answers. */
static inline bool case_get_feature(struct nvp_t *t, uint8_t fid, uint32_t nsid, uint8_t sel,
				    uint32_t dw11, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_get_features(fid, nsid, sel, dw11);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* The current value of a feature whose value is Dword 0; it has to succeed. */
static inline bool case_feature_value(struct nvp_t *t, uint8_t fid, uint32_t nsid, uint32_t *value)
{
	struct nvp_cpl cpl;

	if (!case_get_feature(t, fid, nsid, 0, 0, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	*value = cpl.dw0;
	return true;
}

/* Set Features without an undo: for values that the drive has to refuse, or that it has already. */
static inline bool case_set_feature(struct nvp_t *t, uint8_t fid, uint32_t nsid, bool sv,
				    uint32_t dw11, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_set_features(fid, nsid, sv, dw11);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* SEL 011b of a feature; with ONCS bit 4 only. False in *known when the drive refuses it. */
static inline bool case_feature_caps(struct nvp_t *t, uint8_t fid, uint32_t nsid, bool *known,
				     struct nvp_feature_caps *caps)
{
	struct nvp_cpl cpl;

	if (!case_get_feature(t, fid, nsid, 3, 0, &cpl))
		return false;
	*known = nvp_cpl_ok(&cpl);
	*caps = nvp_decode_feature_caps(cpl.dw0);
	return true;
}

/*
 * Set a value that the drive has to refuse. Should it accept it, the old value is set again at once:
 * nothing else would know of it.
 */
static inline bool case_set_refused(struct nvp_t *t, uint8_t fid, uint32_t dw11,
				    struct nvp_cpl *cpl)
{
	struct nvp_cpl again;
	uint32_t old;

	if (!case_feature_value(t, fid, 0, &old) || !case_set_feature(t, fid, 0, false, dw11, cpl))
		return false;
	return !nvp_cpl_ok(cpl) || case_set_feature(t, fid, 0, false, old, &again);
}

/* Can it be changed? Where the drive cannot say (ONCS bit 4), yes is assumed. */
static inline bool case_feature_changes(struct nvp_t *t, uint8_t fid, bool *changes)
{
	struct nvp_feature_caps caps;
	bool known;

	*changes = true;
	if (!(nvp_t_facts(t)->ctrl.oncs & 1 << 4))
		return true;
	if (!case_feature_caps(t, fid, 0, &known, &caps))
		return false;
	*changes = !known || caps.changeable;
	return true;
}

/* Blocks of the namespace under test, with at least one block of the namespace on each side. */
struct case_region {
	uint32_t nsid;
	uint32_t lba_bytes;
	uint64_t slba;
	uint32_t lbas;
};

/* Somewhere in the namespace by the seed; `align` is a power of two, in blocks. */
static inline bool case_region_aligned(struct nvp_t *t, uint32_t lbas, uint32_t align,
				       struct case_region *region)
{
	const struct nvp_ns *ns = nvp_t_ns(t);
	uint64_t nsze = ns->id.nsze_lbas, slots;

	if (nsze < lbas + 2 * (uint64_t)align + 1) {
		nvp_skip_at(t, __FILE__, __LINE__, "the namespace has only %llu blocks",
			    (unsigned long long)nsze);
		return false;
	}
	slots = (nsze - lbas - align) / align;
	*region = (struct case_region){
		.nsid = ns->nsid,
		.lba_bytes = ns->id.lba_bytes,
		.slba = align + nvp_t_rand(t, "region", lbas) % slots * align,
		.lbas = lbas,
	};
	return true;
}

static inline bool case_region(struct nvp_t *t, uint32_t lbas, struct case_region *region)
{
	return case_region_aligned(t, lbas, 1, region);
}

/* The most blocks of one command: MDTS, and no more than 64 KiB. */
static inline uint32_t case_max_lbas(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);
	uint32_t lba_bytes = nvp_t_ns(t)->id.lba_bytes, bytes = 65536;

	if (facts->mdts_bytes && facts->mdts_bytes < bytes)
		bytes = (uint32_t)facts->mdts_bytes;
	return bytes > lba_bytes ? bytes / lba_bytes : 1;
}

/*
 * A command on blocks first .. first+lbas-1 of the region; a block has the same place in buf and
 * region.
 */
static inline struct nvp_cmd case_transfer(uint8_t opcode, const struct case_region *region,
					   uint32_t first, uint32_t lbas, struct nvp_buf *buf)
{
	struct nvp_cmd cmd = nvp_build_read(region->nsid, region->slba + first,
					    (uint16_t)(lbas - 1), region->lba_bytes);

	if (opcode == NVP_IO_WRITE)
		cmd = nvp_build_write(region->nsid, region->slba + first, (uint16_t)(lbas - 1),
				      region->lba_bytes);
	else if (opcode == NVP_IO_COMPARE)
		cmd = nvp_build_compare(region->nsid, region->slba + first, (uint16_t)(lbas - 1),
					region->lba_bytes);
	cmd.data = buf;
	cmd.data_offset = (size_t)first * region->lba_bytes;
	return cmd;
}

/* Write or read these blocks; it has to succeed. */
static inline bool case_write(struct nvp_t *t, const struct case_region *region, uint32_t first,
			      uint32_t lbas, struct nvp_buf *buf)
{
	struct nvp_cmd cmd = case_transfer(NVP_IO_WRITE, region, first, lbas, buf);
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

static inline bool case_read(struct nvp_t *t, const struct case_region *region, uint32_t first,
			     uint32_t lbas, struct nvp_buf *buf)
{
	struct nvp_cmd cmd = case_transfer(NVP_IO_READ, region, first, lbas, buf);
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

/* Blocks with a pattern of `key`, each at the same place in both buffers. */
struct case_written {
	struct case_region region;
	uint64_t key;
	struct nvp_buf *data, *seen;
};

/* Write (again) what data holds, in as many commands as it takes. */
static inline bool case_written_write(struct nvp_t *t, const struct case_written *w)
{
	uint32_t most = case_max_lbas(t);

	for (uint32_t first = 0; first < w->region.lbas; first += most) {
		uint32_t left = w->region.lbas - first;

		if (!case_write(t, &w->region, first, left < most ? left : most, w->data))
			return false;
	}
	return true;
}

static inline bool case_written_new(struct nvp_t *t, uint32_t lbas, struct case_written *w)
{
	if (!case_region_aligned(t, lbas, 16, &w->region))
		return false;
	w->key = nvp_t_rand(t, "key", lbas);
	w->data = nvp_t_buf(t, (size_t)lbas * w->region.lba_bytes);
	w->seen = nvp_t_buf(t, (size_t)lbas * w->region.lba_bytes);
	if (!w->data || !w->seen)
		return false;
	nvp_buf_fill_pattern(w->data, w->key);
	return case_written_write(t, w);
}

static inline void case_write_again(struct nvp_t *t, void *kept)
{
	struct case_written w;
	struct nvp_cpl cpl;

	memcpy(&w, nvp_buf_data(kept), sizeof(w));
	for (uint32_t i = 0; i < w.region.lbas; i++) {
		struct nvp_cmd cmd = case_transfer(NVP_IO_WRITE, &w.region, i, 1, w.data);

		(void)nvp_exec_io(nvp_t_drive(t), &cmd, &cpl);
	}
}

/* Whatever happens: at the end of the case each block is written once more and can be read. */
static inline bool case_written_at_end(struct nvp_t *t, const struct case_written *w)
{
	struct nvp_buf *kept = nvp_t_buf(t, sizeof(*w));

	if (!kept)
		return false;
	memcpy(nvp_buf_data(kept), w, sizeof(*w));
	nvp_defer(t, case_write_again, kept);
	return true;
}

/* These blocks of the region read as written, each by a command of its own. */
static inline bool case_written_holds(struct nvp_t *t, const struct case_written *w, uint32_t first,
				      uint32_t lbas)
{
	uint32_t bytes = w->region.lba_bytes;

	for (uint32_t i = first; i < first + lbas; i++) {
		if (!case_read(t, &w->region, i, 1, w->seen))
			return false;
		nvp_check(t, !memcmp(nvp_buf_data(w->seen) + (size_t)i * bytes,
				     nvp_buf_data(w->data) + (size_t)i * bytes, bytes),
			  "block %llu (%u of %u) changed", (unsigned long long)(w->region.slba + i),
			  i, w->region.lbas);
	}
	return true;
}

/* Post one Asynchronous Event Request; it stays outstanding. */
static inline bool case_post_event_request(struct nvp_t *t)
{
	struct nvp_cmd cmd = nvp_build_async_event();
	struct nvp_sq *sq = nvp_admin_sq(nvp_t_drive(t));

	return CASE_TRAVELS(t, nvp_submit(sq, &cmd, NULL)) && CASE_TRAVELS(t, nvp_ring_tail(sq));
}

/*
 * The next completion of the admin queue within wait_ns; only event requests are outstanding
 * there.
 */
static inline bool case_next_event(struct nvp_t *t, uint64_t wait_ns, bool *came,
				   struct nvp_cpl *cpl)
{
	struct nvp_drive *drive = nvp_t_drive(t);
	uint64_t until_ns = nvp_clock_deadline_ns(nvp_drive_clock(drive), wait_ns);
	int rc = nvp_reap_until(nvp_admin_cq(drive), until_ns, cpl);

	*came = rc == 1;
	return CASE_TRAVELS(t, rc);
}

/* A controller reset as the last thing of a case whose traffic may have left something behind. */
static inline void case_reset_at_end(struct nvp_t *t, void *context)
{
	(void)context;
	(void)nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER);
}

#endif
