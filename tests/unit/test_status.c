// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of status: raw forms, the table against libnvme's codes, names of commands.

#include <string.h>

#include <libnvme.h>

#include <nvproof/decode.h>

#include "core/nvme/status_table.h"
#include "tests/unit/unit.h"

static void every_word_in_every_form(void)
{
	for (unsigned word = 0; word <= 0xffff; word++) {
		struct nvp_status a = nvp_status_from_cqe((uint16_t)word);
		struct nvp_status b = nvp_status_from_field((uint16_t)(word >> 1));

		CU_ASSERT_FATAL(a.sc == (word >> 1 & 0xff) && a.sct == (word >> 9 & 7) &&
				a.crd == (word >> 12 & 3) && a.more == (word >> 14 & 1) &&
				a.dnr == (word >> 15 & 1));
		CU_ASSERT_FATAL(a.sc == b.sc && a.sct == b.sct && a.crd == b.crd &&
				a.more == b.more && a.dnr == b.dnr);
		CU_ASSERT_EQUAL_FATAL(nvp_status_to_field(&a), word >> 1);
	}
}

/* The example that users meet: CQE word 8005h, status field 4002h. */
static void forms_of_one_status(void)
{
	struct nvp_status s = nvp_status_from_cqe(0x8005);
	char text[NVP_STATUS_TEXT_BYTES];

	CU_ASSERT_TRUE(nvp_status_is(&s, 0, 2));
	CU_ASSERT_TRUE(s.dnr);
	CU_ASSERT_FALSE(s.more);
	CU_ASSERT_EQUAL(nvp_status_to_field(&s), 0x4002);
	CU_ASSERT_STRING_EQUAL(nvp_status_text(&s, text),
			       "0/02h Invalid Field in Command, DNR=1, field 0x4002, CQE word 0x8004");
	s = nvp_status_from_field(0x3a81);	/* type 2, CRD 3, M */
	CU_ASSERT_STRING_EQUAL(nvp_status_text(&s, text),
			       "2/81h Unrecovered Read Error, CRD=3, M=1, DNR=0, field 0x3a81, "
			       "CQE word 0x7502");
}

static void longest_text_is_not_cut(void)
{
	char text[NVP_STATUS_TEXT_BYTES];

	for (size_t i = 0; i < nvp_nr_status_rows; i++) {
		struct nvp_status s = {
			.sct = nvp_status_rows[i].sct, .sc = nvp_status_rows[i].sc,
			.crd = 3, .more = true, .dnr = true,
		};

		nvp_status_text(&s, text);
		CU_ASSERT_TRUE(strlen(text) < NVP_STATUS_TEXT_BYTES - 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "CQE word 0x"));
	}
}

static void sets_as_text(void)
{
	static const struct nvp_expect two[] = { { 0, 0x02 }, { 0, 0x0b } };
	struct nvp_expect many[40];
	struct nvp_expect_set set = { .any = two, .nr = 2 };
	char text[NVP_STATUS_TEXT_BYTES];

	CU_ASSERT_STRING_EQUAL(nvp_expect_text(&set, text), "0/02h or 0/0Bh");
	set.nr = 1;
	CU_ASSERT_STRING_EQUAL(nvp_expect_text(&set, text), "0/02h");
	set.nr = 0;
	CU_ASSERT_STRING_EQUAL(nvp_expect_text(&set, text), "nothing");
	memset(many, 0x81, sizeof(many));
	set = (struct nvp_expect_set) { .any = many, .nr = 40 };
	nvp_expect_text(&set, text);
	CU_ASSERT_TRUE(strlen(text) < NVP_STATUS_TEXT_BYTES);
	CU_ASSERT_STRING_EQUAL(text + strlen(text) - 3, " ..");
}

static void table_has_each_code_once(void)
{
	for (size_t i = 0; i < nvp_nr_status_rows; i++) {
		const struct nvp_status_row *row = &nvp_status_rows[i];

		CU_ASSERT_TRUE(row->name[0] && row->sentence[strlen(row->sentence) - 1] == '.');
		for (size_t j = i + 1; j < nvp_nr_status_rows; j++)
			CU_ASSERT_FALSE(row->sct == nvp_status_rows[j].sct &&
					row->sc == nvp_status_rows[j].sc);
	}
}

#define LAST(list) (sizeof(list) / sizeof((list)[0]))

static void check_known(unsigned sct, const unsigned *codes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		CU_ASSERT_STRING_NOT_EQUAL(nvp_status_name(sct, codes[i]), "unknown");
		CU_ASSERT_STRING_NOT_EQUAL(nvp_status_sentence(sct, codes[i]), "");
	}
}

/* Every code that libnvme knows for PCIe drives, by its own names. */
static void table_has_what_libnvme_has(void)
{
	static const unsigned generic[] = {
		NVME_SC_SUCCESS, NVME_SC_INVALID_OPCODE, NVME_SC_INVALID_FIELD, NVME_SC_CMDID_CONFLICT,
		NVME_SC_DATA_XFER_ERROR, NVME_SC_POWER_LOSS, NVME_SC_INTERNAL, NVME_SC_ABORT_REQ,
		NVME_SC_ABORT_QUEUE, NVME_SC_FUSED_FAIL, NVME_SC_FUSED_MISSING, NVME_SC_INVALID_NS,
		NVME_SC_CMD_SEQ_ERROR, NVME_SC_SGL_INVALID_LAST, NVME_SC_SGL_INVALID_COUNT,
		NVME_SC_SGL_INVALID_DATA, NVME_SC_SGL_INVALID_METADATA, NVME_SC_SGL_INVALID_TYPE,
		NVME_SC_CMB_INVALID_USE, NVME_SC_PRP_INVALID_OFFSET, NVME_SC_AWU_EXCEEDED,
		NVME_SC_OP_DENIED, NVME_SC_SGL_INVALID_OFFSET, NVME_SC_HOSTID_FORMAT,
		NVME_SC_KAT_EXPIRED, NVME_SC_KAT_INVALID, NVME_SC_CMD_ABORTED_PREMEPT,
		NVME_SC_SANITIZE_FAILED, NVME_SC_SANITIZE_IN_PROGRESS,
		NVME_SC_SGL_INVALID_GRANULARITY, NVME_SC_CMD_IN_CMBQ_NOT_SUPP,
		NVME_SC_NS_WRITE_PROTECTED, NVME_SC_CMD_INTERRUPTED, NVME_SC_TRAN_TPORT_ERROR,
		NVME_SC_PROHIBITED_BY_CMD_AND_FEAT, NVME_SC_ADMIN_CMD_MEDIA_NOT_READY,
		NVME_SC_LBA_RANGE, NVME_SC_CAP_EXCEEDED, NVME_SC_NS_NOT_READY,
		NVME_SC_RESERVATION_CONFLICT, NVME_SC_FORMAT_IN_PROGRESS,
	};
	static const unsigned command[] = {
		NVME_SC_CQ_INVALID, NVME_SC_QID_INVALID, NVME_SC_QUEUE_SIZE, NVME_SC_ABORT_LIMIT,
		NVME_SC_ASYNC_LIMIT, NVME_SC_FIRMWARE_SLOT, NVME_SC_FIRMWARE_IMAGE,
		NVME_SC_INVALID_VECTOR, NVME_SC_INVALID_LOG_PAGE, NVME_SC_INVALID_FORMAT,
		NVME_SC_FW_NEEDS_CONV_RESET, NVME_SC_INVALID_QUEUE, NVME_SC_FEATURE_NOT_SAVEABLE,
		NVME_SC_FEATURE_NOT_CHANGEABLE, NVME_SC_FEATURE_NOT_PER_NS,
		NVME_SC_FW_NEEDS_SUBSYS_RESET, NVME_SC_FW_NEEDS_RESET, NVME_SC_FW_NEEDS_MAX_TIME,
		NVME_SC_FW_ACTIVATE_PROHIBITED, NVME_SC_OVERLAPPING_RANGE,
		NVME_SC_NS_INSUFFICIENT_CAP, NVME_SC_NS_ID_UNAVAILABLE, NVME_SC_NS_ALREADY_ATTACHED,
		NVME_SC_NS_IS_PRIVATE, NVME_SC_NS_NOT_ATTACHED, NVME_SC_THIN_PROV_NOT_SUPP,
		NVME_SC_CTRL_LIST_INVALID, NVME_SC_SELF_TEST_IN_PROGRESS, NVME_SC_BP_WRITE_PROHIBITED,
		NVME_SC_INVALID_CTRL_ID, NVME_SC_INVALID_SEC_CTRL_STATE,
		NVME_SC_INVALID_CTRL_RESOURCES, NVME_SC_INVALID_RESOURCE_ID,
		NVME_SC_PMR_SAN_PROHIBITED, NVME_SC_ANA_GROUP_ID_INVALID, NVME_SC_ANA_ATTACH_FAILED,
		NVME_SC_INSUFFICIENT_CAP, NVME_SC_NS_ATTACHMENT_LIMIT_EXCEEDED,
		NVME_SC_PROHIBIT_CMD_EXEC_NOT_SUPPORTED, NVME_SC_IOCS_NOT_SUPPORTED,
		NVME_SC_IOCS_NOT_ENABLED, NVME_SC_IOCS_COMBINATION_REJECTED, NVME_SC_INVALID_IOCS,
		NVME_SC_ID_UNAVAILABLE, NVME_SC_BAD_ATTRIBUTES, NVME_SC_INVALID_PI,
		NVME_SC_READ_ONLY, NVME_SC_CMD_SIZE_LIMIT_EXCEEDED, NVME_SC_ZNS_INVALID_OP_REQUEST,
		NVME_SC_ZNS_ZRWA_RESOURCES_UNAVAILABLE, NVME_SC_ZNS_BOUNDARY_ERROR, NVME_SC_ZNS_FULL,
		NVME_SC_ZNS_READ_ONLY, NVME_SC_ZNS_OFFLINE, NVME_SC_ZNS_INVALID_WRITE,
		NVME_SC_ZNS_TOO_MANY_ACTIVE, NVME_SC_ZNS_TOO_MANY_OPENS, NVME_SC_ZNS_INVAL_TRANSITION,
	};
	static const unsigned media[] = {
		NVME_SC_WRITE_FAULT, NVME_SC_READ_ERROR, NVME_SC_GUARD_CHECK, NVME_SC_APPTAG_CHECK,
		NVME_SC_REFTAG_CHECK, NVME_SC_COMPARE_FAILED, NVME_SC_ACCESS_DENIED,
		NVME_SC_UNWRITTEN_BLOCK, NVME_SC_STORAGE_TAG_CHECK,
	};
	static const unsigned path[] = {
		NVME_SC_ANA_INTERNAL_PATH_ERROR, NVME_SC_ANA_PERSISTENT_LOSS,
		NVME_SC_ANA_INACCESSIBLE, NVME_SC_ANA_TRANSITION, NVME_SC_CTRL_PATH_ERROR,
		NVME_SC_HOST_PATH_ERROR, NVME_SC_CMD_ABORTED_BY_HOST,
	};

	check_known(NVME_SCT_GENERIC, generic, LAST(generic));
	check_known(NVME_SCT_CMD_SPECIFIC, command, LAST(command));
	check_known(NVME_SCT_MEDIA, media, LAST(media));
	check_known(NVME_SCT_PATH, path, LAST(path));
}

/* The names that the contract gives to codes mean what the table says. */
static void names_of_the_contract(void)
{
	CU_ASSERT_EQUAL(NVP_SC_INVALID_NS_OR_FORMAT, NVME_SC_INVALID_NS);
	CU_ASSERT_EQUAL(NVP_SC_PRP_OFFSET, NVME_SC_PRP_INVALID_OFFSET);
	CU_ASSERT_EQUAL(NVP_SC_LBA_RANGE, NVME_SC_LBA_RANGE);
	CU_ASSERT_EQUAL(NVP_SC_QUEUE_DELETION, NVME_SC_INVALID_QUEUE);
	CU_ASSERT_EQUAL(NVP_SC_NOT_NS_SPECIFIC, NVME_SC_FEATURE_NOT_PER_NS);
	CU_ASSERT_EQUAL(NVP_SC_SIZE_LIMIT, NVME_SC_CMD_SIZE_LIMIT_EXCEEDED);
	CU_ASSERT_EQUAL(NVP_SC_COMPARE_FAILURE, NVME_SC_COMPARE_FAILED);
	CU_ASSERT_EQUAL(NVP_SC_DEALLOCATED, NVME_SC_UNWRITTEN_BLOCK);
	CU_ASSERT_STRING_EQUAL(nvp_status_name(0, 0x0b), "Invalid Namespace or Format");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(1, 0x02), "Invalid Queue Size");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(2, 0x85), "Compare Failure");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(3, 0x71), "Command Aborted By Host");
}

static void unknown_and_vendor_codes(void)
{
	CU_ASSERT_STRING_EQUAL(nvp_status_name(0, 0x17), "unknown");
	CU_ASSERT_STRING_EQUAL(nvp_status_sentence(0, 0x17), "");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(5, 0xc0), "unknown");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(99, 0xc0), "unknown");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(0, 0x1c2), "unknown");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(0, 0xc0), "Vendor Specific");
	CU_ASSERT_STRING_EQUAL(nvp_status_name(7, 0x00), "Vendor Specific");
	CU_ASSERT_STRING_NOT_EQUAL(nvp_status_sentence(7, 0x00), "");
}

static void opcode_names(void)
{
	CU_ASSERT_STRING_EQUAL(nvp_opcode_name(true, nvme_admin_identify), "Identify");
	CU_ASSERT_STRING_EQUAL(nvp_opcode_name(true, nvme_admin_sanitize_nvm), "Sanitize");
	CU_ASSERT_STRING_EQUAL(nvp_opcode_name(false, nvme_cmd_write_zeroes), "Write Zeroes");
	CU_ASSERT_STRING_EQUAL(nvp_opcode_name(false, nvme_cmd_dsm), "Dataset Management");
	CU_ASSERT_STRING_EQUAL(nvp_opcode_name(true, 0xc1), "opcode C1h");
	CU_ASSERT_STRING_EQUAL(nvp_opcode_name(false, 0x06), "opcode 06h");
	for (unsigned i = 0; i < 256; i++) {
		CU_ASSERT_PTR_NOT_NULL(nvp_opcode_name(true, (uint8_t)i));
		CU_ASSERT_PTR_NOT_NULL(nvp_opcode_name(false, (uint8_t)i));
	}
}

static void each_known_opcode_has_a_name(void)
{
	static const uint8_t admin[] = {
		0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x10, 0x11, 0x14, 0x15,
		0x18, 0x19, 0x1a, 0x1c, 0x1d, 0x1e, 0x20, 0x24, 0x7c, 0x7f, 0x80, 0x81, 0x82, 0x84, 0x86,
	};
	static const uint8_t io[] = {
		0x00, 0x01, 0x02, 0x04, 0x05, 0x08, 0x09, 0x0c, 0x0d, 0x0e, 0x11, 0x12, 0x15, 0x18, 0x19,
		0x1d, 0x79, 0x7a, 0x7d, 0x7f,
	};

	for (unsigned i = 0; i < 512; i++) {
		const char *name = nvp_opcode_name(i < 256, (uint8_t)i);
		const void *known = i < 256 ? memchr(admin, (int)i, sizeof(admin)) :
					      memchr(io, (int)i - 256, sizeof(io));

		CU_ASSERT_EQUAL(strncmp(name, "opcode ", 7) != 0, known != NULL);
		for (unsigned j = i & 256; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(name, nvp_opcode_name(i < 256, (uint8_t)j));
	}
}

static void completion_entry(void)
{
	static const uint8_t bytes[16] = {
		0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x31, 0x32, 0x41, 0x42,
		0x05, 0x80,
	};
	struct nvp_cpl cpl;

	memset(&cpl, 0xff, sizeof(cpl));
	nvp_decode_cqe(bytes, &cpl);
	CU_ASSERT_EQUAL(cpl.dw0, 0x04030201);
	CU_ASSERT_EQUAL(cpl.dw1, 0x14131211);
	CU_ASSERT_EQUAL(cpl.sqhd, 0x2221);
	CU_ASSERT_EQUAL(cpl.sqid, 0x3231);
	CU_ASSERT_EQUAL(cpl.cid, 0x4241);
	CU_ASSERT_TRUE(cpl.phase && cpl.has_queue_fields && cpl.status.dnr);
	CU_ASSERT_TRUE(nvp_status_is(&cpl.status, 0, 2));
	CU_ASSERT_FALSE(nvp_cpl_ok(&cpl));
	CU_ASSERT_EQUAL(cpl.sub_tick | cpl.ack_tick | cpl.latency_ns, 0);
}

CU_TestInfo nvp_unit_status[] = {
	{ "every_word_in_every_form", every_word_in_every_form },
	{ "forms_of_one_status", forms_of_one_status },
	{ "longest_text_is_not_cut", longest_text_is_not_cut },
	{ "sets_as_text", sets_as_text },
	{ "table_has_each_code_once", table_has_each_code_once },
	{ "table_has_what_libnvme_has", table_has_what_libnvme_has },
	{ "names_of_the_contract", names_of_the_contract },
	{ "unknown_and_vendor_codes", unknown_and_vendor_codes },
	{ "opcode_names", opcode_names },
	{ "each_known_opcode_has_a_name", each_known_opcode_has_a_name },
	{ "completion_entry", completion_entry },
	CU_TEST_INFO_NULL,
};
