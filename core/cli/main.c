// SPDX-License-Identifier: GPL-2.0-or-later
// The program: nothing but its list of suites, which make writes.

#include "core/cli/command.h"

extern const struct nvp_suite *const nvp_suites[];

int main(int argc, char **argv)
{
	return nvp_cli_main(argc, argv, nvp_suites);
}
