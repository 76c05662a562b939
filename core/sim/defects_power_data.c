// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of a sudden loss of power: what becomes of the data.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_power_data[] = {
	{
		.hook = NVP_HOOK_CUT_REVERTS,
		.shown = {
			.name = "cut-write-reverts",
			.sentence = "a write that was made durable is gone after a sudden loss "
				    "of power",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED|LOST_FUA|LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_REVERTS_ZEROES,
		.shown = {
			.name = "cut-zeroes-revert",
			.sentence = "the data come back that a durable Write Zeroes had cleared",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED|LOST_FUA|LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_REVERTS_MARK,
		.shown = {
			.name = "cut-uncorrectable-forgotten",
			.sentence = "blocks that were marked uncorrectable can be read again",
			.section = "NVM Command Set 1.0, 3.2.7",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_LOSES_TAIL,
		.shown = {
			.name = "cut-loses-tail",
			.sentence = "of a durable write what lies beyond its first atomic unit "
				    "is gone",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED|LOST_FUA|LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_LOSES_LARGE,
		.shown = {
			.name = "cut-loses-large-writes",
			.sentence = "a durable write of at least this size is gone",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.parameters = "blocks=16",
			.class_words = "LOST_FLUSHED|LOST_FUA|LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_LOSES_RECENT,
		.shown = {
			.name = "cut-loses-last-moments",
			.sentence = "the map is as it was so long before, whatever was flushed",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.parameters = "ms=700",
			.class_words = "LOST_FLUSHED|LOST_FUA|LOST_ACKED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_ZEROES,
		.shown = {
			.name = "cut-zeroes-block",
			.sentence = "a durable block reads as zeroes",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_TO_UNMAP",
		},
	},
	{
		.hook = NVP_HOOK_CUT_UNMAPS,
		.shown = {
			.name = "cut-unmaps-block",
			.sentence = "a durable block is deallocated",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_TO_UNMAP",
		},
	},
	{
		.hook = NVP_HOOK_CUT_ONES,
		.shown = {
			.name = "cut-fills-block-with-ones",
			.sentence = "a durable block reads as FFh",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "LOST_TO_UNMAP",
		},
	},
	{
		.hook = NVP_HOOK_CUT_BIT_ROT,
		.shown = {
			.name = "cut-flips-bits",
			.sentence = "so many bits of a durable block read wrong",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.parameters = "bits=1",
			.class_words = "BITROT",
		},
	},
	{
		.hook = NVP_HOOK_CUT_GARBAGE,
		.shown = {
			.name = "cut-garbles-block",
			.sentence = "a durable block reads as nothing that was ever written",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "BITROT",
		},
	},
	{
		.hook = NVP_HOOK_CUT_UNREADABLE,
		.shown = {
			.name = "cut-unreadable",
			.sentence = "a durable block cannot be read",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "UNREADABLE",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TEARS_BLOCK,
		.shown = {
			.name = "cut-tears-durable-block",
			.sentence = "a durable block is new up to so many eighths and old behind "
				    "them",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.parameters = "eighths=4",
			.class_words = "TORN_SUBLB",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TEARS_FLIGHT,
		.shown = {
			.name = "cut-tears-block",
			.sentence = "a block that was being written is new up to so many eighths "
				    "and old behind them",
			.section = "NVM Command Set 1.0, 2.1.4.2",
			.area = "powerloss",
			.parameters = "eighths=4",
			.class_words = "TORN_SUBLB",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TEARS_METADATA,
		.shown = {
			.name = "cut-tears-metadata",
			.sentence = "the metadata of a durable block are those of the version "
				    "before",
			.section = "NVM Command Set 1.0, 2.1.6",
			.area = "powerloss",
			.shape = "pi=1",
			.class_words = "PI_TORN",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TEARS_META_FLIGHT,
		.shown = {
			.name = "cut-tears-metadata-in-flight",
			.sentence = "blocks that were being written have their new data beside "
				    "their old metadata",
			.section = "NVM Command Set 1.0, 2.1.6",
			.area = "powerloss",
			.shape = "pi=1",
			.class_words = "PI_TORN",
		},
	},
	{
		.hook = NVP_HOOK_CUT_UNMAPS_METADATA,
		.shown = {
			.name = "cut-unmaps-metadata",
			.sentence = "a durable block has protection information as if it were "
				    "deallocated, so that nothing checks it",
			.section = "NVM Command Set 1.0, 3.2.3.2.1",
			.area = "powerloss",
			.shape = "pi=1",
			.class_words = "PI_TORN",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TEARS_UNIT,
		.shown = {
			.name = "cut-tears-unit",
			.sentence = "of an atomic unit that was being written the first half is "
				    "there",
			.section = "NVM Command Set 1.0, 2.1.4.1",
			.area = "powerloss",
			.shape = "vwc=off",
			.class_words = "TORN_ATOMIC",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TEARS_UNIT_BACK,
		.shown = {
			.name = "cut-tears-unit-backwards",
			.sentence = "of an atomic unit that was being written the last half is "
				    "there",
			.section = "NVM Command Set 1.0, 2.1.4.1",
			.area = "powerloss",
			.shape = "vwc=off",
			.class_words = "TORN_ATOMIC",
		},
	},
	{
		.hook = NVP_HOOK_MEDIA_TORN,
		.shown = {
			.name = "write-unit-torn",
			.sentence = "an atomic unit counts when its first 512 bytes are on the "
				    "media",
			.section = "NVM Command Set 1.0, 2.1.4.1",
			.area = "powerloss",
			.shape = "vwc=off",
			.class_words = "TORN_ATOMIC",
		},
	},
	{
		.hook = NVP_HOOK_CUT_COPIES_ELSEWHERE,
		.shown = {
			.name = "cut-duplicates-write",
			.sentence = "a durable block also stands at another address",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "FLYING",
		},
	},
	{
		.hook = NVP_HOOK_CUT_MOVES_ELSEWHERE,
		.shown = {
			.name = "cut-misdirects-write",
			.sentence = "a durable block stands at another address instead of its own",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "FLYING",
		},
	},
	{
		.hook = NVP_HOOK_CUT_CROSSES_NS,
		.shown = {
			.name = "cut-crosses-namespaces",
			.sentence = "a durable block also stands in another namespace",
			.section = "NVMe Base 2.0, 3.2.1",
			.area = "powerloss",
			.shape = "ns=2",
			.class_words = "CROSS_NS",
		},
	},
	{
		.hook = NVP_HOOK_CUT_RESURRECTS,
		.shown = {
			.name = "cut-resurrects",
			.sentence = "a block is again what it was in an earlier power cycle",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "STALE_RESURRECT|LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_REGRESSES,
		.shown = {
			.name = "cut-regresses-later",
			.sentence = "a block that survived one loss of power is older after the "
				    "next",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "REGRESSED|COLLATERAL|STALE_RESURRECT",
		},
	},
	{
		.hook = NVP_HOOK_CUT_UNSTABLE,
		.shown = {
			.name = "cut-unstable",
			.sentence = "a durable block reads as its two last versions in turn",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "UNSTABLE",
		},
	},
	{
		.hook = NVP_HOOK_CUT_UNSTABLE_UNMAP,
		.shown = {
			.name = "cut-unstable-deallocated",
			.sentence = "a deallocated block reads as zeroes and as what it was in "
				    "turn",
			.section = "NVM Command Set 1.0, 3.2.3.2.1",
			.area = "powerloss",
			.class_words = "UNSTABLE_UNMAP",
		},
	},
	{
		.hook = NVP_HOOK_CUT_REVERTS_TRIM,
		.shown = {
			.name = "cut-trim-shows-older",
			.sentence = "a deallocated block shows what was older than its last data",
			.section = "NVM Command Set 1.0, 3.2.3.2",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED",
		},
	},
	{
		.hook = NVP_HOOK_CUT_TRIMS_NEIGHBOUR,
		.shown = {
			.name = "cut-trims-neighbour",
			.sentence = "the block behind a deallocated range is deallocated too",
			.section = "NVM Command Set 1.0, 3.2.3",
			.area = "powerloss",
			.class_words = "LOST_TO_UNMAP|COLLATERAL",
		},
	},
	{
		.hook = NVP_HOOK_CUT_REPLAYS_TRIMS,
		.shown = {
			.name = "cut-replays-trims",
			.sentence = "what was written after a Deallocate is deallocated once more",
			.section = "NVM Command Set 1.0, 3.2.3",
			.area = "powerloss",
			.class_words = "LOST_FLUSHED|LOST_TO_UNMAP",
		},
	},
	{
		.hook = NVP_HOOK_CUT_COLD_ZEROED,
		.shown = {
			.name = "cut-loses-cold-block",
			.sentence = "a block that nobody wrote lately reads as zeroes",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "COLLATERAL|LOST_TO_UNMAP|METADATA",
		},
	},
	{
		.hook = NVP_HOOK_CUT_COLD_ROTS,
		.shown = {
			.name = "cut-flips-cold-bits",
			.sentence = "so many bits of a block that nobody wrote lately read wrong",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.parameters = "bits=3",
			.class_words = "BITROT|COLLATERAL",
		},
	},
	{
		.hook = NVP_HOOK_CUT_THIRD_LOST,
		.shown = {
			.name = "cut-loses-third",
			.sentence = "every third block is deallocated",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "METADATA|COLLATERAL|LOST_TO_UNMAP",
		},
	},
	{
		.hook = NVP_HOOK_CUT_EXTENT_LOST,
		.shown = {
			.name = "cut-loses-extent",
			.sentence = "a piece of the map of so many blocks is empty",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.parameters = "entries=256",
			.class_words = "METADATA|COLLATERAL|LOST_TO_UNMAP",
		},
	},
	{
		.hook = NVP_HOOK_CUT_PAGES_LOST,
		.shown = {
			.name = "cut-loses-page-neighbours",
			.sentence = "what shares a page of flash with a write under way cannot "
				    "be read",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.class_words = "UNREADABLE",
		},
	},
	{
		.hook = NVP_HOOK_CUT_OTHER_NS,
		.shown = {
			.name = "cut-loses-other-namespace",
			.sentence = "a block of a namespace that nobody used is gone",
			.section = "NVM Command Set 1.0, 2.1.4.2.1",
			.area = "powerloss",
			.shape = "ns=2",
			.class_words = "COLLATERAL|LOST_TO_UNMAP|METADATA",
		},
	},
	{
		.hook = NVP_HOOK_REFUSED_RANGE_WRITTEN,
		.shown = {
			.name = "refused-range-written",
			.sentence = "a write across the end of the namespace is refused and "
				    "written as far as it goes",
			.section = "NVM Command Set 1.0, 2.1.4 and 3.2.6",
			.area = "powerloss",
			.class_words = "REFUSED_BUT_WRITTEN",
		},
	},
	{ .hook = NVP_HOOK_NONE },
};
