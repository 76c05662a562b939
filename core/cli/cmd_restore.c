// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof restore DIR`: give back what a run changed that died before it could.

#include <nvproof/drive_ops.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/cli/open_undos.h"
#include "core/cli/output.h"
#include "core/cli/run_with.h"
#include "core/run/log.h"
#include "core/run/slot.h"

/* Lines or members of what happened to each change. */
struct told {
	struct nvp_text out;
	size_t nr_failed;
	bool json;
};

static void tell(struct told *t, const struct nvp_undo *undo, const char *why)
{
	t->nr_failed += why != NULL;
	if (!t->json) {
		nvp_text_addf(&t->out, "%s  %s%s%s\n", why ? "NOT RESTORED" : "restored    ",
			      undo->what, why ? ": " : "", why ? why : "");
		return;
	}
	nvp_json_begin(&t->out, NULL, '{');
	nvp_json_string(&t->out, "what", undo->what);
	nvp_json_bool(&t->out, "ok", !why);
	if (why)
		nvp_json_string(&t->out, "text", why);
	nvp_json_end(&t->out, '}');
}

static int note_undone(struct nvp_log *log, const char *serial, const struct nvp_undo *undo,
		       const char *why)
{
	struct nvp_text members = { 0 };
	int rc;

	nvp_json_u64(&members, "id", undo->id);
	nvp_json_bool(&members, "ok", !why);
	if (why)
		nvp_json_string(&members, "text", why);
	rc = nvp_log_add(log, NVP_EVENT_UNDONE, 0, serial, NULL, nvp_text_str(&members));
	nvp_text_free(&members);
	return rc ? rc : nvp_log_sync(log);
}

/* The last change first. Each is in the file before the next is sent. */
static int give_back(struct nvp_program *p, struct nvp_drive *drive, struct nvp_open_undos *u,
		     struct told *told)
{
	struct nvp_log log;
	int rc = nvp_log_continue(&log, p->operand[0], u->lines, u->bytes, &p->err);

	for (size_t i = u->nr; i-- > 0 && !rc;) {
		char why[200];
		bool failed = nvp_undo_replay(drive, &u->list[i], why, sizeof(why)) != 0;

		tell(told, &u->list[i], failed ? why : NULL);
		rc = note_undone(&log, u->serial, &u->list[i], failed ? why : NULL);
		if (rc)
			nvp_err_set(&p->err, NVP_ERR_BROKEN, rc, "write %s/events.jsonl: %s",
				    p->operand[0], strerror(-rc));
	}
	nvp_log_close(&log);
	if (!rc && told->nr_failed) {
		rc = nvp_err_set(&p->err, NVP_ERR_BROKEN, -EPROTO,
				 "%zu of %zu changes could NOT be given back to serial %s",
				 told->nr_failed, u->nr, u->serial);
		nvp_err_advice(&p->err, "set them by hand, as listed");
	}
	return rc;
}

/* The drive of the run and no other, allowed and free. */
static int check(struct nvp_program *p, const struct nvp_prepared *prepared,
		 const struct nvp_open_undos *u, const struct nvp_run_request *request)
{
	char in_use[160] = "";
	struct nvp_safety drive = {
		.address = u->address, .serial = nvp_prepared_serial(prepared),
		.in_use_text = in_use,
	};

	if (strcmp(drive.serial, u->serial)) {
		nvp_err_set(&p->err, NVP_ERR_REFUSED, -EPERM,
			    "refused: %.100s is another drive than the run's", u->address);
		nvp_err_expected(&p->err, "serial %s", u->serial);
		nvp_err_seen(&p->err, "serial %s", drive.serial);
		return -EPERM;
	}
	if (nvp_prepared_is_simulated(prepared))
		return 0;
	if (!request->allow) {
		nvp_err_set(&p->err, NVP_ERR_REFUSED, -EPERM,
			    "refused: giving back changes %.100s (serial %s)", u->address,
			    u->serial);
		nvp_err_advice(&p->err, "give --allow state --serial %s; formats need erase too",
			       u->serial);
		return -EPERM;
	}
	drive.in_use = nvp_prepared_in_use(prepared, in_use, sizeof(in_use));
	return nvp_safety_judge(&drive, request, &p->err);
}

static int restore(struct nvp_program *p, struct nvp_open_undos *u,
		   const struct nvp_run_request *request, struct told *told)
{
	struct nvp_prepared *prepared = nvp_drive_prepare(u->address, u->seed, 0, &p->err);
	struct nvp_drive *drive = NULL;
	int rc = -EIO;

	if (!prepared)
		return -EIO;
	if (!check(p, prepared, u, request))
		drive = nvp_drive_open(prepared, NULL, request->timeout_scale, &p->err);
	if (drive) {
		nvp_drive_permit(drive, nvp_prepared_is_simulated(prepared) ? UINT32_MAX :
									      request->allow);
		rc = give_back(p, drive, u, told);
		nvp_drive_close(drive);
	}
	nvp_drive_discard(prepared);
	return rc;
}

static int print(struct nvp_program *p, const struct nvp_open_undos *u, const struct told *told)
{
	struct nvp_text out = { 0 };
	int code;

	if (told->json) {
		nvp_json_begin(&out, NULL, '{');
		nvp_json_string(&out, "schema", "nvproof.restore/1");
		nvp_json_string(&out, "address", u->address);
		nvp_json_string(&out, "serial", u->serial);
		nvp_json_begin(&out, "changes", '[');
		nvp_text_add(&out, nvp_text_str(&told->out));
		nvp_json_end(&out, ']');
		nvp_json_end(&out, '}');
		code = nvp_put_json(p, &out);
	} else {
		if (!u->nr)
			nvp_text_addf(&out, "%s: every change was given back\n", p->operand[0]);
		nvp_text_add(&out, nvp_text_str(&told->out));
		code = nvp_put_result(p, &out);
	}
	nvp_text_free(&out);
	return code;
}

int nvp_cmd_restore(struct nvp_program *p)
{
	struct nvp_run_request request;
	struct nvp_open_undos undos = { 0 };
	struct told told = { .json = p->options.json };
	int code = 0;

	if (nvp_run_request_of(p, &request) ||
	    nvp_open_undos_read(&undos, p->operand[0], &p->err) ||
	    (undos.nr && restore(p, &undos, &request, &told)))
		code = nvp_err_exit_code(p->err.kind);
	if (!code || told.out.length)
		code = nvp_worse_exit_code(code, print(p, &undos, &told));
	nvp_open_undos_free(&undos);
	nvp_text_free(&told.out);
	return code;
}
