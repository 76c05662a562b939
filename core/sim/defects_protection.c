// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of metadata and protection information.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_protection[] = {
	{
		.hook = NVP_HOOK_META_SGL_LENGTH_OK,
		.shown = {
			.name = "metadata-sgl-length-unchecked",
			.sentence = "a metadata SGL that does not fit the metadata is taken",
			.section = "NVMe Base 2.0, 4.1.2 (Metadata SGL Length Invalid)",
			.area = "protection",
			.shape = "meta=8",
		},
	},
	{
		.hook = NVP_HOOK_META_POINTER_PAGE,
		.shown = {
			.name = "metadata-pointer-offset-ignored",
			.sentence = "metadata begins at the start of the page that the Metadata "
				    "Pointer is in",
			.section = "NVMe Base 2.0, 3.3.3.1 (MPTR)",
			.area = "protection",
			.shape = "meta=8",
		},
	},
	{
		.hook = NVP_HOOK_META_BEFORE_DATA,
		.shown = {
			.name = "metadata-before-extended-data",
			.sentence = "extended blocks begin with their metadata",
			.section = "NVM Command Set 1.0, 2.1.6",
			.area = "protection",
			.shape = "pi=1,mset=on",
		},
	},
	{
		.hook = NVP_HOOK_META_LAST_LOST,
		.shown = {
			.name = "metadata-of-last-block-lost",
			.sentence = "a write of more than one block leaves zeroes as metadata of "
				    "the last",
			.section = "NVM Command Set 1.0, 2.1.6",
			.area = "protection",
			.shape = "meta=8",
		},
	},
	{
		.hook = NVP_HOOK_META_NEIGHBOUR,
		.shown = {
			.name = "metadata-of-next-block",
			.sentence = "reads give the metadata of the block behind",
			.section = "NVM Command Set 1.0, 2.1.6",
			.area = "protection",
			.shape = "meta=8",
		},
	},
	{
		.hook = NVP_HOOK_META_MC,
		.shown = {
			.name = "metadata-way-not-offered",
			.sentence = "MC leaves out the way in which metadata of the format moves",
			.section = "NVM Command Set 1.0, 4.1.5.1 (MC)",
			.area = "protection",
			.shape = "meta=8",
		},
	},
	{
		.hook = NVP_HOOK_PI_DPC,
		.shown = {
			.name = "protection-type-not-offered",
			.sentence = "DPS says a type and a place that DPC leaves out, of a format "
				    "without metadata",
			.section = "NVM Command Set 1.0, 4.1.5.1 (DPC, DPS)",
			.area = "protection",
		},
	},
	{
		.hook = NVP_HOOK_PI_DPS_RESERVED,
		.shown = {
			.name = "protection-type-reserved",
			.sentence = "DPS says the reserved type 5",
			.section = "NVM Command Set 1.0, 4.1.5.1 (DPS)",
			.area = "protection",
		},
	},
	{
		.hook = NVP_HOOK_PI_OTHER_END,
		.shown = {
			.name = "protection-at-wrong-end",
			.sentence = "protection information is at the other end of the metadata "
				    "than DPS says",
			.section = "NVM Command Set 1.0, 5.2.1 (PIL)",
			.area = "protection",
			.shape = "lba=4096,meta=64,pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_GUARD_DATA_ONLY,
		.shown = {
			.name = "protection-guard-of-data-only",
			.sentence = "the guard leaves out the metadata in front of it",
			.section = "NVM Command Set 1.0, 5.2.1.1 (Guard)",
			.area = "protection",
			.shape = "lba=4096,meta=64,pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_REF_STUCK,
		.shown = {
			.name = "protection-reference-tag-stuck",
			.sentence = "the reference tag of all blocks of a command is that of the "
				    "first",
			.section = "NVM Command Set 1.0, 5.2.3 (type 1 and 2)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_ILBRT_OK,
		.shown = {
			.name = "protection-type-1-tag-unchecked",
			.sentence = "type 1 takes an initial reference tag that is not the LBA",
			.section = "NVM Command Set 1.0, 5.2.3 (Invalid Protection Information)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_TYPE3_REF_OK,
		.shown = {
			.name = "protection-type-3-tag-accepted",
			.sentence = "type 3 takes a command that asks for a check of the "
				    "reference tag",
			.section = "NVM Command Set 1.0, 5.2.3 (type 3)",
			.area = "protection",
			.shape = "pi=3",
		},
	},
	{
		.hook = NVP_HOOK_PI_ESCAPE_IGNORED,
		.shown = {
			.name = "protection-escape-ignored",
			.sentence = "application tag FFFFh does not stop the checks of a block",
			.section = "NVM Command Set 1.0, 5.2.1 (Application Tag)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_ESCAPE_TYPE3,
		.shown = {
			.name = "protection-escape-type-3",
			.sentence = "for type 3 application tag FFFFh stops the checks whatever "
				    "the reference tag",
			.section = "NVM Command Set 1.0, 5.2.1 (type 3)",
			.area = "protection",
			.shape = "pi=3",
		},
	},
	{
		.hook = NVP_HOOK_PI_ALWAYS,
		.shown = {
			.name = "protection-always-checked",
			.sentence = "guard and tags are checked although PRCHK does not ask for "
				    "it",
			.section = "NVM Command Set 1.0, 5.2.3 (PRCHK)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_GUARD_UNCHECKED,
		.shown = {
			.name = "protection-guard-unchecked",
			.sentence = "a wrong guard is let through",
			.section = "NVM Command Set 1.0, 5.2.3 (PRCHK)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_APP_UNCHECKED,
		.shown = {
			.name = "protection-application-tag-unchecked",
			.sentence = "a wrong application tag is let through",
			.section = "NVM Command Set 1.0, 5.2.3 (PRCHK)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_REF_UNCHECKED,
		.shown = {
			.name = "protection-reference-tag-unchecked",
			.sentence = "a wrong reference tag is let through",
			.section = "NVM Command Set 1.0, 5.2.3 (PRCHK)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_REF_LOW16,
		.shown = {
			.name = "protection-reference-tag-16-bits",
			.sentence = "bits 31:16 of the reference tag are not compared",
			.section = "NVM Command Set 1.0, 5.2.1 (Reference Tag)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_REF_WIDE,
		.shown = {
			.name = "protection-reference-tag-64-bits",
			.sentence = "the expected reference tag goes on above FFFFFFFFh, where no "
				    "block can have it",
			.section = "NVM Command Set 1.0, 5.2.1 (Reference Tag)",
			.area = "protection",
			.shape = "pi=2",
		},
	},
	{
		.hook = NVP_HOOK_PI_MASK_IGNORED,
		.shown = {
			.name = "protection-mask-ignored",
			.sentence = "all bits of the application tag are compared, whatever the "
				    "mask",
			.section = "NVM Command Set 1.0, 5.2.3 (LBATM, ELBATM)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_STATUS,
		.shown = {
			.name = "protection-wrong-status",
			.sentence = "a wrong guard gives the status of a wrong application tag",
			.section = "NVM Command Set 1.0, 5.2.3 (End-to-end Guard Check Error)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_FIRST_ONLY,
		.shown = {
			.name = "protection-first-block-only",
			.sentence = "only the first block of a command is checked",
			.section = "NVM Command Set 1.0, 5.2.3",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_NO_STRIP,
		.shown = {
			.name = "protection-not-stripped",
			.sentence = "a read with PRACT moves protection information all the same",
			.section = "NVM Command Set 1.0, 5.2.2 (PRACT)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_NO_STRIP,
		.shown = {
			.name = "protection-not-stripped-extended",
			.sentence = "a read with PRACT of extended blocks leaves protection "
				    "information between the data",
			.section = "NVM Command Set 1.0, 5.2.2 (PRACT)",
			.area = "protection",
			.shape = "pi=1,mset=on",
		},
	},
	{
		.hook = NVP_HOOK_PI_NO_INSERT,
		.shown = {
			.name = "protection-not-inserted",
			.sentence = "a write with PRACT leaves zeroes as protection information",
			.section = "NVM Command Set 1.0, 5.2.2 (PRACT)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_WRITE_UNCHECKED,
		.shown = {
			.name = "protection-write-unchecked",
			.sentence = "writes take any protection information",
			.section = "NVM Command Set 1.0, 5.2.3 (PRCHK)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_READ_UNCHECKED,
		.shown = {
			.name = "protection-read-unchecked",
			.sentence = "reads do not look at protection information",
			.section = "NVM Command Set 1.0, 5.2.3 (PRCHK)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_WZ_NONE,
		.shown = {
			.name = "protection-missing-of-zeroes",
			.sentence = "Write Zeroes with PRACT leaves zeroes as protection "
				    "information",
			.section = "NVM Command Set 1.0, 3.2.8 (PRINFO)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_DEALLOCATED,
		.shown = {
			.name = "protection-of-deallocated-zero",
			.sentence = "deallocated blocks have zeroes as protection information",
			.section = "NVM Command Set 1.0, 3.2.3.2.1",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_COMPARE_META,
		.shown = {
			.name = "compare-ignores-metadata",
			.sentence = "Compare succeeds although metadata differs",
			.section = "NVM Command Set 1.0, 3.2.1",
			.area = "protection",
			.shape = "meta=8",
		},
	},
	{
		.hook = NVP_HOOK_PI_VERIFY_UNCHECKED,
		.shown = {
			.name = "protection-verify-unchecked",
			.sentence = "Verify does not look at protection information",
			.section = "NVM Command Set 1.0, 3.2.5 (PRINFO)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_VERIFY_ALWAYS,
		.shown = {
			.name = "protection-verify-always-checked",
			.sentence = "Verify checks guard and tags although PRCHK does not ask for "
				    "it",
			.section = "NVM Command Set 1.0, 3.2.5 (PRINFO)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_COPY_UNCHECKED,
		.shown = {
			.name = "protection-copy-unchecked",
			.sentence = "Copy does not check the protection information of its "
				    "sources",
			.section = "NVM Command Set 1.0, 3.2.2 (PRINFOR)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{
		.hook = NVP_HOOK_PI_COPY_STALE,
		.shown = {
			.name = "protection-copy-keeps-tags",
			.sentence = "Copy with PRACT keeps the protection information of its "
				    "sources",
			.section = "NVM Command Set 1.0, 3.2.2 (PRINFOW)",
			.area = "protection",
			.shape = "pi=1",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
