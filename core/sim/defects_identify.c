// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Identify and of the checks that all admin commands share.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_identify[] = {
	{
		.hook = NVP_HOOK_ADM_OPCODE_OK,
		.shown = {
			.name = "admin-opcode-reserved-accepted",
			.sentence = "a reserved admin opcode succeeds",
			.section = "NVMe Base 2.0, 3.3.3.2.1.1 (Invalid Command Opcode)",
			.area = "admin",
		},
	},
	{
		.hook = NVP_HOOK_ADM_OPCODE_STATUS,
		.shown = {
			.name = "admin-opcode-wrong-status",
			.sentence = "a reserved admin opcode gives Invalid Field in Command, the neighbour of "
				    "the right code",
			.section = "NVMe Base 2.0, 3.3.3.2.1.1 (Invalid Command Opcode)",
			.area = "admin",
		},
	},
	{
		.hook = NVP_HOOK_ADM_FUSE_OK,
		.shown = {
			.name = "admin-fuse-accepted",
			.sentence = "an admin command with FUSE not 00b is carried out",
			.section = "NVMe Base 2.0, 3.3.3.1 (FUSE) and 3.4.2",
			.area = "admin",
		},
	},
	{
		.hook = NVP_HOOK_ADM_PSDT_OK,
		.shown = {
			.name = "admin-psdt-accepted",
			.sentence = "an admin command with PSDT not 00b is carried out although admin "
				    "commands use PRPs here",
			.section = "NVMe Base 2.0, 3.3.3.1 (PSDT)",
			.area = "admin",
		},
	},
	{
		.hook = NVP_HOOK_ADM_MDTS_UNCHECKED,
		.shown = {
			.name = "mdts-unchecked",
			.sentence = "a transfer larger than MDTS is carried out",
			.section = "NVMe Base 2.0, 5.17.2.1 (MDTS)",
			.area = "io",
		},
	},
	{
		.hook = NVP_HOOK_IDY_LIST_UNSORTED,
		.shown = {
			.name = "identify-list-unsorted",
			.sentence = "the Active Namespace ID list is not in increasing order",
			.section = "NVMe Base 2.0, 5.17.2.2",
			.area = "identify",
			.shape = "ns=2",
		},
	},
	{
		.hook = NVP_HOOK_IDY_LIST_START,
		.shown = {
			.name = "identify-list-ignores-start",
			.sentence = "the Active Namespace ID list holds identifiers not above the one that "
				    "was given",
			.section = "NVMe Base 2.0, 5.17.2.2",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_LIST_TOP_OK,
		.shown = {
			.name = "identify-list-top-nsid-accepted",
			.sentence = "CNS 02h succeeds with NSID FFFFFFFEh and FFFFFFFFh",
			.section = "NVMe Base 2.0, 5.17.2.2",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_LIST_JUNK,
		.shown = {
			.name = "identify-list-tail-not-zero",
			.sentence = "the unused entries of the Active Namespace ID list are not 0",
			.section = "NVMe Base 2.0, 5.17.2.2 and 4.4 (Namespace List)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_VER,
		.shown = {
			.name = "identify-version-differs",
			.sentence = "VER of Identify Controller differs from the register VS",
			.section = "NVMe Base 2.0, 5.17.2.1 (VER)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_RAB,
		.shown = {
			.name = "identify-arbitration-burst-drifts",
			.sentence = "RAB has another value, just as legal, than other builds of the model",
			.section = "NVMe Base 2.0, 5.17.2.1 (RAB); the golden Identify file",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_VENDOR,
		.shown = {
			.name = "identify-vendor-bytes-drift",
			.sentence = "a vendor specific byte of Identify Controller has another value than in "
				    "other builds of the model",
			.section = "NVMe Base 2.0, 5.17.2.1 (VS); the golden Identify file",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NOIOB,
		.shown = {
			.name = "identify-boundary-drifts",
			.sentence = "NOIOB of a namespace has another value, just as legal, than in other "
				    "builds of the model",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NOIOB); the golden Identify file",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_TEXT_NUL,
		.shown = {
			.name = "identify-serial-not-padded",
			.sentence = "SN and MN are padded with NULs in place of spaces",
			.section = "NVMe Base 2.0, 1.4.2 (ASCII string) and 5.17.2.1",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_SQES,
		.shown = {
			.name = "identify-sqes-wrong",
			.sentence = "SQES says that entries of 128 bytes are required",
			.section = "NVMe Base 2.0, 5.17.2.1 (SQES)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_SUBNQN,
		.shown = {
			.name = "identify-subnqn-wrong",
			.sentence = "SUBNQN does not begin with nqn. and is not NUL-terminated",
			.section = "NVMe Base 2.0, 4.5 (NVMe Qualified Names) and 5.17.2.1 (SUBNQN)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_CNS_OK,
		.shown = {
			.name = "identify-cns-reserved-accepted",
			.sentence = "a reserved CNS value succeeds",
			.section = "NVMe Base 2.0, 5.17.1 (CNS)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_CSI_OK,
		.shown = {
			.name = "identify-csi-unchecked",
			.sentence = "CNS 06h with an I/O Command Set that the controller does not have "
				    "succeeds",
			.section = "NVMe Base 2.0, 5.17.1 (CSI)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NSID_OK,
		.shown = {
			.name = "identify-nsid-unchecked",
			.sentence = "CNS 00h with an NSID above NN succeeds",
			.section = "NVMe Base 2.0, 3.2.1 (invalid NSID)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NSID_STATUS,
		.shown = {
			.name = "identify-nsid-wrong-status",
			.sentence = "CNS 00h with an NSID above NN gives Invalid Field in Command",
			.section = "NVMe Base 2.0, 3.2.1 (invalid NSID)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_INACTIVE,
		.shown = {
			.name = "identify-inactive-not-zero",
			.sentence = "CNS 00h of an inactive namespace is not filled with zeroes",
			.section = "NVMe Base 2.0, 5.17.2 (CNS 00h) and NVM Command Set 1.0, 4.1.5.1",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_BROADCAST_OK,
		.shown = {
			.name = "identify-broadcast-accepted",
			.sentence = "CNS 00h of NSID FFFFFFFFh succeeds although there is no Namespace "
				    "Management",
			.section = "NVM Command Set 1.0, 4.1.5.1",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NO_ID,
		.shown = {
			.name = "identify-no-unique-id",
			.sentence = "a namespace has neither EUI64, NGUID nor UUID",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NGUID) and NVMe Base 2.0, 5.17.2.3",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_DSM_LIMITS,
		.shown = {
			.name = "identify-dsm-limits-mixed",
			.sentence = "CNS 06h has a DMRL while DMRSL and DMSL are 0",
			.section = "NVM Command Set 1.0, 3.2.3.1 and 4.1.5.2",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NCAP,
		.shown = {
			.name = "identify-ncap-above-nsze",
			.sentence = "NCAP is larger than NSZE",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NCAP)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NUSE,
		.shown = {
			.name = "identify-nuse-above-ncap",
			.sentence = "NUSE is larger than NCAP",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NUSE)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_FLBAS,
		.shown = {
			.name = "identify-flbas-beyond-nlbaf",
			.sentence = "FLBAS names an LBA format beyond NLBAF",
			.section = "NVM Command Set 1.0, 4.1.5.1 (FLBAS)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_LBADS,
		.shown = {
			.name = "identify-lbads-below-nine",
			.sentence = "LBADS of the format in use is below 9",
			.section = "NVM Command Set 1.0, 4.1.5.1 (LBADS)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NIDL,
		.shown = {
			.name = "identify-descriptor-length-wrong",
			.sentence = "the UUID descriptor of CNS 03h has a length of 15",
			.section = "NVMe Base 2.0, 5.17.2.3 (NIDL)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_LENGTH_LIES,
		.shown = {
			.name = "length-lies",
			.sentence = "a number of entries or a length is not so: which one stands "
				    "in core/sim/lies.c, 0 is NIDL of the first descriptor",
			.section = "NVMe Base 2.0, 5.16.1 and 5.17.2",
			.area = "identify",
			.parameters = "at=0:value=255",
		},
	},
	{
		.hook = NVP_HOOK_IDY_SHORT,
		.shown = {
			.name = "identify-short",
			.sentence = "the last 512 bytes of the 4096 of Identify are not transferred",
			.section = "NVMe Base 2.0, 5.17",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_ONCS,
		.shown = {
			.name = "oncs-claims-missing-command",
			.sentence = "ONCS claims the Verify command, which the controller does not have",
			.section = "NVMe Base 2.0, 5.17.2.1 (ONCS)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NOWS,
		.shown = {
			.name = "identify-nows-no-multiple",
			.sentence = "NOWS is no multiple of NPWG",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NOWS)",
			.area = "identify",
		},
	},
	{
		.hook = NVP_HOOK_IDY_NOWS_MDTS,
		.shown = {
			.name = "identify-nows-beyond-mdts",
			.sentence = "NOWS is more than MDTS lets one command carry",
			.section = "NVM Command Set 1.0, 4.1.5.1 (NOWS)",
			.area = "identify",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
