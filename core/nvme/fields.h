/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Field tables: one row per field gives text, JSON and the simulator's answers. */
#ifndef NVP_NVME_FIELDS_H
#define NVP_NVME_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/text.h"

enum nvp_field_format {
	NVP_FIELD_DEC,		/* unsigned decimal */
	NVP_FIELD_HEX,
	NVP_FIELD_ASCII,	/* space padded */
	NVP_FIELD_NUL,		/* NUL-terminated UTF-8, such as SUBNQN */
	NVP_FIELD_U128,		/* 16 bytes, exact */
	NVP_FIELD_BYTES,	/* identifiers and the like: hex digits in byte order */
	NVP_FIELD_VERSION,	/* VS register form: 00020000h is 2.0 */
	NVP_FIELD_KELVIN,
	NVP_FIELD_FLAG,		/* one bit */
};

struct nvp_field {
	const char *key;	/* JSON key and the name in code; lower case, '_' */
	const char *title;	/* label for people, as the specification names it */
	uint16_t offset;	/* bytes from the start of the structure */
	uint16_t bytes;		/* size of the containing value, 1 to 512 */
	uint8_t low_bit;	/* bit field inside it: first bit */
	uint8_t width_bits;	/* 0: all of it */
	enum nvp_field_format format;
	const char *unit;	/* "100 ms", "blocks", NULL */
	const char *section;	/* figure or section, NVMe Base 2.0 unless it says otherwise */
	bool zero_means_absent;	/* "0h means not reported" */
};

struct nvp_field_table {
	const char *name;	/* "identify-controller" */
	size_t bytes;		/* size of the structure */
	const struct nvp_field *rows;
	size_t nr_rows;
};

extern const struct nvp_field_table nvp_fields_id_ctrl;		/* Identify CNS 01h, 4096 bytes */
extern const struct nvp_field_table nvp_fields_id_ns;		/* Identify CNS 00h, 4096 bytes */
extern const struct nvp_field_table nvp_fields_id_ctrl_nvm;	/* Identify CNS 06h CSI 0, 4096 bytes */
extern const struct nvp_field_table nvp_fields_id_ns_independent; /* Identify CNS 08h, 4096 bytes */
extern const struct nvp_field_table nvp_fields_power_state;	/* power state descriptor, 32 bytes */
extern const struct nvp_field_table nvp_fields_lba_format;	/* LBA format, 4 bytes */
extern const struct nvp_field_table nvp_fields_error_entry;	/* log 01h entry, 64 bytes */
extern const struct nvp_field_table nvp_fields_smart;		/* log 02h, 512 bytes */
extern const struct nvp_field_table nvp_fields_ocp_smart;	/* log C0h of OCP drives, 512 bytes */
extern const struct nvp_field_table nvp_fields_firmware_slot;	/* log 03h, 512 bytes */
extern const struct nvp_field_table nvp_fields_persistent_log;	/* log 0Dh header, 512 bytes */
extern const struct nvp_field_table nvp_fields_persistent_event; /* .. event header, 24 bytes */
extern const struct nvp_field_table nvp_fields_supported_log;	/* log 00h, one dword of 4 bytes */
extern const struct nvp_field_table nvp_fields_command_effects;	/* log 05h, one dword of 4 bytes */
extern const struct nvp_field_table nvp_fields_feature_effects;	/* log 12h, one dword of 4 bytes */

const struct nvp_field *nvp_field_find(const struct nvp_field_table *table, const char *key);

/* A number of at most 64 bits; a key that is not in the table, or one wider, is a bug (abort). */
uint64_t nvp_field_get(const struct nvp_field_table *table, const void *bytes, const char *key);
void nvp_field_put(const struct nvp_field_table *table, void *bytes, const char *key,
		   uint64_t value);
/* Space padded for ASCII, NUL padded for NUL; cut at the field's end. */
void nvp_field_put_text(const struct nvp_field_table *table, void *bytes, const char *key,
			const char *text);

/* "Title : value unit" lines, and the members of a JSON object; fields beyond nr_bytes are left out. */
void nvp_fields_text(const struct nvp_field_table *table, const void *bytes, size_t nr_bytes,
		     struct nvp_text *out);
void nvp_fields_json(const struct nvp_field_table *table, const void *bytes, size_t nr_bytes,
		     struct nvp_text *out);

#endif
