// SPDX-License-Identifier: GPL-2.0-or-later
// PRPs built by hand: offsets, pages in any order, lists anywhere, and bad entries.

#include <string.h>

#include "cases/common.h"

#define ENTRIES_MAX 20

/* Data scattered over the pages of one buffer, in the opposite order of the PRP entries. */
struct scatter {
	struct nvp_buf *pages;	/* page i of the data is page nr - 1 - i of this buffer */
	struct nvp_buf *list;	/* two pages for PRP lists */
	uint32_t page_bytes;
	uint32_t offset;	/* of the first entry into its page */
	uint32_t bytes;
	unsigned nr;		/* PRP entries */
	uint64_t prp1, prp2;
};

static size_t page_at(const struct scatter *s, unsigned entry)
{
	return (size_t)(s->nr - 1 - entry) * s->page_bytes;
}

/*
 * Lay out `bytes` bytes with the first entry at `offset`, the PRP list (if there has to be one) at
 * list_offset of its page; a list that meets the end of its page goes on in the next.
 */
static bool scatter_new(struct nvp_t *t, struct scatter *s, uint32_t bytes, uint32_t offset,
			uint32_t list_offset)
{
	uint32_t page = nvp_t_facts(t)->page_bytes, at = list_offset;
	uint8_t *list;

	*s = (struct scatter){ .page_bytes = page, .offset = offset, .bytes = bytes };
	s->nr = (offset + bytes + page - 1) / page;
	s->pages = nvp_t_buf(t, (size_t)s->nr * page);
	s->list = nvp_t_buf(t, 2 * (size_t)page);
	if (!s->pages || !s->list)
		return false;
	nvp_buf_fill(s->pages, 0xee);
	s->prp1 = nvp_buf_iova(s->pages, page_at(s, 0) + offset);
	if (s->nr == 2)
		s->prp2 = nvp_buf_iova(s->pages, page_at(s, 1));
	if (s->nr <= 2)
		return true;
	s->prp2 = nvp_buf_iova(s->list, list_offset);
	list = nvp_buf_data(s->list);
	for (unsigned i = 1; i < s->nr; i++, at += 8) {
		uint64_t entry = nvp_buf_iova(s->pages, page_at(s, i));

		if (at == page - 8 && i + 1 < s->nr) {	/* the last slot, and more to come */
			uint64_t next = nvp_buf_iova(s->list, page);

			for (unsigned b = 0; b < 8; b++)
				list[at + b] = (uint8_t)(next >> 8 * b);
			at += 8;
		}
		for (unsigned b = 0; b < 8; b++)
			list[at + b] = (uint8_t)(entry >> 8 * b);
	}
	return true;
}

/* Copy between the scattered pages and bytes in a row. */
static void scatter_copy(const struct scatter *s, uint8_t *linear, bool gather)
{
	uint32_t done = 0, in_page = s->offset;

	for (unsigned i = 0; i < s->nr; i++, in_page = 0) {
		uint8_t *page = nvp_buf_data(s->pages) + page_at(s, i) + in_page;
		uint32_t part = s->page_bytes - in_page;

		if (part > s->bytes - done)
			part = s->bytes - done;
		if (gather)
			memcpy(linear + done, page, part);
		else
			memcpy(page, linear + done, part);
		done += part;
	}
}

/* How many bytes of the pages are not EEh; those of the data are not looked at. */
static bool outside_untouched(const struct scatter *s)
{
	const uint8_t *first = nvp_buf_data(s->pages) + page_at(s, 0);
	uint32_t in_last = (s->offset + s->bytes) % s->page_bytes;
	const uint8_t *last = nvp_buf_data(s->pages) + page_at(s, s->nr - 1);

	for (uint32_t i = 0; i < s->offset; i++)
		if (first[i] != 0xee)
			return false;
	for (uint32_t i = in_last; in_last && i < s->page_bytes; i++)
		if (last[i] != 0xee)
			return false;
	return true;
}

static struct nvp_cmd with_prps(struct nvp_cmd cmd, const struct scatter *s)
{
	nvp_sqe_set_qw(&cmd.sqe, 6, s->prp1);
	nvp_sqe_set_qw(&cmd.sqe, 8, s->prp2);
	cmd.raw_dptr = true;
	return cmd;
}

/*
 * Read blocks that hold a known pattern through the scattered pages, then write other data through
 * them and read it back in the ordinary way.
 */
static bool moves_through(struct nvp_t *t, const struct case_region *region, struct scatter *s,
			  uint64_t index)
{
	struct nvp_buf *row = nvp_t_buf(t, s->bytes), *gathered = nvp_t_buf(t, s->bytes);
	uint32_t lbas = s->bytes / region->lba_bytes;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!row || !gathered)
		return false;
	nvp_buf_fill_pattern(row, nvp_t_rand(t, "read", index));
	if (!case_write(t, region, 0, lbas, row))
		return false;
	cmd = with_prps(nvp_build_read(region->nsid, region->slba, (uint16_t)(lbas - 1),
				       region->lba_bytes), s);
	if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	scatter_copy(s, nvp_buf_data(gathered), true);
	nvp_check_bytes(t, nvp_buf_data(gathered), nvp_buf_data(row), s->bytes);
	nvp_check(t, outside_untouched(s), "bytes of the pages outside the data were written");

	nvp_buf_fill_pattern(row, nvp_t_rand(t, "write", index));
	scatter_copy(s, nvp_buf_data(row), false);
	cmd = with_prps(nvp_build_write(region->nsid, region->slba, (uint16_t)(lbas - 1),
					region->lba_bytes), s);
	if (!CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	if (!case_read(t, region, 0, lbas, gathered))
		return false;
	return nvp_check_bytes(t, nvp_buf_data(gathered), nvp_buf_data(row), s->bytes);
}

/*
 * PRP-01, IDY-14. One block, and one Identify, at offsets into the first page; what crosses into a
 * second page goes where PRP2 says, which is not the page behind.
 */
static void first_entry_has_an_offset(struct nvp_t *t)
{
	uint32_t page = nvp_t_facts(t)->page_bytes, bytes = nvp_t_ns(t)->id.lba_bytes;
	const uint32_t offsets[] = { 0, 4, 512, page - bytes, page - 256, page - 4 };
	struct nvp_buf *identify = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_buf *gathered = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct case_region region;
	struct scatter s;
	struct nvp_cpl cpl;

	if (bytes > page)
		nvp_skip(t, "a block of %u bytes is larger than a page", bytes);
	if (!identify || !gathered || !case_region(t, 1, &region) ||
	    !case_identify(t, 0x01, 0, 0, identify, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		struct nvp_cmd cmd = nvp_build_identify(0x01, 0, 0, 0, 0);

		if (!scatter_new(t, &s, bytes, offsets[i], 0) || !moves_through(t, &region, &s, i))
			return;
		if (!scatter_new(t, &s, NVP_IDENTIFY_BYTES, offsets[i], 0))
			return;
		cmd = with_prps(cmd, &s);
		nvp_admin(t, &cmd, &cpl);
		CASE_OK(t, &cpl);
		scatter_copy(&s, nvp_buf_data(gathered), true);
		nvp_check_bytes(t, nvp_buf_data(gathered), nvp_buf_data(identify),
				NVP_IDENTIFY_BYTES);
	}
}

/*
 * PRP-02, PRP-06. Transfers of more than two pages: the PRP list begins anywhere in its page, and
 * where it fills it, its last entry points to the next list. The last entry is data when it is the
 * last of the transfer.
 */
static void lists_begin_and_go_on_anywhere(struct nvp_t *t)
{
	uint32_t page = nvp_t_facts(t)->page_bytes, most, bytes;
	const uint32_t list_offsets[] = { 0, 8, page / 2, page - 48, page - 24, page - 16 };
	struct case_region region;
	struct scatter s;

	bytes = nvp_t_ns(t)->id.lba_bytes;
	most = case_max_lbas(t);
	while (most > 1 && most * bytes > 8 * page)
		most--;
	if (most * bytes < 3 * page || most * bytes > (ENTRIES_MAX - 2) * page)
		nvp_skip(t, "transfers of 3 to 18 pages are not to be had with %u bytes a block",
			 bytes);
	if (!case_region(t, most, &region))
		return;
	for (size_t i = 0; i < sizeof(list_offsets) / sizeof(list_offsets[0]); i++) {
		if (!scatter_new(t, &s, most * bytes, 0, list_offsets[i]) ||
		    !moves_through(t, &region, &s, 2 * i))
			return;
		if (!scatter_new(t, &s, most * bytes, 1024, list_offsets[i]) ||
		    !moves_through(t, &region, &s, 2 * i + 1))
			return;
	}
}

/*
 * PRP-03. PRP2 is reserved when the data ends in the first page: whatever stands in it, it is not
 * used. The address given belongs to nothing (accesses outside the map are a standing invariant).
 */
static void unused_second_entry_is_ignored(struct nvp_t *t)
{
	uint32_t bytes = nvp_t_ns(t)->id.lba_bytes;
	struct case_region region;
	struct scatter s;

	if (bytes > nvp_t_facts(t)->page_bytes)
		nvp_skip(t, "a block of %u bytes is larger than a page", bytes);
	if (!case_region(t, 1, &region) || !scatter_new(t, &s, bytes, 0, 0))
		return;
	s.prp2 = 0x00005a5a5a5a5a58ull;
	moves_through(t, &region, &s, 0);
}

/*
 * PRP-04. Bits 1:0 of PRP1 are not 00b: refused with PRP Offset Invalid, or done as if they were
 * 0.
 */
static void low_bits_are_refused_or_zero(struct nvp_t *t)
{
	uint32_t bytes = nvp_t_ns(t)->id.lba_bytes;
	struct nvp_buf *row = nvp_t_buf(t, bytes);
	struct case_region region;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct scatter s;
	bool same;

	if (bytes > nvp_t_facts(t)->page_bytes)
		nvp_skip(t, "a block of %u bytes is larger than a page", bytes);
	if (!row || !case_region(t, 1, &region))
		return;
	nvp_buf_fill_pattern(row, nvp_t_rand(t, "data", 0));
	if (!case_write(t, &region, 0, 1, row))
		return;
	for (unsigned low = 1; low < 4; low++) {
		if (!scatter_new(t, &s, bytes, 0, 0))
			return;
		s.prp1 |= low;
		cmd = with_prps(nvp_build_read(region.nsid, region.slba, 0, bytes), &s);
		nvp_io(t, &cmd, &cpl);
		same = !memcmp(nvp_buf_data(s.pages), nvp_buf_data(row), bytes);
		nvp_check(t, nvp_status_is(&cpl.status, NVP_SCT_GENERIC, NVP_SC_PRP_OFFSET) ||
			  (nvp_cpl_ok(&cpl) && same),
			  "bits 1:0 are %u: status %u/%02Xh, the data is %s at offset 0", low,
			  cpl.status.sct, cpl.status.sc, same ? "right" : "not");
	}
}

/*
 * PRP-05. An entry that is not the first has an offset: the host must not do that, and the drive
 * should say PRP Offset Invalid. In PRP2, and in an entry of a list.
 */
static void later_offsets_are_refused(struct nvp_t *t)
{
	uint32_t page = nvp_t_facts(t)->page_bytes, bytes = nvp_t_ns(t)->id.lba_bytes, lbas;
	struct case_region region;
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;
	struct scatter s;

	for (unsigned pages = 2; pages <= 4; pages += 2) {
		lbas = pages * page / bytes;
		if (!lbas || lbas > case_max_lbas(t))
			nvp_skip(t, "a transfer of %u pages is not to be had", pages);
		if (!case_region(t, lbas, &region) ||
		    !scatter_new(t, &s, lbas * bytes, 0, 0))
			return;
		if (s.nr == 2)
			s.prp2 += 512;
		else
			nvp_buf_data(s.list)[1] = (uint8_t)(nvp_buf_data(s.list)[1] | 0x02);
		cmd = with_prps(nvp_build_read(region.nsid, region.slba, (uint16_t)(lbas - 1),
					       bytes), &s);
		nvp_io(t, &cmd, &cpl);
		nvp_check_status_by(t, CASE_SHOULD, &cpl,
				    NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_PRP_OFFSET },
					    { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD }));
	}
}

#define DPTR_NEEDS (NVP_NEED_QUEUES | NVP_NEED_DMA | NVP_NEED_NAMESPACE | NVP_NEED_NO_METADATA)

/*
 * PRP-10. Memory that the IOMMU keeps from the drive: a write cannot fetch its data and says so,
 * and the drive goes on. (Data that a read sends there is lost without an answer.)
 */
static void unmapped_memory_is_an_error(struct nvp_t *t)
{
	uint32_t bytes = nvp_t_ns(t)->id.lba_bytes;
	struct nvp_buf *row = nvp_t_buf(t, bytes), *seen = nvp_t_buf(t, bytes);
	struct nvp_buf *gone = nvp_buf_new(nvp_t_drive(t), bytes);
	struct case_region region;
	struct scatter s = { 0 };
	struct nvp_cmd cmd;
	struct nvp_cpl cpl;

	if (!row || !seen || !gone || !case_region(t, 1, &region))
		return;
	s.prp1 = nvp_buf_iova(gone, 0);
	nvp_buf_free(gone);
	cmd = with_prps(nvp_build_write(region.nsid, region.slba, 0, bytes), &s);
	nvp_announce(t, NVP_INVARIANT_DMA, 1);
	nvp_io(t, &cmd, &cpl);
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_DATA_TRANSFER_ERROR }));
	nvp_buf_fill_pattern(row, nvp_t_rand(t, "data", 0));
	if (case_write(t, &region, 0, 1, row))
		case_read(t, &region, 0, 1, seen);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "dptr.first-entry-has-an-offset",
		.title = "PRP1 with any dword offset, and PRP2 for the rest, move the same data",
		.spec = { "NVMe Base", "2.0", "4.1.1", NULL },
		.rows = NVP_LIST("PRP-01", "IDY-14"),
		.needs = DPTR_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("prp1-offset-ignored", "prp2-ignored", "data-short",
				    "data-overruns-buffer", "data-before-buffer"),
		.run = first_entry_has_an_offset,
	}, {
		NVP_CASE,
		.id = "dptr.lists-begin-and-go-on-anywhere",
		.title = "PRP lists begin at any entry of a page and are chained where the "
			 "page ends",
		.spec = { "NVMe Base", "2.0", "4.1.1", "PRP List" },
		.rows = NVP_LIST("PRP-02", "PRP-06"),
		.needs = DPTR_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("prp-list-not-chained", "prp-list-offset-ignored"),
		.run = lists_begin_and_go_on_anywhere,
	}, {
		NVP_CASE,
		.id = "dptr.unused-second-entry-is-ignored",
		.title = "PRP2 is not used when the data ends in the first page",
		.spec = { "NVMe Base", "2.0", "3.3.3.1", "PRP2" },
		.rows = NVP_LIST("PRP-03"),
		.needs = DPTR_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("dma-stray-address"),
		.run = unused_second_entry_is_ignored,
	}, {
		NVP_CASE,
		.id = "dptr.low-bits-are-refused-or-zero",
		.title = "Bits 1:0 of PRP1 are refused, or count as 0",
		.spec = { "NVMe Base", "2.0", "4.1.1", "PBAO" },
		.rows = NVP_LIST("PRP-04"),
		.needs = DPTR_NEEDS,
		.impact = NVP_IMPACT_DATA,
		.catches = NVP_LIST("prp-low-bits-used"),
		.run = low_bits_are_refused_or_zero,
	}, {
		NVP_CASE,
		.id = "dptr.unmapped-memory-is-an-error",
		.title = "A write whose data cannot be fetched ends with Data Transfer Error",
		.spec = { "NVMe Base", "2.0", "3.3.3.2.1", "Data Transfer Error" },
		.rows = NVP_LIST("PRP-10"),
		.needs = DPTR_NEEDS,
		.impact = NVP_IMPACT_DATA | NVP_IMPACT_RESET,
		.catches = NVP_LIST("transfer-error-succeeds", "transfer-error-wrong-status"),
		.run = unmapped_memory_is_an_error,
	}, {
		NVP_CASE,
		.id = "dptr.later-offsets-are-refused",
		.title = "An offset in PRP2 or in an entry of a PRP list is refused",
		.spec = { "NVMe Base", "2.0", "4.1.1", "PBAO" },
		.rows = NVP_LIST("PRP-05"),
		.needs = DPTR_NEEDS,
		.catches = NVP_LIST("prp-offset-accepted"),
		.run = later_offsets_are_refused,
	},
};

NVP_SUITE(dptr, cases);
