// SPDX-License-Identifier: GPL-2.0-or-later
// Names of event types and verdicts, and the keys of each event.

#include <nvproof/event.h>

#include <stddef.h>

#include "core/base/bits.h"

static const struct {
	const char *name, *keys;
} types[] = {
#define NVP_EVENT_ROW(enum_name, type_name, key_list) \
	[NVP_EVENT_##enum_name] = { .name = type_name, .keys = key_list },
	NVP_EVENT_TYPES(NVP_EVENT_ROW)
#undef NVP_EVENT_ROW
};

static const char *const verdicts[] = {
	[NVP_PASS] = "pass",
	[NVP_FAIL] = "fail",
	[NVP_SKIP] = "skip",
	[NVP_BROKEN] = "broken",
};

const char *nvp_event_name(enum nvp_event_type type)
{
	return (size_t)type < NVP_ARRAY_SIZE(types) ? types[type].name : NULL;
}

const char *nvp_event_keys(enum nvp_event_type type)
{
	return (size_t)type < NVP_ARRAY_SIZE(types) ? types[type].keys : NULL;
}

const char *nvp_verdict_name(enum nvp_verdict verdict)
{
	return (size_t)verdict < NVP_ARRAY_SIZE(verdicts) ? verdicts[verdict] : NULL;
}
