// SPDX-License-Identifier: GPL-2.0-or-later
// Words of needs and impacts, and why a case does not apply to a drive.

#include "core/run/plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/base/text.h"

/* ---- impact ---- */

/* In the order of the bits; "all" is a word of --allow only. */
static const char *const impact_words[] = {
	"state", "data", "erase", "reset", "power", "firmware", "permanent",
};

static const struct {
	const char *word;
	uint32_t bits;
} allow_words[] = {
	{ "read", NVP_IMPACT_READ },
	{ "state", NVP_IMPACT_STATE },
	{ "data", NVP_IMPACT_DATA },
	{ "erase", NVP_IMPACT_ERASE },
	{ "reset", NVP_IMPACT_RESET },
	{ "power", NVP_IMPACT_POWER },
	{ "firmware", NVP_IMPACT_FIRMWARE },
	{ "permanent", NVP_IMPACT_PERMANENT },
	{ "all", NVP_IMPACT_ALL },
};

const char *nvp_impact_word(unsigned bit)
{
	return bit < NVP_ARRAY_SIZE(impact_words) ? impact_words[bit] : NULL;
}

/* Append ", word" to a text of limited size. */
static void list_add(char *text, size_t bytes, const char *word)
{
	size_t length = strlen(text);

	snprintf(text + length, bytes - length, "%s%s", length ? ", " : "", word);
}

void nvp_impact_text(uint32_t impact, char *text, size_t bytes)
{
	text[0] = '\0';
	for (unsigned bit = 0; nvp_impact_word(bit); bit++) {
		if (nvp_bit(impact, bit))
			list_add(text, bytes, nvp_impact_word(bit));
	}
	if (!text[0])
		list_add(text, bytes, "read");
}

static const char *allow_word(const void *list, size_t i)
{
	(void)list;
	return allow_words[i].word;
}

static int parse_word(const char *word, uint32_t *impact, struct nvp_err *err)
{
	const char *near;

	for (size_t i = 0; i < NVP_ARRAY_SIZE(allow_words); i++) {
		if (!strcmp(word, allow_words[i].word)) {
			*impact |= allow_words[i].bits;
			return 0;
		}
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "--allow: '%.60s' is no impact", word);
	near = nvp_nearest(word, allow_word, NULL, NVP_ARRAY_SIZE(allow_words));
	if (near)
		nvp_err_advice(err, "did you mean '%s'?", near);
	else
		nvp_err_expected(err, "state, data, erase, reset, power, firmware, all or read");
	return -EINVAL;
}

int nvp_impact_parse(const char *list, uint32_t *impact, struct nvp_err *err)
{
	uint32_t bits = 0;
	char word[64];

	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");

		if (length >= sizeof(word))
			length = sizeof(word) - 1;
		memcpy(word, at, length);
		word[length] = '\0';
		if (parse_word(word, &bits, err))
			return -EINVAL;
		at += strcspn(at, ",");
		if (!*at)
			break;
	}
	*impact = bits;
	return 0;
}

/* ---- needs ---- */

static bool has_usable_ns(const struct nvp_facts *f)
{
	return f->nr_ns > 0 && f->ns[0].id.lba_bytes != 0;
}

static bool has_no_metadata(const struct nvp_facts *f)
{
	return f->nr_ns > 0 && f->ns[0].id.metadata_bytes == 0;
}

/* Of the way to the drive: a bit of enum nvp_path. */
static const struct {
	uint64_t need;
	uint32_t path;
	const char *word, *reason;
} path_needs[] = {
	{ NVP_NEED_REGISTERS, NVP_PATH_REGISTERS, "registers",
	  "this way to the drive has no controller registers" },
	{ NVP_NEED_QUEUES, NVP_PATH_QUEUES, "own queues",
	  "this way to the drive has no queues of our own" },
	{ NVP_NEED_INTERRUPTS, NVP_PATH_INTERRUPTS, "interrupts",
	  "this way to the drive shows no interrupts" },
	{ NVP_NEED_CONFIG, NVP_PATH_CONFIG, "configuration space",
	  "this way to the drive has no configuration space" },
	{ NVP_NEED_RESETS, NVP_PATH_RESETS, "resets", "this way to the drive cannot reset it" },
	{ NVP_NEED_POWER, NVP_PATH_POWER, "power", "nothing here switches the drive's power" },
	{ NVP_NEED_DMA, NVP_PATH_DMA, "addresses of memory",
	  "this way to the drive builds the data pointers by itself" },
	{ NVP_NEED_SIMULATED, NVP_PATH_SIMULATED, "a simulated drive", "this is a real drive" },
	{ NVP_NEED_DEPTH, NVP_PATH_DEPTH, "commands at once",
	  "this way to the drive takes one command at a time" },
};

/* ONCS bits (NVMe Base 2.0 section 5.17.2.1, figure 275). */
static const struct {
	uint64_t need;
	unsigned bit;
	const char *word;
} oncs_needs[] = {
	{ NVP_NEED_COMPARE, 0, "Compare" },
	{ NVP_NEED_WRITE_UNCORRECTABLE, 1, "Write Uncorrectable" },
	{ NVP_NEED_DSM, 2, "Dataset Management" },
	{ NVP_NEED_WRITE_ZEROES, 3, "Write Zeroes" },
	{ NVP_NEED_SAVE_SELECT, 4, "Save and Select" },
	{ NVP_NEED_VERIFY, 7, "Verify" },
};

static bool has_vwc(const struct nvp_facts *f) { return nvp_bit(f->ctrl.vwc, 0); }
static bool has_mdts(const struct nvp_facts *f) { return f->ctrl.mdts != 0; }
static bool has_effects(const struct nvp_facts *f) { return nvp_bit(f->ctrl.lpa, 1); }
static bool has_log_offset(const struct nvp_facts *f) { return nvp_bit(f->ctrl.lpa, 2); }
static bool has_ns_management(const struct nvp_facts *f) { return nvp_bit(f->ctrl.oacs, 3); }
static bool has_format(const struct nvp_facts *f) { return nvp_bit(f->ctrl.oacs, 1); }
static bool has_sanitize(const struct nvp_facts *f) { return f->ctrl.sanicap & 7; }
static bool has_firmware(const struct nvp_facts *f) { return nvp_bit(f->ctrl.oacs, 2); }
static bool has_self_test(const struct nvp_facts *f) { return nvp_bit(f->ctrl.oacs, 4); }
static bool has_two_ns(const struct nvp_facts *f) { return f->nr_ns >= 2; }

static const struct {
	uint64_t need;
	bool (*holds)(const struct nvp_facts *facts);
	const char *word, *reason;
} fact_needs[] = {
	{ NVP_NEED_NAMESPACE, has_usable_ns, "a namespace",
	  "no active namespace of the NVM Command Set has a usable format" },
	{ NVP_NEED_VWC, has_vwc, "a volatile write cache",
	  "VWC bit 0 is clear: the drive has no volatile write cache" },
	{ NVP_NEED_MDTS, has_mdts, "a transfer limit",
	  "MDTS is 0: the drive has no limit of the transfer size" },
	{ NVP_NEED_LOG_OFFSET, has_log_offset, "offsets of log pages",
	  "LPA bit 2 is clear: Get Log Page takes no offset" },
	{ NVP_NEED_EFFECTS_LOG, has_effects, "the effects log",
	  "LPA bit 1 is clear: no Commands Supported and Effects log" },
	{ NVP_NEED_NO_METADATA, has_no_metadata, "a format without metadata",
	  "the namespace under test has metadata" },
	{ NVP_NEED_NS_MANAGEMENT, has_ns_management, "Namespace Management",
	  "OACS bit 3 is clear: the drive has no Namespace Management" },
	{ NVP_NEED_FORMAT, has_format, "Format NVM", "OACS bit 1 is clear: the drive has no Format NVM" },
	{ NVP_NEED_SANITIZE, has_sanitize, "Sanitize",
	  "SANICAP says that the drive has no sanitize operation" },
	{ NVP_NEED_FIRMWARE, has_firmware, "firmware commands",
	  "OACS bit 2 is clear: the drive has no firmware commands" },
	{ NVP_NEED_SELF_TEST, has_self_test, "Device Self-test",
	  "OACS bit 4 is clear: the drive has no Device Self-test" },
	{ NVP_NEED_TWO_NAMESPACES, has_two_ns, "two namespaces", "only one namespace is active" },
};

void nvp_needs_text(uint64_t needs, char *text, size_t bytes)
{
	text[0] = '\0';
	for (size_t i = 0; i < NVP_ARRAY_SIZE(path_needs); i++) {
		if (needs & path_needs[i].need)
			list_add(text, bytes, path_needs[i].word);
	}
	for (size_t i = 0; i < NVP_ARRAY_SIZE(fact_needs); i++) {
		if (needs & fact_needs[i].need)
			list_add(text, bytes, fact_needs[i].word);
	}
	for (size_t i = 0; i < NVP_ARRAY_SIZE(oncs_needs); i++) {
		if (needs & oncs_needs[i].need)
			list_add(text, bytes, oncs_needs[i].word);
	}
}

static bool needs_hold(uint64_t needs, const struct nvp_facts *facts, uint32_t path, char *reason,
		       size_t bytes)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(path_needs); i++) {
		if ((needs & path_needs[i].need) && !(path & path_needs[i].path)) {
			snprintf(reason, bytes, "%s", path_needs[i].reason);
			return false;
		}
	}
	for (size_t i = 0; i < NVP_ARRAY_SIZE(fact_needs); i++) {
		if ((needs & fact_needs[i].need) && !fact_needs[i].holds(facts)) {
			snprintf(reason, bytes, "%s", fact_needs[i].reason);
			return false;
		}
	}
	for (size_t i = 0; i < NVP_ARRAY_SIZE(oncs_needs); i++) {
		if ((needs & oncs_needs[i].need) && !nvp_bit(facts->ctrl.oncs, oncs_needs[i].bit)) {
			snprintf(reason, bytes, "ONCS bit %u is clear: the drive has no %s",
				 oncs_needs[i].bit, oncs_needs[i].word);
			return false;
		}
	}
	return true;
}

/* "2.0", and "1.2.1" where there is a third number. */
static const char *version_text(uint32_t version, char text[32])
{
	unsigned third = version & 0xff;
	int length = snprintf(text, 32, "%u.%u", version >> 16, version >> 8 & 0xff);

	if (third)
		snprintf(text + length, 32 - (size_t)length, ".%u", third);
	return text;
}

static bool version_holds(const struct nvp_case *record, const struct nvp_facts *facts,
			  uint32_t spec_version, char *reason, size_t bytes)
{
	uint32_t version = spec_version ? spec_version : facts->version;
	const char *whose = spec_version ? "--spec is" : "the drive is NVMe";
	char bound[32], is[32];

	version_text(version, is);
	if (record->since && version < record->since) {
		snprintf(reason, bytes, "the rule holds since NVMe %s, %s %s",
			 version_text(record->since, bound), whose, is);
		return false;
	}
	if (record->until && version > record->until) {
		snprintf(reason, bytes, "the rule held until NVMe %s, %s %s",
			 version_text(record->until, bound), whose, is);
		return false;
	}
	return true;
}

bool nvp_case_applies(const struct nvp_case *record, const struct nvp_facts *facts,
		      uint32_t spec_version, uint32_t path, uint32_t allow, char *reason,
		      size_t bytes)
{
	uint32_t missing = record->impact & ~allow;
	char words[80];

	if (!needs_hold(record->needs, facts, path, reason, bytes) ||
	    !version_holds(record, facts, spec_version, reason, bytes))
		return false;
	if (missing) {
		nvp_impact_text(missing, words, sizeof(words));
		for (char *in = words, *out = words;; in++) {	/* as --allow takes it: no spaces */
			if (*in != ' ')
				*out++ = *in;
			if (!*in)
				break;
		}
		snprintf(reason, bytes, "not allowed on this drive: --allow %s permits it", words);
		return false;
	}
	return true;
}
