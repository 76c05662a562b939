/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short ways to write rows of field tables; included by fields_*.c only, after defining SECTION. */
#ifndef NVP_NVME_ROWS_H
#define NVP_NVME_ROWS_H

#include "core/base/bits.h"
#include "core/nvme/fields.h"

/* A whole value; the rest are further members, such as .unit = "us". */
#define ROW(offset_, bytes_, key_, format_, title_, ...)				\
	{ .key = key_, .title = title_, .offset = offset_, .bytes = bytes_,		\
	  .format = NVP_FIELD_ ## format_, .section = SECTION, __VA_ARGS__ }

/* Some bits of a value. */
#define BITS(offset_, bytes_, low_, width_, key_, format_, title_, ...)			\
	ROW(offset_, bytes_, key_, format_, title_, .low_bit = low_, .width_bits = width_, \
	    __VA_ARGS__)

#define FLAG(offset_, bytes_, bit_, key_, title_)					\
	BITS(offset_, bytes_, bit_, 1, key_, FLAG, title_)

#define ABSENT .zero_means_absent = true
#define UNIT(unit_) .unit = unit_

#define TABLE(rows_, name_, bytes_)							\
	{ .name = name_, .bytes = bytes_, .rows = rows_, .nr_rows = NVP_ARRAY_SIZE(rows_) }

#endif
