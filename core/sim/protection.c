// SPDX-License-Identifier: GPL-2.0-or-later
// End-to-end data protection with 16-bit guards (NVM Command Set 1.0 section 5.2), and metadata.

#include "core/sim/protection.h"

#include <string.h>

#include <nvproof/cmd.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"

#define PI_BYTES 8
#define CHECK_REFERENCE 1u
#define CHECK_APPLICATION 2u
#define CHECK_GUARD 4u
#define NO_APPLICATION 0xffff		/* such a block is not checked (5.2.1) */
#define NO_REFERENCE 0xffffffffu

struct pi {
	uint16_t guard, application;
	uint32_t reference;
};

struct nvp_pi_args nvp_pi_args(const struct nvp_sim_cmd *c)
{
	return (struct nvp_pi_args){
		.act = c->sqe[51] >> 5 & 1,
		.check = c->sqe[51] >> 2 & 7,
		.reference = nvp_le32(c->sqe + 56),
		.application = nvp_le16(c->sqe + 60),
		.mask = nvp_le16(c->sqe + 62),
	};
}

/* ---- the eight bytes ---- */

/* Where they are in the metadata of a block. */
static size_t pi_at(const struct nvp_sim *w, const struct nvp_sim_ns *ns)
{
	bool first = ns->pi_first != nvp_defect(w, NVP_HOOK_PI_OTHER_END);

	return first ? 0 : ns->meta_bytes - PI_BYTES;
}

/* Fields are big-endian, as T10 has them. */
static struct pi get(const uint8_t *b)
{
	return (struct pi){
		.guard = (uint16_t)(b[0] << 8 | b[1]),
		.application = (uint16_t)(b[2] << 8 | b[3]),
		.reference = (uint32_t)b[4] << 24 | (uint32_t)b[5] << 16 | (uint32_t)b[6] << 8 | b[7],
	};
}

static void put(uint8_t *b, const struct pi *pi)
{
	const uint8_t bytes[PI_BYTES] = {
		(uint8_t)(pi->guard >> 8), (uint8_t)pi->guard,
		(uint8_t)(pi->application >> 8), (uint8_t)pi->application,
		(uint8_t)(pi->reference >> 24), (uint8_t)(pi->reference >> 16),
		(uint8_t)(pi->reference >> 8), (uint8_t)pi->reference,
	};

	memcpy(b, bytes, sizeof(bytes));
}

/* Over the data, and the metadata in front of the protection information (5.2.1.1). */
static uint16_t guard_of(const struct nvp_sim *w, const struct nvp_sim_ns *ns, const uint8_t *data,
			 const uint8_t *meta)
{
	size_t before = nvp_defect(w, NVP_HOOK_PI_GUARD_DATA_ONLY) ? 0 : pi_at(w, ns);
	uint8_t both[4096 + 64];

	memcpy(both, data, ns->lba_bytes);
	memcpy(both + ns->lba_bytes, meta, before);
	return nvp_crc16_t10dif(both, ns->lba_bytes + before);
}

static uint32_t reference_of(const struct nvp_sim *w, const struct nvp_sim_ns *ns,
			     const struct nvp_pi_args *a, uint32_t i)
{
	bool counts = ns->pi_type != 3 && !nvp_defect(w, NVP_HOOK_PI_REF_STUCK);

	return a->reference + (counts ? i : 0);
}

void nvp_pi_insert(const struct nvp_sim *w, const struct nvp_sim_ns *ns,
		   const struct nvp_pi_args *a, const uint8_t *data, uint8_t *meta, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		uint8_t *m = meta + (size_t)i * ns->meta_bytes;
		struct pi pi = {
			.guard = guard_of(w, ns, data + (size_t)i * ns->lba_bytes, m),
			.application = a->application,
			.reference = reference_of(w, ns, a, i),
		};

		put(m + pi_at(w, ns), &pi);
	}
}

/* ---- checks ---- */

bool nvp_pi_valid(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_pi_args *a,
		  uint64_t slba)
{
	bool reference = a->check & CHECK_REFERENCE;
	bool type1 = c->ns->pi_type == 1 && a->reference != (uint32_t)slba;

	if (!reference || (!type1 && c->ns->pi_type != 3) ||
	    nvp_defect(w, type1 ? NVP_HOOK_PI_ILBRT_OK : NVP_HOOK_PI_TYPE3_REF_OK))
		return true;
	nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_PROTECTION_INVALID, 14, 0);
	return false;
}

/* Marked as not to be checked, by whoever wrote it. */
static bool escaped(const struct nvp_sim *w, const struct nvp_sim_ns *ns, const struct pi *pi)
{
	if (pi->application != NO_APPLICATION || nvp_defect(w, NVP_HOOK_PI_ESCAPE_IGNORED))
		return false;
	return ns->pi_type != 3 || pi->reference == NO_REFERENCE ||
	       nvp_defect(w, NVP_HOOK_PI_ESCAPE_TYPE3);
}

static unsigned checks_of(const struct nvp_sim *w, const struct nvp_pi_args *a)
{
	unsigned check = a->check;

	if (nvp_defect(w, NVP_HOOK_PI_ALWAYS))
		check = CHECK_GUARD | CHECK_APPLICATION | CHECK_REFERENCE;
	if (nvp_defect(w, NVP_HOOK_PI_GUARD_UNCHECKED))
		check &= ~CHECK_GUARD;
	if (nvp_defect(w, NVP_HOOK_PI_APP_UNCHECKED))
		check &= ~CHECK_APPLICATION;
	if (nvp_defect(w, NVP_HOOK_PI_REF_UNCHECKED))
		check &= ~CHECK_REFERENCE;
	return check;
}

/* The status code (of type 2h) of block i, 0: good. */
static uint8_t check_one(const struct nvp_sim *w, const struct nvp_sim_ns *ns,
			 const struct nvp_pi_args *a, const uint8_t *data, const uint8_t *meta,
			 uint32_t i)
{
	uint32_t ref_mask = nvp_defect(w, NVP_HOOK_PI_REF_LOW16) ? 0xffff : 0xffffffff;
	uint16_t mask = nvp_defect(w, NVP_HOOK_PI_MASK_IGNORED) ? 0xffff : a->mask;
	struct pi pi = get(meta + pi_at(w, ns));
	unsigned check = checks_of(w, a);

	if (escaped(w, ns, &pi))
		return 0;
	if (check & CHECK_GUARD && pi.guard != guard_of(w, ns, data, meta))
		return nvp_defect(w, NVP_HOOK_PI_STATUS) ? NVP_SC_APPLICATION_TAG :
							   NVP_SC_GUARD;
	if (check & CHECK_APPLICATION && (pi.application ^ a->application) & mask)
		return NVP_SC_APPLICATION_TAG;
	if (check & CHECK_REFERENCE && ns->pi_type != 3 && UINT32_MAX - a->reference < i &&
	    nvp_defect(w, NVP_HOOK_PI_REF_WIDE))
		return NVP_SC_REFERENCE_TAG;
	if (check & CHECK_REFERENCE && ns->pi_type != 3 &&
	    (pi.reference ^ reference_of(w, ns, a, i)) & ref_mask)
		return NVP_SC_REFERENCE_TAG;
	return 0;
}

bool nvp_pi_check(struct nvp_sim *w, struct nvp_sim_cmd *c, const struct nvp_pi_args *a,
		  const uint8_t *data, const uint8_t *meta, uint32_t nr)
{
	if (nr > 1 && nvp_defect(w, NVP_HOOK_PI_FIRST_ONLY))
		nr = 1;
	for (uint32_t i = 0; c->ns->pi_type && i < nr; i++) {
		uint8_t sc = check_one(w, c->ns, a, data + (size_t)i * c->ns->lba_bytes,
				       meta + (size_t)i * c->ns->meta_bytes, i);

		if (!sc)
			continue;
		c->slba += i;
		nvp_sim_fail(c, NVP_SCT_MEDIA, sc);
		return false;
	}
	return true;
}

bool nvp_pi_meta_equal(const struct nvp_sim *w, const struct nvp_sim_ns *ns, const uint8_t *a,
		       const uint8_t *b, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++, a += ns->meta_bytes, b += ns->meta_bytes) {
		size_t at = pi_at(w, ns), behind = at + PI_BYTES;

		if (!ns->pi_type)
			at = behind = ns->meta_bytes;
		if (memcmp(a, b, at) || memcmp(a + behind, b + behind, ns->meta_bytes - behind))
			return false;
	}
	return true;
}

/* ---- the way of the metadata ---- */

/* PRACT with metadata that is nothing but protection information: none of it moves. */
static bool meta_moves(const struct nvp_sim_cmd *c)
{
	return c->ns->meta_bytes &&
	       !(c->ns->pi_type && c->ns->meta_bytes == PI_BYTES && nvp_pi_args(c).act);
}

uint32_t nvp_meta_block_bytes(const struct nvp_sim_cmd *c)
{
	return c->ns->lba_bytes +
	       (c->ns->meta_extended && meta_moves(c) ? c->ns->meta_bytes : 0);
}

static uint32_t nr_moved(const struct nvp_sim_cmd *c)
{
	return c->data_bytes / c->ns->lba_bytes;
}

bool nvp_meta_begin(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);
	uint32_t nr = nr_moved(c);
	bool moves = meta_moves(c);

	if (!c->ns->meta_bytes)
		return true;
	if (c->ns->pi_type && !nvp_pi_valid(w, c, &a, c->slba))
		return false;
	if (c->ns->pi_type && a.act && c->opcode == NVP_IO_READ &&
	    nvp_defect(w, NVP_HOOK_PI_NO_STRIP))
		moves = true;
	c->meta = nvp_sim_cmd_buffer(c, NVP_BUFFER_META, nr * c->ns->meta_bytes);
	c->host_meta = c->meta;
	if (moves && c->ns->meta_extended) {
		c->wire_bytes = nr * (c->ns->lba_bytes + c->ns->meta_bytes);
		c->wire = nvp_sim_cmd_buffer(c, NVP_BUFFER_WIRE, c->wire_bytes);
		if (!meta_moves(c))	/* by a defect: there is no room for all of it */
			c->wire_bytes = c->data_bytes;
	} else if (moves) {
		c->mptr_bytes = nr * c->ns->meta_bytes;
	}
	return true;
}

/* Between blocks with their metadata in a row (wire) and both apart. */
static void interleave(const struct nvp_sim *w, const struct nvp_sim_cmd *c, bool to_wire)
{
	uint32_t lba = c->ns->lba_bytes, ms = c->ns->meta_bytes;
	bool swapped = nvp_defect(w, NVP_HOOK_META_BEFORE_DATA);

	for (uint32_t i = 0; i < nr_moved(c); i++) {
		uint8_t *block = c->wire + (size_t)i * (lba + ms) + (swapped ? ms : 0);
		uint8_t *meta = c->wire + (size_t)i * (lba + ms) + (swapped ? 0 : lba);

		if (to_wire) {
			memcpy(block, c->data + (size_t)i * lba, lba);
			memcpy(meta, c->host_meta + (size_t)i * ms, ms);
		} else {
			memcpy(c->data + (size_t)i * lba, block, lba);
			memcpy(c->host_meta + (size_t)i * ms, meta, ms);
		}
	}
}

bool nvp_meta_from_host(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);
	uint32_t nr = nr_moved(c);

	if (!c->meta)
		return true;
	if (c->wire)
		interleave(w, c, false);
	if (nr > 1 && c->opcode == NVP_IO_WRITE && nvp_defect(w, NVP_HOOK_META_LAST_LOST))
		memset(c->meta + (size_t)(nr - 1) * c->ns->meta_bytes, 0, c->ns->meta_bytes);
	if (!c->ns->pi_type)
		return true;
	if (a.act) {
		if (!nvp_defect(w, NVP_HOOK_PI_NO_INSERT))
			nvp_pi_insert(w, c->ns, &a, c->data, c->meta, nr);
		return true;
	}
	return nvp_defect(w, NVP_HOOK_PI_WRITE_UNCHECKED) ||
	       nvp_pi_check(w, c, &a, c->data, c->meta, nr);
}

bool nvp_meta_to_host(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);
	uint32_t nr = nr_moved(c), ms = c->ns->meta_bytes;

	if (!c->meta)
		return true;
	if (nr > 1 && nvp_defect(w, NVP_HOOK_META_NEIGHBOUR))
		memmove(c->meta, c->meta + ms, (size_t)(nr - 1) * ms);
	if (!nvp_defect(w, NVP_HOOK_PI_READ_UNCHECKED) &&
	    !nvp_pi_check(w, c, &a, c->data, c->meta, nr))
		return false;
	if (c->wire)
		interleave(w, c, true);
	return true;
}
