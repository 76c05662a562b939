// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of queue creation and deletion and of doorbells.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_queue[] = {
	{
		.hook = NVP_HOOK_QUE_QID_ZERO_OK,
		.shown = {
			.name = "create-queue-id-zero-accepted",
			.sentence = "an I/O queue with the identifier 0, the admin queue's, is created",
			.section = "NVMe Base 2.0, 5.4 and 5.5 (QID)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_QID_ABOVE_OK,
		.shown = {
			.name = "create-queue-id-above-accepted",
			.sentence = "a queue with an identifier above the number allocated is created",
			.section = "NVMe Base 2.0, 5.4 and 5.5 (QID)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_DUPLICATE_OK,
		.shown = {
			.name = "create-queue-duplicate-accepted",
			.sentence = "a queue is created under an identifier that is in use",
			.section = "NVMe Base 2.0, 5.4 and 5.5 (Invalid Queue Identifier)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_SIZE_UNCHECKED,
		.shown = {
			.name = "create-queue-size-unchecked",
			.sentence = "a queue of one entry, or of more than CAP.MQES allows, is created",
			.section = "NVMe Base 2.0, 5.4 and 5.5 (Invalid Queue Size)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_NONCONTIGUOUS_OK,
		.shown = {
			.name = "create-queue-noncontiguous-accepted",
			.sentence = "a queue with PC=0 is created although CAP.CQR is 1",
			.section = "NVMe Base 2.0, 5.4 and 5.5 (PC)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_OFFSET_OK,
		.shown = {
			.name = "create-queue-offset-accepted",
			.sentence = "a queue whose PRP1 has an offset into its page is created",
			.section = "NVMe Base 2.0, 5.4 and 5.5 (PRP1)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_VECTOR_OK,
		.shown = {
			.name = "create-cq-vector-unchecked",
			.sentence = "a completion queue with an interrupt vector beyond the table is created",
			.section = "NVMe Base 2.0, 5.4 (Invalid Interrupt Vector)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_CQ_MISSING_OK,
		.shown = {
			.name = "create-sq-missing-cq-accepted",
			.sentence = "a submission queue is created for a completion queue that does not exist",
			.section = "NVMe Base 2.0, 5.5 (Completion Queue Invalid)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_CQ_DELETE_BUSY_OK,
		.shown = {
			.name = "delete-cq-with-sq-accepted",
			.sentence = "a completion queue is deleted while a submission queue uses it",
			.section = "NVMe Base 2.0, 5.6 (Invalid Queue Deletion)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_DELETE_MISSING_OK,
		.shown = {
			.name = "delete-missing-queue-accepted",
			.sentence = "deleting a queue that does not exist succeeds",
			.section = "NVMe Base 2.0, 5.6 and 5.7 (Invalid Queue Identifier)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_DELETE_LATE_CQE,
		.shown = {
			.name = "delete-sq-completes-late",
			.sentence = "commands of a deleted submission queue complete after the Delete did",
			.section = "NVMe Base 2.0, 5.7",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_DEAD_CQ_WRITTEN,
		.shown = {
			.name = "deleted-cq-written",
			.sentence = "an entry is written into the memory of a completion queue that was deleted",
			.section = "NVMe Base 2.0, 5.6",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_WRAP_LOST,
		.shown = {
			.name = "sq-last-slot-skipped",
			.sentence = "the last slot of a submission queue is never fetched",
			.section = "NVMe Base 2.0, 3.3.1.2.1",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_COMMAND_LOST,
		.shown = {
			.name = "io-command-lost",
			.sentence = "every nth I/O command is never completed",
			.section = "NVMe Base 2.0, 3.3.3.2",
			.area = "queue",
			.parameters = "nth=16",
		},
	},
	{
		.hook = NVP_HOOK_QUE_OVERRUN,
		.shown = {
			.name = "cq-full-overwrites",
			.sentence = "completions are posted into a full completion queue, over entries not "
				    "yet taken",
			.section = "NVMe Base 2.0, 3.3.1.2.2",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_SHARED_CQ_SQID,
		.shown = {
			.name = "shared-cq-sqid-wrong",
			.sentence = "on a completion queue that several submission queues share SQID is the "
				    "completion queue's identifier",
			.section = "NVMe Base 2.0, 3.3.3.2 (SQID)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_DBL_NO_EVENT,
		.shown = {
			.name = "doorbell-invalid-ignored",
			.sentence = "an invalid doorbell value raises no event",
			.section = "NVMe Base 2.0, 5.2.1 (Invalid Doorbell Write Value)",
			.area = "doorbell",
		},
	},
	{
		.hook = NVP_HOOK_DBL_WRONG_EVENT,
		.shown = {
			.name = "doorbell-wrong-event",
			.sentence = "an invalid doorbell value is reported as a write to an invalid doorbell "
				    "register",
			.section = "NVMe Base 2.0, 5.2.1 (Error Status)",
			.area = "doorbell",
		},
	},
	{
		.hook = NVP_HOOK_DBL_SWALLOWED,
		.shown = {
			.name = "doorbell-write-swallowed",
			.sentence = "every nth write of a submission queue doorbell is not seen",
			.section = "NVMe PCIe Transport 1.0, 3.1.2.1",
			.area = "doorbell",
			.parameters = "nth=8",
		},
	},
	{
		.hook = NVP_HOOK_DBL_STRAY_KILLS,
		.shown = {
			.name = "doorbell-stray-stops-queue",
			.sentence = "a write to a doorbell of no queue stops queue 1",
			.section = "NVMe PCIe Transport 1.0, 3.1.2.1",
			.area = "doorbell",
		},
	},
	{
		.hook = NVP_HOOK_QUE_LAST_UNSERVED,
		.shown = {
			.name = "last-queue-not-served",
			.sentence = "commands of the I/O submission queue with the highest identifier are never fetched",
			.section = "NVMe Base 2.0, 3.4.4",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_FULL_LOST,
		.shown = {
			.name = "full-queue-loses-a-command",
			.sentence = "the oldest command of a submission queue that has become full is skipped",
			.section = "NVMe Base 2.0, 3.3.1.2.1 (Full Queue)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_QUE_PRIORITY_REFUSED,
		.shown = {
			.name = "create-sq-priority-refused",
			.sentence = "a queue priority other than 00b is refused although it does not count",
			.section = "NVMe Base 2.0, 5.5 (QPRIO)",
			.area = "queue",
		},
	},
	{
		.hook = NVP_HOOK_ARB_URGENT_IGNORED,
		.shown = {
			.name = "arbitration-urgent-ignored",
			.sentence = "urgent queues are served like those of high priority",
			.section = "NVMe Base 2.0, 3.4.4.2",
			.area = "arbitration",
		},
	},
	{
		.hook = NVP_HOOK_ARB_WEIGHTS_IGNORED,
		.shown = {
			.name = "arbitration-weights-ignored",
			.sentence = "weighted round robin takes all weights as equal",
			.section = "NVMe Base 2.0, 3.4.4.2",
			.area = "arbitration",
		},
	},
	{
		.hook = NVP_HOOK_ARB_ADMIN_LAST,
		.shown = {
			.name = "arbitration-starves-admin",
			.sentence = "an admin command is fetched when no I/O command is left",
			.section = "NVMe Base 2.0, 3.4.4.1",
			.area = "arbitration",
		},
	},
	{
		.hook = NVP_HOOK_QUE_ENTRY_SIZE_OK,
		.shown = {
			.name = "create-queue-entry-size-unchecked",
			.sentence = "a queue is created although CC gives no size of its entries",
			.section = "NVMe Base 2.0, 5.4 and 5.5 (Invalid Queue Size)",
			.area = "queue",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
