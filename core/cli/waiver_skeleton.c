// SPDX-License-Identifier: GPL-2.0-or-later
// `report DIR --waiver-skeleton`: what a waiver needs from the run; the evidence is for a person.

#include "core/cli/waiver_skeleton.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char head[] =
	"# Waivers for --waive. Say in each what proves that the drive, and not the case, is\n"
	"# wrong (evidence), or take the waiver out; without evidence the file is refused.\n"
	"# expires = YYYY-MM-DD may stand in place of until-firmware-changes; bug = names a report.\n";

#define LINE_BYTES 150		/* of a comment: inih cuts lines at 200 */

static const char *path_of(const struct nvp_report *r)
{
	const char *address = r->drive.address ? r->drive.address : "";

	if (!strncmp(address, "sim:", 4))
		return "sim";
	return strncmp(address, "pci:", 4) ? "kernel" : "pci";
}

/* Text on one line of a file: what is no printable ASCII becomes '?', which a glob matches. */
static void add_plain(struct nvp_text *out, const char *text)
{
	for (unsigned n = 0; text && *text && n < LINE_BYTES; text++, n++)
		nvp_text_addf(out, "%c", *text >= ' ' && *text <= '~' && *text != ';' ? *text : '?');
}

static void add_key(struct nvp_text *out, const char *key, const char *value)
{
	nvp_text_addf(out, "%s =%s", key, value && *value ? " " : "");
	add_plain(out, value);
	nvp_text_add(out, "\n");
}

static void add_waiver(struct nvp_text *out, const struct nvp_report *r,
		       const struct nvp_case_result *c, unsigned number)
{
	nvp_text_addf(out, "\n[waiver %.*s-%u]\n# ", (int)strcspn(c->id, "."), c->id, number);
	add_plain(out, c->reason);
	if (c->spec) {
		nvp_text_add(out, "\n# ");
		add_plain(out, c->spec);
	}
	nvp_text_add(out, "\n");
	add_key(out, "case", c->id);
	add_key(out, "model", r->drive.model);
	add_key(out, "firmware", r->drive.firmware);
	add_key(out, "path", path_of(r));
	add_key(out, "evidence", NULL);
	nvp_text_add(out, "until-firmware-changes = yes\n");
}

/* With several rounds the first that failed speaks for them. */
static bool is_first(const struct nvp_report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (nvp_case_fails(&r->cases[k]) && !strcmp(r->cases[k].id, r->cases[i].id))
			return false;
	return true;
}

int nvp_waiver_skeleton(struct nvp_program *p, const struct nvp_report *const *reports,
			unsigned nr)
{
	struct nvp_text out = { 0 };
	unsigned number = 0;
	int code;

	if (p->options.json || p->options.tap) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
			    "--waiver-skeleton is a file of its own form: neither --json nor --tap");
		return 2;
	}
	nvp_text_add(&out, head);
	for (unsigned i = 0; i < nr; i++) {
		const struct nvp_report *r = reports[i];

		for (size_t k = 0; k < r->nr_results; k++) {
			if (r->cases[k].id && nvp_case_fails(&r->cases[k]) && is_first(r, k))
				add_waiver(&out, r, &r->cases[k], ++number);
		}
	}
	if (!number) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -ENOENT, "%s: no case failed without a waiver",
			    p->operand[0]);
		code = 2;
	} else {
		code = nvp_put_result(p, &out);
	}
	nvp_text_free(&out);
	return code;
}
