// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof doctor`: is this machine ready for real drives, and what mends it?

#include "core/cli/command.h"
#include "core/cli/doctor.h"

static const char *const words[] = {
	[NVP_HEALTH_OK] = "ok", [NVP_HEALTH_WARN] = "warn", [NVP_HEALTH_BAD] = "bad",
};

static void add_json(struct nvp_text *out, const struct nvp_diagnosis *lines, size_t nr)
{
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "schema", "nvproof.doctor/1");
	nvp_json_begin(out, "lines", '[');
	for (size_t i = 0; i < nr; i++) {
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "what", lines[i].what);
		nvp_json_string(out, "health", words[lines[i].health]);
		nvp_json_string(out, "seen", lines[i].seen);
		if (lines[i].mend)
			nvp_json_string(out, "mend", lines[i].mend);
		nvp_json_end(out, '}');
	}
	nvp_json_end(out, ']');
	nvp_json_end(out, '}');
}

int nvp_cmd_doctor(struct nvp_program *p)
{
	const char *root = p->options.root ? p->options.root : "";
	struct nvp_diagnosis lines[NVP_DIAGNOSES_MOST];
	size_t nr = nvp_doctor(root, lines);
	struct nvp_text out = { 0 };
	bool bad = false;
	int rc;

	for (size_t i = 0; i < nr; i++) {
		bad |= lines[i].health == NVP_HEALTH_BAD;
		if (p->options.json)
			continue;
		nvp_text_addf(&out, "%-4s  %-13s  %s\n", words[lines[i].health], lines[i].what,
			      lines[i].seen);
		if (lines[i].mend)
			nvp_text_addf(&out, "%21s-> %s\n", "", lines[i].mend);
	}
	if (p->options.json)
		add_json(&out, lines, nr);
	rc = p->options.json ? nvp_put_json(p, &out) : nvp_put_result(p, &out);
	nvp_text_free(&out);
	return rc ? rc : bad ? 3 : 0;
}
