// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Format NVM.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_format[] = {
	{
		.hook = NVP_HOOK_FMT_STALE,
		.shown = {
			.name = "format-keeps-data",
			.sentence = "a format that leaves the LBA format as it is leaves the data too",
			.section = "NVMe Base 2.0, 5.14",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_SES,
		.shown = {
			.name = "format-secure-erase-ignored",
			.sentence = "a format with a secure erase leaves the data, one without does not",
			.section = "NVMe Base 2.0, 5.14 (SES)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_CRYPTO,
		.shown = {
			.name = "format-crypto-erase-ignored",
			.sentence = "a format with a cryptographic erase leaves the data",
			.section = "NVMe Base 2.0, 5.14 (SES 010b)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_BLOCK_SURVIVES,
		.shown = {
			.name = "format-last-block-survives",
			.sentence = "the last block of a formatted namespace keeps its data",
			.section = "NVMe Base 2.0, 5.14",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_MARKED,
		.shown = {
			.name = "format-keeps-uncorrectable",
			.sentence = "blocks marked by Write Uncorrectable cannot be read after a "
				    "format either",
			.section = "NVM Command Set 1.0, 3.2.7; NVMe Base 2.0, 5.14",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_LBAF_IGNORED,
		.shown = {
			.name = "format-lba-format-ignored",
			.sentence = "a format succeeds, and the namespace keeps its LBA format",
			.section = "NVMe Base 2.0, 5.14 (LBAFL)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_SIZE,
		.shown = {
			.name = "format-size-not-adjusted",
			.sentence = "NSZE and NCAP keep their number of blocks when the size of a "
				    "block changes",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NSZE, NCAP)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_NUSE,
		.shown = {
			.name = "format-utilization-full",
			.sentence = "NUSE of a namespace just formatted says that all of it is used",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NUSE)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_PI_IGNORED,
		.shown = {
			.name = "format-protection-ignored",
			.sentence = "a format with protection information succeeds and leaves it off",
			.section = "NVMe Base 2.0, 5.14 (PI)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_WRONG_NS,
		.shown = {
			.name = "format-hits-other-namespace",
			.sentence = "a format works on another namespace than the one it names",
			.section = "NVMe Base 2.0, 5.14 (NSID)",
			.area = "format",
			.shape = "ns=2",
		},
	},
	{
		.hook = NVP_HOOK_FMT_NEIGHBOUR,
		.shown = {
			.name = "format-clears-other-namespaces",
			.sentence = "a format of one namespace deallocates the blocks of the others too",
			.section = "NVMe Base 2.0, 5.14; 5.17.2.1 (FNA)",
			.area = "format",
			.shape = "ns=2",
		},
	},
	{
		.hook = NVP_HOOK_FMT_BROADCAST_FIRST,
		.shown = {
			.name = "format-broadcast-formats-first-only",
			.sentence = "a format with NSID FFFFFFFFh works on the first namespace alone",
			.section = "NVMe Base 2.0, 5.14 (NSID)",
			.area = "format",
			.shape = "ns=2",
		},
	},
	{
		.hook = NVP_HOOK_FMT_FPI_STUCK,
		.shown = {
			.name = "format-progress-stuck",
			.sentence = "the Format Progress Indicator says 50 percent, whatever is "
				    "going on",
			.section = "NVM Command Set 1.0, 4.1.5.1 (FPI)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_FPI_UP,
		.shown = {
			.name = "format-progress-counts-up",
			.sentence = "the Format Progress Indicator counts what is done, not what "
				    "remains",
			.section = "NVM Command Set 1.0, 4.1.5.1 (FPI)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_LBAF_OK,
		.shown = {
			.name = "format-unknown-lba-format-accepted",
			.sentence = "a format with an LBA format that the drive does not have succeeds",
			.section = "NVMe Base 2.0, 5.14.1 (Invalid Format)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_PI_OK,
		.shown = {
			.name = "format-protection-unchecked",
			.sentence = "protection information succeeds with an LBA format that has "
				    "no metadata",
			.section = "NVMe Base 2.0, 5.14.1 (Invalid Format)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_SES_OK,
		.shown = {
			.name = "format-secure-erase-unchecked",
			.sentence = "reserved values of SES succeed",
			.section = "NVMe Base 2.0, 5.14 (SES)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_NSID_OK,
		.shown = {
			.name = "format-unknown-namespace-accepted",
			.sentence = "a format of a namespace above NN succeeds, and does nothing",
			.section = "NVMe Base 2.0, 3.2.1.1",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_STATUS,
		.shown = {
			.name = "format-invalid-format-wrong-status",
			.sentence = "an LBA format that is not there gives Invalid Namespace or Format",
			.section = "NVMe Base 2.0, 5.14.1 (Invalid Format)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_EFFECTS,
		.shown = {
			.name = "format-not-in-effects-log",
			.sentence = "the Commands Supported and Effects log does not list Format NVM",
			.section = "NVMe Base 2.0, 5.16.1.6",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_IO,
		.shown = {
			.name = "format-lets-io-through",
			.sentence = "I/O commands go on while a format runs, and reads give data "
				    "of before",
			.section = "NVMe Base 2.0, 5.14 (Format In Progress)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_IO_STATUS,
		.shown = {
			.name = "format-io-wrong-status",
			.sentence = "I/O commands are told Internal Error while a format runs",
			.section = "NVMe Base 2.0, 5.14 (Format In Progress)",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_RESET_STUCK,
		.shown = {
			.name = "format-stopped-by-reset-bricks",
			.sentence = "after a reset during a format the namespace says Format In "
				    "Progress for ever",
			.section = "NVMe Base 2.0, 5.14",
			.area = "format",
		},
	},
	{
		.hook = NVP_HOOK_FMT_NOT_SAVED,
		.shown = {
			.name = "format-lost-on-reset",
			.sentence = "a controller reset brings back the LBA format that the drive "
				    "was made with",
			.section = "NVMe Base 2.0, 5.14; 3.7.2",
			.area = "format",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
