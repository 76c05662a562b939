/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bin: a header of 128 bytes, then records of include/nvproof/drive_ops.h in order of tick. */
#ifndef NVP_RUN_TRACE_FILE_H
#define NVP_RUN_TRACE_FILE_H

#include <stdint.h>

#include <nvproof/drive_ops.h>

#define NVP_TRACE_FILE_MAGIC "NVPTRACE"	/* 8 bytes, no NUL */
#define NVP_TRACE_FILE_VERSION 1

/*
 * Host byte order; a reader on a machine of the other order sees version 01000000h. Gaps in the
 * ticks mean records that were overwritten before they could be copied.
 */
struct nvp_trace_file_header {
	char magic[8];
	uint32_t version;
	uint32_t record_bytes;	/* sizeof(struct nvp_trace_record): 128 */
	uint8_t reserved[112];
};

_Static_assert(sizeof(struct nvp_trace_record) == 128, "a trace record has 128 bytes");
_Static_assert(sizeof(struct nvp_trace_file_header) == 128, "records of the file are aligned");

#endif
