/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The version of the program: apart, because NVP_VERSION of the generated header is also a macro of decode.h. */
#ifndef NVP_RUN_VERSION_H
#define NVP_RUN_VERSION_H

/* "0.1.0-g0123456789ab"; static storage. */
const char *nvp_tool_version(void);

#endif
