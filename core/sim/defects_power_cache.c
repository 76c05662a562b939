// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of cache, flush and stored energy that only a loss of power shows.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_power_cache[] = {
	{
		.hook = NVP_HOOK_FLUSH_LIES,
		.shown = {
			.name = "flush-lies",
			.sentence = "Flush completes and what is cached stays there alone",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.parameters = "nth=1",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_LIES_EARLY,
		.shown = {
			.name = "flush-lies-after-power-on",
			.sentence = "Flush writes nothing out in the first moments after power-on",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.parameters = "ms=500",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_LIES_TRIMMING,
		.shown = {
			.name = "flush-lies-while-trimming",
			.sentence = "Flush writes nothing out while a Dataset Management runs",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_OWN_QUEUE,
		.shown = {
			.name = "flush-misses-other-queues",
			.sentence = "Flush writes out what came through its own queue only",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_FIRST_NS,
		.shown = {
			.name = "flush-misses-other-namespaces",
			.sentence = "Flush writes out namespace 1 only, whichever it is for",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.shape = "ns=2",
			.class_words = "LOST_FLUSHED|COLLATERAL",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_ALL_BUT_LAST,
		.shown = {
			.name = "flush-misses-last-write",
			.sentence = "Flush leaves the newest write in the cache",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_DATA_ONLY,
		.shown = {
			.name = "flush-misses-zeroes",
			.sentence = "Flush leaves Write Zeroes and Write Uncorrectable in the "
				    "cache",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_FLUSH_EARLY,
		.shown = {
			.name = "flush-completes-early",
			.sentence = "Flush completes when the writing has begun, not when it is "
				    "done",
			.section = "NVMe Base 2.0, 7.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_FUA_IGNORED,
		.shown = {
			.name = "fua-ignored",
			.sentence = "Force Unit Access is overlooked: the data are only cached",
			.section = "NVM Command Set 1.0, 3.2.6 (FUA)",
			.area = "powerloss",
			.class_words = "LOST_FUA",
		},
	},
	{
		.hook = NVP_HOOK_FUA_ZEROES,
		.shown = {
			.name = "fua-ignored-by-zeroes",
			.sentence = "Force Unit Access of Write Zeroes is overlooked",
			.section = "NVM Command Set 1.0, 3.2.8 (FUA)",
			.area = "powerloss",
			.class_words = "LOST_FUA",
		},
	},
	{
		.hook = NVP_HOOK_FUA_LARGE,
		.shown = {
			.name = "fua-ignored-when-large",
			.sentence = "Force Unit Access of commands from this size on is overlooked",
			.section = "NVM Command Set 1.0, 3.2.6 (FUA)",
			.area = "powerloss",
			.parameters = "blocks=8",
			.class_words = "LOST_FUA",
		},
	},
	{
		.hook = NVP_HOOK_FUA_FALLING,
		.shown = {
			.name = "fua-ignored-while-power-falls",
			.sentence = "from the moment the rail goes Force Unit Access is overlooked",
			.section = "NVM Command Set 1.0, 3.2.6 (FUA)",
			.area = "powerloss",
			.class_words = "LOST_FUA",
		},
	},
	{
		.hook = NVP_HOOK_FUA_READ,
		.shown = {
			.name = "fua-read-does-not-commit",
			.sentence = "a read with Force Unit Access leaves what it read in the "
				    "cache",
			.section = "NVM Command Set 1.0, 3.2.4 (FUA)",
			.area = "powerloss",
			.class_words = "LOST_FUA",
		},
	},
	{
		.hook = NVP_HOOK_CACHE_OFF_IGNORED,
		.shown = {
			.name = "cache-off-ignored",
			.sentence = "writes are cached although the write cache is disabled",
			.section = "NVMe Base 2.0, 5.27.1.4",
			.area = "powerloss",
			.shape = "vwc=off",
			.class_words = "LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CACHE_ON_AFTER_CUT,
		.shown = {
			.name = "cache-on-after-cut",
			.sentence = "after a sudden loss of power writes are cached, whatever "
				    "the feature says",
			.section = "NVMe Base 2.0, 5.27.1.4",
			.area = "powerloss",
			.shape = "vwc=off",
			.class_words = "LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CLEAN_SHUTDOWN_LOSES,
		.shown = {
			.name = "shutdown-loses-cache",
			.sentence = "a shutdown is complete and the cache was not written out",
			.section = "NVMe Base 2.0, 3.6.1",
			.area = "powerloss",
			.class_words = "LOST_SHUTDOWN",
		},
	},
	{
		.hook = NVP_HOOK_SHUTDOWN_EARLY,
		.shown = {
			.name = "shutdown-completes-early",
			.sentence = "a shutdown is reported complete when the writing has begun",
			.section = "NVMe Base 2.0, 3.6.1",
			.area = "powerloss",
			.class_words = "LOST_SHUTDOWN",
		},
	},
	{
		.hook = NVP_HOOK_SHUTDOWN_ABRUPT_LOSES,
		.shown = {
			.name = "abrupt-shutdown-loses-cache",
			.sentence = "an abrupt shutdown is complete and the cache was not "
				    "written out",
			.section = "NVMe Base 2.0, 3.6.1",
			.area = "powerloss",
			.class_words = "LOST_SHUTDOWN",
		},
	},
	{
		.hook = NVP_HOOK_FUNCTION_RESET_DROPS,
		.shown = {
			.name = "function-reset-drops-cache",
			.sentence = "a reset through PCIe empties the write cache unwritten",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_RESET_LATE_WRITE,
		.shown = {
			.name = "reset-write-lands-late",
			.sentence = "a write that a reset ended is carried out some time after it",
			.section = "NVMe Base 2.0, 3.7.2",
			.area = "powerloss",
			.shape = "vwc=off",
			.class_words = "STALE_RESURRECT|REGRESSED|UNSTABLE",
		},
	},
	{
		.hook = NVP_HOOK_PLP_WEAK,
		.shown = {
			.name = "plp-weak",
			.sentence = "the stored energy writes only a part of the cache",
			.section = "claim: power-loss protection (NVM Command Set 1.0, 2.1.4.2.1)",
			.area = "powerloss",
			.shape = "plp=on",
			.class_words = "LOST_ACKED|LOST_FUA|LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_PLP_HOLD_UP,
		.shown = {
			.name = "plp-hold-up-short",
			.sentence = "the stored energy ends before the cache is written",
			.section = "claim: power-loss protection (NVM Command Set 1.0, 2.1.4.2.1)",
			.area = "powerloss",
			.parameters = "us=20",
			.shape = "plp=on",
			.class_words = "LOST_ACKED|LOST_FUA|LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_PLP_NOT_CHARGED,
		.shown = {
			.name = "plp-not-charged",
			.sentence = "in the first moments after power-on there is no stored energy",
			.section = "claim: power-loss protection (NVM Command Set 1.0, 2.1.4.2.1)",
			.area = "powerloss",
			.parameters = "ms=2000",
			.shape = "plp=on",
			.class_words = "LOST_ACKED|LOST_FUA|LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_PLP_TRIMMING,
		.shown = {
			.name = "plp-fails-while-trimming",
			.sentence = "what is written while a Dataset Management runs is not "
				    "protected",
			.section = "claim: power-loss protection (NVM Command Set 1.0, 2.1.4.2.1)",
			.area = "powerloss",
			.shape = "plp=on",
			.class_words = "LOST_ACKED|LOST_FUA|LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_PLP_LARGE,
		.shown = {
			.name = "plp-fails-large-writes",
			.sentence = "commands from this size on are not protected",
			.section = "claim: power-loss protection (NVM Command Set 1.0, 2.1.4.2.1)",
			.area = "powerloss",
			.parameters = "blocks=8",
			.shape = "plp=on",
			.class_words = "LOST_ACKED|LOST_FUA|LOST_FLUSHED",
		},
	},
	{ .hook = NVP_HOOK_NONE },
};
