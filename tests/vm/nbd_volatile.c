// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A disk with a volatile cache, as a plugin of nbdkit: what was written and not flushed is dropped in part
 * when its power is cut. Behind QEMU's drive it is what QEMU's drive lacks. It is told through a socket,
 * one word a line, each answered with a line:
 *   freeze      requests that come are held, none is answered; hold= seconds later they fail
 *   cut SEED    of each unit written and not flushed, the new or the old content; what is held fails
 *   thaw        back to work
 *   fault NAME  from here on, as the parameter
 *   held        "ok" while a request is held, "none" else
 * They fail, and are not held for ever, because QEMU waits for them when its slot loses power, with all of the
 * guest standing still; by then nothing of the drive reaches the guest any more, and before that an error
 * acknowledges nothing.
 *
 * The order is freeze, power off, cut, power on, thaw (off and on by whoever switches the drive): with power
 * still there a dropped write could have been acknowledged, and the disk would lose what it may not.
 *
 * Parameters: file= (its bytes are the disk), control= (path of the socket), unit= (bytes that a cut leaves
 * whole: those of a logical block), hold= (seconds: 1), fault= (none unless said):
 *   drops     a flush leaves one unit in eight behind
 *   tears     a cut goes through units, at 512 bytes
 *   old       after a cut one flushed unit in eight is as it was before its last flush
 *   misplaces one write in sixteen goes one unit further, after the next cut
 */
#define NBDKIT_API_VERSION 2
#define THREAD_MODEL	   NBDKIT_THREAD_MODEL_PARALLEL
#include <nbdkit-plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define SECTOR 512u

enum fault { NONE = 0, DROPS, TEARS, OLD, MISPLACES };

static char *file_path, *control_path;
static enum fault fault;
static uint32_t unit = SECTOR, hold_s = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool frozen;
static struct timespec frozen_until; /* then what is held fails, and what comes */
static unsigned held;
static uint64_t cuts; /* a held request that meets a later number was held over a cut */
static uint64_t writes, flushes;
static uint64_t fault_cuts; /* how many there had been when the fault was asked for */

/* The disk three times: as it is read, as it is after a loss of power, and before the last flush. */
static uint8_t *current, *stable, *before;
static uint8_t *dirty; /* of each sector */
static uint64_t disk_bytes;

/* Keyed, so that a run with one seed is the same each time. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u);

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* ---- parameters ---- */

static bool take_fault(const char *word)
{
	static const char *const faults[] = { "none", "drops", "tears", "old", "misplaces" };

	for (unsigned i = NONE; i <= MISPLACES; i++) {
		if (strcmp(faults[i], word))
			continue;
		fault = (enum fault)i;
		fault_cuts = cuts;
		return true;
	}
	return false;
}

static int take_config(const char *key, const char *value)
{
	if (!strcmp(key, "file"))
		file_path = nbdkit_realpath(value);
	else if (!strcmp(key, "control"))
		control_path = nbdkit_absolute_path(value);
	else if (!strcmp(key, "unit"))
		return nbdkit_parse_uint32_t("unit", value, &unit);
	else if (!strcmp(key, "hold"))
		return nbdkit_parse_uint32_t("hold", value, &hold_s);
	else if (!strcmp(key, "fault")) {
		if (take_fault(value))
			return 0;
		nbdkit_error("fault=%s: none, drops, tears, old or misplaces", value);
		return -1;
	} else {
		nbdkit_error("no parameter %s", key);
		return -1;
	}
	return 0;
}

static int config_complete(void)
{
	if (file_path && control_path && unit >= SECTOR && !(unit % SECTOR))
		return 0;
	nbdkit_error("give file=, control=, and unit= as a multiple of 512");
	return -1;
}

/* ---- the cut ---- */

static void put_back(uint64_t at, uint32_t bytes, const uint8_t *from)
{
	memcpy(stable + at, from + at, bytes);
}

static void cut(uint64_t seed)
{
	uint32_t grain = fault == TEARS ? SECTOR : unit;

	for (uint64_t at = 0; at < disk_bytes; at += grain) {
		bool any = false;

		for (uint32_t i = 0; i < grain; i += SECTOR)
			any |= dirty[(at + i) / SECTOR];
		if (any && mix(seed, at) & 1)
			put_back(at, grain, current);
		else if (!any && fault == OLD && memcmp(stable + at, before + at, grain) &&
			 !(mix(seed + 1, at) & 7))
			put_back(at, grain, before);
	}
	memcpy(current, stable, disk_bytes);
	memset(dirty, 0, disk_bytes / SECTOR);
	cuts++;
}

static const char *obey(const char *line)
{
	uint64_t seed;

	if (!strcmp(line, "held"))
		return held ? "ok" : "none";
	if (!strcmp(line, "freeze")) {
		clock_gettime(CLOCK_REALTIME, &frozen_until);
		frozen_until.tv_sec += hold_s;
		frozen = true;
	} else if (!strcmp(line, "thaw")) {
		frozen = false;
	} else if (sscanf(line, "cut %lu", &seed) == 1 && frozen) {
		cut(seed);
	} else if (strncmp(line, "fault ", 6) || !take_fault(line + 6)) {
		return "what: freeze, then cut SEED, then thaw; fault NAME; held";
	}
	pthread_cond_broadcast(&changed);
	return "ok";
}

static void *control(void *arg)
{
	int listening = (int)(intptr_t)arg, fd;
	char line[80];

	while ((fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		FILE *peer = fdopen(fd, "r+");

		while (peer && fgets(line, sizeof(line), peer)) {
			const char *answer;

			line[strcspn(line, "\r\n")] = '\0';
			pthread_mutex_lock(&lock);
			answer = obey(line);
			pthread_mutex_unlock(&lock);
			fseek(peer, 0, SEEK_CUR);
			fprintf(peer, "%s\n", answer);
			fflush(peer);
		}
		if (peer)
			fclose(peer);
	}
	return NULL;
}

/* ---- begin and end ---- */

static void *map(int fd)
{
	void *p = mmap(NULL, disk_bytes, PROT_READ | PROT_WRITE,
		       fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int listen_on(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	unlink(path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 1)) {
		nbdkit_error("%s: %m", path);
		return -1;
	}
	return fd;
}

static int after_fork(void)
{
	int fd = open(file_path, O_RDWR | O_CLOEXEC), listening = listen_on(control_path);
	pthread_t thread;
	struct stat st;

	if (fd < 0 || listening < 0 || fstat(fd, &st)) {
		nbdkit_error("%s: %m", file_path);
		return -1;
	}
	disk_bytes = (uint64_t)st.st_size / unit * unit;
	stable = map(fd);
	current = map(-1);
	before = map(-1);
	dirty = calloc(disk_bytes / SECTOR, 1);
	close(fd);
	if (!stable || !current || !before || !dirty ||
	    pthread_create(&thread, NULL, control, (void *)(intptr_t)listening)) {
		nbdkit_error("memory for a disk of %lu bytes: %m", disk_bytes);
		return -1;
	}
	memcpy(current, stable, disk_bytes);
	memcpy(before, stable, disk_bytes);
	return 0;
}

static void *open_it(int readonly)
{
	(void)readonly;
	return NBDKIT_HANDLE_NOT_NEEDED;
}

static int64_t get_size(void *handle)
{
	(void)handle;
	return (int64_t)disk_bytes;
}

/* ---- requests ---- */

/* Locked, not frozen. False: it was held until a cut, or for too long, and it never was. */
static bool enter(void)
{
	uint64_t mine;
	int rc = 0;

	pthread_mutex_lock(&lock);
	held++;
	for (mine = cuts; frozen && cuts == mine && !rc;)
		rc = pthread_cond_timedwait(&changed, &lock, &frozen_until);
	held--;
	if (!frozen && cuts == mine)
		return true;
	pthread_mutex_unlock(&lock);
	return false;
}

static int failed(void)
{
	nbdkit_set_error(EIO);
	return -1;
}

static int read_it(void *handle, void *buf, uint32_t count, uint64_t offset, uint32_t flags)
{
	(void)handle;
	(void)flags;
	if (!enter())
		return failed();
	memcpy(buf, current + offset, count);
	pthread_mutex_unlock(&lock);
	return 0;
}

static void make_stable(uint64_t at)
{
	memcpy(before + at, stable + at, SECTOR);
	memcpy(stable + at, current + at, SECTOR);
	dirty[at / SECTOR] = 0;
}

static int write_it(void *handle, const void *buf, uint32_t count, uint64_t offset, uint32_t flags)
{
	(void)handle;
	if (!enter())
		return failed();
	if (fault == MISPLACES && cuts > fault_cuts && !(mix(++writes, offset) & 15) && offset + unit + count <= disk_bytes)
		offset += unit;
	memcpy(current + offset, buf, count);
	for (uint64_t at = offset / SECTOR * SECTOR; at < offset + count; at += SECTOR) {
		dirty[at / SECTOR] = 1;
		if (flags & NBDKIT_FLAG_FUA)
			make_stable(at);
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Deallocated reads as zeroes, and is as volatile as a write. */
static int trim_it(void *handle, uint32_t count, uint64_t offset, uint32_t flags)
{
	void *zeroes = calloc(count, 1);
	int rc = zeroes ? write_it(handle, zeroes, count, offset, flags) : failed();

	free(zeroes);
	return rc;
}

static int can_fua(void *handle)
{
	(void)handle;
	return NBDKIT_FUA_NATIVE;
}

static int flush_it(void *handle, uint32_t flags)
{
	(void)handle;
	(void)flags;
	if (!enter())
		return failed();
	flushes++;
	for (uint64_t at = 0; at < disk_bytes; at += SECTOR) {
		if (!dirty[at / SECTOR])
			continue;
		if (fault == DROPS && !(mix(flushes, at / unit) & 7))
			dirty[at / SECTOR] = 0; /* forgotten: it is in the cache alone */
		else
			make_stable(at);
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

static struct nbdkit_plugin plugin = {
	.name = "volatile",
	.version = "1",
	.longname = "a disk that loses what was not flushed",
	.config = take_config,
	.config_complete = config_complete,
	.after_fork = after_fork,
	.open = open_it,
	.get_size = get_size,
	.pread = read_it,
	.pwrite = write_it,
	.trim = trim_it,
	.can_fua = can_fua,
	.flush = flush_it,
};

NBDKIT_REGISTER_PLUGIN(plugin)
