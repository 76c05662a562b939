// SPDX-License-Identifier: GPL-2.0-or-later
// `info DRIVE --save FILE`: ask for every Identify structure, write the golden file.

#include "core/cli/golden_save.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/build.h>

#include "core/cli/output.h"
#include "core/nvme/golden.h"

struct save {
	struct nvp_program *program;
	struct nvp_drive *drive;
	struct nvp_buf *buf;
	struct nvp_text out;
	unsigned nr;	/* structures */
};

/* What the drive refuses is left out, with its words as a comment: many structures are optional. */
static int add(struct save *s, const struct nvp_golden_kind *kind, uint32_t nsid)
{
	struct nvp_cmd cmd = nvp_build_identify(kind->cns, nsid,
						kind->cns == 0x1c ? 0xffff : 0, kind->csi, 0);
	char text[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl;
	int rc;

	cmd.data = s->buf;
	nvp_buf_fill(s->buf, 0);
	rc = nvp_exec_admin(s->drive, &cmd, &cpl);
	if (rc) {
		s->program->err = *nvp_drive_err(s->drive);
		if (!s->program->err.code)
			nvp_err_set(&s->program->err, NVP_ERR_BROKEN, rc, "Identify: %s",
				    strerror(-rc));
		return rc;
	}
	if (!nvp_cpl_ok(&cpl)) {
		nvp_text_addf(&s->out, "\n# %s: the drive answered %s\n", kind->name,
			      nvp_status_text(&cpl.status, text));
		return 0;
	}
	s->nr++;
	return nvp_golden_add(&s->out, kind, nsid, nvp_buf_data(s->buf));
}

static int add_all(struct save *s)
{
	const struct nvp_facts *facts = nvp_drive_facts(s->drive);
	int rc = 0;

	nvp_golden_add_head(&s->out, facts->ctrl.mn, facts->ctrl.fr);
	for (const struct nvp_golden_kind *kind = nvp_golden_kinds; kind->name && !rc; kind++) {
		if (!kind->per_namespace)
			rc = add(s, kind, 0);
		for (unsigned i = 0; kind->per_namespace && i < facts->nr_all_ns && !rc; i++)
			rc = add(s, kind, facts->ns[i].nsid);
	}
	return rc;
}

/* Never over a file that is there: somebody may have written masks into it. */
static int write_new(struct nvp_program *p, const char *path, const struct nvp_text *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	const char *from = nvp_text_str(text);
	size_t left = text->length;
	ssize_t wrote;

	if (fd < 0)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -errno, "--save %s: %s", path,
				   strerror(errno));
	while (left && (wrote = write(fd, from, left)) > 0) {
		from += wrote;
		left -= (size_t)wrote;
	}
	if ((close(fd) || left) && !p->err.code)
		nvp_err_set(&p->err, NVP_ERR_BROKEN, -EIO, "--save %s: %s", path, strerror(errno));
	if (p->err.code)
		unlink(path);
	return p->err.code;
}

static int tell(struct save *s)
{
	const struct nvp_facts *facts = nvp_drive_facts(s->drive);
	struct nvp_program *p = s->program;
	struct nvp_text out = { 0 };
	int code;

	if (p->options.json) {
		nvp_json_begin(&out, NULL, '{');
		nvp_json_string(&out, "schema", "nvproof.golden/1");
		nvp_json_string(&out, "file", p->options.save);
		nvp_json_string(&out, "model", facts->ctrl.mn);
		nvp_json_string(&out, "firmware", facts->ctrl.fr);
		nvp_json_u64(&out, "structures", s->nr);
		nvp_json_end(&out, '}');
		code = nvp_put_json(p, &out);
	} else {
		nvp_text_addf(&out, "%s: %u structures of %s, firmware %s\n", p->options.save, s->nr,
			      facts->ctrl.mn, facts->ctrl.fr);
		code = nvp_put_result(p, &out);
	}
	nvp_text_free(&out);
	return code;
}

int nvp_golden_save(struct nvp_program *p, struct nvp_drive *drive)
{
	struct save s = { .program = p, .drive = drive };
	int code = 0;

	s.buf = nvp_buf_new(drive, NVP_GOLDEN_BYTES);
	if (!s.buf)
		return nvp_out_of_memory(p);
	if (add_all(&s) && !p->err.code)
		code = nvp_out_of_memory(p);
	if (!code && !p->err.code && !write_new(p, p->options.save, &s.out))
		code = tell(&s);
	if (p->err.code)
		code = nvp_err_exit_code(p->err.kind);
	nvp_buf_free(s.buf);
	nvp_text_free(&s.out);
	return code;
}
