// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of completion entries and of data pointers: what the standing invariants see.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_completion[] = {
	{
		.hook = NVP_HOOK_CQE_CID_WRONG,
		.shown = {
			.name = "cqe-cid-unknown",
			.sentence = "every nth completion carries a CID that no command has",
			.section = "NVMe Base 2.0, 3.3.3.2 (CID)",
			.area = "queue",
			.parameters = "nth=8",
		},
	},
	{
		.hook = NVP_HOOK_CQE_CID_TRUNCATED,
		.shown = {
			.name = "cqe-cid-truncated",
			.sentence = "completions carry bits 7:0 of the CID alone",
			.section = "NVMe Base 2.0, 3.3.3.2 (CID)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_STATUS_HOST,
		.shown = {
			.name = "cqe-status-host-made",
			.sentence = "every nth I/O completion carries status 3/71h, which only a host makes",
			.section = "NVMe Base 2.0, 3.3.3.2.1 (Path Related Status)",
			.area = "queue",
			.parameters = "nth=8",
		},
	},
	{
		.hook = NVP_HOOK_CQE_CIDS_SWAPPED,
		.shown = {
			.name = "cqe-cids-swapped",
			.sentence = "of two commands that run in one queue each completes with the other's "
				    "CID",
			.section = "NVMe Base 2.0, 3.3.3.2 (CID)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_SQID_WRONG,
		.shown = {
			.name = "cqe-sqid-wrong",
			.sentence = "completions carry another SQID than the command's queue",
			.section = "NVMe Base 2.0, 3.3.3.2 (SQID)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_SQHD_WRONG,
		.shown = {
			.name = "cqe-sqhd-outside-queue",
			.sentence = "SQHD is no slot of the submission queue",
			.section = "NVMe Base 2.0, 3.3.3.2 (SQHD)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_SQHD_STUCK,
		.shown = {
			.name = "cqe-sqhd-stuck",
			.sentence = "SQHD does not follow the commands taken",
			.section = "NVMe Base 2.0, 3.3.3.2 (SQHD)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_PHASE_STUCK,
		.shown = {
			.name = "cqe-phase-stuck-after-wrap",
			.sentence = "the Phase Tag is not inverted when the completion queue wraps",
			.section = "NVMe Base 2.0, 3.3.3.2 (P)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_TWICE,
		.shown = {
			.name = "cqe-posted-twice",
			.sentence = "every nth completion is posted twice",
			.section = "NVMe Base 2.0, 3.3.3.2",
			.area = "queue",
			.parameters = "nth=8",
		},
	},
	{
		.hook = NVP_HOOK_CQE_STATUS_RESERVED,
		.shown = {
			.name = "cqe-status-type-reserved",
			.sentence = "completions carry a reserved Status Code Type",
			.section = "NVMe Base 2.0, 3.3.3.2.1 (SCT)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_DNR_ON_SUCCESS,
		.shown = {
			.name = "cqe-dnr-on-success",
			.sentence = "a successful completion says Do Not Retry",
			.section = "NVMe Base 2.0, 3.3.3.2.1 (DNR)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_CQE_MORE_NO_LOG,
		.shown = {
			.name = "cqe-more-without-log",
			.sentence = "a failed command says More and leaves no entry in the Error Information "
				    "log",
			.section = "NVMe Base 2.0, 3.3.3.2.1 (M)",
			.area = "admin",
		},
	},
	{
		.hook = NVP_HOOK_CQE_NO_INTERRUPT,
		.shown = {
			.name = "cqe-interrupt-lost",
			.sentence = "every nth completion of an I/O queue raises no interrupt",
			.section = "NVMe PCIe Transport 1.0, 3.5.1",
			.area = "queue",
			.parameters = "nth=4",
		},
	},
	{
		.hook = NVP_HOOK_CQE_EARLY,
		.shown = {
			.name = "cqe-before-data",
			.sentence = "the completion is posted before the data is in host memory",
			.section = "NVMe Base 2.0, 3.3.3.2",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_PRP_OFFSET_OK,
		.shown = {
			.name = "prp-offset-accepted",
			.sentence = "an offset in PRP2 or in a PRP list entry is ignored",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_PRP_SECOND_PAGE,
		.shown = {
			.name = "prp2-ignored",
			.sentence = "the page behind PRP1 is used in place of PRP2",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_PRP_LIST_CHAIN,
		.shown = {
			.name = "prp-list-not-chained",
			.sentence = "the last entry of a full PRP list page is taken for data in place of the "
				    "next list",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_PRP_FIRST_OFFSET,
		.shown = {
			.name = "prp1-offset-ignored",
			.sentence = "the offset of PRP1 is taken as 0",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_PRP_LIST_OFFSET,
		.shown = {
			.name = "prp-list-offset-ignored",
			.sentence = "the offset of the PRP list pointer is taken as 0",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_PRP_LOW_BITS,
		.shown = {
			.name = "prp-low-bits-used",
			.sentence = "bits 1:0 of PRP1 are used as part of the address",
			.section = "NVMe Base 2.0, 4.1.1 (PBAO)",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_DMA_BEFORE,
		.shown = {
			.name = "data-before-buffer",
			.sentence = "64 bytes in front of the data are written too",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_DMA_OVERRUN,
		.shown = {
			.name = "data-overruns-buffer",
			.sentence = "data is written past the length that was asked for",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_DMA_SHORT,
		.shown = {
			.name = "data-short",
			.sentence = "the last 64 bytes of the data are not transferred although the command "
				    "succeeds",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{
		.hook = NVP_HOOK_DMA_STRAY,
		.shown = {
			.name = "dma-stray-address",
			.sentence = "the drive reaches for memory that no command named",
			.section = "NVMe Base 2.0, 4.1.1",
			.area = "dptr",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
