// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the checksums, against published vectors and a bitwise reference.

#include <stdlib.h>
#include <string.h>

#include "core/base/checksum.h"
#include "tests/unit/unit.h"

static uint32_t crc32c_bitwise(const uint8_t *b, size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= b[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return ~crc;
}

static uint16_t crc16_bitwise(const uint8_t *b, size_t n)
{
	uint16_t crc = 0;

	for (size_t i = 0; i < n; i++) {
		crc ^= (uint16_t)(b[i] << 8);
		for (int bit = 0; bit < 8; bit++)
			crc = (uint16_t)(crc << 1 ^ (crc & 0x8000 ? 0x8bb7 : 0));
	}
	return crc;
}

static void crc32c_vectors(void)
{
	uint8_t bytes[32];

	CU_ASSERT_EQUAL(nvp_crc32c("123456789", 9), 0xe3069283);
	memset(bytes, 0, sizeof(bytes));
	CU_ASSERT_EQUAL(nvp_crc32c(bytes, sizeof(bytes)), 0x8a9136aa);
	memset(bytes, 0xff, sizeof(bytes));
	CU_ASSERT_EQUAL(nvp_crc32c(bytes, sizeof(bytes)), 0x62a8ab43);
	CU_ASSERT_EQUAL(nvp_crc32c(bytes, 0), 0);
}

static void t10dif_vectors(void)
{
	uint8_t bytes[512];

	CU_ASSERT_EQUAL(nvp_crc16_t10dif("123456789", 9), 0xd0db);
	memset(bytes, 0, sizeof(bytes));
	CU_ASSERT_EQUAL(nvp_crc16_t10dif(bytes, 512), 0);
	memset(bytes, 0xff, sizeof(bytes));
	CU_ASSERT_EQUAL(nvp_crc16_t10dif(bytes, 32), 0xa293);
	CU_ASSERT_EQUAL(nvp_crc16_t10dif(bytes, 512), 0xe6a1);
}

/* Exactly as long as asked, in memory of its own, so that reading over the end is seen by ASan. */
static void all_lengths_agree_with_the_bitwise_form(void)
{
	for (size_t n = 1; n < 300; n++) {
		uint8_t *bytes = malloc(n);

		CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
		for (size_t i = 0; i < n; i++)
			bytes[i] = (uint8_t)(i * 37 + n);
		CU_ASSERT_EQUAL(nvp_crc32c(bytes, n), crc32c_bitwise(bytes, n));
		CU_ASSERT_EQUAL(nvp_crc16_t10dif(bytes, n), crc16_bitwise(bytes, n));
		free(bytes);
	}
}

CU_TestInfo nvp_unit_checksum[] = {
	{ "crc32c_vectors", crc32c_vectors },
	{ "t10dif_vectors", t10dif_vectors },
	{ "all_lengths_agree_with_the_bitwise_form", all_lengths_agree_with_the_bitwise_form },
	CU_TEST_INFO_NULL,
};
