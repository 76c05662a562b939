/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a test case and of a suite: data that the runner, the lists and the reports read. */
#ifndef NVPROOF_CASE_H
#define NVPROOF_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nvproof/drive_ops.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nvp_t;

/* Changes when the layout or the meaning of these records changes in a way that old plugins cannot stand. */
#define NVP_CASE_ABI 2

/* Where the rule stands. All texts static; field may be NULL. */
struct nvp_spec {
	const char *document;	/* "NVMe Base", "NVM Command Set", "PCIe Transport" */
	const char *revision;	/* "2.0" */
	const char *section;	/* "5.17.2.1" */
	const char *field;	/* "VER"; NULL: the whole section */
};

/*
 * What must be there, checked by the runner before the case: the reason of a skip otherwise.
 * Ways to the drive first, then what the drive itself offers.
 */
enum nvp_need {
	NVP_NEED_REGISTERS = 1 << 0,
	NVP_NEED_QUEUES = 1 << 1,	/* own queues, raw entries, CIDs, doorbells, Abort, AER */
	NVP_NEED_INTERRUPTS = 1 << 2,
	NVP_NEED_CONFIG = 1 << 3,
	NVP_NEED_RESETS = 1 << 4,
	NVP_NEED_POWER = 1 << 5,
	NVP_NEED_DMA = 1 << 6,
	NVP_NEED_SIMULATED = 1 << 7,
	NVP_NEED_NAMESPACE = 1 << 8,	/* an active namespace with a usable format */
	NVP_NEED_COMPARE = 1 << 9,	/* ONCS bit 0 */
	NVP_NEED_WRITE_UNCORRECTABLE = 1 << 10,	/* ONCS bit 1 */
	NVP_NEED_DSM = 1 << 11,		/* ONCS bit 2 */
	NVP_NEED_WRITE_ZEROES = 1 << 12,	/* ONCS bit 3 */
	NVP_NEED_SAVE_SELECT = 1 << 13,	/* ONCS bit 4: Save and Select fields of features */
	NVP_NEED_VERIFY = 1 << 14,	/* ONCS bit 7 */
	NVP_NEED_VWC = 1 << 15,		/* VWC bit 0 */
	NVP_NEED_MDTS = 1 << 16,	/* MDTS not 0 */
	NVP_NEED_LOG_OFFSET = 1 << 17,	/* LPA bit 2 */
	NVP_NEED_EFFECTS_LOG = 1 << 18,	/* LPA bit 1 */
	NVP_NEED_NO_METADATA = 1 << 19,	/* the namespace under test has none */
	NVP_NEED_NS_MANAGEMENT = 1 << 20,	/* OACS bit 3 */
	NVP_NEED_TWO_NAMESPACES = 1 << 21,
	NVP_NEED_FORMAT = 1 << 22,	/* OACS bit 1 */
	NVP_NEED_SANITIZE = 1 << 23,	/* any of SANICAP bits 0 to 2 */
	NVP_NEED_FIRMWARE = 1 << 24,	/* OACS bit 2: Firmware Image Download and Commit */
	NVP_NEED_SELF_TEST = 1 << 25,	/* OACS bit 4 */
	NVP_NEED_DEPTH = 1 << 26,	/* several I/O commands at once on nvp_io_sq, nothing raw */
};

/*
 * One case. Fields are only added at the end; record_bytes is sizeof(struct nvp_case) of the one
 * who compiled it, so that older records are read with the missing fields zero. All static.
 */
struct nvp_case {
	size_t record_bytes;
	const char *id;			/* "identify.version-matches-register" */
	const char *title;		/* a sentence: what holds when it passes */
	struct nvp_spec spec;		/* the default authority of its checks */
	const char *const *rows;	/* rows of the table of 272, NULL-ended; may be NULL */
	uint32_t since, until;		/* NVP_VERSION; 0: no bound; until is inclusive */
	uint64_t needs;			/* NVP_NEED_* */
	uint32_t impact;		/* NVP_IMPACT_*; the guard lets no more through */
	enum nvp_time_class time_class;	/* the longest class that it uses, for estimates */
	unsigned wall_budget_s;		/* 0: 30; without a heartbeat for so long it hangs */
	const char *const *variants;	/* "id@name" for each, NULL-ended; NULL: none */
	const char *const *catches;	/* defects that must make it fail, NULL-ended */
	void (*run)(struct nvp_t *t);
};

struct nvp_suite {
	uint32_t abi;			/* NVP_CASE_ABI */
	size_t record_bytes;		/* of a case record, as above */
	const char *name;		/* file name without .c */
	const struct nvp_case *cases;
	size_t nr_cases;
};

/* Static NULL-ended lists inside a record: .rows = NVP_LIST("IDY-01", "IDY-02"). */
#define NVP_LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* The last line of a case file: NVP_SUITE(identify, cases_array); */
#define NVP_SUITE(file, array)							\
	extern const struct nvp_suite nvp_suite_##file;				\
	const struct nvp_suite nvp_suite_##file = {				\
		.abi = NVP_CASE_ABI,						\
		.record_bytes = sizeof(struct nvp_case),			\
		.name = #file,							\
		.cases = (array),						\
		.nr_cases = sizeof(array) / sizeof((array)[0]),			\
	}

/* First field of each record in a case file: NVP_CASE, .id = ... */
#define NVP_CASE .record_bytes = sizeof(struct nvp_case)

#ifdef __cplusplus
}
#endif
#endif
