/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the blocks of a namespace may hold after a cut or a reset: pure, no I/O and no clock. */
#ifndef NVP_POWER_ORACLE_H
#define NVP_POWER_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The definition. An outcome chooses
 * (i) for every operation the blocks of its range where it took effect. Durable at a block: there.
 *     Acknowledged and not durable: any of them (policy strict: all or none of an atomic unit).
 *     Without a success: all or none of an atomic unit, any of them where no unit covers it;
 * (ii) an order of the operations that extends "p was acknowledged before q was submitted" (p < q).
 *     Two operations of which either is not atomic in the sense of AWUN may be ordered differently
 *     at each block (NVM Command Set 1.0, 2.1.4.1; no other order exists: 2.1.2).
 * A block holds the value of the last operation that took effect there, else what it held before.
 * A set of readings is allowed when some outcome gives all of them.
 *
 * Durable, for operation o at block x, when main power was lost (NVM Command Set 1.0, 2.1.4.2.1):
 *   D1  no volatile cache, or it was off from the submission to the acknowledgement
 *   D2  o had Force Unit Access
 *   D3  a Flush succeeded that was submitted after o was acknowledged (NVM Express Base 2.0, 7.1)
 *   D4  a shutdown begun after that was seen complete (Base 2.0, 3.6)
 *   D5  the cache was switched off by a Set Features submitted after that: no sentence says it, so
 *       it counts under policy strict and is a warning otherwise; never with raw-spec
 *   D6  the drive is claimed to protect against power loss (rules enterprise-plp, ocp)
 *   D7  a Read, Compare or Verify with Force Unit Access over x, submitted after that, succeeded
 *       (NVM Command Set 1.0, 3.2.1, 3.2.4, 3.2.5)
 * Without a loss of main power everything acknowledged is durable: a reset is no excuse.
 */
enum nvp_oracle_rule {
	NVP_ORACLE_NOT_DURABLE = 0,
	NVP_ORACLE_D1,
	NVP_ORACLE_D2,
	NVP_ORACLE_D3,
	NVP_ORACLE_D4,
	NVP_ORACLE_D5,
	NVP_ORACLE_D6,
	NVP_ORACLE_D7,
	NVP_ORACLE_NO_LOSS, /* power was not lost */
};

enum nvp_oracle_rules {
	NVP_ORACLE_CLIENT_VWC = 0,
	NVP_ORACLE_ENTERPRISE_PLP,
	NVP_ORACLE_OCP,
	NVP_ORACLE_RAW_SPEC,
};

enum nvp_oracle_policy { NVP_ORACLE_SPEC = 0, NVP_ORACLE_SANE, NVP_ORACLE_STRICT };

/* Raw values of Identify, zero-based as they stand there, and what it does not say. */
struct nvp_oracle_facts {
	uint64_t first_lba; /* of block 0 of the oracle: boundaries count from LBA 0 */
	uint32_t nr_blocks; /* that the oracle watches */
	uint16_t awun_z, awupf_z, acwu_z; /* Identify Controller bytes 527:526, 529:528, 533:532 */
	uint16_t nawun_z, nawupf_z, nacwu_z; /* Identify Namespace: 0 is "as the controller's" */
	uint16_t nabsn_z, nabo, nabspf_z;    /* boundaries: 0 in nabs.. is none */
	bool nsabp;			     /* the namespace's fields count (NSFEAT bit 1) */
	bool multiple_atomicity;	     /* writes are split at boundaries, each part atomic */
	bool write_atomicity_off;	     /* feature 0Ah DN=1: AWUN does not hold, AWUPF does */
	bool vwc;			     /* a volatile write cache is present */
	bool wce;			     /* it is on after power-on and after a reset */
	bool dulbe;	/* feature 05h: deallocated blocks answer 2/87h at the verification */
	uint8_t dlfeat; /* Identify Namespace byte 33 */
	enum nvp_oracle_rules rules;
	enum nvp_oracle_policy policy;
};

enum nvp_oracle_kind {
	NVP_ORACLE_WRITE = 0,
	NVP_ORACLE_COMPARE_WRITE, /* the fused pair as one */
	NVP_ORACLE_WRITE_ZEROES,
	NVP_ORACLE_WRITE_UNCORRECTABLE,
	NVP_ORACLE_DEALLOCATE, /* one range; a command of several ranges: one each */
	NVP_ORACLE_COPY,       /* one source range */
	NVP_ORACLE_READ_FUA,   /* Read, Compare or Verify with FUA; without FUA they are nothing */
	NVP_ORACLE_FLUSH,     /* of this namespace; of all, when VWC bits 2:1 say so */
	NVP_ORACLE_SHUTDOWN,  /* submitted: CC.SHN written; completed: CSTS.SHST = 10b seen */
	NVP_ORACLE_CACHE_OFF, /* Set Features 06h */
	NVP_ORACLE_CACHE_ON,
	NVP_ORACLE_NR_KINDS
};

struct nvp_oracle_cmd {
	enum nvp_oracle_kind kind;
	bool fua; /* Write, Compare and Write, Write Zeroes, Copy */
	uint16_t nlb_z;
	uint32_t block;	 /* first of the range (copy: of the destination), from first_lba */
	uint32_t source; /* copy: first of the source */
};

/* What a block holds. Data is named by who wrote it and for which block, never by its bytes. */
enum nvp_oracle_what {
	NVP_ORACLE_OLD = 0, /* what `block` held when the history began */
	NVP_ORACLE_DATA,    /* what operation `op` wrote to `block` */
	NVP_ORACLE_ZEROES,
	NVP_ORACLE_ONES,
	NVP_ORACLE_UNC,	     /* read answers 2/81h */
	NVP_ORACLE_UNMAPPED, /* read answers 2/87h */
};

struct nvp_oracle_content {
	enum nvp_oracle_what what;
	uint32_t op;
	uint32_t block;
};

struct nvp_oracle;

/*
 * initial: for each block an enum nvp_oracle_what: OLD where there is data, else ZEROES, ONES, UNC
 * or UNMAPPED; NULL: data everywhere. Copied. NULL when there is no memory or no block.
 */
struct nvp_oracle *nvp_oracle_new(const struct nvp_oracle_facts *facts, const uint8_t *initial);
void nvp_oracle_free(struct nvp_oracle *oracle);

/*
 * Events in the order of their ticks, which never go down; commands exposed by one ring have one
 * tick. The number of the operation (0 or more), or -EINVAL (ticks go down, range outside, after a
 * cut), -ENOMEM, -EOVERFLOW. State is 16 bytes an operation (a copy 32) while the history grows;
 * the first question builds an index of 4 more.
 */
int64_t nvp_oracle_submit(struct nvp_oracle *oracle, uint64_t tick,
			  const struct nvp_oracle_cmd *cmd);
/* 0, or -EINVAL: no such operation, or not outstanding. status type and code 0: success. */
int nvp_oracle_complete(struct nvp_oracle *oracle, uint64_t tick, uint32_t op, uint8_t sct,
			uint8_t sc);
/* A controller-level reset is complete (CSTS.RDY = 0 was seen): what is outstanding is retired. */
int nvp_oracle_reset(struct nvp_oracle *oracle, uint64_t tick);
/* Main power was lost; the history ends. */
int nvp_oracle_cut(struct nvp_oracle *oracle, uint64_t tick);
/*
 * After a reset a block was read before anything was written: operations retired or refused by then
 * that give another content there never took effect there. After a cut: begin a new oracle.
 */
int nvp_oracle_settle(struct nvp_oracle *oracle, uint64_t tick, uint32_t block,
		      const struct nvp_oracle_content *content);

struct nvp_oracle_reading {
	uint32_t block;
	struct nvp_oracle_content content;
};

/* May this block hold this, whatever the others hold? */
bool nvp_oracle_allows(struct nvp_oracle *oracle, const struct nvp_oracle_reading *reading);

enum nvp_oracle_answer {
	NVP_ORACLE_ALLOWED = 0,
	NVP_ORACLE_REJECTED,
	NVP_ORACLE_TOO_HARD, /* the search was given up: to be taken as allowed, and counted */
	NVP_ORACLE_NO_MEMORY,
};

/* Is there an outcome that gives all of these (each block once)? *bad: a reading to blame. */
enum nvp_oracle_answer nvp_oracle_check(struct nvp_oracle *oracle,
					const struct nvp_oracle_reading *readings, uint32_t nr,
					uint32_t *bad);

/*
 * Every content that the block may hold, into contents[max]; returns how many there are, which can
 * be more than max. It walks the whole history: for a sandbox, or for evidence. More than
 * one, or an Uncorrectable, wants a settlement.
 */
uint32_t nvp_oracle_allowed(struct nvp_oracle *oracle, uint32_t block,
			    struct nvp_oracle_content *contents, uint32_t max);

#endif
