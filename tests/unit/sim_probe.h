/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short scripts over the simulated drive that write down what a host sees, line by line. */
#ifndef NVP_TESTS_SIM_PROBE_H
#define NVP_TESTS_SIM_PROBE_H

#include "core/base/text.h"
#include "tests/unit/sim_host.h"

/* Each line is "LABEL: what was seen". A script runs on a drive of its own. */
struct sim_probe {
	const char *name;
	const char *address;	/* without defects */
	void (*run)(struct sim_host *h, struct nvp_text *out);
};

extern const struct sim_probe sim_probes_admin[];	/* each ended by a NULL name */
extern const struct sim_probe sim_probes_io[];
extern const struct sim_probe sim_probes_queue[];
extern const struct sim_probe sim_probes_optional[];
extern const struct sim_probe sim_probes_power[];
extern const struct sim_probe sim_probes_erase[];
extern const struct sim_probe sim_probes_transfer[];
extern const struct sim_probe sim_probes_protection[];
extern const struct sim_probe sim_probes_interrupt[];
extern const struct sim_probe sim_probes_manage[];
extern const struct sim_probe sim_probes_ocp[];
extern const struct sim_probe sim_probes_persistent[];
extern const struct sim_probe sim_probes_namespace[];

/*
 * Each defect of power against the lines of the power scripts that it changes, as in
 * test_sim_defects.c. Ended by a NULL name.
 */
extern const struct sim_probe_expected {
	const char *defect, *differs;
} sim_expected_power[];

/* One line of a completion and, when bytes is not 0, of a checksum over that much of h->data. */
void sim_probe_line(struct sim_host *h, struct nvp_text *out, const char *label,
		    struct nvp_cpl cpl, size_t bytes);
void sim_probe_value(struct nvp_text *out, const char *label, uint64_t value);

#endif
