// SPDX-License-Identifier: GPL-2.0-or-later
// Files and links below a temporary folder.

#include "tests/unit/fake_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

void nvp_root_make(struct nvp_root *root)
{
	snprintf(root->path, sizeof(root->path), "/tmp/nvproof-unit-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root->path));
}

void nvp_root_remove(const struct nvp_root *root)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root->path);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void place(const struct nvp_root *root, const char *path, char *full, size_t bytes)
{
	snprintf(full, bytes, "%s%s", root->path, path);
	for (char *slash = strchr(full + strlen(root->path) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
}

void nvp_root_put(const struct nvp_root *root, const char *path, const char *text)
{
	char full[400];
	FILE *file;

	place(root, path, full, sizeof(full));
	file = fopen(full, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

void nvp_root_link(const struct nvp_root *root, const char *path, const char *target)
{
	char full[400];

	place(root, path, full, sizeof(full));
	unlink(full);
	CU_ASSERT_EQUAL_FATAL(symlink(target, full), 0);
}
