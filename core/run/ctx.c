// SPDX-License-Identifier: GPL-2.0-or-later
// The context of the running case: rig, verdict, words, things to undo.

#include "core/run/ctx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/run/plan.h"

/* ---- the rig ---- */

struct nvp_drive *nvp_t_drive(struct nvp_t *t)
{
	return t->rig.drive;
}

const struct nvp_rig *nvp_t_rig(struct nvp_t *t)
{
	return &t->rig;
}

const struct nvp_facts *nvp_t_facts(struct nvp_t *t)
{
	return nvp_drive_facts(t->rig.drive);
}

const char *nvp_t_variant(const struct nvp_t *t)
{
	return nvp_id_variant(t->id);
}

uint32_t nvp_t_version(const struct nvp_t *t)
{
	return t->spec_version ? t->spec_version : nvp_drive_facts(t->rig.drive)->version;
}

const struct nvp_golden *nvp_t_golden(const struct nvp_t *t)
{
	return t->golden;
}

const struct nvp_ns *nvp_t_ns(struct nvp_t *t)
{
	const struct nvp_facts *facts = nvp_t_facts(t);

	return facts->nr_ns ? &facts->ns[0] : NULL;
}

uint64_t nvp_t_rand(struct nvp_t *t, const char *purpose, uint64_t index)
{
	return nvp_rand(t->rig.seed, purpose, nvp_crc32c(t->id, strlen(t->id)), index);
}

struct nvp_buf *nvp_t_buf(struct nvp_t *t, size_t bytes)
{
	struct nvp_buf *buf = nvp_buf_new(t->rig.drive, bytes);

	if (!buf) {
		nvp_t_decide(t, NVP_BROKEN, "", "no memory for a buffer of %zu bytes", bytes);
		t->ended = true;
	}
	return buf;
}

bool nvp_t_ended(const struct nvp_t *t)
{
	return t->ended;
}

uint64_t nvp_t_now_ns(const struct nvp_t *t)
{
	return t->rig.drive ? nvp_clock_now_ns(nvp_drive_clock(t->rig.drive)) : 0;
}

/* ---- life ---- */

void nvp_t_begin(struct nvp_t *t)
{
	t->ended = false;
	t->decided = false;
	memset(&t->result, 0, sizeof(t->result));
	memset(t->announced, 0, sizeof(t->announced));
	memset(t->happened, 0, sizeof(t->happened));
	t->nr_deferred = 0;
}

void nvp_t_free(struct nvp_t *t)
{
	free(t->deferred);
	t->deferred = NULL;
	t->nr_deferred = t->room_deferred = 0;
}

__attribute__((format(printf, 4, 0)))
static void decide(struct nvp_t *t, enum nvp_verdict verdict, const char *site, const char *format,
		   va_list args)
{
	if (t->decided || (verdict == NVP_SKIP && t->result.verdict != NVP_PASS))
		return;
	t->decided = verdict == NVP_FAIL || verdict == NVP_BROKEN;
	t->result.verdict = verdict;
	vsnprintf(t->result.reason, sizeof(t->result.reason), format, args);
	snprintf(t->result.site, sizeof(t->result.site), "%s", site);
}

void nvp_t_decide(struct nvp_t *t, enum nvp_verdict verdict, const char *site, const char *format,
		  ...)
{
	va_list args;

	va_start(args, format);
	decide(t, verdict, site, format, args);
	va_end(args);
}

void nvp_t_settle_checks(struct nvp_t *t)
{
	if (t->result.verdict == NVP_PASS && !t->result.checks)
		nvp_t_decide(t, NVP_BROKEN, "", "the case made no check");
}

void nvp_t_settle_announced(struct nvp_t *t)
{
	char text[120];

	for (unsigned i = 0; i < NVP_NR_INVARIANTS; i++) {
		if (t->happened[i] >= t->announced[i])
			continue;
		snprintf(text, sizeof(text), "announced to break %s %u times, it happened %u times",
			 nvp_invariant_name(i), t->announced[i], t->happened[i]);
		nvp_t_event_note(t, "note", text);
	}
}

/* ---- words ---- */

void nvp_t_event_note(struct nvp_t *t, const char *level, const char *text)
{
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "level", level);
	nvp_json_string(&members, "text", text);
	t->out->event(t->out->context, NVP_EVENT_NOTE, nvp_t_now_ns(t), nvp_text_str(&members),
		      false);
	nvp_text_free(&members);
}

void nvp_note(struct nvp_t *t, const char *format, ...)
{
	char text[NVP_REASON_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	nvp_t_event_note(t, "note", text);
}

void nvp_warn(struct nvp_t *t, const char *format, ...)
{
	char text[NVP_REASON_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	t->result.warnings++;
	nvp_t_event_note(t, "warning", text);
}

void nvp_measure(struct nvp_t *t, const char *name, double value, const char *unit)
{
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "name", name);
	nvp_json_double(&members, "value", value);
	nvp_json_string(&members, "unit", unit);
	t->out->event(t->out->context, NVP_EVENT_MEASURE, nvp_t_now_ns(t), nvp_text_str(&members),
		      false);
	nvp_text_free(&members);
}

/* What ends a case after its verdict was decided is told beside it, not instead. */
__attribute__((format(printf, 5, 0)))
static void end(struct nvp_t *t, enum nvp_verdict verdict, const char *file, int line,
		const char *format, va_list args)
{
	char site[NVP_SITE_BYTES], text[NVP_REASON_BYTES];

	snprintf(site, sizeof(site), "%s:%d", file, line);
	vsnprintf(text, sizeof(text), format, args);
	if (t->decided)
		nvp_note(t, "ended at %s: %s", site, text);
	else
		nvp_t_decide(t, verdict, site, "%s", text);
	t->ended = true;
}

void nvp_skip_at(struct nvp_t *t, const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	end(t, NVP_SKIP, file, line, format, args);
	va_end(args);
}

void nvp_broken_at(struct nvp_t *t, const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	end(t, NVP_BROKEN, file, line, format, args);
	va_end(args);
}

void nvp_announce(struct nvp_t *t, enum nvp_invariant invariant, unsigned count)
{
	if (invariant < NVP_NR_INVARIANTS)
		t->announced[invariant] += count;
}
