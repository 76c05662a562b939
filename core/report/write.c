// SPDX-License-Identifier: GPL-2.0-or-later
// The files of a report: whole or not at all.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/report/model.h"

typedef int make_document(const struct nvp_report *const *reports, size_t nr,
			  struct nvp_text *out);

/* Written under a name of its own first: a full disk leaves the old file as it was. */
static int write_file(const char *path, const char *bytes, size_t nr_bytes, struct nvp_err *err)
{
	struct nvp_text fresh = { 0 };
	bool good;
	FILE *file;
	int code;

	nvp_text_addf(&fresh, "%s.new", path);
	file = fopen(nvp_text_str(&fresh), "we");
	good = file && fwrite(bytes, 1, nr_bytes, file) == nr_bytes;
	code = -errno;
	if (file && fclose(file)) {
		code = good ? -errno : code;
		good = false;
	}
	if (good && rename(nvp_text_str(&fresh), path)) {
		code = -errno;
		good = false;
	}
	if (!good && file)
		unlink(nvp_text_str(&fresh));
	nvp_text_free(&fresh);
	if (good)
		return 0;
	return nvp_err_set(err, NVP_ERR_BROKEN, code ? code : -EIO, "write %s: %s", path,
			   strerror(code ? -code : EIO));
}

static int write_document(const struct nvp_report *const *reports, unsigned nr, const char *path,
			  make_document *make, struct nvp_err *err)
{
	struct nvp_text text = { 0 };
	int rc = make(reports, nr, &text);

	if (rc)
		nvp_err_set(err, NVP_ERR_BROKEN, rc, "write %s: %s", path, strerror(-rc));
	else
		rc = write_file(path, nvp_text_str(&text), text.length, err);
	nvp_text_free(&text);
	return rc;
}

int nvp_report_write_junit(const struct nvp_report *const *reports, unsigned nr, const char *path,
			   struct nvp_err *err)
{
	return write_document(reports, nr, path, nvp_junit_add, err);
}

int nvp_report_write_totals(const struct nvp_report *const *reports, unsigned nr, const char *dir,
			    struct nvp_err *err)
{
	static const struct {
		const char *name;
		make_document *make;
	} files[] = { { "run.json", nvp_run_json_add }, { "junit.xml", nvp_junit_add } };
	struct nvp_text path = { 0 };
	int first = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int rc;

		nvp_text_clear(&path);
		nvp_text_addf(&path, "%s/%s", dir, files[i].name);
		rc = write_document(reports, nr, nvp_text_str(&path), files[i].make, err);
		first = first ? first : rc;
	}
	nvp_text_free(&path);
	return first;
}

int nvp_report_write(const struct nvp_report *report, const char *dir, struct nvp_err *err)
{
	return nvp_report_write_totals(&report, 1, dir, err);
}

int nvp_reports_json(const struct nvp_report *const *reports, unsigned nr, FILE *out)
{
	struct nvp_text text = { 0 };
	int rc = nvp_run_json_add(reports, nr, &text);

	if (!rc && (fwrite(nvp_text_str(&text), 1, text.length, out) != text.length ||
		    fflush(out)))
		rc = -errno;
	nvp_text_free(&text);
	return rc;
}

int nvp_report_json(const struct nvp_report *report, FILE *out)
{
	return nvp_reports_json(&report, 1, out);
}
