/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Phases about admin commands: what their files offer each other. */
#ifndef NVP_POWER_ADMIN_H
#define NVP_POWER_ADMIN_H

#include <nvproof/decode.h>

#include "power/engine.h"

#define NVP_CAMP_LOG_BYTES 512u

/* ---- admin.c ---- */

/* The first 512 bytes of a log into c->page. 0, the door's errno, -EPROTO when it is refused. */
int nvp_camp_get_log(struct nvp_camp *c, uint8_t lid);

/* What is known of the command of the plan. */
static inline struct nvp_camp_length *nvp_camp_length(struct nvp_camp *c)
{
	return &c->admin_length[c->plan.work.phase][c->plan.cut.variant];
}

/* ---- admin_after.c: what holds when the drive is back ---- */

/*
 * A sentence is broken, which stands in this section of NVM Express Base 2.0: a literal with the
 * document before it. Or what only a policy asks for is not so: a warning without that policy.
 */
#define NVP_CAMP_BASE(section) "NVM Express Base 2.0, " section
void nvp_camp_admin_broken(struct nvp_camp *c, const char *source, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void nvp_camp_admin_unwise(struct nvp_camp *c, enum nvp_class class, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Blocks of the window that hold what was there before: *nr, and one of them. */
int nvp_camp_still_there(struct nvp_camp *c, uint32_t *nr, uint64_t *first);
/* User data that had to go are there: STALE_RESURRECT. */
void nvp_camp_admin_stale(struct nvp_camp *c, const char *source, uint32_t nr, uint64_t first,
			  const char *text);

/* The namespaces that are allocated (CNS 10h); -EPROTO when the drive does not say. */
int nvp_camp_allocated(struct nvp_camp *c, uint32_t *nsids, unsigned *nr);
struct nvp_cmd nvp_camp_format_cmd(const struct nvp_camp *c, uint8_t ses);

/* ---- admin_sanitize.c ---- */

bool nvp_camp_can_sanitize(const struct nvp_camp *c);
void nvp_camp_sanitize_guess(struct nvp_camp *c);
unsigned nvp_camp_sanitize_variants(const struct nvp_camp *c);
struct nvp_cmd nvp_camp_sanitize_cmd(const struct nvp_camp *c);
int nvp_camp_after_sanitize(struct nvp_camp *c);

/* ---- admin_firmware.c ---- */

void nvp_camp_firmware_look(struct nvp_camp *c);
unsigned nvp_camp_firmware_variants(const struct nvp_camp *c);
int nvp_camp_firmware_prepare(struct nvp_camp *c);
/* A status of a commit that did its work, and says which reset activates the image. */
bool nvp_camp_firmware_taken(const struct nvp_camp *c, const struct nvp_status *status);
int nvp_camp_after_firmware(struct nvp_camp *c);

#endif
