/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places where the simulated drive can be told to be wrong, and how they are asked. */
#ifndef NVP_SIM_HOOKS_H
#define NVP_SIM_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/err.h>

struct nvp_sim;

/*
 * One hook is one line of code that does something else when a defect with this hook is active.
 * The tables in defects_<part>.c give each a name, a sentence and its parameters (several names
 * may share a hook with other parameters). Values may be renumbered: nothing stores them.
 */
enum nvp_hook {
	NVP_HOOK_NONE = 0,

	/* registers.c, config_space.c */
	NVP_HOOK_REG_VS_WRONG,		/* VS reads 1.4.0 */
	NVP_HOOK_REG_CAP_RESERVED,	/* a reserved bit of CAP is set */
	NVP_HOOK_REG_MQES_ZERO,		/* CAP.MQES = 0 */
	NVP_HOOK_REG_MPS_SWAPPED,	/* CAP.MPSMIN above MPSMAX */
	NVP_HOOK_REG_RO_WRITABLE,	/* VS keeps what is written to it */
	NVP_HOOK_REG_CSTS_WRITABLE,	/* CSTS.RDY can be written */
	NVP_HOOK_REG_AQA_LOST,		/* AQA is zero after a controller reset */
	NVP_HOOK_REG_ASQ_LOST,		/* ASQ and ACQ are zero after a controller reset */
	NVP_HOOK_REG_ASQ_LOW_BITS,	/* bits 11:0 of ASQ and ACQ keep what was written */
	NVP_HOOK_REG_CC_KEPT,		/* CC keeps its other fields over FLR */
	NVP_HOOK_REG_RDY_STUCK,		/* RDY stays 1 after CC.EN 1 to 0 */
	NVP_HOOK_REG_RDY_NEVER,		/* RDY stays 0 after CC.EN 0 to 1 */
	NVP_HOOK_REG_RDY_LATE,		/* RDY changes `ms` later than CAP.TO and CRTO allow */
	NVP_HOOK_REG_CFS_ON_ENABLE,	/* CFS is set by a good enable */
	NVP_HOOK_REG_SHST_STUCK,	/* SHST stays 01b */
	NVP_HOOK_REG_SHST_SKIPPED,	/* SHST stays 00b */
	NVP_HOOK_REG_RESET_KEEPS_QUEUES, /* I/O queues survive a controller reset */
	NVP_HOOK_REG_RESET_KEEPS_HEAD,	/* admin SQ head is not reset with the controller */
	NVP_HOOK_REG_RESET_OLD_CQE,	/* commands of before the reset complete after it */
	NVP_HOOK_CFG_CAP_LOOP,		/* capability list points back at itself */
	NVP_HOOK_CFG_LINK_SLOW,		/* link runs below its capability */

	/* queues.c: create, delete, arbitration */
	NVP_HOOK_QUE_QID_ZERO_OK,	/* Create I/O CQ or SQ with QID 0 succeeds */
	NVP_HOOK_QUE_DUPLICATE_OK,	/* creating an existing queue succeeds */
	NVP_HOOK_QUE_SIZE_UNCHECKED,	/* QSIZE 0 and above MQES succeed */
	NVP_HOOK_QUE_NONCONTIGUOUS_OK,	/* PC=0 succeeds although CAP.CQR=1 */
	NVP_HOOK_QUE_OFFSET_OK,		/* PRP1 with an offset succeeds */
	NVP_HOOK_QUE_VECTOR_OK,		/* an interrupt vector beyond the table succeeds */
	NVP_HOOK_QUE_CQ_MISSING_OK,	/* SQ for a CQ that does not exist succeeds */
	NVP_HOOK_QUE_CQ_DELETE_BUSY_OK,	/* CQ with attached SQs can be deleted */
	NVP_HOOK_QUE_DELETE_MISSING_OK,	/* deleting a queue that does not exist succeeds */
	NVP_HOOK_QUE_DELETE_LATE_CQE,	/* CQEs of a deleted SQ come after the CQE of Delete */
	NVP_HOOK_QUE_WRAP_LOST,		/* the last slot of an SQ is skipped */
	NVP_HOOK_QUE_COMMAND_LOST,	/* every `nth` I/O command is never completed */
	NVP_HOOK_QUE_OVERRUN,		/* CQEs are posted into a full CQ */
	NVP_HOOK_QUE_SHARED_CQ_SQID,	/* CQE.SQID is the CQ's id on a shared CQ */

	/* queues.c: the completion entry and its interrupt */
	NVP_HOOK_CQE_CID_WRONG,		/* every `nth` CQE has another CID */
	NVP_HOOK_CQE_SQID_WRONG,
	NVP_HOOK_CQE_SQHD_WRONG,	/* SQHD outside the queue */
	NVP_HOOK_CQE_SQHD_STUCK,	/* SQHD does not move */
	NVP_HOOK_CQE_PHASE_STUCK,	/* phase does not invert after the wrap */
	NVP_HOOK_CQE_TWICE,		/* every `nth` CQE is posted twice */
	NVP_HOOK_CQE_STATUS_RESERVED,	/* a status type that is reserved */
	NVP_HOOK_CQE_DNR_ON_SUCCESS,
	NVP_HOOK_CQE_MORE_NO_LOG,	/* M=1 without an error log entry */
	NVP_HOOK_CQE_NO_INTERRUPT,	/* every `nth` interrupt of an I/O CQ is lost */
	NVP_HOOK_CQE_EARLY,		/* CQE is posted before the data went out */

	/* registers.c: doorbells */
	NVP_HOOK_DBL_NO_EVENT,		/* an invalid doorbell value raises no event */
	NVP_HOOK_DBL_WRONG_EVENT,	/* it raises the other kind of event */
	NVP_HOOK_DBL_SWALLOWED,		/* every `nth` SQ doorbell write is not seen */
	NVP_HOOK_DBL_STRAY_KILLS,	/* a doorbell of no queue stops queue 1 */

	/* dma.c */
	NVP_HOOK_PRP_OFFSET_OK,		/* offset of PRP2 or a list entry is ignored */
	NVP_HOOK_PRP_SECOND_PAGE,	/* PRP2 is ignored, the page after PRP1 is used */
	NVP_HOOK_PRP_LIST_CHAIN,	/* the last entry of a list page is taken as data */
	NVP_HOOK_PRP_FIRST_OFFSET,	/* offset of PRP1 is taken as 0 */
	NVP_HOOK_PRP_LIST_OFFSET,	/* offset of the PRP list pointer is taken as 0 */
	NVP_HOOK_DMA_OVERRUN,		/* 16 bytes too many are written to the host */
	NVP_HOOK_DMA_SHORT,		/* the last 64 bytes are not written to the host */
	NVP_HOOK_DMA_STRAY,		/* one access to an address that was never mapped */

	/* media.c, cache.c, rail.c */
	NVP_HOOK_MEDIA_TORN,		/* a program unit is published after its first sector */
	NVP_HOOK_MEDIA_BIT_FLIP,	/* one bit of block `lba` reads wrong */
	NVP_HOOK_MEDIA_MISDIRECTED,	/* every `nth` write lands one block further */
	NVP_HOOK_MEDIA_LOST_WRITE,	/* every `nth` write is acknowledged and dropped */
	NVP_HOOK_MEDIA_STALE_READ,	/* reads do not see the cache */
	NVP_HOOK_FLUSH_LIES,		/* Flush completes and leaves the cache as it is */
	NVP_HOOK_FUA_IGNORED,
	NVP_HOOK_PLP_WEAK,		/* plp=on loses cached data all the same */
	NVP_HOOK_RESET_DROPS_CACHE,	/* a controller reset empties the cache unwritten */
	NVP_HOOK_CLEAN_SHUTDOWN_LOSES,	/* shutdown does not write the cache out */
	NVP_HOOK_UNSAFE_COUNT_WRONG,	/* a clean shutdown counts as unsafe */

	/* Commands (sim B appends here): identify features logs aer abort nvm */
	NVP_HOOK_COMMANDS_FIRST,

	NVP_NR_HOOKS = 256
};

#define NVP_DEFECT_MAX 16	/* active at once */
#define NVP_DEFECT_PARAMETERS 4

/* The defects of one drive address; plain data, kept beside the arena, not in it. */
struct nvp_defect_set {
	unsigned nr;
	struct nvp_defect_active {
		uint16_t row;		/* index into nvp_sim_defects() */
		uint16_t hook;
		uint64_t value[NVP_DEFECT_PARAMETERS];	/* in the order of .parameters */
	} active[NVP_DEFECT_MAX];
	uint64_t mask[NVP_NR_HOOKS / 64];	/* bit h: some active defect has hook h */
};

/*
 * defects.c (sim B). text is "NAME" or "NAME:k=v:k=v". 0, or -EINVAL with the nearest valid name
 * or key in *err (NVP_ERR_USAGE); -E2BIG when NVP_DEFECT_MAX are there already.
 */
int nvp_defect_add(struct nvp_defect_set *set, const char *text, struct nvp_err *err);

/* The parameter's value of the first active defect with this hook, or otherwise (defects.c). */
uint64_t nvp_defect_value(const struct nvp_sim *w, enum nvp_hook hook, const char *key,
			  uint64_t otherwise);

/*
 * Active, and this is the nth occurrence (parameter `nth`, default 1: each). Counts in the world,
 * so call it once for each opportunity (defects.c).
 */
bool nvp_defect_nth(struct nvp_sim *w, enum nvp_hook hook);

#endif
