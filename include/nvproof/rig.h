/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rig: what one slot offers to a case beside its drive. */
#ifndef NVPROOF_RIG_H
#define NVPROOF_RIG_H

#include <nvproof/drive.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nvp_t;
struct nvp_pcie;	/* pcie.h */
struct nvp_relay;	/* power.h */
struct nvp_campaign_options;	/* power.h */

/* All borrowed for the case. A part that the rig does not have is NULL. */
struct nvp_rig {
	struct nvp_drive *drive;
	struct nvp_pcie *pcie;
	struct nvp_relay *relay;
	uint64_t seed;
	const uint32_t *end_asked;	/* not 0: a campaign ends with the cycle that runs; NULL */
	const struct nvp_campaign_options *campaign;	/* of the powerloss command; else NULL */
};

const struct nvp_rig *nvp_t_rig(struct nvp_t *t);

#ifdef __cplusplus
}
#endif
#endif
