/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a case says: checks, requirements, skips, notes, measures, and things to undo. */
#ifndef NVPROOF_CHECK_H
#define NVPROOF_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/case.h>
#include <nvproof/drive.h>
#include <nvproof/golden.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The context of the running case. The macros named nvp_require*, nvp_skip, nvp_broken and
 * nvp_admin / nvp_io / nvp_done return from the (void) function that uses them when the case
 * cannot go on; helpers that are not the case itself return bool and use nvp_t_ended(t).
 *
 * Authority: a check rests on the case's .spec unless it says otherwise. Only a broken spec or
 * claim makes a case fail; a broken policy is a warning unless the user asked for that policy.
 */
struct nvp_t;

enum nvp_authority { NVP_BY_SPEC = 0, NVP_BY_CLAIM, NVP_BY_POLICY };

/* What a check rests on; NULL means the case's own .spec. words names a claim or a policy. */
struct nvp_basis {
	enum nvp_authority authority;
	struct nvp_spec spec;	/* NVP_BY_SPEC */
	const char *words;	/* NVP_BY_CLAIM: whose claim; NVP_BY_POLICY: "sane", "strict" */
};

#define NVP_SPEC(doc, rev, sec, fld)						\
	(&(const struct nvp_basis){ .authority = NVP_BY_SPEC,			\
		.spec = { (doc), (rev), (sec), (fld) } })
#define NVP_CLAIM(text)	(&(const struct nvp_basis){ .authority = NVP_BY_CLAIM, .words = (text) })
#define NVP_POLICY(name) (&(const struct nvp_basis){ .authority = NVP_BY_POLICY, .words = (name) })

/* --- the rig ---------------------------------------------------------------------------- */

struct nvp_drive *nvp_t_drive(struct nvp_t *t);
const struct nvp_facts *nvp_t_facts(struct nvp_t *t);
/* The variant's name, or NULL. */
const char *nvp_t_variant(const struct nvp_t *t);
/* The version that expectations follow: what the drive says, or --spec. */
uint32_t nvp_t_version(const struct nvp_t *t);
/* The file of --golden, for this drive's model; NULL: none was given. */
const struct nvp_golden *nvp_t_golden(const struct nvp_t *t);
/* The namespace under test: first active one (NVP_NEED_NAMESPACE). */
const struct nvp_ns *nvp_t_ns(struct nvp_t *t);
/* A keyed random number: the seed, the case id, purpose and index decide it. */
uint64_t nvp_t_rand(struct nvp_t *t, const char *purpose, uint64_t index);
/* A buffer that lives until the end of the case; makes the case broken and gives NULL without memory. */
struct nvp_buf *nvp_t_buf(struct nvp_t *t, size_t bytes);
/*
 * A firmware image of nr_bytes (a multiple of 4096) for the drive under test, with this revision
 * (at most 8 characters), good or spoilt in one way. Only the format of the simulated drive is
 * known: elsewhere the case is skipped. NULL: the case has ended.
 */
enum nvp_image {
	NVP_IMAGE_GOOD,			/* can be activated with no reset */
	NVP_IMAGE_NEEDS_RESET,		/* by any controller-level reset only */
	NVP_IMAGE_NEEDS_SUBSYSTEM_RESET,
	NVP_IMAGE_DAMAGED,		/* one bit is wrong */
	NVP_IMAGE_OTHER_PRODUCT,
	NVP_IMAGE_PROHIBITED,		/* must not be activated */
};
struct nvp_buf *nvp_t_firmware_image(struct nvp_t *t, size_t nr_bytes, const char *revision,
				     enum nvp_image kind);
/* Has the case been ended (required check failed, skip, broken)? */
bool nvp_t_ended(const struct nvp_t *t);

/* --- checks ---------------------------------------------------------------------------------- */

/* Each records a `check` event and returns whether it held. Use the macros. */
bool nvp_check_at(struct nvp_t *t, const char *file, int line, bool required, bool ok,
		  const struct nvp_basis *basis, const char *condition, const char *format, ...)
	__attribute__((format(printf, 8, 9)));
bool nvp_check_u64_at(struct nvp_t *t, const char *file, int line, bool required, uint64_t got,
		      uint64_t want, const struct nvp_basis *basis, const char *got_name,
		      const char *want_name);
bool nvp_check_range_at(struct nvp_t *t, const char *file, int line, bool required, uint64_t got,
			uint64_t low, uint64_t high, const struct nvp_basis *basis,
			const char *got_name);
bool nvp_check_status_at(struct nvp_t *t, const char *file, int line, bool required,
			 const struct nvp_cpl *cpl, const struct nvp_expect *set, unsigned nr,
			 const struct nvp_basis *basis);
bool nvp_check_bytes_at(struct nvp_t *t, const char *file, int line, bool required,
			const void *got, const void *want, size_t nr_bytes,
			const struct nvp_basis *basis, const char *got_name);

/* nvp_check(t, condition, "what was seen", ...): goes on when it fails. */
#define nvp_check(t, condition, ...)						\
	nvp_check_at((t), __FILE__, __LINE__, false, (condition), NULL, #condition, __VA_ARGS__)
#define nvp_check_by(t, basis, condition, ...)					\
	nvp_check_at((t), __FILE__, __LINE__, false, (condition), (basis), #condition, __VA_ARGS__)
/* Both numbers are printed, decimal and hex, with the expressions that gave them. */
#define nvp_check_eq(t, got, want)						\
	nvp_check_u64_at((t), __FILE__, __LINE__, false, (got), (want), NULL, #got, #want)
#define nvp_check_eq_by(t, basis, got, want)					\
	nvp_check_u64_at((t), __FILE__, __LINE__, false, (got), (want), (basis), #got, #want)
#define nvp_check_range(t, got, low, high)					\
	nvp_check_range_at((t), __FILE__, __LINE__, false, (got), (low), (high), NULL, #got)
#define nvp_check_bytes(t, got, want, nr_bytes)					\
	nvp_check_bytes_at((t), __FILE__, __LINE__, false, (got), (want), (nr_bytes), NULL, #got)
#define nvp_check_bytes_by(t, basis, got, want, nr_bytes)			\
	nvp_check_bytes_at((t), __FILE__, __LINE__, false, (got), (want), (nr_bytes), (basis), #got)

/* A status out of a set, compared by type and code: NVP_ANY({ 0, 0x02 }, { 0, 0x0b }). */
#define NVP_ANY(...)								\
	((const struct nvp_expect[]){ __VA_ARGS__ }),				\
	(unsigned)(sizeof((const struct nvp_expect[]){ __VA_ARGS__ }) / sizeof(struct nvp_expect))
#define NVP_OK NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_SUCCESS })
#define nvp_check_status(t, cpl, ...) nvp_check_status_(t, false, NULL, cpl, __VA_ARGS__)
#define nvp_check_status_by(t, basis, cpl, ...) nvp_check_status_(t, false, basis, cpl, __VA_ARGS__)
#define nvp_check_status_(t, required, basis, cpl, ...)				\
	nvp_check_status_call_((t), (required), (basis), (cpl), __VA_ARGS__)
#define nvp_check_status_call_(t, required, basis, cpl, set, nr)		\
	nvp_check_status_at((t), __FILE__, __LINE__, (required), (cpl), set, nr, (basis))
#define nvp_check_ok(t, cpl) nvp_check_status((t), (cpl), NVP_OK)

/* The same, but the case ends here when it does not hold. */
#define nvp_require(t, condition, ...) do {					\
	if (!nvp_check_at((t), __FILE__, __LINE__, true, (condition), NULL, #condition, __VA_ARGS__)) \
		return;								\
} while (0)
#define nvp_require_eq(t, got, want) do {					\
	if (!nvp_check_u64_at((t), __FILE__, __LINE__, true, (got), (want), NULL, #got, #want)) \
		return;								\
} while (0)
#define nvp_require_status(t, cpl, ...) do {					\
	if (!nvp_check_status_(t, true, NULL, cpl, __VA_ARGS__))		\
		return;								\
} while (0)
#define nvp_require_ok(t, cpl) nvp_require_status(t, cpl, NVP_OK)

/* --- commands, with the verdict of a command that did not travel ------------------------------ */

/*
 * True when rc >= 0. Otherwise the case ends: -EPERM and -EOPNOTSUPP skip with the door's reason;
 * -ETIMEDOUT fails (no completion within the budget; NVMe Base 2.0 section 3.4: every command but
 * an Asynchronous Event Request completes); -ENODEV, -EIO, -ECANCELED and all others are broken.
 */
bool nvp_done_at(struct nvp_t *t, const char *file, int line, int rc, const char *what);
#define nvp_done(t, call) do {							\
	if (!nvp_done_at((t), __FILE__, __LINE__, (call), #call))		\
		return;								\
} while (0)

/* Execute on the admin queue or the baseline I/O queue; returns from the case if it did not travel. */
#define nvp_admin(t, cmd, cpl) nvp_done((t), nvp_exec_admin(nvp_t_drive(t), (cmd), (cpl)))
#define nvp_io(t, cmd, cpl) nvp_done((t), nvp_exec_io(nvp_t_drive(t), (cmd), (cpl)))

/* --- words ---------------------------------------------------------------------------------- */

void nvp_skip_at(struct nvp_t *t, const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void nvp_broken_at(struct nvp_t *t, const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A note is information; a warning turns a pass into "pass, with a warning". */
void nvp_note(struct nvp_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void nvp_warn(struct nvp_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number worth keeping, never judged: nvp_measure(t, "ready", ns / 1e6, "ms"). */
void nvp_measure(struct nvp_t *t, const char *name, double value, const char *unit);

/* End the case: not applicable here, and why; or the rig could not decide, and why. */
#define nvp_skip(t, ...) do { nvp_skip_at((t), __FILE__, __LINE__, __VA_ARGS__); return; } while (0)
#define nvp_broken(t, ...) do { nvp_broken_at((t), __FILE__, __LINE__, __VA_ARGS__); return; } while (0)

/* --- what a case changes, it gives back ------------------------------------------------------- */

/* Called in reverse order at the end of the case, however it ended (not after a crash). */
void nvp_defer(struct nvp_t *t, void (*undo)(struct nvp_t *t, void *context), void *context);

/*
 * Set a feature that is given back at the end of the case, also when the process dies: the old
 * value (Get Features, SEL current) is first written to the event log as an `undo`. Features
 * whose value is Dword 11 only; sv is never set. The completion of Set Features goes to *cpl.
 * False when the case ended.
 */
bool nvp_change_feature(struct nvp_t *t, uint8_t fid, uint32_t nsid, uint32_t dw11,
			struct nvp_cpl *cpl);

/*
 * Execute a Format NVM command after its namespaces were noted: at the end of the case, also when
 * the process dies, each one that has another format or protection setting then is formatted back
 * (SES 000b). What was in it is gone. False when the case ended.
 */
bool nvp_change_format(struct nvp_t *t, const struct nvp_cmd *format, struct nvp_cpl *cpl);
/* Only note them: for a format that is submitted by hand. */
bool nvp_note_formats(struct nvp_t *t, uint32_t nsid);

/*
 * A command without data (the CID is chosen anew) that undoes what was just done: it is written to
 * the event log as an `undo`, sent at the end of the case, and also when the process dies before.
 * Delete of a namespace that is not there any more counts as done. False when the case ended.
 */
bool nvp_undo_command(struct nvp_t *t, const struct nvp_cmd *back, const char *what);

/*
 * This case will break an invariant on purpose, at most count times. One that does not happen is
 * a note; one more than announced fails the case.
 */
void nvp_announce(struct nvp_t *t, enum nvp_invariant invariant, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
