// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the registers and of the enable, reset and shutdown state machine.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_register[] = {
	{
		.hook = NVP_HOOK_REG_VS_WRONG,
		.shown = {
			.name = "version-register-wrong",
			.sentence = "VS says 1.4.0 while Identify Controller says 2.0",
			.section = "NVMe Base 2.0, 3.1.3.2 and figure 275 (VER)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_CAP_RESERVED,
		.shown = {
			.name = "cap-reserved-bit-set",
			.sentence = "a reserved bit of CAP is 1",
			.section = "NVMe Base 2.0, 3.1.3.1 and 1.4 (reserved)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_MQES_ZERO,
		.shown = {
			.name = "cap-mqes-zero",
			.sentence = "CAP.MQES is 0, a queue of one entry, though 1 is the least allowed",
			.section = "NVMe Base 2.0, 3.1.3.1 (MQES)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_MPS_SWAPPED,
		.shown = {
			.name = "cap-mpsmin-above-mpsmax",
			.sentence = "CAP.MPSMIN is larger than CAP.MPSMAX",
			.section = "NVMe Base 2.0, 3.1.3.1 (MPSMIN, MPSMAX)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_RO_WRITABLE,
		.shown = {
			.name = "vs-writable",
			.sentence = "the read-only register VS keeps what is written to it",
			.section = "NVMe Base 2.0, 3.1.3.2",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_CSTS_WRITABLE,
		.shown = {
			.name = "csts-rdy-writable",
			.sentence = "a host write changes the read-only bit CSTS.RDY",
			.section = "NVMe Base 2.0, 3.1.3.6",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_AQA_LOST,
		.shown = {
			.name = "aqa-lost-on-reset",
			.sentence = "a controller reset clears AQA, which it shall leave alone",
			.section = "NVMe Base 2.0, 3.7.2",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_ASQ_LOST,
		.shown = {
			.name = "asq-lost-on-reset",
			.sentence = "a controller reset clears ASQ and ACQ, which it shall leave alone",
			.section = "NVMe Base 2.0, 3.7.2",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_ASQ_LOW_BITS,
		.shown = {
			.name = "asq-low-bits-kept",
			.sentence = "bits 11:0 of ASQ and ACQ, which are reserved and read 0, keep what was "
				    "written",
			.section = "NVMe Base 2.0, 3.1.3.9 and 3.1.3.10",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_RDY_STUCK,
		.shown = {
			.name = "csts-rdy-stuck-after-disable",
			.sentence = "CSTS.RDY stays 1 after CC.EN went from 1 to 0",
			.section = "NVMe Base 2.0, 3.1.3.6 (RDY)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_RDY_LATE,
		.shown = {
			.name = "csts-rdy-late",
			.sentence = "CSTS.RDY follows CC.EN later than CAP.TO allows, by that many "
				    "milliseconds",
			.section = "NVMe Base 2.0, 3.1.3.1 (TO)",
			.area = "register",
			.parameters = "ms=1000",
		},
	},
	{
		.hook = NVP_HOOK_REG_CFS_ON_ENABLE,
		.shown = {
			.name = "csts-cfs-on-enable",
			.sentence = "a correct enable after the first one since power-on sets CSTS.CFS",
			.section = "NVMe Base 2.0, 3.1.3.6 (CFS)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_SHST_STUCK,
		.shown = {
			.name = "shutdown-never-completes",
			.sentence = "CSTS.SHST stays at 01b and the shutdown never completes",
			.section = "NVMe Base 2.0, 3.6.1 and 3.1.3.6 (SHST)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_SHST_SKIPPED,
		.shown = {
			.name = "shutdown-not-reported",
			.sentence = "CSTS.SHST stays at 00b when CC.SHN asks for a shutdown",
			.section = "NVMe Base 2.0, 3.6.1 and 3.1.3.6 (SHST)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_RESET_KEEPS_QUEUES,
		.shown = {
			.name = "cc-reset-keeps-queues",
			.sentence = "I/O queues are still there after a controller reset",
			.section = "NVMe Base 2.0, 3.7.2",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_RESET_KEEPS_HEAD,
		.shown = {
			.name = "cc-reset-keeps-admin-head",
			.sentence = "the admin submission queue goes on at its old head after a controller "
				    "reset",
			.section = "NVMe Base 2.0, 3.7.2 and 3.5.1",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_REG_RESET_OLD_CQE,
		.shown = {
			.name = "cc-reset-completes-old-commands",
			.sentence = "commands of before a controller reset get their completion after it",
			.section = "NVMe Base 2.0, 3.7.2",
			.area = "register",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
