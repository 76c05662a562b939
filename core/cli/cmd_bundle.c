// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof bundle DIR CYCLE`: all that a run has kept of one cycle, as one file for the drive's maker.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/power_bundle.h>

#include "core/base/parse.h"
#include "core/cli/command.h"
#include "core/cli/tar.h"
#include "core/report/event.h"

/* What the events say of the cycle. */
struct picked {
	uint64_t cycle;
	bool found;			/* any event of it */
	struct nvp_text lines;		/* events.jsonl: of the drive and of the cycle */
	struct nvp_text words;		/* about the drive, and what was found, for people */
	struct nvp_text trace;
};

static bool of_cycle(const struct nvp_event *e, uint64_t cycle)
{
	char words[40];
	const char *seen = nvp_event_text(e, NULL, "seen");

	if (e->type == NVP_EVENT_FINDING || e->type == NVP_EVENT_POWER)
		return nvp_event_u64(e, "cycle", UINT64_MAX) == cycle;
	snprintf(words, sizeof(words), "cycle %" PRIu64 ",", cycle);
	return e->type == NVP_EVENT_CHECK && seen && !strncmp(seen, words, strlen(words));
}

static void add_words(struct picked *p, const struct nvp_event *e)
{
	const char *text = nvp_event_text(e, NULL, "text");

	if (e->type == NVP_EVENT_DRIVE)
		nvp_text_addf(&p->words, "drive: serial %s, model %s, firmware %s, at %s\n",
			      nvp_event_text(e, NULL, "serial"), nvp_event_text(e, NULL, "model"),
			      nvp_event_text(e, NULL, "firmware"),
			      nvp_event_text(e, NULL, "address"));
	if (e->type == NVP_EVENT_FINDING)
		nvp_text_addf(&p->words, "%s, phase %s: %s: %s\n",
			      nvp_event_text(e, NULL, "severity"), nvp_event_text(e, NULL, "phase"),
			      nvp_event_text(e, NULL, "class"), text ? text : "");
	if (e->type == NVP_EVENT_TRACE)
		nvp_text_addf(&p->trace, "%s\n", text ? text : "");
}

static int take_event(void *context, const char *line, size_t nr_bytes, uint64_t number)
{
	struct picked *p = context;
	struct nvp_event e;
	bool wanted;

	(void)number;
	if (nvp_event_parse(line, nr_bytes, &e, NULL))
		return 0; /* the others are good all the same */
	wanted = of_cycle(&e, p->cycle);
	p->found |= wanted;
	if (wanted || e.type == NVP_EVENT_RUN_BEGIN || e.type == NVP_EVENT_DRIVE) {
		nvp_text_add_n(&p->lines, line, nr_bytes);
		nvp_text_add(&p->lines, "\n");
	}
	if (wanted || e.type == NVP_EVENT_DRIVE || e.type == NVP_EVENT_TRACE)
		add_words(p, &e);
	nvp_event_free(&e);
	return 0;
}

static int add_text(struct nvp_tar *tar, const char *name, const struct nvp_text *text)
{
	if (text->failed)
		return -ENOMEM;
	return text->length ? nvp_tar_add(tar, name, nvp_text_str(text), text->length) : 0;
}

/* If it is there. */
static int add_file(struct nvp_tar *tar, const char *dir, const char *name)
{
	struct nvp_text path = { 0 };
	int rc;

	nvp_text_addf(&path, "%s/%s", dir, name);
	rc = nvp_tar_add_file(tar, name, nvp_text_str(&path));
	nvp_text_free(&path);
	return rc == -ENOENT ? 0 : rc;
}

static int add_folder(struct nvp_tar *tar, const char *dir, const char *name)
{
	struct nvp_text path = { 0 };
	int rc;

	nvp_text_addf(&path, "%s/%s", dir, name);
	rc = nvp_tar_add_folder(tar, name, nvp_text_str(&path));
	nvp_text_free(&path);
	return rc;
}

static void read_me(const struct picked *p, struct nvp_text *out)
{
	nvp_text_addf(out, "Cycle %" PRIu64 " of a power loss campaign of nvproof.\n\n", p->cycle);
	nvp_text_add(out, nvp_text_str(&p->words));
	nvp_text_add(out, "\n"
		"cycle-N/blocks.txt     what is wrong where, and what may stand there\n"
		"cycle-N/history.txt    every operation of the cycle: ticks order them, ns are for people\n"
		"cycle-N/lba-*.bin      the block and its neighbours as they were read\n"
		"cycle-N/candidate-*.bin  what the block may hold\n"
		"cycle-N.replay         the history as a file for 'nvproof powerloss --replay', as small as\n"
		"                       it could be made\n"
		"journal.txt            the order of doorbells and completions as it was written down\n"
		"events.jsonl           what the run said of the drive and of this cycle\n"
		"evidence/              log pages and registers at the first fail of the run\n"
		"trace.txt, trace.bin   the last commands of the failing case\n");
}

/* Everything, whatever is missing. */
static int pack(struct nvp_tar *tar, const char *dir, const struct picked *p,
		const struct nvp_text *journal)
{
	struct nvp_text text = { 0 };
	char name[48];
	int rc;

	read_me(p, &text);
	rc = add_text(tar, "README.txt", &text);
	nvp_text_free(&text);
	if (!rc)
		rc = add_text(tar, "events.jsonl", &p->lines);
	if (!rc)
		rc = add_text(tar, "journal.txt", journal);
	if (!rc)
		rc = add_text(tar, "trace.txt", &p->trace);
	snprintf(name, sizeof(name), "cycle-%" PRIu64 ".replay", p->cycle);
	if (!rc)
		rc = add_file(tar, dir, name);
	snprintf(name, sizeof(name), "cycle-%" PRIu64, p->cycle);
	if (!rc)
		rc = add_folder(tar, dir, name);
	if (!rc)
		rc = add_folder(tar, dir, "evidence");
	if (!rc)
		rc = add_file(tar, dir, "trace.bin");
	return rc ? rc : nvp_tar_end(tar);
}

static int write_tar(struct nvp_program *program, const char *dir, const struct picked *p,
		     const struct nvp_text *journal, struct nvp_text *path, unsigned *nr_files)
{
	char top[48];
	struct nvp_tar tar = { .top = top };
	int rc;

	snprintf(top, sizeof(top), "bundle-cycle-%" PRIu64, p->cycle);
	nvp_text_addf(path, "%s/%s.tar", dir, top);
	tar.out = fopen(nvp_text_str(path), "wxe");
	if (!tar.out) {
		nvp_err_set(&program->err, errno == EEXIST ? NVP_ERR_USAGE : NVP_ERR_BROKEN, -errno,
			    "%s: %s", nvp_text_str(path), strerror(errno));
		return -errno;
	}
	rc = pack(&tar, dir, p, journal);
	if (fclose(tar.out) && !rc)
		rc = -errno;
	if (rc) {
		unlink(nvp_text_str(path));
		nvp_err_set(&program->err, NVP_ERR_BROKEN, rc, "%s: %s", nvp_text_str(path),
			    strerror(-rc));
	}
	*nr_files = tar.nr_files;
	return rc;
}

static int say(struct nvp_program *program, const struct nvp_text *path, unsigned nr_files)
{
	struct nvp_text out = { 0 };
	int rc;

	if (program->options.json) {
		nvp_json_begin(&out, NULL, '{');
		nvp_json_string(&out, "schema", "nvproof.bundle/1");
		nvp_json_string(&out, "file", nvp_text_str(path));
		nvp_json_u64(&out, "files", nr_files);
		nvp_json_end(&out, '}');
		rc = nvp_put_json(program, &out);
	} else {
		nvp_text_addf(&out, "%s: %u files\n", nvp_text_str(path), nr_files);
		rc = nvp_put_result(program, &out);
	}
	nvp_text_free(&out);
	return rc;
}

/* The journal's part; why there is none is no reason to pack nothing. */
static bool read_journal(const char *dir, uint64_t cycle, struct nvp_text *out)
{
	struct nvp_text path = { 0 };
	struct nvp_err ignored = { 0 };
	int rc;

	nvp_text_addf(&path, "%s/journal.bin", dir);
	rc = nvp_bundle_journal(nvp_text_str(&path), (uint32_t)cycle, out, &ignored);
	nvp_text_free(&path);
	return rc == 0;
}

int nvp_cmd_bundle(struct nvp_program *program)
{
	const char *dir = program->operand[0];
	struct picked p = { 0 };
	struct nvp_text journal = { 0 }, path = { 0 };
	unsigned nr_files = 0;
	int rc = 0;

	if (nvp_parse_u64_range(program->operand[1], 0, UINT32_MAX, &p.cycle)) {
		nvp_err_set(&program->err, NVP_ERR_USAGE, -EINVAL, "bundle %s %.40s", dir,
			    program->operand[1]);
		nvp_err_expected(&program->err, "the number of a cycle");
	} else if (nvp_event_lines(dir, take_event, &p, &program->err) &&
		   program->err.code != -EBADMSG) {
		program->err.kind = NVP_ERR_USAGE;
	} else if (!(read_journal(dir, p.cycle, &journal) | p.found)) {
		program->err = (struct nvp_err){ 0 };
		nvp_err_set(&program->err, NVP_ERR_USAGE, -ENOENT,
			    "bundle %.120s: the run has no cycle %" PRIu64, dir, p.cycle);
	} else {
		program->err = (struct nvp_err){ 0 };
		rc = write_tar(program, dir, &p, &journal, &path, &nr_files) ?
			     nvp_err_exit_code(program->err.kind) :
			     say(program, &path, nr_files);
	}
	nvp_text_free(&p.lines);
	nvp_text_free(&p.words);
	nvp_text_free(&p.trace);
	nvp_text_free(&journal);
	nvp_text_free(&path);
	return rc;
}
