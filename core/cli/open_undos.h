/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run changed on its drive and has not given back, from the events that it left. */
#ifndef NVP_CLI_OPEN_UNDOS_H
#define NVP_CLI_OPEN_UNDOS_H

#include <stddef.h>
#include <stdint.h>

#include "core/run/undo.h"

struct nvp_open_undos {
	char address[256], serial[64];	/* of the drive; empty when it was never opened */
	uint64_t seed;			/* of the run: a simulated drive gets its serial from it */
	struct nvp_undo *list;		/* in the order of the changes */
	size_t nr, room;
	uint64_t lines, bytes;		/* of events.jsonl, up to a torn end */
};

/*
 * Read DIR/events.jsonl; what stands before a torn end counts. 0; or a negative errno and *err
 * (usage: it is no run directory of one drive). nvp_open_undos_free in both cases.
 */
int nvp_open_undos_read(struct nvp_open_undos *undos, const char *dir, struct nvp_err *err);
void nvp_open_undos_free(struct nvp_open_undos *undos);

#endif
