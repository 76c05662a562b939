// SPDX-License-Identifier: GPL-2.0-or-later
// Self-test and sanitize logs, controller lists and the timestamp as values (NVMe Base 2.0).

#include <nvproof/decode.h>

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"

static void self_test_result(const uint8_t *b, struct nvp_self_test_result *r)
{
	r->result = b[0] & 0xf;
	r->code = b[0] >> 4;
	r->segment = b[1];
	r->valid = b[2] & 0xf;
	r->power_on_hours = nvp_le64(b + 4);
	r->nsid = nvp_le32(b + 12);
	r->failing_lba = nvp_le64(b + 16);
	r->sct = b[24] & 7;
	r->sc = b[25];
}

int nvp_decode_self_test_log(const void *bytes, size_t nr_bytes, struct nvp_self_test_log *out)
{
	const uint8_t *b = bytes;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < 564)
		return -EMSGSIZE;
	out->current = b[0] & 0xf;
	out->percent_done = b[1] & 0x7f;
	for (unsigned i = 0; i < NVP_ARRAY_SIZE(out->result); i++)
		self_test_result(b + 4 + 28 * i, &out->result[i]);
	return 0;
}

int nvp_decode_sanitize_log(const void *bytes, size_t nr_bytes, struct nvp_sanitize_log *out)
{
	const uint8_t *b = bytes;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < 512)
		return -EMSGSIZE;
	out->progress = nvp_le16(b);
	out->status = b[2] & 7;
	out->passes = b[2] >> 3;
	out->global_data_erased = b[3] & 1;
	out->cdw10 = nvp_le32(b + 4);
	out->overwrite_s = nvp_le32(b + 8);
	out->block_erase_s = nvp_le32(b + 12);
	out->crypto_erase_s = nvp_le32(b + 16);
	out->overwrite_nd_s = nvp_le32(b + 20);
	out->block_erase_nd_s = nvp_le32(b + 24);
	out->crypto_erase_nd_s = nvp_le32(b + 28);
	return 0;
}

int nvp_decode_controller_list(const void *bytes, size_t nr_bytes, struct nvp_controller_list *out)
{
	const uint8_t *b = bytes;
	unsigned nr;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < 4096)
		return -EMSGSIZE;
	nr = nvp_le16(b);
	out->overrun = nr > NVP_ARRAY_SIZE(out->id);
	out->nr = out->overrun ? NVP_ARRAY_SIZE(out->id) : nr;
	out->ascending = true;
	for (unsigned i = 0; i < out->nr; i++) {
		out->id[i] = nvp_le16(b + 2 + 2 * i);
		if (i > 0 && out->id[i] <= out->id[i - 1])
			out->ascending = false;
	}
	return 0;
}

int nvp_decode_timestamp(const void *bytes, size_t nr_bytes, struct nvp_timestamp *out)
{
	const uint8_t *b = bytes;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < 8)
		return -EMSGSIZE;
	out->ms = nvp_le_n(b, 6);
	out->stopped = b[6] & 1;
	out->origin = b[6] >> 1 & 7;
	return 0;
}
