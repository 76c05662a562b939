/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data buffers: page-aligned memory that the drive can reach, with guard bytes round it. */
#ifndef NVPROOF_BUF_H
#define NVPROOF_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nvp_drive;
struct nvp_buf;

/*
 * bytes bytes (1 to 64 MiB), zeroed, starting at a page boundary, mapped for the drive, with a
 * page of guard bytes on each side. Owned by the drive: freed at the end of the case by the
 * runner, or earlier by nvp_buf_free; memory that the controller may still write to stays mapped
 * until it completed the command or was reset. NULL when memory or mappings ran out.
 */
struct nvp_buf *nvp_buf_new(struct nvp_drive *drive, size_t bytes);
void nvp_buf_free(struct nvp_buf *buf);

uint8_t *nvp_buf_data(struct nvp_buf *buf);
size_t nvp_buf_bytes(const struct nvp_buf *buf);
/* The address the drive uses for byte offset (0 on the kernel path, which has none). */
uint64_t nvp_buf_iova(const struct nvp_buf *buf, size_t offset);

void nvp_buf_fill(struct nvp_buf *buf, uint8_t value);
/* A pattern that the key decides and that differs in every 8 bytes. */
void nvp_buf_fill_pattern(struct nvp_buf *buf, uint64_t key);
/* The first byte of offset .. offset+bytes-1 that differs from the pattern of key; -1: none. */
int64_t nvp_buf_pattern_mismatch(const struct nvp_buf *buf, uint64_t key, size_t offset,
				 size_t bytes);
/* The first byte in the range that is not value; -1: none. */
int64_t nvp_buf_find_not(const struct nvp_buf *buf, size_t offset, size_t bytes, uint8_t value);

#ifdef __cplusplus
}
#endif
#endif
