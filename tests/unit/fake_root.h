/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system made of files below a temporary folder: what stands for /sys, /proc and /dev in tests. */
#ifndef NVP_TESTS_FAKE_ROOT_H
#define NVP_TESTS_FAKE_ROOT_H

struct nvp_root {
	char path[64];
};

void nvp_root_make(struct nvp_root *root);
void nvp_root_remove(const struct nvp_root *root);
/* A file with this text, or a link to target; the folders above it are made. */
void nvp_root_put(const struct nvp_root *root, const char *path, const char *text);
void nvp_root_link(const struct nvp_root *root, const char *path, const char *target);

#endif
