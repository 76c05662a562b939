// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the subsystem reset, power states, time, protection and persistent events.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_manage[] = {
	{
		.hook = NVP_HOOK_NSSR_IGNORED,
		.shown = {
			.name = "nssr-ignored",
			.sentence = "writing 4E564D65h to NSSR does nothing",
			.section = "NVMe Base 2.0, 3.1.3.8 and 3.7.1",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_NSSR_ANY,
		.shown = {
			.name = "nssr-any-value-resets",
			.sentence = "every value written to NSSR resets the subsystem",
			.section = "NVMe Base 2.0, 3.1.3.8",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_NSSRO_MISSING,
		.shown = {
			.name = "nssr-not-noted",
			.sentence = "CSTS.NSSRO is 0 after a reset of the subsystem",
			.section = "NVMe Base 2.0, 3.1.3.6 (NSSRO)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_NSSRO_STUCK,
		.shown = {
			.name = "nssro-not-cleared",
			.sentence = "CSTS.NSSRO stays 1 when 1 is written to it",
			.section = "NVMe Base 2.0, 3.1.3.6 (NSSRO)",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_PWR_RANK,
		.shown = {
			.name = "power-rank-too-large",
			.sentence = "relative performance is no smaller than the number of power "
				    "states",
			.section = "NVMe Base 2.0, 5.17.2.1 (RRT, RRL, RWT, RWL)",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_PWR_MP,
		.shown = {
			.name = "power-order-wrong",
			.sentence = "power state 1 takes more power than power state 0",
			.section = "NVMe Base 2.0, 8.15",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_PWR_NO_WAKE,
		.shown = {
			.name = "power-idle-state-kept",
			.sentence = "the drive stays in a non-operational state when it does I/O",
			.section = "NVMe Base 2.0, 8.15.1",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_PWR_IO_FAILS,
		.shown = {
			.name = "power-idle-state-fails-io",
			.sentence = "I/O fails in a non-operational state",
			.section = "NVMe Base 2.0, 8.15.1",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_APST_NEVER,
		.shown = {
			.name = "apst-never-happens",
			.sentence = "an idle drive does not enter the power state that its table "
				    "says",
			.section = "NVMe Base 2.0, 5.27.1.9",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_APST_TARGET_OK,
		.shown = {
			.name = "apst-target-unchecked",
			.sentence = "the table of idle transitions takes states that are "
				    "operational or not there",
			.section = "NVMe Base 2.0, 5.27.1.9 (ITPS)",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_APST_ENABLE,
		.shown = {
			.name = "apst-enable-not-shown",
			.sentence = "Get Features says that idle transitions are off when they are on",
			.section = "NVMe Base 2.0, 5.27.1.9 (APSTE)",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_APST_LOST,
		.shown = {
			.name = "apst-table-lost",
			.sentence = "Get Features gives an empty table of idle transitions",
			.section = "NVMe Base 2.0, 5.27.1.9",
			.area = "powerstate",
		},
	},
	{
		.hook = NVP_HOOK_HCTM_ORDER_OK,
		.shown = {
			.name = "thermal-order-unchecked",
			.sentence = "thermal management takes a first temperature that is not "
				    "below the second",
			.section = "NVMe Base 2.0, 5.27.1.13 (TMT1, TMT2)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_HCTM_RANGE_OK,
		.shown = {
			.name = "thermal-range-unchecked",
			.sentence = "thermal management takes temperatures outside MNTMT and MXTMT "
				    "",
			.section = "NVMe Base 2.0, 5.27.1.13 (TMT1, TMT2)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_TIME_ORIGIN,
		.shown = {
			.name = "timestamp-origin-wrong",
			.sentence = "the origin of the timestamp is a reset although the host has "
				    "set it",
			.section = "NVMe Base 2.0, 5.27.1.11 (Timestamp Origin)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_TIME_SET_IGNORED,
		.shown = {
			.name = "timestamp-set-ignored",
			.sentence = "Set Features of the timestamp succeeds and sets nothing",
			.section = "NVMe Base 2.0, 5.27.1.11",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_TIME_STANDS,
		.shown = {
			.name = "timestamp-stands-still",
			.sentence = "the timestamp does not count, and does not say that it "
				    "stopped",
			.section = "NVMe Base 2.0, 5.27.1.11 (Synch)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_TIME_BACK,
		.shown = {
			.name = "timestamp-goes-back",
			.sentence = "the timestamp counts down",
			.section = "NVMe Base 2.0, 5.27.1.11",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_TIME_RESTARTS,
		.shown = {
			.name = "timestamp-restarts-silently",
			.sentence = "a reset sets the timestamp to 0, its origin still says that "
				    "the host set it",
			.section = "NVMe Base 2.0, 5.27.1.11 (Timestamp Origin)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_WP_IGNORED,
		.shown = {
			.name = "protect-ignored",
			.sentence = "a namespace that is write protected can be written",
			.section = "NVMe Base 2.0, 8.12",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_WP_ZEROES,
		.shown = {
			.name = "protect-misses-write-zeroes",
			.sentence = "Write Zeroes changes a namespace that is write protected",
			.section = "NVMe Base 2.0, 8.12",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_WP_DSM,
		.shown = {
			.name = "protect-misses-deallocate",
			.sentence = "Dataset Management deallocates in a namespace that is write "
				    "protected",
			.section = "NVMe Base 2.0, 8.12",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_WP_READ,
		.shown = {
			.name = "protect-refuses-reads",
			.sentence = "a namespace that is write protected cannot be read",
			.section = "NVMe Base 2.0, 8.12",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_WP_STATUS,
		.shown = {
			.name = "protect-wrong-status",
			.sentence = "a write that is refused for protection gives Invalid Field in "
				    "Command",
			.section = "NVMe Base 2.0, 8.12 (Namespace is Write Protected)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_WP_RESET,
		.shown = {
			.name = "protect-ends-with-reset",
			.sentence = "a controller reset ends the write protection",
			.section = "NVMe Base 2.0, 8.12",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_WP_OTHER,
		.shown = {
			.name = "protect-other-namespace",
			.sentence = "the write protection of namespace 1 is that of all namespaces "
				    "",
			.section = "NVMe Base 2.0, 8.12",
			.area = "feature",
			.shape = "ns=2",
		},
	},
	{
		.hook = NVP_HOOK_WP_NSATTR,
		.shown = {
			.name = "protect-not-shown",
			.sentence = "Identify Namespace does not show the write protection",
			.section = "NVMe Base 2.0, 5.17.2.1 (NSATTR)",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_REG_CFS_STUCK,
		.shown = {
			.name = "csts-cfs-stuck",
			.sentence = "CSTS.CFS stays 1 over a controller reset",
			.section = "NVMe Base 2.0, 3.1.3.6 (CFS) and 9.5",
			.area = "register",
		},
	},
	{
		.hook = NVP_HOOK_WP_FORMAT,
		.shown = {
			.name = "protect-misses-format",
			.sentence = "Format NVM erases a namespace that is write protected",
			.section = "NVMe Base 2.0, 8.12",
			.area = "feature",
		},
	},
	{
		.hook = NVP_HOOK_DST_NOT_STOPPED,
		.shown = {
			.name = "selftest-survives-format",
			.sentence = "a self-test of a namespace goes on when that is formatted",
			.section = "NVMe Base 2.0, 8.6.2 and 5.16.1.7 (result 4h)",
			.area = "selftest",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
