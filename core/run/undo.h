/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run changed and has to give back, and how it does. */
#ifndef NVP_RUN_UNDO_H
#define NVP_RUN_UNDO_H

#include <nvproof/drive.h>

#define NVP_UNDO_TEXT_BYTES 120

/* A change that has to be given back: the admin command that does so. */
struct nvp_undo {
	uint64_t id;		/* unique on one drive, from 1 */
	struct nvp_sqe sqe;
	char what[NVP_UNDO_TEXT_BYTES];
};

/*
 * Send the command of an undo. 0, or a negative errno with the reason in text: it did not travel,
 * or -EPROTO: the drive refused it.
 */
int nvp_undo_replay(struct nvp_drive *drive, const struct nvp_undo *undo, char *text,
		    size_t bytes);

#endif
