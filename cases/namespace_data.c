// SPDX-License-Identifier: GPL-2.0-or-later
// Namespaces over their life: data, identifiers, lists of controllers, resets, and the change event.

#include "cases/ns_manage.h"

#define EVENT_NS_ATTRIBUTE 0x00040002u	/* notice, info 00h, log 04h */
#define NS_ATTRIBUTE_NOTICES (1u << 8)	/* OAES and Asynchronous Event Configuration */

struct lived {
	struct nvp_buf *buf, *block;
	struct case_new_ns new_ns;
	uint32_t lba_bytes;
};

static bool prepare(struct nvp_t *t, struct lived *l)
{
	l->buf = nvp_t_buf(t, 4096);
	if (!l->buf || !case_room(t, l->buf, 1, &l->new_ns, &l->lba_bytes))
		return false;
	l->block = nvp_t_buf(t, l->lba_bytes);
	return l->block;
}

/* Create and attach; both have to succeed. */
static bool live(struct nvp_t *t, struct lived *l, uint32_t *nsid)
{
	struct nvp_cpl cpl;

	return case_ns_made(t, &l->new_ns, l->buf, nsid) &&
	       case_ns_attach_here(t, *nsid, false, l->buf, &cpl) && CASE_SUCCEEDS(t, &cpl);
}

static bool one_block(struct nvp_t *t, struct lived *l, uint8_t opcode, uint32_t nsid, uint64_t slba)
{
	struct case_region region = { .nsid = nsid, .lba_bytes = l->lba_bytes, .slba = slba,
				      .lbas = 1 };
	struct nvp_cmd cmd = case_transfer(opcode, &region, 0, 1, l->block);
	struct nvp_cpl cpl;

	return CASE_TRAVELS(t, nvp_exec_io(nvp_t_drive(t), &cmd, &cpl)) && CASE_SUCCEEDS(t, &cpl);
}

static bool gone(struct nvp_t *t, uint32_t nsid)
{
	struct nvp_cpl cpl;

	return case_ns_delete(t, nsid, &cpl) && CASE_SUCCEEDS(t, &cpl);
}

/* NSM-01. What was in a deleted namespace is in none that is made later. */
static void no_data_of_the_deleted_one(struct nvp_t *t)
{
	static const uint64_t blocks[] = { 0, 1, 9 };
	const size_t nr = sizeof(blocks) / sizeof(blocks[0]);
	uint32_t nsid, nuse_of;
	struct nvp_buf *data;
	struct nvp_id_ns id;
	struct nvp_cpl cpl;
	struct lived l;

	if (!prepare(t, &l) || !live(t, &l, &nsid))
		return;
	data = nvp_t_buf(t, l.lba_bytes);
	if (!data)
		return;
	nvp_buf_fill_pattern(data, nvp_t_rand(t, "data", 0));
	memcpy(nvp_buf_data(l.block), nvp_buf_data(data), l.lba_bytes);
	for (size_t i = 0; i < nr; i++)
		if (!one_block(t, &l, NVP_IO_WRITE, nsid, blocks[i]))
			return;
	if (!gone(t, nsid) || !live(t, &l, &nuse_of))
		return;
	for (size_t i = 0; i < nr; i++) {
		nvp_buf_fill(l.block, 0xa5);
		if (!one_block(t, &l, NVP_IO_READ, nuse_of, blocks[i]))
			return;
		nvp_check(t, memcmp(nvp_buf_data(l.block), nvp_buf_data(data), l.lba_bytes),
			  "block %llu of the new namespace has the data of the deleted one",
			  (unsigned long long)blocks[i]);
	}
	if (!case_identify(t, 0x00, nuse_of, 0, l.buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	nvp_decode_id_ns(nvp_buf_data(l.buf), 4096, &id);
	nvp_check(t, id.nuse_lbas <= id.ncap_lbas, "NUSE %llu, NCAP %llu",
		  (unsigned long long)id.nuse_lbas, (unsigned long long)id.ncap_lbas);
}

/* EUI64, NGUID or UUID of an attached namespace, whichever there are. */
static bool identifiers(struct nvp_t *t, struct lived *l, uint32_t nsid,
			struct nvp_ns_descriptors *out)
{
	struct nvp_cpl cpl;

	if (!case_identify(t, 0x03, nsid, 0, l->buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_ns_descriptors(nvp_buf_data(l->buf), 4096, out);
	return true;
}

/* 4.5.1: an identifier that a namespace had is not given to another one. */
static void identifiers_are_new(struct nvp_t *t)
{
	struct nvp_ns_descriptors a, b;
	uint32_t first, second;
	struct lived l;

	if (!prepare(t, &l) || !live(t, &l, &first) || !identifiers(t, &l, first, &a) ||
	    !gone(t, first) || !live(t, &l, &second) || !identifiers(t, &l, second, &b))
		return;
	if (!a.has_eui64 && !a.has_nguid && !a.has_uuid)
		nvp_skip(t, "the namespace has no identifier");
	nvp_check(t, !(a.has_eui64 && b.has_eui64 && !memcmp(a.eui64, b.eui64, 8)) &&
		  !(a.has_nguid && b.has_nguid && !memcmp(a.nguid, b.nguid, 16)) &&
		  !(a.has_uuid && b.has_uuid && !memcmp(a.uuid, b.uuid, 16)),
		  "namespace %u has an identifier of the deleted namespace %u", second, first);
}

/* What was attached stays so, with its data, over a controller reset. */
static void reset_keeps_it(struct nvp_t *t)
{
	struct nvp_buf *data;
	uint32_t nsid;
	struct lived l;
	bool listed;

	nvp_defer(t, case_reset_at_end, NULL);	/* what is known of the namespaces has changed */
	if (!prepare(t, &l) || !live(t, &l, &nsid))
		return;
	data = nvp_t_buf(t, l.lba_bytes);
	if (!data)
		return;
	nvp_buf_fill_pattern(data, nvp_t_rand(t, "data", 0));
	memcpy(nvp_buf_data(l.block), nvp_buf_data(data), l.lba_bytes);
	if (!one_block(t, &l, NVP_IO_WRITE, nsid, 3))
		return;
	nvp_done(t, nvp_reset(nvp_t_drive(t), NVP_RESET_CONTROLLER));
	if (!case_ns_listed(t, 0x02, nsid, l.buf, &listed))
		return;
	nvp_require(t, listed, "namespace %u is not active any more", nsid);
	nvp_buf_fill(l.block, 0);
	if (!one_block(t, &l, NVP_IO_READ, nsid, 3))
		return;
	nvp_check_bytes(t, nvp_buf_data(l.block), nvp_buf_data(data), l.lba_bytes);
}

/* IDY-09. CNS 11h of an NSID that is not allocated is 4096 zeroes. */
static void unallocated_is_zero(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	uint32_t nn = nvp_t_facts(t)->ctrl.nn;
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (uint32_t nsid = 1; nsid <= nn && nsid <= 1024; nsid++) {
		bool listed;

		if (!case_ns_listed(t, 0x10, nsid, buf, &listed))
			return;
		if (listed)
			continue;
		nvp_buf_fill(buf, 0xa5);
		if (!case_identify(t, 0x11, nsid, 0, buf, &cpl))
			return;
		CASE_OK(t, &cpl);
		nvp_check(t, nvp_buf_find_not(buf, 0, 4096, 0) < 0,
			  "namespace %u is not allocated, and byte %lld is not 0", nsid,
			  (long long)nvp_buf_find_not(buf, 0, 4096, 0));
		return;
	}
	nvp_skip(t, "every NSID up to %u is allocated", nn);
}

static bool controllers(struct nvp_t *t, uint8_t cns, uint32_t nsid, uint16_t first,
			struct nvp_buf *buf, struct nvp_controller_list *list)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_identify(cns, nsid, first, 0, 0), buf);
	struct nvp_cpl cpl;

	if (!CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl)) ||
	    !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_controller_list(nvp_buf_data(buf), 4096, list);
	return true;
}

static bool has(const struct nvp_controller_list *list, uint16_t id)
{
	for (unsigned i = 0; i < list->nr; i++)
		if (list->id[i] == id)
			return true;
	return false;
}

/* IDY-09, IDY-13. Ascending, with this controller, from the CNTID that was asked for. */
static void controller_lists(struct nvp_t *t)
{
	uint16_t here = nvp_t_facts(t)->ctrl.cntlid;
	struct nvp_buf *buf = nvp_t_buf(t, 4096);
	struct nvp_controller_list list;

	if (!buf || !controllers(t, 0x13, 0, 0, buf, &list))
		return;
	nvp_check(t, has(&list, here) && list.ascending && !list.overrun,
		  "CNS 13h lists %u controllers, CNTLID %Xh is %sone of them", list.nr, here,
		  has(&list, here) ? "" : "not ");
	if (!controllers(t, 0x12, nvp_t_ns(t)->nsid, 0, buf, &list))
		return;
	nvp_check(t, has(&list, here), "CNS 12h of namespace %u lists %u controllers without %Xh",
		  nvp_t_ns(t)->nsid, list.nr, here);
	if (!controllers(t, 0x13, 0, (uint16_t)(here + 1), buf, &list))
		return;
	nvp_check(t, !has(&list, here), "CNS 13h from %Xh on lists %Xh", here + 1u, here);
}

/* Another controller of the subsystem, not necessarily one that anybody talks to. */
static bool other_controller(struct nvp_t *t, struct nvp_buf *buf, uint16_t ids[2])
{
	uint16_t here = nvp_t_facts(t)->ctrl.cntlid;
	struct nvp_controller_list list;

	if (!controllers(t, 0x13, 0, 0, buf, &list))
		return false;
	for (unsigned i = 0; i < list.nr; i++) {
		if (list.id[i] == here)
			continue;
		ids[0] = here < list.id[i] ? here : list.id[i];
		ids[1] = here < list.id[i] ? list.id[i] : here;
		return true;
	}
	nvp_skip_at(t, __FILE__, __LINE__, "the subsystem has one controller");
	return false;
}

/* NSM-06. NMIC bit 0 clear: to one controller. Set: to both, or to the other one alone. */
static void sharing_follows_nmic(struct nvp_t *t)
{
	struct nvp_controller_list list;
	uint16_t ids[2], other;
	struct nvp_cpl cpl;
	uint32_t nsid;
	struct lived l;
	bool listed;

	if (!prepare(t, &l) || !other_controller(t, l.buf, ids) ||
	    !case_ns_made(t, &l.new_ns, l.buf, &nsid) ||
	    !case_ns_attach(t, nsid, false, ids, 2, l.buf, &cpl))
		return;
	nvp_check_status(t, &cpl, NVP_ANY({ NVP_SCT_COMMAND, NVP_SC_NS_PRIVATE }));
	if (!gone(t, nsid))
		return;
	l.new_ns.shared = true;
	if (!case_ns_made(t, &l.new_ns, l.buf, &nsid) ||
	    !case_ns_attach(t, nsid, false, ids, 2, l.buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!controllers(t, 0x12, nsid, 0, l.buf, &list))
		return;
	nvp_check(t, has(&list, ids[0]) && has(&list, ids[1]), "CNS 12h lists %u controllers",
		  list.nr);
	other = ids[0] == nvp_t_facts(t)->ctrl.cntlid ? ids[1] : ids[0];
	if (!case_ns_attach_here(t, nsid, true, l.buf, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!case_ns_listed(t, 0x02, nsid, l.buf, &listed) ||
	    !controllers(t, 0x12, nsid, 0, l.buf, &list))
		return;
	nvp_check(t, !listed && list.nr == 1 && has(&list, other),
		  "after Detach here the namespace is %sactive, attached to %u controllers",
		  listed ? "" : "in", list.nr);
}

/*
 * AER-07, LOG-11. The controller that a namespace is attached to says so, once; log 04h names it and
 * is empty after it was read.
 */
static void change_is_reported(struct nvp_t *t)
{
	struct nvp_cmd read_log;
	struct nvp_nsid_list list;
	struct nvp_cpl cpl;
	uint32_t nsid;
	struct lived l;
	bool came;

	if (!(nvp_t_facts(t)->ctrl.oaes & NS_ATTRIBUTE_NOTICES))
		nvp_skip(t, "OAES bit 8 is clear: no Namespace Attribute Notices");
	if (!prepare(t, &l))
		return;
	nvp_defer(t, case_reset_at_end, NULL);
	if (!nvp_change_feature(t, 0x0b, 0, NS_ATTRIBUTE_NOTICES, &cpl))
		return;
	CASE_OK(t, &cpl);
	if (!case_log(t, 0x04, 4096, l.buf))
		return;
	read_log = case_with_data(nvp_build_get_log(0x04, NVP_NSID_ALL, 4096, 0, false, 0), l.buf);
	nvp_admin(t, &read_log, &cpl);		/* nothing of before is left */
	CASE_OK(t, &cpl);
	if (!live(t, &l, &nsid) || !case_post_event_request(t) ||
	    !case_next_event(t, 100 * NVP_NS_PER_MS, &came, &cpl))
		return;
	nvp_require(t, came, "no event after Attach");
	CASE_OK(t, &cpl);
	nvp_check_eq(t, cpl.dw0 & 0x00ffffff, EVENT_NS_ATTRIBUTE);
	nvp_admin(t, &read_log, &cpl);
	CASE_OK(t, &cpl);
	nvp_decode_nsid_list(nvp_buf_data(l.buf), 4096, &list);
	nvp_check(t, list.nr == 1 && list.nsid[0] == nsid, "log 04h has %u entries, the first is %u",
		  list.nr, list.nr ? list.nsid[0] : 0);
	nvp_admin(t, &read_log, &cpl);
	CASE_OK(t, &cpl);
	nvp_decode_nsid_list(nvp_buf_data(l.buf), 4096, &list);
	nvp_check(t, !list.nr, "log 04h still has %u entries after it was read", list.nr);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "namespace.new-one-has-no-data-of-the-deleted",
		.title = "A created namespace shows no data of a deleted one",
		.spec = { "NVMe Base", "2.0", "8.11", NULL },
		.rows = NVP_LIST("NSM-01", "NSM-08"),
		.needs = NVP_NEED_NS_MANAGEMENT | NVP_NEED_QUEUES,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA,
		.catches = NVP_LIST("ns-stale-data", "identify-nuse-above-ncap"),
		.run = no_data_of_the_deleted_one,
	}, {
		NVP_CASE,
		.id = "namespace.identifiers-are-not-used-again",
		.title = "A created namespace has other identifiers than a deleted one",
		.spec = { "NVMe Base", "2.0", "4.5.1", NULL },
		.rows = NVP_LIST("NSM-01", "IDY-07"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-identifier-used-again"),
		.run = identifiers_are_new,
	}, {
		NVP_CASE,
		.id = "namespace.reset-keeps-attachment-and-data",
		.title = "An attached namespace and its data stay over a controller reset",
		.spec = { "NVMe Base", "2.0", "5.22", NULL },
		.rows = NVP_LIST("NSM-01"),
		.needs = NVP_NEED_NS_MANAGEMENT | NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_DATA | NVP_IMPACT_RESET,
		.catches = NVP_LIST("ns-reset-detaches", "reset-drops-cache"),
		.run = reset_keeps_it,
	}, {
		NVP_CASE,
		.id = "namespace.sharing-follows-nmic",
		.title = "A private namespace is attached to one controller, a shared one to each",
		.spec = { "NVMe Base", "2.0", "5.22", "Namespace Is Private" },
		.rows = NVP_LIST("NSM-06"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.impact = NVP_IMPACT_ERASE,
		.catches = NVP_LIST("ns-private-shared", "ns-controller-here-alone",
				    "ns-detach-takes-all"),
		.run = sharing_follows_nmic,
	}, {
		NVP_CASE,
		.id = "identify.unallocated-namespace-is-zero",
		.title = "Identify of an allocated namespace gives zeroes for one that is not",
		.spec = { "NVMe Base", "2.0", "5.17.2.11", "CNS 11h" },
		.rows = NVP_LIST("IDY-09"),
		.needs = NVP_NEED_NS_MANAGEMENT,
		.catches = NVP_LIST("ns-unallocated-not-zero"),
		.run = unallocated_is_zero,
	}, {
		NVP_CASE,
		.id = "identify.controller-lists-start-at-cntid",
		.title = "Lists of controllers are ascending, have this one, and start at CNTID",
		.spec = { "NVMe Base", "2.0", "5.17.2.12, 5.17.2.13", "CNS 12h, 13h" },
		.rows = NVP_LIST("IDY-09", "IDY-13"),
		.needs = NVP_NEED_NS_MANAGEMENT | NVP_NEED_NAMESPACE,
		.catches = NVP_LIST("ns-controller-lists-empty",
				    "ns-controller-list-ignores-start"),
		.run = controller_lists,
	}, {
		NVP_CASE,
		.id = "event.namespace-change-is-reported",
		.title = "An attached namespace raises one event and stands in log 04h until read",
		.spec = { "NVMe Base", "2.0", "5.16.1.5 and 8.11", "Namespace Attribute Changed" },
		.rows = NVP_LIST("AER-07", "LOG-11"),
		.needs = NVP_NEED_NS_MANAGEMENT | NVP_NEED_QUEUES | NVP_NEED_RESETS,
		.impact = NVP_IMPACT_ERASE | NVP_IMPACT_STATE | NVP_IMPACT_RESET,
		.catches = NVP_LIST("ns-change-event-missing", "ns-change-log-empty",
				    "ns-change-log-kept", "event-log-page-wrong"),
		.run = change_is_reported,
	},
};

NVP_SUITE(namespace_data, cases);
