// SPDX-License-Identifier: GPL-2.0-or-later
// Logical blocks with their metadata: memory for them, commands that move them.

#include "power/lb.h"

#include <errno.h>
#include <string.h>

#include <nvproof/build.h>
#include <nvproof/pi.h>

struct nvp_lb_format nvp_lb_format_of(const struct nvp_ns *ns)
{
	bool meta = ns->id.metadata_bytes;

	return (struct nvp_lb_format){
		.lba_bytes = ns->id.lba_bytes,
		.pi = {
			.type = meta ? ns->id.dps & 7 : 0,
			.first = meta && ns->id.dps >> 3 & 1,
			.meta_bytes = ns->id.metadata_bytes,
		},
		.extended = meta && ns->id.flbas >> 4 & 1,
	};
}

bool nvp_lb_same_format(const struct nvp_lb_format *a, const struct nvp_lb_format *b)
{
	return a->lba_bytes == b->lba_bytes && a->extended == b->extended &&
	       a->pi.type == b->pi.type && a->pi.first == b->pi.first &&
	       a->pi.meta_bytes == b->pi.meta_bytes;
}

/* ---- memory ---- */

static bool apart(const struct nvp_lb_format *f)
{
	return f->pi.meta_bytes && !f->extended;
}

int nvp_lb_buf_new(struct nvp_drive *drive, const struct nvp_lb_format *f, uint32_t nr,
		   struct nvp_lb_buf *buf)
{
	*buf = (struct nvp_lb_buf){ .data = nvp_buf_new(drive, (size_t)nr * nvp_lb_row_bytes(f)) };
	if (buf->data && apart(f))
		buf->meta = nvp_buf_new(drive, (size_t)nr * f->pi.meta_bytes);
	if (buf->data && (buf->meta || !apart(f)))
		return 0;
	nvp_lb_buf_free(buf);
	return -ENOMEM;
}

void nvp_lb_buf_free(struct nvp_lb_buf *buf)
{
	nvp_buf_free(buf->data);
	nvp_buf_free(buf->meta);
	*buf = (struct nvp_lb_buf){ 0 };
}

uint8_t *nvp_lb_data(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i)
{
	return (uint8_t *)nvp_buf_data(buf->data) + (size_t)i * nvp_lb_row_bytes(f);
}

uint8_t *nvp_lb_meta(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i)
{
	if (!f->pi.meta_bytes)
		return NULL;
	return f->extended ? nvp_lb_data(f, buf, i) + f->lba_bytes :
			     (uint8_t *)nvp_buf_data(buf->meta) + (size_t)i * f->pi.meta_bytes;
}

void nvp_lb_stamp(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i,
		  const struct nvp_stamp *stamp)
{
	uint8_t *data = nvp_lb_data(f, buf, i), *meta = nvp_lb_meta(f, buf, i);

	nvp_stamp_fill(data, f->lba_bytes, stamp);
	if (meta)
		nvp_stamp_meta_fill(meta, &f->pi, data, f->lba_bytes, stamp);
}

void nvp_lb_row(const struct nvp_lb_format *f, const struct nvp_lb_buf *buf, uint32_t i,
		uint8_t *row)
{
	const uint8_t *meta = nvp_lb_meta(f, buf, i);

	memcpy(row, nvp_lb_data(f, buf, i), f->lba_bytes);
	if (meta)
		memcpy(row + f->lba_bytes, meta, f->pi.meta_bytes);
}

void nvp_lb_stamp_row(const struct nvp_lb_format *f, uint8_t *row, const struct nvp_stamp *stamp)
{
	nvp_stamp_fill(row, f->lba_bytes, stamp);
	if (f->pi.meta_bytes)
		nvp_stamp_meta_fill(row + f->lba_bytes, &f->pi, row, f->lba_bytes, stamp);
}

/* ---- commands ---- */

struct nvp_cmd nvp_lb_command(const struct nvp_lb_format *f, uint8_t opcode, uint32_t nsid,
			      uint64_t lba, uint16_t nlb_z, const struct nvp_lb_buf *buf,
			      uint32_t first)
{
	uint32_t row_bytes = nvp_lb_row_bytes(f);
	struct nvp_cmd cmd = opcode == NVP_IO_READ ? nvp_build_read(nsid, lba, nlb_z, row_bytes) :
			     opcode == NVP_IO_WRITE ? nvp_build_write(nsid, lba, nlb_z, row_bytes) :
						      nvp_build_compare(nsid, lba, nlb_z, row_bytes);

	cmd.data = buf->data;
	cmd.data_offset = (size_t)first * row_bytes;
	if (apart(f)) {
		cmd.meta = buf->meta;
		cmd.meta_offset = (size_t)first * f->pi.meta_bytes;
		cmd.meta_bytes = (nlb_z + (size_t)1) * f->pi.meta_bytes;
	}
	if (f->pi.type)
		nvp_cmd_set_tags(&cmd, (uint32_t)lba, 0, 0);
	return cmd;
}

struct nvp_cmd nvp_lb_write_zeroes(const struct nvp_lb_format *f, uint32_t nsid, uint64_t lba,
				   uint16_t nlb_z)
{
	struct nvp_cmd cmd = nvp_build_write_zeroes(nsid, lba, nlb_z, false);

	if (f->pi.type) {
		nvp_cmd_set_prinfo(&cmd, NVP_PRACT);
		nvp_cmd_set_tags(&cmd, f->pi.type == 3 ? 0 : (uint32_t)lba, 0, 0);
	}
	return cmd;
}

/* ---- what belongs to what ---- */

static bool all(const uint8_t *bytes, size_t nr, uint8_t value)
{
	return !nr || (bytes[0] == value && !memcmp(bytes, bytes + 1, nr - 1));
}

static bool blank_pi(const struct nvp_lb_format *f, const void *data, const void *meta,
		     uint64_t first_lba, uint32_t nr_lbas)
{
	const struct nvp_pi_layout layout = {
		.lba_bytes = f->lba_bytes, .meta_bytes = f->pi.meta_bytes, .first = f->pi.first,
	};
	struct nvp_pi pi = nvp_pi_get(&layout, meta);
	bool right = pi.guard == nvp_pi_guard(&layout, data, meta);

	if (pi.application == 0xffff && pi.reference == 0xffffffff)
		return right || pi.guard == 0xffff;
	return right && !pi.application &&
	       (f->pi.type == 3 ? !pi.reference : pi.reference - (uint32_t)first_lba < nr_lbas);
}

bool nvp_lb_blank_meta(const struct nvp_lb_format *f, const void *data, const void *meta,
		       uint64_t first_lba, uint32_t nr_lbas)
{
	const uint8_t *m = meta;
	size_t pi_bytes = f->pi.type ? NVP_PI_BYTES : 0, rest = f->pi.meta_bytes - pi_bytes;

	if (f->pi.type && f->pi.first)
		m += pi_bytes;
	return (all(m, rest, 0) || all(m, rest, 0xff)) &&
	       (!f->pi.type || blank_pi(f, data, meta, first_lba, nr_lbas));
}

const char *nvp_lb_meta_text(enum nvp_stamp_meta_state state)
{
	static const char *const words[] = {
		[NVP_STAMP_META_GOOD] = "",
		[NVP_STAMP_META_GUARD] = ", but the guard of other data",
		[NVP_STAMP_META_APP] = ", but the application tag of other data",
		[NVP_STAMP_META_REF] = ", but the reference tag of another block",
		[NVP_STAMP_META_BYTES] = ", but metadata of other data",
		[NVP_STAMP_META_DEALLOCATED] = ", but protection information as if deallocated",
	};

	return words[state];
}
