// SPDX-License-Identifier: GPL-2.0-or-later
// Logs that count: Error Information after known errors, SMART / Health counters.

#include "cases/common.h"

#define MAX_ENTRIES 64

/*
 * The Error Information log: entries in the order that the drive gives them, at most
 * MAX_ENTRIES.
 */
struct error_log {
	struct nvp_error_entry entry[MAX_ENTRIES];
	unsigned nr;
};

static bool read_error_log(struct nvp_t *t, struct error_log *log)
{
	unsigned nr = nvp_t_facts(t)->ctrl.elpe_z + 1u;
	struct nvp_buf *buf;

	log->nr = nr < MAX_ENTRIES ? nr : MAX_ENTRIES;
	buf = nvp_t_buf(t, 64 * log->nr);
	if (!buf || !case_log(t, 0x01, 64 * log->nr, buf))
		return false;
	for (unsigned i = 0; i < log->nr; i++)
		nvp_decode_error_entry(nvp_buf_data(buf) + 64 * i, 64, &log->entry[i]);
	return true;
}

/* Make nr commands fail: Identify of an NSID that cannot exist. Their completions go to failed. */
static bool make_errors(struct nvp_t *t, struct nvp_cpl *failed, unsigned nr)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);

	if (!buf)
		return false;
	for (unsigned i = 0; i < nr; i++)
		if (!case_identify(t, 0x00, 0xfffffffe, 0, buf, &failed[i]))
			return false;
	return true;
}

/*
 * LOG-03. Error Counts fall from entry to entry: the newest is first and none comes twice; entries
 * that are not used come last and have count 0.
 */
static void newest_error_is_first(struct nvp_t *t)
{
	struct nvp_cpl failed[3];
	struct error_log log;
	unsigned used = 0;

	if (!make_errors(t, failed, 3) || !read_error_log(t, &log))
		return;
	for (unsigned i = 0; i < 3; i++)
		nvp_check(t, !nvp_cpl_ok(&failed[i]), "Identify of NSID FFFFFFFEh succeeded");
	for (unsigned i = 0; i < log.nr; i++)
		used += log.entry[i].count != 0;
	for (unsigned i = 0; i + 1 < log.nr; i++)
		nvp_check(t, log.entry[i].count > log.entry[i + 1].count ||
			  (!log.entry[i].count && !log.entry[i + 1].count),
			  "entry %u has count %llu, entry %u has %llu", i,
			  (unsigned long long)log.entry[i].count, i + 1,
			  (unsigned long long)log.entry[i + 1].count);
	nvp_note(t, "%u of %u entries are used", used, log.nr);
}

/*
 * The entry of log that is newer than count `after` and names the command; NULL if there is
 * none.
 */
static const struct nvp_error_entry *find_entry(const struct error_log *log, uint64_t after,
						const struct nvp_cpl *cpl)
{
	for (unsigned i = 0; i < log->nr; i++)
		if (log->entry[i].count > after && log->entry[i].sqid == cpl->sqid &&
		    log->entry[i].cid == cpl->cid)
			return &log->entry[i];
	return NULL;
}

/*
 * LOG-04. An entry that came in for one of our failed commands names its queue and its status. Its
 * NSID it names "if applicable", which leaves it open for one that cannot exist. A drive need not
 * log every error; one whose completion said More it has to. The log is read after each error,
 * since it may hold a single entry.
 */
static void errors_are_described(struct nvp_t *t)
{
	struct error_log log;
	struct nvp_cpl failed;
	uint64_t newest;

	if (!read_error_log(t, &log))
		return;
	for (unsigned i = 0; i < 3; i++) {
		const struct nvp_error_entry *entry;

		newest = log.entry[0].count;
		if (!make_errors(t, &failed, 1) || !read_error_log(t, &log))
			return;
		entry = find_entry(&log, newest, &failed);
		nvp_check(t, entry || !failed.status.more,
			  "command %04Xh said More and has no entry", failed.cid);
		if (!entry)
			continue;
		nvp_check(t, nvp_status_is(&entry->status, failed.status.sct, failed.status.sc),
			  "command %04Xh: %u/%02Xh; entry: %u/%02Xh", failed.cid, failed.status.sct,
			  failed.status.sc, entry->status.sct, entry->status.sc);
		nvp_check_by(t, CASE_SHOULD, entry->nsid == 0xfffffffe,
			     "command %04Xh, NSID FFFFFFFEh; entry: NSID %08Xh", failed.cid,
			     entry->nsid);
	}
}

/*
 * LOG-05. Number of Error Information Log Entries counts what comes into the log: it grows by no
 * less than the number of entries that are newer than the newest was.
 */
static void error_entries_are_counted(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_smart before, after;
	struct error_log log[2];
	struct nvp_cpl failed[3];
	struct nvp_u128 grown;
	unsigned added = 0;

	if (!buf || !case_smart(t, buf, &before) || !read_error_log(t, &log[0]) ||
	    !make_errors(t, failed, 3) || !read_error_log(t, &log[1]) ||
	    !case_smart(t, buf, &after))
		return;
	for (unsigned i = 0; i < log[1].nr; i++)
		added += log[1].entry[i].count > log[0].entry[0].count;
	grown = nvp_u128_minus(&after.error_log_entries, &before.error_log_entries);
	nvp_check(t, !grown.high && grown.low >= added,
		  "%u entries came into the log, the number grew by %llu", added,
		  (unsigned long long)grown.low);
	if (!added)
		nvp_note(t, "the drive logged none of the errors");
}

/* Counters that never fall. */
static void check_monotone(struct nvp_t *t, const struct nvp_smart *before,
			   const struct nvp_smart *after)
{
	const struct {
		const char *name;
		const struct nvp_u128 *before, *after;
	} counters[] = {
		{ "Data Units Read", &before->data_units_read, &after->data_units_read },
		{ "Data Units Written", &before->data_units_written, &after->data_units_written },
		{ "Host Read Commands", &before->host_reads, &after->host_reads },
		{ "Host Write Commands", &before->host_writes, &after->host_writes },
		{ "Controller Busy Time", &before->busy_minutes, &after->busy_minutes },
		{ "Power Cycles", &before->power_cycles, &after->power_cycles },
		{ "Power On Hours", &before->power_on_hours, &after->power_on_hours },
		{ "Unsafe Shutdowns", &before->unsafe_shutdowns, &after->unsafe_shutdowns },
		{ "Media Errors", &before->media_errors, &after->media_errors },
	};

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		nvp_check(t, nvp_u128_compare(counters[i].after, counters[i].before) >= 0,
			  "%s fell from %llu to %llu", counters[i].name,
			  (unsigned long long)counters[i].before->low,
			  (unsigned long long)counters[i].after->low);
	nvp_check(t, after->warning_temp_minutes >= before->warning_temp_minutes &&
		  after->critical_temp_minutes >= before->critical_temp_minutes,
		  "minutes above WCTEMP and CCTEMP went from %u and %u to %u and %u",
		  before->warning_temp_minutes, before->critical_temp_minutes,
		  after->warning_temp_minutes, after->critical_temp_minutes);
}

/*
 * Data units are thousands of 512 bytes, rounded up: what was moved shows as one more or less.
 * Where the host's own traffic is in the counters too (kernel path), only the lower bound holds.
 */
static void check_units(struct nvp_t *t, const char *name, const struct nvp_u128 *before,
			const struct nvp_u128 *after, uint64_t moved_bytes)
{
	struct nvp_u128 grown = nvp_u128_minus(after, before);
	uint64_t thousands = moved_bytes / 512 / 1000;
	bool alone = nvp_drive_path(nvp_t_drive(t)) & NVP_PATH_QUEUES;

	nvp_check(t, !grown.high && grown.low + 1 >= thousands &&
		  (!alone || grown.low <= thousands + 2),
		  "%s grew by %llu for %llu bytes", name, (unsigned long long)grown.low,
		  (unsigned long long)moved_bytes);
}

/* Commands are counted one by one; the host's own come on top on the kernel path. */
static void check_commands(struct nvp_t *t, const char *name, const struct nvp_u128 *before,
			   const struct nvp_u128 *after, uint64_t commands)
{
	struct nvp_u128 grown = nvp_u128_minus(after, before);

	nvp_check(t, !grown.high && grown.low >= commands, "%s grew by %llu for %llu commands",
		  name, (unsigned long long)grown.low, (unsigned long long)commands);
}

/*
 * Read or write the region again and again until bytes have been moved; gives the commands it
 * took.
 */
static bool move(struct nvp_t *t, bool write, uint64_t bytes, uint64_t *moved, uint64_t *commands)
{
	uint32_t lbas = case_max_lbas(t);
	struct case_region region;
	struct nvp_buf *buf;

	*moved = *commands = 0;
	if (!case_region(t, lbas, &region))
		return false;
	buf = nvp_t_buf(t, (size_t)lbas * region.lba_bytes);
	if (!buf)
		return false;
	nvp_buf_fill_pattern(buf, nvp_t_rand(t, "data", 0));
	while (*moved < bytes) {
		if (!(write ? case_write(t, &region, 0, lbas, buf)
			    : case_read(t, &region, 0, lbas, buf)))
			return false;
		*moved += (uint64_t)lbas * region.lba_bytes;
		++*commands;
	}
	return true;
}

/* LOG-05, LOG-07. Reads are counted in commands and in data units, and no counter falls. */
static void reads_are_counted(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_smart before, after;
	uint64_t moved, commands;

	if (!buf || !case_smart(t, buf, &before) || !move(t, false, 4 << 20, &moved, &commands) ||
	    !case_smart(t, buf, &after))
		return;
	check_monotone(t, &before, &after);
	check_units(t, "Data Units Read", &before.data_units_read, &after.data_units_read, moved);
	check_commands(t, "Host Read Commands", &before.host_reads, &after.host_reads, commands);
}

/* LOG-05, LOG-07. Writes are counted in commands and in data units. */
static void writes_are_counted(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);
	struct nvp_smart before, after;
	uint64_t moved, commands;

	if (!buf || !case_smart(t, buf, &before) || !move(t, true, 4 << 20, &moved, &commands) ||
	    !case_smart(t, buf, &after))
		return;
	check_monotone(t, &before, &after);
	check_units(t, "Data Units Written", &before.data_units_written, &after.data_units_written,
		    moved);
	check_commands(t, "Host Write Commands", &before.host_writes, &after.host_writes,
		       commands);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "log.newest-error-is-first",
		.title = "Error Information entries come newest first, each with its own count",
		.spec = { "NVMe Base", "2.0", "5.16.1.2", "Error Count" },
		.rows = NVP_LIST("LOG-03"),
		.catches = NVP_LIST("error-log-oldest-first", "error-log-count-repeats",
				    "identify-nsid-unchecked"),
		.run = newest_error_is_first,
	}, {
		NVP_CASE,
		.id = "log.errors-are-described",
		.title = "An Error Information entry has the queue, command, status and NSID "
			 "of the error",
		.spec = { "NVMe Base", "2.0", "5.16.1.2", NULL },
		.rows = NVP_LIST("LOG-04"),
		.needs = NVP_NEED_QUEUES,
		.catches = NVP_LIST("error-log-cid-wrong", "error-log-status-shifted",
				    "error-log-nsid-wrong", "cqe-more-without-log"),
		.run = errors_are_described,
	}, {
		NVP_CASE,
		.id = "log.error-entries-are-counted",
		.title = "The number of error log entries in SMART counts what comes into the log",
		.spec = { "NVMe Base", "2.0", "5.16.1.3",
			  "Number of Error Information Log Entries" },
		.rows = NVP_LIST("LOG-05"),
		.catches = NVP_LIST("smart-error-entries-stuck"),
		.run = error_entries_are_counted,
	}, {
		NVP_CASE,
		.id = "log.reads-are-counted",
		.title = "Reads show in SMART, in commands and in thousands of 512 bytes",
		.spec = { "NVMe Base", "2.0", "5.16.1.3", "Data Units Read" },
		.rows = NVP_LIST("LOG-05", "LOG-07", "PWR-09"),
		.needs = NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
		.catches = NVP_LIST("smart-counter-goes-down", "smart-data-units-in-sectors",
				    "smart-temperature-minutes-fall"),
		.run = reads_are_counted,
	}, {
		NVP_CASE,
		.id = "log.writes-are-counted",
		.title = "Writes show in SMART, in commands and in thousands of 512 bytes",
		.spec = { "NVMe Base", "2.0", "5.16.1.3", "Data Units Written" },
		.rows = NVP_LIST("LOG-05", "LOG-07"),
		.needs = NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("smart-host-writes-stuck", "smart-data-units-in-sectors"),
		.run = writes_are_counted,
	},
};

NVP_SUITE(log_counters, cases);
