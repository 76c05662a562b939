/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside a worker: its state, and how the drive is brought back between two cases. */
#ifndef NVP_RUN_WORKER_H
#define NVP_RUN_WORKER_H

#include <nvproof/power.h>

#include "core/run/slot.h"

struct nvp_worker {
	struct nvp_slot *slot;		/* a copy: what is changed here the supervisor does not see */
	int fd;
	struct nvp_drive *drive;
	struct nvp_t t;
	struct nvp_t_out out;
	struct nvp_observer observer;
	uint64_t beats;
	bool in_case;
	bool limp;			/* the drive does not come to its baseline */
	char limp_why[300];
	struct nvp_campaign_options campaign;	/* as asked for, over the keeper's relay */
	char relay[24];
};

/* worker.c */
uint64_t nvp_worker_now_ns(const struct nvp_worker *w);
void nvp_worker_event(struct nvp_worker *w, enum nvp_event_type type, const char *members);
void nvp_worker_note(struct nvp_worker *w, const char *level, const char *text);
/* Tell that an undo was tried; one that succeeded is no longer open. */
void nvp_worker_undone(struct nvp_worker *w, const struct nvp_undo *undo, bool ok,
		       const char *text);

/* settle.c */

/* The door's reason for rc, or the errno's; returns text. */
const char *nvp_worker_door_text(const struct nvp_worker *w, int rc, char *text, size_t bytes);
/*
 * On a drive that was opened or brought back: replay open undos, then take the snapshot, or
 * compare with it and give back. 0, -ENOTRECOVERABLE when that cannot be done, or an errno of
 * the door; why says it.
 */
int nvp_worker_recover(struct nvp_worker *w, char *why, size_t bytes);
/* Of a drive that limps: try once more. */
void nvp_worker_try_baseline(struct nvp_worker *w);
/*
 * After a case: back to where the next may begin; what it left behind makes it broken, unless it
 * has its verdict. 0, or a negative errno when the drive is not fit for another case; why says it.
 */
int nvp_worker_settle(struct nvp_worker *w, uint32_t impact, char *why, size_t bytes);
/* The same once more for what was done behind it, without a word about the case. */
int nvp_worker_settle_again(struct nvp_worker *w, char *why, size_t bytes);

#endif
