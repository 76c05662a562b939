// SPDX-License-Identifier: GPL-2.0-or-later
// One run of a replay on a new simulated drive: does it fail with its class, and where.

#include "power/shrink.h"

#include "core/base/bits.h"
#include "core/base/text.h"
#include "power/ledger.h"

static void on_finding(void *context, const struct nvp_campaign_finding *finding)
{
	struct nvp_shrink_listener *l = context;

	if (finding->severity != NVP_SEVERITY_FAIL || finding->class_id != l->class_id)
		return;
	l->failed = true;
	/* not of the blocks that are judged one by one, as those of another namespace */
	if (!l->nr_blocks && finding->lba - l->first_lba < l->nr_lbas)
		l->block[l->nr_blocks++] = (uint32_t)(finding->lba - l->first_lba);
}

/* First those whose whole history is in the cycle: what they hold was written in it. */
static void take_places(struct nvp_shrink_listener *l, const struct nvp_failed_cycle *failed,
			bool whole)
{
	for (uint32_t i = 0; i < failed->nr_blocks && l->nr_blocks < NVP_SHRINK_PLACES; i++) {
		const struct nvp_history_block *b = &failed->blocks[i];
		bool of_cycle = nvp_version_what(b->data) == NVP_VERSION_STAMP &&
				nvp_version_seq(b->data) >= failed->seq;

		if (b->finding.class == l->class_id &&
		    b->finding.severity == NVP_SEVERITY_FAIL && of_cycle == whole &&
		    (!l->nr_blocks || l->block[l->nr_blocks - 1] / NVP_SHRINK_SLOT !=
					      b->seen.block / NVP_SHRINK_SLOT))
			l->block[l->nr_blocks++] = b->seen.block;
	}
}

static void on_failed(void *context, const struct nvp_failed_cycle *failed)
{
	struct nvp_shrink_listener *l = context;

	uint32_t said = l->block[0];
	unsigned nr_said = l->nr_blocks;

	l->nr_blocks = 0;
	take_places(l, failed, true);
	take_places(l, failed, false);
	if (!l->nr_blocks && nr_said) {
		l->block[0] = said;
		l->nr_blocks = 1;
	}
	if (l->failed && l->story && !l->story->length)
		nvp_replay_story(failed, l->class_id, l->story);
}

int nvp_shrink_run(const struct nvp_replay_file *file, const char *address, uint64_t seed,
		    struct nvp_shrink_listener *l, struct nvp_err *err)
{
	const struct nvp_campaign_out out = { .context = l, .finding = on_finding,
					      .failed = on_failed };
	struct nvp_prepared *prepared = nvp_drive_prepare(address, seed, 0, err);
	struct nvp_drive *drive = prepared ? nvp_drive_open(prepared, NULL, 1, err) : NULL;
	struct nvp_campaign_options options = { 0 };
	struct nvp_campaign_result result;

	l->first_lba = file->first_lba;
	l->nr_lbas = file->nr_lbas;
	if (drive) {
		nvp_drive_permit(drive, UINT32_MAX);
		nvp_replay_apply(file, &options);
		nvp_campaign_run(drive, &options, &out, &result, err);
	}
	nvp_drive_close(drive);
	nvp_drive_discard(prepared);
	return l->failed ? 1 : err->code;
}

int nvp_replay_fails(const struct nvp_replay_file *file, const char *address, uint64_t seed,
		     struct nvp_text *story, struct nvp_err *err)
{
	struct nvp_shrink_listener l = { .class_id = file->class_id, .story = story };

	return nvp_shrink_run(file, address, seed, &l, err);
}
