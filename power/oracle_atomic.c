// SPDX-License-Identifier: GPL-2.0-or-later
// Atomic units: which blocks of an operation belong together (NVM Command Set 1.0, 2.1.4).

#include "core/base/bits.h"
#include "power/oracle_impl.h"

/* A namespace's value of 0 means "as the controller's" (NAWUN, NAWUPF, NACWU). */
static uint32_t effective(const struct nvp_oracle_facts *f, uint16_t of_namespace,
			  uint16_t of_drive)
{
	return (f->nsabp && of_namespace ? of_namespace : of_drive) + 1u;
}

/* First boundary above the block, or UINT64_MAX; boundaries lie at NABO + y * (size + 1). */
static uint64_t boundary_above(const struct nvp_oracle_facts *f, uint16_t size_z, uint64_t lba)
{
	uint64_t size = size_z + UINT64_C(1);

	if (!f->nsabp || !size_z)
		return UINT64_MAX;
	if (lba < f->nabo)
		return f->nabo;
	return f->nabo + ((lba - f->nabo) / size + 1) * size;
}

static bool crosses(const struct nvp_oracle_facts *f, uint16_t size_z,
		    const struct nvp_oracle_op *op)
{
	uint64_t first = f->first_lba + op->block;

	return boundary_above(f, size_z, first) <= first + op->nlb_z;
}

/* The controller's value holds even across a boundary, the namespace's only inside one. */
static bool inside(const struct nvp_oracle_facts *f, const struct nvp_oracle_op *op,
		   uint16_t of_namespace, uint16_t of_drive, uint16_t boundary_z)
{
	uint32_t n = op->nlb_z + 1u;

	return n <= of_drive + 1u ||
	       (n <= effective(f, of_namespace, of_drive) && !crosses(f, boundary_z, op));
}

/*
 * Deallocate works on each block by itself (3.2.3). Write Uncorrectable writes no data, and no
 * sentence makes it one write operation: each block by itself too.
 */
static bool is_write(const struct nvp_oracle_op *op)
{
	return op->kind != NVP_ORACLE_DEALLOCATE && op->kind != NVP_ORACLE_WRITE_UNCORRECTABLE;
}

bool nvp_oracle_op_serial(const struct nvp_oracle_facts *f, const struct nvp_oracle_op *op)
{
	if (!is_write(op))
		return false;
	if (op->kind == NVP_ORACLE_COMPARE_WRITE)
		return inside(f, op, f->nacwu_z, f->acwu_z, f->nabsn_z);
	return !f->write_atomicity_off && inside(f, op, f->nawun_z, f->awun_z, f->nabsn_z);
}

bool nvp_oracle_op_whole(const struct nvp_oracle_facts *f, const struct nvp_oracle_op *op)
{
	if (!is_write(op) || !inside(f, op, f->nawupf_z, f->awupf_z, f->nabspf_z))
		return false;
	return op->kind != NVP_ORACLE_COMPARE_WRITE ||
	       inside(f, op, f->nacwu_z, f->acwu_z, f->nabsn_z);
}

/* Multiple atomicity: the parts between boundaries, each atomic; fused pairs stay single. */
static void part_of(const struct nvp_oracle_facts *f, const struct nvp_oracle_op *op,
		    uint32_t block, uint32_t *first, uint32_t *last)
{
	uint64_t lba = f->first_lba + op->block, end = lba + op->nlb_z, at = f->first_lba + block,
		 next;

	while ((next = boundary_above(f, f->nabspf_z, lba)) <= at)
		lba = next;
	*first = (uint32_t)(lba - f->first_lba);
	*last = (uint32_t)(nvp_min_u64(next - 1, end) - f->first_lba);
}

void nvp_oracle_unit(const struct nvp_oracle *o, const struct nvp_oracle_op *op, uint32_t block,
		     uint32_t *first, uint32_t *last)
{
	const struct nvp_oracle_facts *f = &o->facts;

	*first = *last = block;
	if (o->no_units || (op->flags & NVP_OP_ACKED && !o->strict_units))
		return;
	if (nvp_oracle_op_whole(f, op)) {
		*first = op->block;
		*last = op->block + op->nlb_z;
	} else if (f->multiple_atomicity && f->nsabp && f->nabspf_z && is_write(op) &&
		   op->kind != NVP_ORACLE_COMPARE_WRITE) {
		part_of(f, op, block, first, last);
	}
}
