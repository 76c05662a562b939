// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof new-case AREA.ID`: the file of a new case, to be filled.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/cli/command.h"
#include "core/cli/output.h"
#include "core/run/run.h"

/* %1$s: id, %3$s: name of the function, %4$s: name of the file without .c */
static const char skeleton[] =
	"// SPDX-License-Identifier: GPL-2.0-or-later\n"
	"// One sentence: what the cases of this file hold.\n"
	"\n"
	"#include \"cases/common.h\"\n"
	"\n"
	"/*\n"
	" * Which row of the test table, which rule, and why the expectation is what it is.\n"
	" *\n"
	" *	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);\n"
	" *	struct nvp_cmd cmd = nvp_build_identify(0x01, 0, 0, 0, 0);\n"
	" *	struct nvp_cpl cpl;\n"
	" *\n"
	" *	if (!buf)\n"
	" *		return;\n"
	" *	cmd.data = buf;\n"
	" *	nvp_admin(t, &cmd, &cpl);	did it travel?\n"
	" *	nvp_check_ok(t, &cpl);		what did the drive say?\n"
	" *\n"
	" * Without a check the case is broken, not passed.\n"
	" */\n"
	"static void %3$s(struct nvp_t *t)\n"
	"{\n"
	"	(void)t;\n"
	"}\n"
	"\n"
	"static const struct nvp_case cases[] = {\n"
	"	{\n"
	"		NVP_CASE,\n"
	"		.id = \"%1$s\",\n"
	"		.title = \"A sentence that is true when the case passes\",\n"
	"		/* document, revision, section, field: what its checks rest on */\n"
	"		.spec = { \"NVMe Base\", \"2.0\", \"0\", NULL },\n"
	"		/* .rows = NVP_LIST(\"IDY-01\"),			nvproof cases --by row */\n"
	"		/* .needs = NVP_NEED_QUEUES,			a skip where it is missing */\n"
	"		/* .impact = NVP_IMPACT_STATE,			nothing: it only reads */\n"
	"		/* .catches = NVP_LIST(\"identify-short\"),	nvproof defects */\n"
	"		.run = %3$s,\n"
	"	},\n"
	"};\n"
	"\n"
	"NVP_SUITE(%4$s, cases);\n";

static void no_case(struct nvp_t *t)
{
	(void)t;
}

/* The rules of ids are those of the registry: give it the new one beside all that there are. */
static int check_id(struct nvp_program *p, const char *id)
{
	const struct nvp_case record = {
		NVP_CASE, .id = id, .title = id, .spec = { "-", "-", "-", NULL }, .run = no_case,
	};
	const struct nvp_suite suite = {
		.abi = NVP_CASE_ABI, .record_bytes = sizeof(record), .name = "new-case",
		.cases = &record, .nr_cases = 1,
	};
	const struct nvp_suite *suites[1000] = { NULL };
	struct nvp_registry *registry;
	const char *dot = strchr(id, '.');
	size_t nr = 0;

	if (!dot || !dot[1] || strlen(id) > 100)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
				   "'%.100s' is no id: an area, '.', and a sentence with '-', like identify.reserved-cns-is-refused",
				   id);
	while (p->suites[nr] && nr < 998) {
		suites[nr] = p->suites[nr];
		nr++;
	}
	suites[nr] = &suite;
	registry = nvp_registry_new(suites, &p->err);
	if (!registry)
		return -EINVAL;
	nvp_registry_free(registry);
	return 0;
}

/* A name of C: the words of an id joined by '_'. */
static void make_name(char *name, size_t bytes, const char *prefix, const char *id)
{
	snprintf(name, bytes, "%s%s", prefix, id);
	for (; *name; name++)
		if (*name == '.' || *name == '-')
			*name = '_';
}

static int write_new(struct nvp_program *p, const char *path, const struct nvp_text *text)
{
	size_t bytes = strlen(nvp_text_str(text));
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	ssize_t written;

	if (fd < 0) {
		int why = errno;

		nvp_err_set(&p->err, NVP_ERR_USAGE, -why, "%s: %s", path,
			    why == EEXIST ? "is there already, nothing was written" : strerror(why));
		if (why == ENOENT)
			nvp_err_advice(&p->err, "run it at the top of the source tree");
		return 2;
	}
	written = write(fd, nvp_text_str(text), bytes);
	if (close(fd) || written != (ssize_t)bytes) {
		unlink(path);
		nvp_err_set(&p->err, NVP_ERR_BROKEN, -EIO, "%s: could not be written", path);
		return 3;
	}
	return 0;
}

int nvp_cmd_new_case(struct nvp_program *p)
{
	const char *id = p->operand[0];
	char function[128], file[128], path[160];
	struct nvp_text text = { 0 }, said = { 0 };
	int rc;

	if (check_id(p, id))
		return nvp_err_exit_code(p->err.kind);
	make_name(file, sizeof(file), "", id);
	make_name(function, sizeof(function), "case_", strchr(id, '.') + 1);
	snprintf(path, sizeof(path), "cases/%s.c", file);
	for (const char *at = skeleton, *mark; *at; at = mark) {
		const char *const word[] = { "", id, "", function, file };

		mark = strchr(at, '%');
		if (!mark)
			mark = at + strlen(at);
		nvp_text_add_n(&text, at, (size_t)(mark - at));
		if (*mark) {
			nvp_text_add(&text, word[mark[1] - '0']);
			mark += strlen("%1$s");
		}
	}
	rc = text.failed ? nvp_out_of_memory(p) : write_new(p, path, &text);
	if (!rc && p->options.json) {
		nvp_json_begin(&said, NULL, '{');
		nvp_json_string(&said, "schema", "nvproof.new-case/1");
		nvp_json_string(&said, "id", id);
		nvp_json_string(&said, "file", path);
		nvp_json_end(&said, '}');
		rc = nvp_put_json(p, &said);
	} else if (!rc) {
		nvp_text_addf(&said, "%s is written; cases/README.md says how to fill it. Then: make && nvproof run sim: -c '%s'\n",
			      path, id);
		rc = nvp_put_result(p, &said);
	}
	nvp_text_free(&said);
	nvp_text_free(&text);
	return rc;
}
