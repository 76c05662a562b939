// SPDX-License-Identifier: GPL-2.0-or-later
// Identify: namespaces, their lists and their descriptors.

#include <string.h>

#include "cases/common.h"

/* The Active Namespace ID list above start, whatever the drive answers. */
static bool active_list(struct nvp_t *t, uint32_t start, struct nvp_buf *buf,
			struct nvp_nsid_list *list, struct nvp_cpl *cpl)
{
	if (!case_identify(t, 0x02, start, 0, buf, cpl))
		return false;
	nvp_decode_nsid_list(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, list);
	return true;
}

/* Identify Namespace of one active namespace: the relations of its fields. */
static bool check_namespace(struct nvp_t *t, uint32_t nsid, struct nvp_buf *buf)
{
	struct nvp_id_ns id;
	struct nvp_cpl cpl;

	if (!case_identify(t, 0x00, nsid, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_id_ns(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &id);
	nvp_check(t, id.nsze_lbas >= id.ncap_lbas, "namespace %u: NSZE %llu, NCAP %llu", nsid,
		  (unsigned long long)id.nsze_lbas, (unsigned long long)id.ncap_lbas);
	nvp_check(t, id.ncap_lbas >= id.nuse_lbas, "namespace %u: NCAP %llu, NUSE %llu", nsid,
		  (unsigned long long)id.ncap_lbas, (unsigned long long)id.nuse_lbas);
	nvp_check(t, id.format_index <= id.nlbaf_z, "namespace %u: FLBAS names format %u of %u",
		  nsid, id.format_index, id.nlbaf_z + 1u);
	nvp_check(t, id.lbaf[id.format_index].lbads >= 9,
		  "namespace %u: LBADS %u of the format in use", nsid,
		  id.lbaf[id.format_index].lbads);
	return true;
}

/*
 * IDY-02. NSZE >= NCAP >= NUSE, the format in use exists, and its blocks have at least 512
 * bytes. The namespaces are taken from the drive's list, not from
 * what the tool finds usable.
 */
static void namespace_data_is_consistent(struct nvp_t *t)
{
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_nsid_list list;
	struct nvp_cpl cpl;

	if (!buf || !active_list(t, 0, buf, &list, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	if (!list.nr)
		nvp_skip(t, "no active namespace");
	for (unsigned i = 0; i < list.nr && i < 64; i++)
		if (!check_namespace(t, list.nsid[i], buf))
			return;
}

/*
 * IDY-04. NSID 0 and NSIDs above NN are invalid: Identify Namespace gives Invalid Namespace or
 * Format for them.
 */
static void invalid_nsids_are_refused(struct nvp_t *t)
{
	uint32_t nn = nvp_t_facts(t)->ctrl.nn;
	uint32_t nsids[] = { 0, nn + 1, nn | 0x80000000u, 0xfffffffe };
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (unsigned i = 0; i < 4; i++) {
		if (nsids[i] && (nsids[i] <= nn || nsids[i] == NVP_NSID_ALL))
			continue;
		if (!case_identify(t, 0x00, nsids[i], 0, buf, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_NSID);
	}
}

/*
 * IDY-05. NSID FFFFFFFFh asks for what all namespaces have in common: a controller with namespace
 * management answers it, one without refuses it (2.0 and before: Invalid Namespace or Format; the
 * general rule of later revisions: Invalid Field).
 */
static void broadcast_follows_namespace_management(struct nvp_t *t)
{
	static const struct nvp_expect right[] = {
		{ NVP_SCT_GENERIC, NVP_SC_SUCCESS },
		{ NVP_SCT_GENERIC, NVP_SC_INVALID_NS_OR_FORMAT },
		{ NVP_SCT_GENERIC, NVP_SC_INVALID_FIELD },
	};
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	bool managed = nvp_t_facts(t)->ctrl.oacs & 1 << 3;
	struct nvp_cpl cpl;

	if (!buf || !case_identify(t, 0x00, NVP_NSID_ALL, 0, buf, &cpl))
		return;
	nvp_check_status(t, &cpl, managed ? right : right + 1, managed ? 1 : 2);
}

/*
 * IDY-03. A valid NSID that is not active reads as 4096 zeroes. The NSIDs tried are the first ones
 * up to NN that the active list does not have.
 */
static void inactive_namespaces_read_zero(struct nvp_t *t)
{
	uint32_t nn = nvp_t_facts(t)->ctrl.nn, nsid = 0;
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_nsid_list list;
	struct nvp_cpl cpl;
	unsigned tried = 0;

	if (!buf || !active_list(t, 0, buf, &list, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	for (unsigned i = 0; nsid < nn && tried < 4; nsid++) {
		if (i < list.nr && list.nsid[i] == nsid + 1) {
			i++;
			continue;
		}
		nvp_buf_fill(buf, 0xa5);
		if (!case_identify(t, 0x00, nsid + 1, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		nvp_check(t, nvp_buf_find_not(buf, 0, NVP_IDENTIFY_BYTES, 0) < 0,
			  "NSID %u: byte %lld is not 0", nsid + 1,
			  (long long)nvp_buf_find_not(buf, 0, NVP_IDENTIFY_BYTES, 0));
		tried++;
	}
	if (!tried)
		nvp_skip(t, "all %u NSIDs are active", nn);
}

/* Are the entries of tail those of whole that are above start? */
static bool is_part_above(const struct nvp_nsid_list *whole, uint32_t start,
			  const struct nvp_nsid_list *tail)
{
	unsigned at = 0;

	for (unsigned i = 0; i < whole->nr; i++) {
		if (whole->nsid[i] <= start)
			continue;
		if (at >= tail->nr || tail->nsid[at++] != whole->nsid[i])
			return false;
	}
	return at == tail->nr;
}

/*
 * IDY-06. The active list ascends, stays within NN, holds only identifiers above the one given and
 * is 0 after the last; FFFFFFFEh and FFFFFFFFh are refused as a start.
 */
static void active_list_starts_above(struct nvp_t *t)
{
	uint32_t nn = nvp_t_facts(t)->ctrl.nn;
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_nsid_list whole, part;
	struct nvp_cpl cpl;

	if (!buf)
		return;
	nvp_buf_fill(buf, 0xa5);
	if (!active_list(t, 0, buf, &whole, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return;
	nvp_check(t, whole.ascending && (!whole.nr || whole.nsid[whole.nr - 1] <= nn),
		  "%u entries, %sascending, the last is %u, NN is %u", whole.nr,
		  whole.ascending ? "" : "not ", whole.nr ? whole.nsid[whole.nr - 1] : 0, nn);
	nvp_check(t, whole.zero_tail, "entries after the first 0 of the list are not 0");
	for (unsigned i = 0; i < whole.nr && i < 4 && whole.nr < 1024; i++) {
		if (!active_list(t, whole.nsid[i], buf, &part, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		nvp_check(t, is_part_above(&whole, whole.nsid[i], &part),
			  "%u entries from %u on, the first is %u", part.nr, whole.nsid[i],
			  part.nr ? part.nsid[0] : 0);
	}
	for (uint32_t start = 0xfffffffe; start; start++) {
		if (!active_list(t, start, buf, &part, &cpl))
			return;
		nvp_check_status(t, &cpl, CASE_INVALID_NSID);
	}
}

/*
 * IDY-07. The descriptors of an active namespace have the lengths that their types define, none
 * comes twice, they end inside the structure, and at least one (or the fields of Identify
 * Namespace) is a globally unique identifier that is not all zeroes.
 */
static void descriptors_name_the_namespace(struct nvp_t *t)
{
	static const uint8_t zero[16];
	const struct nvp_facts *facts = nvp_t_facts(t);
	struct nvp_buf *buf = nvp_t_buf(t, NVP_IDENTIFY_BYTES);
	struct nvp_ns_descriptors list;
	struct nvp_cpl cpl;

	if (!buf)
		return;
	for (unsigned i = 0; i < facts->nr_ns && i < 16; i++) {
		const struct nvp_ns *ns = &facts->ns[i];

		if (!case_identify(t, 0x03, ns->nsid, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
			return;
		nvp_decode_ns_descriptors(nvp_buf_data(buf), NVP_IDENTIFY_BYTES, &list);
		nvp_check(t, !list.length_wrong && !list.overrun && !list.duplicate,
			  "NSID %u: %s", ns->nsid,
			  list.length_wrong ? "a descriptor has a wrong length" :
			  list.overrun ? "a descriptor passes the end" :
			  list.duplicate ? "two descriptors of one type" : "good descriptors");
		nvp_check_by(t, NVP_SPEC("NVM Command Set", "1.0", "4.1.5.1", "NGUID"),
			     (list.has_eui64 && memcmp(list.eui64, zero, 8)) ||
			     (list.has_nguid && memcmp(list.nguid, zero, 16)) ||
			     (list.has_uuid && memcmp(list.uuid, zero, 16)) ||
			     memcmp(ns->id.eui64, zero, 8) || memcmp(ns->id.nguid, zero, 16),
			     "NSID %u: no EUI64, NGUID or UUID in %u descriptors", ns->nsid,
			     list.nr);
	}
}

/*
 * IDY-17. Where NPWG and NOWS are in use (NSFEAT bit 4), one command can carry as much as they say
 * and NOWS holds whole granules. Both are recommended.
 */
static void preferred_sizes_fit(struct nvp_t *t)
{
	const struct nvp_id_ns *id = &nvp_t_ns(t)->id;
	uint64_t mdts_bytes = nvp_t_facts(t)->mdts_bytes;
	uint64_t npwg = id->npwg_z + 1u, nows = id->nows_z + 1u;

	if (!(id->nsfeat >> 4 & 1))
		nvp_skip(t, "NSFEAT bit 4 is 0: the drive prefers no sizes");
	nvp_check_by(t, CASE_SHOULD, nows % npwg == 0,
		     "NOWS is %llu blocks, NPWG %llu", (unsigned long long)nows,
		     (unsigned long long)npwg);
	nvp_check_by(t, CASE_SHOULD, !mdts_bytes || (npwg > nows ? npwg : nows) * id->lba_bytes <=
		     mdts_bytes, "NPWG is %llu blocks, NOWS %llu, MDTS %llu bytes",
		     (unsigned long long)npwg, (unsigned long long)nows,
		     (unsigned long long)mdts_bytes);
}

static const struct nvp_case cases[] = {
	{
		NVP_CASE,
		.id = "identify.namespace-data-is-consistent",
		.title = "Sizes and formats in Identify Namespace agree with each other",
		.spec = { "NVM Command Set", "1.0", "4.1.5.1", NULL },
		.rows = NVP_LIST("IDY-02"),
		.catches = NVP_LIST("identify-ncap-above-nsze", "identify-nuse-above-ncap",
				    "identify-flbas-beyond-nlbaf", "identify-lbads-below-nine"),
		.run = namespace_data_is_consistent,
	}, {
		NVP_CASE,
		.id = "identify.invalid-nsids-are-refused",
		.title = "Identify Namespace of NSID 0 or above NN gives Invalid Namespace or "
			 "Format",
		.spec = { "NVMe Base", "2.0", "3.2.1", NULL },
		.rows = NVP_LIST("IDY-04"),
		.catches = NVP_LIST("identify-nsid-unchecked", "identify-nsid-wrong-status"),
		.run = invalid_nsids_are_refused,
	}, {
		NVP_CASE,
		.id = "identify.broadcast-follows-namespace-management",
		.title = "Identify Namespace of FFFFFFFFh works with namespace management and "
			 "only then",
		.spec = { "NVM Command Set", "1.0", "4.1.5.1", NULL },
		.rows = NVP_LIST("IDY-05"),
		.catches = NVP_LIST("identify-broadcast-accepted"),
		.run = broadcast_follows_namespace_management,
	}, {
		NVP_CASE,
		.id = "identify.inactive-namespaces-read-zero",
		.title = "Identify Namespace of an inactive NSID is 4096 zeroes",
		.spec = { "NVMe Base", "2.0", "5.17.2", NULL },
		.rows = NVP_LIST("IDY-03"),
		.catches = NVP_LIST("identify-inactive-not-zero"),
		.run = inactive_namespaces_read_zero,
	}, {
		NVP_CASE,
		.id = "identify.active-list-starts-above",
		.title = "The Active Namespace ID list ascends, starts above the given NSID "
			 "and ends in zeroes",
		.spec = { "NVMe Base", "2.0", "5.17.2.2", NULL },
		.rows = NVP_LIST("IDY-06"),
		.catches = NVP_LIST("identify-list-ignores-start", "identify-list-tail-not-zero",
				    "identify-list-top-nsid-accepted", "identify-list-unsorted"),
		.run = active_list_starts_above,
	}, {
		NVP_CASE,
		.id = "identify.descriptors-name-the-namespace",
		.title = "Namespace descriptors have the right lengths and give a unique "
			 "identifier",
		.spec = { "NVMe Base", "2.0", "5.17.2.3", "NIDL" },
		.rows = NVP_LIST("IDY-07"),
		.since = NVP_VERSION(1, 3, 0),
		.needs = NVP_NEED_NAMESPACE,
		.catches = NVP_LIST("identify-descriptor-length-wrong", "length-lies",
				    "identify-no-unique-id"),
		.run = descriptors_name_the_namespace,
	}, {
		NVP_CASE,
		.id = "identify.preferred-sizes-fit",
		.title = "The preferred write sizes fit into each other and into one command",
		.spec = { "NVM Command Set", "1.0", "4.1.5.1", "NPWG, NOWS" },
		.rows = NVP_LIST("IDY-17"),
		.since = NVP_VERSION(1, 4, 0),
		.needs = NVP_NEED_NAMESPACE,
		.catches = NVP_LIST("identify-nows-no-multiple", "identify-nows-beyond-mdts"),
		.run = preferred_sizes_fit,
	},
};

NVP_SUITE(identify_namespace, cases);
