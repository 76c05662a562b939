// SPDX-License-Identifier: GPL-2.0-or-later
// The table of namespaces: as the address says until it is changed, then as it was committed.

#include <string.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "core/base/rand.h"
#include "core/sim/mechanism.h"

#define SPARE_BYTES (16ULL << 20)

/* Relative performance: 00b best, 01b better, 10b good (NVM Command Set 1.0, figure 98). */
static const struct nvp_sim_lba_format formats[] = {
	{ .lba_shift = 9, .meta_bytes = 0, .performance = 1 },
	{ .lba_shift = 12, .meta_bytes = 0, .performance = 0 },
	{ .lba_shift = 9, .meta_bytes = 8, .performance = 2 },
	{ .lba_shift = 12, .meta_bytes = 8, .performance = 1 },
	{ .lba_shift = 12, .meta_bytes = 64, .performance = 2 },
};

const struct nvp_sim_lba_format *nvp_sim_format(const struct nvp_sim_config *config, unsigned index)
{
	if (config->profile->nr_lba_formats <= 1)
		return index ? NULL : &formats[config->lba_bytes == 4096];
	return index < config->profile->nr_lba_formats && index < NVP_ARRAY_SIZE(formats) ?
	       &formats[index] : NULL;
}

/* The index of the format that the address names, which is one of the drive's. */
static uint8_t format_of(const struct nvp_sim_arena *arena)
{
	const struct nvp_arena_header *h = arena->header;
	const struct nvp_sim_lba_format *f;

	for (unsigned i = 0; (f = nvp_sim_format(&arena->config, i)); i++)
		if (1u << f->lba_shift == h->lba_bytes && f->meta_bytes == h->meta_bytes)
			return (uint8_t)i;
	return 0;
}

/* Namespaces 1 to ns, each with its share of the drive, in the format that lba and meta name. */
static void by_address(const struct nvp_sim_arena *arena, struct nvp_ns_table *table)
{
	const struct nvp_arena_header *h = arena->header;
	uint64_t share = h->size_bytes / h->lba_bytes / h->nr_ns;

	for (uint32_t i = 0; i < h->nr_ns; i++)
		table->ns[i] = (struct nvp_ns_record){
			.size_lbas = share,
			.capacity_lbas = share,
			.bytes = share * h->lba_bytes,
			.attached = 1,
			.format = format_of(arena),
			.meta_extended = h->meta_extended,
			.pi_type = h->pi_type,
			.pi_first = h->pi_first,
		};
}

void nvp_arena_namespaces(const struct nvp_sim_arena *arena, struct nvp_ns_table *table)
{
	const struct nvp_arena_record *r = &arena->record[NVP_NV_NAMESPACES];
	uint64_t selector = nvp_arena_load(&r->selector);

	memset(table, 0, sizeof(*table));
	if (selector)
		memcpy(table, r->copy[selector & 1].bytes, sizeof(*table));
	else
		by_address(arena, table);
}

/* A namespace that is created again with the same NSID is another one (NVMe Base 2.0, 4.5.1). */
static void name_namespace(struct nvp_sim *w, struct nvp_sim_ns *ns)
{
	const struct nvp_arena_header *h = w->arena->header;
	uint64_t seed = h->made_with_seed, drive = nvp_crc32c(h->serial, sizeof(h->serial));
	uint64_t which = (uint64_t)ns->generation << 32 | ns->nsid;

	nvp_put_le64(ns->eui64, nvp_rand(seed, "eui64", drive, which));
	ns->eui64[0] = NVP_SIM_OUI >> 16;	/* in the order of transmission */
	ns->eui64[1] = NVP_SIM_OUI >> 8 & 0xff;
	ns->eui64[2] = NVP_SIM_OUI & 0xff;
	nvp_put_le64(ns->nguid, nvp_rand(seed, "nguid", drive, which));
	memcpy(ns->nguid + 8, ns->eui64, 8);
	nvp_put_le64(ns->uuid, nvp_rand(seed, "uuid.0", drive, which));
	nvp_put_le64(ns->uuid + 8, nvp_rand(seed, "uuid.1", drive, which));
	ns->uuid[6] = (ns->uuid[6] & 0x0f) | 0x40;	/* RFC 4122, version 4 */
	ns->uuid[8] = (ns->uuid[8] & 0x3f) | 0x80;
}

static void derive(struct nvp_sim *w, struct nvp_sim_ns *ns)
{
	const struct nvp_sim_lba_format *format = nvp_sim_format(w->config, ns->format);

	ns->lba_shift = format->lba_shift;
	ns->lba_bytes = 1u << format->lba_shift;
	ns->meta_bytes = format->meta_bytes;
	ns->active = ns->allocated && !ns->deleting && ns->attached >> (w->cntlid - 1) & 1;
	name_namespace(w, ns);
}

void nvp_namespaces_load(struct nvp_sim *w)
{
	struct nvp_ns_table table;

	nvp_arena_namespaces(w->arena, &table);
	w->nr_ns = w->profile->max_namespaces;
	for (uint32_t i = 0; i < w->nr_ns; i++) {
		const struct nvp_ns_record *r = &table.ns[i];

		w->ns[i] = (struct nvp_sim_ns){
			.nsid = i + 1,
			.allocated = r->size_lbas != 0,
			.nr_lbas = r->size_lbas,
			.capacity_lbas = r->capacity_lbas,
			.format = r->format,
			.meta_extended = r->meta_extended,
			.pi_type = r->pi_type,
			.pi_first = r->pi_first,
			.write_protect = r->write_protect,
			.shared = r->shared,
			.bytes = r->bytes,
			.attached = r->attached,
			.generation = r->generation,
			.map_first = i * w->arena->header->map_stride,
		};
		derive(w, &w->ns[i]);
	}
}

void nvp_sim_ns_commit(struct nvp_sim *w)
{
	struct nvp_ns_table table;

	memset(&table, 0, sizeof(table));
	for (uint32_t i = 0; i < w->nr_ns; i++) {
		struct nvp_sim_ns *ns = &w->ns[i];

		derive(w, ns);
		table.ns[i] = (struct nvp_ns_record){
			.size_lbas = ns->allocated ? ns->nr_lbas : 0,
			.capacity_lbas = ns->capacity_lbas,
			.bytes = ns->bytes,
			.attached = ns->attached,
			.generation = ns->generation,
			.format = ns->format,
			.meta_extended = ns->meta_extended,
			.pi_type = ns->pi_type,
			.pi_first = ns->pi_first,
			.write_protect = ns->write_protect,
			.shared = ns->shared,
		};
	}
	nvp_nv_commit(w, NVP_NV_NAMESPACES, &table, sizeof(table));
}

uint64_t nvp_sim_spare_bytes(const struct nvp_sim_config *config)
{
	return config->profile->ns_management ? SPARE_BYTES : 0;
}

static void give_blocks_back(struct nvp_sim *w, const struct nvp_sim_ns *ns)
{
	uint64_t first = ns->map_first, past = first + w->arena->header->map_stride, end;
	const uint64_t nothing = 0;

	for (; nvp_arena_next_extent(w->arena, &first, &end) && first < past; first = end) {
		end = nvp_min_u64(end, past);
		for (uint64_t i = first; i < end; i++)
			if (w->arena->map[i])
				nvp_media_publish(w, &i, &nothing, 1);
	}
}

void nvp_namespaces_tidy(struct nvp_sim *w)
{
	for (uint32_t i = 0; i < w->nr_ns; i++) {
		struct nvp_sim_ns *ns = &w->ns[i];

		ns->deleting = false;
		if (ns->generation && nvp_defect(w, NVP_HOOK_NSM_RESET_DETACHES))
			ns->attached = 0;
		if (ns->allocated)
			ns->active = ns->attached >> (w->cntlid - 1) & 1;
		else if (ns->nr_used && !nvp_defect(w, NVP_HOOK_NSM_STALE))
			give_blocks_back(w, ns);
	}
}

struct nvp_sim_ns *nvp_sim_ns_allocated(struct nvp_sim *w, uint32_t nsid)
{
	return nsid && nsid <= w->nr_ns && w->ns[nsid - 1].allocated ? &w->ns[nsid - 1] : NULL;
}

struct nvp_sim_ns *nvp_sim_ns(struct nvp_sim *w, uint32_t nsid)
{
	struct nvp_sim_ns *ns = nvp_sim_ns_allocated(w, nsid);

	return ns && ns->active ? ns : NULL;
}
