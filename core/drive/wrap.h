/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrappers between the door and a backend: guard above, trace below; each hands on to the next. */
#ifndef NVP_DRIVE_WRAP_H
#define NVP_DRIVE_WRAP_H

#include <stdbool.h>
#include <stdint.h>

#include <nvproof/drive_ops.h>

/*
 * A wrapper stands in for the calls that touch the drive: exec, post, peek, doorbell, registers,
 * configuration space, reset, power. What only concerns memory, time or facts of the backend the
 * door asks the backend itself; those slots are NULL in a wrapper.
 */
struct nvp_wrap {
	const struct nvp_drive_ops *next;
	void *next_backend;
	struct nvp_trace *trace;		/* may be NULL in the guard */
	const struct nvp_clock *clock;
	uint32_t case_number;
	/* guard only */
	uint32_t permitted;			/* NVP_IMPACT_* */
	unsigned baseline;			/* above 0: the door's own work, let through */
	uint32_t missing;			/* what the last refused call would have needed */
	bool asq_known;
	uint64_t asq;				/* admin queue address, as written */
};

extern const struct nvp_drive_ops nvp_wrap_trace_ops;
extern const struct nvp_drive_ops nvp_wrap_guard_ops;

static inline bool nvp_guard_lets(const struct nvp_wrap *guard, uint32_t impacts)
{
	return guard->baseline || !(impacts & ~guard->permitted);
}

/* Append a record of this wrapper's drive; nothing without a trace. */
void nvp_wrap_record(struct nvp_wrap *wrap, enum nvp_trace_kind kind, uint16_t qid, uint64_t a,
		     uint64_t b, const void *payload, uint32_t bytes, int result);

/*
 * Impacts of an entry, of a register write and of a configuration write (impact.c, pure). What is
 * unknown counts as NVP_IMPACT_ERASE | NVP_IMPACT_FIRMWARE.
 */
uint32_t nvp_impact_admin(const struct nvp_sqe *sqe);
uint32_t nvp_impact_io(const struct nvp_sqe *sqe);
uint32_t nvp_impact_register(uint64_t offset, unsigned bytes);
uint32_t nvp_impact_config(unsigned offset, unsigned bytes);
/* "data, erase" in text (at least 64 bytes). */
const char *nvp_impact_words(uint32_t impacts, char *text, size_t bytes);

#endif
