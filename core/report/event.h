/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of events.jsonl as values: the only door to the JSON library. */
#ifndef NVP_REPORT_EVENT_H
#define NVP_REPORT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/err.h>
#include <nvproof/event.h>

#include "core/base/text.h"

struct json_object;

/* A parsed line. The texts belong to it and live until nvp_event_free. */
struct nvp_event {
	struct json_object *root;
	int type;		/* enum nvp_event_type; -1: one that this version does not know */
	uint64_t seq;
	uint64_t t_ns;
	const char *type_name;
	const char *wall_utc;
	const char *drive;	/* NULL: none */
	const char *case_id;	/* NULL: none */
};

/* Longest line that is read, in bytes, without its newline. */
#define NVP_EVENT_LINE_BYTES (1u << 20)

/*
 * Parse nr_bytes bytes. 0; -EBADMSG with the reason in *err when it is no event of this format:
 * no JSON object, invalid UTF-8, nested too deep, a common key missing, or (of a known type) a
 * key that event.h requires missing or in another form than its mark says; -ENOMEM.
 */
int nvp_event_parse(const char *line, size_t nr_bytes, struct nvp_event *event,
		    struct nvp_err *err);
void nvp_event_free(struct nvp_event *event);

/* Values of a key; with parent not NULL, of that key inside the object `parent`. */
const char *nvp_event_text(const struct nvp_event *event, const char *parent, const char *key);
/* A number, decimal string or "0x" string; fallback when absent, negative or something else. */
uint64_t nvp_event_u64(const struct nvp_event *event, const char *key, uint64_t fallback);
bool nvp_event_bool(const struct nvp_event *event, const char *key);
bool nvp_event_has(const struct nvp_event *event, const char *key);

/* Arrays: how many, and element i as text (numbers too; NULL: neither). */
size_t nvp_event_nr(const struct nvp_event *event, const char *parent, const char *key);
const char *nvp_event_item(const struct nvp_event *event, const char *parent, const char *key,
			   size_t i);

/* Add the member as compact JSON ("null" when absent). */
void nvp_event_add_json(const struct nvp_event *event, const char *key, struct nvp_text *out);

/*
 * Every line of DIR/events.jsonl in order, number from 1, with its NUL behind it; take returns 0
 * or a negative errno, which ends the reading and is returned. -EBADMSG and *err at a torn or
 * overlong line, -ENOENT and the like when there is no such file.
 */
int nvp_event_lines(const char *dir, int (*take)(void *context, const char *line, size_t nr_bytes,
						 uint64_t number),
		    void *context, struct nvp_err *err);

/* A JSON document again, indented, with a newline at its end. 0, -EBADMSG, -ENOMEM. */
int nvp_json_pretty(const char *json, struct nvp_text *out);

#endif
