// SPDX-License-Identifier: GPL-2.0-or-later
// The version of the program as text.

#include "core/run/version.h"

#include <nvp_version.h>

const char *nvp_tool_version(void)
{
	return NVP_VERSION;
}
