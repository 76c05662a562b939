// SPDX-License-Identifier: GPL-2.0-or-later
// Golden Identify files: every byte comes back, every changed byte is seen, bad files name their line.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvproof/err.h>
#include <nvproof/golden.h>

#include "core/base/rand.h"
#include "core/nvme/golden.h"
#include "tests/unit/unit.h"

/* Read a file with this text; what reading said is in *err. */
static struct nvp_golden *read_text(const char *text, struct nvp_err *err)
{
	char path[] = "/tmp/nvp-golden-XXXXXX";
	int fd = mkstemp(path);
	struct nvp_golden *golden;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_FATAL(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	memset(err, 0, sizeof(*err));
	golden = nvp_golden_read(path, err);
	unlink(path);
	return golden;
}

static struct nvp_golden *written(const struct nvp_golden_kind *kind, const uint8_t *bytes)
{
	struct nvp_text text = { 0 };
	struct nvp_golden *golden;
	struct nvp_err err;

	nvp_golden_add_head(&text, "model; with \\ two", "1.0");
	CU_ASSERT_EQUAL_FATAL(nvp_golden_add(&text, kind, 3, bytes), 0);
	golden = read_text(nvp_text_str(&text), &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(golden);
	nvp_text_free(&text);
	return golden;
}

struct seen {
	unsigned fields, differ, ignored;
	char name[120], want[120], seen[120];	/* of the last that differs */
};

static void take(void *context, const struct nvp_golden_field *field)
{
	struct seen *seen = context;

	seen->fields++;
	seen->ignored += field->ignored;
	if (field->same)
		return;
	seen->differ++;
	snprintf(seen->name, sizeof(seen->name), "%s", field->name);
	snprintf(seen->want, sizeof(seen->want), "%.100s", field->want);
	snprintf(seen->seen, sizeof(seen->seen), "%.100s", field->seen);
}

static struct seen compare(const struct nvp_golden *golden, const uint8_t *bytes)
{
	struct seen seen = { 0 };

	CU_ASSERT_EQUAL(nvp_golden_compare(golden, 0, bytes, take, &seen), 0);
	return seen;
}

static void fill(uint8_t *bytes, uint64_t seed)
{
	for (unsigned i = 0; i < NVP_GOLDEN_BYTES; i++)
		bytes[i] = (uint8_t)nvp_rand(seed, "golden", i, 0);
}

static void every_byte_comes_back(void)
{
	static uint8_t bytes[NVP_GOLDEN_BYTES];

	for (const struct nvp_golden_kind *kind = nvp_golden_kinds; kind->name; kind++) {
		for (uint64_t round = 0; round < 4; round++) {
			struct nvp_golden *golden;
			struct seen seen;

			fill(bytes, round);
			if (round == 0)
				memset(bytes, 0, sizeof(bytes));
			if (round == 1)
				memset(bytes, ' ', sizeof(bytes));
			golden = written(kind, bytes);
			CU_ASSERT_STRING_EQUAL(nvp_golden_model(golden), "model; with \\ two");
			CU_ASSERT_STRING_EQUAL(nvp_golden_firmware(golden), "1.0");
			CU_ASSERT_EQUAL(nvp_golden_structure(golden, 0)->cns, kind->cns);
			CU_ASSERT_EQUAL(nvp_golden_structure(golden, 0)->nsid,
					kind->per_namespace ? 3 : 0);
			CU_ASSERT_PTR_NULL(nvp_golden_structure(golden, 1));
			seen = compare(golden, bytes);
			CU_ASSERT(seen.fields > 0);
			CU_ASSERT_EQUAL(seen.differ, 0);
			nvp_golden_free(golden);
		}
	}
}

/* One bit at a time, in all of the structure: exactly one field differs. */
static void every_changed_bit_is_seen(void)
{
	static uint8_t bytes[NVP_GOLDEN_BYTES];

	for (const struct nvp_golden_kind *kind = nvp_golden_kinds; kind->name; kind++) {
		struct nvp_golden *golden;

		fill(bytes, 7);
		golden = written(kind, bytes);
		for (unsigned i = 0; i < NVP_GOLDEN_BYTES; i += 37) {
			uint8_t bit = (uint8_t)(1 << i % 8);

			bytes[i] ^= bit;
			CU_ASSERT_EQUAL(compare(golden, bytes).differ, 1);
			bytes[i] ^= bit;
		}
		nvp_golden_free(golden);
	}
}

static void a_difference_has_name_and_both_values(void)
{
	static uint8_t bytes[NVP_GOLDEN_BYTES];
	struct nvp_golden *golden;
	struct nvp_err err;
	struct seen seen;

	golden = read_text("[golden]\nversion = 1\nmodel = m\n[mask]\nignore = namespace.2.n[a-z]*\n"
			   "[namespace.2]\nnsze = 100\nflbas = 0x11\n", &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(golden);
	memcpy(bytes, "\x64", 1);
	bytes[26] = 0x12;
	seen = compare(golden, bytes);
	CU_ASSERT_EQUAL(seen.differ, 1);
	CU_ASSERT(seen.ignored > 3);
	CU_ASSERT_STRING_EQUAL(seen.name, "namespace.2.flbas");
	CU_ASSERT_STRING_EQUAL(seen.want, "0x11");
	CU_ASSERT_STRING_EQUAL(seen.seen, "0x12");
	bytes[26] = 0x11;
	bytes[4000] = 0xab;
	seen = compare(golden, bytes);
	CU_ASSERT_STRING_EQUAL(seen.name, "namespace.2.bytes_4000");
	nvp_golden_free(golden);
}

static void bad_files_name_their_line(void)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "version = 1\n", ":1: a golden file begins with [golden] and version = 1" },
		{ "[golden]\nversion = 2\n", ":2: version: this version of the file is not known here" },
		{ "[golden]\nversion = 1\n", "it has no model =" },
		{ "[golden]\nversion = 1\nmodel = x\n", "it has no structure" },
		{ "[golden]\nversion = 1\nmodell = x\n", ":3: modell: [golden] has version, model" },
		{ "[golden]\nversion = 1\nmodel = x\n[mask]\nkeep = y\n", ":5: keep: [mask] has ignore" },
		{ "[golden]\nversion = 1\nmodel = x\n[namespace.0]\nnsze = 1\n",
		  ":5: [namespace.0] is no Identify structure" },
		{ "[golden]\nversion = 1\nmodel = x\n[namespace]\nnsze = 1\n", "is no Identify structure" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller.1]\nrab = 1\n",
		  "is no Identify structure" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller]\nrob = 1\n",
		  ":5: rob: no field of this structure" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller]\nrab = 256\n",
		  ":5: rab: no number that this field can hold" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller]\nrab = 1\nrab = 1\n",
		  ":6: rab: is given twice" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller]\nfr = 123456789\n",
		  ":5: fr: the text is too long" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller]\nfr = 1234\nfr = 56789\n",
		  ":6: fr: the text is too long" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller]\nfr = \\3\n", "\\ is not followed" },
		{ "[golden]\nversion = 1\nmodel = x\n[controller]\nfguid = 0g\n",
		  ":5: fguid: no row of hex digits" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nvp_err err;
		char line[400];

		CU_ASSERT_PTR_NULL(read_text(bad[i].text, &err));
		CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
		nvp_err_text(&err, line, sizeof(line));
		CU_ASSERT_PTR_NOT_NULL(strstr(line, bad[i].why));
	}
}

CU_TestInfo nvp_unit_golden[] = {
	{ "every_byte_comes_back", every_byte_comes_back },
	{ "every_changed_bit_is_seen", every_changed_bit_is_seen },
	{ "a_difference_has_name_and_both_values", a_difference_has_name_and_both_values },
	{ "bad_files_name_their_line", bad_files_name_their_line },
	CU_TEST_INFO_NULL,
};
