// SPDX-License-Identifier: GPL-2.0-or-later
// The address of a simulated drive, "sim:key=value,..", to its configuration.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/base/rand.h"
#include "core/sim/arena.h"

#define DEFAULT_SIZE_BYTES (1ULL << 30)
#define MAX_SIZE_BYTES (1ULL << 45)
#define MAX_RAIL_US (60 * 1000000ULL)

static const char *const keys[] = {
	[NVP_KEY_SIZE] = "size",
	[NVP_KEY_LBA] = "lba",
	[NVP_KEY_NS] = "ns",
	[NVP_KEY_CONTROLLERS] = "controllers",
	[NVP_KEY_SEED] = "seed",
	[NVP_KEY_VWC] = "vwc",
	[NVP_KEY_PLP] = "plp",
	[NVP_KEY_PROFILE] = "profile",
	[NVP_KEY_IMAGE] = "image",
	[NVP_KEY_CLOCK] = "clock",
	[NVP_KEY_FTL] = "ftl",
	[NVP_KEY_DEFECT] = "defect",
	[NVP_KEY_SERIAL] = "serial",
	[NVP_KEY_CACHE_LOSS] = "cache-loss",
	[NVP_KEY_META] = "meta",
	[NVP_KEY_MSET] = "mset",
	[NVP_KEY_PI] = "pi",
	[NVP_KEY_PIL] = "pil",
	[NVP_KEY_RAIL + NVP_RAIL_DETECT] = "detect-us",
	[NVP_KEY_RAIL + NVP_RAIL_DEAD] = "dead-us",
	[NVP_KEY_RAIL + NVP_RAIL_LINK_DOWN] = "link-down-us",
	[NVP_KEY_RAIL + NVP_RAIL_HOLD_UP] = "hold-up-us",
	[NVP_KEY_RAIL + NVP_RAIL_POWER_ON] = "power-on-us",
	[NVP_KEY_RAIL + NVP_RAIL_TRAIN] = "train-us",
	[NVP_NR_KEYS] = NULL,
};

const char *const *nvp_sim_keys(void)
{
	return keys;
}

static const char *name_at(const void *list, size_t i)
{
	const char *const *names = list;

	return names[i];
}

static size_t nr_names(const char *const *names)
{
	size_t nr = 0;

	while (names[nr])
		nr++;
	return nr;
}

static int find_name(const char *const *names, const char *word)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], word))
			return i;
	return -1;
}

/* The usage error of a word that is none of names: lists them, and says which is nearest. */
static int no_such(struct nvp_err *err, const char *kind, const char *const *names,
		   const char *word)
{
	const char *near = nvp_nearest(word, name_at, names, nr_names(names));
	char list[100] = "";	/* of whole names; more than that is for the help */

	for (size_t i = 0, at = 0; names[i]; i++) {
		if (at + strlen(names[i]) + sizeof(", , ..") > sizeof(list)) {
			strcpy(list + at, ", ..");
			break;
		}
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", i ? ", " : "",
				       names[i]);
	}
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "sim: no %s \"%s\"", kind, word);
	nvp_err_expected(err, "one of %s", list);
	if (near)
		nvp_err_advice(err, "did you mean \"%s\"?", near);
	return -EINVAL;
}

static int bad_value(struct nvp_err *err, const char *key, const char *value, const char *expected)
{
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "sim: %s=%s", key, value);
	nvp_err_expected(err, "%s", expected);
	return -EINVAL;
}

static int take_word(struct nvp_err *err, const char *key, const char *value,
		     const char *const *words)
{
	int i = find_name(words, value);
	char kind[40];

	if (i >= 0)
		return i;
	snprintf(kind, sizeof(kind), "value of %s", key);
	return no_such(err, kind, words, value);
}

static int take_serial(const char *value, struct nvp_sim_config *config, struct nvp_err *err)
{
	size_t length = strlen(value);

	if (!length || length > 20)
		return bad_value(err, "serial", value, "1 to 20 characters");
	for (size_t i = 0; i < length; i++)
		if (value[i] < 0x20 || value[i] > 0x7e)
			return bad_value(err, "serial", "...", "printable ASCII");
	if (value[0] == ' ' || value[length - 1] == ' ')
		return bad_value(err, "serial", value, "no space at its ends");
	memcpy(config->serial, value, length + 1);
	return 0;
}

static int take_number(enum nvp_sim_key key, const char *value, struct nvp_sim_config *config,
		       struct nvp_err *err)
{
	uint64_t number;

	switch (key) {
	case NVP_KEY_SIZE:
		if (nvp_parse_size(value, &number) || !number || number > MAX_SIZE_BYTES)
			return bad_value(err, "size", value, "a size up to 32T, such as 512M");
		config->size_bytes = number;
		return 0;
	case NVP_KEY_LBA:
		if (nvp_parse_u64(value, &number) || (number != 512 && number != 4096))
			return bad_value(err, "lba", value, "512 or 4096");
		config->lba_bytes = (uint32_t)number;
		return 0;
	case NVP_KEY_NS:
		if (nvp_parse_u64_range(value, 1, NVP_MAX_NAMESPACES, &number))
			return bad_value(err, "ns", value, "1 to 128");
		config->nr_ns = (uint32_t)number;
		return 0;
	case NVP_KEY_META:
		if (nvp_parse_u64(value, &number) || (number && number != 8 && number != 64))
			return bad_value(err, "meta", value, "0, 8 or 64");
		config->meta_bytes = (uint8_t)number;
		return 0;
	case NVP_KEY_PI:
		if (nvp_parse_u64_range(value, 0, 3, &number))
			return bad_value(err, "pi", value, "0 to 3");
		config->pi_type = (uint8_t)number;
		return 0;
	case NVP_KEY_CONTROLLERS:
		if (nvp_parse_u64_range(value, 1, 2, &number))
			return bad_value(err, "controllers", value, "1 or 2");
		config->nr_controllers = (uint32_t)number;
		return 0;
	default:
		if (nvp_parse_u64(value, &number))
			return bad_value(err, "seed", value, "a number");
		config->seed = number;
		return 0;
	}
}

/* A time of the supply in microseconds. */
static int take_rail(enum nvp_sim_key key, const char *value, struct nvp_sim_config *config,
		     struct nvp_err *err)
{
	uint64_t us;

	if (nvp_parse_u64_range(value, 0, MAX_RAIL_US, &us))
		return bad_value(err, keys[key], value, "microseconds up to 60000000");
	config->rail_ns[key - NVP_KEY_RAIL] = us * NVP_NS_PER_US;
	return 0;
}

static int take_key(enum nvp_sim_key key, const char *value, struct nvp_sim_config *config,
		    struct nvp_err *err)
{
	static const char *const loss[] = { "subset", "all", "newest", NULL };
	static const char *const vwc[] = { "absent", "off", "on", NULL };
	static const char *const on_off[] = { "off", "on", NULL };
	static const char *const clocks[] = { "virtual", "real", NULL };
	int i;

	switch (key) {
	case NVP_KEY_VWC:
		i = take_word(err, "vwc", value, vwc);
		config->vwc = i < 0 ? NVP_VWC_ABSENT : (enum nvp_vwc)i;
		return i < 0 ? i : 0;
	case NVP_KEY_PLP:
		i = take_word(err, "plp", value, on_off);
		config->plp = i == 1;
		return i < 0 ? i : 0;
	case NVP_KEY_MSET:
		i = take_word(err, "mset", value, on_off);
		config->meta_extended = i == 1;
		return i < 0 ? i : 0;
	case NVP_KEY_PIL:
		i = take_word(err, "pil", value, on_off);
		config->pi_first = i == 1;
		return i < 0 ? i : 0;
	case NVP_KEY_PROFILE:
		config->profile = nvp_profile_find(value);
		return config->profile ? 0 : no_such(err, "profile", nvp_sim_profiles(), value);
	case NVP_KEY_IMAGE:
		if (!*value || strlen(value) >= sizeof(config->image))
			return bad_value(err, "image", value, "a file name below 512 characters");
		strcpy(config->image, value);
		return 0;
	case NVP_KEY_CLOCK:
		i = take_word(err, "clock", value, clocks);
		config->real_clock = i == 1;
		return i < 0 ? i : 0;
	case NVP_KEY_FTL:
		if (strcmp(value, "off"))
			return bad_value(err, "ftl", value,
					 "off (flash translation is not offered)");
		return 0;
	case NVP_KEY_DEFECT:
		return nvp_defect_add(&config->defects, value, err);
	case NVP_KEY_SERIAL:
		return take_serial(value, config, err);
	case NVP_KEY_CACHE_LOSS:
		i = take_word(err, "cache-loss", value, loss);
		config->cache_loss = i < 0 ? NVP_LOSS_SUBSET : (enum nvp_cache_loss)i;
		return i < 0 ? i : 0;
	default:
		return key >= NVP_KEY_RAIL ? take_rail(key, value, config, err) :
		       take_number(key, value, config, err);
	}
}

static int take_pair(char *pair, struct nvp_sim_config *config, struct nvp_err *err)
{
	char *key, *value;
	int i;

	nvp_split_pair(pair, &key, &value);
	i = find_name(keys, key);
	if (i < 0)
		return no_such(err, "key", keys, key);
	if (!value)
		return bad_value(err, key, "", "a value after \"=\"");
	if (i != NVP_KEY_DEFECT && nvp_sim_given(config, (enum nvp_sim_key)i))
		return bad_value(err, key, value, "each key but defect at most once");
	config->given |= 1U << i;
	return take_key((enum nvp_sim_key)i, value, config, err);
}

/* What a defect needs of the drive to show (a second namespace, no cache), where the user left it open. */
static int take_shapes(struct nvp_sim_config *config, struct nvp_err *err)
{
	for (unsigned i = 0; i < config->defects.nr; i++) {
		const char *shape = nvp_sim_defects()[config->defects.active[i].row].shape;
		char copy[64], *rest = copy, *pair;

		snprintf(copy, sizeof(copy), "%s", shape ? shape : "");
		while (*rest && (pair = strsep(&rest, ","))) {
			char name[16];
			int key, rc;

			snprintf(name, sizeof(name), "%.*s", (int)strcspn(pair, "="), pair);
			key = find_name(keys, name);
			rc = key >= 0 && nvp_sim_given(config, (enum nvp_sim_key)key) ?
			     0 : take_pair(pair, config, err);
			if (rc)
				return rc;
			if (!rest)
				break;
		}
	}
	return 0;
}

int nvp_sim_address_parse(const char *address, struct nvp_sim_config *config, struct nvp_err *err)
{
	char copy[2048];
	char *rest, *pair;

	memset(config, 0, sizeof(*config));
	if (strncmp(address, "sim:", 4) || strlen(address) >= sizeof(copy)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "address of a simulated drive");
		nvp_err_expected(err, "sim:key=value,... of less than 2048 characters");
		nvp_err_seen(err, "%s", address);
		return -EINVAL;
	}
	strcpy(copy, address + 4);
	rest = copy;
	while (*rest && (pair = strsep(&rest, ","))) {
		int rc = take_pair(pair, config, err);

		if (rc)
			return rc;
		if (!rest)
			break;
	}
	return take_shapes(config, err);
}

/* The serial number of an unnamed drive: profile, seed and place, as one fixed word. */
static void default_serial(struct nvp_sim_config *config, uint64_t seed, unsigned position)
{
	uint64_t word = nvp_rand(seed, "serial", position, config->profile->name[0]);

	snprintf(config->serial, sizeof(config->serial), "NVP%c%010" PRIX64 "%04X",
		 config->profile->name[0] - 'a' + 'A', nvp_bits(word, 0, 40), position & 0xffff);
}

/* Protection information needs eight bytes of metadata, and both a format that the drive has. */
static int finish_format(struct nvp_sim_config *config, struct nvp_err *err)
{
	const struct nvp_sim_lba_format *f;
	char seen[40];

	if (config->pi_type && !config->meta_bytes && !nvp_sim_given(config, NVP_KEY_META))
		config->meta_bytes = 8;
	if (!config->meta_bytes && (config->pi_type || config->meta_extended || config->pi_first))
		return bad_value(err, "meta", "0", "8 or 64 with pi, pil or mset");
	for (unsigned i = 0; (f = nvp_sim_format(config, i)); i++)
		if (1u << f->lba_shift == config->lba_bytes && f->meta_bytes == config->meta_bytes)
			return 0;
	snprintf(seen, sizeof(seen), "%u,lba=%u", config->meta_bytes, config->lba_bytes);
	return bad_value(err, "meta", seen, "a format of the profile: 0 with any lba; of enterprise "
			 "8 with any, 64 with lba=4096");
}

int nvp_sim_address_finish(struct nvp_sim_config *config, uint64_t seed, unsigned position,
			   struct nvp_err *err)
{
	uint64_t share;

	if (!config->profile)
		config->profile = nvp_profile_find("enterprise");
	if (!config->size_bytes)
		config->size_bytes = DEFAULT_SIZE_BYTES;
	if (!config->lba_bytes)
		config->lba_bytes = 512;
	if (!config->nr_ns)
		config->nr_ns = 1;
	if (!config->nr_controllers)
		config->nr_controllers = 1;
	if (!nvp_sim_given(config, NVP_KEY_SEED))
		config->seed = seed;
	if (!nvp_sim_given(config, NVP_KEY_VWC))
		config->vwc = config->profile->vwc ? NVP_VWC_ON : NVP_VWC_ABSENT;
	if (!nvp_sim_given(config, NVP_KEY_PLP))
		config->plp = config->profile->plp;
	for (unsigned i = 0; i < NVP_NR_RAIL_TIMES; i++)
		if (!nvp_sim_given(config, (enum nvp_sim_key)(NVP_KEY_RAIL + i)))
			config->rail_ns[i] = config->profile->rail_ns[i];
	if (!config->serial[0])
		default_serial(config, config->seed, position);

	if (config->size_bytes % config->lba_bytes) {
		char seen[32];

		snprintf(seen, sizeof(seen), "%" PRIu64, config->size_bytes);
		return bad_value(err, "size", seen, config->lba_bytes == 512 ?
				 "a multiple of the block, 512" : "a multiple of the block, 4096");
	}
	if (config->nr_ns > config->profile->max_namespaces) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "sim: ns=%u", config->nr_ns);
		nvp_err_expected(err, "at most %u in profile %s", config->profile->max_namespaces,
				 config->profile->name);
		return -EINVAL;
	}
	if (finish_format(config, err))
		return -EINVAL;
	share = config->size_bytes / config->lba_bytes / config->nr_ns;
	if (share < 256) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "sim: size=%" PRIu64, config->size_bytes);
		nvp_err_expected(err, "at least 256 blocks for each namespace");
		return -EINVAL;
	}
	return 0;
}
