/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report DIR --waiver-skeleton`: the fails of a run as the waivers that they may become. */
#ifndef NVP_CLI_WAIVER_SKELETON_H
#define NVP_CLI_WAIVER_SKELETON_H

#include "core/cli/command.h"
#include "core/report/model.h"

/*
 * Print one [waiver NAME] for each case that failed and is not waived. Its evidence is left empty,
 * which --waive refuses: a waiver without evidence is none. Exit code 0, or 2 when nothing failed.
 */
int nvp_waiver_skeleton(struct nvp_program *program, const struct nvp_report *const *reports,
			unsigned nr);

#endif
