/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout of what survives power loss: offsets only, each change counts by one aligned store. */
#ifndef NVP_SIM_ARENA_H
#define NVP_SIM_ARENA_H

#include <stdint.h>

#include "core/sim/world.h"

#define NVP_ARENA_MAGIC "nvpdrive"
#define NVP_ARENA_VERSION 2
#define NVP_ARENA_SPARE_SLOTS 65536	/* of a pool, beyond the size: for writing out of place */
#define NVP_ARENA_REDO_MAX 256		/* blocks that one publish can change together */
#define NVP_ARENA_FIRMWARE_BYTES (8ULL << 20)	/* reserved for firmware images */
#define NVP_ARENA_RESERVE_BYTES (8ULL << 20)	/* persistent events (persistent_event.h) */

/* Slots of 512 and of 4096 data bytes; each pool is large enough for the whole drive. */
#define NVP_ARENA_POOLS 2
#define NVP_ARENA_META_BYTES 64		/* most metadata of a block */

/*
 * Bits 63:56 of a map entry say what a block is, bits 47:0 which slot its data are in: bit 47
 * the pool, the rest its number there.
 */
enum nvp_map_kind {
	NVP_MAP_UNWRITTEN = 0,	/* never written, or deallocated */
	NVP_MAP_DATA = 1,	/* bits 47:0: slot */
	NVP_MAP_ZERO = 2,	/* written as zeroes, no slot */
	NVP_MAP_MARKED = 3,	/* by Write Uncorrectable: cannot be read, no slot */
	NVP_MAP_PATTERN = 4,	/* by a sanitize: bits 31:0 again and again, no slot */
};
#define NVP_MAP_KIND(entry) ((enum nvp_map_kind)((entry) >> 56))
#define NVP_MAP_SLOT(entry) ((entry) & 0xffffffffffffULL)
#define NVP_MAP_ENTRY(kind, slot) ((uint64_t)(kind) << 56 | (slot))
#define NVP_SLOT_POOL(slot) ((unsigned)((slot) >> 47 & 1))
#define NVP_SLOT_NUMBER(slot) ((slot) & 0x7fffffffffffULL)
#define NVP_SLOT(pool, number) ((uint64_t)(pool) << 47 | (number))

struct nvp_arena_counter {
	uint64_t base_low, base_high;	/* fixed when the arena is made */
	uint64_t count;
	uint64_t reserved;
};

/* One of the two copies of a record; bytes follow. */
struct nvp_arena_copy {
	uint64_t generation;
	uint32_t nr_bytes;
	uint32_t crc32c;
	uint8_t bytes[NVP_NV_BYTES];
};

struct nvp_arena_record {
	uint64_t selector;		/* generation << 1 | copy that counts; 0: never committed */
	uint64_t reserved[7];
	struct nvp_arena_copy copy[2];
};

/*
 * A publish of several blocks: the entries are written, then count makes them count; they are
 * then copied to the map and count goes back to 0. Whoever finds count != 0 does the copy again.
 */
struct nvp_arena_redo {
	uint64_t count;
	uint64_t reserved[7];
	struct {
		uint64_t index, entry;
	} row[NVP_ARENA_REDO_MAX];
};

/* What is in a slot: written with the data, before the map points to it. */
struct nvp_arena_slot {
	uint64_t owner;			/* map index + 1 */
	uint32_t crc32c;		/* of the block and of its metadata */
	uint32_t meta_bytes;
	uint8_t meta[NVP_ARENA_META_BYTES];
};

/*
 * What a namespace is, in NVP_NV_NAMESPACES; never committed: as the address says. Its blocks
 * are entries (nsid - 1) * map_stride and up of the map, so it can become larger without moving.
 */
struct nvp_ns_record {
	uint64_t size_lbas;		/* NSZE; 0: not allocated */
	uint64_t capacity_lbas;		/* NCAP */
	uint64_t bytes;			/* of the drive that it takes; a format keeps them */
	uint64_t attached;		/* bit k: to the controller with CNTLID k + 1 */
	uint32_t generation;		/* creations of this NSID: identifiers are never used again */
	uint8_t format;			/* index of its LBA format */
	uint8_t meta_extended;		/* FLBAS bit 4: metadata at the end of the data */
	uint8_t pi_type, pi_first;	/* DPS */
	uint32_t write_protect;		/* Namespace Write Protection Config */
	uint8_t shared;			/* NMIC bit 0 */
	uint8_t reserved[3];
};

struct nvp_ns_table {
	struct nvp_ns_record ns[NVP_MAX_NAMESPACES];	/* ns[nsid - 1] */
};

struct nvp_arena_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;
	uint64_t total_bytes;
	uint64_t size_bytes;
	uint32_t lba_bytes;
	uint32_t nr_ns;
	char profile[32];
	char serial[24];
	uint64_t made_with_seed;
	uint64_t nr_map;		/* entries: map_stride for each NSID there can be */
	uint64_t map_stride;		/* the whole drive in blocks of 512 bytes */
	uint64_t nr_slots[NVP_ARENA_POOLS];
	uint64_t record_offset, redo_offset, firmware_offset, reserve_offset;
	uint64_t map_offset, slot_offset[NVP_ARENA_POOLS], data_offset[NVP_ARENA_POOLS];
	uint64_t ready;			/* 1: made completely */
	/* what changes */
	uint64_t now_ns;		/* the drive's clock goes on where it was */
	uint64_t slots_used[NVP_ARENA_POOLS];	/* slots handed out so far; the first ones */
	uint64_t powered;		/* 1: on, no shutdown announced: a loss is unsafe */
	/* of the address, until the namespaces are formatted in another way */
	uint8_t meta_bytes, meta_extended, pi_type, pi_first;
	uint32_t reserved_0;
	uint64_t reserved[31];
	struct nvp_arena_counter counter[NVP_NR_COUNTERS];
};

/* The handle: this process's view of the mapping. */
struct nvp_sim_arena {
	struct nvp_sim_config config;
	struct nvp_arena_header *header;	/* start of the mapping */
	struct nvp_arena_record *record;
	struct nvp_arena_redo *redo;
	uint64_t *map;
	struct nvp_arena_slot *slot[NVP_ARENA_POOLS];
	uint8_t *data[NVP_ARENA_POOLS];
	uint64_t bytes;
	int fd;
	bool in_use;				/* a world of this process runs on it */
	uint64_t *seen;				/* counters, clock, slots used at the last check */
#define NVP_ARENA_SEEN (NVP_NR_COUNTERS + 1 + NVP_ARENA_POOLS)
};

/* The store that makes a change count: all stores before it are seen first, whoever looks. */
static inline void nvp_arena_store(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline uint64_t nvp_arena_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline unsigned nvp_arena_pool_shift(unsigned pool)
{
	return pool ? 12 : 9;
}

/* Data of a slot, and what is said about them. */
static inline uint8_t *nvp_arena_data(const struct nvp_sim_arena *arena, uint64_t slot)
{
	unsigned pool = NVP_SLOT_POOL(slot);

	return arena->data[pool] + (NVP_SLOT_NUMBER(slot) << nvp_arena_pool_shift(pool));
}

static inline struct nvp_arena_slot *nvp_arena_slot(const struct nvp_sim_arena *arena,
						    uint64_t slot)
{
	return &arena->slot[NVP_SLOT_POOL(slot)][NVP_SLOT_NUMBER(slot)];
}

/* Checksum of what a slot holds. */
uint32_t nvp_arena_slot_crc(const struct nvp_sim_arena *arena, uint64_t slot);

/* The namespaces as they are now, whether the table was ever committed or not (namespace.c). */
void nvp_arena_namespaces(const struct nvp_sim_arena *arena, struct nvp_ns_table *table);

/*
 * The next part of the map from *first on that was ever written to (the rest are holes in the
 * file and read as zero): *first to *end - 1. False: there is none.
 */
bool nvp_arena_next_extent(const struct nvp_sim_arena *arena, uint64_t *first, uint64_t *end);

/* Finish a publish that a dead process left half done. */
void nvp_arena_redo_apply(struct nvp_sim_arena *arena);

/* address.c: what the address says; then defaults for what it does not say. */
int nvp_sim_address_parse(const char *address, struct nvp_sim_config *config, struct nvp_err *err);
int nvp_sim_address_finish(struct nvp_sim_config *config, uint64_t seed, unsigned position,
			   struct nvp_err *err);

/* Bits of nvp_sim_config.given: positions in nvp_sim_keys(). */
enum nvp_sim_key {
	NVP_KEY_SIZE, NVP_KEY_LBA, NVP_KEY_NS, NVP_KEY_CONTROLLERS, NVP_KEY_SEED, NVP_KEY_VWC,
	NVP_KEY_PLP, NVP_KEY_PROFILE, NVP_KEY_IMAGE, NVP_KEY_CLOCK, NVP_KEY_FTL, NVP_KEY_DEFECT,
	NVP_KEY_SERIAL, NVP_KEY_CACHE_LOSS, NVP_KEY_META, NVP_KEY_MSET, NVP_KEY_PI, NVP_KEY_PIL,
	NVP_KEY_RAIL,			/* the first of NVP_NR_RAIL_TIMES */
	NVP_NR_KEYS = NVP_KEY_RAIL + NVP_NR_RAIL_TIMES
};

static inline bool nvp_sim_given(const struct nvp_sim_config *config, enum nvp_sim_key key)
{
	return config->given >> key & 1;
}

#endif
