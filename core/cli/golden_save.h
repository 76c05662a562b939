/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `info DRIVE --save FILE`: the golden Identify file of a drive. */
#ifndef NVP_CLI_GOLDEN_SAVE_H
#define NVP_CLI_GOLDEN_SAVE_H

#include <nvproof/drive.h>

#include "core/cli/command.h"

/* Write program->options.save, which must not exist. The exit code, program->err set when not 0. */
int nvp_golden_save(struct nvp_program *program, struct nvp_drive *drive);

#endif
