/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the test table that the cases name in .rows. */
#ifndef NVP_CLI_ROWS_H
#define NVP_CLI_ROWS_H

#include <stddef.h>

struct nvp_row {
	const char *id;		/* "IDY-01" */
	const char *about;	/* a few words */
	const char *why;	/* why there is no case; NULL: there is one */
};

/* In the order of the table: areas stand together, numbers ascend. */
extern const struct nvp_row nvp_row_table[];
extern const size_t nvp_nr_rows;

const struct nvp_row *nvp_row_find(const char *id);

#endif
