// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the logs and features of OCP; each asks for a drive of profile ocp.

#include "core/sim/defects.h"

#define OCP(hook_, name_, sentence_, section_, area_)				\
	{									\
		.hook = hook_,							\
		.shown = {							\
			.name = name_,						\
			.sentence = sentence_,					\
			.section = section_,					\
			.area = area_,						\
			.shape = "profile=ocp",					\
		},								\
	}

const struct nvp_defect_row nvp_defects_ocp[] = {
	{
		.hook = NVP_HOOK_OCP_GUID,
		.shown = {
			.name = "ocp-guid-wrong",
			.sentence = "an OCP log page does not end with its GUID",
			.section = "OCP Datacenter NVMe SSD 2.0, log C1h (Log Page GUID)",
			.area = "log",
			.parameters = "log=0xc1",
			.shape = "profile=ocp",
		},
	},
	OCP(NVP_HOOK_OCP_VERSION, "ocp-version-zero", "OCP log pages have version 0",
	    "OCP Datacenter NVMe SSD 2.0, log C0h (Log Page Version)", "log"),
	OCP(NVP_HOOK_OCP_SMART_DOWN, "ocp-media-written-goes-down",
	    "Physical Media Units Written goes down",
	    "OCP Datacenter NVMe SSD 2.0, log C0h", "log"),
	OCP(NVP_HOOK_OCP_RESERVED, "ocp-reserved-not-zero",
	    "a reserved byte of the extended SMART log is not 0",
	    "OCP Datacenter NVMe SSD 2.0, log C0h", "log"),
	OCP(NVP_HOOK_OCP_NO_PLP, "ocp-capacitor-missing",
	    "Capacitor Health says that the drive has no power loss protection",
	    "OCP Datacenter NVMe SSD 2.0, log C0h (Capacitor Health)", "log"),
	OCP(NVP_HOOK_OCP_STARTS, "ocp-plp-starts-stuck",
	    "PLP Start Count stays 0 whatever power is lost",
	    "OCP Datacenter NVMe SSD 2.0, log C0h (PLP Start Count)",
	    "log"),
	OCP(NVP_HOOK_OCP_UUID, "ocp-uuid-missing", "the UUID list does not hold the OCP UUID",
	    "OCP Datacenter NVMe SSD 2.0; NVMe Base 2.0, 5.17.2.13", "identify"),
	OCP(NVP_HOOK_OCP_UUID_OK, "uuid-index-unchecked",
	    "a UUID index that names no entry of the list is taken as 0",
	    "NVMe Base 2.0, 8.25", "log"),
	OCP(NVP_HOOK_OCP_MODE_OK, "ocp-plp-mode-reserved-accepted",
	    "the reserved PLP failure mode 00b can be set",
	    "OCP Datacenter NVMe SSD 2.0, feature C2h", "feature"),
	OCP(NVP_HOOK_OCP_SET_IGNORED, "ocp-feature-set-ignored",
	    "Set Features of C2h and C6h succeeds and changes nothing",
	    "OCP Datacenter NVMe SSD 2.0, features C2h and C6h", "feature"),
	OCP(NVP_HOOK_OCP_AERL, "ocp-aerl-too-small", "AERL allows two event requests",
	    "OCP Datacenter NVMe SSD 2.0, Asynchronous Event Request; NVMe Base 2.0, 5.17.2.1",
	    "identify"),
	{ .hook = NVP_HOOK_NONE }
};
