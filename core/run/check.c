// SPDX-License-Identifier: GPL-2.0-or-later
// The checks of check.h: each is an event, and those that do not hold make the verdict.

#include <nvproof/check.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/run/ctx.h"

#define TEXT_BYTES 400

/* ---- authority ---- */

static const char *authority_word(enum nvp_authority authority)
{
	switch (authority) {
	case NVP_BY_CLAIM:
		return "claim";
	case NVP_BY_POLICY:
		return "policy";
	default:
		return "spec";
	}
}

/* "strict" asks for what is sane too. */
static bool policy_asked(const struct nvp_t *t, const char *policy)
{
	if (!t->policy || !policy)
		return false;
	return !strcmp(t->policy, policy) ||
	       (!strcmp(t->policy, "strict") && !strcmp(policy, "sane"));
}

static void add_spec(struct nvp_text *members, const struct nvp_spec *spec)
{
	nvp_json_begin(members, "spec", '{');
	nvp_json_string(members, "document", spec->document);
	nvp_json_string(members, "revision", spec->revision);
	nvp_json_string(members, "section", spec->section);
	if (spec->field)
		nvp_json_string(members, "field", spec->field);
	nvp_json_end(members, '}');
}

/* ---- one check ---- */

static void send_check(struct nvp_t *t, bool ok, enum nvp_authority authority,
		       const struct nvp_check_words *words, bool counts_failed)
{
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "site", words->site);
	nvp_json_bool(&members, "ok", ok);
	nvp_json_string(&members, "authority", authority_word(authority));
	if (authority == NVP_BY_SPEC)
		add_spec(&members, words->basis ? &words->basis->spec : &t->record->spec);
	else if (words->basis && words->basis->words)
		nvp_json_string(&members, "words", words->basis->words);
	if (words->condition)
		nvp_json_string(&members, "condition", words->condition);
	nvp_json_string(&members, "expected", words->expected);
	nvp_json_string(&members, "seen", words->seen);
	if (words->trace[0]) {
		nvp_json_begin(&members, "trace", '[');
		nvp_json_u64(&members, NULL, words->trace[0]);
		if (words->trace[1])
			nvp_json_u64(&members, NULL, words->trace[1]);
		nvp_json_end(&members, ']');
	}
	if (words->invariant) {
		nvp_json_string(&members, "invariant", words->invariant);
		nvp_json_bool(&members, "announced", words->announced);
	}
	t->out->event(t->out->context, NVP_EVENT_CHECK, nvp_t_now_ns(t), nvp_text_str(&members),
		      counts_failed);
	nvp_text_free(&members);
}

/*
 * The verdict rule (DESIGN section 2): a broken spec or claim fails the case; a broken policy is
 * a warning, unless the user asked for it. A policy that only warns is not counted as failed.
 */
bool nvp_t_check(struct nvp_t *t, bool required, bool ok, const struct nvp_check_words *words)
{
	enum nvp_authority authority = words->basis ? words->basis->authority : NVP_BY_SPEC;
	const char *policy = authority == NVP_BY_POLICY ? words->basis->words : NULL;
	bool fails = !ok && (authority != NVP_BY_POLICY || policy_asked(t, policy));

	t->result.checks++;
	if (fails)
		t->result.checks_failed++;
	send_check(t, ok, authority, words, fails);
	if (fails)
		nvp_t_decide(t, NVP_FAIL, words->site, "%s%s%sexpected %s, seen %s",
			     policy ? "policy " : "", policy ? policy : "", policy ? ": " : "",
			     words->expected, words->seen);
	else if (!ok)
		nvp_warn(t, "policy %s at %s: expected %s, seen %s", policy ? policy : "",
			 words->site, words->expected, words->seen);
	if (!ok && required)
		t->ended = true;
	return ok;
}

/* Where in the trace a check stands that names no command: at the last record so far. */
static uint64_t last_tick(const struct nvp_t *t, bool ok)
{
	return ok || !t->trace ? 0 : nvp_trace_last_tick(t->trace);
}

static const char *site_text(char site[NVP_SITE_BYTES], const char *file, int line)
{
	if (!strncmp(file, "./", 2))
		file += 2;
	snprintf(site, NVP_SITE_BYTES, "%s:%d", file, line);
	return site;
}

bool nvp_check_at(struct nvp_t *t, const char *file, int line, bool required, bool ok,
		  const struct nvp_basis *basis, const char *condition, const char *format, ...)
{
	char site[NVP_SITE_BYTES], seen[TEXT_BYTES];
	struct nvp_check_words words = {
		.site = site_text(site, file, line), .basis = basis, .condition = condition,
		.expected = condition, .seen = seen, .trace = { last_tick(t, ok) },
	};
	va_list args;

	va_start(args, format);
	vsnprintf(seen, sizeof(seen), format, args);
	va_end(args);
	return nvp_t_check(t, required, ok, &words);
}

/* "field = 7 (0x7)"; a bare number is not repeated as its own name. */
static void number_text(char text[TEXT_BYTES], const char *name, uint64_t value)
{
	char *end = NULL;
	bool number = *name >= '0' && *name <= '9' && strtoull(name, &end, 0) == value;

	if (number)
		end += strspn(end, "uUlL");
	if (number && !*end)
		snprintf(text, TEXT_BYTES, "%" PRIu64 " (0x%" PRIx64 ")", value, value);
	else
		snprintf(text, TEXT_BYTES, "%.200s = %" PRIu64 " (0x%" PRIx64 ")", name, value,
			 value);
}

bool nvp_check_u64_at(struct nvp_t *t, const char *file, int line, bool required, uint64_t got,
		      uint64_t want, const struct nvp_basis *basis, const char *got_name,
		      const char *want_name)
{
	char site[NVP_SITE_BYTES], expected[TEXT_BYTES], seen[TEXT_BYTES], condition[TEXT_BYTES];
	struct nvp_check_words words = {
		.site = site_text(site, file, line), .basis = basis, .condition = condition,
		.expected = expected, .seen = seen, .trace = { last_tick(t, got == want) },
	};

	snprintf(condition, sizeof(condition), "%.190s == %.190s", got_name, want_name);
	number_text(expected, want_name, want);
	number_text(seen, got_name, got);
	return nvp_t_check(t, required, got == want, &words);
}

bool nvp_check_range_at(struct nvp_t *t, const char *file, int line, bool required, uint64_t got,
			uint64_t low, uint64_t high, const struct nvp_basis *basis,
			const char *got_name)
{
	bool ok = got >= low && got <= high;
	char site[NVP_SITE_BYTES], expected[TEXT_BYTES], seen[TEXT_BYTES];
	struct nvp_check_words words = {
		.site = site_text(site, file, line), .basis = basis, .condition = got_name,
		.expected = expected, .seen = seen, .trace = { last_tick(t, ok) },
	};

	snprintf(expected, sizeof(expected), "%" PRIu64 " to %" PRIu64, low, high);
	number_text(seen, got_name, got);
	return nvp_t_check(t, required, ok, &words);
}

bool nvp_check_status_at(struct nvp_t *t, const char *file, int line, bool required,
			 const struct nvp_cpl *cpl, const struct nvp_expect *set, unsigned nr,
			 const struct nvp_basis *basis)
{
	const struct nvp_expect_set any = { .any = set, .nr = nr };
	char site[NVP_SITE_BYTES], expected[NVP_STATUS_TEXT_BYTES], seen[NVP_STATUS_TEXT_BYTES];
	struct nvp_check_words words = {
		.site = site_text(site, file, line), .basis = basis, .seen = seen,
		.expected = expected, .trace = { cpl->sub_tick, cpl->ack_tick },
	};
	bool ok = false;

	for (unsigned i = 0; i < nr; i++)
		ok = ok || nvp_status_is(&cpl->status, set[i].sct, set[i].sc);
	nvp_expect_text(&any, expected);
	nvp_status_text(&cpl->status, seen);
	return nvp_t_check(t, required, ok, &words);
}

/* "12 34 .." from byte `at`, at most 8 bytes. */
static void bytes_text(char text[TEXT_BYTES], const char *name, const uint8_t *bytes, size_t at,
		       size_t nr_bytes)
{
	size_t end = nvp_min_u64(at + 8, nr_bytes);
	int length = snprintf(text, TEXT_BYTES, "%.150s at byte %zu:", name, at);

	for (size_t i = at; i < end; i++)
		length += snprintf(text + length, TEXT_BYTES - (size_t)length, " %02x", bytes[i]);
	if (end < nr_bytes)
		snprintf(text + length, TEXT_BYTES - (size_t)length, " ..");
}

bool nvp_check_bytes_at(struct nvp_t *t, const char *file, int line, bool required,
			const void *got, const void *want, size_t nr_bytes,
			const struct nvp_basis *basis, const char *got_name)
{
	const uint8_t *g = got, *w = want;
	size_t at = 0, nr_wrong = 0;
	char site[NVP_SITE_BYTES], expected[TEXT_BYTES], seen[TEXT_BYTES];
	struct nvp_check_words words = {
		.site = site_text(site, file, line), .basis = basis, .condition = got_name,
		.expected = expected, .seen = seen,
	};

	for (size_t i = nr_bytes; i > 0; i--) {
		if (g[i - 1] != w[i - 1]) {
			at = i - 1;
			nr_wrong++;
		}
	}
	if (nr_wrong) {
		bytes_text(expected, "bytes", w, at, nr_bytes);
		bytes_text(seen, got_name, g, at, nr_bytes);
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen),
			 " (%zu of %zu bytes differ)", nr_wrong, nr_bytes);
	} else {
		snprintf(expected, sizeof(expected), "%zu bytes equal", nr_bytes);
		snprintf(seen, sizeof(seen), "all equal");
	}
	words.trace[0] = last_tick(t, !nr_wrong);
	return nvp_t_check(t, required, !nr_wrong, &words);
}

/* ---- commands that did not travel ---- */

bool nvp_done_at(struct nvp_t *t, const char *file, int line, int rc, const char *what)
{
	static const struct nvp_basis completes = {
		.authority = NVP_BY_SPEC,
		.spec = { .document = "NVMe Base", .revision = "2.0", .section = "3.4" },
	};
	char site[NVP_SITE_BYTES], reason[TEXT_BYTES], seen[TEXT_BYTES + 80], call[64];
	struct nvp_check_words words = {
		.site = site_text(site, file, line), .basis = &completes,
		.expected = "a completion within the budget", .seen = seen,
	};

	if (rc >= 0)
		return true;
	snprintf(call, sizeof(call), "%.*s", (int)strcspn(what, "("), what);
	nvp_err_text(nvp_drive_err(t->rig.drive), reason, sizeof(reason));
	if (!reason[0])
		snprintf(reason, sizeof(reason), "%s", strerror(-rc));
	switch (rc) {
	case -ETIMEDOUT:
		snprintf(seen, sizeof(seen), "none: %s: %s", call, reason);
		words.trace[0] = last_tick(t, false);
		return nvp_t_check(t, true, false, &words);
	case -EPERM:
	case -EOPNOTSUPP:
		nvp_skip_at(t, file, line, "%s", reason);
		return false;
	default:
		nvp_broken_at(t, file, line, "%s: %s", call, reason);
		return false;
	}
}

/* ---- standing invariants ---- */

/* "NVMe Base 2.0, 3.3.3.2" in its parts; what does not have this form is all document. */
static void split_section(char *text, struct nvp_spec *spec)
{
	char *comma = strstr(text, ", "), *space;

	*spec = (struct nvp_spec){ .document = text, .revision = "", .section = "" };
	if (!comma)
		return;
	*comma = '\0';
	spec->section = comma + 2;
	space = strrchr(text, ' ');
	if (space) {
		*space = '\0';
		spec->revision = space + 1;
	}
}

void nvp_t_broken_invariant(struct nvp_t *t, enum nvp_invariant invariant, const char *site,
			    const char *expected, const char *seen)
{
	bool announced = t->happened[invariant] < t->announced[invariant];
	struct nvp_basis basis = { .authority = NVP_BY_SPEC };
	char section[120];
	struct nvp_check_words words = {
		.site = site, .basis = &basis, .expected = expected, .seen = seen,
		.trace = { last_tick(t, false) }, .invariant = nvp_invariant_name(invariant),
		.announced = announced,
	};

	t->happened[invariant]++;
	snprintf(section, sizeof(section), "%s", nvp_invariant_section(invariant));
	split_section(section, &basis.spec);
	nvp_t_check(t, false, announced, &words);
}
