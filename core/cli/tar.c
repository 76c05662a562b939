// SPDX-License-Identifier: GPL-2.0-or-later
// Writing a tar file: headers of 512 bytes, contents padded to as many (POSIX.1-2017, pax, ustar).

#include "core/cli/tar.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

#define BLOCK 512u
#define MOST_BYTES (1u << 30) /* of one file */

/* name 100, mode 8, uid 8, gid 8, size 12, mtime 12, checksum 8, type 1, link 100, magic 6, version 2 */
enum { AT_MODE = 100, AT_UID = 108, AT_GID = 116, AT_SIZE = 124, AT_MTIME = 136, AT_SUM = 148,
       AT_TYPE = 156, AT_MAGIC = 257 };

static int put(struct nvp_tar *tar, const void *bytes, size_t nr_bytes)
{
	static const char zeroes[BLOCK];
	size_t pad = (BLOCK - nr_bytes % BLOCK) % BLOCK;

	errno = 0;
	if (fwrite(bytes, 1, nr_bytes, tar->out) != nr_bytes ||
	    fwrite(zeroes, 1, pad, tar->out) != pad)
		return errno ? -errno : -EIO;
	return 0;
}

static void octal(char *at, unsigned digits, unsigned long value)
{
	for (unsigned i = digits; i > 0; i--, value /= 8)
		at[i - 1] = (char)('0' + value % 8);
}

static int put_header(struct nvp_tar *tar, const char *name, size_t nr_bytes)
{
	char header[BLOCK] = { 0 };
	unsigned sum = 0;

	if (snprintf(header, 100, "%s/%s", tar->top, name) >= 100)
		return -ENAMETOOLONG;
	octal(header + AT_MODE, 7, 0644);
	octal(header + AT_UID, 7, 0);
	octal(header + AT_GID, 7, 0);
	octal(header + AT_SIZE, 11, nr_bytes);
	octal(header + AT_MTIME, 11, 0);
	header[AT_TYPE] = '0';
	memcpy(header + AT_MAGIC, "ustar\0" "00", 8);
	memset(header + AT_SUM, ' ', 8);
	for (unsigned i = 0; i < BLOCK; i++)
		sum += (unsigned char)header[i];
	octal(header + AT_SUM, 6, sum);
	header[AT_SUM + 6] = '\0';
	return put(tar, header, sizeof(header));
}

int nvp_tar_add(struct nvp_tar *tar, const char *name, const void *bytes, size_t nr_bytes)
{
	int rc = put_header(tar, name, nr_bytes);

	if (!rc)
		rc = put(tar, bytes, nr_bytes);
	tar->nr_files += !rc;
	return rc;
}

int nvp_tar_add_file(struct nvp_tar *tar, const char *name, const char *path)
{
	FILE *in = fopen(path, "re");
	struct nvp_text bytes = { 0 };
	char part[8192];
	size_t nr;
	int rc;

	if (!in)
		return -errno;
	while ((nr = fread(part, 1, sizeof(part), in)) > 0 && bytes.length < MOST_BYTES)
		nvp_text_add_n(&bytes, part, nr);
	rc = ferror(in) ? -EIO : bytes.failed ? -ENOMEM : nr ? -EFBIG : 0;
	fclose(in);
	if (!rc)
		rc = nvp_tar_add(tar, name, nvp_text_str(&bytes), bytes.length);
	nvp_text_free(&bytes);
	return rc;
}

static int is_file(const struct dirent *entry)
{
	return entry->d_type == DT_REG;
}

int nvp_tar_add_folder(struct nvp_tar *tar, const char *name, const char *path)
{
	struct dirent **entries;
	int nr = scandir(path, &entries, is_file, alphasort), rc = 0;

	if (nr < 0)
		return errno == ENOENT ? 0 : -errno;
	for (int i = 0; i < nr; i++) {
		struct nvp_text from = { 0 }, to = { 0 };

		nvp_text_addf(&from, "%s/%s", path, entries[i]->d_name);
		nvp_text_addf(&to, "%s/%s", name, entries[i]->d_name);
		if (!rc)
			rc = nvp_tar_add_file(tar, nvp_text_str(&to), nvp_text_str(&from));
		nvp_text_free(&from);
		nvp_text_free(&to);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

int nvp_tar_end(struct nvp_tar *tar)
{
	static const char zeroes[2 * BLOCK];

	return put(tar, zeroes, sizeof(zeroes));
}
