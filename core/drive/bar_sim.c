// SPDX-License-Identifier: GPL-2.0-or-later
// The simulated drive behind the BAR contract: a thin adapter to core/sim.

#include <errno.h>

#include "core/drive/controller.h"
#include "core/sim/sim.h"

static void *sim_open(const struct nvp_bar_open *open, struct nvp_err *err)
{
	return nvp_sim_new(open->prepared, err);
}

static void sim_close(void *bar)
{
	nvp_sim_free(bar);
}

static uint64_t sim_read(void *bar, uint64_t offset, unsigned bytes)
{
	return nvp_sim_bar_read(bar, offset, bytes);
}

static void sim_write(void *bar, uint64_t offset, unsigned bytes, uint64_t value)
{
	nvp_sim_bar_write(bar, offset, bytes, value);
}

static uint64_t sim_bar_bytes(void *bar)
{
	return nvp_sim_bar_bytes(bar);
}

/* A function that does not answer reads as all-ones, there as here. */
static int sim_config_read(void *bar, unsigned offset, unsigned bytes, uint32_t *value)
{
	*value = nvp_sim_config_read(bar, offset, bytes);
	return 0;
}

static int sim_config_write(void *bar, unsigned offset, unsigned bytes, uint32_t value)
{
	nvp_sim_config_write(bar, offset, bytes, value);
	return 0;
}

static int sim_dma_map(void *bar, void *va, size_t bytes, uint64_t *iova)
{
	return nvp_sim_dma_map(bar, va, bytes, iova);
}

static int sim_dma_unmap(void *bar, uint64_t iova)
{
	return nvp_sim_dma_unmap(bar, iova);
}

static uint64_t sim_dma_faults(void *bar, struct nvp_dma_fault *last)
{
	return nvp_sim_dma_faults(bar, last);
}

static unsigned sim_nr_vectors(void *bar)
{
	return nvp_sim_nr_vectors(bar);
}

static bool sim_vector_take(void *bar, unsigned vector)
{
	return nvp_sim_vector_take(bar, vector);
}

static uint32_t sim_resets(void *bar)
{
	(void)bar;
	return 1u << NVP_RESET_FUNCTION | 1u << NVP_RESET_HOT | 1u << NVP_RESET_LINK |
	       1u << NVP_RESET_D3;
}

static int sim_reset(void *bar, enum nvp_reset kind, struct nvp_err *err)
{
	int rc = nvp_sim_reset(bar, kind);

	if (rc)
		nvp_err_set(err, NVP_ERR_UNSUPPORTED, rc, "the simulated drive cannot do reset %d",
			    kind);
	return rc;
}

/* PCI Command: memory space and bus master (PCI Local Bus 3.0, 6.2.2); MSI-X Enable. */
#define PCI_ID		 0x00
#define PCI_COMMAND	 0x04
#define PCI_COMMAND_ON	 0x6u
#define PCI_CAPABILITIES 0x34
#define CAP_MSIX	 0x11
#define MSIX_ENABLE	 0x8000u
#define PROBE_NS	 NVP_NS_PER_MS
#define MAX_CAPABILITIES 48
#define MSIX_ENTRY_BYTES 16u

/* Address and data of a message say nothing here: a vector that fires is seen by vector_take. */
static void unmask_vectors(struct nvp_sim *sim, unsigned capability)
{
	uint32_t table = nvp_sim_config_read(sim, capability + 4, 4) & ~7u;

	for (unsigned v = 0; v < nvp_sim_nr_vectors(sim); v++)
		nvp_sim_bar_write(sim, table + v * MSIX_ENTRY_BYTES + 12, 4, 0);
}

static void enable_msix(struct nvp_sim *sim)
{
	unsigned at = nvp_sim_config_read(sim, PCI_CAPABILITIES, 1) & 0xfc;

	for (unsigned i = 0; at >= 0x40 && i < MAX_CAPABILITIES; i++) {
		if (nvp_sim_config_read(sim, at, 1) == CAP_MSIX) {
			uint32_t control = nvp_sim_config_read(sim, at + 2, 2);

			nvp_sim_config_write(sim, at + 2, 2, control | MSIX_ENABLE);
			unmask_vectors(sim, at);
			return;
		}
		at = nvp_sim_config_read(sim, at + 1, 1) & 0xfc;
	}
}

static int sim_reattach(void *bar, uint64_t until_ns, struct nvp_err *err)
{
	const struct nvp_clock *clock = nvp_sim_clock(bar);

	while (nvp_sim_config_read(bar, PCI_ID, 4) == UINT32_MAX) {
		if (nvp_clock_now_ns(clock) >= until_ns)
			return nvp_err_set(err, NVP_ERR_BROKEN, -ETIMEDOUT,
					   "configuration space reads all-ones");
		nvp_clock_pass(clock, PROBE_NS);
	}
	nvp_sim_config_write(bar, PCI_COMMAND, 2,
			     nvp_sim_config_read(bar, PCI_COMMAND, 2) | PCI_COMMAND_ON);
	enable_msix(bar);
	return 0;
}

static const struct nvp_clock *sim_clock(void *bar)
{
	return nvp_sim_clock(bar);
}

static void *sim_prepare(const char *address, uint64_t seed, unsigned position, struct nvp_err *err)
{
	return nvp_sim_arena_new(address, seed, position, err);
}

static void sim_discard(void *prepared)
{
	nvp_sim_arena_free(prepared);
}

static const char *sim_prepared_serial(void *prepared)
{
	return nvp_sim_arena_serial(prepared);
}

static const char *sim_prepared_model(void *prepared)
{
	return nvp_sim_arena_model(prepared);
}

static int sim_power(void *bar, bool on)
{
	return nvp_sim_power(bar, on);
}

#define SIM_HELP "sim: or sim:key=value,...   a simulated drive, for instance sim:size=1G,ns=2"

const struct nvp_bar_ops nvp_bar_sim = {
	.scheme = "sim",
	.help = SIM_HELP,
	.open = sim_open,
	.close = sim_close,
	.read = sim_read,
	.write = sim_write,
	.bar_bytes = sim_bar_bytes,
	.config_read = sim_config_read,
	.config_write = sim_config_write,
	.dma_map = sim_dma_map,
	.dma_unmap = sim_dma_unmap,
	.dma_faults = sim_dma_faults,
	.nr_vectors = sim_nr_vectors,
	.vector_take = sim_vector_take,
	.resets = sim_resets,
	.reset = sim_reset,
	.reattach = sim_reattach,
	.clock = sim_clock,
	.prepare = sim_prepare,
	.discard = sim_discard,
	.prepared_serial = sim_prepared_serial,
	.prepared_model = sim_prepared_model,
	.power = sim_power,
};

static void *drive_open(const struct nvp_drive_open *open, struct nvp_err *err)
{
	void *controller = nvp_controller_open(&nvp_bar_sim, open, NVP_PATH_SIMULATED, err);

	/* Like a bus driver: memory space, bus master and MSI-X on before anything else. */
	if (controller && nvp_controller_reattach(controller, 0, err)) {
		nvp_controller_close(controller);
		return NULL;
	}
	return controller;
}

const struct nvp_drive_ops nvp_drive_sim = {
	.name = "sim",
	.help = SIM_HELP,
	.open = drive_open,
	NVP_CONTROLLER_SLOTS,
};
