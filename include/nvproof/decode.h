/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoders: bytes and a length in, values out; the drive is treated as hostile. */
#ifndef NVPROOF_DECODE_H
#define NVPROOF_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/cmd.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Every decoder returns 0, or -EMSGSIZE when nr_bytes is too short for the structure (the result
 * is then zeroed). None ever reads past nr_bytes or trusts a length found inside the data.
 * Sections are those of NVMe Base 2.0 unless they say otherwise.
 */

#define NVP_VERSION(major, minor, tertiary) \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(tertiary))

/* --- status ----------------------------------------------------------------------------- */

struct nvp_status nvp_status_from_cqe(uint16_t word);		/* CQE bytes 14-15, with phase in bit 0 */
struct nvp_status nvp_status_from_field(uint16_t field);	/* that word >> 1: nvme-cli's 4002h */
uint16_t nvp_status_to_field(const struct nvp_status *status);
/* "Invalid Field in Command"; "unknown" for a code that no table has. Static storage. */
const char *nvp_status_name(unsigned sct, unsigned sc);
/* What it means and whether a retry can help, one sentence; empty when unknown. */
const char *nvp_status_sentence(unsigned sct, unsigned sc);
/* "0/02h Invalid Field in Command, DNR=1, field 0x4002, CQE word 0x8004": all forms; returns text. */
#define NVP_STATUS_TEXT_BYTES 128
const char *nvp_status_text(const struct nvp_status *status, char text[NVP_STATUS_TEXT_BYTES]);
/* "0/02h or 0/0Bh" of a set; returns text. */
const char *nvp_expect_text(const struct nvp_expect_set *set, char text[NVP_STATUS_TEXT_BYTES]);
/* "Identify", "Write Zeroes"; "opcode C1h" if it has no name. admin: true for the admin queue. */
const char *nvp_opcode_name(bool admin, uint8_t opcode);

/* A 16-byte CQE as it stands in memory; ticks and latency are left 0. */
void nvp_decode_cqe(const void *bytes, struct nvp_cpl *cpl);

/* --- registers (section 3.1.3) ------------------------------------------------------------ */

enum nvp_register {
	NVP_REG_CAP = 0x00, NVP_REG_VS = 0x08, NVP_REG_INTMS = 0x0c, NVP_REG_INTMC = 0x10,
	NVP_REG_CC = 0x14, NVP_REG_CSTS = 0x1c, NVP_REG_NSSR = 0x20, NVP_REG_AQA = 0x24,
	NVP_REG_ASQ = 0x28, NVP_REG_ACQ = 0x30, NVP_REG_CMBLOC = 0x38, NVP_REG_CMBSZ = 0x3c,
	NVP_REG_BPINFO = 0x40, NVP_REG_CRTO = 0x68, NVP_REG_DOORBELLS = 0x1000,
};

struct nvp_cap {
	uint32_t mqes_z;	/* Maximum Queue Entries Supported, 0-based */
	bool cqr;		/* Contiguous Queues Required */
	uint8_t ams;		/* Arbitration Mechanism Supported: bit 0 WRR */
	uint32_t to_500ms;	/* Timeout, units of 500 ms */
	uint8_t dstrd;		/* doorbell stride is 4 << dstrd bytes */
	bool nssrs;
	uint8_t css;		/* Command Sets Supported, 8 bits */
	bool bps;
	uint8_t cps;
	uint8_t mpsmin, mpsmax;	/* page size is 1 << (12 + n) */
	bool pmrs, cmbs, nsss;
	bool crwms, crims;	/* Controller Ready modes: with media, independent of media */
};
void nvp_decode_cap(uint64_t cap, struct nvp_cap *out);

/* --- Identify ---------------------------------------------------------------------------- */

#define NVP_IDENTIFY_BYTES 4096

/* CNS 01h (5.17.2.1): what cases and the tool use; the field table (`info`) shows every field. */
struct nvp_id_ctrl {
	uint16_t vid, ssvid;
	char sn[21], mn[41], fr[9];	/* cut of trailing spaces, '?' for what is no printable ASCII */
	uint8_t cmic, mdts;		/* mdts: 2^n pages of CAP.MPSMIN; 0: no limit */
	uint16_t cntlid;
	uint32_t ver;			/* as VS */
	uint32_t rtd3r_us, rtd3e_us;	/* 0: not reported */
	uint32_t oaes, ctratt;
	uint8_t cntrltype;
	uint16_t oacs;
	uint8_t acl_z, aerl_z, frmw, lpa, elpe_z, npss_z, apsta;
	uint16_t wctemp_k, cctemp_k;
	uint8_t sqes, cqes;		/* low nibble: required, high: maximum; 2^n bytes */
	uint16_t maxcmd;
	uint32_t nn;
	uint16_t oncs, fuses;
	uint8_t fna, vwc;
	uint16_t awun_z, awupf_z, acwu_z;	/* blocks */
	uint16_t ocfs;			/* bit n: Copy descriptor format n */
	uint8_t nwpc;
	uint32_t sgls, mnan;
	uint16_t mtfa_100ms;		/* 0: not reported */
	uint8_t fwug;			/* units of 4 KiB; 0: no information, FFh: no restriction */
	uint16_t edstt_min;		/* minutes of an extended self-test */
	uint8_t dsto;
	uint16_t hctma, mntmt_k, mxtmt_k;
	uint32_t pels_64k;		/* size of the persistent event log */
	char subnqn[257];
	uint32_t sanicap;
};
int nvp_decode_id_ctrl(const void *bytes, size_t nr_bytes, struct nvp_id_ctrl *out);

/* CNS 00h (NVM Command Set 1.0, 4.1.5.1). */
struct nvp_lba_format {
	uint16_t ms_bytes;
	uint8_t lbads;		/* 2^n bytes; 0: format not available */
	uint8_t rp;
};
struct nvp_id_ns {
	uint64_t nsze_lbas, ncap_lbas, nuse_lbas;
	uint8_t nsfeat, nlbaf_z, flbas, mc, dpc, dps, nmic, rescap, fpi, dlfeat;
	uint16_t nawun_z, nawupf_z, nacwu_z, nabsn_z, nabo, nabspf_z, noiob;
	uint8_t nvmcap[16];
	uint16_t npwg_z, npwa_z, npdg_z, npda_z, nows_z;
	uint8_t nguid[16], eui64[8];
	struct nvp_lba_format lbaf[64];
	uint16_t mssrl_lbas;	/* limits of Copy; 0 when it is not there */
	uint32_t mcl_lbas;
	uint8_t msrc_z;
	unsigned format_index;	/* of FLBAS, upper bits included, clipped to 63 */
	uint32_t lba_bytes;	/* of the format in use; 0 when it says nothing usable */
	uint16_t metadata_bytes;
};
int nvp_decode_id_ns(const void *bytes, size_t nr_bytes, struct nvp_id_ns *out);

/* CNS 02h, 07h (active lists, 1024 NSIDs): entries up to the first 0. */
struct nvp_nsid_list {
	uint32_t nsid[1024];
	unsigned nr;
	bool ascending;		/* strictly, among the nr */
	bool zero_tail;		/* nothing but zeroes after the first 0 */
};
int nvp_decode_nsid_list(const void *bytes, size_t nr_bytes, struct nvp_nsid_list *out);

/* CNS 03h (5.17.2.3): Namespace Identification Descriptors. */
struct nvp_ns_descriptors {
	bool has_eui64, has_nguid, has_uuid, has_csi;
	uint8_t eui64[8], nguid[16], uuid[16], csi;
	unsigned nr;		/* descriptors of any type */
	unsigned nr_unknown;
	bool length_wrong;	/* a known type with another length than the figure gives */
	bool duplicate;		/* a type more than once */
	bool overrun;		/* a descriptor that passes the end of the structure */
};
int nvp_decode_ns_descriptors(const void *bytes, size_t nr_bytes, struct nvp_ns_descriptors *out);

/* CNS 06h, CSI 0 (NVM Command Set 1.0, 4.1.5.2). */
struct nvp_id_ctrl_nvm {
	uint8_t vsl, wzsl, wusl, dmrl;	/* vsl, wzsl, wusl: as mdts; 0: no limit */
	uint32_t dmrsl_lbas;
	uint64_t dmsl_lbas;
};
int nvp_decode_id_ctrl_nvm(const void *bytes, size_t nr_bytes, struct nvp_id_ctrl_nvm *out);

/* CNS 08h (5.17.2.8): I/O Command Set independent Identify Namespace. */
struct nvp_id_ns_independent {
	uint8_t nsfeat, nmic, rescap, fpi, nsattr, nstat;
	uint32_t anagrpid;
	uint16_t nvmsetid, endgid;
};
int nvp_decode_id_ns_independent(const void *bytes, size_t nr_bytes,
				 struct nvp_id_ns_independent *out);

/* CNS 1Ch (5.17.2.21): I/O Command Set data structure, 512 vectors of 64 bits; bit 0 is NVM. */
struct nvp_io_command_sets {
	uint64_t combination[512];
};
int nvp_decode_io_command_sets(const void *bytes, size_t nr_bytes, struct nvp_io_command_sets *out);

/* --- Log pages ---------------------------------------------------------------------------- */

/* 00h Supported Log Pages (5.16.1.1), 1024 bytes: one dword a LID; bit 0 LSUPP, bit 1 IOS. */
struct nvp_supported_logs {
	uint32_t lid[256];
};
int nvp_decode_supported_logs(const void *bytes, size_t nr_bytes, struct nvp_supported_logs *out);

/* 01h Error Information (5.16.1.2), one entry of 64 bytes. */
struct nvp_error_entry {
	uint64_t count;		/* 0: unused entry */
	uint16_t sqid, cid;
	struct nvp_status status;	/* phase bit stripped */
	uint16_t location;	/* byte in bits 7:0, bit in 10:8; FFFFh: none */
	uint64_t lba;
	uint32_t nsid;
	uint8_t vendor_log, transport;
	uint64_t command_specific;
	uint16_t transport_specific;
};
int nvp_decode_error_entry(const void *bytes, size_t nr_bytes, struct nvp_error_entry *out);

/* An unsigned 128-bit counter, exact. */
struct nvp_u128 {
	uint64_t low, high;
};
/* -1, 0, 1 as a is below, equal to, above b. */
int nvp_u128_compare(const struct nvp_u128 *a, const struct nvp_u128 *b);
/* a - b, modulo 2^128. */
struct nvp_u128 nvp_u128_minus(const struct nvp_u128 *a, const struct nvp_u128 *b);

/* 02h SMART / Health (5.16.1.3), 512 bytes. */
struct nvp_smart {
	uint8_t critical_warning;
	uint16_t composite_temperature_k;
	uint8_t available_spare_pct, spare_threshold_pct, percentage_used, egcws;
	struct nvp_u128 data_units_read, data_units_written;	/* 1000 units of 512 bytes, rounded up */
	struct nvp_u128 host_reads, host_writes;
	struct nvp_u128 busy_minutes, power_cycles, power_on_hours, unsafe_shutdowns;
	struct nvp_u128 media_errors, error_log_entries;
	uint32_t warning_temp_minutes, critical_temp_minutes;
	uint16_t sensor_k[8];	/* 0: not implemented */
};
int nvp_decode_smart(const void *bytes, size_t nr_bytes, struct nvp_smart *out);

/* 03h Firmware Slot Information (5.16.1.4), 512 bytes. */
struct nvp_firmware_slots {
	uint8_t active_slot, next_slot;		/* 1 to 7; next 0: no change pending */
	char revision[7][9];			/* [0] is slot 1; empty: no image */
};
int nvp_decode_firmware_slots(const void *bytes, size_t nr_bytes, struct nvp_firmware_slots *out);

/* 05h Commands Supported and Effects (5.16.1.6), 4096 bytes; bit 0 CSUPP. */
struct nvp_effects {
	uint32_t admin[256], io[256];
};
int nvp_decode_effects(const void *bytes, size_t nr_bytes, struct nvp_effects *out);

/* 12h Feature Identifiers Supported and Effects (5.16.1.18), 1024 bytes; bit 0 FSUPP. */
struct nvp_feature_effects {
	uint32_t fid[256];
};
int nvp_decode_feature_effects(const void *bytes, size_t nr_bytes, struct nvp_feature_effects *out);

/* 06h Device Self-test (5.16.1.7), 564 bytes. */
struct nvp_self_test_result {
	uint8_t result;		/* low nibble of Status: 0 good, 1 aborted by a self-test command, .. Fh unused */
	uint8_t code;		/* high nibble: 1 short, 2 extended */
	uint8_t segment, valid;	/* valid: bit 0 NSID, 1 FLBA, 2 SCT, 3 SC */
	uint64_t power_on_hours;
	uint32_t nsid;
	uint64_t failing_lba;
	uint8_t sct, sc;
};
struct nvp_self_test_log {
	uint8_t current;	/* 0 none, 1 short, 2 extended, Eh vendor */
	uint8_t percent_done;
	struct nvp_self_test_result result[20];	/* newest first */
};
int nvp_decode_self_test_log(const void *bytes, size_t nr_bytes, struct nvp_self_test_log *out);

/* 81h Sanitize Status (5.16.1.25), 512 bytes. */
struct nvp_sanitize_log {
	uint16_t progress;	/* SPROG, of 65536; FFFFh when none is in progress */
	uint8_t status;		/* SSTAT bits 2:0: 0 never, 1 done, 2 in progress, 3 failed, 4 done, no deallocation */
	uint8_t passes;		/* completed overwrite passes */
	bool global_data_erased;
	uint32_t cdw10;
	uint32_t overwrite_s, block_erase_s, crypto_erase_s;	/* FFFFFFFFh: not reported */
	uint32_t overwrite_nd_s, block_erase_nd_s, crypto_erase_nd_s;	/* with no deallocation */
};
int nvp_decode_sanitize_log(const void *bytes, size_t nr_bytes, struct nvp_sanitize_log *out);

/* A controller list (CNS 12h, 13h; Namespace Attachment): at most 2047 identifiers. */
struct nvp_controller_list {
	uint16_t id[2047];
	unsigned nr;
	bool ascending, overrun;	/* overrun: it says more than 2047 */
};
int nvp_decode_controller_list(const void *bytes, size_t nr_bytes, struct nvp_controller_list *out);

/* Feature 0Eh Timestamp (5.27.1.11), 8 bytes. */
struct nvp_timestamp {
	uint64_t ms;		/* since 1970-01-01 00:00 UTC, or since the controller was reset */
	uint8_t origin;		/* 0: cleared to 0 by a reset; 1: set by Set Features */
	bool stopped;		/* it may have stopped counting at times */
};
int nvp_decode_timestamp(const void *bytes, size_t nr_bytes, struct nvp_timestamp *out);

/* The first 512 bytes of log 0Dh Persistent Event (5.16.1.14). */
struct nvp_persistent_log {
	uint32_t nr_events;
	uint64_t bytes;			/* TLL: header and events */
	uint32_t header_bytes;		/* LHL + 20: where the first event begins */
	struct nvp_timestamp time;	/* when the context was established */
	struct nvp_u128 power_on_hours;
	uint64_t power_cycles;
	uint16_t vid, ssvid;
	uint16_t generation;		/* 0 may be "not reported" */
	char sn[21], mn[41], subnqn[257];
	bool existed;			/* a context was there before this read */
	uint8_t lid, revision;
	uint8_t supported[32];		/* bit n: events of type n can be recorded */
};
int nvp_decode_persistent_log(const void *bytes, size_t nr_bytes, struct nvp_persistent_log *out);

/* One event at the start of bytes; the next begins .bytes later. */
struct nvp_persistent_event {
	uint8_t type, revision;
	uint8_t port_type;
	uint16_t port, cntlid;
	struct nvp_timestamp time;
	const uint8_t *data;		/* inside bytes, behind vendor specific information */
	uint32_t data_bytes;
	uint32_t bytes;			/* of the whole event */
};
/* -EMSGSIZE too when the lengths that the event gives do not fit nr_bytes, or one another. */
int nvp_decode_persistent_event(const void *bytes, size_t nr_bytes,
				struct nvp_persistent_event *out);
/* "Firmware Commit"; "reserved" if it has no name. */
const char *nvp_persistent_event_name(uint8_t type);

/* C0h of OCP drives (ocp.h), 512 bytes; fields that a version does not have are 0 there. */
struct nvp_ocp_smart {
	struct nvp_u128 media_bytes_written, media_bytes_read;
	struct nvp_u128 plp_starts, endurance_bytes;
	uint64_t soft_ecc_errors, unrecoverable_reads, pcie_correctable_errors;
	uint64_t link_retrainings, power_state_changes, unaligned_io, nuse_lbas;
	uint32_t incomplete_shutdowns;
	uint16_t capacitor_health_pct;	/* FFFFh: the drive has no power loss protection */
	uint8_t free_blocks_pct;
	uint16_t version;
};
int nvp_decode_ocp_smart(const void *bytes, size_t nr_bytes, struct nvp_ocp_smart *out);

/* Identify CNS 17h (NVMe Base 2.0, 5.17.2.13): entries up to the first zero one, at most 127. */
struct nvp_uuid_list {
	uint8_t uuid[127][16];
	uint8_t association[127];	/* bits 1:0 of the header */
	unsigned nr;
};
int nvp_decode_uuid_list(const void *bytes, size_t nr_bytes, struct nvp_uuid_list *out);

/* --- Asynchronous events and features --------------------------------------------------------- */

/* Completion Dword 0 of an Asynchronous Event Request (5.2.1). */
struct nvp_async_event {
	uint8_t type, info, lid;
};
struct nvp_async_event nvp_decode_async_event(uint32_t dw0);

/* Completion Dword 0 of Get Features with SEL 011b (5.15.1). */
struct nvp_feature_caps {
	bool saveable, ns_specific, changeable;
};
struct nvp_feature_caps nvp_decode_feature_caps(uint32_t dw0);

/* "Volatile Write Cache" of a Feature Identifier; "feature C1h" if it has no name. */
const char *nvp_feature_name(uint8_t fid);
/* "SMART / Health Information"; "log C1h" if it has no name. */
const char *nvp_log_name(uint8_t lid);

#ifdef __cplusplus
}
#endif
#endif
