// SPDX-License-Identifier: GPL-2.0-or-later
// Replay files: written, and read back with the line said that is wrong.

#include "power/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/base/text.h"

#define VERSION 1
#define MOST_WORDS 12
#define MOST_BYTES (64u << 20)

/* ---- writing ---- */

static void add_op(struct nvp_text *out, const struct nvp_op *op)
{
	nvp_text_add(out, nvp_replay_op_word(op->kind));
	if (op->kind <= NVP_ORACLE_READ_FUA)
		nvp_text_addf(out, " %" PRIu32 " %u", op->block, op->nlb_z + 1u);
	if (op->kind == NVP_ORACLE_COPY)
		nvp_text_addf(out, " %" PRIu32, op->source);
	if (op->fua)
		nvp_text_add(out, " fua");
	if (op->wrong_compare)
		nvp_text_add(out, " wrong");
	if (op->beyond)
		nvp_text_addf(out, " beyond %u", op->beyond);
	if (op->barrier)
		nvp_text_add(out, " barrier");
	if (op->next)
		nvp_text_add(out, " next");
	if (op->cache)
		nvp_text_add(out, op->cache == NVP_SWITCH_ON ? " cache-on" : " cache-off");
	if (op->queue)
		nvp_text_addf(out, " queue %u", op->queue);
	nvp_text_add(out, "\n");
}

static void add_cut(struct nvp_text *out, const struct nvp_cut *cut)
{
	if (cut->is_reset)
		nvp_text_addf(out, "reset %s %" PRIu32 " %" PRIu64,
			      nvp_replay_reset_word(cut->reset), cut->after_ops, cut->delay_ns);
	else
		nvp_text_addf(out, "cut %" PRIu32 " %" PRIu64, cut->after_ops, cut->delay_ns);
	if (cut->clean)
		nvp_text_add(out, " clean");
	if (cut->abrupt)
		nvp_text_add(out, " abrupt");
	if (cut->more_cuts)
		nvp_text_add(out, cut->more_cuts == 1 ? " twice" : " thrice");
	if (cut->command_ns)
		nvp_text_addf(out, " command %" PRIu64, cut->command_ns);
	if (cut->variant)
		nvp_text_addf(out, " variant %u", cut->variant);
	nvp_text_add(out, "\n");
}

void nvp_replay_text(const struct nvp_replay_file *file, struct nvp_text *out)
{
	const struct nvp_replay *r = &file->replay;

	nvp_text_addf(out, "nvproof-replay %d\n", VERSION);
	if (file->drive[0])
		nvp_text_addf(out, "drive %s\n", file->drive);
	if (file->has_class)
		nvp_text_addf(out, "class %s\n", nvp_replay_class(file));
	if (file->rules[0])
		nvp_text_addf(out, "rules %s\n", file->rules);
	if (file->policy[0])
		nvp_text_addf(out, "policy %s\n", file->policy);
	nvp_text_addf(out, "nsid %" PRIu32 "\n", file->nsid);
	nvp_text_addf(out, "range %" PRIu64 " %" PRIu64 "\n", file->first_lba, file->nr_lbas);
	nvp_text_addf(out, "seed %" PRIu64 "\n", file->seed);
	nvp_text_addf(out, "phase %s\n", nvp_phase_name(r->phase));
	nvp_text_addf(out, "queues %u\n", r->queues);
	nvp_text_addf(out, "depth %u\n", r->depth);
	add_cut(out, &r->cut);
	for (uint32_t i = 0; i < r->nr_ops; i++)
		add_op(out, &r->ops[i]);
}

/* ---- reading ---- */

struct line {
	char *word[MOST_WORDS];
	unsigned nr;
	struct nvp_replay_file *file;
};

static bool number(const struct line *l, unsigned i, uint64_t low, uint64_t high, uint64_t *value)
{
	return i < l->nr && !nvp_parse_u64_range(l->word[i], low, high, value);
}

static int find(const char *word, const char *(*name)(unsigned))
{
	for (unsigned i = 0; i < 64; i++) {
		const char *n = name(i);

		if (n && !strcmp(n, word))
			return (int)i;
	}
	return -1;
}

static const char *phase_word(unsigned i)
{
	return nvp_phase_name((enum nvp_phase)i);
}

static const char *op_word(unsigned i)
{
	return nvp_replay_op_word((enum nvp_oracle_kind)i);
}

static const char *class_word(unsigned i)
{
	return i < NVP_NR_CLASSES ? nvp_class_name((enum nvp_class)i) : NULL;
}

static bool take_word(const struct line *l, char *array, size_t bytes)
{
	return l->nr == 2 && (size_t)snprintf(array, bytes, "%s", l->word[1]) < bytes;
}

static bool take_cut(const struct line *l, unsigned at)
{
	struct nvp_cut *cut = &l->file->replay.cut;
	uint64_t ops, ns, variant;

	if (!number(l, at, 0, NVP_REPLAY_MOST_OPS, &ops) ||
	    !number(l, at + 1, 0, INT64_MAX, &ns))
		return false;
	cut->after_ops = (uint32_t)ops;
	cut->delay_ns = ns;
	for (unsigned i = at + 2; i < l->nr; i++) {
		if (!strcmp(l->word[i], "clean"))
			cut->clean = true;
		else if (!strcmp(l->word[i], "abrupt"))
			cut->abrupt = true;
		else if (!strcmp(l->word[i], "twice"))
			cut->more_cuts = 1;
		else if (!strcmp(l->word[i], "thrice"))
			cut->more_cuts = 2;
		else if (!strcmp(l->word[i], "command") &&
			 number(l, i + 1, 1, INT64_MAX, &cut->command_ns))
			i++;
		else if (!strcmp(l->word[i], "variant") &&
			 number(l, ++i, 1, NVP_CUT_VARIANTS - 1, &variant))
			cut->variant = (uint8_t)variant;
		else
			return false;
	}
	return true;
}

static bool take_reset(const struct line *l)
{
	int kind = l->nr > 1 ? find(l->word[1], nvp_replay_reset_word) : -1;

	if (kind < 0)
		return false;
	l->file->replay.cut.is_reset = true;
	l->file->replay.cut.reset = (uint8_t)kind;
	return take_cut(l, 2);
}

static bool take_op(const struct line *l, enum nvp_oracle_kind kind)
{
	struct nvp_op *op = l->file->replay.nr_ops < NVP_REPLAY_MOST_OPS ?
				    nvp_replay_add(l->file) : NULL;
	uint64_t block = 0, count = 1, source = 0, queue, beyond;
	unsigned i = 1;

	if (!op)
		return false;
	op->kind = kind;
	if (kind <= NVP_ORACLE_READ_FUA) {
		if (!number(l, 1, 0, NVP_WORKLOAD_MOST_BLOCKS - 1, &block) ||
		    !number(l, 2, 1, NVP_WORKLOAD_MOST_BLOCKS, &count))
			return false;
		i = 3;
	}
	if (kind == NVP_ORACLE_COPY &&
	    !number(l, i++, 0, NVP_WORKLOAD_MOST_BLOCKS - 1, &source))
		return false;
	op->block = (uint32_t)block;
	op->nlb_z = (uint16_t)(count - 1);
	op->source = (uint32_t)source;
	for (; i < l->nr; i++) {
		if (!strcmp(l->word[i], "fua"))
			op->fua = true;
		else if (!strcmp(l->word[i], "wrong"))
			op->wrong_compare = true;
		else if (!strcmp(l->word[i], "barrier"))
			op->barrier = true;
		else if (!strcmp(l->word[i], "next") && l->file->replay.nr_ops > 1)
			op->next = true;
		else if (!strcmp(l->word[i], "cache-on"))
			op->cache = NVP_SWITCH_ON;
		else if (!strcmp(l->word[i], "cache-off"))
			op->cache = NVP_SWITCH_OFF;
		else if (!strcmp(l->word[i], "beyond") && kind == NVP_ORACLE_WRITE &&
			 number(l, ++i, 1, NVP_WORKLOAD_MOST_BEYOND, &beyond))
			op->beyond = (uint16_t)beyond;
		else if (!strcmp(l->word[i], "queue") && number(l, ++i, 0, UINT16_MAX, &queue))
			op->queue = (uint16_t)queue;
		else
			return false;
	}
	return true;
}

static bool take_number(const struct line *l, uint64_t low, uint64_t high, uint64_t *value)
{
	return l->nr == 2 && number(l, 1, low, high, value);
}

static bool take_setting(const struct line *l, bool *known)
{
	struct nvp_replay_file *f = l->file;
	const char *word = l->word[0];
	uint64_t value = 0;
	int n;

	*known = true;
	if (!strcmp(word, "drive"))
		return take_word(l, f->drive, sizeof(f->drive));
	if (!strcmp(word, "rules"))
		return take_word(l, f->rules, sizeof(f->rules));
	if (!strcmp(word, "policy"))
		return take_word(l, f->policy, sizeof(f->policy));
	if (!strcmp(word, "seed"))
		return take_number(l, 0, UINT64_MAX, &f->seed);
	if (!strcmp(word, "range"))
		return number(l, 1, 0, UINT64_MAX, &f->first_lba) &&
		       number(l, 2, 1, UINT64_MAX, &f->nr_lbas);
	if (!strcmp(word, "class")) {
		n = l->nr == 2 ? find(l->word[1], class_word) : -1;
		f->has_class = n > 0;
		f->class_id = n > 0 ? (uint8_t)n : 0;
		return n > 0;
	}
	if (!strcmp(word, "phase")) {
		n = l->nr == 2 ? find(l->word[1], phase_word) : -1;
		f->replay.phase = n >= 0 ? (enum nvp_phase)n : NVP_PHASE_WRITES;
		return n >= 0;
	}
	if (!strcmp(word, "nsid")) {
		if (!take_number(l, 0, UINT32_MAX, &value))
			return false;
		f->nsid = (uint32_t)value;
		return true;
	}
	if (!strcmp(word, "queues") || !strcmp(word, "depth")) {
		if (!take_number(l, 1, UINT16_MAX, &value))
			return false;
		*(word[0] == 'q' ? &f->replay.queues : &f->replay.depth) = (uint16_t)value;
		return true;
	}
	*known = false;
	return false;
}

static bool take_line(const struct line *l)
{
	bool known, ok = take_setting(l, &known);
	int kind;

	if (known)
		return ok;
	if (!strcmp(l->word[0], "cut"))
		return take_cut(l, 1);
	if (!strcmp(l->word[0], "reset"))
		return take_reset(l);
	kind = find(l->word[0], op_word);
	return kind >= 0 && take_op(l, (enum nvp_oracle_kind)kind);
}

/* Words of a line up to '#'; false: too many. */
static bool split(char *text, struct line *l)
{
	char *save = NULL;

	text[strcspn(text, "#")] = '\0';
	l->nr = 0;
	for (char *w = strtok_r(text, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save)) {
		if (l->nr == MOST_WORDS)
			return false;
		l->word[l->nr++] = w;
	}
	return true;
}

/* Operations lie in the range, and the cut among them. */
static bool fits(const struct nvp_replay_file *f)
{
	for (uint32_t i = 0; i < f->replay.nr_ops; i++) {
		const struct nvp_op *op = &f->op[i];
		uint64_t blocks = op->nlb_z + 1ull;

		if (op->kind > NVP_ORACLE_READ_FUA)
			continue;
		if (op->block + blocks > f->nr_lbas ||
		    (op->kind == NVP_ORACLE_COPY && op->source + blocks > f->nr_lbas))
			return false;
	}
	return f->replay.cut.after_ops <= f->replay.nr_ops - nvp_replay_last(&f->replay);
}

static int parse_lines(char *text, struct nvp_replay_file *file, struct nvp_err *err)
{
	struct line l = { .file = file };
	unsigned nr = 0, taken = 0;

	for (char *next; text; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		nr++;
		if (!split(text, &l))
			return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "replay, line %u", nr);
		if (!l.nr)
			continue;
		if (!taken++) {
			if (l.nr == 2 && !strcmp(l.word[0], "nvproof-replay") &&
			    !strcmp(l.word[1], "1"))
				continue;
			nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "replay, line %u", nr);
			nvp_err_expected(err, "nvproof-replay %d", VERSION);
			return -EINVAL;
		}
		if (!take_line(&l))
			return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "replay, line %u: %.60s",
					   nr, l.word[0]);
	}
	if (!taken || !file->nr_lbas || !file->replay.nr_ops || !file->replay.queues ||
	    !file->replay.depth)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "replay: range, queues, depth and an operation are needed");
	if (!fits(file))
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "replay: an operation or the cut lies outside");
	return 0;
}

struct nvp_replay_file *nvp_replay_parse(const char *text, struct nvp_err *err)
{
	struct nvp_replay_file *file = calloc(1, sizeof(*file));
	char *copy = strdup(text);

	if (!file || !copy)
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "replay");
	else if (!parse_lines(copy, file, err)) {
		free(copy);
		return file;
	}
	free(copy);
	nvp_replay_free(file);
	return NULL;
}

struct nvp_replay_file *nvp_replay_read(const char *path, struct nvp_err *err)
{
	struct nvp_replay_file *file = NULL;
	struct nvp_text text = { 0 };
	FILE *in = fopen(path, "re");
	char part[4096];
	size_t nr;

	if (!in) {
		nvp_err_set(err, NVP_ERR_USAGE, -errno, "replay %s: %s", path, strerror(errno));
		return NULL;
	}
	while ((nr = fread(part, 1, sizeof(part), in)) > 0 && text.length < MOST_BYTES)
		nvp_text_add_n(&text, part, nr);
	if (ferror(in) || text.failed || nr)
		nvp_err_set(err, NVP_ERR_BROKEN, -EIO, "replay %s: it cannot be read", path);
	else
		file = nvp_replay_parse(nvp_text_str(&text), err);
	fclose(in);
	nvp_text_free(&text);
	return file;
}
