/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was found after a cut or a reset gets its failure class, with who says that it is wrong. */
#ifndef NVP_POWER_JUDGE_H
#define NVP_POWER_JUDGE_H

#include "power/oracle.h"

enum nvp_class {
	NVP_CLASS_OK = 0,
	NVP_CLASS_OK_VOLATILE_LOSS, /* newer was acknowledged and only cached: positive control */
	NVP_CLASS_MIX,		    /* an operation above the atomic unit came in part */
	NVP_CLASS_PARTIAL_CACHED, /* an acknowledged, cached one within the unit came in part */
	NVP_CLASS_LATE_UNMAP,	  /* a deallocated block read old first, deallocated later */
	NVP_CLASS_DEAD,
	NVP_CLASS_METADATA,
	NVP_CLASS_UNREADABLE,
	NVP_CLASS_BITROT,
	NVP_CLASS_TORN_SUBLB,
	NVP_CLASS_TORN_ATOMIC,
	NVP_CLASS_FLYING,
	NVP_CLASS_LOST_ACKED,
	NVP_CLASS_LOST_FUA,
	NVP_CLASS_LOST_FLUSHED,
	NVP_CLASS_LOST_SHUTDOWN,
	NVP_CLASS_PHANTOM,
	NVP_CLASS_REFUSED_BUT_WRITTEN,
	NVP_CLASS_STALE_RESURRECT,
	NVP_CLASS_LOST_TO_UNMAP,
	NVP_CLASS_UNSTABLE_UNMAP,
	NVP_CLASS_CROSS_NS,
	NVP_CLASS_PI_TORN,
	NVP_CLASS_UNSTABLE,
	NVP_CLASS_REGRESSED,
	NVP_CLASS_COLLATERAL,
	NVP_CLASS_SLOW_READY,
	NVP_CLASS_ACCOUNTING,
	NVP_CLASS_RIG_INVALID,
	NVP_CLASS_JOURNAL_INVALID,
	NVP_NR_CLASSES
};

enum nvp_severity {
	NVP_SEVERITY_NONE = 0,
	NVP_SEVERITY_INFO,
	NVP_SEVERITY_WARN,
	NVP_SEVERITY_FAIL,
	NVP_SEVERITY_INVALID, /* the cycle says nothing */
};

enum nvp_said_by { NVP_SAID_BY_SPEC = 0, NVP_SAID_BY_CLAIM, NVP_SAID_BY_POLICY };

struct nvp_finding {
	enum nvp_class class;
	enum nvp_severity severity;
	enum nvp_said_by said_by;
	enum nvp_oracle_rule rule; /* that made durable what was lost */
	uint32_t op;		   /* the operation that was lost or torn; UINT32_MAX: none */
	bool reordered; /* something later and cached survived what was lost here: no fault */
	const char *source; /* where this rule stands; NULL: where that of the class does */
};

/* "LOST_FLUSHED"; and where the rule stands: document, revision, section. */
const char *nvp_class_name(enum nvp_class class);
const char *nvp_class_source(enum nvp_class class);

enum nvp_oracle_form {
	NVP_ORACLE_HOLDS = 0, /* .content */
	NVP_ORACLE_OTHER_LBA, /* a whole stamp of another LBA that no copy brought */
	NVP_ORACLE_OTHER_NS,
	NVP_ORACLE_OTHER_RUN,	/* of an earlier run or cycle, superseded since */
	NVP_ORACLE_UNKNOWN_SEQ, /* of this run, but above all that the journal lets out */
	NVP_ORACLE_TORN,	/* two versions in one block */
	NVP_ORACLE_DAMAGED,	/* bits wrong, or nothing of ours */
};

struct nvp_oracle_seen {
	uint32_t block;
	enum nvp_oracle_form form;
	struct nvp_oracle_content content; /* HOLDS */
	bool recurs;			   /* the read error came again at the next read */
	bool reread_differs;		   /* two reads of this verification differ */
	bool pi_bad;	      /* the data is right, its protection information or metadata is not */
	bool journal_damaged; /* UNKNOWN_SEQ: the journal's tail was cut off */
};

/*
 * A finding for each reading (each block once); the oracle's policy and rules decide what is a
 * warning and what a failure. Returns how many are NVP_SEVERITY_FAIL, or -ENOMEM.
 */
int nvp_judge(struct nvp_oracle *oracle, const struct nvp_oracle_seen *seen, uint32_t nr,
	      struct nvp_finding *findings);

/* Stability (P1-P3): a value that was there is there no more, with no write between. */
enum nvp_judge_when {
	NVP_JUDGE_NEXT_READ = 0, /* in one power cycle */
	NVP_JUDGE_NEXT_CUT,	 /* a cut later */
	NVP_JUDGE_COLD,		 /* a block not written since the last full verification */
};
struct nvp_finding nvp_judge_again(enum nvp_judge_when when, bool acked, bool was_deallocated,
				   bool is_deallocated);

/* The drive as a whole after a cut. */
struct nvp_drive_after {
	bool cut_confirmed; /* all-ones, link down or rail sensor */
	bool came_back;	  /* enumerates, CSTS.CFS=0, ready in the longest wait, extra cycles too */
	bool identity_same;	  /* Identify, geometry, capacity, identifiers */
	bool canaries_good;	  /* as many as are asked for */
	uint64_t ready_ms;	  /* CC.EN written to CSTS.RDY seen */
	uint64_t ready_limit_ms;  /* CAP.TO, or CRTO as CC.CRIME says */
	bool clean_shutdown;	  /* before this cut */
	int64_t unsafe_shutdowns; /* how much each counter went up */
	int64_t power_cycles;
	int64_t media_errors;
	bool backup_failed; /* SMART critical warning bit 4 */
};

/* Up to 4 findings into out; returns how many. */
uint32_t nvp_judge_drive(const struct nvp_drive_after *drive, struct nvp_finding *out);

#endif
