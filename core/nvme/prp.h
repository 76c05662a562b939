/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PRP entries from page addresses: pure, so that every length and offset can be tested. */
#ifndef NVP_NVME_PRP_H
#define NVP_NVME_PRP_H

#include <stddef.h>
#include <stdint.h>

/*
 * The data: `bytes` bytes (at least 1) that begin `offset` bytes into the first memory page; page
 * i lies at pages[i], or, when pages is NULL, at iova + i * page_bytes. Addresses of pages are
 * multiples of page_bytes, which is 1 << (12 + CC.MPS). An offset beyond the first page moves
 * into later ones. Nothing is corrected: an offset that is no multiple of 4 is passed on.
 */
struct nvp_prp_data {
	uint64_t iova;
	const uint64_t *pages;
	size_t nr_pages;	/* of pages; not used when it is NULL */
	size_t offset;
	size_t bytes;
	size_t page_bytes;
};

/* One page of PRP list memory: where we write it and where the controller reads it. */
struct nvp_prp_list_page {
	void *entries;		/* page_bytes bytes */
	uint64_t iova;
};

struct nvp_prp {
	uint64_t prp1, prp2;
	size_t nr_list_pages;	/* how many of the list pages were written */
};

/* List pages that such data needs: 0 when it touches one or two memory pages. */
size_t nvp_prp_list_pages(size_t offset, size_t bytes, size_t page_bytes);

/*
 * Fill out and as many list pages as needed, entries little-endian (NVMe Base 2.0 section 4.1.1:
 * the last entry of a full list page points to the next one when more follow). Unused entries
 * are left as they are. 0; -EINVAL for no bytes or a page size that is no power of two from 4096
 * on; -ENOSPC when pages or list pages are too few, and then nothing was written.
 */
int nvp_prp_build(const struct nvp_prp_data *data, const struct nvp_prp_list_page *list,
		  size_t nr_list, struct nvp_prp *out);

#endif
