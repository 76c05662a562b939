// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the PRP builder, against a reader that walks the entries as a controller does.

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/nvme/prp.h"
#include "tests/unit/unit.h"

#define MOST_LISTS 8
#define LIST_IOVA(i) (UINT64_C(0x7000000000) + (i) * UINT64_C(0x100000))	/* not adjacent */

static struct nvp_prp_list_page lists[MOST_LISTS];

/* List pages of exactly one page each, so that a write over the end is seen by ASan. */
static void make_lists(size_t page_bytes)
{
	for (size_t i = 0; i < MOST_LISTS; i++) {
		lists[i].entries = malloc(page_bytes);
		lists[i].iova = LIST_IOVA(i);
		CU_ASSERT_PTR_NOT_NULL_FATAL(lists[i].entries);
		memset(lists[i].entries, 0xee, page_bytes);
	}
}

static void free_lists(void)
{
	for (size_t i = 0; i < MOST_LISTS; i++)
		free(lists[i].entries);
}

static uint64_t load(const uint8_t *b)
{
	uint64_t v = 0;

	for (int i = 7; i >= 0; i--)
		v = v << 8 | b[i];
	return v;
}

/*
 * The walk of a controller (NVMe Base 2.0, 4.1.1): give the address of each piece of the data in
 * order. pos counts bytes moved; *next and *at say where the next list entry stands.
 */
struct walk {
	const struct nvp_prp *prp;
	size_t page_bytes, left;
	uint64_t list;		/* address of the list page we are in, 0: none yet */
	size_t at, nr_lists;
	size_t piece;
};

static const uint8_t *list_memory(uint64_t iova)
{
	for (size_t i = 0; i < MOST_LISTS; i++)
		if (iova == lists[i].iova)
			return lists[i].entries;
	CU_FAIL_FATAL("pointer to no list page");
	return NULL;
}

static bool walk_next(struct walk *w, uint64_t *address, size_t *bytes)
{
	size_t here;

	if (!w->left)
		return false;
	if (w->piece == 0) {
		*address = w->prp->prp1;
		here = w->page_bytes - (size_t)(*address & (w->page_bytes - 1));
	} else if (w->piece == 1 && w->left <= w->page_bytes) {
		*address = w->prp->prp2;
		here = w->page_bytes;
	} else {
		if (w->piece == 1) {
			w->list = w->prp->prp2;
			w->nr_lists = 1;
		}
		/* The last entry of the page, and more than one page of data left: a pointer. */
		if (w->at == w->page_bytes / 8 - 1 && w->left > w->page_bytes) {
			w->list = load(list_memory(w->list) + 8 * w->at);
			w->at = 0;
			w->nr_lists++;
		}
		*address = load(list_memory(w->list) + 8 * w->at++);
		here = w->page_bytes;
	}
	*bytes = here < w->left ? here : w->left;
	w->left -= *bytes;
	w->piece++;
	return true;
}

static uint64_t address_of(const struct nvp_prp_data *data, size_t byte)
{
	size_t page = byte / data->page_bytes;

	return (data->pages ? data->pages[page] : data->iova + page * data->page_bytes) +
	       byte % data->page_bytes;
}

/* One build, walked; returns false at the first address that is wrong. */
static bool is_right(const struct nvp_prp_data *data)
{
	struct nvp_prp prp;
	struct walk w = { .prp = &prp, .page_bytes = data->page_bytes, .left = data->bytes };
	size_t byte = data->offset, bytes;
	uint64_t address;

	if (nvp_prp_build(data, lists, MOST_LISTS, &prp))
		return false;
	while (walk_next(&w, &address, &bytes)) {
		if (address != address_of(data, byte))
			return false;
		byte += bytes;
		/* Each piece ends at a page boundary or with the data. */
		if (w.left && byte % data->page_bytes)
			return false;
	}
	if (w.piece == 1 && prp.prp2)
		return false;	/* reserved then */
	return byte == data->offset + data->bytes && prp.nr_list_pages == w.nr_lists &&
	       nvp_prp_list_pages(data->offset, data->bytes, data->page_bytes) == w.nr_lists;
}

static void every_offset_and_length_up_to_four_pages(void)
{
	struct nvp_prp_data data = { .iova = UINT64_C(0x123456000), .page_bytes = 4096 };
	unsigned wrong = 0;

	make_lists(4096);
	for (data.offset = 0; data.offset < 4096; data.offset += 4)
		for (data.bytes = 4; data.bytes <= 4 * 4096 + 4; data.bytes += 4)
			wrong += !is_right(&data);
	CU_ASSERT_EQUAL(wrong, 0);
	free_lists();
}

static void lists_chain_at_the_page_end(void)
{
	static const size_t page_sizes[] = { 4096, 8192, 16384 };

	for (size_t p = 0; p < 3; p++) {
		size_t page = page_sizes[p], per_page = page / 8;
		struct nvp_prp_data data = { .iova = UINT64_C(0x100000000), .page_bytes = page };

		make_lists(page);
		for (size_t pages = per_page - 2; pages <= 3 * per_page + 3; pages++) {
			static const size_t more[] = { 0, 4, 512 };

			for (size_t m = 0; m < 3; m++) {
				data.bytes = pages * page + more[m];
				data.offset = 0;
				CU_ASSERT_TRUE(is_right(&data));
				data.offset = page - 4;
				CU_ASSERT_TRUE(is_right(&data));
			}
		}
		free_lists();
	}
}

/* The very entries at the seam: 512 entries stay in one page, 513 make a chain. */
static void entries_at_the_seam(void)
{
	struct nvp_prp_data data = { .iova = 0x10000000, .page_bytes = 4096 };
	struct nvp_prp prp;

	make_lists(4096);
	data.bytes = 513 * 4096;	/* PRP1 and 512 entries */
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, MOST_LISTS, &prp), 0);
	CU_ASSERT_EQUAL(prp.nr_list_pages, 1);
	CU_ASSERT_EQUAL(prp.prp1, 0x10000000);
	CU_ASSERT_EQUAL(prp.prp2, LIST_IOVA(0));
	CU_ASSERT_EQUAL(load(lists[0].entries), 0x10001000);
	CU_ASSERT_EQUAL(load((uint8_t *)lists[0].entries + 4088), 0x10000000 + 512 * 4096);
	data.bytes += 1;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, MOST_LISTS, &prp), 0);
	CU_ASSERT_EQUAL(prp.nr_list_pages, 2);
	CU_ASSERT_EQUAL(load((uint8_t *)lists[0].entries + 4080), 0x10000000 + 511 * 4096);
	CU_ASSERT_EQUAL(load((uint8_t *)lists[0].entries + 4088), LIST_IOVA(1));
	CU_ASSERT_EQUAL(load(lists[1].entries), 0x10000000 + 512 * 4096);
	CU_ASSERT_EQUAL(load((uint8_t *)lists[1].entries + 8), 0x10000000 + 513 * 4096);
	/* What is not used stays as it was. */
	CU_ASSERT_EQUAL(load((uint8_t *)lists[1].entries + 16), UINT64_C(0xeeeeeeeeeeeeeeee));
	free_lists();
}

static void scattered_pages(void)
{
	uint64_t pages[40];
	struct nvp_prp_data data = { .pages = pages, .nr_pages = 40, .page_bytes = 4096 };
	unsigned wrong = 0;

	for (size_t i = 0; i < 40; i++)
		pages[i] = UINT64_C(0x5000000000) - i * UINT64_C(0x3000);
	make_lists(4096);
	for (data.offset = 0; data.offset < 3 * 4096; data.offset += 508)
		for (data.bytes = 1; data.offset + data.bytes <= 40 * 4096; data.bytes += 509)
			wrong += !is_right(&data);
	CU_ASSERT_EQUAL(wrong, 0);
	free_lists();
}

static void too_little_room_is_said(void)
{
	uint64_t pages[3] = { 0x1000, 0x2000, 0x3000 };
	struct nvp_prp_data data = { .pages = pages, .nr_pages = 3, .page_bytes = 4096, .bytes = 4096 };
	struct nvp_prp prp;

	make_lists(4096);
	data.bytes = 3 * 4096;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), 0);
	CU_ASSERT_EQUAL(nvp_prp_build(&data, NULL, 0, &prp), -ENOSPC);
	data.offset = 4;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), -ENOSPC);
	data.bytes -= 4;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), 0);
	data.offset = 3 * 4096;
	data.bytes = 4;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), -ENOSPC);
	data.offset = SIZE_MAX - 3;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), -ENOSPC);
	data.offset = 0;
	data.bytes = 0;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), -EINVAL);
	data.bytes = 4;
	data.page_bytes = 2048;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), -EINVAL);
	data.page_bytes = 4097;
	CU_ASSERT_EQUAL(nvp_prp_build(&data, lists, 1, &prp), -EINVAL);
	free_lists();
}

static void what_is_misaligned_stays_so(void)
{
	struct nvp_prp_data data = { .iova = 0x1000, .offset = 3, .bytes = 4096, .page_bytes = 4096 };
	struct nvp_prp prp;

	CU_ASSERT_EQUAL(nvp_prp_build(&data, NULL, 0, &prp), 0);
	CU_ASSERT_EQUAL(prp.prp1, 0x1003);
	CU_ASSERT_EQUAL(prp.prp2, 0x2000);
}

CU_TestInfo nvp_unit_prp[] = {
	{ "every_offset_and_length_up_to_four_pages", every_offset_and_length_up_to_four_pages },
	{ "lists_chain_at_the_page_end", lists_chain_at_the_page_end },
	{ "entries_at_the_seam", entries_at_the_seam },
	{ "scattered_pages", scattered_pages },
	{ "too_little_room_is_said", too_little_room_is_said },
	{ "what_is_misaligned_stays_so", what_is_misaligned_stays_so },
	CU_TEST_INFO_NULL,
};
