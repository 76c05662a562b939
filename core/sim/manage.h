/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Firmware, device self-test, persistent events, write protection, power states, time: what the
 * files for these keep, and what others tell them.
 */
#ifndef NVP_SIM_MANAGE_H
#define NVP_SIM_MANAGE_H

#include <nvproof/bar.h>

#include "core/base/firmware_image.h"
#include "core/sim/persistent_event.h"
#include "core/sim/world.h"

/* ---- firmware.c (NVMe Base 2.0, 5.12, 5.13; log 03h) ---- */

#define NVP_FIRMWARE_SLOTS 7
#define NVP_FIRMWARE_AREAS 8		/* one more than slots: a new image never overwrites one in use */
#define NVP_FIRMWARE_SHIPPED 0xff	/* area of the image that the drive was made with */
#define NVP_SIM_MTFA_100MS 5		/* activation without a reset takes at most so long */

/* What survives: images in the areas of the arena, and this record that says which is where. */
struct nvp_firmware_record {
	uint8_t active;			/* slot, from 1; 0: never changed, slot 1 as shipped */
	uint8_t next;			/* slot to be activated by a reset, or 0 */
	uint8_t next_needs;		/* enum nvp_firmware_needs of it */
	uint8_t reserved;
	struct nvp_firmware_slot {
		uint8_t present, area, needs, reserved;
		uint32_t bytes, crc32c;
		char revision[8];
	} slot[NVP_FIRMWARE_SLOTS];
};

struct nvp_firmware_state {
	struct nvp_firmware_record record;
	char running[9];
	char before[9];			/* what ran when the last Firmware Commit began */
	bool activated;			/* since the last power-on or reset was recorded */
	bool bricked;			/* nothing to run: the controller does not become ready */
	uint8_t storing;		/* slot that is being written, or 0 */
	char storing_revision[8];
	uint8_t *download;		/* NVP_FIRMWARE_MOST_BYTES, or NULL: nothing came yet */
	uint64_t pieces[NVP_FIRMWARE_MOST_BYTES / NVP_FIRMWARE_PIECE_BYTES / 64];
};

nvp_step_fn nvp_sim_firmware_download;
nvp_step_fn nvp_sim_firmware_commit;
bool nvp_sim_has_firmware(const struct nvp_sim *w);
bool nvp_sim_slot1_read_only(const struct nvp_sim *w);
void nvp_firmware_power_on(struct nvp_sim *w);
void nvp_firmware_reset(struct nvp_sim *w);	/* by w->reset_kind */
bool nvp_firmware_runs(const struct nvp_sim *w);
void nvp_firmware_free(struct nvp_sim *w);
/* What wrong drives make of a loss of power: firmware_cut.c. */
void nvp_firmware_cut_half_download(struct nvp_sim *w);
void nvp_firmware_cut_keeps_download(struct nvp_sim *w);
void nvp_firmware_cut_tears_slot(struct nvp_sim *w);
void nvp_firmware_cut_returns(struct nvp_sim *w);
/* An area of the arena that no slot uses. */
unsigned nvp_firmware_free_area(const struct nvp_firmware_record *record);
/* Identify FR: of what runs, NUL-terminated. */
const char *nvp_firmware_running(const struct nvp_sim *w);
/* The revision that a Firmware Commit wants to become active, 8 characters, padded. */
const char *nvp_firmware_wanted(const struct nvp_sim *w, const struct nvp_sim_cmd *c);
void nvp_log_fill_firmware(struct nvp_sim *w, uint8_t *data);	/* 03h, 512 bytes */
/* A slot of the record has an image whose checksum holds; 0 or -EUCLEAN and *err. */
int nvp_firmware_arena_check(const struct nvp_sim_arena *arena, struct nvp_err *err);

/* ---- self_test.c (5.9; log 06h) ---- */

#define NVP_SELF_TEST_RESULTS 20
#define NVP_SIM_EDSTT_MIN 5

struct nvp_self_test_record {
	uint8_t code;			/* of the operation in progress, 0: none */
	uint8_t step;			/* steps of it that are done */
	uint8_t nr, reserved;		/* results */
	uint32_t nsid;
	uint8_t entry[NVP_SELF_TEST_RESULTS][28];	/* as in the log, newest first */
};

struct nvp_self_test_state {
	struct nvp_self_test_record record;
	uint64_t run;			/* counts operations: steps of an older one are void */
	uint64_t step_began_ns;
};

/* Why an operation ended early: the result in the log. */
enum nvp_self_test_end {
	NVP_SELF_TEST_COMMAND = 1, NVP_SELF_TEST_RESET = 2, NVP_SELF_TEST_NS_REMOVED = 3,
	NVP_SELF_TEST_FORMAT = 4, NVP_SELF_TEST_SANITIZE = 9,
};

nvp_step_fn nvp_sim_self_test;
bool nvp_sim_has_self_test(const struct nvp_sim *w);
void nvp_self_test_power_on(struct nvp_sim *w);
void nvp_self_test_reset(struct nvp_sim *w);
bool nvp_self_test_runs(const struct nvp_sim *w);
/* Format, sanitize, or the removal of a namespace (nsid; FFFFFFFFh: all) ends one in progress. */
void nvp_self_test_stop(struct nvp_sim *w, uint32_t nsid, enum nvp_self_test_end result);
void nvp_log_fill_self_test(struct nvp_sim *w, uint8_t *data);	/* 06h, 564 bytes */

/* ---- power_state.c (8.15; features 02h, 0Ch, 10h) ---- */

#define NVP_SIM_MNTMT_K 310	/* limits of TMT1 and TMT2 */
#define NVP_SIM_MXTMT_K 350

struct nvp_power_state {
	uint8_t apst[256];		/* the table of feature 0Ch */
	uint8_t last_operational;
	bool armed;			/* the idle timer runs */
	uint64_t active_ns;		/* when the last command was done */
};

void nvp_power_states_fill(const struct nvp_sim *w, uint8_t *data);	/* Identify Controller */
void nvp_power_reset(struct nvp_sim *w);
void nvp_power_activity(struct nvp_sim *w);		/* a command is done */
void nvp_power_set(struct nvp_sim *w, unsigned ps);	/* feature 02h was set */
bool nvp_power_idle(const struct nvp_sim *w);		/* in a non-operational state */
/* An I/O command ends a non-operational state: true, and c->delay_ns is what that takes. */
bool nvp_power_wakes(struct nvp_sim *w, struct nvp_sim_cmd *c);
enum nvp_step nvp_power_set_apst(struct nvp_sim *w, struct nvp_sim_cmd *c);
enum nvp_step nvp_power_get_apst(struct nvp_sim *w, struct nvp_sim_cmd *c, bool current);
bool nvp_power_thermal_valid(const struct nvp_sim *w, uint32_t dw11);

/* ---- timestamp.c (5.27.1.11) ---- */

struct nvp_time_state {
	uint64_t ms, since_ns;		/* it was ms at since_ns */
	bool set;			/* by Set Features, since power-on */
};

bool nvp_sim_has_timestamp(const struct nvp_sim *w);
void nvp_time_power_on(struct nvp_sim *w);
void nvp_time_reset(struct nvp_sim *w);
uint64_t nvp_time_ms(const struct nvp_sim *w);
void nvp_time_fill(const struct nvp_sim *w, uint8_t data[8]);	/* as Get Features gives it */
enum nvp_step nvp_time_set(struct nvp_sim *w, struct nvp_sim_cmd *c);
enum nvp_step nvp_time_get(struct nvp_sim *w, struct nvp_sim_cmd *c, bool current);

/* ---- protect.c (5.27.1.23) ---- */

struct nvp_protect_record {
	uint8_t state[NVP_MAX_NAMESPACES];	/* of NSID 1, 2, .. */
};

#define NVP_SIM_SC_PROTECTED 0x20	/* generic: Namespace is Write Protected */

bool nvp_sim_has_protection(const struct nvp_sim *w);
void nvp_protect_power_on(struct nvp_sim *w);
void nvp_protect_reset(struct nvp_sim *w);
uint8_t nvp_protect_state(const struct nvp_sim *w, uint32_t nsid);	/* not 0: protected */
void nvp_protect_forget(struct nvp_sim *w, uint32_t nsid);	/* the namespace is deleted */
enum nvp_step nvp_protect_set(struct nvp_sim *w, struct nvp_sim_cmd *c);
/* A command that would change a protected namespace: true, and c has the status. */
bool nvp_protect_refuses(struct nvp_sim *w, struct nvp_sim_cmd *c);

/* ---- all of it ---- */

struct nvp_manage {
	struct nvp_firmware_state firmware;
	struct nvp_self_test_state self_test;
	struct nvp_power_state power;
	struct nvp_time_state time;
	struct nvp_protect_record protect;
	struct nvp_pel_context events;	/* persistent_event.h */
};

int nvp_manage_power_on(struct nvp_sim *w);	/* 0 or -ENOMEM */
void nvp_manage_free(struct nvp_sim *w);
/* Any controller-level reset, of the kind that w->reset_kind says. */
void nvp_manage_reset(struct nvp_sim *w);

#endif
