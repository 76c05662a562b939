// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of Firmware Image Download, Firmware Commit and the Firmware Slot log.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_firmware[] = {
	{
		.hook = NVP_HOOK_FW_CRC_OK,
		.shown = {
			.name = "firmware-damaged-image-accepted",
			.sentence = "an image whose checksum does not hold is committed and "
				    "activated",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Image)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_GARBAGE_OK,
		.shown = {
			.name = "firmware-garbage-accepted",
			.sentence = "what is no firmware image at all is committed to its slot",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Image)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_FAMILY_OK,
		.shown = {
			.name = "firmware-other-product-accepted",
			.sentence = "an image of another product is committed and activated",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Image)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_PROHIBITED_OK,
		.shown = {
			.name = "firmware-prohibited-accepted",
			.sentence = "an image whose activation is prohibited is committed and "
				    "activated",
			.section = "NVMe Base 2.0, 5.12.1 (Firmware Activation Prohibited)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_GAP_OK,
		.shown = {
			.name = "firmware-gap-accepted",
			.sentence = "an image with a piece missing is committed and activated",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Image)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_NO_IMAGE_OK,
		.shown = {
			.name = "firmware-commit-of-nothing-succeeds",
			.sentence = "Firmware Commit of a download succeeds although nothing was "
				    "downloaded",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Image)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_OVERLAP_OK,
		.shown = {
			.name = "firmware-overlap-accepted",
			.sentence = "pieces of an image whose ranges overlap are accepted",
			.section = "NVMe Base 2.0, 5.13.1 (Overlapping Range)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_GRANULARITY_OK,
		.shown = {
			.name = "firmware-granularity-unchecked",
			.sentence = "pieces that do not conform to FWUG are accepted",
			.section = "NVMe Base 2.0, 5.17.2.1 (FWUG)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_SLOT_OK,
		.shown = {
			.name = "firmware-slot-above-accepted",
			.sentence = "Firmware Commit of a slot above the number of slots takes the "
				    "last one",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Slot)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_SLOT1_WRITTEN,
		.shown = {
			.name = "firmware-read-only-slot-written",
			.sentence = "slot 1 takes an image although FRMW says that it is read only "
				    "",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Slot)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_WRONG_SLOT,
		.shown = {
			.name = "firmware-wrong-slot-written",
			.sentence = "Firmware Commit puts the image into the slot behind the one "
				    "named",
			.section = "NVMe Base 2.0, 5.12 (FS)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_EMPTY_OK,
		.shown = {
			.name = "firmware-empty-slot-activated",
			.sentence = "Firmware Commit to activate a slot that has no image succeeds "
				    "",
			.section = "NVMe Base 2.0, 5.12.1 (Invalid Firmware Image)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_ACTION_OK,
		.shown = {
			.name = "firmware-reserved-action-accepted",
			.sentence = "reserved values of Commit Action succeed",
			.section = "NVMe Base 2.0, 5.12 (CA)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_NOT_ACTIVATED,
		.shown = {
			.name = "firmware-never-activated",
			.sentence = "a reset does not activate the image that waits for it",
			.section = "NVMe Base 2.0, 5.12 (CA 001b and 010b)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_EARLY,
		.shown = {
			.name = "firmware-activated-too-early",
			.sentence = "Commit Action 001b activates the image without the reset",
			.section = "NVMe Base 2.0, 5.12 (CA 001b)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_STORE_ACTIVATES,
		.shown = {
			.name = "firmware-store-activates",
			.sentence = "an image stored by Commit Action 000b is activated by the "
				    "next reset",
			.section = "NVMe Base 2.0, 5.12 (CA 000b)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_FR_STALE,
		.shown = {
			.name = "firmware-revision-stale",
			.sentence = "Identify Controller gives the revision of the image that ran "
				    "before",
			.section = "NVMe Base 2.0, 5.17.2.1 (FR)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_NEXT_HIDDEN,
		.shown = {
			.name = "firmware-next-slot-missing",
			.sentence = "the Firmware Slot log does not show which slot is to be "
				    "activated",
			.section = "NVMe Base 2.0, 5.16.1.4 (AFI)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_OTHER_LOST,
		.shown = {
			.name = "firmware-other-slot-lost",
			.sentence = "the Firmware Slot log forgets slot 1 when another one was "
				    "written",
			.section = "NVMe Base 2.0, 5.16.1.4 (FRS1)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_DOWNLOAD_KEPT,
		.shown = {
			.name = "firmware-download-survives-reset",
			.sentence = "pieces that were downloaded are still there after a "
				    "controller reset",
			.section = "NVMe Base 2.0, 5.13 (discarded by a Controller Level Reset)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_RESET_KIND,
		.shown = {
			.name = "firmware-reset-kind-ignored",
			.sentence = "any reset activates an image that needs a reset of the "
				    "subsystem",
			.section = "NVMe Base 2.0, 5.12.1 (Firmware Activation Requires NVM Subsystem Reset)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_EVENT_MISSING,
		.shown = {
			.name = "firmware-activation-event-missing",
			.sentence = "activation without a reset is not announced by an event",
			.section = "NVMe Base 2.0, 5.2 (Firmware Activation Starting)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_ACTIVATE_REFUSED,
		.shown = {
			.name = "firmware-activation-refused",
			.sentence = "an image that is in its slot cannot be activated",
			.section = "NVMe Base 2.0, 5.12 (CA 010b)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_NOW_REFUSED,
		.shown = {
			.name = "firmware-immediate-activation-refused",
			.sentence = "activation without a reset says that it needs one",
			.section = "NVMe Base 2.0, 5.12 (CA 011b)",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_NEEDS_STATUS,
		.shown = {
			.name = "firmware-needed-reset-not-named",
			.sentence = "an image that needs a reset is committed with plain success",
			.section = "NVMe Base 2.0, 5.12.1",
			.area = "firmware",
		},
	},
	{
		.hook = NVP_HOOK_FW_EVENT_INFO,
		.shown = {
			.name = "firmware-activation-event-wrong",
			.sentence = "the event of an activation has the information code of another notice",
			.section = "NVMe Base 2.0, 5.2.1",
			.area = "firmware",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
