/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Little-endian access to bytes, bit fields, and small arithmetic that must not overflow. */
#ifndef NVP_BASE_BITS_H
#define NVP_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NVP_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Loads and stores at any alignment; the one border where byte order is handled. */
static inline uint16_t nvp_le16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t nvp_le32(const void *p)
{
	const uint8_t *b = p;

	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t nvp_le64(const void *p)
{
	const uint8_t *b = p;

	return (uint64_t)nvp_le32(b) | (uint64_t)nvp_le32(b + 4) << 32;
}

/* A little-endian number of 0 to 8 bytes. */
static inline uint64_t nvp_le_n(const void *p, size_t bytes)
{
	const uint8_t *b = p;
	uint64_t value = 0;

	for (size_t i = bytes; i > 0; i--)
		value = value << 8 | b[i - 1];
	return value;
}

static inline void nvp_put_le16(void *p, uint16_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)v;
	b[1] = (uint8_t)(v >> 8);
}

static inline void nvp_put_le32(void *p, uint32_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)v;
	b[1] = (uint8_t)(v >> 8);
	b[2] = (uint8_t)(v >> 16);
	b[3] = (uint8_t)(v >> 24);
}

static inline void nvp_put_le64(void *p, uint64_t v)
{
	nvp_put_le32(p, (uint32_t)v);
	nvp_put_le32((uint8_t *)p + 4, (uint32_t)(v >> 32));
}

static inline void nvp_put_le_n(void *p, size_t bytes, uint64_t v)
{
	uint8_t *b = p;

	for (size_t i = 0; i < bytes; i++, v >>= 8)
		b[i] = (uint8_t)v;
}

/* The field of `width` bits (1 to 64) that starts at bit `low`. */
static inline uint64_t nvp_bits(uint64_t value, unsigned low, unsigned width)
{
	return value >> low & (width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
}

static inline bool nvp_bit(uint64_t value, unsigned bit)
{
	return value >> bit & 1;
}

static inline uint64_t nvp_min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t nvp_max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline bool nvp_all_zero(const void *p, size_t bytes)
{
	const uint8_t *b = p;

	return bytes == 0 || (b[0] == 0 && memcmp(b, b + 1, bytes - 1) == 0);
}

#endif
