// SPDX-License-Identifier: GPL-2.0-or-later
// What events say of the run, of a drive and of a case.

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/run/slot.h"
#include "core/run/version.h"

/* Everything that differs between two runs of one seed stands under "host". */
static void add_host(struct nvp_text *members, const struct nvp_run *run)
{
	struct utsname host;

	nvp_json_begin(members, "host", '{');
	nvp_json_begin(members, "argv", '[');
	for (int i = 0; i < run->request->argc; i++)
		nvp_json_string(members, NULL, run->request->argv[i]);
	nvp_json_end(members, ']');
	nvp_json_string(members, "dir", run->top);
	nvp_json_i64(members, "pid", getpid());
	if (!uname(&host)) {
		nvp_json_string(members, "name", host.nodename);
		nvp_json_string(members, "system", host.sysname);
		nvp_json_string(members, "kernel", host.release);
		nvp_json_string(members, "machine", host.machine);
	}
	nvp_json_end(members, '}');
}

static void add_spec_version(struct nvp_text *members, uint32_t version)
{
	char text[16];

	snprintf(text, sizeof(text), "%u.%u", version >> 16 & 0xff, version >> 8 & 0xff);
	nvp_json_string(members, "spec", text);
}

void nvp_describe_run(struct nvp_text *members, const struct nvp_run *run)
{
	nvp_json_string(members, "version", nvp_tool_version());
	nvp_json_big(members, "seed", run->request->seed);
	nvp_json_u64(members, "nr_cases", run->plan.nr);
	nvp_json_u64(members, "nr_drives", run->nr_slots);
	nvp_json_bool(members, "shuffle", run->request->shuffle);
	if (run->request->policy)
		nvp_json_string(members, "policy", run->request->policy);
	if (run->request->spec_version)
		add_spec_version(members, run->request->spec_version);
	add_host(members, run);
	nvp_json_begin(members, "plan", '[');
	for (size_t i = 0; i < run->plan.nr; i++) {
		if (run->plan.items[i].round == 1)
			nvp_json_string(members, NULL, run->plan.items[i].id);
	}
	nvp_json_end(members, ']');
}

static const struct {
	uint32_t bit;
	const char *word;
} path_words[] = {
	{ NVP_PATH_REGISTERS, "registers" },
	{ NVP_PATH_QUEUES, "queues" },
	{ NVP_PATH_INTERRUPTS, "interrupts" },
	{ NVP_PATH_CONFIG, "config" },
	{ NVP_PATH_RESETS, "resets" },
	{ NVP_PATH_POWER, "power" },
	{ NVP_PATH_DMA, "dma" },
	{ NVP_PATH_SIMULATED, "simulated" },
	{ NVP_PATH_DEPTH, "depth" },
};

static void add_impact(struct nvp_text *members, const char *key, uint32_t impact)
{
	nvp_json_begin(members, key, '[');
	nvp_json_string(members, NULL, "read");
	for (unsigned bit = 0; nvp_impact_word(bit); bit++) {
		if (nvp_bit(impact, bit))
			nvp_json_string(members, NULL, nvp_impact_word(bit));
	}
	nvp_json_end(members, ']');
}

static void add_facts(struct nvp_text *members, const struct nvp_facts *facts)
{
	nvp_json_begin(members, "facts", '{');
	nvp_json_u64(members, "page_bytes", facts->page_bytes);
	nvp_json_big(members, "mdts_bytes", facts->mdts_bytes);
	nvp_json_u64(members, "nr_io_sq", facts->nr_io_sq);
	nvp_json_u64(members, "nr_io_cq", facts->nr_io_cq);
	nvp_json_u64(members, "nr_vectors", facts->nr_vectors);
	nvp_json_hex(members, "oacs", facts->ctrl.oacs);
	nvp_json_hex(members, "oncs", facts->ctrl.oncs);
	nvp_json_hex(members, "vwc", facts->ctrl.vwc);
	nvp_json_begin(members, "namespaces", '[');
	for (unsigned i = 0; i < facts->nr_ns; i++) {
		const struct nvp_ns *ns = &facts->ns[i];

		nvp_json_begin(members, NULL, '{');
		nvp_json_u64(members, "nsid", ns->nsid);
		nvp_json_big(members, "size_lbas", ns->id.nsze_lbas);
		nvp_json_u64(members, "lba_bytes", ns->id.lba_bytes);
		nvp_json_u64(members, "metadata_bytes", ns->id.metadata_bytes);
		nvp_json_end(members, '}');
	}
	nvp_json_end(members, ']');
	nvp_json_end(members, '}');
}

void nvp_describe_drive(struct nvp_text *members, const struct nvp_slot *slot,
			struct nvp_drive *drive)
{
	const struct nvp_facts *facts = nvp_drive_facts(drive);
	uint32_t path = nvp_drive_path(drive);
	char version[40];

	nvp_json_string(members, "serial", nvp_prepared_serial(slot->prepared));
	nvp_json_string(members, "model", facts->ctrl.mn);
	nvp_json_string(members, "firmware", facts->ctrl.fr);
	nvp_json_string(members, "address", nvp_prepared_address(slot->prepared));
	nvp_json_begin(members, "path", '[');
	for (size_t i = 0; i < NVP_ARRAY_SIZE(path_words); i++) {
		if (path & path_words[i].bit)
			nvp_json_string(members, NULL, path_words[i].word);
	}
	nvp_json_end(members, ']');
	snprintf(version, sizeof(version), "%u.%u.%u", facts->version >> 16,
		 facts->version >> 8 & 0xff, facts->version & 0xff);
	nvp_json_string(members, "nvme_version", version);
	nvp_json_u64(members, "nr_ns", facts->nr_ns);
	add_impact(members, "allow", slot->allow);
	if (slot->in_use[0])
		nvp_json_string(members, "in_use", slot->in_use);
	add_facts(members, facts);
}

void nvp_describe_case(struct nvp_text *members, const struct nvp_plan_item *item,
		       uint32_t number)
{
	const struct nvp_spec *spec = &item->record->spec;

	nvp_json_u64(members, "number", number);
	nvp_json_string(members, "title", item->record->title);
	add_impact(members, "impact", item->record->impact);
	nvp_json_begin(members, "spec", '{');
	nvp_json_string(members, "document", spec->document);
	nvp_json_string(members, "revision", spec->revision);
	nvp_json_string(members, "section", spec->section);
	if (spec->field)
		nvp_json_string(members, "field", spec->field);
	nvp_json_end(members, '}');
	if (item->rounds > 1) {
		nvp_json_u64(members, "round", item->round);
		nvp_json_u64(members, "rounds", item->rounds);
	}
}
