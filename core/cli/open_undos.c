// SPDX-License-Identifier: GPL-2.0-or-later
// Events `undo` without their `undone`.

#include "core/cli/open_undos.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/report/event.h"

/* 64 bytes as 128 hex digits, as they were sent to the file. */
static bool read_sqe(const char *hex, struct nvp_sqe *sqe)
{
	if (!hex || strlen(hex) != 2 * NVP_SQE_BYTES)
		return false;
	for (size_t i = 0; i < NVP_SQE_BYTES; i++) {
		if (!isxdigit((unsigned char)hex[2 * i]) ||
		    sscanf(hex + 2 * i, "%2hhx", &sqe->bytes[i]) != 1)
			return false;
	}
	return true;
}

static int add(struct nvp_open_undos *u, const struct nvp_event *e)
{
	struct nvp_undo undo = { .id = nvp_event_u64(e, "id", 0) };

	if (!read_sqe(nvp_event_text(e, NULL, "sqe"), &undo.sqe))
		return -EBADMSG;
	snprintf(undo.what, sizeof(undo.what), "%s", nvp_event_text(e, NULL, "what") ?: "");
	if (u->nr == u->room) {
		size_t room = u->room ? u->room * 2 : 8;
		struct nvp_undo *grown = reallocarray(u->list, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		u->list = grown;
		u->room = room;
	}
	u->list[u->nr++] = undo;
	return 0;
}

static void drop(struct nvp_open_undos *u, uint64_t id)
{
	for (size_t i = u->nr; i-- > 0;) {
		if (u->list[i].id != id)
			continue;
		memmove(&u->list[i], &u->list[i + 1], (u->nr - i - 1) * sizeof(u->list[0]));
		u->nr--;
		return;
	}
}

static int take(void *context, const char *line, size_t nr_bytes, uint64_t number)
{
	struct nvp_open_undos *u = context;
	struct nvp_event e;
	int rc = nvp_event_parse(line, nr_bytes, &e, NULL);

	if (rc)
		return rc;
	if (e.type == NVP_EVENT_RUN_BEGIN) {
		u->seed = nvp_event_u64(&e, "seed", 0);
	} else if (e.type == NVP_EVENT_DRIVE) {
		snprintf(u->address, sizeof(u->address), "%s",
			 nvp_event_text(&e, NULL, "address") ?: "");
		snprintf(u->serial, sizeof(u->serial), "%s",
			 nvp_event_text(&e, NULL, "serial") ?: "");
	} else if (e.type == NVP_EVENT_UNDO) {
		rc = add(u, &e);
	} else if (e.type == NVP_EVENT_UNDONE && nvp_event_bool(&e, "ok")) {
		drop(u, nvp_event_u64(&e, "id", 0));
	}
	nvp_event_free(&e);
	u->lines = number;
	u->bytes += nr_bytes + 1;
	return rc;
}

int nvp_open_undos_read(struct nvp_open_undos *u, const char *dir, struct nvp_err *err)
{
	struct nvp_err torn = { 0 };
	int rc;

	memset(u, 0, sizeof(*u));
	rc = nvp_event_lines(dir, take, u, &torn);
	if (rc == -ENOMEM)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "read %s: out of memory", dir);
	if (rc && rc != -EBADMSG)
		return nvp_err_set(err, NVP_ERR_USAGE, rc,
				   "%s is no run directory of one drive: it has no events.jsonl",
				   dir);
	return 0;
}

void nvp_open_undos_free(struct nvp_open_undos *u)
{
	free(u->list);
}
