// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzzes what reads bytes of a drive: every decoder and field table, on a copy of exactly the length given.

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <nvproof/decode.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "core/nvme/fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes);

/* A decoder answers 0 or -EMSGSIZE; nothing else and nothing in between. */
#define DECODE(call) do {					\
	int rc_ = (call);					\
								\
	if (rc_ && rc_ != -EMSGSIZE)				\
		abort();					\
} while (0)

static void identify(const uint8_t *bytes, size_t nr_bytes)
{
	static struct {
		struct nvp_id_ctrl ctrl;
		struct nvp_id_ns ns;
		struct nvp_nsid_list list;
		struct nvp_ns_descriptors descriptors;
		struct nvp_id_ctrl_nvm nvm;
		struct nvp_id_ns_independent independent;
		struct nvp_io_command_sets sets;
		struct nvp_controller_list controllers;
		struct nvp_uuid_list uuids;
	} out;

	DECODE(nvp_decode_id_ctrl(bytes, nr_bytes, &out.ctrl));
	if (strlen(out.ctrl.sn) > 20 || strlen(out.ctrl.mn) > 40 || strlen(out.ctrl.subnqn) > 256)
		abort();
	DECODE(nvp_decode_id_ns(bytes, nr_bytes, &out.ns));
	if (out.ns.format_index >= NVP_ARRAY_SIZE(out.ns.lbaf))
		abort();
	DECODE(nvp_decode_nsid_list(bytes, nr_bytes, &out.list));
	if (out.list.nr > NVP_ARRAY_SIZE(out.list.nsid))
		abort();
	DECODE(nvp_decode_ns_descriptors(bytes, nr_bytes, &out.descriptors));
	DECODE(nvp_decode_id_ctrl_nvm(bytes, nr_bytes, &out.nvm));
	DECODE(nvp_decode_id_ns_independent(bytes, nr_bytes, &out.independent));
	DECODE(nvp_decode_io_command_sets(bytes, nr_bytes, &out.sets));
	DECODE(nvp_decode_controller_list(bytes, nr_bytes, &out.controllers));
	if (out.controllers.nr > NVP_ARRAY_SIZE(out.controllers.id))
		abort();
	DECODE(nvp_decode_uuid_list(bytes, nr_bytes, &out.uuids));
	if (out.uuids.nr > NVP_ARRAY_SIZE(out.uuids.uuid))
		abort();
}

static void logs(const uint8_t *bytes, size_t nr_bytes)
{
	static struct {
		struct nvp_supported_logs supported;
		struct nvp_error_entry error;
		struct nvp_smart smart;
		struct nvp_firmware_slots slots;
		struct nvp_effects effects;
		struct nvp_feature_effects features;
		struct nvp_self_test_log self_test;
		struct nvp_sanitize_log sanitize;
		struct nvp_ocp_smart ocp;
	} out;

	DECODE(nvp_decode_supported_logs(bytes, nr_bytes, &out.supported));
	DECODE(nvp_decode_error_entry(bytes, nr_bytes, &out.error));
	DECODE(nvp_decode_smart(bytes, nr_bytes, &out.smart));
	DECODE(nvp_decode_firmware_slots(bytes, nr_bytes, &out.slots));
	DECODE(nvp_decode_effects(bytes, nr_bytes, &out.effects));
	DECODE(nvp_decode_feature_effects(bytes, nr_bytes, &out.features));
	DECODE(nvp_decode_self_test_log(bytes, nr_bytes, &out.self_test));
	DECODE(nvp_decode_sanitize_log(bytes, nr_bytes, &out.sanitize));
	DECODE(nvp_decode_ocp_smart(bytes, nr_bytes, &out.ocp));
}

/* Event after event, as a case walks them: each is inside the bytes, and the walk ends. */
static void persistent(const uint8_t *bytes, size_t nr_bytes)
{
	struct nvp_persistent_event event;
	struct nvp_persistent_log log;
	uint64_t at, end;

	DECODE(nvp_decode_persistent_log(bytes, nr_bytes, &log));
	if (strlen(log.sn) > 20 || strlen(log.mn) > 40 || strlen(log.subnqn) > 256)
		abort();
	end = nvp_min_u64(log.bytes, nr_bytes);
	for (at = log.header_bytes; at < end; at += event.bytes) {
		int rc = nvp_decode_persistent_event(bytes + at, (size_t)(end - at), &event);

		if (rc && rc != -EMSGSIZE)
			abort();
		if (rc)
			break;
		if (!event.bytes || event.bytes > end - at || event.data < bytes + at ||
		    event.data + event.data_bytes != bytes + at + event.bytes ||
		    !nvp_persistent_event_name(event.type))
			abort();
	}
}

static void completion(const uint8_t *bytes, size_t nr_bytes)
{
	char text[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl;

	if (nr_bytes < NVP_CQE_BYTES)
		return;
	nvp_decode_cqe(bytes, &cpl);
	if (strlen(nvp_status_text(&cpl.status, text)) >= sizeof(text))
		abort();
	/* The field holds everything but the phase. */
	if (nvp_status_to_field(&cpl.status) != nvp_le16(bytes + 14) >> 1)
		abort();
}

static void table(unsigned choice, const uint8_t *bytes, size_t nr_bytes)
{
	const struct nvp_field_table *const all[] = {
		&nvp_fields_id_ctrl, &nvp_fields_id_ns, &nvp_fields_id_ctrl_nvm,
		&nvp_fields_id_ns_independent, &nvp_fields_power_state, &nvp_fields_lba_format,
		&nvp_fields_error_entry, &nvp_fields_smart, &nvp_fields_firmware_slot,
		&nvp_fields_supported_log, &nvp_fields_command_effects, &nvp_fields_feature_effects,
		&nvp_fields_persistent_log, &nvp_fields_persistent_event,
	};
	const struct nvp_field_table *t = all[choice % NVP_ARRAY_SIZE(all)];
	struct nvp_text text = { 0 };
	struct nvp_text json = { 0 };

	nvp_fields_text(t, bytes, nr_bytes, &text);
	nvp_json_begin(&json, NULL, '{');
	nvp_fields_json(t, bytes, nr_bytes, &json);
	nvp_json_end(&json, '}');
	nvp_text_free(&text);
	nvp_text_free(&json);
}

/* The last byte chooses the part, so that one run stays short. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t nr_bytes)
{
	unsigned choice = nr_bytes ? input[nr_bytes - 1] : 0;
	uint8_t *bytes = malloc(nr_bytes ? nr_bytes : 1);

	if (!bytes)
		return 0;
	memcpy(bytes, input, nr_bytes);
	if (choice % 4 == 0)
		identify(bytes, nr_bytes);
	else if (choice % 8 == 1)
		logs(bytes, nr_bytes);
	else if (choice % 4 == 1)
		persistent(bytes, nr_bytes);
	else if (choice % 4 == 2)
		completion(bytes, nr_bytes);
	else
		table(choice / 4, bytes, nr_bytes);
	free(bytes);
	return 0;
}
