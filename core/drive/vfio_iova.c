// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses for DMA: which are free, and what is behind each. Knows nothing of the kernel.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/grow.h"
#include "core/drive/vfio.h"

#define PAGE 4096ULL
/* Below it lie addresses that mean something to platforms, and 0, which means none to us. */
#define LOWEST 0x100000ULL

/* The first mapping that ends behind `address`. */
static size_t first_behind(const struct nvp_iova *v, uint64_t address)
{
	size_t low = 0, high = v->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v->map[mid].iova + v->map[mid].bytes > address)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* A gap of bytes and a page on each side inside [first, last]; 0: none. */
static uint64_t find_gap(const struct nvp_iova *v, uint64_t first, uint64_t last, uint64_t bytes)
{
	uint64_t at = first;

	for (size_t i = first_behind(v, first > PAGE ? first - PAGE : 0);; i++) {
		uint64_t end = i < v->nr ? v->map[i].iova - 1 : last;

		if (end > last)
			end = last;
		if (at <= end && end - at >= bytes + 2 * PAGE - 1)
			return at + PAGE;
		if (i >= v->nr || v->map[i].iova > last)
			return 0;
		at = v->map[i].iova + v->map[i].bytes;
		if (at < first)
			at = first;
	}
}

static uint64_t find_from(const struct nvp_iova *v, uint64_t from, uint64_t bytes)
{
	for (unsigned i = 0; i < v->nr_ranges; i++) {
		uint64_t first = v->range[i].first, found;

		if (first < LOWEST)
			first = LOWEST;
		if (first < from)
			first = from;
		first = (first + PAGE - 1) & ~(PAGE - 1);
		if (first < from || first > v->range[i].last)
			continue;
		found = find_gap(v, first, v->range[i].last, bytes);
		if (found)
			return found;
	}
	return 0;
}

int nvp_iova_take(struct nvp_iova *v, void *va, uint64_t bytes, uint64_t *address)
{
	uint64_t found;
	size_t place;

	if (!va || !bytes || bytes % PAGE || (uintptr_t)va % PAGE || bytes > UINT64_MAX / 2)
		return -EINVAL;
	if (!nvp_grow((void **)&v->map, v->nr, &v->room, sizeof(*v->map)))
		return -ENOMEM;
	found = find_from(v, v->next, bytes);
	if (!found)
		found = find_from(v, 0, bytes);
	if (!found)
		return -ENOSPC;
	place = first_behind(v, found);
	memmove(&v->map[place + 1], &v->map[place], (v->nr - place) * sizeof(*v->map));
	v->map[place] = (struct nvp_iova_map){ .iova = found, .bytes = bytes, .va = va };
	v->nr++;
	v->next = found + bytes;
	*address = found;
	return 0;
}

int nvp_iova_give(struct nvp_iova *v, uint64_t address, struct nvp_iova_map *was)
{
	size_t place = first_behind(v, address);

	if (place >= v->nr || v->map[place].iova != address)
		return -ENOENT;
	*was = v->map[place];
	v->nr--;
	memmove(&v->map[place], &v->map[place + 1], (v->nr - place) * sizeof(*v->map));
	return 0;
}

void nvp_iova_clear(struct nvp_iova *v)
{
	free(v->map);
	v->map = NULL;
	v->nr = v->room = 0;
	v->next = 0;
}
