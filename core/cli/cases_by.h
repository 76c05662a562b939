/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cases of a plan in other orders: by section of the specification, by area, by row. */
#ifndef NVP_CLI_CASES_BY_H
#define NVP_CLI_CASES_BY_H

#include <stdbool.h>

#include "core/base/text.h"
#include "core/run/plan.h"

/*
 * by: "area", "row" or "section"; part: the plan has not all cases. With json the members "by" and "groups" of an open object,
 * else text. Each record stands once in its group, whatever its variants. 0 or -ENOMEM.
 */
int nvp_cases_by(const char *by, const struct nvp_plan *plan, bool part, bool json,
		 struct nvp_text *out);

#endif
