// SPDX-License-Identifier: GPL-2.0-or-later
// What a campaign has to tell: findings, notes, errors.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "power/engine.h"

_Static_assert(NVP_NR_CLASSES <= NVP_CAMPAIGN_CLASSES, "room for every class");

/* For who tells of the cycle later; what is said of a block is told from the block. */
static void remember(struct nvp_camp *c, uint8_t class_id, const char *source, const char *text)
{
	struct nvp_said *said = &c->said[c->nr_said];

	for (uint32_t i = 0; i < c->nr_said; i++)
		if (c->said[i].class_id == class_id)
			return;
	if (c->nr_said == NVP_SAID_MOST)
		return;
	said->class_id = class_id;
	said->source = source;
	snprintf(said->text, sizeof(said->text), "%s", text);
	c->nr_said++;
}

void nvp_camp_say(struct nvp_camp *c, const struct nvp_finding *finding, uint32_t nsid,
		  uint64_t lba, uint32_t count, const char *format, ...)
{
	char text[NVP_SAID_BYTES];
	struct nvp_campaign_finding f = {
		.cycle = c->cycle,
		.phase = c->plan.work.phase,
		.workload = c->plan.work.workload,
		.class_id = (uint8_t)finding->class,
		.class_name = nvp_class_name(finding->class),
		.source = finding->source ? finding->source : nvp_class_source(finding->class),
		.severity = (uint8_t)finding->severity,
		.said_by = (uint8_t)finding->said_by,
		.nsid = nsid,
		.lba = lba,
		.count = count,
		.text = text,
	};
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (finding->severity == NVP_SEVERITY_FAIL) {
		c->record.fails++;
		c->result->fails++;
		remember(c, f.class_id, f.source, text);
	} else if (finding->severity == NVP_SEVERITY_WARN) {
		c->record.warnings++;
		c->result->warnings++;
	}
	if (c->out && c->out->finding)
		c->out->finding(c->out->context, &f);
}

void nvp_camp_note(struct nvp_camp *c, bool warning, const char *format, ...)
{
	char text[NVP_SAID_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (c->out && c->out->note)
		c->out->note(c->out->context, warning, text);
}

int nvp_camp_door(struct nvp_camp *c, int rc, const char *what)
{
	char text[300];

	nvp_err_text(nvp_drive_err(c->drive), text, sizeof(text));
	return nvp_err_set(c->err, NVP_ERR_BROKEN, rc, "cycle %u, %s: %s", c->cycle, what,
			   text[0] ? text : strerror(-rc));
}
