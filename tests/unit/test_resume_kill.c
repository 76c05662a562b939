// SPDX-License-Identifier: GPL-2.0-or-later
// SIGKILL in a campaign, and what --resume says then, against an oracle that was not interrupted: what
// the campaign told its own oracle is kept in shared memory and outlives it.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvproof/build.h>

#include "core/base/rand.h"
#include "power/oracle_impl.h"
#include "power/resume.h"
#include "tests/unit/unit.h"

#define MOST_CALLS 20000u
#define KILLS	   24u /* unless NVP_KILLS says otherwise */

/* ---- what the campaign told its oracle ---- */

enum what { SUBMIT = 0, COMPLETE, RESET, CUT };

struct call {
	uint8_t what, sct, sc;
	uint32_t op;
	uint64_t tick;
	struct nvp_oracle_cmd cmd;
};

struct truth {
	uint32_t nr; /* calls since the oracle was made */
	uint32_t cycle; /* UINT32_MAX: of no cycle of the journal */
	bool begun; /* a cycle stands in the journal */
	uint32_t fails; /* findings before the kill */
	uint64_t steps, kill_at; /* 0: the parent kills */
	struct nvp_oracle_facts facts;
	uint8_t initial[NVP_WORKLOAD_MOST_BLOCKS];
	struct call call[MOST_CALLS];
};

/* NULL: nothing is watched; else in the process that dies, or in the one that goes on. */
static struct truth *recorded;
static struct seen *resuming;

static void keep(struct call call)
{
	if (!recorded || recorded->nr == MOST_CALLS)
		return;
	recorded->call[recorded->nr] = call;
	__atomic_store_n(&recorded->nr, recorded->nr + 1, __ATOMIC_RELEASE);
}

static void step(void)
{
	if (recorded && recorded->begun && ++recorded->steps == recorded->kill_at)
		raise(SIGKILL);
}

/* The linker puts these before the functions of the engine (--wrap). */
struct nvp_oracle *__real_nvp_oracle_new(const struct nvp_oracle_facts *facts, const uint8_t *initial);
struct nvp_oracle *__wrap_nvp_oracle_new(const struct nvp_oracle_facts *facts, const uint8_t *initial);
int64_t __real_nvp_oracle_submit(struct nvp_oracle *o, uint64_t tick, const struct nvp_oracle_cmd *cmd);
int64_t __wrap_nvp_oracle_submit(struct nvp_oracle *o, uint64_t tick, const struct nvp_oracle_cmd *cmd);
int __real_nvp_oracle_complete(struct nvp_oracle *o, uint64_t tick, uint32_t op, uint8_t sct, uint8_t sc);
int __wrap_nvp_oracle_complete(struct nvp_oracle *o, uint64_t tick, uint32_t op, uint8_t sct, uint8_t sc);
int __real_nvp_oracle_reset(struct nvp_oracle *o, uint64_t tick);
int __wrap_nvp_oracle_reset(struct nvp_oracle *o, uint64_t tick);
int __real_nvp_oracle_cut(struct nvp_oracle *o, uint64_t tick);
int __wrap_nvp_oracle_cut(struct nvp_oracle *o, uint64_t tick);
int __real_nvp_journal_cycle(struct nvp_journal *j, const struct nvp_journal_cycle *cycle);
int __wrap_nvp_journal_cycle(struct nvp_journal *j, const struct nvp_journal_cycle *cycle);
int __real_nvp_resume_read(struct nvp_resume *r, const char *path, struct nvp_err *err);
int __wrap_nvp_resume_read(struct nvp_resume *r, const char *path, struct nvp_err *err);
int __real_nvp_camp_verify(struct nvp_camp *c, bool everything);
int __wrap_nvp_camp_verify(struct nvp_camp *c, bool everything);

struct nvp_oracle *__wrap_nvp_oracle_new(const struct nvp_oracle_facts *facts, const uint8_t *initial)
{
	if (recorded) {
		recorded->cycle = UINT32_MAX;
		recorded->nr = 0;
		recorded->facts = *facts;
		if (initial)
			memcpy(recorded->initial, initial, facts->nr_blocks);
	}
	return __real_nvp_oracle_new(facts, initial);
}

int64_t __wrap_nvp_oracle_submit(struct nvp_oracle *o, uint64_t tick, const struct nvp_oracle_cmd *cmd)
{
	keep((struct call){ .what = SUBMIT, .tick = tick, .cmd = *cmd });
	return __real_nvp_oracle_submit(o, tick, cmd);
}

int __wrap_nvp_oracle_complete(struct nvp_oracle *o, uint64_t tick, uint32_t op, uint8_t sct, uint8_t sc)
{
	keep((struct call){ .what = COMPLETE, .tick = tick, .op = op, .sct = sct, .sc = sc });
	step();
	return __real_nvp_oracle_complete(o, tick, op, sct, sc);
}

int __wrap_nvp_oracle_reset(struct nvp_oracle *o, uint64_t tick)
{
	keep((struct call){ .what = RESET, .tick = tick });
	step();
	return __real_nvp_oracle_reset(o, tick);
}

int __wrap_nvp_oracle_cut(struct nvp_oracle *o, uint64_t tick)
{
	keep((struct call){ .what = CUT, .tick = tick });
	step();
	return __real_nvp_oracle_cut(o, tick);
}

int __wrap_nvp_journal_cycle(struct nvp_journal *j, const struct nvp_journal_cycle *cycle)
{
	int rc = __real_nvp_journal_cycle(j, cycle);

	if (recorded && j) {
		recorded->begun = true;
		recorded->cycle = cycle->cycle;
	}
	step();
	return rc;
}

/* ---- going on: as the journal tells it, or as it was ---- */

struct seen {
	const struct truth *truth; /* NULL: as the journal tells it */
	const struct nvp_resume *journal;
	bool played, compared; /* the journal had a cycle; and it is the one in truth */
	uint32_t cycle, fails, other_fails; /* others: of the drive as a whole */
	uint32_t nr_ops, acked, first_bad;
	uint32_t nr_blocks, undecided;
	uint32_t *allowed; /* of each block: how many contents */
	uint8_t *failed;
	const char *wrong; /* NULL: journal and truth are of one history */
};

static bool is_event(const struct call *call)
{
	return call->cmd.kind == NVP_ORACLE_SHUTDOWN || call->cmd.kind == NVP_ORACLE_CACHE_OFF ||
	       call->cmd.kind == NVP_ORACLE_CACHE_ON;
}

/* Events that the journal knows: one that it does not was not given to the drive yet. */
static uint32_t events_of(const struct nvp_resume *r)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < r->nr_entries; i++)
		nr += r->entry[i].what == NVP_RESUME_EVENT &&
		      (r->entry[i].arg == NVP_JOURNAL_CACHE_OFF_SUBMITTED ||
		       r->entry[i].arg == NVP_JOURNAL_CACHE_ON_SUBMITTED ||
		       r->entry[i].arg == NVP_JOURNAL_SHUTDOWN_BEGUN);
	return nr;
}

static int64_t take(struct nvp_camp *c, const struct call *call)
{
	switch (call->what) {
	case COMPLETE:
		for (uint32_t i = 0; i < c->nr_ops; i++)
			if (c->ops[i].oracle_op == call->op) {
				c->ops[i].ack = call->tick;
				c->ops[i].sct = call->sct;
				c->ops[i].sc = call->sc;
			}
		return __real_nvp_oracle_complete(c->oracle, call->tick, call->op, call->sct,
						  call->sc);
	case RESET:
		return __real_nvp_oracle_reset(c->oracle, call->tick);
	case CUT:
		return __real_nvp_oracle_cut(c->oracle, call->tick);
	default:
		return __real_nvp_oracle_submit(c->oracle, call->tick, &call->cmd);
	}
}

/* The oracle of the journal's history is exchanged for one that heard everything. */
static void tell_the_truth(struct seen *s, const struct nvp_resume *r, struct nvp_camp *c)
{
	uint32_t known = c->nr_ops, data = 0, events = 0, allowed_events = events_of(r);
	int64_t rc = 0;

	if (memcmp(s->truth->initial, c->initial, c->facts.nr_blocks)) {
		s->wrong = "the journal knows other contents from before";
		return;
	}
	nvp_oracle_free(c->oracle);
	c->oracle = __real_nvp_oracle_new(&s->truth->facts, s->truth->initial);
	for (uint32_t i = 0; i < known; i++) {
		c->ops[i].ack = 0;
		c->ops[i].oracle_op = UINT32_MAX;
	}
	for (uint32_t i = 0; rc >= 0 && i < s->truth->nr; i++) {
		const struct call *call = &s->truth->call[i];
		bool event = call->what == SUBMIT && is_event(call);

		if (call->what == SUBMIT &&
		    (event ? events++ >= allowed_events : data >= known))
			continue; /* never exposed */
		rc = take(c, call);
		if (call->what == SUBMIT && !event && rc >= 0) {
			c->ops[data].sub = call->tick;
			c->ops[data++].oracle_op = (uint32_t)rc;
		}
		c->tick = call->tick;
	}
	c->nr_ops = c->nr_rung = data;
	if (rc >= 0 && !c->oracle->cut)
		rc = __real_nvp_oracle_cut(c->oracle, ++c->tick);
	if (rc < 0)
		s->wrong = "the campaign's own oracle would not take it";
}

static void count(struct seen *s, struct nvp_camp *c)
{
	s->nr_ops = c->nr_ops;
	for (uint32_t i = 0; i < c->nr_ops; i++)
		s->acked += c->ops[i].ack != 0;
	s->nr_blocks = c->facts.nr_blocks;
	s->allowed = calloc(s->nr_blocks, sizeof(*s->allowed));
	s->failed = calloc(s->nr_blocks, 1);
	CU_ASSERT_FATAL(s->allowed && s->failed);
	for (uint32_t b = 0; b < s->nr_blocks; b++) {
		s->allowed[b] = nvp_oracle_allowed(c->oracle, b, NULL, 0);
		s->undecided += s->allowed[b] > 1;
	}
}

int __wrap_nvp_resume_read(struct nvp_resume *r, const char *path, struct nvp_err *err)
{
	if (resuming)
		resuming->journal = r;
	return __real_nvp_resume_read(r, path, err);
}

/* The first one after the reading is of what the kill left behind. */
int __wrap_nvp_camp_verify(struct nvp_camp *c, bool everything)
{
	struct seen *s = resuming;

	if (s && s->journal && !s->played && c->cycle == s->journal->cycle.cycle) {
		s->played = true;
		s->cycle = c->cycle;
		if (s->truth && !s->journal->verified && s->truth->cycle == c->cycle) {
			s->compared = true;
			tell_the_truth(s, s->journal, c);
		}
		count(s, c);
	}
	return __real_nvp_camp_verify(c, everything);
}

static void on_failed(void *context, const struct nvp_failed_cycle *f)
{
	struct seen *s = context;

	for (uint32_t i = 0; s->played && f->cycle == s->cycle && i < f->nr_blocks; i++)
		if (f->blocks[i].finding.severity == NVP_SEVERITY_FAIL)
			s->failed[f->blocks[i].seen.block] = 1;
}

static void on_seen(void *context, const struct nvp_campaign_finding *f)
{
	struct seen *s = context;

	if (f->severity == NVP_SEVERITY_FAIL) {
		s->fails++;
		s->other_fails += s->played && f->cycle == s->cycle && f->lba == UINT64_MAX;
	}
}

static int go(const char *address, const struct nvp_campaign_options *options,
	      const struct nvp_campaign_out *out)
{
	struct nvp_campaign_result result;
	struct nvp_err err = { 0 };
	struct nvp_prepared *prepared = nvp_drive_prepare(address, 1, 0, &err);
	struct nvp_drive *drive = prepared ? nvp_drive_open(prepared, NULL, 1, &err) : NULL;
	char text[300];
	int rc = -EIO;

	if (drive) {
		nvp_drive_permit(drive, NVP_IMPACT_ALL);
		rc = nvp_campaign_run(drive, options, out, &result, &err);
		nvp_drive_close(drive);
	}
	if (prepared)
		nvp_drive_discard(prepared);
	if (rc)
		printf("resume_kill: %s: %s\n", address, nvp_err_text(&err, text, sizeof(text)));
	return rc;
}

/* ---- one kill ---- */

struct place {
	char folder[64], image[96], copy[96], journal[96], address[200], copied[200];
};

static void on_finding(void *context, const struct nvp_campaign_finding *f)
{
	struct truth *truth = context;

	truth->fails += f->severity == NVP_SEVERITY_FAIL;
}

/* By its own hand at a step, or by ours at a time: every second one each. */
static void begin_and_kill(const struct place *p, struct truth *truth, uint64_t n)
{
	const struct nvp_campaign_options options = {
		.seed = n, .cycles = 1000000, .journal = p->journal,
	};
	const struct nvp_campaign_out out = { .context = truth, .finding = on_finding };
	pid_t pid;

	truth->nr = truth->fails = 0;
	truth->cycle = UINT32_MAX;
	truth->begun = false;
	truth->steps = 0;
	truth->kill_at = n & 1 ? 1 + nvp_rand_below(n, "step", 0, 0, 1500) : 0;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		recorded = truth;
		go(p->address, &options, &out);
		_exit(1);
	}
	CU_ASSERT_FATAL(pid > 0);
	if (!truth->kill_at) {
		while (!__atomic_load_n(&truth->begun, __ATOMIC_RELAXED)) {
			if (waitpid(pid, NULL, WNOHANG) == pid)
				return; /* it could not begin: the counts below show it */
			usleep(1000);
		}
		usleep((useconds_t)nvp_rand_below(n, "time", 0, 0, 300000));
		kill(pid, SIGKILL);
	}
	waitpid(pid, NULL, 0);
}

static bool copy_file(const char *from, const char *to)
{
	char command[300];

	snprintf(command, sizeof(command), "cp --sparse=always '%s' '%s'", from, to);
	return !system(command);
}

static void make_place(struct place *p, const char *defect)
{
	snprintf(p->folder, sizeof(p->folder), "/tmp/nvproof-kill-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(p->folder));
	snprintf(p->image, sizeof(p->image), "%s/drive", p->folder);
	snprintf(p->copy, sizeof(p->copy), "%s/copy", p->folder);
	snprintf(p->journal, sizeof(p->journal), "%s/journal.bin", p->folder);
	snprintf(p->address, sizeof(p->address), "sim:size=64M,image=%s%s%s", p->image,
		 defect ? ",defect=" : "", defect ? defect : "");
	snprintf(p->copied, sizeof(p->copied), "sim:size=64M,image=%s%s%s", p->copy,
		 defect ? ",defect=" : "", defect ? defect : "");
}

static void drop_place(const struct place *p)
{
	unlink(p->image);
	unlink(p->copy);
	unlink(p->journal);
	rmdir(p->folder);
}

/* ---- all of them ---- */

struct sum {
	unsigned kills, resumed, compared, planted, found, before;
	uint64_t ops, lost_acks, never_given, undecided, undecided_true, fails, fails_true;
};

static void free_seen(struct seen *s)
{
	free(s->allowed);
	free(s->failed);
}

/* What the journal lacks can make more contents allowed, and hide a fail; it can make none. */
static void compare(const struct seen *j, const struct seen *t, uint64_t n, struct sum *sum)
{
	uint32_t lost = t->acked - j->acked, extra = j->nr_ops - t->nr_ops;
	unsigned false_fails = 0, fewer = 0, differ = 0;

	sum->compared++;
	sum->ops += t->nr_ops;
	sum->lost_acks += lost;
	sum->never_given += extra;
	sum->undecided += j->undecided;
	sum->undecided_true += t->undecided;
	for (uint32_t b = 0; b < j->nr_blocks; b++) {
		false_fails += j->failed[b] && !t->failed[b];
		fewer += j->allowed[b] < t->allowed[b];
		differ += j->allowed[b] != t->allowed[b] || j->failed[b] != t->failed[b];
		sum->fails += j->failed[b];
		sum->fails_true += t->failed[b];
	}
	CU_ASSERT(t->acked >= j->acked && j->nr_ops >= t->nr_ops);
	CU_ASSERT_EQUAL(j->other_fails, t->other_fails);
	CU_ASSERT_EQUAL(false_fails, 0);
	CU_ASSERT_EQUAL(fewer, 0);
	if (!lost && !extra)
		CU_ASSERT_EQUAL(differ, 0);
	if (t->wrong || false_fails || fewer || (!lost && !extra && differ))
		printf("resume_kill: kill %llu: %s; %u fails that are none, %u blocks with less "
		       "allowed, %u that differ; %u acknowledgements lost, %u never given\n",
		       (unsigned long long)n, t->wrong ? t->wrong : "", false_fails, fewer, differ,
		       lost, extra);
}

static void go_on(const struct place *p, const struct truth *truth, uint64_t n, bool planted,
		  struct sum *sum)
{
	struct seen as_told = { 0 }, as_was = { .truth = truth };
	struct nvp_campaign_options options = {
		.seed = n, .cycles = 1, .resume = p->journal,
	};
	struct nvp_campaign_out out = {
		.context = &as_was, .finding = on_seen, .failed = on_failed,
	};

	CU_ASSERT_FATAL(copy_file(p->image, p->copy));
	resuming = &as_was;
	CU_ASSERT_EQUAL(go(p->copied, &options, &out), 0);
	out.context = resuming = &as_told;
	if (planted) { /* it is still there, and the next cycles meet it */
		options.first_cycle = as_was.cycle;
		options.cycles = 100;
		options.stop_on_fail = true;
	}
	CU_ASSERT_EQUAL(go(p->address, &options, &out), 0);
	resuming = NULL;
	sum->resumed += as_told.played;
	CU_ASSERT_PTR_NULL(as_was.wrong);
	if (as_told.played && as_was.compared && !as_was.wrong)
		compare(&as_told, &as_was, n, sum);
	if (planted) {
		sum->planted++;
		sum->before += truth->fails > 0;
		sum->found += truth->fails || as_told.fails;
		CU_ASSERT(truth->fails || as_told.fails);
	} else {
		CU_ASSERT_EQUAL(truth->fails + as_told.fails + as_was.fails, 0);
	}
	free_seen(&as_told);
	free_seen(&as_was);
}

static void what_fails_after_a_kill_fails_without_it(void)
{
	static const char *const defects[] = {
		"flush-lies", "fua-ignored", "cut-tears-unit", "cut-resurrects",
	};
	const char *other = getenv("NVP_KILLS");
	unsigned nr = other ? (unsigned)strtoul(other, NULL, 10) : KILLS;
	struct truth *truth = mmap(NULL, sizeof(*truth), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct sum sum = { 0 };

	CU_ASSERT_FATAL(truth != MAP_FAILED);
	for (uint64_t n = 1; n <= nr; n++) {
		bool planted = n % 3 == 0;
		struct place place;

		make_place(&place, planted ? defects[n / 3 % 4] : NULL);
		begin_and_kill(&place, truth, n);
		sum.kills++;
		if (truth->begun)
			go_on(&place, truth, n, planted, &sum);
		drop_place(&place);
	}
	munmap(truth, sizeof(*truth));
	printf("resume_kill: %u kills, %u gone on with, %u in a cycle: of %llu operations %llu "
	       "acknowledgements had not reached the journal, and %llu more were counted as given; "
	       "undecided blocks %llu, by all acknowledgements %llu; failed blocks %llu and %llu; "
	       "planted defects found %u of %u (%u before the kill)\n",
	       sum.kills, sum.resumed, sum.compared, (unsigned long long)sum.ops,
	       (unsigned long long)sum.lost_acks, (unsigned long long)sum.never_given,
	       (unsigned long long)sum.undecided, (unsigned long long)sum.undecided_true,
	       (unsigned long long)sum.fails, (unsigned long long)sum.fails_true, sum.found,
	       sum.planted, sum.before);
	CU_ASSERT(sum.compared * 2 > sum.kills);
	CU_ASSERT(sum.lost_acks > 0);
}

CU_TestInfo nvp_unit_resume_kill[] = {
	{ "what fails after a kill fails without it", what_fails_after_a_kill_fails_without_it },
	CU_TEST_INFO_NULL,
};
