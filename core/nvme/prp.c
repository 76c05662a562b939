// SPDX-License-Identifier: GPL-2.0-or-later
// PRP1, PRP2 and chained PRP lists (NVMe Base 2.0 section 4.1.1).

#include "core/nvme/prp.h"

#include <errno.h>

#include "core/base/bits.h"

#define PRP_BYTES 8

static size_t pages_touched(size_t offset, size_t bytes, size_t page_bytes)
{
	offset &= page_bytes - 1;
	return bytes / page_bytes + (bytes % page_bytes + offset + page_bytes - 1) / page_bytes;
}

size_t nvp_prp_list_pages(size_t offset, size_t bytes, size_t page_bytes)
{
	size_t per_page = page_bytes / PRP_BYTES;
	size_t nr = pages_touched(offset, bytes, page_bytes);

	if (nr <= 2)
		return 0;
	nr--;		/* PRP1 is the first */
	if (nr <= per_page)
		return 1;
	/* All but the last list page give one entry to the pointer. */
	return 1 + (nr - per_page + per_page - 2) / (per_page - 1);
}

static uint64_t page_at(const struct nvp_prp_data *data, size_t i)
{
	return data->pages ? data->pages[i] : data->iova + i * (uint64_t)data->page_bytes;
}

static void fill_lists(const struct nvp_prp_data *data, size_t first, size_t nr,
		       const struct nvp_prp_list_page *list)
{
	size_t per_page = data->page_bytes / PRP_BYTES;

	while (nr) {
		size_t here = nr > per_page ? per_page - 1 : nr;
		uint8_t *entry = list->entries;

		for (size_t i = 0; i < here; i++, entry += PRP_BYTES)
			nvp_put_le64(entry, page_at(data, first + i));
		first += here;
		nr -= here;
		list++;
		if (nr)
			nvp_put_le64(entry, list->iova);
	}
}

int nvp_prp_build(const struct nvp_prp_data *data, const struct nvp_prp_list_page *list,
		  size_t nr_list, struct nvp_prp *out)
{
	size_t page_bytes = data->page_bytes;
	size_t first, nr, needed;

	if (!data->bytes || page_bytes < 4096 || (page_bytes & (page_bytes - 1)))
		return -EINVAL;
	first = data->offset / page_bytes;
	nr = pages_touched(data->offset, data->bytes, page_bytes);
	needed = nvp_prp_list_pages(data->offset, data->bytes, page_bytes);
	if (needed > nr_list)
		return -ENOSPC;
	if (data->pages && (first > data->nr_pages || nr > data->nr_pages - first))
		return -ENOSPC;

	out->prp1 = page_at(data, first) + (data->offset & (page_bytes - 1));
	out->prp2 = 0;
	out->nr_list_pages = needed;
	if (nr == 2) {
		out->prp2 = page_at(data, first + 1);
	} else if (nr > 2) {
		out->prp2 = list[0].iova;
		fill_lists(data, first + 1, nr - 1, list);
	}
	return 0;
}
