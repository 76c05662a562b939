// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Write Uncorrectable, Verify, Copy and of fused Compare and Write.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_io_optional[] = {
	{
		.hook = NVP_HOOK_WU_IGNORED,
		.shown = {
			.name = "uncorrectable-reads-fine",
			.sentence = "Write Uncorrectable succeeds and marks nothing",
			.section = "NVM Command Set 1.0, 3.2.7",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WU_NOT_CURED,
		.shown = {
			.name = "uncorrectable-not-cured",
			.sentence = "a write that succeeds leaves blocks unreadable that Write "
				    "Uncorrectable marked",
			.section = "NVM Command Set 1.0, 3.2.7",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WU_NEIGHBOUR,
		.shown = {
			.name = "uncorrectable-marks-neighbour",
			.sentence = "Write Uncorrectable makes the block behind its range "
				    "unreadable too",
			.section = "NVM Command Set 1.0, 3.2.7 (NLB)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WU_SHORT,
		.shown = {
			.name = "uncorrectable-one-block-short",
			.sentence = "Write Uncorrectable leaves out the last block of its range",
			.section = "NVM Command Set 1.0, 3.2.7 (NLB)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WU_LARGE_READ,
		.shown = {
			.name = "uncorrectable-missed-in-large-read",
			.sentence = "a read of more than one block succeeds although one of them "
				    "is marked",
			.section = "NVM Command Set 1.0, 3.2.7",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WU_STATUS,
		.shown = {
			.name = "uncorrectable-wrong-status",
			.sentence = "a marked block gives Internal Error instead of Unrecovered "
				    "Read Error",
			.section = "NVM Command Set 1.0, 3.2.7",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WU_RANGE_OK,
		.shown = {
			.name = "uncorrectable-past-end-accepted",
			.sentence = "Write Uncorrectable past the end of the namespace succeeds",
			.section = "NVM Command Set 1.0, 3.2.7 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WU_COMPARE,
		.shown = {
			.name = "compare-ignores-uncorrectable",
			.sentence = "Compare takes a marked block for zeroes",
			.section = "NVM Command Set 1.0, 3.2.1 and 3.2.7",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_SIZE_LIMIT,
		.shown = {
			.name = "size-limits-refused",
			.sentence = "Verify and Write Uncorrectable above VSL and WUSL are "
				    "refused although ONCS claims both",
			.section = "NVM Command Set 1.0, 4.1.5.2 (VSL, WUSL)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_VERIFY_IGNORES,
		.shown = {
			.name = "verify-ignores-uncorrectable",
			.sentence = "Verify succeeds on a block that cannot be read",
			.section = "NVM Command Set 1.0, 3.2.5",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_VERIFY_RANGE_OK,
		.shown = {
			.name = "verify-past-end-accepted",
			.sentence = "Verify past the end of the namespace succeeds",
			.section = "NVM Command Set 1.0, 3.2.5 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_VERIFY_WRITES,
		.shown = {
			.name = "verify-changes-data",
			.sentence = "Verify clears the first block of its range",
			.section = "NVM Command Set 1.0, 3.2.5",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_SIZE_LIMIT_OK,
		.shown = {
			.name = "verify-limit-unchecked",
			.sentence = "ONCS leaves out Verify, VSL states it, and a larger one "
				    "succeeds",
			.section = "NVM Command Set 1.0, 4.1.5.2 (VSL)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WZ_NOT_CURED,
		.shown = {
			.name = "write-zeroes-skips-marked",
			.sentence = "Write Zeroes leaves blocks unreadable that Write "
				    "Uncorrectable marked",
			.section = "NVM Command Set 1.0, 3.2.7 and 3.2.8",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_OVERLAP_NO,
		.shown = {
			.name = "copy-overlap-refused",
			.sentence = "Copy to a range that overlaps its source gives Invalid Field",
			.section = "NVM Command Set 1.0, 3.2.2",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_ORDER,
		.shown = {
			.name = "copy-wrong-order",
			.sentence = "the last source range is copied to the start of the "
				    "destination",
			.section = "NVM Command Set 1.0, 3.2.2 (order of the source ranges)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_LAST_MISSING,
		.shown = {
			.name = "copy-last-range-missing",
			.sentence = "Copy leaves out the last of several source ranges",
			.section = "NVM Command Set 1.0, 3.2.2 (NR)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_DESTINATION,
		.shown = {
			.name = "copy-destination-off-by-one",
			.sentence = "Copy writes one block behind SDLBA",
			.section = "NVM Command Set 1.0, 3.2.2 (SDLBA)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_NLB,
		.shown = {
			.name = "copy-ranges-one-block-short",
			.sentence = "source ranges of more than one block end one block early",
			.section = "NVM Command Set 1.0, 3.2.2 (NLB)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_SOURCE_CLEARED,
		.shown = {
			.name = "copy-clears-source",
			.sentence = "Copy clears the first block of its source",
			.section = "NVM Command Set 1.0, 3.2.2",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_MSSRL_OK,
		.shown = {
			.name = "copy-mssrl-unchecked",
			.sentence = "a source range longer than MSSRL is copied",
			.section = "NVM Command Set 1.0, 3.2.2 (Command Size Limit Exceeded)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_MCL_OK,
		.shown = {
			.name = "copy-mcl-unchecked",
			.sentence = "source ranges longer than MCL together are copied",
			.section = "NVM Command Set 1.0, 3.2.2 (Command Size Limit Exceeded)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_MSRC_OK,
		.shown = {
			.name = "copy-msrc-unchecked",
			.sentence = "more source ranges than MSRC permits are copied",
			.section = "NVM Command Set 1.0, 3.2.2 (Command Size Limit Exceeded)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_RANGE_OK,
		.shown = {
			.name = "copy-source-past-end-accepted",
			.sentence = "Copy from past the end of the namespace succeeds",
			.section = "NVM Command Set 1.0, 3.2.2 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_END_OK,
		.shown = {
			.name = "copy-destination-past-end-accepted",
			.sentence = "Copy to past the end of the namespace succeeds",
			.section = "NVM Command Set 1.0, 3.2.2 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_FORMAT_OK,
		.shown = {
			.name = "copy-format-unchecked",
			.sentence = "a descriptor format that is not supported is taken as "
				    "format 0h",
			.section = "NVM Command Set 1.0, 3.2.2 (Descriptor Format)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_OVERLAP,
		.shown = {
			.name = "copy-overlap-corrupts",
			.sentence = "Copy to a range that overlaps its source reads what it has "
				    "just written",
			.section = "NVM Command Set 1.0, 3.2.2",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_MARKED,
		.shown = {
			.name = "copy-ignores-uncorrectable",
			.sentence = "Copy of a marked block succeeds and copies zeroes",
			.section = "NVM Command Set 1.0, 3.2.2 and 3.2.7",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_DW0,
		.shown = {
			.name = "copy-result-wrong",
			.sentence = "Dword 0 of a refused Copy counts all ranges although "
				    "nothing was written",
			.section = "NVM Command Set 1.0, 3.2.2.1 (Dword 0)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_COPY_LIMITS,
		.shown = {
			.name = "copy-limits-zero",
			.sentence = "MSSRL is 0 although ONCS claims Copy",
			.section = "NVM Command Set 1.0, 4.1.5.1 (MSSRL)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_WRITES,
		.shown = {
			.name = "fused-writes-after-miscompare",
			.sentence = "the write of a fused pair is done although the compare failed",
			.section = "NVMe Base 2.0, 3.4.2, and NVM Command Set 1.0, 2.1.3",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_DROPS,
		.shown = {
			.name = "fused-write-lost",
			.sentence = "the write of a fused pair succeeds and writes nothing",
			.section = "NVMe Base 2.0, 3.4.2",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_SPLIT,
		.shown = {
			.name = "fused-not-atomic",
			.sentence = "other writes come between the two commands of a fused pair",
			.section = "NVMe Base 2.0, 3.4.2 (atomic unit)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_FIRST_ALONE,
		.shown = {
			.name = "fused-first-alone-accepted",
			.sentence = "a first fused command without its second is carried out",
			.section = "NVMe Base 2.0, 3.4.2 (Missing Fused Command)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_SECOND_ALONE,
		.shown = {
			.name = "fused-second-alone-accepted",
			.sentence = "a second fused command without its first is carried out",
			.section = "NVMe Base 2.0, 3.4.2 (Missing Fused Command)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_STATUS,
		.shown = {
			.name = "fused-second-wrong-status",
			.sentence = "the write after a failed compare gives Command Abort "
				    "Requested",
			.section = "NVMe Base 2.0, 3.4.2 (Failed Fused Command)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_RANGE_OK,
		.shown = {
			.name = "fused-range-unchecked",
			.sentence = "a fused pair whose commands name different blocks is "
				    "carried out",
			.section = "NVM Command Set 1.0, 2.1.3",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FUSED_OPCODE_OK,
		.shown = {
			.name = "fused-opcodes-unchecked",
			.sentence = "two fused commands that are no Compare and Write are "
				    "carried out",
			.section = "NVMe Base 2.0, 3.4.2",
			.area = "io",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
