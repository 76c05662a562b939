// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of the Persistent Event log.

#include "core/sim/defects.h"

#define PERSISTENT(hook_, name_, sentence_, field_, ...)			\
	{									\
		.hook = hook_,							\
		.shown = {							\
			.name = name_,						\
			.sentence = sentence_,					\
			.section = "NVMe Base 2.0, 5.16.1.14 (" field_ ")",	\
			.area = "log",						\
			__VA_ARGS__						\
		},								\
	}

const struct nvp_defect_row nvp_defects_persistent[] = {
	/* what is recorded */
	PERSISTENT(NVP_HOOK_PEL_MISSING, "persistent-event-missing",
		   "events of one type are not recorded in the persistent event log",
		   "Event Type", .parameters = "type=4"),
	PERSISTENT(NVP_HOOK_PEL_TWICE, "persistent-event-twice",
		   "each persistent event is recorded twice", "Event Type"),
	PERSISTENT(NVP_HOOK_PEL_LOST_RESET, "persistent-events-lost-by-reset",
		   "a reset empties the persistent event log", "retained across resets"),
	PERSISTENT(NVP_HOOK_PEL_LOST_POWER, "persistent-events-lost-by-power-cycle",
		   "persistent events of before are gone after power-on",
		   "retained across power cycles"),
	PERSISTENT(NVP_HOOK_PEL_NO_SNAPSHOT, "persistent-snapshots-missing",
		   "no SMART / Health snapshots are among the persistent events",
		   "SMART / Health Log Snapshot Event"),
	PERSISTENT(NVP_HOOK_PEL_FIRMWARE, "persistent-firmware-status-wrong",
		   "each Firmware Commit is recorded as a success",
		   "Status Returned for Firmware Commit Command"),
	PERSISTENT(NVP_HOOK_PEL_TIMESTAMP, "persistent-timestamp-wrong",
		   "the previous timestamp of a Timestamp Change event is the new one",
		   "Previous Timestamp"),
	PERSISTENT(NVP_HOOK_PEL_NAMESPACE, "persistent-namespace-wrong",
		   "the Change Namespace event names namespace 0", "Namespace ID"),
	PERSISTENT(NVP_HOOK_PEL_FORMAT, "persistent-format-wrong",
		   "the Format NVM Start event has another Dword 10 than the command",
		   "Format NVM CDW10"),
	PERSISTENT(NVP_HOOK_PEL_SANITIZE, "persistent-sanitize-wrong",
		   "the Sanitize Start event has another Dword 10 than the command",
		   "Sanitize CDW10"),
	PERSISTENT(NVP_HOOK_PEL_FEATURE, "persistent-feature-wrong",
		   "the Set Feature event has another Dword 11 than the command",
		   "Command Dwords"),

	PERSISTENT(NVP_HOOK_PEL_RESET_FIRMWARE, "persistent-reset-firmware-wrong",
		   "a Power-on or Reset event names firmware that does not run",
		   "Firmware Revision"),
	PERSISTENT(NVP_HOOK_PEL_FORMAT_STATUS, "persistent-format-status-wrong",
		   "the Format NVM Completion event of a success has an error status",
		   "Status Field"),
	PERSISTENT(NVP_HOOK_PEL_SANITIZE_STATUS, "persistent-sanitize-status-wrong",
		   "the Sanitize Completion event says that there was no sanitize",
		   "Sanitize Status"),
	PERSISTENT(NVP_HOOK_PEL_FEATURE_SHORT, "persistent-feature-without-value",
		   "the Set Feature event has Dword 10 alone", "Dword Count"),
	PERSISTENT(NVP_HOOK_PEL_CUT_SHORT, "persistent-event-cut-short",
		   "events of one type have half of their data", "Event Length",
		   .parameters = "type=4"),

	/* what the log says of itself */
	PERSISTENT(NVP_HOOK_PEL_COUNT, "persistent-count-wrong",
		   "Total Number of Events is one more than there are", "TNEV"),
	PERSISTENT(NVP_HOOK_PEL_LENGTH, "persistent-length-wrong",
		   "Total Log Length is 4 bytes less than header and events have", "TLL"),
	PERSISTENT(NVP_HOOK_PEL_PAST_END, "persistent-event-past-end",
		   "the length of the last persistent event passes the end of the log",
		   "Event Length"),
	PERSISTENT(NVP_HOOK_PEL_HEADER, "persistent-header-length-zero",
		   "Log Header Length of the persistent event log is 0", "Log Header Length"),
	PERSISTENT(NVP_HOOK_PEL_OLDEST_FIRST, "persistent-oldest-first",
		   "the oldest persistent event comes first", "order of events"),
	PERSISTENT(NVP_HOOK_PEL_BITMAP, "persistent-bitmap-wrong",
		   "Supported Events Bitmap lacks a type that is in the log",
		   "Supported Events Bitmap"),
	PERSISTENT(NVP_HOOK_PEL_IDENTITY, "persistent-identity-wrong",
		   "the persistent event log has another serial number than Identify",
		   "Serial Number"),
	PERSISTENT(NVP_HOOK_PEL_SIZE, "persistent-size-zero",
		   "PELS is 0 although there is a persistent event log", "PELS"),

	/* the reporting context */
	PERSISTENT(NVP_HOOK_PEL_GENERATION, "persistent-generation-stuck",
		   "a context with new events has the Generation Number of the one before",
		   "Generation Number"),
	PERSISTENT(NVP_HOOK_PEL_NOT_FROZEN, "persistent-context-not-frozen",
		   "events that occur come into a reporting context that exists",
		   "Establish Context and Read Log Data"),
	PERSISTENT(NVP_HOOK_PEL_NO_CONTEXT_OK, "persistent-read-without-context-accepted",
		   "persistent events can be read without a reporting context",
		   "Read Log Data"),
	PERSISTENT(NVP_HOOK_PEL_SECOND_OK, "persistent-second-context-accepted",
		   "a second reporting context is established over the first",
		   "Establish Context and Read Log Data"),
	PERSISTENT(NVP_HOOK_PEL_RELEASE_REFUSED, "persistent-release-refused",
		   "Release Context is refused", "Release Context"),
	PERSISTENT(NVP_HOOK_PEL_NOT_RELEASED, "persistent-context-not-released",
		   "Release Context succeeds and releases nothing", "Release Context"),
	PERSISTENT(NVP_HOOK_PEL_NOT_KEPT, "persistent-context-not-kept",
		   "a reporting context ends with the command that establishes it",
		   "Establish Context and Read Log Data"),
	PERSISTENT(NVP_HOOK_PEL_CONTEXT_KEPT, "persistent-context-survives-reset",
		   "a reset does not release the reporting context", "reporting context"),
	PERSISTENT(NVP_HOOK_PEL_EXISTS, "persistent-context-existed-wrong",
		   "the header never says that a reporting context existed",
		   "Reporting Context Exists"),
	{ .hook = NVP_HOOK_NONE }
};
