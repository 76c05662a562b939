// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses of simulated drives, and images that are opened again.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvproof/build.h>

#include "core/base/bits.h"
#include "core/sim/arena.h"
#include "tests/unit/sim_host.h"
#include "tests/unit/unit.h"

/* The one line of the error; "" when the address is good. */
static const char *error_of(const char *address)
{
	static char text[600];
	struct nvp_err err = { 0 };
	struct nvp_sim_arena *arena = nvp_sim_arena_new(address, 1, 0, &err);

	nvp_sim_arena_free(arena);
	CU_ASSERT_EQUAL(arena == NULL, err.code != 0);
	if (!err.code)
		return "";
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	nvp_err_text(&err, text, sizeof(text));
	CU_ASSERT_PTR_NULL(strchr(text, '\n'));
	return text;
}

static bool says(const char *address, const char *words)
{
	const char *text = error_of(address);

	if (strstr(text, words))
		return true;
	printf("%s: %s\n", address, text);
	return false;
}

static void good_addresses(void)
{
	static const char *const good[] = {
		"sim:", "sim:size=1M", "sim:size=1M,lba=4096", "sim:ns=2", "sim:vwc=on",
		"sim:vwc=off", "sim:vwc=absent", "sim:plp=on,profile=minimal", "sim:controllers=1",
		"sim:ftl=off", "sim:clock=virtual", "sim:seed=0x10", "sim:serial=ABC 12",
		"sim:size=4T", "sim:ns=16,size=16M",
		"sim:detect-us=0,dead-us=100,link-down-us=90,power-on-us=1,train-us=60000000",
		"sim:plp=on,hold-up-us=500", "sim:cache-loss=all", "sim:cache-loss=newest",
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(good); i++)
		CU_ASSERT_STRING_EQUAL(error_of(good[i]), "");
}

static void bad_addresses_name_what_is_wrong(void)
{
	CU_ASSERT_TRUE(says("sim:szie=1G", "\"size\""));
	CU_ASSERT_TRUE(says("sim:szie=1G", "szie"));
	CU_ASSERT_TRUE(says("sim:profile=minmal", "\"minimal\""));
	CU_ASSERT_TRUE(says("sim:profile=cliant", "client"));
	CU_ASSERT_TRUE(says("sim:vwc=abscent", "\"absent\""));
	CU_ASSERT_TRUE(says("sim:plp=maybe", "plp"));
	CU_ASSERT_TRUE(says("sim:clock=wall", "clock"));
	CU_ASSERT_TRUE(says("sim:hold-up-us=60000001", "hold-up-us=60000001"));
	CU_ASSERT_TRUE(says("sim:dead-us=5ms", "microseconds"));
	CU_ASSERT_TRUE(says("sim:dead-us=1,dead-us=2", "once"));
	CU_ASSERT_TRUE(says("sim:cache-loss=newst", "\"newest\""));
	CU_ASSERT_TRUE(says("sim:lba=520", "lba=520"));
	CU_ASSERT_TRUE(says("sim:size=1000", "multiple"));
	CU_ASSERT_TRUE(says("sim:size=1536K,lba=4096,size=2M", "once"));
	CU_ASSERT_TRUE(says("sim:size=1025K,lba=4096", "multiple"));
	CU_ASSERT_TRUE(says("sim:size=0", "size"));
	CU_ASSERT_TRUE(says("sim:size=1Q", "size=1Q"));
	CU_ASSERT_TRUE(says("sim:ns=0", "ns=0"));
	CU_ASSERT_TRUE(says("sim:ns=17", "16"));
	CU_ASSERT_TRUE(says("sim:ns=2,profile=minimal", "at most 1"));
	CU_ASSERT_TRUE(says("sim:size=64K", "256 blocks"));
	CU_ASSERT_TRUE(says("sim:controllers=3", "controllers"));
	CU_ASSERT_TRUE(says("sim:ftl=on", "ftl"));
	CU_ASSERT_TRUE(says("sim:size", "size"));
	CU_ASSERT_TRUE(says("sim:,size=1M", "no key"));
	CU_ASSERT_TRUE(says("sim:seed=abc", "seed"));
	CU_ASSERT_TRUE(says("sim:serial=123456789012345678901", "serial"));
	CU_ASSERT_TRUE(says("sim:serial=", "serial"));
	CU_ASSERT_TRUE(says("sim:image=", "image"));
	CU_ASSERT_TRUE(says("simm:", "simm:"));
	CU_ASSERT_TRUE(says("sim:defect=identify-list-unsortet", "identify"));
}

static void serials_are_made_of_profile_seed_and_position(void)
{
	static const struct { const char *address; uint64_t seed; unsigned position; } made[] = {
		{ "sim:", 1, 0 }, { "sim:", 1, 1 }, { "sim:", 2, 0 },
		{ "sim:profile=minimal", 1, 0 },
		{ "sim:seed=9", 1, 0 }, { "sim:seed=9", 1, 1 },
	};
	char serial[NVP_ARRAY_SIZE(made)][24];

	for (size_t i = 0; i < NVP_ARRAY_SIZE(made); i++) {
		struct nvp_sim_arena *a = nvp_sim_arena_new(made[i].address, made[i].seed,
							    made[i].position, NULL);

		CU_ASSERT_PTR_NOT_NULL_FATAL(a);
		snprintf(serial[i], sizeof(serial[i]), "%s", nvp_sim_arena_serial(a));
		CU_ASSERT_TRUE(strlen(serial[i]) > 0 && strlen(serial[i]) <= 20);
		nvp_sim_arena_free(a);
		for (size_t j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(serial[i], serial[j]);
	}
	for (unsigned seed = 1; seed <= 2; seed++) {
		struct nvp_sim_arena *a = nvp_sim_arena_new("sim:seed=9", seed, 0, NULL);

		CU_ASSERT_STRING_EQUAL(nvp_sim_arena_serial(a), serial[4]);
		nvp_sim_arena_free(a);
	}
}

/* ---- images ---- */

static char folder[64], file[80], address[200];

static const char *with_image(const char *keys)
{
	snprintf(address, sizeof(address), "sim:image=%s%s%s", file, *keys ? "," : "", keys);
	return address;
}

static bool make_folder(void)
{
	strcpy(folder, "/tmp/nvproof-unit-XXXXXX");
	if (!mkdtemp(folder)) {
		CU_FAIL("no folder");
		return false;
	}
	snprintf(file, sizeof(file), "%s/drive", folder);
	return true;
}

static void remove_folder(void)
{
	unlink(file);
	rmdir(folder);
}

static void an_image_is_the_same_drive_again(void)
{
	struct sim_host h = { 0 };
	struct stat st;
	uint64_t now;
	char serial[24];

	if (!make_folder())
		return;
	if (sim_host_open(&h, with_image("size=64M,ns=2"))) {
		snprintf(serial, sizeof(serial), "%s", nvp_sim_arena_serial(h.arena));
		memset(h.data, 0x42, 4096);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_write(2, 9, 7, 512))), 0);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_flush(2))), 0);
		now = h.arena->header->now_ns;
		sim_host_close(&h);
		CU_ASSERT_EQUAL(stat(file, &st), 0);
		CU_ASSERT_TRUE(st.st_size > 64 << 20);
		CU_ASSERT_TRUE(st.st_blocks * 512 < 1 << 20);	/* as small as what was written */

		CU_ASSERT_TRUE_FATAL(sim_host_open(&h, with_image("")));
		CU_ASSERT_STRING_EQUAL(nvp_sim_arena_serial(h.arena), serial);
		CU_ASSERT_EQUAL(h.arena->config.nr_ns, 2);
		CU_ASSERT_EQUAL(h.arena->config.size_bytes, 64 << 20);
		CU_ASSERT_TRUE(h.arena->header->now_ns >= now);
		memset(h.data, 0, 4096);
		CU_ASSERT_EQUAL(sim_host_status(sim_host_io(&h, nvp_build_read(2, 9, 7, 512))), 0);
		CU_ASSERT_EQUAL(h.data[0], 0x42);
		CU_ASSERT_EQUAL(h.data[4095], 0x42);
		CU_ASSERT_EQUAL(nvp_sim_arena_check(h.arena, NULL), 0);
	}
	sim_host_close(&h);
	remove_folder();
}

static void an_image_that_does_not_fit_is_refused(void)
{
	struct nvp_sim_arena *a;
	FILE *f;

	if (!make_folder())
		return;
	a = nvp_sim_arena_new(with_image("size=64M"), 1, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL(a);
	nvp_sim_arena_free(a);
	CU_ASSERT_STRING_EQUAL(error_of(with_image("size=64M,lba=512,ns=1")), "");
	CU_ASSERT_TRUE(says(with_image("size=32M"), "size=67108864,lba=512,ns=1"));
	CU_ASSERT_TRUE(says(with_image("lba=4096"), "lba=512"));
	CU_ASSERT_TRUE(says(with_image("ns=2"), "ns=1"));
	CU_ASSERT_TRUE(says(with_image("profile=minimal"), "enterprise"));
	CU_ASSERT_TRUE(says(with_image("serial=OTHER"), "OTHER"));

	f = fopen(file, "r+");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fseek(f, 8, SEEK_SET);
	fputc(99, f);
	fclose(f);
	CU_ASSERT_TRUE(says(with_image(""), "version 99"));
	CU_ASSERT_EQUAL(truncate(file, 100), 0);
	CU_ASSERT_TRUE(says(with_image(""), file));
	f = fopen(file, "w");
	fputs("something else of a certain length", f);
	fclose(f);
	CU_ASSERT_TRUE(says(with_image(""), "something else"));
	CU_ASSERT_EQUAL(truncate(file, 0), 0);	/* an empty file becomes a drive */
	CU_ASSERT_STRING_EQUAL(error_of(with_image("size=1M")), "");
	remove_folder();
}

static void an_image_in_use_is_refused(void)
{
	struct nvp_err err = { 0 };
	struct nvp_sim_arena *a;
	int status = 0;
	pid_t pid;

	if (!make_folder())
		return;
	a = nvp_sim_arena_new(with_image("size=64M"), 1, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(a);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		struct nvp_sim_arena *second = nvp_sim_arena_new(address, 1, 0, &err);

		_exit(second ? 1 : err.code == -EBUSY && err.kind == NVP_ERR_BROKEN ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_PTR_NULL(nvp_sim_arena_new(address, 1, 0, NULL));
	nvp_sim_arena_free(a);
	a = nvp_sim_arena_new(address, 1, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL(a);
	nvp_sim_arena_free(a);
	remove_folder();
}

static void one_world_at_a_time(void)
{
	struct nvp_sim_arena *a = nvp_sim_arena_new("sim:size=1M", 1, 0, NULL);
	struct nvp_err err = { 0 };
	struct nvp_sim *w;

	CU_ASSERT_PTR_NOT_NULL_FATAL(a);
	w = nvp_sim_new(a, NULL);
	CU_ASSERT_PTR_NOT_NULL(w);
	CU_ASSERT_PTR_NULL(nvp_sim_new(a, &err));
	CU_ASSERT_EQUAL(err.code, -EBUSY);
	nvp_sim_free(w);
	w = nvp_sim_new(a, NULL);
	CU_ASSERT_PTR_NOT_NULL(w);
	nvp_sim_free(w);
	nvp_sim_arena_free(a);
}

CU_TestInfo nvp_unit_sim_address[] = {
	{ "good addresses", good_addresses },
	{ "bad addresses name what is wrong", bad_addresses_name_what_is_wrong },
	{ "serials are made of profile, seed and position",
	  serials_are_made_of_profile_seed_and_position },
	{ "an image is the same drive again", an_image_is_the_same_drive_again },
	{ "an image that does not fit is refused", an_image_that_does_not_fit_is_refused },
	{ "an image in use is refused", an_image_in_use_is_refused },
	{ "one world at a time", one_world_at_a_time },
	CU_TEST_INFO_NULL,
};
