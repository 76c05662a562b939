// SPDX-License-Identifier: GPL-2.0-or-later
// The kinds of drive that the simulator can be.

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/world.h"

static const struct nvp_profile profiles[] = {
	{
		.name = "enterprise",
		.model = "nvproof simulated drive E",
		.firmware = "NVPE1.0",
		.vwc = true,
		.plp = false,
		.max_namespaces = 16,
		.mqes_z = 1023,
		.nr_io_queues = 32,
		.mdts = 5,
		.awun_z = 7,
		.awupf_z = 7,
		.aerl_z = 7,
		.acl_z = 3,
		.elpe_z = 63,
		.nr_firmware_slots = 3,
		.nr_lba_formats = 5,
		.fna = 0x4,
		.sanicap = 0x40000007,
		.optional_commands = true,
		.ns_management = true,
		.weighted = true,
		.enable_ns = 20000000,
		.disable_ns = 2000000,
		.shutdown_ns = 5000000,
		.command_ns = 500,
		.read_ns = 60000,
		.cache_ns = 2000,
		.program_ns = 4000,
		.flush_ns = 20000,
		.rail_ns = { 200000, 5000000, 4000000, 30000000, 8000000, 2000000 },
		.to_500ms = 20,
	}, {
		.name = "minimal",
		.model = "nvproof simulated drive M",
		.firmware = "NVPM1.0",
		.vwc = false,
		.plp = false,
		.max_namespaces = 1,
		.mqes_z = 63,
		.nr_io_queues = 4,
		.mdts = 5,
		.awun_z = 0,
		.awupf_z = 0,
		.aerl_z = 3,
		.acl_z = 3,
		.elpe_z = 0,
		.nr_firmware_slots = 1,
		.nr_lba_formats = 1,
		.optional_commands = false,
		.enable_ns = 50000000,
		.disable_ns = 5000000,
		.shutdown_ns = 10000000,
		.command_ns = 1000,
		.read_ns = 90000,
		.cache_ns = 2000,
		.program_ns = 10000,
		.flush_ns = 5000,
		.rail_ns = { 300000, 3000000, 3500000, 60000000, 8000000, 2000000 },
		.to_500ms = 20,
	}, {
		.name = "client",
		.model = "nvproof simulated drive C",
		.firmware = "NVPC1.0",
		.vwc = true,
		.plp = false,
		.max_namespaces = 4,
		.mqes_z = 255,
		.nr_io_queues = 16,
		.mdts = 5,
		.awun_z = 7,
		.awupf_z = 0,
		.aerl_z = 3,
		.acl_z = 3,
		.elpe_z = 15,
		.nr_firmware_slots = 1,
		.nr_lba_formats = 2,
		.fna = 0x7,
		.sanicap = 0x40000003,
		.optional_commands = true,
		.fixed_coalescing = true,
		.enable_ns = 40000000,
		.disable_ns = 3000000,
		.shutdown_ns = 20000000,
		.command_ns = 800,
		.read_ns = 80000,
		.cache_ns = 2500,
		.program_ns = 8000,
		.flush_ns = 1500000,
		.rail_ns = { 400000, 2000000, 2500000, 60000000, 8000000, 2000000 },
		.to_500ms = 20,
	}, {
		/* What the OCP Datacenter NVMe SSD specification 2.0 asks for (ocp.c). */
		.name = "ocp",
		.model = "nvproof simulated drive O",
		.firmware = "NVPO1.0",
		.vwc = false,
		.plp = true,
		.max_namespaces = 16,
		.mqes_z = 1023,
		.nr_io_queues = 64,
		.mdts = 6,
		.awun_z = 7,
		.awupf_z = 7,
		.aerl_z = 7,
		.acl_z = 7,
		.elpe_z = 255,
		.nr_firmware_slots = 3,
		.nr_lba_formats = 2,
		.fna = 0x4,
		.sanicap = 0x40000003,
		.optional_commands = true,
		.ns_management = true,
		.weighted = true,
		.ocp = true,
		.enable_ns = 20000000,
		.disable_ns = 2000000,
		.shutdown_ns = 5000000,
		.command_ns = 500,
		.read_ns = 60000,
		.cache_ns = 2000,
		.program_ns = 4000,
		.flush_ns = 5000,
		.rail_ns = { 200000, 20000000, 10000000, 60000000, 8000000, 2000000 },
		.to_500ms = 20,
	},
};

static const char *const names[] = { "enterprise", "minimal", "client", "ocp", NULL };

const char *const *nvp_sim_profiles(void)
{
	return names;
}

const struct nvp_profile *nvp_profile_find(const char *name)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(profiles); i++)
		if (!strcmp(profiles[i].name, name))
			return &profiles[i];
	return NULL;
}
