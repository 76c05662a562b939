// SPDX-License-Identifier: GPL-2.0-or-later
// A replay in memory: made from a cycle that failed, copied, cut shorter, given to a campaign.

#include "power/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

const char *nvp_replay_op_word(enum nvp_oracle_kind kind)
{
	static const char *const words[NVP_ORACLE_NR_KINDS] = {
		[NVP_ORACLE_WRITE] = "write",
		[NVP_ORACLE_COMPARE_WRITE] = "compare-write",
		[NVP_ORACLE_WRITE_ZEROES] = "zeroes",
		[NVP_ORACLE_WRITE_UNCORRECTABLE] = "uncorrectable",
		[NVP_ORACLE_DEALLOCATE] = "deallocate",
		[NVP_ORACLE_COPY] = "copy",
		[NVP_ORACLE_READ_FUA] = "read",
		[NVP_ORACLE_FLUSH] = "flush",
	};

	return (unsigned)kind < NVP_ORACLE_NR_KINDS ? words[kind] : NULL;
}

const char *nvp_replay_reset_word(unsigned reset)
{
	static const char *const words[NVP_NR_RESETS] = {
		[NVP_RESET_CONTROLLER] = "controller", [NVP_RESET_FUNCTION] = "function",
		[NVP_RESET_HOT] = "hot",	       [NVP_RESET_LINK] = "link",
		[NVP_RESET_D3] = "d3",		       [NVP_RESET_SUBSYSTEM] = "subsystem",
	};

	return reset < NVP_NR_RESETS ? words[reset] : NULL;
}

struct nvp_op *nvp_replay_add(struct nvp_replay_file *file)
{
	struct nvp_replay *r = &file->replay;

	if (r->nr_ops == file->room) {
		uint32_t room = file->room ? file->room * 2 : 64;
		struct nvp_op *grown = reallocarray(file->op, room, sizeof(*grown));

		if (!grown)
			return NULL;
		file->op = grown;
		file->room = room;
	}
	r->ops = file->op;
	file->op[r->nr_ops] = (struct nvp_op){ .kind = NVP_ORACLE_WRITE };
	return &file->op[r->nr_ops++];
}

uint32_t nvp_replay_cycle(const struct nvp_replay *replay, uint32_t n, uint32_t *end)
{
	uint32_t first = 0, i = 0;

	for (; n && i < replay->nr_ops; n -= i < replay->nr_ops) {
		for (i++; i < replay->nr_ops && !replay->ops[i].next;)
			i++;
		first = i;
	}
	for (i = first + 1; i < replay->nr_ops && !replay->ops[i].next;)
		i++;
	*end = i;
	return first;
}

uint32_t nvp_replay_cycles(const struct nvp_replay *replay)
{
	uint32_t nr = 1;

	for (uint32_t i = 1; i < replay->nr_ops; i++)
		nr += replay->ops[i].next;
	return nr;
}

uint32_t nvp_replay_last(const struct nvp_replay *replay)
{
	uint32_t end;

	return nvp_replay_cycle(replay, nvp_replay_cycles(replay) - 1, &end);
}

/*
 * The cut stays where it was among those of the last cycle that are left. A cycle that keeps any
 * operation stays a cycle.
 */
void nvp_replay_remove(struct nvp_replay_file *file, uint32_t first, uint32_t nr)
{
	struct nvp_replay *r = &file->replay;
	uint32_t *after = &r->cut.after_ops, behind = first + nr, last = nvp_replay_last(r);
	bool next = false;

	for (uint32_t i = first; i < behind; i++)
		next |= file->op[i].next;
	if (behind < r->nr_ops)
		file->op[behind].next |= next;

	memmove(file->op + first, file->op + first + nr,
		(r->nr_ops - first - nr) * sizeof(*file->op));
	r->nr_ops -= nr;
	file->op[0].next = false;
	if (last + *after > first && behind > last) {
		first = first > last ? first : last;
		*after -= (uint32_t)nvp_min_u64(behind - first, last + *after - first);
	}
	if (r->nr_ops)
		*after = (uint32_t)nvp_min_u64(*after, r->nr_ops - nvp_replay_last(r));
}

void nvp_replay_free(struct nvp_replay_file *file)
{
	if (!file)
		return;
	free(file->op);
	free(file);
}

struct nvp_replay_file *nvp_replay_copy(const struct nvp_replay_file *file)
{
	struct nvp_replay_file *copy = malloc(sizeof(*copy));
	uint32_t nr = file->replay.nr_ops;

	if (!copy)
		return NULL;
	*copy = *file;
	copy->room = nr ? nr : 1;
	copy->op = calloc(copy->room, sizeof(*copy->op));
	copy->replay.ops = copy->op;
	if (!copy->op) {
		free(copy);
		return NULL;
	}
	if (nr)
		memcpy(copy->op, file->op, nr * sizeof(*copy->op));
	return copy;
}

static bool add_copy(struct nvp_replay_file *file, const struct nvp_op *from, bool next)
{
	struct nvp_op *op = nvp_replay_add(file);

	if (!op) {
		nvp_replay_free(file);
		return false;
	}
	*op = *from;
	op->next = next && file->replay.nr_ops > 1;
	return true;
}

struct nvp_replay_file *nvp_replay_of(const struct nvp_failed_cycle *failed, uint8_t class_id,
				      const struct nvp_campaign_options *options)
{
	struct nvp_replay_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->has_class = true;
	file->class_id = class_id;
	snprintf(file->rules, sizeof(file->rules), "%s", options->rules ? options->rules : "");
	snprintf(file->policy, sizeof(file->policy), "%s", options->policy ? options->policy : "");
	file->nsid = failed->nsid;
	file->first_lba = failed->first_lba;
	file->nr_lbas = failed->plan.nr_blocks;
	file->seed = options->seed;
	file->replay.phase = failed->phase;
	file->replay.queues = failed->queues;
	file->replay.depth = failed->depth;
	file->replay.cut = failed->cut;
	for (uint32_t i = failed->nr_past; i > 0; i--)
		for (uint32_t k = 0; k < failed->past[i - 1].nr_ops; k++)
			if (!add_copy(file, &failed->past[i - 1].ops[k], !k))
				return NULL;
	for (uint32_t i = 0; i < failed->nr_ops; i++)
		if (!add_copy(file, &failed->ops[i].op, !i))
			return NULL;
	return file;
}

void nvp_replay_apply(const struct nvp_replay_file *file, struct nvp_campaign_options *options)
{
	options->replay = &file->replay;
	options->cycles = nvp_replay_cycles(&file->replay);
	options->nsid = file->nsid;
	options->first_lba = file->first_lba;
	options->nr_lbas = file->nr_lbas;
	options->seed = file->seed;
	options->resets = file->replay.cut.is_reset;
	options->phases = 1u << file->replay.phase;
	options->workloads = 1u << NVP_WORKLOAD_RANDOM;
	options->scrub = 1;
	if (file->rules[0])
		options->rules = file->rules;
	if (file->policy[0])
		options->policy = file->policy;
}

const char *nvp_replay_drive(const struct nvp_replay_file *file)
{
	return file->drive;
}

const char *nvp_replay_class(const struct nvp_replay_file *file)
{
	return file->has_class ? nvp_class_name((enum nvp_class)file->class_id) : "";
}
