/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tar file (POSIX ustar) of files that stand in memory or in a folder. */
#ifndef NVP_CLI_TAR_H
#define NVP_CLI_TAR_H

#include <stddef.h>
#include <stdio.h>

/* A tar file being written; all names go below `top`. */
struct nvp_tar {
	FILE *out;
	const char *top;
	unsigned nr_files;
};

/* 0 or a negative errno; -ENAMETOOLONG: above 99 bytes. The same bytes whenever it is made. */
int nvp_tar_add(struct nvp_tar *tar, const char *name, const void *bytes, size_t nr_bytes);
/* A file as it is; -ENOENT when it is not there. */
int nvp_tar_add_file(struct nvp_tar *tar, const char *name, const char *path);
/* Its plain files, ascending by name, as FOLDER/NAME; none when there is no such folder. */
int nvp_tar_add_folder(struct nvp_tar *tar, const char *name, const char *path);
/* The two empty blocks at its end. */
int nvp_tar_end(struct nvp_tar *tar);

#endif
