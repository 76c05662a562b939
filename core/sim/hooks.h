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
	NVP_HOOK_QUE_QID_ABOVE_OK,	/* a QID above the number allocated succeeds */
	NVP_HOOK_QUE_DUPLICATE_OK,	/* creating an existing queue succeeds */
	NVP_HOOK_QUE_SIZE_UNCHECKED,	/* QSIZE 0 and above MQES succeed */
	NVP_HOOK_QUE_NONCONTIGUOUS_OK,	/* PC=0 succeeds although CAP.CQR=1 */
	NVP_HOOK_QUE_OFFSET_OK,		/* PRP1 with an offset succeeds */
	NVP_HOOK_QUE_VECTOR_OK,		/* an interrupt vector beyond the table succeeds */
	NVP_HOOK_QUE_CQ_MISSING_OK,	/* SQ for a CQ that does not exist succeeds */
	NVP_HOOK_QUE_CQ_DELETE_BUSY_OK,	/* CQ with attached SQs can be deleted */
	NVP_HOOK_QUE_DELETE_MISSING_OK,	/* deleting a queue that does not exist succeeds */
	NVP_HOOK_QUE_DELETE_LATE_CQE,	/* CQEs of a deleted SQ come after the CQE of Delete */
	NVP_HOOK_QUE_DEAD_CQ_WRITTEN,	/* an entry is written into a completion queue that was deleted */
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
	NVP_HOOK_CQE_CID_TRUNCATED,	/* bits 7:0 of the CID only, on the admin queue too */
	NVP_HOOK_CQE_STATUS_HOST,	/* every `nth` I/O completion has status 3/71h */
	NVP_HOOK_CQE_CIDS_SWAPPED,	/* two I/O completions that wait together get each other's CID */

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
	NVP_HOOK_PRP_LOW_BITS,		/* bits 1:0 of PRP1 are part of the address */
	NVP_HOOK_XFER_ERROR_OK,		/* data that did not arrive: success */
	NVP_HOOK_XFER_ERROR_STATUS,	/* data that did not arrive: another status */
	NVP_HOOK_DMA_BEFORE,		/* 64 bytes in front of the data are written too */
	NVP_HOOK_DMA_OVERRUN,		/* 16 bytes too many are written to the host */
	NVP_HOOK_DMA_SHORT,		/* the last 64 bytes are not written to the host */
	NVP_HOOK_DMA_STRAY,		/* one access to an address that was never mapped */

	/* completion.c, msix.c, queues.c: interrupts and arbitration */
	NVP_HOOK_INT_VECTOR,		/* an I/O completion fires the vector behind its own */
	NVP_HOOK_INT_TWO_VECTORS,	/* .. as well */
	NVP_HOOK_INT_SHARED,		/* only the first queue of a shared vector raises it */
	NVP_HOOK_INT_DISABLED,		/* a queue without interrupts raises vector 0 */
	NVP_HOOK_INT_EDGE,		/* no interrupt while older entries are not taken */
	NVP_HOOK_INT_MASK,		/* the function mask is not looked at */
	NVP_HOOK_INT_MASK_LOSES,	/* what is pending is never sent */
	NVP_HOOK_INT_PENDING_STAYS,	/* the pending bit stays when it was sent */
	NVP_HOOK_INT_PENDING_HIDDEN,	/* the pending bits read 0 */
	NVP_HOOK_INT_PENDING_TWICE,	/* what was pending is sent twice */
	NVP_HOOK_INT_COALESCE_STUCK,	/* the time of coalescing does not end */
	NVP_HOOK_INT_COALESCE_IGNORED,
	NVP_HOOK_INT_COALESCE_TIME,	/* the threshold is not looked at */
	NVP_HOOK_INT_COALESCE_CD,	/* CD is not looked at */
	NVP_HOOK_INT_COALESCE_ADMIN,	/* the admin queue is coalesced too */
	NVP_HOOK_ARB_STARVES,		/* the lowest queue identifier goes first, always */

	/* sgl.c */
	NVP_HOOK_SGL_UNSUPPORTED_OK,	/* SGLS is 0, and SGLs are taken */
	NVP_HOOK_PSDT_RESERVED_OK,	/* PSDT 11b is taken for an SGL */
	NVP_HOOK_SGL_SHORT_OK,		/* an SGL shorter than the data moves what fits */
	NVP_HOOK_SGL_LONG_OK,		/* a longer one too, although SGLS bit 18 is 0 */
	NVP_HOOK_SGL_LENGTH_STATUS,	/* Invalid Field instead of Data SGL Length Invalid */
	NVP_HOOK_SGL_BUCKET_SHIFTS,	/* the data behind a bit bucket begin where it began */
	NVP_HOOK_SGL_BUCKET_IN_WRITE,	/* a bit bucket counts in a write */
	NVP_HOOK_SGL_CHAIN_LOST,	/* only the first segment is followed */
	NVP_HOOK_SGL_LAST_UNCHECKED,	/* a last segment may point on */
	NVP_HOOK_SGL_PLACE_UNCHECKED,	/* a segment descriptor may stand anywhere */
	NVP_HOOK_SGL_SEGMENT_LENGTH_OK,	/* a segment may have any length */
	NVP_HOOK_SGL_TYPE_OK,		/* every other type is a data block */
	NVP_HOOK_SGL_SUBTYPE_OK,	/* every sub type is an address */
	NVP_HOOK_SGL_LOW_BITS,		/* bits 1:0 of an address are dropped */
	NVP_HOOK_SGL_ZERO_ENDS,		/* a descriptor of no bytes ends the list */
	NVP_HOOK_SGL_FEW,		/* no more than 16 descriptors of a segment */
	NVP_HOOK_META_SGL_LENGTH_OK,	/* a metadata SGL of any length is taken */
	NVP_HOOK_META_POINTER_PAGE,	/* the Metadata Pointer loses its offset into the page */

	/* protection.c */
	NVP_HOOK_META_BEFORE_DATA,	/* extended blocks begin with their metadata */
	NVP_HOOK_META_LAST_LOST,	/* metadata of the last of several blocks is not written */
	NVP_HOOK_META_NEIGHBOUR,	/* reads give the metadata of the block behind */
	NVP_HOOK_PI_OTHER_END,		/* PIL is taken the wrong way round */
	NVP_HOOK_PI_GUARD_DATA_ONLY,	/* the guard leaves out metadata in front of it */
	NVP_HOOK_PI_REF_STUCK,		/* the reference tag is the same for all blocks */
	NVP_HOOK_PI_ILBRT_OK,		/* type 1 takes any initial reference tag */
	NVP_HOOK_PI_TYPE3_REF_OK,	/* type 3 takes the check of the reference tag */
	NVP_HOOK_PI_ESCAPE_IGNORED,	/* application tag FFFFh does not stop the checks */
	NVP_HOOK_PI_ESCAPE_TYPE3,	/* .. stops them for type 3 whatever the reference tag */
	NVP_HOOK_PI_ALWAYS,		/* everything is checked, whatever PRCHK says */
	NVP_HOOK_PI_GUARD_UNCHECKED,
	NVP_HOOK_PI_APP_UNCHECKED,
	NVP_HOOK_PI_REF_UNCHECKED,
	NVP_HOOK_PI_REF_LOW16,		/* bits 15:0 of the reference tag only */
	NVP_HOOK_PI_REF_WIDE,		/* the expected tag is counted beyond 32 bits */
	NVP_HOOK_PI_MASK_IGNORED,	/* the mask of the application tag is all ones */
	NVP_HOOK_PI_STATUS,		/* a wrong guard is called a wrong application tag */
	NVP_HOOK_PI_FIRST_ONLY,		/* only the first block is checked */
	NVP_HOOK_PI_NO_STRIP,		/* a read with PRACT moves the metadata all the same */
	NVP_HOOK_PI_NO_INSERT,		/* a write with PRACT leaves zeroes */
	NVP_HOOK_PI_WRITE_UNCHECKED,
	NVP_HOOK_PI_READ_UNCHECKED,
	NVP_HOOK_PI_WZ_NONE,		/* Write Zeroes with PRACT inserts nothing */
	NVP_HOOK_PI_COMPARE_META,	/* Compare does not look at metadata */
	NVP_HOOK_PI_VERIFY_UNCHECKED,
	NVP_HOOK_PI_VERIFY_ALWAYS,	/* Verify checks everything, whatever PRCHK says */
	NVP_HOOK_PI_COPY_UNCHECKED,	/* Copy does not check what it reads */
	NVP_HOOK_PI_COPY_STALE,		/* Copy with PRACT keeps the tags of the source */
	NVP_HOOK_PI_DPC,		/* DPS says a type and a place that DPC does not */
	NVP_HOOK_PI_DPS_RESERVED,	/* DPS says type 5 */
	NVP_HOOK_META_MC,		/* MC is 0 */
	NVP_HOOK_PI_DEALLOCATED,	/* deallocated blocks have zeroes as protection information */

	/* media.c, cache.c, rail.c */
	NVP_HOOK_MEDIA_TORN,		/* a program unit is published after its first sector */
	NVP_HOOK_READ_MIXED,		/* of many commands under way: the data of the next block */
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

	/* admin.c: what every command of any queue is checked for */
	NVP_HOOK_ADM_OPCODE_OK,		/* a reserved admin opcode succeeds */
	NVP_HOOK_ADM_OPCODE_STATUS,	/* it gives Invalid Field instead of Invalid Opcode */
	NVP_HOOK_ADM_FUSE_OK,		/* FUSE is not looked at on the admin queue */
	NVP_HOOK_ADM_PSDT_OK,		/* PSDT is not looked at on the admin queue */
	NVP_HOOK_ADM_MDTS_UNCHECKED,	/* a transfer above MDTS goes through, any queue */

	/* identify.c */
	NVP_HOOK_IDY_LIST_UNSORTED,
	NVP_HOOK_IDY_LIST_START,	/* the list ignores the NSID it shall start after */
	NVP_HOOK_IDY_LIST_TOP_OK,	/* FFFFFFFEh and FFFFFFFFh give an empty list */
	NVP_HOOK_IDY_LIST_JUNK,		/* the list goes on behind its first 0 */
	NVP_HOOK_IDY_VER,
	NVP_HOOK_IDY_RAB,		/* legal values that an earlier build did not have */
	NVP_HOOK_IDY_VENDOR,
	NVP_HOOK_IDY_NOIOB,
	NVP_HOOK_IDY_TEXT_NUL,		/* SN and MN padded with NULs */
	NVP_HOOK_IDY_SQES,
	NVP_HOOK_IDY_SUBNQN,
	NVP_HOOK_IDY_CNS_OK,
	NVP_HOOK_IDY_CSI_OK,
	NVP_HOOK_IDY_NSID_OK,		/* CNS 00h of an NSID above NN succeeds */
	NVP_HOOK_IDY_NSID_STATUS,	/* it gives Invalid Field */
	NVP_HOOK_IDY_INACTIVE,		/* CNS 00h of an inactive NSID is not all zero */
	NVP_HOOK_IDY_BROADCAST_OK,	/* CNS 00h of NSID FFFFFFFFh succeeds */
	NVP_HOOK_IDY_NO_ID,		/* no EUI64, NGUID, UUID anywhere */
	NVP_HOOK_IDY_DSM_LIMITS,	/* DMRL without DMRSL and DMSL */
	NVP_HOOK_IDY_NCAP,
	NVP_HOOK_IDY_NUSE,
	NVP_HOOK_IDY_FLBAS,
	NVP_HOOK_IDY_LBADS,
	NVP_HOOK_IDY_NIDL,
	NVP_HOOK_LENGTH_LIES,		/* the number `at` of the table in lies.c is `value` */
	NVP_HOOK_IDY_SHORT,		/* the last 512 bytes are not transferred */
	NVP_HOOK_IDY_ONCS,		/* ONCS claims Verify, which is not there */

	/* features.c */
	NVP_HOOK_FEA_SET_IGNORED,
	NVP_HOOK_FEA_DEFAULT,		/* Set changes the default too */
	NVP_HOOK_FEA_SAVED_LOST,	/* the saved value is gone after a reset */
	NVP_HOOK_FEA_UNSAVED_KEPT,	/* an unsaved value survives a reset */
	NVP_HOOK_FEA_MISSING,		/* Get of Interrupt Coalescing is refused */
	NVP_HOOK_FEA_SEL_OK,
	NVP_HOOK_FEA_FID_OK,
	NVP_HOOK_FEA_SV_OK,
	NVP_HOOK_FEA_SV_STATUS,
	NVP_HOOK_FEA_CAPS,
	NVP_HOOK_FEA_NSID_OK,
	NVP_HOOK_FEA_QUEUES_ONES_OK,	/* NCQR or NSQR FFFFh succeeds */
	NVP_HOOK_FEA_QUEUES_LATE_OK,	/* Number of Queues changes with I/O queues there */
	NVP_HOOK_FEA_QUEUES_DIFFER,	/* Get gives another number than Set */
	NVP_HOOK_FEA_PS_OK,
	NVP_HOOK_FEA_TMPSEL_OK,
	NVP_HOOK_FEA_VECTOR_OK,
	NVP_HOOK_FEA_VWC_OK,		/* Volatile Write Cache without such a cache succeeds */
	NVP_HOOK_FEA_ARB_TRUNCATED,	/* Arbitration loses HPW */

	/* logs.c */
	NVP_HOOK_LOG_NUMD,		/* always whole 4096 bytes */
	NVP_HOOK_LOG_LPO_IGNORED,
	NVP_HOOK_LOG_LPO_UNALIGNED_OK,
	NVP_HOOK_LOG_LPO_END_OK,
	NVP_HOOK_LOG_LID_OK,
	NVP_HOOK_LOG_NSID_OK,
	NVP_HOOK_LOG_SUPPORTED,		/* log 00h does not list log 02h */
	NVP_HOOK_LOG_FID,		/* log 12h does not list feature 02h */
	NVP_HOOK_LOG_EFFECTS,		/* log 05h does not list Flush */
	NVP_HOOK_LOG_FIRMWARE,		/* log 03h has another revision than FR */
	NVP_HOOK_ERR_ORDER,		/* oldest first */
	NVP_HOOK_ERR_CID,		/* the entry has another CID */
	NVP_HOOK_ERR_NSID,		/* the entry has another NSID */
	NVP_HOOK_ERR_STATUS,		/* the entry's status is not where the phase bit leaves it */
	NVP_HOOK_ERR_COUNT,		/* the error count does not go up */
	NVP_HOOK_ERR_SMART,		/* SMART's number of entries does not go up */
	NVP_HOOK_SMART_DOWN,		/* Data Units Read goes down */
	NVP_HOOK_SMART_UNITS,		/* data units of 512 bytes */
	NVP_HOOK_SMART_WRITES,		/* Host Write Commands stands still */
	NVP_HOOK_SMART_NO_WARNING,	/* Critical Warning bit 1 is not set above the threshold */

	/* events.c, abort.c */
	NVP_HOOK_AER_LIMIT,		/* one less than AERL + 1 can wait */
	NVP_HOOK_AER_UNLIMITED,		/* more than AERL + 1 can wait */
	NVP_HOOK_AER_TIMES_OUT,		/* completes by itself after 10 s */
	NVP_HOOK_EVT_TWICE,
	NVP_HOOK_EVT_UNMASKED,		/* a type is sent again before its log was read */
	NVP_HOOK_EVT_RAE,		/* a read with RAE=1 clears the event */
	NVP_HOOK_EVT_CONFIG,		/* Asynchronous Event Configuration is not looked at */
	NVP_HOOK_EVT_LID,		/* another log page in Dword 0 */
	NVP_HOOK_EVT_LOST,		/* an event with no request waiting is forgotten */
	NVP_HOOK_ABT_RESULT,		/* bit 0 says "aborted" for a command that is not there */
	NVP_HOOK_ABT_NEIGHBOUR,		/* the oldest waiting command is aborted, not the named one */
	NVP_HOOK_ABT_LOST,		/* the aborted command gets no completion */
	NVP_HOOK_ABT_DENIED,		/* bit 0 says "not aborted" of a command that was */
	NVP_HOOK_ABT_STATUS,		/* it completes with success */

	/* nvm.c */
	NVP_HOOK_IO_OPCODE_OK,
	NVP_HOOK_IO_OPCODE_STATUS,
	NVP_HOOK_IO_FUSE_OK,
	NVP_HOOK_IO_NSID_ZERO_OK,
	NVP_HOOK_IO_NSID_ABOVE_OK,
	NVP_HOOK_IO_NS_SHARED,		/* namespace 2 and up shows the blocks of namespace 1 */
	NVP_HOOK_IO_RANGE_ONE,		/* one block past the end is let through */
	NVP_HOOK_IO_RANGE_WRAP,		/* SLBA + NLB is added in 64 bits */
	NVP_HOOK_IO_RANGE_STATUS,	/* Invalid Field instead of LBA Out of Range */
	NVP_HOOK_IO_UPPER_LBA,		/* reads take SLBA bits 31:0 only */
	NVP_HOOK_IO_NLB_SHORT,		/* a write of more than one block leaves out the last */
	NVP_HOOK_IO_WRITE_NEXT,		/* a write clears the block behind it */
	NVP_HOOK_CMP_EQUAL,
	NVP_HOOK_CMP_FIRST_ONLY,	/* only the first block is compared */
	NVP_HOOK_CMP_STATUS,
	NVP_HOOK_WZ_KEEPS,
	NVP_HOOK_WZ_SHORT,
	NVP_HOOK_DSM_NEIGHBOUR,
	NVP_HOOK_DSM_RANGE_OK,
	NVP_HOOK_DSM_ALWAYS,		/* deallocates with AD=0 */
	NVP_HOOK_DLFEAT_PATTERN,	/* deallocated blocks read FFh although DLFEAT says 00h */
	NVP_HOOK_DEALLOCATED_VARIES,	/* every second read of deallocated blocks gives FFh */
	NVP_HOOK_DULBE_IGNORED,
	NVP_HOOK_FLUSH_NSID_OK,
	NVP_HOOK_FLUSH_REFUSED,

	/* nvm_uncorrectable.c nvm_copy.c nvm_fused.c */
	NVP_HOOK_WU_IGNORED,		/* Write Uncorrectable marks nothing */
	NVP_HOOK_WU_NOT_CURED,		/* a write leaves marked blocks as they are */
	NVP_HOOK_WU_NEIGHBOUR,		/* the block behind the range is marked too */
	NVP_HOOK_WU_SHORT,		/* the last block of the range is not marked */
	NVP_HOOK_WU_LARGE_READ,		/* reads of more than one block do not see marks */
	NVP_HOOK_WU_STATUS,		/* Internal Error instead of Unrecovered Read Error */
	NVP_HOOK_WU_RANGE_OK,		/* a range past the end succeeds */
	NVP_HOOK_WU_COMPARE,		/* Compare does not see marks */
	NVP_HOOK_SIZE_LIMIT_OK,		/* ONCS does not claim Verify, VSL does, and is no limit */
	NVP_HOOK_WZ_NOT_CURED,		/* Write Zeroes leaves marked blocks as they are */
	NVP_HOOK_COPY_OVERLAP_NO,	/* an overlapping copy is refused */
	NVP_HOOK_SIZE_LIMIT,		/* sizes above VSL and WUSL are refused */
	NVP_HOOK_VERIFY_IGNORES,	/* Verify does not see marks */
	NVP_HOOK_VERIFY_RANGE_OK,
	NVP_HOOK_VERIFY_WRITES,		/* Verify clears the first block */
	NVP_HOOK_COPY_ORDER,		/* the last source range comes first */
	NVP_HOOK_COPY_LAST_MISSING,
	NVP_HOOK_COPY_DESTINATION,	/* one block too far */
	NVP_HOOK_COPY_NLB,		/* source ranges of more than one block end one early */
	NVP_HOOK_COPY_SOURCE_CLEARED,	/* the first source block is cleared, as if it was moved */
	NVP_HOOK_COPY_MSSRL_OK,
	NVP_HOOK_COPY_MCL_OK,
	NVP_HOOK_COPY_MSRC_OK,
	NVP_HOOK_COPY_RANGE_OK,		/* sources past the end are left out */
	NVP_HOOK_COPY_END_OK,		/* what would go past the end is left out */
	NVP_HOOK_COPY_FORMAT_OK,	/* an unsupported format is taken as format 0 */
	NVP_HOOK_COPY_OVERLAP,		/* block by block, upwards, over what is still to be read */
	NVP_HOOK_COPY_MARKED,		/* marked sources are copied as zeroes */
	NVP_HOOK_COPY_DW0,		/* Dword 0 of a refused copy counts the ranges */
	NVP_HOOK_COPY_LIMITS,		/* Identify says MSSRL 0 */
	NVP_HOOK_FUSED_WRITES,		/* the write goes through after a miscompare */
	NVP_HOOK_FUSED_DROPS,		/* the write is not done after an equal compare */
	NVP_HOOK_FUSED_SPLIT,		/* other writes come between the two halves */
	NVP_HOOK_FUSED_FIRST_ALONE,	/* a first command without its second is carried out */
	NVP_HOOK_FUSED_SECOND_ALONE,
	NVP_HOOK_FUSED_STATUS,		/* the second gives Abort Requested */
	NVP_HOOK_FUSED_RANGE_OK,	/* the two ranges need not be the same */
	NVP_HOOK_FUSED_OPCODE_OK,	/* any two commands are carried out one after the other */

	/* format.c */
	NVP_HOOK_FMT_STALE,		/* a format in the same LBA format leaves the data */
	NVP_HOOK_FMT_SES,		/* .. when it is a secure erase */
	NVP_HOOK_FMT_CRYPTO,		/* .. when it is a cryptographic erase */
	NVP_HOOK_FMT_BLOCK_SURVIVES,	/* the last block keeps its data */
	NVP_HOOK_FMT_MARKED,		/* marks of Write Uncorrectable stay */
	NVP_HOOK_FMT_LBAF_IGNORED,
	NVP_HOOK_FMT_SIZE,		/* NSZE stays the same number of blocks */
	NVP_HOOK_FMT_NUSE,		/* NUSE says that all is used */
	NVP_HOOK_FMT_PI_IGNORED,
	NVP_HOOK_FMT_WRONG_NS,
	NVP_HOOK_FMT_NEIGHBOUR,		/* other namespaces lose their data */
	NVP_HOOK_FMT_BROADCAST_FIRST,	/* FFFFFFFFh formats namespace 1 alone */
	NVP_HOOK_FMT_FPI_STUCK,		/* FPI always says that 50 % remain */
	NVP_HOOK_FMT_FPI_UP,		/* FPI counts what is done */
	NVP_HOOK_FMT_LBAF_OK,
	NVP_HOOK_FMT_PI_OK,
	NVP_HOOK_FMT_SES_OK,
	NVP_HOOK_FMT_NSID_OK,
	NVP_HOOK_FMT_STATUS,		/* 0/0Bh instead of Invalid Format */
	NVP_HOOK_FMT_EFFECTS,		/* log 05h does not list it */
	NVP_HOOK_FMT_IO,		/* I/O goes on while it runs */
	NVP_HOOK_FMT_IO_STATUS,		/* I/O gets Internal Error while it runs */
	NVP_HOOK_FMT_RESET_STUCK,	/* a reset leaves the namespace in progress for ever */
	NVP_HOOK_FMT_NOT_SAVED,		/* a reset brings the old format back */

	/* sanitize.c */
	NVP_HOOK_SAN_STALE,		/* nothing is erased */
	NVP_HOOK_SAN_CRYPTO,		/* .. by a crypto erase */
	NVP_HOOK_SAN_BLOCK_SURVIVES,	/* the last block of each namespace */
	NVP_HOOK_SAN_CACHE,		/* what was cached is written after it */
	NVP_HOOK_SAN_FAILS,		/* every sanitize ends as failed */
	NVP_HOOK_SAN_STATUS,		/* the log says that none was ever asked for */
	NVP_HOOK_SAN_PROGRESS_STUCK,	/* SPROG is not FFFFh when none runs */
	NVP_HOOK_SAN_PROGRESS_DOWN,	/* SPROG counts what remains */
	NVP_HOOK_SAN_CDW10,		/* SCDW10 has another AUSE */
	NVP_HOOK_SAN_ND_STATUS,		/* SSTAT 1 after No-Deallocate */
	NVP_HOOK_SAN_PATTERN,		/* another overwrite pattern */
	NVP_HOOK_SAN_EVENT_MISSING,
	NVP_HOOK_SAN_EVENT_INFO,
	NVP_HOOK_SAN_ACTION_OK,		/* reserved actions succeed */
	NVP_HOOK_SAN_EXIT,		/* Exit Failure Mode is refused */
	NVP_HOOK_SAN_IO,		/* I/O goes on while it runs */
	NVP_HOOK_SAN_IO_STATUS,		/* Internal Error instead of Sanitize In Progress */
	NVP_HOOK_SAN_SECOND_OK,		/* a second one while one runs succeeds */
	NVP_HOOK_SAN_IDENTIFY,		/* Identify is refused while it runs */
	NVP_HOOK_SAN_RESET,		/* a controller reset ends it */
	NVP_HOOK_SAN_GDE_STUCK,		/* Global Data Erased stays after a write */
	NVP_HOOK_SAN_GDE_NEVER,
	NVP_HOOK_SAN_EFFECTS,

	/* firmware.c */
	NVP_HOOK_FW_CRC_OK,		/* an image whose checksum is wrong is committed */
	NVP_HOOK_FW_FAMILY_OK,		/* an image of another product is committed */
	NVP_HOOK_FW_PROHIBITED_OK,	/* an image that must not be activated is committed */
	NVP_HOOK_FW_GAP_OK,		/* an image with a piece missing is committed */
	NVP_HOOK_FW_GARBAGE_OK,		/* what is no image at all is committed */
	NVP_HOOK_FW_NO_IMAGE_OK,	/* a commit without a download succeeds */
	NVP_HOOK_FW_OVERLAP_OK,
	NVP_HOOK_FW_GRANULARITY_OK,
	NVP_HOOK_FW_SLOT_OK,		/* a slot above the number of slots is taken as the last */
	NVP_HOOK_FW_SLOT1_WRITTEN,	/* the read-only slot takes an image */
	NVP_HOOK_FW_WRONG_SLOT,		/* the image goes into the slot behind */
	NVP_HOOK_FW_EMPTY_OK,		/* a slot without an image can be activated, and nothing happens */
	NVP_HOOK_FW_ACTION_OK,		/* reserved commit actions succeed */
	NVP_HOOK_FW_NOT_ACTIVATED,	/* a reset does not activate what waits */
	NVP_HOOK_FW_EARLY,		/* commit action 1 activates at once */
	NVP_HOOK_FW_STORE_ACTIVATES,	/* commit action 0 is taken as action 1 */
	NVP_HOOK_FW_FR_STALE,		/* Identify FR stays when another image runs */
	NVP_HOOK_FW_NEXT_HIDDEN,	/* log 03h shows no next slot */
	NVP_HOOK_FW_OTHER_LOST,		/* log 03h forgets slot 1 when another slot was written */
	NVP_HOOK_FW_DOWNLOAD_KEPT,	/* a download survives a reset */
	NVP_HOOK_FW_RESET_KIND,		/* any reset activates what needs a more thorough one */
	NVP_HOOK_FW_ACTIVATE_REFUSED,	/* no image can be activated once it is in its slot */
	NVP_HOOK_FW_NOW_REFUSED,	/* activation without a reset says that it needs one */
	NVP_HOOK_FW_NEEDS_STATUS,	/* success instead of the reset that activation needs */
	NVP_HOOK_FW_EVENT_INFO,		/* the event has another information code */
	NVP_HOOK_FW_EVENT_MISSING,	/* activation without a reset is not announced */

	/* registers.c: resets of the subsystem */
	NVP_HOOK_NSSR_IGNORED,		/* the right value in NSSR does nothing */
	NVP_HOOK_NSSR_ANY,		/* every value in NSSR resets */
	NVP_HOOK_NSSRO_MISSING,		/* CSTS.NSSRO stays 0 after it */
	NVP_HOOK_NSSRO_STUCK,		/* .. is not cleared by writing 1 to it */

	/* self_test.c */
	NVP_HOOK_DST_NO_RESULT,		/* nothing comes into the log */
	NVP_HOOK_DST_RESULT_ZERO,	/* every result is 0, no error */
	NVP_HOOK_DST_HOURS,		/* results have Power On Hours that are yet to come */
	NVP_HOOK_DST_RESULT_NSID,	/* results have another NSID */
	NVP_HOOK_DST_STUCK,		/* an operation never ends */
	NVP_HOOK_DST_SHORT_SURVIVES,	/* a reset does not end a short one */
	NVP_HOOK_DST_EXTENDED_DIES,	/* a reset ends an extended one */
	NVP_HOOK_DST_NOT_STOPPED,	/* format, sanitize and removal do not end one */
	NVP_HOOK_DST_NSID_OK,
	NVP_HOOK_DST_CODE_OK,
	NVP_HOOK_DST_ABORT_IGNORED,
	NVP_HOOK_DST_IDLE_LOGGED,	/* an abort of nothing comes into the log */
	NVP_HOOK_DST_SECOND_OK,		/* a second one replaces the first */
	NVP_HOOK_DST_PROGRESS_FALLS,
	NVP_HOOK_DST_CURRENT_WRONG,	/* an extended one is shown as short */
	NVP_HOOK_DST_OLDEST_FIRST,
	NVP_HOOK_DST_UNUSED_ZERO,	/* results that were never written look like good ones */

	/* ocp.c, and where it is called */
	NVP_HOOK_OCP_GUID,		/* the log `log` (0: each) ends with another GUID */
	NVP_HOOK_OCP_VERSION,		/* logs have version 0 */
	NVP_HOOK_OCP_SMART_DOWN,	/* Physical Media Units Written goes down */
	NVP_HOOK_OCP_RESERVED,		/* a reserved byte of log C0h is set */
	NVP_HOOK_OCP_NO_PLP,		/* Capacitor Health says that there is no protection */
	NVP_HOOK_OCP_UUID,		/* the UUID list has another UUID */
	NVP_HOOK_OCP_UUID_OK,		/* a UUID index beyond the list is let through */
	NVP_HOOK_OCP_MODE_OK,		/* PLP failure mode 00b succeeds */
	NVP_HOOK_OCP_SET_IGNORED,	/* the two features keep their value */
	NVP_HOOK_OCP_AERL,		/* two event requests are all that can wait */

	/* cut.c, cut_cache.c, rail.c and where they are called */
	NVP_HOOK_CUT_FIRST,
	NVP_HOOK_FLUSH_LIES_EARLY,	/* in the first `ms` after power-on */
	NVP_HOOK_FLUSH_LIES_TRIMMING,	/* while a Dataset Management runs */
	NVP_HOOK_FLUSH_OWN_QUEUE,
	NVP_HOOK_FLUSH_FIRST_NS,
	NVP_HOOK_FLUSH_ALL_BUT_LAST,
	NVP_HOOK_FLUSH_DATA_ONLY,
	NVP_HOOK_FLUSH_EARLY,
	NVP_HOOK_FUA_ZEROES,
	NVP_HOOK_FUA_LARGE,		/* commands of `blocks` and more */
	NVP_HOOK_FUA_FALLING,		/* from the off command on */
	NVP_HOOK_FUA_READ,
	NVP_HOOK_CACHE_OFF_IGNORED,
	NVP_HOOK_CACHE_ON_AFTER_CUT,
	NVP_HOOK_SHUTDOWN_EARLY,
	NVP_HOOK_SHUTDOWN_ABRUPT_LOSES,
	NVP_HOOK_FUNCTION_RESET_DROPS,
	NVP_HOOK_RESET_LATE_WRITE,
	NVP_HOOK_PLP_HOLD_UP,		/* the energy lasts `us` */
	NVP_HOOK_PLP_NOT_CHARGED,	/* in the first `ms` after power-on */
	NVP_HOOK_PLP_TRIMMING,
	NVP_HOOK_PLP_LARGE,		/* commands of `blocks` and more */
	NVP_HOOK_CUT_REVERTS,		/* a durable write, ... */
	NVP_HOOK_CUT_REVERTS_ZEROES,
	NVP_HOOK_CUT_REVERTS_TRIM,	/* to what is older than the last data */
	NVP_HOOK_CUT_REVERTS_MARK,
	NVP_HOOK_CUT_LOSES_TAIL,
	NVP_HOOK_CUT_LOSES_LARGE,	/* `blocks` and more */
	NVP_HOOK_CUT_LOSES_RECENT,	/* of the last `ms` */
	NVP_HOOK_CUT_ZEROES,
	NVP_HOOK_CUT_UNMAPS,
	NVP_HOOK_CUT_ONES,
	NVP_HOOK_CUT_BIT_ROT,		/* `bits` */
	NVP_HOOK_CUT_GARBAGE,
	NVP_HOOK_CUT_UNREADABLE,
	NVP_HOOK_CUT_TEARS_BLOCK,	/* a durable one, at `eighths` */
	NVP_HOOK_CUT_TEARS_METADATA,	/* from a durable block */
	NVP_HOOK_CUT_TEARS_META_FLIGHT,	/* from one that was being written */
	NVP_HOOK_CUT_UNMAPS_METADATA,
	NVP_HOOK_CUT_TEARS_FLIGHT,	/* one that was being written, at `eighths` */
	NVP_HOOK_CUT_TEARS_UNIT,
	NVP_HOOK_CUT_TEARS_UNIT_BACK,
	NVP_HOOK_CUT_PAGES_LOST,
	NVP_HOOK_CUT_COPIES_ELSEWHERE,
	NVP_HOOK_CUT_MOVES_ELSEWHERE,
	NVP_HOOK_CUT_CROSSES_NS,
	NVP_HOOK_CUT_RESURRECTS,
	NVP_HOOK_CUT_REGRESSES,		/* one cut later */
	NVP_HOOK_CUT_UNSTABLE,
	NVP_HOOK_CUT_UNSTABLE_UNMAP,
	NVP_HOOK_CUT_TRIMS_NEIGHBOUR,
	NVP_HOOK_CUT_REPLAYS_TRIMS,
	NVP_HOOK_CUT_COLD_ZEROED,
	NVP_HOOK_CUT_COLD_ROTS,		/* `bits` */
	NVP_HOOK_CUT_OTHER_NS,
	NVP_HOOK_CUT_THIRD_LOST,
	NVP_HOOK_CUT_EXTENT_LOST,	/* `entries` */
	NVP_HOOK_CUT_REVERTS_IN_TEST,	/* a durable write, while a self-test runs */
	NVP_HOOK_CUT_DEAD,		/* after `cuts` */
	NVP_HOOK_CUT_DEAD_ONCE,		/* the first power-on after the one with number `cuts` */
	NVP_HOOK_CUT_FATAL,
	NVP_HOOK_CUT_SLOW_READY,	/* by CAP.TO and `ms` */
	NVP_HOOK_CUT_SERIAL,
	NVP_HOOK_CUT_CAPACITY,
	NVP_HOOK_CUT_EUI,
	NVP_HOOK_CUT_READ_ONLY,
	NVP_HOOK_CUT_SAVED_LOST,
	NVP_HOOK_CUT_SAVED_BLENDED,
	NVP_HOOK_BACKUP_FAILED,
	NVP_HOOK_CUT_INVENTS,
	NVP_HOOK_CUT_FORMAT_STUCK,
	NVP_HOOK_CUT_FORGETS_SANITIZE,
	NVP_HOOK_CUT_LOSES_COMMIT,	/* `ms` after a commit */
	NVP_HOOK_CUT_HALF_DOWNLOAD,	/* pieces of an image are in a slot */
	NVP_HOOK_CUT_DOWNLOAD_STAYS,	/* .. are there after power-on */
	NVP_HOOK_CUT_TEARS_SLOT,	/* a slot that is being written: half a revision */
	NVP_HOOK_CUT_LAST,
	NVP_HOOK_UNSAFE_MISSING,
	NVP_HOOK_UNSAFE_TWICE,
	NVP_HOOK_CYCLES_STUCK,
	NVP_HOOK_COUNTERS_LOST,
	NVP_HOOK_POWER_OFF_IGNORED,
	NVP_HOOK_REFUSED_RANGE_WRITTEN,
	NVP_HOOK_CUT_FORMAT_HALF,	/* complete when it has begun; the rest follows, if power stays */
	NVP_HOOK_CUT_SANITIZE_DONE,	/* what was in progress counts as done */
	NVP_HOOK_CUT_SANITIZE_STUCK,	/* .. stays in progress for ever */
	NVP_HOOK_CUT_SANITIZE_FAILS,	/* .. has failed */
	NVP_HOOK_CUT_SKIPS_PASSES,	/* .. of an overwrite: is done; `told`: so it says */
	NVP_HOOK_CUT_FIRMWARE_BRICKS,	/* a waiting image is not whole */
	/* power_state.c */
	NVP_HOOK_PWR_RANK,		/* relative performance beyond the number of states */
	NVP_HOOK_PWR_MP,		/* state 1 takes more power than state 0 */
	NVP_HOOK_PWR_NO_WAKE,		/* I/O does not end a non-operational state */
	NVP_HOOK_PWR_IO_FAILS,		/* .. but fails there */
	NVP_HOOK_APST_NEVER,		/* no transition ever */
	NVP_HOOK_APST_TARGET_OK,	/* any state can be the target */
	NVP_HOOK_APST_ENABLE,		/* Get Features says that they are off */
	NVP_HOOK_APST_LOST,		/* Get Features gives an empty table */
	NVP_HOOK_HCTM_ORDER_OK,
	NVP_HOOK_HCTM_RANGE_OK,

	/* timestamp.c */
	NVP_HOOK_TIME_ORIGIN,		/* origin 0 although it was set */
	NVP_HOOK_TIME_SET_IGNORED,
	NVP_HOOK_TIME_STANDS,
	NVP_HOOK_TIME_BACK,		/* it counts down */
	NVP_HOOK_TIME_RESTARTS,		/* a reset sets it to 0, the origin stays 1 */

	/* protect.c */
	NVP_HOOK_WP_IGNORED,
	NVP_HOOK_WP_ZEROES,		/* Write Zeroes goes through */
	NVP_HOOK_WP_DSM,		/* Deallocate goes through */
	NVP_HOOK_WP_READ,		/* reads are refused too */
	NVP_HOOK_WP_STATUS,		/* Invalid Field instead of Namespace is Write Protected */
	NVP_HOOK_WP_RESET,		/* a reset ends it */
	NVP_HOOK_WP_OTHER,		/* the protection of namespace 1 is that of all */
	NVP_HOOK_WP_NSATTR,		/* NSATTR does not show it */
	/* ns_manage.c ns_attach.c */
	NVP_HOOK_NSM_CAPACITY_KEPT,	/* a deleted namespace's capacity is not given back */
	NVP_HOOK_NSM_CAPACITY_OK,	/* a create that does not fit succeeds without a namespace */
	NVP_HOOK_NSM_ZERO_OK,		/* NSZE 0 succeeds without a namespace */
	NVP_HOOK_NSM_THIN_OK,		/* NCAP below NSZE succeeds */
	NVP_HOOK_NSM_FORMAT_OK,		/* a format or protection that is not there succeeds */
	NVP_HOOK_NSM_NSID_STATUS,	/* Invalid Field instead of Namespace Identifier Unavailable */
	NVP_HOOK_NSM_ATTACHED,		/* a new namespace is attached at once */
	NVP_HOOK_NSM_SAME_ID,		/* a new namespace has the identifiers of the one before */
	NVP_HOOK_NSM_STALE,		/* a new namespace shows the blocks of the one before */
	NVP_HOOK_NSM_DELETE_KEEPS,	/* Delete succeeds and the namespace stays */
	NVP_HOOK_NSM_DELETE_OK,		/* Delete of what is not there succeeds */
	NVP_HOOK_NSM_WRONG_NS,		/* the namespace before the named one is deleted */
	NVP_HOOK_NSM_SEL_OK,		/* reserved selections succeed */
	NVP_HOOK_NSM_LIST_OK,		/* controllers that are not there are left out of a list */
	NVP_HOOK_NSM_DETACH_OK,		/* Detach of what is not attached succeeds */
	NVP_HOOK_NSM_ATTACH_OK,		/* Attach of what is attached succeeds */
	NVP_HOOK_NSM_ATTACH_NOTHING,	/* attachment succeeds and changes nothing */
	NVP_HOOK_NSM_DETACH_READABLE,	/* a detached namespace can still be read */
	NVP_HOOK_NSM_PRIVATE_OK,	/* a private namespace is attached to two controllers */
	NVP_HOOK_NSM_LIST_ACTIVE,	/* CNS 10h lists active namespaces alone */
	NVP_HOOK_NSM_CONTROLLERS,	/* CNS 12h and 13h give empty lists */
	NVP_HOOK_NSM_CONTROLLERS_FROM,	/* they do not look at the CNTLID they shall start at */
	NVP_HOOK_NSM_NO_EVENT,		/* no event when a namespace is attached */
	NVP_HOOK_NSM_LOG,		/* log 04h stays empty */
	NVP_HOOK_NSM_LOG_KEPT,		/* reading log 04h does not clear it */
	NVP_HOOK_NSM_RESULT,		/* Create gives NSID 0 */
	NVP_HOOK_NSM_SIZE,		/* a new namespace has one block less */
	NVP_HOOK_NSM_HERE_ALONE,	/* of two controllers only this one is attached */
	NVP_HOOK_NSM_DETACH_ALL,	/* Detach takes the other controller too */
	NVP_HOOK_NSM_RESET_DETACHES,	/* a controller reset detaches what was attached since power-on */
	NVP_HOOK_NSM_UNALLOCATED,	/* CNS 11h of an unallocated namespace is not zero */

	/* registers.c, protect.c */
	NVP_HOOK_REG_CFS_STUCK,		/* a reset does not clear CSTS.CFS */
	NVP_HOOK_WP_FORMAT,		/* Format NVM goes through */

	/* queues.c create.c */
	NVP_HOOK_QUE_LAST_UNSERVED,	/* nothing is fetched from the last I/O queue */
	NVP_HOOK_QUE_FULL_LOST,		/* a submission queue that becomes full loses a command */
	NVP_HOOK_QUE_PRIORITY_REFUSED,	/* a QPRIO other than 00b is refused */
	NVP_HOOK_ARB_URGENT_IGNORED,	/* urgent queues count as high ones */
	NVP_HOOK_ARB_WEIGHTS_IGNORED,	/* all weights are the same */
	NVP_HOOK_ARB_ADMIN_LAST,	/* admin commands wait until no I/O command runs */
	NVP_HOOK_QUE_ENTRY_SIZE_OK,	/* queues are created before CC has entry sizes */

	/* identify_fill.c set_features.c smart.c sanitize.c */
	NVP_HOOK_IDY_NOWS,		/* NOWS is one block more than a multiple of NPWG */
	NVP_HOOK_IDY_NOWS_MDTS,		/* NOWS is twice what one command can carry */
	NVP_HOOK_FEA_ATOMICITY_STUCK,	/* Write Atomicity Normal keeps its value */
	NVP_HOOK_FEA_EVENTS_TRUNCATED,	/* the event configuration keeps its first byte alone */
	NVP_HOOK_SMART_MINUTES_DOWN,	/* minutes of high temperature are less at each reading */
	NVP_HOOK_SAN_FIRMWARE_OK,	/* a sanitize begins while firmware waits for a reset */

	/* telemetry.c */
	NVP_HOOK_TEL_LID,		/* the headers begin with 00h */
	NVP_HOOK_TEL_AREAS,		/* area 2 ends before area 1 */
	NVP_HOOK_TEL_GENERATION,	/* a capture keeps the generation number */
	NVP_HOOK_TEL_MOVES,		/* other data at each read */
	NVP_HOOK_TEL_OFFSET_OK,		/* offsets inside a block are accepted */
	NVP_HOOK_TEL_AVAILABLE_NEVER,	/* a capture of the controller is not said to be there */
	NVP_HOOK_TEL_AVAILABLE_LOST,	/* .. after power-on */
	NVP_HOOK_TEL_AVAILABLE_STUCK,	/* .. to be new after it was read */
	NVP_HOOK_TEL_RAE,		/* a read that retains the event acknowledges too */
	NVP_HOOK_TEL_HEADERS_DIFFER,	/* log 07h does not know of it */
	NVP_HOOK_TEL_CONTROLLER_GENERATION,	/* it has the number of the one before */
	NVP_HOOK_TEL_NOTICE_MISSING,	/* no event */
	NVP_HOOK_TEL_NOTICE_INFO,	/* the event of a namespace */
	NVP_HOOK_TEL_DATA_LOST,		/* its data are gone after power-on */
	NVP_HOOK_TEL_EMPTY,		/* it has no data areas */
	NVP_HOOK_TEL_REPLACED,		/* a second one replaces what was not read */

	/* persistent_event.c persistent_event_kinds.c persistent_event_log.c */
	NVP_HOOK_PEL_MISSING,		/* events of a type are not recorded */
	NVP_HOOK_PEL_TWICE,		/* each event twice */
	NVP_HOOK_PEL_LOST_RESET,	/* a reset empties the log */
	NVP_HOOK_PEL_LOST_POWER,	/* power-on does */
	NVP_HOOK_PEL_NO_SNAPSHOT,	/* no SMART snapshots */
	NVP_HOOK_PEL_FIRMWARE,		/* each Firmware Commit is recorded as a success */
	NVP_HOOK_PEL_TIMESTAMP,		/* the previous timestamp is the new one */
	NVP_HOOK_PEL_NAMESPACE,		/* NSID 0 */
	NVP_HOOK_PEL_FORMAT,		/* Dword 10 inverted */
	NVP_HOOK_PEL_SANITIZE,		/* Dword 10 is 0 */
	NVP_HOOK_PEL_FEATURE,		/* another Dword 11 */
	NVP_HOOK_PEL_RESET_FIRMWARE,	/* a reset has another revision */
	NVP_HOOK_PEL_FORMAT_STATUS,	/* a format that succeeded has failed */
	NVP_HOOK_PEL_SANITIZE_STATUS,	/* a sanitize ends as if there had been none */
	NVP_HOOK_PEL_FEATURE_SHORT,	/* without Dword 11 */
	NVP_HOOK_PEL_CUT_SHORT,		/* half of the data of a type */
	NVP_HOOK_LOG_BEYOND_REFUSED,	/* logs.c: more than a log has is refused */
	NVP_HOOK_LOG_BEYOND_EMPTY,	/* .. gives zeroes */
	NVP_HOOK_OCP_STARTS,		/* ocp.c: PLP Start Count is 0 */
	NVP_HOOK_PEL_COUNT,		/* TNEV is one too many */
	NVP_HOOK_PEL_LENGTH,		/* TLL is 4 too few */
	NVP_HOOK_PEL_PAST_END,		/* the last event passes the end */
	NVP_HOOK_PEL_HEADER,		/* Log Header Length is 0 */
	NVP_HOOK_PEL_OLDEST_FIRST,
	NVP_HOOK_PEL_BITMAP,		/* resets are not among the supported events */
	NVP_HOOK_PEL_IDENTITY,		/* another serial number */
	NVP_HOOK_PEL_SIZE,		/* PELS is 0 */
	NVP_HOOK_PEL_GENERATION,	/* the generation number stands */
	NVP_HOOK_PEL_NOT_FROZEN,	/* new events come into an existing context */
	NVP_HOOK_PEL_NO_CONTEXT_OK,	/* a read without one succeeds */
	NVP_HOOK_PEL_SECOND_OK,		/* a second Establish succeeds */
	NVP_HOOK_PEL_RELEASE_REFUSED,	/* Release fails, always */
	NVP_HOOK_PEL_NOT_RELEASED,	/* Release does nothing */
	NVP_HOOK_PEL_NOT_KEPT,		/* a context ends with the command that established it */
	NVP_HOOK_PEL_CONTEXT_KEPT,	/* a reset does not release it */
	NVP_HOOK_PEL_EXISTS,		/* action 11b never says that there was one */

	NVP_NR_HOOKS = 768
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
