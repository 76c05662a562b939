/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Namespaces that a case makes and takes away again. */
#ifndef NVP_CASES_NS_MANAGE_H
#define NVP_CASES_NS_MANAGE_H

#include "cases/common.h"

#define CASE_NS_BYTES (512u << 10)	/* of one; a drive may take more of its capacity for it */

/* What the host says of a namespace to be made (NVM Command Set 1.0, 4.1.6). */
struct case_new_ns {
	uint64_t nsze_lbas, ncap_lbas;
	uint8_t flbas, dps;
	bool shared;
};

/* UNVMCAP in bytes; more than 64 bits count as all of them. */
static inline bool case_unallocated(struct nvp_t *t, struct nvp_buf *buf, uint64_t *bytes)
{
	const uint8_t *b = nvp_buf_data(buf);
	struct nvp_cpl cpl;

	if (!case_identify(t, 0x01, 0, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	*bytes = 0;
	for (unsigned i = 0; i < 8; i++) {
		*bytes |= (uint64_t)b[296 + i] << (8 * i);
		if (b[304 + i]) {
			*bytes = UINT64_MAX;
			return true;
		}
	}
	return true;
}

/*
 * A namespace of CASE_NS_BYTES in the first format without metadata, if `nr` of them fit into the
 * capacity that no namespace has; the case is skipped otherwise.
 */
static inline bool case_room(struct nvp_t *t, struct nvp_buf *buf, unsigned nr,
			     struct case_new_ns *ns, uint32_t *lba_bytes)
{
	struct nvp_id_ns id;
	struct nvp_cpl cpl;
	uint64_t bytes;

	if (!case_unallocated(t, buf, &bytes) ||
	    !case_identify(t, 0x00, NVP_NSID_ALL, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	if (bytes < (uint64_t)nr * CASE_NS_BYTES) {
		nvp_skip_at(t, __FILE__, __LINE__, "UNVMCAP is %llu bytes, %u are needed",
			    (unsigned long long)bytes, nr * CASE_NS_BYTES);
		return false;
	}
	nvp_decode_id_ns(nvp_buf_data(buf), 4096, &id);
	for (uint8_t i = 0; i <= id.nlbaf_z && i < 16; i++) {
		if (id.lbaf[i].lbads < 9 || id.lbaf[i].lbads > 16 || id.lbaf[i].ms_bytes)
			continue;
		*lba_bytes = 1u << id.lbaf[i].lbads;
		*ns = (struct case_new_ns){ .flbas = i };
		ns->nsze_lbas = ns->ncap_lbas = CASE_NS_BYTES / *lba_bytes;
		return true;
	}
	nvp_skip_at(t, __FILE__, __LINE__, "no format without metadata");
	return false;
}

/* Create, whatever the drive answers. What was made goes at the end of the case. */
static inline bool case_ns_create(struct nvp_t *t, const struct case_new_ns *ns,
				  struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_ns_create(0), buf), back;
	uint8_t *b = nvp_buf_data(buf);

	nvp_buf_fill(buf, 0);
	for (unsigned i = 0; i < 8; i++) {
		b[i] = (uint8_t)(ns->nsze_lbas >> (8 * i));
		b[8 + i] = (uint8_t)(ns->ncap_lbas >> (8 * i));
	}
	b[26] = ns->flbas;
	b[29] = ns->dps;
	b[30] = ns->shared;
	if (!CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl)))
		return false;
	if (!nvp_cpl_ok(cpl) || !cpl->dw0 || cpl->dw0 == NVP_NSID_ALL)
		return true;
	back = nvp_build_ns_delete(cpl->dw0);
	return nvp_undo_command(t, &back, "a namespace that was made, deleted again");
}

/* The same, and it has to succeed. */
static inline bool case_ns_made(struct nvp_t *t, const struct case_new_ns *ns, struct nvp_buf *buf,
				uint32_t *nsid)
{
	struct nvp_cpl cpl;

	if (!case_ns_create(t, ns, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	*nsid = cpl.dw0;
	return true;
}

static inline bool case_ns_delete(struct nvp_t *t, uint32_t nsid, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = nvp_build_ns_delete(nsid);

	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* Attach to or detach from these controllers, whatever the drive answers. */
static inline bool case_ns_attach(struct nvp_t *t, uint32_t nsid, bool detach, const uint16_t *ids,
				  uint16_t nr, struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_ns_attachment(nsid, detach), buf);
	uint8_t *b = nvp_buf_data(buf);

	nvp_buf_fill(buf, 0);
	b[0] = (uint8_t)nr;
	b[1] = (uint8_t)(nr >> 8);
	for (uint16_t i = 0; i < nr; i++) {
		b[2 + 2 * i] = (uint8_t)ids[i];
		b[3 + 2 * i] = (uint8_t)(ids[i] >> 8);
	}
	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* The same with the controller that we talk to. */
static inline bool case_ns_attach_here(struct nvp_t *t, uint32_t nsid, bool detach,
				       struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	uint16_t cntlid = nvp_t_facts(t)->ctrl.cntlid;

	return case_ns_attach(t, nsid, detach, &cntlid, 1, buf, cpl);
}

/* Is it in the list of active (CNS 02h) or allocated (CNS 10h) namespaces? */
static inline bool case_ns_listed(struct nvp_t *t, uint8_t cns, uint32_t nsid, struct nvp_buf *buf,
				  bool *listed)
{
	struct nvp_nsid_list list;
	struct nvp_cpl cpl;

	if (!case_identify(t, cns, nsid - 1, 0, buf, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_nsid_list(nvp_buf_data(buf), 4096, &list);
	*listed = list.nr && list.nsid[0] == nsid;
	return true;
}

#endif
