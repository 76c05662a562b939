// SPDX-License-Identifier: GPL-2.0-or-later
// Data buffers: a guard page on each side, alive as long as a command may still reach them.

#include <nvproof/buf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/drive/door.h"

#define MAX_BUF_BYTES  (64u << 20)
/* How much on each side of a command's data is summed to see that it stays as it is. */
#define SNAPSHOT_BYTES 65536

struct nvp_buf *nvp_buf_make(struct nvp_drive *drive, size_t bytes, bool own)
{
	size_t pages = (bytes + NVP_PAGE_BYTES - 1) / NVP_PAGE_BYTES;
	struct nvp_buf *buf = calloc(1, sizeof(*buf));

	if (!buf)
		return NULL;
	buf->drive = drive;
	buf->own = own;
	buf->bytes = bytes;
	buf->memory_bytes = (pages + 2) * NVP_PAGE_BYTES;
	buf->memory = drive->base->buf_alloc(drive->base_backend, buf->memory_bytes, &buf->iova);
	if (!buf->memory) {
		free(buf);
		return NULL;
	}
	buf->data = buf->memory + NVP_PAGE_BYTES;
	memcpy(buf->memory, drive->guard_page, NVP_PAGE_BYTES);
	memset(buf->data, 0, pages * NVP_PAGE_BYTES);
	memcpy(buf->data + pages * NVP_PAGE_BYTES, drive->guard_page, NVP_PAGE_BYTES);
	buf->next = drive->bufs;
	drive->bufs = buf;
	return buf;
}

struct nvp_buf *nvp_buf_new(struct nvp_drive *drive, size_t bytes)
{
	struct nvp_buf *buf;

	if (!bytes || bytes > MAX_BUF_BYTES) {
		nvp_drive_fail(drive, NVP_ERR_BROKEN, -EINVAL,
			       "buffer of %zu bytes: 1 to %u can be had", bytes, MAX_BUF_BYTES);
		return NULL;
	}
	buf = nvp_buf_make(drive, bytes, false);
	if (!buf)
		nvp_drive_fail(drive, NVP_ERR_BROKEN, -ENOMEM,
			       "no memory that the drive can reach for %zu bytes", bytes);
	return buf;
}

static void destroy(struct nvp_buf *buf)
{
	struct nvp_drive *drive = buf->drive;

	for (struct nvp_buf **at = &drive->bufs; *at; at = &(*at)->next) {
		if (*at == buf) {
			*at = buf->next;
			break;
		}
	}
	/* Also what raw addresses did that no command was known to own. */
	nvp_check_buf_guards(buf);
	drive->base->buf_free(drive->base_backend, buf->memory, buf->memory_bytes);
	free(buf);
}

void nvp_buf_free(struct nvp_buf *buf)
{
	if (!buf)
		return;
	buf->doomed = true;
	if (!buf->in_flight)
		destroy(buf);
}

void nvp_buf_release(struct nvp_buf *buf)
{
	buf->in_flight--;
	if (buf->doomed && !buf->in_flight)
		destroy(buf);
}

void nvp_drive_free_bufs(struct nvp_drive *drive, bool own_too)
{
	struct nvp_buf *buf, *next;

	for (buf = drive->bufs; buf; buf = next) {
		next = buf->next;
		if (own_too)
			buf->in_flight = 0;
		if (own_too || !buf->own)
			nvp_buf_free(buf);
	}
}

void nvp_buf_snapshot(const struct nvp_buf *buf, size_t offset, size_t bytes, uint32_t *before_crc,
		      uint32_t *behind_crc)
{
	size_t before = nvp_min_u64(offset, SNAPSHOT_BYTES);
	size_t behind = nvp_min_u64(buf->bytes - offset - bytes, SNAPSHOT_BYTES);

	*before_crc = nvp_crc32c(buf->data + offset - before, before);
	*behind_crc = nvp_crc32c(buf->data + offset + bytes, behind);
}

uint8_t *nvp_buf_data(struct nvp_buf *buf)
{
	return buf->data;
}

size_t nvp_buf_bytes(const struct nvp_buf *buf)
{
	return buf->bytes;
}

uint64_t nvp_buf_iova(const struct nvp_buf *buf, size_t offset)
{
	return buf->iova ? buf->iova + NVP_PAGE_BYTES + offset : 0;
}

void nvp_buf_fill(struct nvp_buf *buf, uint8_t value)
{
	memset(buf->data, value, buf->bytes);
}

static uint64_t pattern_word(uint64_t key, size_t index)
{
	return nvp_rand_mix(nvp_rand_mix(key) + index);
}

void nvp_buf_fill_pattern(struct nvp_buf *buf, uint64_t key)
{
	size_t i = 0;

	for (; i + 8 <= buf->bytes; i += 8)
		nvp_put_le64(buf->data + i, pattern_word(key, i / 8));
	if (i < buf->bytes)
		nvp_put_le_n(buf->data + i, buf->bytes - i, pattern_word(key, i / 8));
}

int64_t nvp_buf_pattern_mismatch(const struct nvp_buf *buf, uint64_t key, size_t offset,
				 size_t bytes)
{
	uint64_t word = 0;

	if (offset > buf->bytes)
		return -1;
	bytes = nvp_min_u64(bytes, buf->bytes - offset);
	for (size_t i = offset; i < offset + bytes; i++) {
		if (i == offset || !(i & 7))
			word = pattern_word(key, i / 8);
		if (buf->data[i] != (uint8_t)(word >> 8 * (i & 7)))
			return (int64_t)i;
	}
	return -1;
}

int64_t nvp_buf_find_not(const struct nvp_buf *buf, size_t offset, size_t bytes, uint8_t value)
{
	if (offset > buf->bytes)
		return -1;
	bytes = nvp_min_u64(bytes, buf->bytes - offset);
	for (size_t i = offset; i < offset + bytes; i++)
		if (buf->data[i] != value)
			return (int64_t)i;
	return -1;
}
