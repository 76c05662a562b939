/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated drive as the rest of nvproof sees it: an arena that survives, a world that runs on it. */
#ifndef NVP_SIM_SIM_H
#define NVP_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/bar.h>
#include <nvproof/clock.h>
#include <nvproof/err.h>

#include "core/base/text.h"

/*
 * Address: "sim:" or "sim:key=value,key=value,...". Keys: size lba ns controllers seed vwc plp
 * profile image clock ftl defect serial (DESIGN section 2), cache-loss=subset|all|newest (what a
 * cut leaves of a volatile cache), and times of the supply in microseconds: detect-us dead-us
 * link-down-us hold-up-us power-on-us train-us (world.h). An unknown key, value or defect is a
 * usage error that names the nearest valid one; so is a size that is no multiple of the block.
 */
struct nvp_sim_arena;	/* what survives power loss: one shared mapping, no pointers inside */
struct nvp_sim;		/* what does not: registers, queues, caches, running commands, events */

/*
 * Make (or with image=FILE open) the arena. Called by the supervisor before it forks. seed is
 * used when the address names none; position (0, 1, ..) is the drive's place on the command line
 * and part of its default serial number. NULL and *err on failure.
 */
struct nvp_sim_arena *nvp_sim_arena_new(const char *address, uint64_t seed, unsigned position,
					struct nvp_err *err);
void nvp_sim_arena_free(struct nvp_sim_arena *arena);
/* NUL-terminated serial number as Identify gives it without padding; owned by the arena. */
const char *nvp_sim_arena_serial(const struct nvp_sim_arena *arena);
/* The same of its model number. */
const char *nvp_sim_arena_model(const struct nvp_sim_arena *arena);
/* What a valid arena is (DESIGN section 3, "State"): 0, or -EUCLEAN and the first broken rule in *err. */
int nvp_sim_arena_check(const struct nvp_sim_arena *arena, struct nvp_err *err);

/*
 * Power the drive on: a world built from the arena and nothing else. One world at a time for an
 * arena; the world of a process that died counts as a sudden power loss.
 */
struct nvp_sim *nvp_sim_new(struct nvp_sim_arena *arena, struct nvp_err *err);
void nvp_sim_free(struct nvp_sim *sim);	/* also a sudden power loss, at this instant */

/* The virtual (or, with clock=real, real) clock; its wait() runs the drive's events. */
const struct nvp_clock *nvp_sim_clock(struct nvp_sim *sim);

/*
 * BAR0 access of 4 or 8 bytes at any offset, aligned or not; each costs 1 us of virtual time and
 * runs what is due. All-ones when the drive has no power or its link is down, and, as on any PCIe
 * function, while memory decoding is off: after power-on and after every PCIe reset the Command
 * register is 0, so Memory Space and Bus Master have to be set in configuration space first, and
 * MSI-X (disabled, all vectors masked) be enabled there and unmasked in its table. The table is in
 * BAR0 where the MSI-X capability says.
 */
uint64_t nvp_sim_bar_read(struct nvp_sim *sim, uint64_t offset, unsigned bytes);
void nvp_sim_bar_write(struct nvp_sim *sim, uint64_t offset, unsigned bytes, uint64_t value);
uint64_t nvp_sim_bar_bytes(const struct nvp_sim *sim);	/* size of BAR0 */

/* Configuration space, 4096 bytes, access of 1, 2 or 4 bytes. */
uint32_t nvp_sim_config_read(struct nvp_sim *sim, unsigned offset, unsigned bytes);
void nvp_sim_config_write(struct nvp_sim *sim, unsigned offset, unsigned bytes, uint32_t value);

/*
 * The only memory that the drive can reach: what is mapped here. map picks an I/O virtual address
 * (page aligned, never 0); va stays owned by the caller and must outlive the mapping.
 */
int nvp_sim_dma_map(struct nvp_sim *sim, void *va, size_t bytes, uint64_t *iova);
int nvp_sim_dma_unmap(struct nvp_sim *sim, uint64_t iova);
/* Accesses outside the map since the world began, and the last one; *last may be NULL. */
uint64_t nvp_sim_dma_faults(const struct nvp_sim *sim, struct nvp_dma_fault *last);

/* Test and clear "vector fired since last asked" (MSI-X vector, 0-based). */
bool nvp_sim_vector_take(struct nvp_sim *sim, unsigned vector);
unsigned nvp_sim_nr_vectors(const struct nvp_sim *sim);

/* PCIe resets and power. A power-off begins the rail's own time-line (detect, hold-up, dead, link down). */
int nvp_sim_reset(struct nvp_sim *sim, enum nvp_reset kind);
int nvp_sim_power(struct nvp_sim *sim, bool on);
bool nvp_sim_powered(const struct nvp_sim *sim);

/*
 * Cut the power right after the n-th event from now (n >= 1), so that small histories can be
 * exhausted. Counts every event of the drive's queue. nvp_sim_events() counts all since power-on.
 */
void nvp_sim_cut_after_event(struct nvp_sim *sim, uint64_t n);
uint64_t nvp_sim_events(const struct nvp_sim *sim);

/* The catalogue of defects, for `nvproof defects`, sorted by name, ended by .name == NULL. */
struct nvp_sim_defect {
	const char *name;	/* "identify-list-unsorted" */
	const char *sentence;	/* which rule the drive then breaks, one sentence */
	const char *section;	/* "NVMe Base 2.0, 5.17.2.2" */
	const char *area;	/* case area it belongs to: "identify" */
	const char *parameters;	/* "k=v:k=v" with defaults, or NULL */
	const char *shape;	/* "ns=2": keys that the address gets with it unless it gives them; or NULL */
	const char *class_words; /* "LOST_FUA|REGRESSED": failure classes that it shows as; or NULL */
};
const struct nvp_sim_defect *nvp_sim_defects(void);

/* Profiles and keys of the address for help and for "nearest valid name", NULL-ended. */
const char *const *nvp_sim_profiles(void);
const char *const *nvp_sim_keys(void);

#endif
