/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual page and the completion of bash, made from the tables of commands and options. */
#ifndef NVP_CLI_MANUAL_H
#define NVP_CLI_MANUAL_H

#include "core/base/text.h"

void nvp_manual_page(struct nvp_text *out);	/* nvproof.1, in man(7) macros */
void nvp_manual_bash(struct nvp_text *out);	/* to be sourced, or put into completions/nvproof */

#endif
