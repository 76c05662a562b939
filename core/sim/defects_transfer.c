// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of scatter gather lists.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_transfer[] = {
	{
		.hook = NVP_HOOK_SGL_UNSUPPORTED_OK,
		.shown = {
			.name = "sgl-unsupported-accepted",
			.sentence = "SGLS says that there are no SGLs, and a command with one is "
				    "carried out",
			.section = "NVMe Base 2.0, 3.3.3.1 (PSDT)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_PSDT_RESERVED_OK,
		.shown = {
			.name = "psdt-reserved-accepted",
			.sentence = "the reserved value 11b of PSDT is taken for an SGL",
			.section = "NVMe Base 2.0, 3.3.3.1 (PSDT)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_SHORT_OK,
		.shown = {
			.name = "sgl-short-accepted",
			.sentence = "an SGL that is shorter than the data moves what fits and "
				    "succeeds",
			.section = "NVMe Base 2.0, 4.1.2 (Data SGL Length Invalid)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_LONG_OK,
		.shown = {
			.name = "sgl-long-accepted",
			.sentence = "an SGL that is longer than the data succeeds although SGLS "
				    "bit 18 is 0",
			.section = "NVMe Base 2.0, 4.1.2 (Data SGL Length Invalid)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_LENGTH_STATUS,
		.shown = {
			.name = "sgl-length-wrong-status",
			.sentence = "an SGL of the wrong length gives Invalid Field in Command",
			.section = "NVMe Base 2.0, 4.1.2 (Data SGL Length Invalid)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_BUCKET_SHIFTS,
		.shown = {
			.name = "sgl-bit-bucket-shifts-data",
			.sentence = "what a bit bucket discards comes after it, and the end of "
				    "the data is lost",
			.section = "NVMe Base 2.0, 4.1.2 (SGL Bit Bucket descriptor)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_BUCKET_IN_WRITE,
		.shown = {
			.name = "sgl-bit-bucket-counts-in-write",
			.sentence = "a bit bucket takes the place of data of a write",
			.section = "NVMe Base 2.0, 4.1.2 (SGL Bit Bucket descriptor)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_CHAIN_LOST,
		.shown = {
			.name = "sgl-chain-lost",
			.sentence = "only the first segment of an SGL is followed",
			.section = "NVMe Base 2.0, 4.1.2 (SGL Segment descriptor)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_LAST_UNCHECKED,
		.shown = {
			.name = "sgl-last-segment-unchecked",
			.sentence = "a last segment that points to another segment is followed",
			.section = "NVMe Base 2.0, 4.1.2 (Invalid SGL Segment Descriptor)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_PLACE_UNCHECKED,
		.shown = {
			.name = "sgl-segment-place-unchecked",
			.sentence = "a segment descriptor before the end of its segment is "
				    "followed",
			.section = "NVMe Base 2.0, 4.1.2 (Invalid Number of SGL Descriptors)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_SEGMENT_LENGTH_OK,
		.shown = {
			.name = "sgl-segment-length-unchecked",
			.sentence = "a segment of no bytes, or of a length that is no multiple of "
				    "16, is taken",
			.section = "NVMe Base 2.0, 4.1.2 (Invalid SGL Segment Descriptor)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_TYPE_OK,
		.shown = {
			.name = "sgl-type-unchecked",
			.sentence = "a descriptor of a reserved type is taken for a data block",
			.section = "NVMe Base 2.0, 4.1.2 (SGL Descriptor Type Invalid)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_SUBTYPE_OK,
		.shown = {
			.name = "sgl-subtype-unchecked",
			.sentence = "a descriptor of a reserved sub type is taken for an address",
			.section = "NVMe Base 2.0, 4.1.2 (SGL Descriptor Type Invalid)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_LOW_BITS,
		.shown = {
			.name = "sgl-address-bits-dropped",
			.sentence = "bits 1:0 of a data block's address are dropped although SGLS "
				    "says that there is no need to align",
			.section = "NVMe Base 2.0, 5.17.2.1 (SGLS)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_ZERO_ENDS,
		.shown = {
			.name = "sgl-empty-descriptor-ends-list",
			.sentence = "a data block of no bytes ends the list",
			.section = "NVMe Base 2.0, 4.1.2 (SGL Data Block descriptor)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_SGL_FEW,
		.shown = {
			.name = "sgl-many-descriptors-lost",
			.sentence = "no more than 16 descriptors of a segment are followed",
			.section = "NVMe Base 2.0, 4.1.2",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_XFER_ERROR_OK,
		.shown = {
			.name = "transfer-error-succeeds",
			.sentence = "a write whose data cannot be fetched succeeds with what was "
				    "in the buffer",
			.section = "NVMe Base 2.0, 3.3.3.2.1 (Data Transfer Error)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_XFER_ERROR_STATUS,
		.shown = {
			.name = "transfer-error-wrong-status",
			.sentence = "a command whose data cannot be moved gives LBA Out of Range",
			.section = "NVMe Base 2.0, 3.3.3.2.1 (Data Transfer Error)",
			.area = "dptr",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
