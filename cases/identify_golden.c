// SPDX-License-Identifier: GPL-2.0-or-later
// Identify against the golden file of the model: what another build says must be what this one says.

#include "cases/common.h"

/* The user holds the drive to the file: no section does. */
#define GOLDEN NVP_CLAIM("the golden Identify file")

/* The only check site: a field that differs, or a structure that is no longer given. */
static void agree(struct nvp_t *t, bool as_in_file, const char *name, const char *want,
		  const char *seen)
{
	nvp_check_by(t, GOLDEN, as_in_file, "%s: the file has %.120s, the drive %.120s", name,
		     want[0] ? want : "nothing", seen[0] ? seen : "nothing");
}

static void tell_field(void *context, const struct nvp_golden_field *field)
{
	struct nvp_t *t = context;

	if (!field->ignored)
		agree(t, field->same, field->name, field->want, field->seen);
	else if (!field->same)
		nvp_note(t, "%s differs and is ignored: %.120s in the file, %.120s in the drive",
			 field->name, field->want, field->seen);
}

/*
 * IDY-18. Everything that Identify gives, field by field, and 16 bytes at a time where no
 * field has a name, so that also what is vendor specific or reserved cannot change unseen.
 */
static void matches_golden_file(struct nvp_t *t)
{
	const struct nvp_golden *golden = nvp_t_golden(t);
	const struct nvp_golden_structure *s;
	struct nvp_buf *buf;

	if (!golden)
		nvp_skip(t, "no golden file was given: --golden FILE");
	buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	if (!buf)
		return;
	for (size_t i = 0; (s = nvp_golden_structure(golden, i)); i++) {
		struct nvp_cmd cmd = nvp_build_identify(s->cns, s->nsid,
							s->cns == 0x1c ? 0xffff : 0, s->csi, 0);
		char status[NVP_STATUS_TEXT_BYTES];
		struct nvp_cpl cpl;

		cmd.data = buf;
		nvp_buf_fill(buf, 0);
		nvp_admin(t, &cmd, &cpl);
		if (!nvp_cpl_ok(&cpl))
			agree(t, false, s->name, "the structure",
			      nvp_status_text(&cpl.status, status));
		else if (nvp_golden_compare(golden, i, nvp_buf_data(buf), tell_field, t))
			nvp_broken(t, "no memory to compare %s", s->name);
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "identify.matches-golden-file",
		.title = "Every field of Identify is what the golden file of the model says",
		.spec = { "NVMe Base", "2.0", "5.17.2", NULL },
		.rows = NVP_LIST("IDY-01", "IDY-02", "IDY-18"),
		.catches = NVP_LIST("identify-arbitration-burst-drifts",
				    "identify-vendor-bytes-drift", "identify-boundary-drifts"),
		.run = matches_golden_file,
	},
};

NVP_SUITE(identify_golden, cases);
