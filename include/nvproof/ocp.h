/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs and features of the OCP Datacenter NVMe SSD specification, which a drive may claim. */
#ifndef NVPROOF_OCP_H
#define NVPROOF_OCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * OCP Datacenter NVMe SSD 2.0 and 2.5. No bit of Identify says that a drive follows it: each of
 * its logs ends with a version (2 bytes) and a GUID (16 bytes) of its own.
 */
enum nvp_ocp_log {
	NVP_OCP_LOG_SMART = 0xc0,		/* 512 bytes */
	NVP_OCP_LOG_ERROR_RECOVERY = 0xc1,	/* 512 bytes */
	NVP_OCP_LOG_LATENCY = 0xc3,		/* 512 bytes */
	NVP_OCP_LOG_CAPABILITIES = 0xc4,	/* 4096 bytes */
	NVP_OCP_LOG_UNSUPPORTED = 0xc5,		/* 4096 bytes */
};

enum nvp_ocp_feature {
	NVP_OCP_FID_PLP_MODE = 0xc2,	/* Set: mode in bits 31:30 of Dword 11; Get: in 1:0 */
	NVP_OCP_FID_CLEAR_PCIE = 0xc3,	/* Set: bit 31 clears the correctable error count */
	NVP_OCP_FID_PLP_CHECK = 0xc6,	/* Set: minutes in bits 31:16; Get: in 15:0 */
};

/* What a mode of NVP_OCP_FID_PLP_MODE makes of the drive when its protection has failed. */
enum nvp_ocp_plp_mode { NVP_OCP_PLP_READ_ONLY = 1, NVP_OCP_PLP_WRITE_THROUGH = 2,
			NVP_OCP_PLP_NORMAL = 3 };

/* Bytes of a log above, 0 for another LID. */
uint32_t nvp_ocp_log_bytes(uint8_t lid);
/* The GUID as it stands in the log, and the identifier of a UUID list entry; 16 bytes each. */
const uint8_t *nvp_ocp_guid(uint8_t lid);	/* NULL for another LID */
const uint8_t *nvp_ocp_uuid(void);
/* These bytes end with the GUID of that log. False when they are too few. */
bool nvp_ocp_is(uint8_t lid, const void *bytes, size_t nr_bytes);
/* The version in front of the GUID; 0 when the bytes are too few. */
uint16_t nvp_ocp_version(uint8_t lid, const void *bytes, size_t nr_bytes);

#ifdef __cplusplus
}
#endif
#endif
