// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof list`: the NVMe drives of this machine, and the one that is always there.

#include <inttypes.h>
#include <stdlib.h>

#include "core/cli/command.h"
#include "core/cli/sysfs.h"

static void add_json(struct nvp_text *out, const struct nvp_listed_drive *drives, size_t nr)
{
	nvp_json_begin(out, NULL, '{');
	nvp_json_string(out, "schema", "nvproof.list/1");
	nvp_json_begin(out, "drives", '[');
	for (size_t i = 0; i < nr; i++) {
		const struct nvp_listed_drive *d = &drives[i];
		struct nvp_text address = { 0 };

		nvp_text_addf(&address, "/dev/%s", d->name);
		nvp_json_begin(out, NULL, '{');
		nvp_json_string(out, "address", nvp_text_str(&address));
		nvp_json_string(out, "serial", d->serial);
		nvp_json_string(out, "model", d->model);
		nvp_json_string(out, "firmware", d->firmware);
		nvp_json_string(out, "transport", d->transport);
		nvp_json_string(out, "transport_address", d->address);
		nvp_json_string(out, "state", d->state);
		nvp_json_begin(out, "namespaces", '[');
		for (size_t k = 0; k < d->nr_ns; k++) {
			nvp_text_clear(&address);
			nvp_text_addf(&address, "/dev/%s", d->ns[k].name);
			nvp_json_begin(out, NULL, '{');
			nvp_json_string(out, "address", nvp_text_str(&address));
			nvp_json_big(out, "size_bytes", d->ns[k].bytes);
			nvp_json_end(out, '}');
		}
		nvp_json_end(out, ']');
		nvp_json_end(out, '}');
		nvp_text_free(&address);
	}
	nvp_json_end(out, ']');
	nvp_json_begin(out, "simulated", '{');
	nvp_json_string(out, "address", "sim:");
	nvp_json_end(out, '}');
	nvp_json_end(out, '}');
}

/* Tenths of a GB, as drives are sold. */
static void add_size(struct nvp_text *out, uint64_t bytes)
{
	uint64_t tenths = bytes / 100000000;

	nvp_text_addf(out, "%" PRIu64 ".%u GB", tenths / 10, (unsigned)(tenths % 10));
}

static void add_text(struct nvp_text *out, const struct nvp_listed_drive *drives, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct nvp_listed_drive *d = &drives[i];

		nvp_text_addf(out, "/dev/%-10s  %-20s  %-40s  %-8s  %s %s %s\n", d->name,
			      d->serial, d->model, d->firmware, d->transport, d->address,
			      d->state);
		for (size_t k = 0; k < d->nr_ns; k++) {
			nvp_text_addf(out, "  /dev/%-12s  ", d->ns[k].name);
			add_size(out, d->ns[k].bytes);
			nvp_text_add(out, "\n");
		}
	}
	if (!nr)
		nvp_text_add(out, "This machine shows no NVMe drive.\n");
	nvp_text_add(out, "A simulated drive is always there: sim: (nvproof help run)\n");
}

int nvp_cmd_list(struct nvp_program *p)
{
	struct nvp_listed_drive *drives;
	struct nvp_text out = { 0 };
	size_t nr;
	int rc;

	if (nvp_list_drives("/sys", &drives, &nr, &p->err))
		return nvp_err_exit_code(p->err.kind);
	if (p->options.json)
		add_json(&out, drives, nr);
	else
		add_text(&out, drives, nr);
	rc = p->options.json ? nvp_put_json(p, &out) : nvp_put_result(p, &out);
	nvp_text_free(&out);
	free(drives);
	return rc;
}
