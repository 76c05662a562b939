// SPDX-License-Identifier: GPL-2.0-or-later
// `run --resume DIR` and `--failed-from DIR`: what an earlier run leaves to be run.

#include "core/cli/earlier.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cli/open_undos.h"
#include "core/report/model.h"

static int no_memory(struct nvp_err *err)
{
	return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "out of memory for the earlier run");
}

/* Going on would take the changed settings for the drive's own. */
static int check_restored(const char *dir, struct nvp_err *err)
{
	struct nvp_open_undos undos;
	int rc = nvp_open_undos_read(&undos, dir, err);

	if (!rc && undos.nr && strncmp(undos.address, "sim:", 4)) {
		rc = nvp_err_set(err, NVP_ERR_REFUSED, -EPERM,
				 "refused: %s changed serial %s and did not give it back: %s", dir,
				 undos.serial, undos.list[0].what);
		nvp_err_advice(err, "first nvproof restore %s", dir);
	}
	nvp_open_undos_free(&undos);
	return rc;
}

/* Has every round of this case its verdict? One that was cut off by a signal has none. */
static bool is_complete(const struct nvp_report *r, const char *id)
{
	uint64_t ended = 0, rounds = 1;

	for (size_t i = 0; i < r->nr_results; i++) {
		const struct nvp_case_result *c = &r->cases[i];

		if (!c->id || strcmp(c->id, id))
			continue;
		rounds = c->rounds > 1 ? c->rounds : 1;
		ended += c->ended && !c->interrupted;
	}
	return ended >= rounds;
}

static bool went_wrong(const struct nvp_report *r, const char *id)
{
	for (size_t i = 0; i < r->nr_results; i++) {
		const struct nvp_case_result *c = &r->cases[i];

		if (c->id && !strcmp(c->id, id) &&
		    (nvp_case_fails(c) || c->verdict == NVP_BROKEN))
			return true;
	}
	return false;
}

static int choose(struct nvp_earlier *e, bool resume, const char *dir, struct nvp_err *err)
{
	const struct nvp_report *r = e->report;

	for (size_t i = 0; i < r->nr_plan; i++) {
		bool take = resume ? !is_complete(r, r->plan[i]) : went_wrong(r, r->plan[i]);

		if (take && !nvp_words_add(&e->ids, r->plan[i]))
			return no_memory(err);
	}
	if (e->ids.nr)
		return 0;
	return nvp_err_set(err, NVP_ERR_USAGE, -ENOENT,
			   resume ? "%s: every case has its verdict, nothing is left to run" :
				    "%s: no case failed or was broken", dir);
}

static bool given(const struct nvp_options *options, const char *name)
{
	return options->origin[nvp_option_find(name) - nvp_option_table] == NVP_FROM_COMMAND_LINE;
}

static void fill(struct nvp_earlier *e, const struct nvp_program *p,
		 struct nvp_run_request *request)
{
	const struct nvp_options *o = &p->options;
	const struct nvp_report *r = e->report;

	e->address = r->drive.address;
	if (!request->nr_drives) {
		request->addresses = &e->address;
		request->nr_drives = 1;
	}
	request->ids = e->ids.word;
	request->nr_ids = e->ids.nr;
	request->expected_serial = r->drive.serial;
	if (!given(o, "seed"))
		request->seed = r->seed;
	if (!given(o, "shuffle"))
		request->shuffle = r->shuffle;
	if (!given(o, "policy"))
		request->policy = r->policy;
	if (!given(o, "spec"))
		request->spec_version = nvp_spec_version(r->spec);
	if (!given(o, "repeat") && r->nr_results && r->cases[0].rounds > 1)
		request->repeat = (unsigned)r->cases[0].rounds;
}

int nvp_earlier_read(struct nvp_earlier *e, struct nvp_program *p,
		     struct nvp_run_request *request)
{
	const struct nvp_options *o = &p->options;
	const char *dir = o->resume ? o->resume : o->failed_from;
	struct nvp_err torn = { 0 };

	if (!dir)
		return 0;
	if (o->resume && o->failed_from)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
				   "--resume and --failed-from exclude each other");
	if (request->nr_drives > 1)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
				   "%s is the run of one drive, %zu are named", dir,
				   request->nr_drives);
	e->report = nvp_report_new();
	if (!e->report)
		return no_memory(&p->err);
	/* A torn end is what an earlier run that died has: what stands before it counts. */
	if (nvp_report_read(e->report, dir, &torn)) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, torn.code,
			    "%s is no run directory of one drive: it has no events.jsonl", dir);
		return torn.code;
	}
	if (!e->report->nr_plan || !e->report->drive.address)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
				   "%s: its events do not say which cases and which drive", dir);
	if (check_restored(dir, &p->err))
		return p->err.code;
	if (choose(e, o->resume != NULL, dir, &p->err))
		return p->err.code;
	fill(e, p, request);
	return 0;
}

void nvp_earlier_free(struct nvp_earlier *e)
{
	nvp_report_free(e->report);
	free(e->ids.word);
}
