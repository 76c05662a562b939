/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is this machine ready for real drives? What it says about itself, judged line by line. */
#ifndef NVP_CLI_DOCTOR_H
#define NVP_CLI_DOCTOR_H

#include <stddef.h>

enum nvp_health {
	NVP_HEALTH_OK = 0,
	NVP_HEALTH_WARN,	/* something will be skipped, or slower */
	NVP_HEALTH_BAD,		/* a drive that is there cannot be used */
};

struct nvp_diagnosis {
	const char *what;	/* "kernel", static */
	enum nvp_health health;
	char seen[160];
	const char *mend;	/* a command, static; NULL when there is nothing to mend */
};

#define NVP_DIAGNOSES_MOST 16

/* Looks below root ("" for the real one: /sys, /proc, /dev). Opens no drive. How many lines. */
size_t nvp_doctor(const char *root, struct nvp_diagnosis lines[NVP_DIAGNOSES_MOST]);

#endif
