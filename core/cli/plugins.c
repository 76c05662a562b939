// SPDX-License-Identifier: GPL-2.0-or-later
// Cases from shared objects: each exports `const struct nvp_suite nvp_suite`.

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/cli/command.h"
#include "core/cli/output.h"

static int load(struct nvp_program *p, const char *path, const struct nvp_suite **suite)
{
	char file[4096];
	void *object;

	/* A bare name is a file here, never one of the library path. */
	snprintf(file, sizeof(file), "%s%s", strchr(path, '/') ? "" : "./", path);
	object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		return nvp_err_set(&p->err, NVP_ERR_USAGE, -ENOENT, "--cases: %s", dlerror());
	/* It stays loaded: the records of its cases lie in it. */
	*suite = dlsym(object, "nvp_suite");
	if (!*suite) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "--cases: %s has no nvp_suite", file);
		nvp_err_advice(&p->err, "tests/plugin/example.c shows one");
		return -EINVAL;
	}
	return 0;
}

int nvp_plugins_load(struct nvp_program *p)
{
	const struct nvp_words *files = &p->options.plugins;
	const struct nvp_suite **all;
	size_t nr = 0;

	if (!files->nr)
		return 0;
	while (p->suites[nr])
		nr++;
	all = nvp_pool_alloc(&p->options.pool, (nr + files->nr + 1) * sizeof(*all));
	if (!all) {
		nvp_out_of_memory(p);
		return -ENOMEM;
	}
	memcpy(all, p->suites, nr * sizeof(*all));
	for (size_t i = 0; i < files->nr; i++) {
		int rc = load(p, files->word[i], &all[nr]);

		if (rc)
			return rc;
		nr++;
	}
	all[nr] = NULL;
	p->suites = all;
	return 0;
}
