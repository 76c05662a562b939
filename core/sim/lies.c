// SPDX-License-Identifier: GPL-2.0-or-later
// A drive that lies about how much there is: numbers of entries and lengths in what it tells of itself.

#include "core/sim/mechanism.h"

#include "core/base/bits.h"

/* Where they stand: NVMe Base 2.0, 5.16.1 (logs) and 5.17.2 (Identify); NVM Command Set 1.0, 4.1.5; OCP 2.0, 4.8. */
static const struct {
	bool log;
	uint8_t id; /* CNS or LID */
	uint16_t offset;
	uint8_t bytes;
} numbers[] = {
	{ false, 0x03, 1, 1 },	 /* NIDL of the first descriptor */
	{ false, 0x03, 0, 1 },	 /* NIDT */
	{ false, 0x00, 25, 1 },	 /* NLBAF */
	{ false, 0x00, 26, 1 },	 /* FLBAS: which of them */
	{ false, 0x00, 130, 1 }, /* LBADS of format 0 */
	{ false, 0x00, 128, 2 }, /* MS of format 0 */
	{ false, 0x00, 0, 8 },	 /* NSZE */
	{ false, 0x01, 77, 1 },	 /* MDTS */
	{ false, 0x01, 259, 1 }, /* AERL */
	{ false, 0x01, 260, 1 }, /* FRMW: slots */
	{ false, 0x01, 262, 1 }, /* ELPE */
	{ false, 0x01, 263, 1 }, /* NPSS */
	{ false, 0x01, 512, 1 }, /* SQES */
	{ false, 0x01, 516, 4 }, /* NN */
	{ false, 0x01, 540, 4 }, /* MNAN */
	{ false, 0x02, 0, 4 },	 /* first of the active namespaces */
	{ false, 0x06, 0, 1 },	 /* VSL */
	{ false, 0x10, 0, 4 },	 /* first of the allocated namespaces */
	{ false, 0x12, 0, 2 },	 /* controllers of a namespace */
	{ false, 0x13, 0, 2 },	 /* controllers of the subsystem */
	{ false, 0x17, 32, 1 },	 /* first UUID */
	{ false, 0x1c, 0, 8 },	 /* command sets */
	{ true, 0x01, 0, 8 },	 /* error count of the newest entry */
	{ true, 0x03, 0, 1 },	 /* active slot */
	{ true, 0x04, 0, 4 },	 /* first of the changed namespaces */
	{ true, 0x06, 0, 1 },	 /* operation under way */
	{ true, 0x06, 4, 1 },	 /* result and code of the newest entry */
	{ true, 0x0d, 4, 4 },	 /* number of persistent events */
	{ true, 0x0d, 8, 8 },	 /* length of their log */
	{ true, 0x0d, 18, 2 },	 /* .. of its header */
	{ true, 0x0d, 514, 1 },	 /* .. of the header of the newest event */
	{ true, 0x0d, 532, 2 },	 /* .. of its vendor specific part */
	{ true, 0x0d, 534, 2 },	 /* .. of all that follows */
	{ true, 0x81, 0, 2 },	 /* SPROG */
	{ true, 0x81, 2, 2 },	 /* SSTAT */
	{ true, 0xc1, 0, 2 },	 /* OCP error recovery: panic reset wait time */
	{ true, 0xc4, 0, 2 },	 /* OCP capabilities: PCIe ports */
	{ true, 0xc5, 0, 2 },	 /* OCP unsupported requirements: how many */
};

void nvp_lie_about_length(const struct nvp_sim *w, bool log, uint8_t id, uint8_t *data)
{
	uint64_t at, value;

	if (!nvp_defect(w, NVP_HOOK_LENGTH_LIES))
		return;
	at = nvp_defect_value(w, NVP_HOOK_LENGTH_LIES, "at", 0);
	value = nvp_defect_value(w, NVP_HOOK_LENGTH_LIES, "value", UINT64_MAX);
	if (at < NVP_ARRAY_SIZE(numbers) && numbers[at].log == log && numbers[at].id == id)
		nvp_put_le_n(data + numbers[at].offset, numbers[at].bytes, value);
}
