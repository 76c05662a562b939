/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.jsonl of one drive: written by the supervisor alone, line by line, each of them whole. */
#ifndef NVP_RUN_LOG_H
#define NVP_RUN_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <nvproof/err.h>
#include <nvproof/event.h>

#include "core/base/text.h"

struct nvp_log {
	int fd;
	uint64_t seq;		/* of the next line */
	uint64_t bytes;		/* written so far, whole lines */
	int error;		/* negative errno of the write that failed; nothing is written after it */
	struct nvp_text line;	/* the last line, without its newline */
};

/* Create DIR/events.jsonl, which must not exist. 0 or a negative errno with *err (broken). */
int nvp_log_open(struct nvp_log *log, const char *dir, struct nvp_err *err);
/*
 * Go on with the file of a run that ended: lines whole lines of bytes bytes stay, a torn end is cut
 * off. Errors as above.
 */
int nvp_log_continue(struct nvp_log *log, const char *dir, uint64_t lines, uint64_t bytes,
		     struct nvp_err *err);
void nvp_log_close(struct nvp_log *log);

/*
 * Add one event: the common keys, then members (JSON without braces). drive and id (of the case)
 * may be NULL. 0 when the line is whole in the file, then log->line holds it; else a negative
 * errno, and the file ends with the line before.
 */
int nvp_log_add(struct nvp_log *log, enum nvp_event_type type, uint64_t t_ns, const char *drive,
		const char *id, const char *members);
/* What was added survives a loss of power of this machine. 0 or a negative errno. */
int nvp_log_sync(struct nvp_log *log);

#endif
