// SPDX-License-Identifier: GPL-2.0-or-later
// What is kept of a cycle that failed: a replay, as small as it can be made, and its tale.

#include "core/run/powerloss.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <nvproof/power_bundle.h>
#include <nvproof/power_replay.h>

void nvp_t_event_table(struct nvp_t *t, const char *name, const char *text, const char *json)
{
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "name", name);
	nvp_json_string(&members, "text", text);
	if (json)
		nvp_json_raw(&members, "data", json);
	t->out->event(t->out->context, NVP_EVENT_TABLE, nvp_t_now_ns(t), nvp_text_str(&members),
		      false);
	nvp_text_free(&members);
}

static void snapshot(struct nvp_t *t, const char *file)
{
	struct nvp_text members = { 0 };

	nvp_json_string(&members, "name", "replay");
	nvp_json_string(&members, "file", file);
	t->out->event(t->out->context, NVP_EVENT_SNAPSHOT, nvp_t_now_ns(t),
		      nvp_text_str(&members), false);
	nvp_text_free(&members);
}

static void note(struct nvp_t *t, const char *format, const char *what)
{
	struct nvp_text text = { 0 };

	nvp_text_addf(&text, "%s: %s", format, what);
	nvp_t_event_note(t, "note", nvp_text_str(&text));
	nvp_text_free(&text);
}

static void write_file(struct nvp_t *t, const struct nvp_replay_file *replay, const char *story,
		       const char *name)
{
	struct nvp_text text = { 0 };
	char path[PATH_MAX + 40];
	FILE *out;
	int rc = 0;

	for (const char *line = story; *line;) {
		size_t length = strcspn(line, "\n");

		nvp_text_add(&text, "# ");
		nvp_text_add_n(&text, line, length);
		nvp_text_add(&text, "\n");
		line += length + (line[length] == '\n');
	}
	nvp_replay_text(replay, &text);
	snprintf(path, sizeof(path), "%s/%s", t->dir, name);
	out = fopen(path, "wxe");
	if (!out || fwrite(nvp_text_str(&text), 1, text.length, out) != text.length)
		rc = -errno;
	if (out && fclose(out) && !rc)
		rc = -errno;
	if (rc)
		note(t, name, strerror(-rc));
	else
		snapshot(t, name);
	nvp_text_free(&text);
}

/* Each try tells the supervisor that something goes on. */
static void beat(void *context)
{
	struct nvp_t *t = context;
	uint32_t csts;

	nvp_reg_read32(t->rig.drive, NVP_REG_CSTS, &csts);
}

static void shrink(struct nvp_t *t, struct nvp_replay_file *replay, struct nvp_text *story)
{
	struct nvp_shrink s = { .address = t->address, .seed = t->rig.seed, .heartbeat = beat,
				.context = t };
	struct nvp_err err = { 0 };
	struct nvp_text title = { 0 };
	char words[400];
	int rc = nvp_replay_shrink(replay, &s, story, &err);

	if (rc == -ENOENT) {
		note(t, "replay", "on a new drive it does not fail again: the cycle is kept as it was");
	} else if (rc) {
		note(t, "replay", nvp_err_text(&err, words, sizeof(words)));
	} else {
		nvp_text_addf(&title, "shortest history that fails, of %u operations, in %u runs: ",
			      s.ops_before, s.runs);
		nvp_text_add(&title, nvp_text_str(story));
		nvp_t_event_table(t, "replay", nvp_text_str(&title), NULL);
	}
	nvp_text_free(&title);
}

/* ---- what is frozen of the drive ---- */

struct folder {
	char path[PATH_MAX];
};

static int put_file(void *context, const char *name, const void *bytes, size_t nr_bytes)
{
	const struct folder *folder = context;
	char path[PATH_MAX + 64];
	FILE *out;
	int rc = 0;

	snprintf(path, sizeof(path), "%s/%s", folder->path, name);
	out = fopen(path, "we");
	if (!out || fwrite(bytes, 1, nr_bytes, out) != nr_bytes)
		rc = errno ? -errno : -EIO;
	if (out && fclose(out) && !rc)
		rc = -errno;
	return rc;
}

static void freeze(struct nvp_t *t, const struct nvp_failed_cycle *failed, uint32_t cycle,
		   uint8_t class_id)
{
	struct folder folder;
	int length = snprintf(folder.path, sizeof(folder.path), "%s/cycle-%u", t->dir, cycle);
	int rc = -ENAMETOOLONG;

	if (length > 0 && (size_t)length < sizeof(folder.path))
		rc = mkdir(folder.path, 0777) && errno != EEXIST ? -errno : 0;
	if (!rc)
		rc = nvp_freeze(failed, class_id, put_file, &folder);
	if (rc)
		note(t, "the evidence of the cycle", strerror(-rc));
}

void nvp_powerloss_keep(struct nvp_t *t, const struct nvp_campaign_options *options,
			const struct nvp_failed_cycle *failed, uint32_t cycle, uint8_t class_id)
{
	struct nvp_replay_file *replay;
	struct nvp_text story = { 0 };
	char name[32];

	if (!t->dir)
		return;
	freeze(t, failed, cycle, class_id);
	replay = nvp_replay_of(failed, class_id, options);
	if (!replay) {
		note(t, "replay", strerror(ENOMEM));
		return;
	}
	if (nvp_drive_path(t->rig.drive) & NVP_PATH_SIMULATED && t->address && !options->replay)
		shrink(t, replay, &story);
	snprintf(name, sizeof(name), "cycle-%u.replay", cycle);
	write_file(t, replay, nvp_text_str(&story), name);
	nvp_replay_free(replay);
	nvp_text_free(&story);
}
