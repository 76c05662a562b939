// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace Management and Attachment: what is made, what is refused, what is left behind.

#include "cases/ns_manage.h"

#define INVALID_OR_INACTIVE NVP_ANY({ NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT },		\
				    { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD })

/* One block of a namespace; whatever the drive answers. */
static bool one_block(struct nvp_t *t, uint8_t opcode, uint32_t nsid, uint64_t slba,
		      uint32_t lba_bytes, struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct case_region region = { .nsid = nsid, .lba_bytes = lba_bytes, .slba = slba,
				      .lbas = 1 };
	struct nvp_cmd cmd = case_transfer(opcode, &region, 0, 1, buf);

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, cpl));
}

static bool listed_as(struct nvp_t *t, uint32_t nsid, bool allocated, bool active,
		      struct nvp_buf *buf, const char *when)
{
	bool in_allocated, in_active;

	if (!case_ns_listed(t, 0x10, nsid, buf, &in_allocated) ||
	    !case_ns_listed(t, 0x02, nsid, buf, &in_active))
		return false;
	nvp_check(t, in_allocated == allocated, "%s, namespace %u is %sin the list of CNS 10h", when,
		  nsid, in_allocated ? "" : "not ");
	nvp_check(t, in_active == active, "%s, namespace %u is %sin the list of CNS 02h", when,
		  nsid, in_active ? "" : "not ");
	return true;
}

/* NSM-01. Create, attach, write, read, detach, delete; what the lists say at each step. */
static void life_of_a_namespace(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096), *data, *seen;
	struct case_new_ns new_ns;
	uint64_t before, after;
	uint32_t lba_bytes, nsid;
	struct nvp_cpl cpl;
	struct nvp_id_ns id;

	if (!buf || !case_room(t, buf, 1, &new_ns, &lba_bytes) || !case_unallocated(t, buf, &before))
		return;
	data = nvp_t_buf(t, lba_bytes);
	seen = nvp_t_buf(t, lba_bytes);
	if (!data || !seen || !case_ns_made(t, &new_ns, buf, &nsid))
		return;
	nvp_require(t, nsid && nsid <= nvp_t_facts(t)->ctrl.nn, "Create gives NSID %u", nsid);
	if (!listed_as(t, nsid, true, false, buf, "after Create") ||
	    !case_identify(t, 0x11, nsid, 0, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	nvp_decode_id_ns(nvp_buf_data(buf), 4096, &id);
	nvp_check_by(t, NVP_SPEC("NVMe Base", "2.0", "8.11", NULL),
		     id.nsze_lbas == new_ns.nsze_lbas && (id.flbas & 0xf) == new_ns.flbas,
		     "NSZE %llu, FLBAS %u", (unsigned long long)id.nsze_lbas, id.flbas & 0xfu);
	if (!case_ns_attach_here(t, nsid, false, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!listed_as(t, nsid, true, true, buf, "after Attach"))
		return;
	nvp_buf_fill_pattern(data, nvp_t_rand(t, "data", nsid));
	if (!one_block(t, NVP_IO_WRITE, nsid, 1, lba_bytes, data, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!one_block(t, NVP_IO_READ, nsid, 1, lba_bytes, seen, &cpl))
		return;
	CASE_OK(t, &cpl);
	nvp_check_bytes(t, nvp_buf_data(seen), nvp_buf_data(data), lba_bytes);
	if (!case_ns_attach_here(t, nsid, true, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!listed_as(t, nsid, true, false, buf, "after Detach") ||
	    !one_block(t, NVP_IO_READ, nsid, 1, lba_bytes, seen, &cpl))
		return;
	nvp_check_status(t, &cpl, INVALID_OR_INACTIVE);
	if (!case_ns_delete(t, nsid, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!listed_as(t, nsid, false, false, buf, "after Delete") ||
	    !case_unallocated(t, buf, &after))
		return;
	nvp_check_eq(t, after, before);
}

/* NSM-02, NSM-04. More than there is; nothing; less capacity than size without thin provisioning. */
static void sizes_that_do_not_fit(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct case_new_ns fits, ns;
	struct nvp_id_ns common;
	struct nvp_cpl cpl;
	uint32_t lba_bytes;
	uint64_t bytes;

	if (!buf || !case_room(t, buf, 1, &fits, &lba_bytes) || !case_unallocated(t, buf, &bytes))
		return;
	ns = fits;
	ns.nsze_lbas = ns.ncap_lbas = bytes / lba_bytes + (1u << 20);
	if (!case_ns_create(t, &ns, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_NS_CAPACITY }));
	ns.nsze_lbas = ns.ncap_lbas = 0;
	if (!case_ns_create(t, &ns, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	if (!case_identify(t, 0x00, NVP_NSID_ALL, 0, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	nvp_decode_id_ns(nvp_buf_data(buf), 4096, &common);
	if (common.nsfeat & 1) {
		nvp_note(t, "NSFEAT bit 0: the drive provisions thinly");
		return;
	}
	ns = fits;
	ns.ncap_lbas /= 2;
	if (!case_ns_create(t, &ns, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_THIN_NOT_SUPPORTED }));
}

/* NSM-05. A format beyond NLBAF; protection in a format that has no metadata for it. */
static void formats_that_are_not_there(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct case_new_ns fits, ns;
	struct nvp_id_ns common;
	struct nvp_cpl cpl;
	uint32_t lba_bytes;

	if (!buf || !case_room(t, buf, 1, &fits, &lba_bytes) ||
	    !case_identify(t, 0x00, NVP_NSID_ALL, 0, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	nvp_decode_id_ns(nvp_buf_data(buf), 4096, &common);
	ns = fits;
	ns.dps = 1;
	if (!case_ns_create(t, &ns, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_INVALID_FORMAT },
					  { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD }));
	if (common.nlbaf_z >= 15)
		return;
	ns = fits;
	ns.flbas = 15;
	if (!case_ns_create(t, &ns, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_INVALID_FORMAT },
					  { NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD }));
}

/* NSM-03. Until every NSID is taken; each is a new one, and the next is refused. */
static void no_more_than_nn(struct nvp_t *t)
{
	uint32_t nn = nvp_t_facts(t)->ctrl.nn, lba_bytes, before = 0;
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct case_new_ns ns;
	struct nvp_cpl cpl;

	if (nn > 128)
		nvp_skip(t, "NN is %u: too many to make them all", nn);
	if (!buf || !case_room(t, buf, nn, &ns, &lba_bytes))
		return;
	for (uint32_t i = 0; i <= nn; i++) {
		bool listed;

		if (!case_ns_create(t, &ns, buf, &cpl))
			return;
		if (!nvp_cpl_ok(&cpl))
			break;
		nvp_check(t, cpl.dw0 && cpl.dw0 <= nn && cpl.dw0 != before,
			  "Create gives NSID %u, after %u", cpl.dw0, before);
		before = cpl.dw0;
		if (!before || before > nn)
			return;
		if (!case_ns_listed(t, 0x10, before, buf, &listed))
			return;
		if (!listed)	/* another case says so; without it this one would never end */
			return;
	}
	if (nvp_status_is(&cpl.status, NVP_SCT_COMMAND, NVP_SC_NS_CAPACITY))
		nvp_skip(t, "the capacity is used up before the identifiers are");
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_NSID_UNAVAILABLE }));
}

/* NSM-06, NSM-07. Twice the same, and lists of controllers that are none. */
static void attachment_is_checked(struct nvp_t *t)
{
	static const uint16_t missing[] = { 0xffef };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct case_new_ns ns;
	struct nvp_cpl cpl;
	uint32_t lba_bytes, nsid;

	if (!buf || !case_room(t, buf, 1, &ns, &lba_bytes) || !case_ns_made(t, &ns, buf, &nsid) ||
	    !case_ns_attach_here(t, nsid, true, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_NS_NOT_ATTACHED }));
	if (!case_ns_attach(t, nsid, false, missing, 1, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_CONTROLLER_LIST }));
	if (!case_ns_attach_here(t, nsid, false, buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!case_ns_attach_here(t, nsid, false, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_NS_ATTACHED }));
}

/* NSM-08. Deletes of what is not there; and a delete takes one namespace, not its neighbour. */
static void delete_takes_the_named_one(struct nvp_t *t)
{
	uint32_t nn = nvp_t_facts(t)->ctrl.nn, lba_bytes, first, second;
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct case_new_ns ns;
	struct nvp_cpl cpl;

	if (!buf || !case_room(t, buf, 2, &ns, &lba_bytes) || !case_ns_made(t, &ns, buf, &first) ||
	    !case_ns_made(t, &ns, buf, &second) || !case_ns_delete(t, second, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!listed_as(t, first, true, false, buf, "after Delete of the other") ||
	    !case_ns_delete(t, second, &cpl))
		return;
	nvp_check_status(t, &cpl, INVALID_OR_INACTIVE);
	if (nn > 0xfffffff0)
		return;
	if (!case_ns_delete(t, nn + 1, &cpl))
		return;
	nvp_check_status(t, &cpl, INVALID_OR_INACTIVE);
}

/* NSM-09. */
static void reserved_selections(struct nvp_t *t)
{
	static const uint8_t reserved[] = { 2, 7, 15 };
	struct nvp_buf *buf = nvp_t_buf(t, 4096);

	if (!buf)
		return;
	for (size_t i = 0; i < sizeof(reserved); i++) {
		struct nvp_cmd manage = case_with_data(nvp_build_ns_create(0), buf);
		struct nvp_cmd attach = case_with_data(nvp_build_ns_attachment(nvp_t_ns(t)->nsid,
									       false), buf);
		struct nvp_cpl cpl;

		nvp_sqe_set_dw(&manage.sqe, 10, reserved[i]);
		nvp_sqe_set_dw(&attach.sqe, 10, reserved[i]);
		nvp_admin(t, &manage, &cpl);
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
		nvp_admin(t, &attach, &cpl);
		nvp_check_status(t, &cpl, CASE_INVALID_FIELD);
	}
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "namespace.lists-follow-its-life",
		.title = "A namespace is created, attached, written, detached and deleted, and the "
			 "lists say so",
		.spec = { "NVMe Base", "2.0", "8.11", NULL },
		.rows = NVP_LIST("NSM-01", "NSM-07", "IDY-09"),
		.needs = NVP_NEED_NS_MANAGEMENT | NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.catches = NVP_LIST("ns-attached-when-created", "ns-allocated-list-incomplete",
				    "ns-attachment-ignored", "ns-delete-keeps",
				    "ns-capacity-kept", "ns-detached-readable",
				    "ns-create-result-zero", "ns-size-one-less",
				    "read-bit-flipped:lba=1"),
		.run = life_of_a_namespace,
	}, {
		NVP_CASE,
		.id = "namespace.sizes-that-do-not-fit-are-refused",
		.title = "A namespace that is too large, empty or thin is not created",
		.spec = { "NVMe Base", "2.0", "5.23", NULL },
		.rows = NVP_LIST("NSM-02", "NSM-04"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-capacity-unchecked", "ns-size-zero-accepted",
				    "ns-thin-accepted"),
		.run = sizes_that_do_not_fit,
	}, {
		NVP_CASE,
		.id = "namespace.unsupported-formats-are-refused",
		.title = "A namespace is not created in a format, or with a protection, that is not "
			 "there",
		.spec = { "NVMe Base", "2.0", "5.23", "FLBAS, DPS" },
		.rows = NVP_LIST("NSM-05"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-format-unchecked"),
		.run = formats_that_are_not_there,
	}, {
		NVP_CASE,
		.id = "namespace.no-more-than-nn-are-created",
		.title = "Each created namespace has its own NSID, and one more than NN is refused",
		.spec = { "NVMe Base", "2.0", "5.23", "Namespace Identifier Unavailable" },
		.rows = NVP_LIST("NSM-01", "NSM-03"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-nsid-unavailable-wrong-status", "ns-create-result-zero"),
		.run = no_more_than_nn,
	}, {
		NVP_CASE,
		.id = "namespace.attachment-is-checked",
		.title = "Attaching twice, detaching twice and lists of no controller are refused",
		.spec = { "NVMe Base", "2.0", "5.22", NULL },
		.rows = NVP_LIST("NSM-06", "NSM-07"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-attach-twice-accepted", "ns-detach-twice-accepted",
				    "ns-controller-list-unchecked"),
		.run = attachment_is_checked,
	}, {
		NVP_CASE,
		.id = "namespace.delete-takes-the-named-one",
		.title = "Delete takes the named namespace alone and refuses one that is not there",
		.spec = { "NVMe Base", "2.0", "5.23", "NSID" },
		.rows = NVP_LIST("NSM-08"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-delete-missing-accepted", "ns-delete-hits-neighbour"),
		.run = delete_takes_the_named_one,
	}, {
		NVP_CASE,
		.id = "namespace.reserved-selections-are-refused",
		.title = "Reserved values of SEL give Invalid Field in Command",
		.spec = { "NVMe Base", "2.0", "5.22, 5.23", "SEL" },
		.rows = NVP_LIST("NSM-09"),
		.needs = NVP_NEED_NS_MANAGEMENT | NVP_NEED_NAMESPACE,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-select-reserved-accepted"),
		.run = reserved_selections,
	},
};

NVP_SUITE(namespace, cases);
