// SPDX-License-Identifier: GPL-2.0-or-later
// PCI configuration space of the simulated function: header, power, MSI-X, PCI Express, AER.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/rand.h"
#include "core/sim/mechanism.h"

#define CFG_BYTES 4096

#define CAP_PM 0x40
#define CAP_MSIX 0x50
#define CAP_PCIE 0x70
#define EXT_AER 0x100
#define EXT_DSN 0x148
#define EXT_SECONDARY 0x158
#define EXT_DATA_LINK 0x188
#define EXT_PHY16 0x198

#define COMMAND_MEMORY 0x0002
#define COMMAND_MASTER 0x0004
#define MSIX_MASK_ALL 0x4000
#define MSIX_ENABLE 0x8000

struct nvp_config_state {
	uint8_t now[CFG_BYTES];
	uint8_t writable[CFG_BYTES];	/* mask: bits that keep what is written */
	uint8_t clears[CFG_BYTES];	/* mask: bits that a written 1 clears */
	uint8_t sticky[CFG_BYTES];	/* mask: bits that only loss of power resets */
};

static void set16(struct nvp_config_state *s, unsigned at, uint16_t value, uint16_t writable)
{
	nvp_put_le16(s->now + at, value);
	nvp_put_le16(s->writable + at, writable);
}

static void set32(struct nvp_config_state *s, unsigned at, uint32_t value, uint32_t writable)
{
	nvp_put_le32(s->now + at, value);
	nvp_put_le32(s->writable + at, writable);
}

/* Type 0 header (PCI Express Base, 7.5.1; class code NVMe PCIe Transport 1.0, 2.1). */
static void fill_header(struct nvp_config_state *s)
{
	set16(s, 0x00, NVP_SIM_VENDOR_ID, 0);
	set16(s, 0x02, NVP_SIM_DEVICE_ID, 0);
	set16(s, 0x04, 0, 0x0546);		/* memory, master, parity, SERR, INTx disable */
	set16(s, 0x06, 0x0010, 0);		/* capability list */
	nvp_put_le16(s->clears + 0x06, 0xf900);
	set32(s, 0x08, 0x01080201, 0);		/* NVM Express I/O controller, revision 1 */
	s->writable[0x0c] = 0xff;		/* cache line size: no effect */
	set32(s, 0x10, 0x00000004, ~(uint32_t)(NVP_BAR_BYTES - 1));	/* 64-bit memory */
	set32(s, 0x14, 0, 0xffffffff);
	set16(s, 0x2c, NVP_SIM_VENDOR_ID, 0);
	set16(s, 0x2e, 0x0001, 0);
	s->now[0x34] = CAP_PM;
	s->writable[0x3c] = 0xff;		/* interrupt line */
	s->now[0x3d] = 1;			/* INTA# */
}

static void fill_capabilities(struct nvp_config_state *s, unsigned nr_vectors)
{
	/* power management: version 3, D3hot, state is lost there (No_Soft_Reset = 0) */
	s->now[CAP_PM] = 0x01;
	s->now[CAP_PM + 1] = CAP_MSIX;
	set16(s, CAP_PM + 2, 0x0003, 0);
	set16(s, CAP_PM + 4, 0, 0x0003);

	s->now[CAP_MSIX] = 0x11;
	s->now[CAP_MSIX + 1] = CAP_PCIE;
	set16(s, CAP_MSIX + 2, (uint16_t)(nr_vectors - 1), MSIX_ENABLE | MSIX_MASK_ALL);
	set32(s, CAP_MSIX + 4, NVP_BAR_MSIX_TABLE, 0);
	set32(s, CAP_MSIX + 8, NVP_BAR_MSIX_PBA, 0);

	/* PCI Express: version 2, endpoint; 16 GT/s x4 (PCI Express Base, 7.5.3) */
	s->now[CAP_PCIE] = 0x10;
	set16(s, CAP_PCIE + 0x02, 0x0002, 0);
	set32(s, CAP_PCIE + 0x04, 0x10008fc2, 0);	/* 512 B, L0s/L1 no limit, RBER, FLR */
	set16(s, CAP_PCIE + 0x08, 0x2810, 0x7fff);	/* relaxed, no snoop; 512 B requests */
	s->writable[CAP_PCIE + 0x09] = 0x7f;
	nvp_put_le16(s->clears + CAP_PCIE + 0x0a, 0x000f);
	set32(s, CAP_PCIE + 0x0c, 0x00477844, 0);	/* 16 GT/s, x4, L1, clock PM, ASPM opt. */
	set16(s, CAP_PCIE + 0x10, 0, 0x03fb);
	set16(s, CAP_PCIE + 0x12, 0x1044, 0);		/* 16 GT/s, x4, slot clock */
	set32(s, CAP_PCIE + 0x24, 0x0000001f, 0);	/* completion timeout ranges A-D, disable */
	set16(s, CAP_PCIE + 0x28, 0, 0x041f);
	set32(s, CAP_PCIE + 0x2c, 0x0000001e, 0);	/* 2.5, 5, 8, 16 GT/s */
	set16(s, CAP_PCIE + 0x30, 0x0004, 0xffff);
	set16(s, CAP_PCIE + 0x32, 0x001e, 0);		/* equalization done, all phases */
}

static void extended(struct nvp_config_state *s, unsigned at, uint16_t id, unsigned version,
		     unsigned next)
{
	set32(s, at, id | version << 16 | next << 20, 0);
}

/* Extended capabilities: what a 16 GT/s endpoint has (PCI Express Base, 7.7 to 7.8). */
static void fill_extended(struct nvp_config_state *s, uint64_t serial)
{
	extended(s, EXT_AER, 0x0001, 2, EXT_DSN);
	nvp_put_le32(s->clears + EXT_AER + 0x04, 0x07fff030);	/* uncorrectable status */
	set32(s, EXT_AER + 0x08, 0x00400000, 0x07fff030);	/* mask */
	set32(s, EXT_AER + 0x0c, 0x00462030, 0x07fff030);	/* severity */
	nvp_put_le32(s->clears + EXT_AER + 0x10, 0x0000f1c1);	/* correctable status */
	set32(s, EXT_AER + 0x14, 0x0000e000, 0x0000f1c1);
	set32(s, EXT_AER + 0x18, 0x000000a0, 0x00000140);	/* ECRC capable */
	memset(s->sticky + EXT_AER + 4, 0xff, 0x28);

	extended(s, EXT_DSN, 0x0003, 1, EXT_SECONDARY);
	set32(s, EXT_DSN + 4, (uint32_t)serial, 0);
	set32(s, EXT_DSN + 8, (uint32_t)(serial >> 32), 0);
	extended(s, EXT_SECONDARY, 0x0019, 1, EXT_DATA_LINK);
	set32(s, EXT_SECONDARY + 4, 0, 0x00000003);
	nvp_put_le32(s->clears + EXT_SECONDARY + 8, 0x0000000f);	/* lane errors */
	extended(s, EXT_DATA_LINK, 0x0025, 1, EXT_PHY16);
	set32(s, EXT_DATA_LINK + 4, 0x80000001, 0x80000000);
	set32(s, EXT_DATA_LINK + 8, 0x80000001, 0);
	extended(s, EXT_PHY16, 0x0026, 1, 0);
	set32(s, EXT_PHY16 + 0x0c, 0x0000000f, 0);		/* equalization done */
}

static void fill(struct nvp_sim *w)
{
	struct nvp_config_state *s = w->cfg;

	memset(s, 0, sizeof(*s));
	fill_header(s);
	fill_capabilities(s, nvp_sim_nr_vectors(w));
	fill_extended(s, nvp_rand(w->arena->header->made_with_seed, "dsn", 0, 0));
	if (nvp_defect(w, NVP_HOOK_CFG_CAP_LOOP))
		s->now[CAP_PCIE + 1] = CAP_PM;
	if (nvp_defect(w, NVP_HOOK_CFG_LINK_SLOW))
		nvp_put_le16(s->now + CAP_PCIE + 0x12, 0x1021);
}

int nvp_config_new(struct nvp_sim *w)
{
	w->cfg = calloc(1, sizeof(*w->cfg));
	if (!w->cfg)
		return -ENOMEM;
	fill(w);
	return 0;
}

void nvp_config_free(struct nvp_sim *w)
{
	free(w->cfg);
	w->cfg = NULL;
}

/* Bits that keep their value over a Function Level Reset (PCI Express Base, 6.6.2). */
static void keep_over_flr(struct nvp_config_state *s, const struct nvp_config_state *old)
{
	static const struct { uint16_t at, bytes; } kept[] = {
		{ CAP_PCIE + 0x08, 1 },		/* Max_Payload_Size and neighbours */
		{ CAP_PCIE + 0x10, 2 },		/* Link Control */
		{ CAP_PCIE + 0x30, 2 },		/* Link Control 2 */
		{ EXT_SECONDARY + 4, 8 },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(kept); i++)
		memcpy(s->now + kept[i].at, old->now + kept[i].at, kept[i].bytes);
}

void nvp_config_reset(struct nvp_sim *w, bool function_only)
{
	struct nvp_config_state old = *w->cfg;
	struct nvp_config_state *s = w->cfg;

	fill(w);
	for (unsigned i = 0; i < CFG_BYTES; i++)
		s->now[i] = (s->now[i] & ~s->sticky[i]) | (old.now[i] & old.sticky[i]);
	if (function_only)
		keep_over_flr(s, &old);
	nvp_msix_reset(w);
}

static bool in_d0(const struct nvp_sim *w)
{
	return (w->cfg->now[CAP_PM + 4] & 3) == 0;
}

bool nvp_config_memory(const struct nvp_sim *w)
{
	return (w->cfg->now[4] & COMMAND_MEMORY) && in_d0(w);
}

bool nvp_config_master(const struct nvp_sim *w)
{
	return (w->cfg->now[4] & COMMAND_MASTER) && in_d0(w) && nvp_rail_link_up(w);
}

bool nvp_config_msix(const struct nvp_sim *w, bool *function_masked)
{
	uint16_t control = nvp_le16(w->cfg->now + CAP_MSIX + 2);

	*function_masked = control & MSIX_MASK_ALL;
	return control & MSIX_ENABLE;
}

static uint32_t all_ones(unsigned bytes)
{
	return bytes == 4 ? 0xffffffff : (1U << 8 * bytes) - 1;
}

uint32_t nvp_sim_config_read(struct nvp_sim *sim, unsigned offset, unsigned bytes)
{
	nvp_sim_tick(sim);
	if (!nvp_rail_link_up(sim) || offset + bytes > CFG_BYTES)
		return all_ones(bytes);
	return (uint32_t)nvp_le_n(sim->cfg->now + offset, bytes);
}

static void write_byte(struct nvp_config_state *s, unsigned at, uint8_t value)
{
	s->now[at] = (s->now[at] & ~s->writable[at]) | (value & s->writable[at]);
	s->now[at] &= ~(value & s->clears[at]);
}

void nvp_sim_config_write(struct nvp_sim *sim, unsigned offset, unsigned bytes, uint32_t value)
{
	struct nvp_config_state *s = sim->cfg;
	bool flr = false, was_d0;

	nvp_sim_tick(sim);
	if (!nvp_rail_link_up(sim) || offset + bytes > CFG_BYTES)
		return;
	was_d0 = in_d0(sim);
	for (unsigned i = 0; i < bytes; i++) {
		uint8_t byte = (uint8_t)(value >> 8 * i);

		/* Initiate Function Level Reset: bit 15 of Device Control, reads as 0 */
		if (offset + i == CAP_PCIE + 0x09)
			flr = byte & 0x80;
		write_byte(s, offset + i, byte);
	}
	if (flr)
		nvp_sim_reset(sim, NVP_RESET_FUNCTION);
	else if (!was_d0 && in_d0(sim))
		nvp_sim_reset(sim, NVP_RESET_D3);
	else {
		nvp_msix_unmasked(sim);
		nvp_queues_kick(sim);
	}
}
