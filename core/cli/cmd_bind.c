// SPDX-License-Identifier: GPL-2.0-or-later
// `nvproof bind` and `nvproof unbind`: a drive to vfio-pci, and back to the kernel's driver.

#include <nvproof/drive_ops.h>

#include "core/cli/command.h"

static int put_handed(struct nvp_program *p, const struct nvp_handed *handed)
{
	struct nvp_text out = { 0 };
	int rc;

	if (p->options.json) {
		nvp_json_begin(&out, NULL, '{');
		nvp_json_string(&out, "schema", "nvproof.bind/1");
		nvp_json_string(&out, "address", handed->address);
		nvp_json_string(&out, "driver", handed->driver);
		nvp_json_u64(&out, "iommu_group", handed->iommu_group);
		nvp_json_end(&out, '}');
		rc = nvp_put_json(p, &out);
	} else {
		nvp_text_addf(&out, "%s: %s has it\n", handed->address, handed->driver);
		rc = nvp_put_result(p, &out);
	}
	nvp_text_free(&out);
	return rc;
}

int nvp_cmd_bind(struct nvp_program *p)
{
	struct nvp_handed handed;

	if (nvp_drive_bind(p->operand[0], p->options.force, &handed, &p->err))
		return nvp_err_exit_code(p->err.kind);
	return put_handed(p, &handed);
}

int nvp_cmd_unbind(struct nvp_program *p)
{
	struct nvp_handed handed;

	if (nvp_drive_unbind(p->operand[0], &handed, &p->err))
		return nvp_err_exit_code(p->err.kind);
	return put_handed(p, &handed);
}
