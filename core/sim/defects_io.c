// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the NVM commands and of the media behind them.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_io[] = {
	{
		.hook = NVP_HOOK_IO_OPCODE_OK,
		.shown = {
			.name = "io-opcode-reserved-accepted",
			.sentence = "a reserved I/O opcode succeeds",
			.section = "NVMe Base 2.0, 3.3.3.2.1.1 (Invalid Command Opcode)",
			.area = "admin",
		},
	},
	{
		.hook = NVP_HOOK_IO_OPCODE_STATUS,
		.shown = {
			.name = "io-opcode-wrong-status",
			.sentence = "a reserved I/O opcode gives Invalid Field in Command",
			.section = "NVMe Base 2.0, 3.3.3.2.1.1 (Invalid Command Opcode)",
			.area = "admin",
		},
	},
	{
		.hook = NVP_HOOK_IO_FUSE_OK,
		.shown = {
			.name = "io-fuse-accepted",
			.sentence = "an I/O command with FUSE not 00b is carried out although FUSES is 0",
			.section = "NVMe Base 2.0, 3.4.2 and 5.17.2.1 (FUSES)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_NSID_ZERO_OK,
		.shown = {
			.name = "nsid-zero-accepted",
			.sentence = "NSID 0 reaches namespace 1",
			.section = "NVMe Base 2.0, 3.2.1",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_NSID_ABOVE_OK,
		.shown = {
			.name = "nsid-above-nn-accepted",
			.sentence = "an NSID above NN reaches namespace 1",
			.section = "NVMe Base 2.0, 3.2.1 (invalid NSID)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_NS_SHARED,
		.shown = {
			.name = "namespaces-share-blocks",
			.sentence = "the second namespace shows the blocks of the first",
			.section = "NVMe Base 2.0, 3.2.1",
			.area = "io",
			.shape = "ns=2",
		},
	},
	{
		.hook = NVP_HOOK_IO_RANGE_ONE,
		.shown = {
			.name = "lba-range-off-by-one",
			.sentence = "the block just past the end of the namespace can be read and written",
			.section = "NVM Command Set 1.0, 2.1 and 3.2 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_RANGE_WRAP,
		.shown = {
			.name = "lba-range-wraps",
			.sentence = "a range check that overflows lets a start LBA near 2^64 through",
			.section = "NVM Command Set 1.0, 2.1 and 3.2 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_RANGE_STATUS,
		.shown = {
			.name = "lba-range-wrong-status",
			.sentence = "an LBA past the end gives Invalid Field in Command",
			.section = "NVM Command Set 1.0, 3.2 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_UPPER_LBA,
		.shown = {
			.name = "read-upper-lba-ignored",
			.sentence = "Read ignores bits 63:32 of the start LBA",
			.section = "NVM Command Set 1.0, 3.2.4 (SLBA)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_NLB_SHORT,
		.shown = {
			.name = "write-last-block-missing",
			.sentence = "a write of more than one block leaves out the last, as if NLB were "
				    "one-based",
			.section = "NVM Command Set 1.0, 3.2.6 (NLB)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IO_WRITE_NEXT,
		.shown = {
			.name = "write-changes-next-block",
			.sentence = "a write clears the block behind its range",
			.section = "NVM Command Set 1.0, 3.2.6",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_CMP_EQUAL,
		.shown = {
			.name = "compare-always-equal",
			.sentence = "Compare succeeds whatever the data",
			.section = "NVM Command Set 1.0, 3.2.1 (Compare Failure)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_CMP_FIRST_ONLY,
		.shown = {
			.name = "compare-first-block-only",
			.sentence = "Compare looks at the first block only",
			.section = "NVM Command Set 1.0, 3.2.1",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_CMP_STATUS,
		.shown = {
			.name = "compare-wrong-status",
			.sentence = "Compare of different data gives Unrecovered Read Error",
			.section = "NVM Command Set 1.0, 3.2.1 (Compare Failure)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WZ_KEEPS,
		.shown = {
			.name = "write-zeroes-keeps-data",
			.sentence = "Write Zeroes succeeds and leaves the data",
			.section = "NVM Command Set 1.0, 3.2.8",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_WZ_SHORT,
		.shown = {
			.name = "write-zeroes-one-block-short",
			.sentence = "Write Zeroes leaves out the last block of its range",
			.section = "NVM Command Set 1.0, 3.2.8 (NLB)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_DSM_NEIGHBOUR,
		.shown = {
			.name = "dsm-changes-neighbour",
			.sentence = "Dataset Management deallocates the block behind its range too",
			.section = "NVM Command Set 1.0, 3.2.3",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_DSM_RANGE_OK,
		.shown = {
			.name = "dsm-range-unchecked",
			.sentence = "Dataset Management with a range past the end succeeds",
			.section = "NVM Command Set 1.0, 3.2.3 (LBA Out of Range)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_DSM_ALWAYS,
		.shown = {
			.name = "dsm-hints-deallocate",
			.sentence = "Dataset Management deallocates although AD is 0",
			.section = "NVM Command Set 1.0, 3.2.3 (AD)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_DLFEAT_PATTERN,
		.shown = {
			.name = "deallocated-read-not-zero",
			.sentence = "deallocated blocks read FFh although DLFEAT says 00h",
			.section = "NVM Command Set 1.0, 3.2.3.2 and 4.1.5.1 (DLFEAT)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_DEALLOCATED_VARIES,
		.shown = {
			.name = "deallocated-read-varies",
			.sentence = "deallocated blocks read 00h and FFh by turns",
			.section = "NVM Command Set 1.0, 3.2.3.2.1",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_DULBE_IGNORED,
		.shown = {
			.name = "dulbe-ignored",
			.sentence = "a deallocated block is read without an error although DULBE is 1",
			.section = "NVM Command Set 1.0, 3.2.3.2 and 4.1.3.2 (DULBE)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_REFUSED,
		.shown = {
			.name = "flush-refused",
			.sentence = "Flush of an active namespace gives Invalid Field in Command",
			.section = "NVMe Base 2.0, 7.1",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_NSID_OK,
		.shown = {
			.name = "flush-nsid-unchecked",
			.sentence = "Flush of an NSID above NN succeeds",
			.section = "NVMe Base 2.0, 7.1 and 3.2.1",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_READ_MIXED,
		.shown = {
			.name = "read-mixed-at-depth",
			.sentence = "with more than 8 I/O commands under way a read gives the data "
				    "of the block behind its own",
			.section = "NVM Command Set 1.0, 3.2.4",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_MEDIA_BIT_FLIP,
		.shown = {
			.name = "read-bit-flipped",
			.sentence = "one bit of one block reads wrong",
			.section = "NVM Command Set 1.0, 3.2.4",
			.area = "io",
			.parameters = "lba=0",
		},
	},
	{
		.hook = NVP_HOOK_MEDIA_MISDIRECTED,
		.shown = {
			.name = "write-misdirected",
			.sentence = "every nth write lands one block further",
			.section = "NVM Command Set 1.0, 3.2.6",
			.area = "io",
			.parameters = "nth=4",
		},
	},
	{
		.hook = NVP_HOOK_MEDIA_LOST_WRITE,
		.shown = {
			.name = "write-lost",
			.sentence = "every nth write is acknowledged and dropped",
			.section = "NVM Command Set 1.0, 3.2.6",
			.area = "io",
			.parameters = "nth=4",
		},
	},
	{
		.hook = NVP_HOOK_MEDIA_STALE_READ,
		.shown = {
			.name = "read-misses-cache",
			.sentence = "reads do not see what is still in the volatile write cache",
			.section = "NVM Command Set 1.0, 3.2.4 and NVMe Base 2.0, 5.27.1.4",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_RESET_DROPS_CACHE,
		.shown = {
			.name = "reset-drops-cache",
			.sentence = "a controller reset, with power on, drops acknowledged writes from the "
				    "cache",
			.section = "NVMe Base 2.0, 3.7.2 and 5.27.1.4",
			.area = "io",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
