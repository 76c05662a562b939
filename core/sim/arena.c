// SPDX-License-Identifier: GPL-2.0-or-later
// What survives power loss: made or opened, mapped shared, and checked.

#include "core/sim/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"

#define PAGE 4096ULL

static uint64_t page_up(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(PAGE - 1);
}

/* The layout that a configuration leads to, in a header that is otherwise empty. */
static void plan_layout(const struct nvp_sim_config *config, struct nvp_arena_header *h)
{
	uint64_t at;

	memset(h, 0, sizeof(*h));
	memcpy(h->magic, NVP_ARENA_MAGIC, sizeof(h->magic));
	h->version = NVP_ARENA_VERSION;
	h->header_bytes = sizeof(*h);
	h->size_bytes = config->size_bytes;
	h->lba_bytes = config->lba_bytes;
	h->meta_bytes = config->meta_bytes;
	h->meta_extended = config->meta_extended;
	h->pi_type = config->pi_type;
	h->pi_first = config->pi_first;
	h->nr_ns = config->nr_ns;
	strncpy(h->profile, config->profile->name, sizeof(h->profile) - 1);
	memcpy(h->serial, config->serial, sizeof(config->serial));
	h->made_with_seed = config->seed;
	h->map_stride = (config->size_bytes + nvp_sim_spare_bytes(config)) >>
			nvp_arena_pool_shift(0);
	h->nr_map = h->map_stride * config->profile->max_namespaces;

	at = page_up(sizeof(*h));
	h->record_offset = at;
	at = page_up(at + NVP_NR_NV_REGIONS * sizeof(struct nvp_arena_record));
	h->redo_offset = at;
	at = page_up(at + sizeof(struct nvp_arena_redo));
	h->firmware_offset = at;
	at += NVP_ARENA_FIRMWARE_BYTES;
	h->reserve_offset = at;
	at += NVP_ARENA_RESERVE_BYTES;
	h->map_offset = at;
	at = page_up(at + h->nr_map * sizeof(uint64_t));
	for (unsigned pool = 0; pool < NVP_ARENA_POOLS; pool++) {
		h->nr_slots[pool] = ((config->size_bytes + nvp_sim_spare_bytes(config)) >>
				     nvp_arena_pool_shift(pool)) + NVP_ARENA_SPARE_SLOTS;
		h->slot_offset[pool] = at;
		at = page_up(at + h->nr_slots[pool] * sizeof(struct nvp_arena_slot));
		h->data_offset[pool] = at;
		at = page_up(at + (h->nr_slots[pool] << nvp_arena_pool_shift(pool)));
	}
	h->total_bytes = at;
}

static int broken(struct nvp_err *err, int code, const char *what, const char *image)
{
	nvp_err_set(err, NVP_ERR_BROKEN, -code, "%s%s%s", what, *image ? " " : "", image);
	nvp_err_seen(err, "%s", strerror(code));
	return -code;
}

static int refuse_image(struct nvp_err *err, const char *image, const char *expected,
			const char *seen)
{
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "image %s", image);
	nvp_err_expected(err, "%s", expected);
	nvp_err_seen(err, "%s", seen);
	return -EINVAL;
}

/* The geometry of an existing image stands where the address is silent, and must be equal else. */
static int adopt(struct nvp_sim_config *config, const struct nvp_arena_header *h,
		 struct nvp_err *err)
{
	char seen[120];
	const struct nvp_profile *profile = nvp_profile_find(h->profile);

	if (!profile)
		return refuse_image(err, config->image, "a profile that is known", h->profile);
	if (nvp_sim_given(config, NVP_KEY_PROFILE) && config->profile != profile)
		return refuse_image(err, config->image, config->profile->name, h->profile);
	config->profile = profile;
	if ((nvp_sim_given(config, NVP_KEY_SIZE) && config->size_bytes != h->size_bytes) ||
	    (nvp_sim_given(config, NVP_KEY_LBA) && config->lba_bytes != h->lba_bytes) ||
	    (nvp_sim_given(config, NVP_KEY_NS) && config->nr_ns != h->nr_ns) ||
	    (nvp_sim_given(config, NVP_KEY_META) && config->meta_bytes != h->meta_bytes) ||
	    (nvp_sim_given(config, NVP_KEY_MSET) && config->meta_extended != h->meta_extended) ||
	    (nvp_sim_given(config, NVP_KEY_PI) && config->pi_type != h->pi_type) ||
	    (nvp_sim_given(config, NVP_KEY_PIL) && config->pi_first != h->pi_first)) {
		snprintf(seen, sizeof(seen),
			 "size=%" PRIu64 ",lba=%u,ns=%u,meta=%u,mset=%s,pi=%u,pil=%s",
			 h->size_bytes, h->lba_bytes, h->nr_ns, h->meta_bytes,
			 h->meta_extended ? "on" : "off", h->pi_type, h->pi_first ? "on" : "off");
		return refuse_image(err, config->image, "the geometry of the address", seen);
	}
	config->size_bytes = h->size_bytes;
	config->lba_bytes = h->lba_bytes;
	config->nr_ns = h->nr_ns;
	config->meta_bytes = h->meta_bytes;
	config->meta_extended = h->meta_extended;
	config->pi_type = h->pi_type;
	config->pi_first = h->pi_first;
	if (nvp_sim_given(config, NVP_KEY_SERIAL) && strcmp(config->serial, h->serial))
		return refuse_image(err, config->image, config->serial, h->serial);
	memcpy(config->serial, h->serial, sizeof(config->serial));
	return 0;
}

/* Look into an image that is not empty, before the defaults are applied. */
static int peek(struct nvp_sim_arena *arena, struct nvp_arena_header *h, struct nvp_err *err)
{
	const char *image = arena->config.image;
	ssize_t got = pread(arena->fd, h, sizeof(*h), 0);
	struct stat st;
	char seen[40];

	if (got < 0 || fstat(arena->fd, &st))
		return broken(err, errno, "read image", image);
	if (got < 12 || memcmp(h->magic, NVP_ARENA_MAGIC, sizeof(h->magic)))
		return refuse_image(err, image, "an image of a simulated drive, or a new file",
				    "a file with something else in it");
	if (h->version != NVP_ARENA_VERSION) {
		snprintf(seen, sizeof(seen), "version %u", h->version);
		return refuse_image(err, image, "image version 2", seen);
	}
	h->serial[20] = 0;
	h->profile[sizeof(h->profile) - 1] = 0;
	if (got != sizeof(*h) || !h->ready || (uint64_t)st.st_size != h->total_bytes ||
	    (h->lba_bytes != 512 && h->lba_bytes != 4096) || !h->nr_ns ||
	    h->nr_ns > NVP_MAX_NAMESPACES || !h->serial[0])
		return refuse_image(err, image, "a whole image", "one cut or never finished");
	return adopt(&arena->config, h, err);
}

static int open_file(struct nvp_sim_arena *arena, bool *exists, struct nvp_err *err)
{
	const char *image = arena->config.image;
	struct stat st;

	*exists = false;
	if (!*image) {
		arena->fd = memfd_create("nvproof-sim", MFD_CLOEXEC);
		return arena->fd < 0 ? broken(err, errno, "memory of the simulated drive", "") : 0;
	}
	arena->fd = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (arena->fd < 0)
		return broken(err, errno, "open image", image);
	if (flock(arena->fd, LOCK_EX | LOCK_NB)) {
		nvp_err_set(err, NVP_ERR_BROKEN, -EBUSY, "image %s", image);
		nvp_err_seen(err, "another process is using it");
		return -EBUSY;
	}
	if (fstat(arena->fd, &st))
		return broken(err, errno, "open image", image);
	if (!S_ISREG(st.st_mode))
		return refuse_image(err, image, "a regular file", "something else");
	*exists = st.st_size > 0;
	return 0;
}

static int map_file(struct nvp_sim_arena *arena, const struct nvp_arena_header *plan, bool exists,
		    struct nvp_err *err)
{
	uint8_t *base;

	if (!exists && ftruncate(arena->fd, (off_t)plan->total_bytes))
		return broken(err, errno, "size of the simulated drive", arena->config.image);
	base = mmap(NULL, plan->total_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
		    arena->fd, 0);
	if (base == MAP_FAILED)
		return broken(err, errno, "map the simulated drive", arena->config.image);
	arena->bytes = plan->total_bytes;
	arena->header = (struct nvp_arena_header *)base;
	arena->record = (struct nvp_arena_record *)(base + plan->record_offset);
	arena->redo = (struct nvp_arena_redo *)(base + plan->redo_offset);
	arena->map = (uint64_t *)(base + plan->map_offset);
	for (unsigned pool = 0; pool < NVP_ARENA_POOLS; pool++) {
		arena->slot[pool] = (struct nvp_arena_slot *)(base + plan->slot_offset[pool]);
		arena->data[pool] = base + plan->data_offset[pool];
	}
	if (!exists) {
		*arena->header = *plan;
		nvp_arena_store(&arena->header->ready, 1);
	}
	return 0;
}

static int build(struct nvp_sim_arena *arena, const char *address, uint64_t seed,
		 unsigned position, struct nvp_err *err)
{
	struct nvp_arena_header found, plan;
	bool exists;
	int rc;

	rc = nvp_sim_address_parse(address, &arena->config, err);
	if (!rc)
		rc = open_file(arena, &exists, err);
	if (!rc && exists)
		rc = peek(arena, &found, err);
	if (!rc)
		rc = nvp_sim_address_finish(&arena->config, seed, position, err);
	if (rc)
		return rc;
	plan_layout(&arena->config, &plan);
	if (exists && (plan.total_bytes != found.total_bytes ||
		       memcmp(&plan.nr_map, &found.nr_map,
			      offsetof(struct nvp_arena_header, ready) -
			      offsetof(struct nvp_arena_header, nr_map))))
		return refuse_image(err, arena->config.image, "the layout of this version",
				    "another layout");
	return map_file(arena, &plan, exists, err);
}

struct nvp_sim_arena *nvp_sim_arena_new(const char *address, uint64_t seed, unsigned position,
					struct nvp_err *err)
{
	struct nvp_sim_arena *arena = calloc(1, sizeof(*arena));

	if (arena)
		arena->seen = calloc(NVP_ARENA_SEEN, sizeof(*arena->seen));
	if (!arena || !arena->seen) {
		free(arena);
		broken(err, ENOMEM, "make the simulated drive", "");
		return NULL;
	}
	arena->fd = -1;
	if (build(arena, address, seed, position, err)) {
		nvp_sim_arena_free(arena);
		return NULL;
	}
	return arena;
}

void nvp_sim_arena_free(struct nvp_sim_arena *arena)
{
	if (!arena)
		return;
	if (arena->header)
		munmap(arena->header, arena->bytes);
	if (arena->fd >= 0)
		close(arena->fd);
	free(arena->seen);
	free(arena);
}

const char *nvp_sim_arena_serial(const struct nvp_sim_arena *arena)
{
	return arena->config.serial;
}

const char *nvp_sim_arena_model(const struct nvp_sim_arena *arena)
{
	return arena->config.profile->model;
}

void nvp_arena_redo_apply(struct nvp_sim_arena *arena)
{
	uint64_t count = nvp_arena_load(&arena->redo->count);

	if (!count)
		return;
	for (uint64_t i = 0; i < count && i < NVP_ARENA_REDO_MAX; i++)
		nvp_arena_store(&arena->map[arena->redo->row[i].index], arena->redo->row[i].entry);
	nvp_arena_store(&arena->redo->count, 0);
}

uint32_t nvp_arena_slot_crc(const struct nvp_sim_arena *arena, uint64_t slot)
{
	const struct nvp_arena_slot *s = nvp_arena_slot(arena, slot);
	size_t bytes = (size_t)1 << nvp_arena_pool_shift(NVP_SLOT_POOL(slot));
	uint32_t crc = nvp_crc32c(nvp_arena_data(arena, slot), bytes);

	return s->meta_bytes ? crc ^ nvp_crc32c(s->meta, s->meta_bytes) : crc;
}

bool nvp_arena_next_extent(const struct nvp_sim_arena *arena, uint64_t *first, uint64_t *end)
{
	const struct nvp_arena_header *h = arena->header;
	uint64_t map_end = h->map_offset + h->nr_map * sizeof(uint64_t);
	uint64_t at = h->map_offset + *first * sizeof(uint64_t);
	off_t data, hole;

	if (at >= map_end)
		return false;
	data = lseek(arena->fd, (off_t)at, SEEK_DATA);
	if (data < 0 || (uint64_t)data >= map_end)
		return false;
	hole = lseek(arena->fd, data, SEEK_HOLE);
	if (hole < 0 || (uint64_t)hole > map_end)
		hole = (off_t)map_end;
	*first = ((uint64_t)data - h->map_offset) / sizeof(uint64_t);
	*end = ((uint64_t)hole - h->map_offset) / sizeof(uint64_t);
	return true;
}
