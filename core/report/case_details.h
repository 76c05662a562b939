/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks, notes, measures and trace of one case: collected while it runs, thinned when it ends. */
#ifndef NVP_REPORT_CASE_DETAILS_H
#define NVP_REPORT_CASE_DETAILS_H

#include "core/report/model.h"

/* Add what a check, note, measure, finding or trace event says; memory: open->scratch.failed. */
void nvp_details_take(struct nvp_open_case *open, const struct nvp_event *event);

/*
 * Copy into pool what is worth keeping: failed checks (or all), notes, measures, and of the trace
 * what led to the first failed check, else the last lines, at most NVP_TRACE_LINES_SHOWN. A passing or
 * skipped case keeps no trace.
 */
void nvp_details_keep(const struct nvp_open_case *open, struct nvp_case_result *result,
		      bool keep_all, struct nvp_pool *pool);
void nvp_details_clear(struct nvp_open_case *open);	/* for the next case */
void nvp_details_free(struct nvp_open_case *open);

/* "NVMe Base 2.0, 5.17.2.1 VER" of the member "spec" of the event; nothing when it has none. */
void nvp_details_spec(const struct nvp_event *event, struct nvp_text *out);

#endif
