/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The context of the running case: what check.h works on, and how its verdict comes about. */
#ifndef NVP_RUN_CTX_H
#define NVP_RUN_CTX_H

#include <stdbool.h>
#include <stdint.h>

#include <nvproof/check.h>
#include <nvproof/drive_ops.h>
#include <nvproof/event.h>
#include <nvproof/rig.h>

#include "core/base/text.h"
#include "core/run/undo.h"

#define NVP_REASON_BYTES 640
#define NVP_SITE_BYTES 160

struct nvp_id_ns;

/* The verdict of a case as the worker sends it, and as the supervisor makes it for a dead one. */
struct nvp_case_result {
	enum nvp_verdict verdict;
	uint32_t checks, checks_failed, warnings;
	uint64_t duration_ns;		/* drive clock */
	char reason[NVP_REASON_BYTES];	/* empty for a pass */
	char site[NVP_SITE_BYTES];	/* "file:line" of what decided; may be empty */
};

/*
 * Where a case's events go. members: the keys of the type, in JSON, without braces. event never
 * fails for the caller; undo returns 0 only once the change is recorded where it survives.
 */
struct nvp_t_out {
	void *context;
	void (*event)(void *context, enum nvp_event_type type, uint64_t t_ns, const char *members,
		      bool counts_failed);
	int (*undo)(void *context, uint64_t t_ns, struct nvp_undo *undo);
	void (*undone)(void *context, uint64_t t_ns, const struct nvp_undo *undo, bool ok,
		       const char *text);
};

/* One entry of the stack that is unwound at the end: a function of the case, or an undo. */
struct nvp_deferred {
	void (*function)(struct nvp_t *t, void *context);	/* NULL: an undo */
	void *context;
	struct nvp_undo undo;
};

struct nvp_t {
	/* borrowed, set before nvp_t_begin; drive and trace may be NULL in tests of this part */
	const struct nvp_t_out *out;
	struct nvp_rig rig;
	struct nvp_trace *trace;
	const struct nvp_case *record;
	const char *id;
	const char *policy;		/* what the user asked for, or NULL */
	const char *dir;		/* the drive's run directory; NULL in tests */
	const char *address;		/* the drive's; NULL in tests */
	const struct nvp_golden *golden;	/* NULL: none */
	uint32_t spec_version;		/* what the user asked for; 0: what the drive says */

	bool ended;
	bool decided;			/* fail or broken: the first of them stands */
	struct nvp_case_result result;
	uint32_t announced[NVP_NR_INVARIANTS], happened[NVP_NR_INVARIANTS];
	struct nvp_deferred *deferred;
	size_t nr_deferred, room_deferred;
};

/* Clear what the last case left in here; the borrowed part stays. */
void nvp_t_begin(struct nvp_t *t);
/* Deferred functions and undos, last first. */
void nvp_t_unwind(struct nvp_t *t);
/* Announcements that did not happen become notes. */
void nvp_t_settle_announced(struct nvp_t *t);
/* A case that decided nothing and checked nothing is broken. */
void nvp_t_settle_checks(struct nvp_t *t);
void nvp_t_free(struct nvp_t *t);

/* Drive clock, 0 without a drive. */
uint64_t nvp_t_now_ns(const struct nvp_t *t);
/* Fail or broken: the first stands. Skip: only when nothing was decided. Never ends the case. */
void nvp_t_decide(struct nvp_t *t, enum nvp_verdict verdict, const char *site, const char *format,
		  ...) __attribute__((format(printf, 4, 5)));
/* Count and send one check; returns ok. */
struct nvp_check_words {
	const char *site;
	const struct nvp_basis *basis;	/* NULL: the case's .spec */
	const char *condition;		/* NULL: none */
	const char *expected, *seen;
	uint64_t trace[2];		/* ticks; 0: none */
	const char *invariant;		/* NULL: none */
	bool announced;
};
bool nvp_t_check(struct nvp_t *t, bool required, bool ok, const struct nvp_check_words *words);
void nvp_t_event_note(struct nvp_t *t, const char *level, const char *text);
/* What the door reports while this case runs. */
void nvp_t_broken_invariant(struct nvp_t *t, enum nvp_invariant invariant, const char *site,
			    const char *expected, const char *seen);

/* The Format NVM (SES 000b) that leads to what Identify Namespace says. */
struct nvp_cmd nvp_format_of(uint32_t nsid, const struct nvp_id_ns *id);
/* Bits of Dword 11 that select which value of a feature Get Features gives. */
uint32_t nvp_feature_selector(uint8_t fid);
/* Dword 11 for Set Features that gives back a value got with this selector. */
uint32_t nvp_feature_restore_dw11(uint8_t fid, uint32_t selector, uint32_t value);

#endif
