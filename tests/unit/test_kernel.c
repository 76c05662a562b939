// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel path with no kernel driver: refusals, whose error it was, sysfs made of files, use.

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/drive/kernel.h"
#include "tests/unit/fake_root.h"
#include "tests/unit/unit.h"

static struct nvp_sqe entry(uint8_t opcode, uint32_t dw10)
{
	struct nvp_sqe sqe = { { opcode } };

	nvp_sqe_set_dw(&sqe, 10, dw10);
	return sqe;
}

static void kernel_owns_some_admin_commands(void)
{
	static const uint8_t owned[] = {
		0x00, 0x01, 0x04, 0x05, 0x08, 0x0c, 0x18, 0x1c, 0x7c, 0x7f,
	};
	static const uint8_t features[] = { 0x07, 0x08, 0x09, 0x0b, 0x0d, 0x0f };

	for (unsigned i = 0; i < 256; i++) {
		struct nvp_sqe sqe = entry((uint8_t)i, 0x02);
		bool is_owned = memchr(owned, (int)i, sizeof(owned)) != NULL;

		CU_ASSERT_EQUAL(nvp_kernel_refusal(false, &sqe) != NULL, is_owned);
		CU_ASSERT_PTR_NULL(nvp_kernel_refusal(true, &sqe));
		/* The same number read, or set on the I/O queue, is nobody's. */
		sqe = entry(NVP_ADMIN_SET_FEATURES, i);
		CU_ASSERT_EQUAL(nvp_kernel_refusal(false, &sqe) != NULL,
				memchr(features, (int)i, sizeof(features)) != NULL);
		CU_ASSERT_PTR_NULL(nvp_kernel_refusal(true, &sqe));
		sqe = entry(NVP_ADMIN_GET_FEATURES, i);
		CU_ASSERT_PTR_NULL(nvp_kernel_refusal(false, &sqe));
	}
}

static void libraries_with_other_calls_do_not_fit(void)
{
	CU_ASSERT_TRUE(nvp_kernel_library_fits("1.0"));
	CU_ASSERT_TRUE(nvp_kernel_library_fits("1.3"));
	CU_ASSERT_TRUE(nvp_kernel_library_fits("1.13.1"));
	CU_ASSERT_FALSE(nvp_kernel_library_fits("2.0"));
	CU_ASSERT_FALSE(nvp_kernel_library_fits("10.1"));
	CU_ASSERT_FALSE(nvp_kernel_library_fits("0.9"));
	CU_ASSERT_FALSE(nvp_kernel_library_fits("1"));
	CU_ASSERT_FALSE(nvp_kernel_library_fits(""));
	CU_ASSERT_FALSE(nvp_kernel_library_fits(NULL));
}

static void flags_are_not_passed_on(void)
{
	struct nvp_sqe sqe = entry(NVP_IO_READ, 0);

	for (unsigned bit = 0; bit < 8; bit++) {
		sqe.bytes[1] = (uint8_t)(1u << bit);
		CU_ASSERT_PTR_NOT_NULL(nvp_kernel_refusal(true, &sqe));
		CU_ASSERT_PTR_NOT_NULL(nvp_kernel_refusal(false, &sqe));
	}
}

static void errors_of_the_kernel_are_not_the_drives(void)
{
	static const struct { int result; uint64_t elapsed_ns; int rc; } rows[] = {
		{ 0, 0, 0 },
		{ 0x4002, 0, 0 },
		{ 0x4002, 99, 0 },
		{ 0x0007, 5, 0 },		/* Abort Requested before the timeout */
		{ 0x0007, 10, -EIO },		/* at it: the kernel had asked */
		{ 0x4007, 11, -EIO },
		{ 0x036f, 0, 0 },
		{ 0x0370, 0, -EIO }, { 0x0371, 0, -EIO }, { 0x037f, 0, -EIO },
		{ 0x0302, 0, 0 },		/* ANA: the drive's */
		{ -EINTR, 0, -EIO }, { -EINVAL, 0, -EIO }, { -EACCES, 0, -EIO },
		{ -ENOMEM, 0, -EIO },
		{ -EWOULDBLOCK, 0, -EIO }, { -ENODEV, 0, -ENODEV }, { -ENXIO, 0, -ENODEV },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_status status = { 0 };
		const char *reason = NULL;

		CU_ASSERT_EQUAL(nvp_kernel_answer(rows[i].result, rows[i].elapsed_ns, 10, &status,
						  &reason), rows[i].rc);
		CU_ASSERT_EQUAL(strlen(reason) > 10, rows[i].rc != 0);
		if (!rows[i].rc) {
			CU_ASSERT_EQUAL(nvp_status_to_field(&status), rows[i].result);
		}
	}
}

/* --- a system made of files --------------------------------------------------------------- */

/* nvme0 with two namespaces, nvme1 with one behind multipath, sda, nothing in use. */
static void make_root(struct nvp_root *r)
{
	nvp_root_make(r);
	nvp_root_put(r, "/dev/nvme0", "");
	nvp_root_put(r, "/dev/nvme0n1", "");
	nvp_root_put(r, "/dev/nvme0n1p1", "");
	nvp_root_put(r, "/dev/nvme0n2", "");
	nvp_root_put(r, "/dev/nvme1", "");
	nvp_root_put(r, "/dev/nvme3n1", "");
	nvp_root_put(r, "/dev/sda", "");
	nvp_root_put(r, "/sys/class/nvme/nvme0/serial", "S-ZERO              \n");
	nvp_root_put(r, "/sys/class/nvme/nvme0/nvme0n2/nsid", "20\n");
	nvp_root_put(r, "/sys/class/nvme/nvme0/nvme0n1/nsid", "1\n");
	nvp_root_put(r, "/sys/class/nvme/nvme0/hwmon1/name", "nvme\n");
	nvp_root_put(r, "/sys/class/nvme/nvme0/subsysnqn", "nqn.zero\n");
	nvp_root_put(r, "/sys/class/nvme/nvme1/subsysnqn", "nqn.one\n");
	nvp_root_put(r, "/sys/class/nvme/nvme1/serial", "S-ONE\n");
	nvp_root_put(r, "/sys/class/nvme/nvme1/nvme3c1n1/nsid", "1\n");
	nvp_root_put(r, "/sys/class/block/nvme0n1/dev", "259:0\n");
	nvp_root_put(r, "/sys/class/block/nvme0n1/nvme0n1p1/dev", "259:1\n");
	nvp_root_put(r, "/sys/class/block/nvme0n1/queue/x", "");
	nvp_root_put(r, "/sys/class/block/nvme0n2/dev", "259:2\n");
	nvp_root_put(r, "/sys/class/block/nvme3n1/dev", "259:3\n");
	nvp_root_put(r, "/proc/self/mountinfo", "25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n");
	nvp_root_put(r, "/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 1 0 -2\n");
}

static void controller_and_namespaces_are_found(void)
{
	struct nvp_kernel_drive drive;
	struct nvp_err err = { 0 };
	struct nvp_root r;

	make_root(&r);
	CU_ASSERT_EQUAL(nvp_kernel_find(r.path, "/dev/nvme0", &drive, &err), 0);
	CU_ASSERT_STRING_EQUAL(drive.controller, "nvme0");
	CU_ASSERT_STRING_EQUAL(drive.serial, "S-ZERO");
	CU_ASSERT_EQUAL(drive.only_nsid, 0);
	CU_ASSERT_EQUAL_FATAL(drive.nr_ns, 2);
	CU_ASSERT_EQUAL(drive.ns[0].nsid, 1);
	CU_ASSERT_EQUAL(drive.ns[1].nsid, 20);
	CU_ASSERT_STRING_EQUAL(drive.ns[1].name, "nvme0n2");
	nvp_kernel_forget(&drive);

	CU_ASSERT_EQUAL(nvp_kernel_find(r.path, "/dev/nvme0n2", &drive, &err), 0);
	CU_ASSERT_STRING_EQUAL(drive.controller, "nvme0");
	CU_ASSERT_EQUAL(drive.only_nsid, 20);
	CU_ASSERT_EQUAL(drive.nr_all, 2);
	nvp_kernel_forget(&drive);

	/* The generic device of a namespace is that namespace. */
	nvp_root_put(&r, "/dev/ng0n2", "");
	CU_ASSERT_EQUAL(nvp_kernel_find(r.path, "/dev/ng0n2", &drive, &err), 0);
	CU_ASSERT_STRING_EQUAL(drive.address, "/dev/nvme0n2");
	CU_ASSERT_EQUAL(drive.only_nsid, 20);
	nvp_kernel_forget(&drive);

	/* Multipath: the device carries the number of the subsystem. */
	CU_ASSERT_EQUAL(nvp_kernel_find(r.path, "/dev/nvme3n1", &drive, &err), 0);
	CU_ASSERT_STRING_EQUAL(drive.controller, "nvme1");
	CU_ASSERT_STRING_EQUAL(drive.serial, "S-ONE");
	nvp_kernel_forget(&drive);
	CU_ASSERT_EQUAL(nvp_kernel_find(r.path, "/dev/nvme1", &drive, &err), 0);
	CU_ASSERT_EQUAL_FATAL(drive.nr_ns, 1);
	CU_ASSERT_STRING_EQUAL(drive.ns[0].name, "nvme3n1");
	nvp_kernel_forget(&drive);
	CU_ASSERT_EQUAL(err.code, 0);
	nvp_root_remove(&r);
}

static void what_is_no_drive_is_said_in_one_line(void)
{
	static const struct { const char *path, *text; } rows[] = {
		{ "/dev/nvme9", "does not exist" },
		{ "/dev/sda", "is no NVMe controller or namespace" },
		{ "/dev/nvme0n1p1", "is no NVMe controller or namespace" },
		{ "/proc/swaps", "is no NVMe controller or namespace" },
	};
	struct nvp_root r;

	make_root(&r);
	nvp_root_put(&r, "/dev/nvme7", "");
	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_kernel_drive drive;
		struct nvp_err err = { 0 };
		char line[600];

		CU_ASSERT_TRUE(nvp_kernel_find(r.path, rows[i].path, &drive, &err) < 0);
		CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
		nvp_err_text(&err, line, sizeof(line));
		CU_ASSERT_PTR_NOT_NULL(strstr(line, rows[i].text));
		CU_ASSERT_PTR_NOT_NULL(strstr(line, rows[i].path));
	}
	{
		struct nvp_kernel_drive drive;
		struct nvp_err err = { 0 };

		CU_ASSERT_EQUAL(nvp_kernel_find(r.path, "/dev/nvme7", &drive, &err), -ENODEV);
		CU_ASSERT_EQUAL(err.kind, NVP_ERR_USAGE);
	}
	nvp_root_remove(&r);
}

static int in_use(const struct nvp_root *r, const char *path, char *text, size_t bytes)
{
	struct nvp_kernel_drive drive;
	struct nvp_err err = { 0 };
	int rc;

	CU_ASSERT_EQUAL_FATAL(nvp_kernel_find(r->path, path, &drive, &err), 0);
	rc = nvp_in_use(r->path, &drive, text, bytes);
	nvp_kernel_forget(&drive);
	return rc;
}

static void use_by_the_host_is_found(void)
{
	static const struct { const char *file, *content, *path, *text; int rc; } rows[] = {
		{ "/proc/self/mountinfo", "30 25 259:0 / /data\\040one rw - ext4 /dev/nvme0n1 rw\n",
		  "/dev/nvme0n1", "nvme0n1 is mounted on /data one", 2 },
		{ "/proc/self/mountinfo", "30 25 259:1 / /home rw - ext4 /dev/whatever rw\n",
		  "/dev/nvme0n1", "nvme0n1p1 is mounted on /home", 2 },
		{ "/proc/self/mountinfo",
		  "30 25 0:35 / /pool rw shared:1 - btrfs /dev/nvme0n1p1 rw\n",
		  "/dev/nvme0", "nvme0n1p1 is mounted on /pool", 2 },
		{ "/proc/self/mountinfo", "30 25 259:11 / /near rw - ext4 /dev/nvme0n11 rw\n",
		  "/dev/nvme0n1", "", 0 },
		{ "/proc/swaps", "Filename Type\n/dev/nvme0n2\tpartition\t1\t0\t-2\n",
		  "/dev/nvme0", "nvme0n2 is used for swap", 2 },
		/* A Format or a Sanitize reaches the other namespaces too. */
		{ "/proc/swaps", "Filename Type\n/dev/nvme0n2\tpartition\t1\t0\t-2\n",
		  "/dev/nvme0n1", "nvme0n2 is used for swap", 2 },
		{ "/proc/swaps", "Filename Type\n/dev/nvme3n1\tpartition\t1\t0\t-2\n",
		  "/dev/nvme0n1", "", 0 },
		{ "/sys/class/block/nvme0n1/holders/dm-3", "", "/dev/nvme0n1",
		  "nvme0n1 is held by dm-3", 2 },
		{ "/sys/class/block/nvme0n1/nvme0n1p1/holders/md127", "", "/dev/nvme0",
		  "nvme0n1p1 is held by md127", 2 },
		{ "/sys/class/block/nvme3n1/holders/dm-0", "", "/dev/nvme1",
		  "nvme3n1 is held by dm-0", 2 },
		{ "/sys/class/block/loop3/loop/backing_file", "/dev/nvme0n1\n", "/dev/nvme0n2",
		  "nvme0n1 is held by loop3", 2 },
		{ "/sys/class/block/loop3/loop/backing_file", "/dev/nvme0n11\n", "/dev/nvme0n1",
		  "", 0 },
	};

	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		char text[256];
		struct nvp_root r;

		make_root(&r);
		nvp_root_put(&r, rows[i].file, rows[i].content);
		CU_ASSERT_EQUAL(in_use(&r, rows[i].path, text, sizeof(text)), rows[i].rc);
		CU_ASSERT_STRING_EQUAL(text, rows[i].text);
		nvp_root_remove(&r);
	}
}

/* Two controllers of one NVM subsystem: what is on the other one counts as well. */
static void use_through_another_controller_is_found(void)
{
	char text[256];
	struct nvp_root r;

	make_root(&r);
	nvp_root_put(&r, "/sys/class/nvme/nvme1/subsysnqn", "nqn.zero\n");
	nvp_root_put(&r, "/sys/class/block/nvme3n1/holders/dm-0", "");
	CU_ASSERT_EQUAL(in_use(&r, "/dev/nvme0n1", text, sizeof(text)), 2);
	CU_ASSERT_STRING_EQUAL(text, "nvme3n1 is held by dm-0");
	nvp_root_remove(&r);
}

static void what_cannot_be_examined_counts_as_used(void)
{
	char text[256], path[200];
	struct nvp_root r;

	make_root(&r);
	snprintf(path, sizeof(path), "%s/sys/class/block/nvme0n1/dev", r.path);
	unlink(path);
	CU_ASSERT_EQUAL(in_use(&r, "/dev/nvme0n1", text, sizeof(text)), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "nvme0n1 cannot be examined"));
	nvp_root_remove(&r);
}

/* Signatures that libblkid must know: an ext2 superblock's magic, and an MBR with one partition. */
static void write_bytes(const struct nvp_root *r, const char *path, long offset, const void *bytes,
			size_t nr)
{
	char full[200];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", r->path, path);
	file = fopen(full, "r+");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fseek(file, offset, SEEK_SET), 0);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, nr, file), nr);
	fclose(file);
	CU_ASSERT_EQUAL(truncate(full, 16 << 20), 0);
}

static void signatures_are_found(void)
{
	static const uint8_t swap[] = "SWAPSPACE2";
	uint8_t mbr[512] = { 0 }, header[8] = { 1, 0, 0, 0, 0xff, 0xf, 0, 0 };
	char text[256];
	struct nvp_root r;

	make_root(&r);
	write_bytes(&r, "/dev/nvme0n1", 0, "", 1);
	CU_ASSERT_EQUAL(in_use(&r, "/dev/nvme0n1", text, sizeof(text)), 0);
	mbr[446 + 4] = 0x83;
	mbr[446 + 9] = 8;		/* first sector 2048 */
	mbr[446 + 13] = 0x10;		/* 4096 sectors */
	mbr[510] = 0x55;
	mbr[511] = 0xaa;
	write_bytes(&r, "/dev/nvme0n1", 0, mbr, sizeof(mbr));
	CU_ASSERT_EQUAL(in_use(&r, "/dev/nvme0n1", text, sizeof(text)), 1);
	CU_ASSERT_STRING_EQUAL(text, "nvme0n1 carries a partition table (dos)");
	write_bytes(&r, "/dev/nvme3n1", 1024, header, sizeof(header));
	write_bytes(&r, "/dev/nvme3n1", 4086, swap, 10);
	CU_ASSERT_EQUAL(in_use(&r, "/dev/nvme1", text, sizeof(text)), 1);
	CU_ASSERT_STRING_EQUAL(text, "nvme3n1 carries the signature of swap");
	/* Use comes before signature, whichever namespace it is. */
	nvp_root_put(&r, "/sys/class/block/nvme0n2/holders/dm-1", "");
	CU_ASSERT_EQUAL(in_use(&r, "/dev/nvme0", text, sizeof(text)), 2);
	nvp_root_remove(&r);
}

/* A loop device over 1 MiB of nothing, open exclusively; -1 where this user may not make one. */
static int claimed_loop_device(const struct nvp_root *r, dev_t *number)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), loop = -1, file;
	char path[200];
	struct stat st;

	if (control < 0)
		return -1;
	nvp_root_put(r, "/backing", "");
	snprintf(path, sizeof(path), "%s/backing", r->path);
	CU_ASSERT_EQUAL(truncate(path, 1 << 20), 0);
	file = open(path, O_RDWR | O_CLOEXEC);
	snprintf(path, sizeof(path), "/dev/loop%d", ioctl(control, LOOP_CTL_GET_FREE));
	loop = open(path, O_RDWR | O_EXCL | O_CLOEXEC);
	if (loop >= 0 && (ioctl(loop, LOOP_SET_FD, file) || fstat(loop, &st))) {
		close(loop);
		loop = -1;
	}
	if (loop >= 0)
		*number = st.st_rdev;
	close(file);
	close(control);
	return loop;
}

static void claim_that_no_list_shows_is_found(void)
{
	char text[256], path[200];
	struct nvp_root r;
	dev_t number;
	int loop;

	make_root(&r);
	snprintf(path, sizeof(path), "%s/dev/nvme0n1", r.path);
	loop = claimed_loop_device(&r, &number);
	unlink(path);
	if (loop >= 0 && !mknod(path, S_IFBLK | 0600, number)) {
		CU_ASSERT_EQUAL(in_use(&r, "/dev/nvme0n2", text, sizeof(text)), 2);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "nvme0n1 is claimed by"));
		ioctl(loop, LOOP_CLR_FD);
	} else {
		printf("no loop device can be made here: not tested\n");
	}
	if (loop >= 0)
		close(loop);
	nvp_root_remove(&r);
}

static void link_to(const struct nvp_root *r, const char *path, const char *target)
{
	char full[400];

	nvp_root_put(r, path, "");
	snprintf(full, sizeof(full), "%s%s", r->path, path);
	unlink(full);
	CU_ASSERT_EQUAL(symlink(target, full), 0);
}

/* By the number of the file system; through dm; and by the mount, where the number is of no device. */
static void what_lies_on_the_drive_is_found(void)
{
	static const struct { unsigned major, minor; const char *path, *text; } rows[] = {
		{ 259, 0, "/dev/nvme0n1", "it is on nvme0n1" },
		{ 259, 1, "/dev/nvme0", "/home is on nvme0n1p1" },
		{ 259, 1, "/dev/nvme0n2", "/home is on nvme0n1p1" }, /* a cut takes all of them */
		{ 259, 9, "/dev/nvme0", NULL },	/* nvme0n11, of another drive */
		{ 8, 1, "/dev/nvme0", NULL },
		{ 253, 0, "/dev/nvme0", "/srv is on nvme0n2p3" },
		{ 0, 35, "/dev/nvme0", "/pool is on nvme0n1p1" },
		{ 0, 36, "/dev/nvme0", NULL },	/* tmpfs */
		{ 0, 77, "/dev/nvme0", NULL },
	};
	struct nvp_root r;

	make_root(&r);
	link_to(&r, "/sys/dev/block/259:0", "../../devices/nvme0/nvme0n1");
	nvp_root_put(&r, "/sys/devices/nvme0/nvme0n1/nvme0n1p1/partition", "1\n");
	link_to(&r, "/sys/dev/block/259:1", "../../devices/nvme0/nvme0n1/nvme0n1p1");
	nvp_root_put(&r, "/sys/devices/nvme5/nvme0n11/dev", "259:9\n");
	link_to(&r, "/sys/dev/block/259:9", "../../devices/nvme5/nvme0n11");
	nvp_root_put(&r, "/sys/devices/dm-0/dev", "253:0\n");
	link_to(&r, "/sys/dev/block/253:0", "../../devices/dm-0");
	nvp_root_put(&r, "/sys/class/block/dm-0/slaves/dm-1", "");
	nvp_root_put(&r, "/sys/class/block/dm-1/slaves/nvme0n2p3", "");
	nvp_root_put(&r, "/proc/self/mountinfo",
	    "25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
	    "30 25 259:1 / /home rw - ext4 /dev/whatever rw\n"
	    "31 25 253:0 / /srv rw - xfs /dev/mapper/vg-srv rw\n"
	    "32 25 0:35 / /pool rw shared:1 - btrfs /dev/nvme0n1p1 rw\n"
	    "33 25 0:36 / /run rw - tmpfs tmpfs rw\n");
	for (size_t i = 0; i < NVP_ARRAY_SIZE(rows); i++) {
		struct nvp_kernel_drive drive;
		struct nvp_err err = { 0 };
		char text[400] = "";

		CU_ASSERT_EQUAL_FATAL(nvp_kernel_find(r.path, rows[i].path, &drive, &err), 0);
		CU_ASSERT_EQUAL(nvp_lies_on(r.path, &drive, rows[i].major, rows[i].minor, text,
					    sizeof(text)), rows[i].text != NULL);
		CU_ASSERT_STRING_EQUAL(text, rows[i].text ? rows[i].text : "");
		nvp_kernel_forget(&drive);
	}
	nvp_root_remove(&r);
}

static void two_of_us_do_not_share_a_drive(void)
{
	struct nvp_kernel_prepared *first, *second;
	struct nvp_err err = { 0 };
	char line[400];
	struct nvp_root r;

	make_root(&r);
	first = nvp_kernel_prepare(r.path, "/dev/nvme0", &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	CU_ASSERT_STRING_EQUAL(nvp_kernel_serial(first), "S-ZERO");
	second = nvp_kernel_prepare(r.path, "/dev/nvme0n2", &err);
	CU_ASSERT_PTR_NULL(second);
	CU_ASSERT_EQUAL(err.kind, NVP_ERR_REFUSED);
	CU_ASSERT_PTR_NOT_NULL(strstr(nvp_err_text(&err, line, sizeof(line)), "another nvproof"));
	nvp_kernel_discard(first);
	err = (struct nvp_err){ 0 };
	second = nvp_kernel_prepare(r.path, "/dev/nvme0n2", &err);
	CU_ASSERT_PTR_NOT_NULL(second);
	nvp_kernel_discard(second);
	nvp_root_remove(&r);
}

CU_TestInfo nvp_unit_kernel[] = {
	{ "libraries_with_other_calls_do_not_fit", libraries_with_other_calls_do_not_fit },
	{ "kernel_owns_some_admin_commands", kernel_owns_some_admin_commands },
	{ "flags_are_not_passed_on", flags_are_not_passed_on },
	{ "errors_of_the_kernel_are_not_the_drives", errors_of_the_kernel_are_not_the_drives },
	{ "controller_and_namespaces_are_found", controller_and_namespaces_are_found },
	{ "what_is_no_drive_is_said_in_one_line", what_is_no_drive_is_said_in_one_line },
	{ "use_by_the_host_is_found", use_by_the_host_is_found },
	{ "use_through_another_controller_is_found", use_through_another_controller_is_found },
	{ "what_cannot_be_examined_counts_as_used", what_cannot_be_examined_counts_as_used },
	{ "signatures_are_found", signatures_are_found },
	{ "claim_that_no_list_shows_is_found", claim_that_no_list_shows_is_found },
	{ "what_lies_on_the_drive_is_found", what_lies_on_the_drive_is_found },
	{ "two_of_us_do_not_share_a_drive", two_of_us_do_not_share_a_drive },
	CU_TEST_INFO_NULL,
};
