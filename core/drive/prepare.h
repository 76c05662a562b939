/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is decided before the worker is forked: which backend an address means, lock, serial. */
#ifndef NVP_DRIVE_PREPARE_H
#define NVP_DRIVE_PREPARE_H

#include <nvproof/drive_ops.h>

const struct nvp_drive_ops *nvp_prepared_ops(const struct nvp_prepared *prepared);
/* What .prepared of struct nvp_drive_open gets. */
void *nvp_prepared_backend(const struct nvp_prepared *prepared);

/*
 * A prepared drive over ops that are not in the table of backends (unit tests). address, ops and
 * backend are borrowed until nvp_drive_discard.
 */
struct nvp_prepared *nvp_prepared_of(const struct nvp_drive_ops *ops, void *backend,
				     const char *address, const char *serial);

#endif
