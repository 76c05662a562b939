/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event log: types, the keys of each, and where the numbers that are no numbers go. */
#ifndef NVPROOF_EVENT_H
#define NVPROOF_EVENT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * events.jsonl: one JSON object a line, ended by a newline; a last line without one is torn and
 * not read. Every line begins with the common keys
 *   v (1), seq (from 0, no gaps), wall_utc (ISO 8601, ns), t_ns (drive clock; 0 where there is
 *   none), type, and drive (serial) and case (id with variant) where they apply.
 * Integers that can pass 2^53 are decimal strings, 64-bit masks and registers "0x.." strings.
 * Readers ignore keys and types that they do not know. A key is never renamed or re-used; new
 * ones are added at the end of a list. What differs between two runs of one seed stands under
 * "host" or is named wall_utc, wall_ms.
 *
 * X(ENUM, "type", "keys"): the list that tests/unit/test_event.c holds. Marks: '?' may be absent;
 * '$' a decimal string; '#' a hex string; '{}' an object; '[]' an array.
 */
#define NVP_EVENT_TYPES(X)									\
	X(RUN_BEGIN, "run.begin", "version seed$ nr_cases nr_drives shuffle policy? spec? host{} plan[]?")	\
	X(DRIVE, "drive", "serial model firmware address path[] nvme_version nr_ns allow[] in_use? facts{} host{}?") \
	X(CASE_BEGIN, "case.begin", "number title impact[] spec{} round? rounds?")		\
	X(CHECK, "check", "site ok authority spec{}? words? condition? expected seen trace[]? invariant? announced?") \
	X(NOTE, "note", "level text now?")							\
	X(MEASURE, "measure", "name value unit state?")						\
	X(SERIES, "series", "name unit file state?")						\
	X(UNDO, "undo", "id what sqe data?")							\
	X(UNDONE, "undone", "id ok text?")							\
	X(POWER, "power", "action state cycle? phase? workload? offset_ns$? late_acks? fails?")	\
	X(RESET, "reset", "kind reason")							\
	X(KLOG, "klog", "host{}")								\
	X(PCIE_DELTA, "pcie.delta", "register before# after#")					\
	X(FINDING, "finding", "class text count? lba$? nsid? cycle? phase? workload? severity? source?") \
	X(SNAPSHOT, "snapshot", "name file? text?")						\
	X(TRACE, "trace", "tick$ text")								\
	X(CASE_END, "case.end", "verdict reason site? checks checks_failed warnings duration_ns$ wall_ms waiver? rounds_passed? flaky? interrupted?") \
	X(RUN_END, "run.end", "pass fail skip broken warned waived not_run exit_code reason? wall_ms") \
	X(TABLE, "table", "name text data{}?")

enum nvp_event_type {
#define NVP_EVENT_ENUM(name, type, keys) NVP_EVENT_##name,
	NVP_EVENT_TYPES(NVP_EVENT_ENUM)
#undef NVP_EVENT_ENUM
	NVP_NR_EVENT_TYPES
};

/* "case.end" of NVP_EVENT_CASE_END; NULL out of range. */
const char *nvp_event_name(enum nvp_event_type type);
/* The key list as above. */
const char *nvp_event_keys(enum nvp_event_type type);

/* Words of `verdict` in case.end. */
enum nvp_verdict { NVP_PASS = 0, NVP_FAIL, NVP_SKIP, NVP_BROKEN, NVP_NR_VERDICTS };
const char *nvp_verdict_name(enum nvp_verdict verdict);	/* "pass" "fail" "skip" "broken" */

#ifdef __cplusplus
}
#endif
#endif
