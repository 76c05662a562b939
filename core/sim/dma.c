// SPDX-License-Identifier: GPL-2.0-or-later
// Host memory as the drive reaches it: the map, and the walk over Physical Region Pages.

#include "core/sim/dma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/cmd.h>

#include "core/base/bits.h"

#define FIRST_IOVA 0x100000000ULL
#define GUARD_BYTES 0x100000ULL	/* never mapped, between any two mappings */
#define HOST_PAGE 4096ULL

struct mapping {
	uint64_t iova;
	uint64_t bytes;
	uint8_t *va;
};

struct piece {
	uint64_t iova;
	uint32_t bytes;
	bool discard;
};

struct nvp_dma_state {
	struct mapping *map;		/* by iova */
	uint32_t nr, room;
	uint32_t last;			/* where the last access was found */
	uint64_t next_iova;
	uint64_t nr_faults;
	struct nvp_dma_fault fault;
	struct piece *piece;		/* of the transfer at hand */
	uint32_t nr_pieces, piece_room;
	uint32_t nr_data_pieces;	/* those behind are of metadata */
};

int nvp_dma_new(struct nvp_sim *w)
{
	w->dma = calloc(1, sizeof(*w->dma));
	if (!w->dma)
		return -ENOMEM;
	w->dma->next_iova = FIRST_IOVA;
	return 0;
}

void nvp_dma_free(struct nvp_sim *w)
{
	if (!w->dma)
		return;
	free(w->dma->map);
	free(w->dma->piece);
	free(w->dma);
	w->dma = NULL;
}

int nvp_sim_dma_map(struct nvp_sim *sim, void *va, size_t bytes, uint64_t *iova)
{
	struct nvp_dma_state *d = sim->dma;

	if (!va || !bytes || (uintptr_t)va % HOST_PAGE || bytes % HOST_PAGE)
		return -EINVAL;
	if (d->nr == d->room) {
		uint32_t room = d->room ? 2 * d->room : 64;
		struct mapping *map = realloc(d->map, room * sizeof(*map));

		if (!map)
			return -ENOMEM;
		d->map = map;
		d->room = room;
	}
	/* addresses only grow, so the table stays in order and none is ever used again */
	d->map[d->nr++] = (struct mapping){ .iova = d->next_iova, .bytes = bytes, .va = va };
	*iova = d->next_iova;
	d->next_iova += (bytes + 2 * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
	return 0;
}

int nvp_sim_dma_unmap(struct nvp_sim *sim, uint64_t iova)
{
	struct nvp_dma_state *d = sim->dma;

	for (uint32_t i = 0; i < d->nr; i++) {
		if (d->map[i].iova != iova)
			continue;
		memmove(&d->map[i], &d->map[i + 1], (d->nr - i - 1) * sizeof(d->map[0]));
		d->nr--;
		d->last = 0;
		return 0;
	}
	return -ENOENT;
}

uint64_t nvp_sim_dma_faults(const struct nvp_sim *sim, struct nvp_dma_fault *last)
{
	if (last)
		*last = sim->dma->fault;
	return sim->dma->nr_faults;
}

static bool inside(const struct mapping *m, uint64_t iova, uint32_t nr_bytes)
{
	return iova >= m->iova && iova - m->iova < m->bytes &&
	       nr_bytes <= m->bytes - (iova - m->iova);
}

/* The host's view of an address, or NULL after recording the fault. */
static uint8_t *reach(struct nvp_sim *w, uint64_t iova, uint32_t nr_bytes, bool write)
{
	struct nvp_dma_state *d = w->dma;
	uint32_t low = 0, high = d->nr;

	if (d->last < d->nr && inside(&d->map[d->last], iova, nr_bytes))
		return d->map[d->last].va + (iova - d->map[d->last].iova);
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (d->map[middle].iova <= iova)
			low = middle + 1;
		else
			high = middle;
	}
	if (low && inside(&d->map[low - 1], iova, nr_bytes)) {
		d->last = low - 1;
		return d->map[low - 1].va + (iova - d->map[low - 1].iova);
	}
	d->nr_faults++;
	d->fault = (struct nvp_dma_fault){ .iova = iova, .bytes = nr_bytes, .write = write };
	return NULL;
}

bool nvp_dma_read(struct nvp_sim *w, uint64_t iova, void *bytes, uint32_t nr_bytes)
{
	const uint8_t *host;

	if (!nvp_config_master(w))
		return false;
	host = reach(w, iova, nr_bytes, false);
	if (host)
		memcpy(bytes, host, nr_bytes);
	return host != NULL;
}

bool nvp_dma_write(struct nvp_sim *w, uint64_t iova, const void *bytes, uint32_t nr_bytes)
{
	uint8_t *host;

	if (!nvp_config_master(w))
		return false;
	host = reach(w, iova, nr_bytes, true);
	if (host)
		memcpy(host, bytes, nr_bytes);
	return host != NULL;
}

static bool fail(struct nvp_sim_cmd *c, uint8_t sc)
{
	nvp_sim_fail(c, 0, sc);
	return false;
}

/* What moves by the data pointer: data alone, or with their metadata in between. */
static uint32_t host_bytes(const struct nvp_sim_cmd *c)
{
	return c->wire ? c->wire_bytes : c->data_bytes;
}

bool nvp_dma_add_piece(struct nvp_sim *w, uint64_t iova, uint32_t bytes, bool discard)
{
	struct nvp_dma_state *d = w->dma;

	if (d->nr_pieces == d->piece_room) {
		uint32_t room = d->piece_room ? 2 * d->piece_room : 64;
		struct piece *piece = realloc(d->piece, room * sizeof(*piece));

		if (!piece)
			return false;
		d->piece = piece;
		d->piece_room = room;
	}
	d->piece[d->nr_pieces++] =
		(struct piece){ .iova = iova, .bytes = bytes, .discard = discard };
	return true;
}

/*
 * The list that PRP2 points to (NVMe Base 2.0, 4.1.1): its pointer may have an offset of whole
 * entries; the last entry of a page points to the next page when more data follow.
 */
static bool walk_list(struct nvp_sim *w, struct nvp_sim_cmd *c, uint64_t list, uint32_t left)
{
	uint32_t page = 1U << nvp_registers_page_shift(w);
	uint8_t entry[8];

	if (nvp_defect(w, NVP_HOOK_PRP_LIST_OFFSET))
		list &= ~(uint64_t)(page - 1);
	if (list & 7)
		return fail(c, NVP_SC_PRP_OFFSET);
	while (left) {
		uint32_t bytes = left < page ? left : page;
		uint64_t value;

		if (!nvp_dma_read(w, list, entry, sizeof(entry)))
			return fail(c, NVP_SC_DATA_TRANSFER_ERROR);
		value = nvp_le64(entry);
		if ((list & (page - 1)) == page - 8 && left > page &&
		    !nvp_defect(w, NVP_HOOK_PRP_LIST_CHAIN)) {
			if (value & (page - 1))
				return fail(c, NVP_SC_PRP_OFFSET);
			list = value;
			continue;
		}
		if (nvp_defect(w, NVP_HOOK_PRP_OFFSET_OK))
			value &= ~(uint64_t)(page - 1);
		if (value & (page - 1))
			return fail(c, NVP_SC_PRP_OFFSET);
		if (!nvp_dma_add_piece(w, value, bytes, false))
			return fail(c, NVP_SC_INTERNAL);
		left -= bytes;
		list += 8;
	}
	return true;
}

/* All pieces of the transfer, before any byte moves (NVMe Base 2.0, 4.1.1). */
static bool walk_prps(struct nvp_sim *w, struct nvp_sim_cmd *c)
{
	uint32_t page = 1U << nvp_registers_page_shift(w);
	uint64_t prp1 = nvp_le64(c->sqe + 24), prp2 = nvp_le64(c->sqe + 32);
	uint32_t left = host_bytes(c), first;

	if (prp1 & 3 && !nvp_defect(w, NVP_HOOK_PRP_LOW_BITS))
		return fail(c, NVP_SC_PRP_OFFSET);
	if (nvp_defect(w, NVP_HOOK_PRP_FIRST_OFFSET))
		prp1 &= ~(uint64_t)(page - 1);
	first = page - (uint32_t)(prp1 & (page - 1));
	if (first > left)
		first = left;
	if (!nvp_dma_add_piece(w, prp1, first, false))
		return fail(c, NVP_SC_INTERNAL);
	left -= first;
	if (!left)
		return true;
	if (left > page)
		return walk_list(w, c, prp2, left);
	if (nvp_defect(w, NVP_HOOK_PRP_SECOND_PAGE))
		prp2 = (prp1 | (page - 1)) + 1;
	if (nvp_defect(w, NVP_HOOK_PRP_OFFSET_OK))
		prp2 &= ~(uint64_t)(page - 1);
	if (prp2 & (page - 1))
		return fail(c, NVP_SC_PRP_OFFSET);
	return nvp_dma_add_piece(w, prp2, left, false) || fail(c, NVP_SC_INTERNAL);
}

/* Metadata in a buffer of its own: one piece, or one SGL segment (NVMe Base 2.0, 3.3.3.1, MPTR). */
static bool walk_metadata(struct nvp_sim *w, struct nvp_sim_cmd *c, bool to_host)
{
	unsigned psdt = c->sqe[1] >> 6;
	uint64_t mptr = nvp_le64(c->sqe + 16);
	uint8_t descriptor[16];
	struct nvp_sgl_data data = {
		.sgl1 = descriptor,
		.bytes = c->mptr_bytes,
		.to_host = to_host,
		.length_sc = NVP_SC_SGL_METADATA_LENGTH,
	};

	if (nvp_defect(w, NVP_HOOK_META_POINTER_PAGE))
		mptr &= ~(HOST_PAGE - 1);
	if (mptr & (psdt == 0 ? 3 : psdt == 2 ? 7 : 0)) {
		nvp_sim_fail_at(c, NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD, 4, 0);
		return false;
	}
	if (psdt < 2)
		return nvp_dma_add_piece(w, mptr, c->mptr_bytes, false) || fail(c, NVP_SC_INTERNAL);
	if (!nvp_dma_read(w, mptr, descriptor, sizeof(descriptor)))
		return fail(c, NVP_SC_DATA_TRANSFER_ERROR);
	return nvp_sgl_walk(w, c, &data);
}

static bool walk_data(struct nvp_sim *w, struct nvp_sim_cmd *c, bool to_host)
{
	struct nvp_sgl_data data = {
		.sgl1 = c->sqe + 24,
		.bytes = host_bytes(c),
		.to_host = to_host,
		.length_sc = NVP_SC_SGL_DATA_LENGTH,
	};
	bool sgl = c->sqid && c->sqe[1] & 0xc0;

	return sgl ? nvp_sgl_walk(w, c, &data) : walk_prps(w, c);
}

/* All pieces, those of metadata last, before any byte moves. */
static bool walk(struct nvp_sim *w, struct nvp_sim_cmd *c, bool to_host)
{
	w->dma->nr_pieces = w->dma->nr_data_pieces = 0;
	if (host_bytes(c) && !walk_data(w, c, to_host))
		return false;
	w->dma->nr_data_pieces = w->dma->nr_pieces;
	return !c->mptr_bytes || walk_metadata(w, c, to_host);
}

static void wrong_length(struct nvp_sim *w)
{
	uint32_t nr = w->dma->nr_data_pieces;

	if (nvp_defect(w, NVP_HOOK_DMA_OVERRUN) && nr)
		w->dma->piece[nr - 1].bytes += 16;
	if (nvp_defect(w, NVP_HOOK_DMA_SHORT) && nr && w->dma->piece[nr - 1].bytes > 64)
		w->dma->piece[nr - 1].bytes -= 64;
}

/* A piece of the data and, on a drive that goes too far, what lies behind it. */
static bool move(struct nvp_sim *w, const struct piece *p, uint8_t *data, uint32_t bytes,
		 bool to_host)
{
	static const uint8_t beyond[16] = { 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee,
					    0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee };

	if (p->discard)
		return true;
	if (!to_host)
		return nvp_dma_read(w, p->iova, data, bytes);
	if (!nvp_dma_write(w, p->iova, data, bytes))
		return false;
	if (p->bytes > bytes)
		nvp_dma_write(w, p->iova + bytes, beyond, p->bytes - bytes);
	return true;
}

/* Pieces first to end - 1, over that much of data. */
static bool move_all(struct nvp_sim *w, uint32_t first, uint32_t end, uint8_t *data,
		     uint32_t nr_bytes, bool to_host)
{
	uint32_t done = 0;

	for (uint32_t i = first; i < end; i++) {
		const struct piece *p = &w->dma->piece[i];
		uint32_t bytes = nvp_min_u64(p->bytes, nr_bytes - done);

		if (!move(w, p, data + done, bytes, to_host))
			return false;
		done += bytes;
	}
	return true;
}

bool nvp_dma_transfer(struct nvp_sim *w, struct nvp_sim_cmd *c, bool to_host)
{
	uint8_t before[64];

	if (!host_bytes(c) && !c->mptr_bytes)
		return true;
	if (!walk(w, c, to_host))
		return false;
	if (nvp_defect(w, NVP_HOOK_DMA_STRAY) && nvp_defect_nth(w, NVP_HOOK_DMA_STRAY))
		reach(w, 0x1000, 4, to_host);
	if (to_host && w->dma->nr_data_pieces && nvp_defect(w, NVP_HOOK_DMA_BEFORE)) {
		memset(before, 0xee, sizeof(before));
		nvp_dma_write(w, w->dma->piece[0].iova - sizeof(before), before, sizeof(before));
	}
	if (to_host)
		wrong_length(w);
	if (move_all(w, 0, w->dma->nr_data_pieces, c->wire ? c->wire : c->data, host_bytes(c),
		     to_host) &&
	    move_all(w, w->dma->nr_data_pieces, w->dma->nr_pieces, c->host_meta, c->mptr_bytes,
		     to_host))
		return true;
	if (nvp_defect(w, NVP_HOOK_XFER_ERROR_OK))
		return true;
	return fail(c, nvp_defect(w, NVP_HOOK_XFER_ERROR_STATUS) ? NVP_SC_LBA_RANGE :
								   NVP_SC_DATA_TRANSFER_ERROR);
}
