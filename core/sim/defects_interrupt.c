// SPDX-License-Identifier: GPL-2.0-or-later
// Defects of interrupts, their coalescing, and arbitration.

#include "core/sim/defects.h"

const struct nvp_defect_row nvp_defects_interrupt[] = {
	{
		.hook = NVP_HOOK_INT_VECTOR,
		.shown = {
			.name = "interrupt-wrong-vector",
			.sentence = "a completion fires the vector behind that of its queue",
			.section = "NVMe Base 2.0, 5.4 (IV)",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_TWO_VECTORS,
		.shown = {
			.name = "interrupt-on-two-vectors",
			.sentence = "a completion fires the vector behind that of its queue as "
				    "well",
			.section = "NVMe Base 2.0, 5.4 (IV)",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_SHARED,
		.shown = {
			.name = "interrupt-shared-vector-lost",
			.sentence = "only the first of the queues that share a vector raises it",
			.section = "NVMe Base 2.0, 5.4 (IV)",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_DISABLED,
		.shown = {
			.name = "interrupt-although-disabled",
			.sentence = "a completion queue with IEN=0 raises vector 0",
			.section = "NVMe Base 2.0, 5.4 (IEN)",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_EDGE,
		.shown = {
			.name = "interrupt-only-when-queue-was-empty",
			.sentence = "a completion raises an interrupt only when no older one is "
				    "still to be taken",
			.section = "NVMe PCIe Transport 1.0, 3.5.1",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_MASK,
		.shown = {
			.name = "interrupt-mask-ignored",
			.sentence = "vectors fire although the function mask is set",
			.section = "PCI Express Base 5.0, 6.1.4.5; NVMe PCIe Transport 1.0, 3.5.1",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_MASK_LOSES,
		.shown = {
			.name = "interrupt-lost-while-masked",
			.sentence = "the pending bit is set, and nothing is sent when the mask "
				    "goes",
			.section = "PCI Express Base 5.0, 6.1.4.5; NVMe PCIe Transport 1.0, 3.5.1",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_PENDING_STAYS,
		.shown = {
			.name = "interrupt-pending-bit-stays",
			.sentence = "the pending bit reads 1 although the interrupt was sent",
			.section = "PCI Express Base 5.0, 6.1.4.5; NVMe PCIe Transport 1.0, 3.5.1",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_PENDING_HIDDEN,
		.shown = {
			.name = "interrupt-pending-bit-missing",
			.sentence = "the Pending Bit Array reads 0",
			.section = "PCI Express Base 5.0, 6.1.4.5; NVMe PCIe Transport 1.0, 3.5.1",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_PENDING_TWICE,
		.shown = {
			.name = "interrupt-pending-sent-twice",
			.sentence = "an interrupt that was pending is sent again a little later",
			.section = "PCI Express Base 5.0, 6.1.4.5; NVMe PCIe Transport 1.0, 3.5.1",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_COALESCE_STUCK,
		.shown = {
			.name = "coalescing-never-ends",
			.sentence = "fewer completions than the threshold raise no interrupt, "
				    "whatever the time",
			.section = "NVMe Base 2.0, 5.27.1.6 (TIME)",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_COALESCE_IGNORED,
		.shown = {
			.name = "coalescing-ignored",
			.sentence = "every completion raises an interrupt at once although "
				    "coalescing is on",
			.section = "NVMe Base 2.0, 5.27.1.6",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_COALESCE_TIME,
		.shown = {
			.name = "coalescing-threshold-ignored",
			.sentence = "interrupts wait for the time although the threshold is "
				    "reached",
			.section = "NVMe Base 2.0, 5.27.1.6 (THR)",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_COALESCE_CD,
		.shown = {
			.name = "coalescing-disable-ignored",
			.sentence = "interrupts of a vector with CD=1 are coalesced",
			.section = "NVMe Base 2.0, 5.27.1.7 (CD)",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_INT_COALESCE_ADMIN,
		.shown = {
			.name = "coalescing-of-admin-queue",
			.sentence = "interrupts of the admin completion queue are coalesced",
			.section = "NVMe Base 2.0, 5.27.1.6",
			.area = "interrupt",
		},
	},
	{
		.hook = NVP_HOOK_ARB_STARVES,
		.shown = {
			.name = "arbitration-starves-queues",
			.sentence = "a queue is served only when those with a lower identifier "
				    "are empty",
			.section = "NVMe Base 2.0, 3.4.4.1",
			.area = "arbitration",
		},
	},
	{ .hook = NVP_HOOK_NONE }
};
