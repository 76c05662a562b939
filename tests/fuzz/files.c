// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzzes the files that users write: plans, waivers, golden Identify files.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <nvproof/err.h>
#include <nvproof/golden.h>

#include "core/cli/options.h"
#include "core/run/plan.h"
#include "core/run/waive.h"

extern const struct nvp_suite *const nvp_suites[];
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes);

/* Whoever refuses a file says why, in one line. */
static void check_refusal(const struct nvp_err *err)
{
	char line[800];

	nvp_err_text(err, line, sizeof(line));
	if (!err->code || !line[0] || strchr(line, '\n'))
		abort();
}

static void tell(void *context, const struct nvp_golden_field *field)
{
	unsigned *differ = context;

	*differ += !field->same;
	if (field->same != !strcmp(field->want, field->seen))
		abort();
}

static void golden(const char *path)
{
	static const uint8_t zeroes[4096];
	struct nvp_err err = { 0 };
	struct nvp_golden *g = nvp_golden_read(path, &err);
	unsigned differ = 0;

	if (!g) {
		check_refusal(&err);
		return;
	}
	for (size_t i = 0; nvp_golden_structure(g, i); i++)
		nvp_golden_compare(g, i, zeroes, tell, &differ);
	nvp_golden_free(g);
}

static void waivers(const struct nvp_registry *registry, const char *path)
{
	struct nvp_waivers waivers;
	struct nvp_err err = { 0 };

	if (nvp_waivers_read(&waivers, &path, 1, registry, &err)) {
		check_refusal(&err);
		return;
	}
	for (size_t i = 0; i < waivers.nr; i++)
		if (!waivers.list[i].case_glob || !waivers.list[i].evidence)
			abort();
	nvp_waivers_free(&waivers);
}

static void plan(const struct nvp_registry *registry, const char *path)
{
	char *const argv[] = { "nvproof", "run", "sim:", "--plan", (char *)path, NULL };
	struct nvp_options options;
	struct nvp_err err = { 0 };
	struct nvp_run_request request = { 0 };
	struct nvp_plan made;

	if (nvp_options_parse(&options, 5, argv, &err) ||
	    nvp_options_complete(&options, NVP_OF_RUN, "run", NULL, &err)) {
		check_refusal(&err);
		nvp_options_free(&options);
		return;
	}
	request.globs = options.cases.word;
	request.nr_globs = options.cases.nr;
	request.repeat = (unsigned)options.repeat;
	request.rules = options.case_rules;
	request.nr_rules = options.nr_case_rules;
	if (nvp_plan_make(&made, registry, &request, &err)) {
		check_refusal(&err);
	} else {
		if (!made.nr || made.nr > NVP_PLAN_MOST)
			abort();
		nvp_plan_free(&made);
	}
	nvp_options_free(&options);
}

/* A file with these bytes; path holds 40. The descriptor, or a negative number. */
static int make_file(const uint8_t *bytes, size_t nr_bytes, char *path)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	snprintf(path, 40, "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, bytes, nr_bytes) != (ssize_t)nr_bytes) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Lines of %% part the input: a golden file, waivers, a plan. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes)
{
	struct nvp_registry *registry = nvp_registry_new(nvp_suites, NULL);

	for (unsigned part = 0; registry && part < 3; part++) {
		const uint8_t *end = memmem(input, nr_bytes, "%%\n", 3);
		size_t length = end ? (size_t)(end - input) : nr_bytes;
		char path[40];
		int fd = make_file(input, length, path);

		if (fd < 0)
			break;
		if (part == 0)
			golden(path);
		else if (part == 1)
			waivers(registry, path);
		else
			plan(registry, path);
		close(fd);
		input += end ? length + 3 : 0;
		nr_bytes -= end ? length + 3 : 0;
	}
	nvp_registry_free(registry);
	return 0;
}
