/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runner: from a request to verdicts, one worker process for each drive. */
#ifndef NVP_RUN_RUN_H
#define NVP_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/case.h>
#include <nvproof/err.h>

struct nvp_campaign_options;	/* nvproof/power.h */

/* Every case that is linked in (the list that make generates) or was loaded. */
struct nvp_registry;
/* Checks ABI, duplicates, missing texts, areas, unknown defects are left to tests. NULL and *err. */
struct nvp_registry *nvp_registry_new(const struct nvp_suite *const *suites, struct nvp_err *err);
void nvp_registry_free(struct nvp_registry *registry);
size_t nvp_registry_nr(const struct nvp_registry *registry);
/* Ascending by id; a case with variants stands once for each (id "base@variant"). */
const struct nvp_case *nvp_registry_case(const struct nvp_registry *registry, size_t i);
const char *nvp_registry_id(const struct nvp_registry *registry, size_t i);
/* The skip reason of needs against facts stands in the case.end event; the words for lists: */
void nvp_needs_text(uint64_t needs, char *text, size_t bytes);	/* "registers, own queues" */
void nvp_impact_text(uint32_t impact, char *text, size_t bytes);	/* "state, data" */

/* --allow "state,data": -EINVAL with the nearest word. "all" never includes permanent. */
int nvp_impact_parse(const char *list, uint32_t *impact, struct nvp_err *err);

enum nvp_trace_mode { NVP_TRACE_FAIL = 0, NVP_TRACE_ALL, NVP_TRACE_NONE };

/* What a plan says of single cases; all strings borrowed. */
struct nvp_case_rule {
	const char *where;		/* "my.plan:3", for errors */
	const char *glob;		/* of ids; NULL: the section has none, which is an error */
	unsigned repeat;		/* 0: as often as the others */
	const char *variants;		/* "a, b": only these; NULL: all */
};

/* What to run; all strings borrowed. Zero-initialised plus addresses is a valid request. */
struct nvp_run_request {
	const char *const *addresses;	/* drives, nr_drives of them */
	size_t nr_drives;
	const char *const *globs;	/* case ids; none: all */
	size_t nr_globs;
	uint32_t allow;			/* NVP_IMPACT_*; ignored on sim: (everything is allowed) */
	const char *const *serials;	/* confirmed serial numbers */
	size_t nr_serials;
	bool force;
	bool shuffle;			/* by the seed */
	bool stop_on_fail;
	uint64_t seed;
	unsigned timeout_scale;		/* 0 counts as 1 */
	unsigned wear_limit_percent;	/* no data is destroyed on a real drive that has used so much */
	enum nvp_trace_mode trace;
	const char *policy;		/* NULL, "sane", "strict" */
	const char *const *waive_files;
	size_t nr_waive_files;
	const char *out_dir;		/* NULL: nvproof-runs/TIME-SERIAL */
	int argc;
	char *const *argv;		/* for run.begin, under host */
	unsigned repeat;		/* how often each case runs; 0 counts as 1 */
	uint64_t max_wall_ns;		/* no case begins after so much; 0: no limit */
	const char *const *ids;		/* none but these cases, by exact id; nr_ids 0: no limit */
	size_t nr_ids;
	const char *expected_serial;	/* of the one drive; NULL: any */
	/*
	 * Program called with the drive's run directory and the case id, after the first case.end of
	 * each case that is a fail and not waived, while the drive stands still; NULL: none.
	 */
	const char *on_fail;
	const struct nvp_case_rule *rules;	/* the last that fits counts */
	size_t nr_rules;
	const char *golden;		/* golden Identify file; NULL: none */
	const struct nvp_campaign_options *campaign;	/* for nvp_rig; NULL: none */
	uint32_t spec_version;		/* NVP_VERSION that expectations follow; 0: the drive's own */
};

/*
 * Where events go beside the file: called in the supervisor after the line is in events.jsonl
 * (DESIGN section 2, "a verdict is printed after its case.end was written"). line has no newline.
 * drive is the place on the command line, dir that drive's run directory.
 */
struct nvp_run_sink {
	void *context;
	void (*event)(void *context, unsigned drive, const char *dir, const char *line);
	/* Everything of this drive is written; make run.json and junit.xml. 0 or a negative errno. */
	int (*drive_done)(void *context, unsigned drive, const char *dir);
	/* All drives are done; top is the directory above when there are several, else the same. */
	int (*all_done)(void *context, const char *top);
};

/*
 * Run. Returns the exit code of DESIGN section 2 (0 1 2 3 4 130 143); *err has the line for the
 * user when it is one that an error explains. Ctrl-C is handled inside.
 */
int nvp_run(const struct nvp_registry *registry, const struct nvp_run_request *request,
	    const struct nvp_run_sink *sink, struct nvp_err *err);

#endif
