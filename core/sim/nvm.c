// SPDX-License-Identifier: GPL-2.0-or-later
// I/O commands of the NVM Command Set 1.0 (section 3.2) and Flush (NVMe Base 2.0 section 7.1).

#include "core/sim/commands.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/cut.h"
#include "core/sim/erase.h"
#include "core/sim/mechanism.h"
#include "core/sim/manage.h"
#include "core/sim/protection.h"

#define WRITE_PROTECTED 0x20	/* Namespace is Write Protected (Base 2.0, 3.3.3.2.1) */

static nvp_step_fn check_flush, check_write, check_read, check_compare, check_write_zeroes;

static const struct nvp_sim_command io_commands[] = {
	{ NVP_IO_FLUSH, check_flush, NVP_EFFECT_SCOPE_NS, false },
	{ NVP_IO_WRITE, check_write, NVP_EFFECT_SCOPE_NS | NVP_EFFECT_LBCC, false },
	{ NVP_IO_READ, check_read, NVP_EFFECT_SCOPE_NS, false },
	{ NVP_IO_WRITE_UNCORRECTABLE, nvp_sim_write_uncorrectable,
	  NVP_EFFECT_SCOPE_NS | NVP_EFFECT_LBCC, true },
	{ NVP_IO_COMPARE, check_compare, NVP_EFFECT_SCOPE_NS, true },
	{ NVP_IO_WRITE_ZEROES, check_write_zeroes, NVP_EFFECT_SCOPE_NS | NVP_EFFECT_LBCC, true },
	{ NVP_IO_DSM, nvp_sim_dsm, NVP_EFFECT_SCOPE_NS | NVP_EFFECT_LBCC, true },
	{ NVP_IO_VERIFY, nvp_sim_verify, NVP_EFFECT_SCOPE_NS, true },
	{ NVP_IO_COPY, nvp_sim_copy, NVP_EFFECT_SCOPE_NS | NVP_EFFECT_LBCC, true },
};

const struct nvp_sim_command *nvp_io_command(const struct nvp_sim *w, uint8_t opcode)
{
	if (opcode == NVP_IO_VERIFY && nvp_defect(w, NVP_HOOK_IDY_ONCS))
		return NULL;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(io_commands); i++) {
		const struct nvp_sim_command *row = &io_commands[i];

		if (row->opcode == opcode)
			return row->optional && !w->profile->optional_commands ? NULL : row;
	}
	return NULL;
}

enum nvp_step nvp_commands_io(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	const struct nvp_sim_command *row = nvp_io_command(w, c->opcode);

	if (nvp_power_idle(w) && nvp_defect(w, NVP_HOOK_PWR_IO_FAILS))
		return nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INTERNAL);
	if (nvp_power_wakes(w, c)) {
		c->then = nvp_commands_io;
		return NVP_STEP_DELAY;
	}
	if (row && nvp_protect_refuses(w, c))
		return NVP_STEP_COMPLETE;
	nvp_cut_began(w, c);
	if (row && row->effects & NVP_EFFECT_LBCC && nvp_defect(w, NVP_HOOK_CUT_READ_ONLY) &&
	    w->cut->after_cut)
		return nvp_sim_fail(c, NVP_SCT_GENERIC, WRITE_PROTECTED);
	if (row && nvp_sanitize_refuses(w, c))
		return NVP_STEP_COMPLETE;
	if (row)
		return row->check(w, c);
	if (nvp_defect(w, NVP_HOOK_IO_OPCODE_OK))
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_IO_OPCODE_STATUS))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 0, 0);
	return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_OPCODE, 0, 0);
}

bool nvp_sim_take_io_ns(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	bool above = c->nsid > w->profile->max_namespaces && c->nsid != NVP_NSID_ALL;

	if ((!c->nsid && nvp_defect(w, NVP_HOOK_IO_NSID_ZERO_OK)) ||
	    (above && nvp_defect(w, NVP_HOOK_IO_NSID_ABOVE_OK))) {
		c->ns = nvp_sim_ns(w, 1);
		return true;
	}
	if (!nvp_sim_take_ns(w, c))
		return false;
	if (nvp_defect(w, NVP_HOOK_IO_NS_SHARED))
		c->ns = nvp_sim_ns(w, 1);
	if (!nvp_format_refuses(w, c->ns))
		return true;
	nvp_sim_fail(c, NVP_SCT_GENERIC, nvp_defect(w, NVP_HOOK_FMT_IO_STATUS) ?
		     NVP_SC_INTERNAL : NVP_SC_FORMAT_IN_PROGRESS);
	c->dnr = false;		/* it ends */
	return false;
}

/*
 * The range is inside the namespace; compared so that nothing can overflow. A defect that lets
 * more through has no blocks there: *nr_lbas is cut to those that exist.
 */
static bool in_range(const struct nvp_sim *w, const struct nvp_sim_ns *ns, uint64_t slba,
		     uint32_t *nr_lbas)
{
	uint64_t room = slba < ns->nr_lbas ? ns->nr_lbas - slba : 0;

	if (*nr_lbas <= room)
		return true;
	if ((nvp_defect(w, NVP_HOOK_IO_RANGE_ONE) && slba + *nr_lbas == ns->nr_lbas + 1) ||
	    (nvp_defect(w, NVP_HOOK_IO_RANGE_WRAP) && slba + *nr_lbas < slba)) {
		*nr_lbas = (uint32_t)room;
		return true;
	}
	return false;
}

bool nvp_sim_take_lbas(struct nvp_sim *w, struct nvp_sim_cmd *c, bool moves_data, uint32_t *bytes)
{
	uint64_t data_bytes;

	if (!nvp_sim_take_io_ns(w, c))
		return false;
	c->slba = nvp_le64(c->sqe + 40);
	if (c->opcode == NVP_IO_READ && nvp_defect(w, NVP_HOOK_IO_UPPER_LBA))
		c->slba &= 0xffffffff;
	c->nr_lbas = nvp_le16(c->sqe + 48) + 1u;
	c->fua = c->sqe[51] >> 6 & 1;
	data_bytes = (uint64_t)c->nr_lbas * c->ns->lba_bytes;
	if (moves_data &&
	    nvp_sim_above_mdts(w, (uint64_t)c->nr_lbas * nvp_meta_block_bytes(c))) {
		nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 12, 0);
		return false;
	}
	if (!in_range(w, c->ns, c->slba, &c->nr_lbas)) {
		nvp_sim_fail_at(c, NVP_SCT_GENERIC, nvp_defect(w, NVP_HOOK_IO_RANGE_STATUS) ?
				NVP_SC_INVALID_FIELD : NVP_SC_LBA_RANGE, 10, 0);
		return false;
	}
	*bytes = (uint32_t)data_bytes;
	return true;
}

/* DULBE: a deallocated or unwritten block is an error (NVM Command Set 1.0, 3.2.3.2). */
static bool deallocated_error(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	bool enabled = nvp_feature_error_recovery(w, c->ns->nsid) >> 16 & 1;

	if (!c->nr_unmapped || !enabled || nvp_defect(w, NVP_HOOK_DULBE_IGNORED))
		return false;
	c->slba = c->first_unmapped;
	nvp_sim_fail(c, NVP_SCT_MEDIA, NVP_SC_DEALLOCATED);
	return true;
}

/* Unrecovered Read Error, until the block is written again (3.2.7). */
static bool marked_error(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!c->nr_marked)
		return false;
	c->slba = c->first_marked;
	if (nvp_defect(w, NVP_HOOK_WU_STATUS))
		nvp_sim_fail(c, NVP_SCT_GENERIC, NVP_SC_INTERNAL);
	else
		nvp_sim_fail(c, NVP_SCT_MEDIA, NVP_SC_UNRECOVERED_READ);
	return true;
}

bool nvp_sim_unreadable(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	return marked_error(w, c) || deallocated_error(w, c);
}

/* ---- Flush ---- */

static enum nvp_step check_flush(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	bool above = c->nsid > w->profile->max_namespaces && c->nsid != NVP_NSID_ALL;

	if (above && nvp_defect(w, NVP_HOOK_FLUSH_NSID_OK))
		return NVP_STEP_COMPLETE;
	if (c->nsid != NVP_NSID_ALL && !nvp_sim_take_ns(w, c))
		return NVP_STEP_COMPLETE;
	if (c->ns && nvp_defect(w, NVP_HOOK_FLUSH_REFUSED))
		return nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 1, 0);
	return NVP_STEP_FLUSH;
}

/* ---- Read ---- */

static enum nvp_step read_done(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (c->nr_lbas > 1 && nvp_defect(w, NVP_HOOK_WU_LARGE_READ))
		c->nr_marked = 0;
	return nvp_sim_unreadable(w, c) || !nvp_meta_to_host(w, c) ? NVP_STEP_COMPLETE :
								    NVP_STEP_TO_HOST;
}

static enum nvp_step read_media(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!c->nr_lbas)
		return read_done(w, c);
	if (nvp_defect(w, NVP_HOOK_READ_MIXED) && nvp_engine_depth(w) > 8 &&
	    c->slba + c->nr_lbas < c->ns->nr_lbas)
		c->slba++;
	c->then = read_done;
	return NVP_STEP_READ;
}

static enum nvp_step check_read(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t bytes;

	if (!nvp_sim_take_lbas(w, c, true, &bytes))
		return NVP_STEP_COMPLETE;
	c->media = nvp_sim_cmd_data(w, c, bytes);
	if (!nvp_meta_begin(w, c))
		return NVP_STEP_COMPLETE;
	if (!c->fua || nvp_defect(w, NVP_HOOK_FUA_READ))
		return read_media(w, c);
	c->then = read_media;	/* FUA: what is read is on the media first (3.2.4) */
	return NVP_STEP_FLUSH;
}

/* ---- Write ---- */

static enum nvp_step write_next(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	c->slba += c->nr_lbas;
	c->nr_lbas = 1;
	c->then = NULL;
	(void)w;
	return c->slba < c->ns->nr_lbas ? NVP_STEP_ZERO : NVP_STEP_COMPLETE;
}

/* A wrong drive leaves a range with marked blocks as it is. */
static enum nvp_step write_unless_marked(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	(void)w;
	c->media = NULL;	/* the data of the host, not what was read */
	c->then = NULL;
	return c->nr_marked ? NVP_STEP_COMPLETE : NVP_STEP_WRITE;
}

static enum nvp_step write_media(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!nvp_meta_from_host(w, c))
		return NVP_STEP_COMPLETE;
	if (c->nr_lbas && nvp_defect(w, NVP_HOOK_WU_NOT_CURED)) {
		c->media = nvp_sim_cmd_second(w, c, c->data_bytes);
		c->then = write_unless_marked;
		return NVP_STEP_READ;
	}
	if (c->nr_lbas > 1 && nvp_defect(w, NVP_HOOK_IO_NLB_SHORT))
		c->nr_lbas--;
	if (!c->nr_lbas)
		return NVP_STEP_COMPLETE;
	c->then = nvp_defect(w, NVP_HOOK_IO_WRITE_NEXT) ? write_next : NULL;
	return NVP_STEP_WRITE;
}

/* A wrong drive refuses a range across the end, and writes it as far as it goes. */
static bool writes_refused(const struct nvp_sim *w, struct nvp_sim_cmd *c, uint32_t *bytes)
{
	if (!nvp_defect(w, NVP_HOOK_REFUSED_RANGE_WRITTEN) || c->sct != NVP_SCT_GENERIC ||
	    c->sc != NVP_SC_LBA_RANGE || c->slba >= c->ns->nr_lbas)
		return false;
	c->nr_lbas = (uint32_t)(c->ns->nr_lbas - c->slba);
	*bytes = c->nr_lbas * c->ns->lba_bytes;
	return true;
}

static enum nvp_step check_write(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t bytes;

	if (!nvp_sim_take_lbas(w, c, true, &bytes) && !writes_refused(w, c, &bytes))
		return NVP_STEP_COMPLETE;
	c->media = nvp_sim_cmd_data(w, c, bytes);
	if (!nvp_meta_begin(w, c))
		return NVP_STEP_COMPLETE;
	c->then = write_media;
	return NVP_STEP_FROM_HOST;
}

/* ---- Compare ---- */

/* Metadata too, but no protection information; that of the media is checked (3.2.1). */
static bool compare_equal(struct nvp_sim *w, struct nvp_sim_cmd *c, uint64_t bytes)
{
	if (nvp_defect(w, NVP_HOOK_CMP_EQUAL))
		return true;
	return !memcmp(c->data, c->media, bytes) &&
	       (!c->meta || nvp_defect(w, NVP_HOOK_PI_COMPARE_META) ||
		nvp_pi_meta_equal(w, c->ns, c->host_meta, c->meta, c->nr_lbas));
}

static enum nvp_step compare_done(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint64_t bytes = (uint64_t)c->nr_lbas * c->ns->lba_bytes;
	struct nvp_pi_args a = nvp_pi_args(c);

	if (nvp_defect(w, NVP_HOOK_WU_COMPARE))
		c->nr_marked = 0;
	if (nvp_sim_unreadable(w, c))
		return NVP_STEP_COMPLETE;
	if (c->meta && !nvp_pi_check(w, c, &a, c->media, c->meta, c->nr_lbas))
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_CMP_FIRST_ONLY))
		bytes = c->ns->lba_bytes;
	if (compare_equal(w, c, bytes))
		return NVP_STEP_COMPLETE;
	nvp_sim_fail(c, NVP_SCT_MEDIA, nvp_defect(w, NVP_HOOK_CMP_STATUS) ?
		     NVP_SC_UNRECOVERED_READ : NVP_SC_COMPARE_FAILURE);
	return NVP_STEP_COMPLETE;
}

static enum nvp_step compare_read(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	if (!c->nr_lbas)
		return NVP_STEP_COMPLETE;
	if (!nvp_fused_lock(w, c)) {
		c->then = compare_read;
		c->delay_ns = w->profile->cache_ns;
		return NVP_STEP_DELAY;
	}
	c->media = nvp_sim_cmd_second(w, c, c->data_bytes);
	if (c->meta)
		c->meta = nvp_sim_cmd_buffer(c, NVP_BUFFER_SECOND_META,
					     c->nr_lbas * c->ns->meta_bytes);
	c->then = compare_done;
	return NVP_STEP_READ;
}

static enum nvp_step compare_from_host(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	return nvp_meta_from_host(w, c) ? compare_read(w, c) : NVP_STEP_COMPLETE;
}

static enum nvp_step check_compare(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t bytes;

	if (!nvp_sim_take_lbas(w, c, true, &bytes))
		return NVP_STEP_COMPLETE;
	nvp_sim_cmd_data(w, c, bytes);
	if (c->ns->pi_type && nvp_pi_args(c).act)
		return nvp_sim_fail_at(c, NVP_SCT_COMMAND, NVP_SC_PROTECTION_INVALID, 12, 29);
	if (!nvp_meta_begin(w, c))
		return NVP_STEP_COMPLETE;
	c->then = compare_from_host;
	return NVP_STEP_FROM_HOST;
}

/* ---- Write Zeroes ---- */

static enum nvp_step zero_unless_marked(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	(void)w;
	return c->nr_marked ? NVP_STEP_COMPLETE : NVP_STEP_ZERO;
}

/* With PRACT the zeroes get protection information, so they are data like any other. */
#define ZEROES_LBAS 256u	/* written at a time; scratch[0] is where the range ends */

static enum nvp_step protected_zeroes(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);
	uint64_t left = c->scratch[0] - c->slba - c->scratch[1];

	c->slba += c->scratch[1];
	c->nr_lbas = (uint32_t)nvp_min_u64(left, ZEROES_LBAS);
	if (!c->nr_lbas)
		return NVP_STEP_COMPLETE;
	c->media = nvp_sim_cmd_data(w, c, c->nr_lbas * c->ns->lba_bytes);
	c->meta = nvp_sim_cmd_buffer(c, NVP_BUFFER_META, c->nr_lbas * c->ns->meta_bytes);
	if (c->ns->pi_type != 3)
		a.reference += (uint32_t)(c->slba - nvp_le64(c->sqe + 40));
	if (!nvp_defect(w, NVP_HOOK_PI_WZ_NONE))
		nvp_pi_insert(w, c->ns, &a, c->media, c->meta, c->nr_lbas);
	c->scratch[1] = c->nr_lbas;
	c->then = protected_zeroes;
	return NVP_STEP_WRITE;
}

static enum nvp_step check_write_zeroes(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	struct nvp_pi_args a = nvp_pi_args(c);
	uint32_t bytes;

	if (!nvp_sim_take_lbas(w, c, false, &bytes))
		return NVP_STEP_COMPLETE;
	if (c->ns->pi_type && !nvp_pi_valid(w, c, &a, c->slba))
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_WZ_KEEPS))
		return NVP_STEP_COMPLETE;
	if (nvp_defect(w, NVP_HOOK_WZ_SHORT) && c->nr_lbas)
		c->nr_lbas--;
	c->deallocate = c->sqe[51] >> 1 & 1;	/* DEAC; DLFEAT bit 3 says it is taken */
	if (c->ns->pi_type && a.act && !c->deallocate) {
		c->scratch[0] = c->slba + c->nr_lbas;
		return protected_zeroes(w, c);
	}
	if (c->nr_lbas && nvp_defect(w, NVP_HOOK_WZ_NOT_CURED)) {
		c->media = nvp_sim_cmd_data(w, c, c->nr_lbas * c->ns->lba_bytes);
		c->then = zero_unless_marked;
		return NVP_STEP_READ;
	}
	return c->nr_lbas ? NVP_STEP_ZERO : NVP_STEP_COMPLETE;
}
