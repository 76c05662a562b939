// SPDX-License-Identifier: GPL-2.0-or-later
// A shared object with a case: cc -shared -fPIC -I include -o example.so tests/plugin/example.c

#include <nvproof/nvproof.h>

/* The rule is one that the house of the drive makes: its model has a name. */
static void the_model_has_a_name(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cmd cmd = nvp_build_identify(0x01, 0, 0, 0, 0);
	struct nvp_cpl cpl;

	if (!buf)
		return;
	cmd.data = buf;
	nvp_admin(t, &cmd, &cpl);
	nvp_check_ok(t, &cpl);
	nvp_check(t, nvp_buf_data(buf)[24] != ' ', "the model number begins with a space");
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "identify.example-model-has-a-name",
		.title = "Model Number does not begin with a space",
		.spec = { "NVMe Base", "2.0", "5.17.2.1", "MN" },
		.run = the_model_has_a_name,
	},
};

#ifndef EXAMPLE_ABI
#define EXAMPLE_ABI NVP_CASE_ABI
#endif

extern const struct nvp_suite nvp_suite;
const struct nvp_suite nvp_suite = {
	.abi = EXAMPLE_ABI,
	.record_bytes = sizeof(struct nvp_case),
	.name = "example",
	.cases = cases,
	.nr_cases = sizeof(cases) / sizeof(cases[0]),
};
