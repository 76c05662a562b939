/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays. */
#ifndef NVP_BASE_GROW_H
#define NVP_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Room for one element more than the nr that *array has, or false without memory: *array and
 * *capacity, which both begin as 0, are as before then. The array is the caller's to free.
 */
bool nvp_grow(void **array, size_t nr, size_t *capacity, size_t element_bytes);

#endif
