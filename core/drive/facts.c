// SPDX-License-Identifier: GPL-2.0-or-later
// What the drive says of itself at the baseline; it may lie, so nothing here trusts a number.

#include <nvproof/build.h>
#include <nvproof/decode.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/drive/door.h"

#define CNS_NAMESPACE	   0x00
#define CNS_CONTROLLER	   0x01
#define CNS_ACTIVE_LIST	   0x02
#define CNS_DESCRIPTORS	   0x03
#define CNS_CONTROLLER_CSI 0x06
#define CSI_NVM		   0
#define NSIDS_PER_LIST	   1024
/* No more namespaces than this are looked at: a list that never ends must not hold us. */
#define MAX_NAMESPACES	   65536

/* 0 and the bytes in the scratch buffer; 1 when the drive answered with an error. */
static int identify(struct nvp_drive *drive, uint8_t cns, uint32_t nsid)
{
	struct nvp_cmd cmd = nvp_build_identify(cns, nsid, 0, CSI_NVM, 0);
	char text[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl;
	int rc;

	nvp_buf_fill(drive->scratch, 0);
	cmd.data = drive->scratch;
	rc = nvp_exec_admin(drive, &cmd, &cpl);
	if (rc || nvp_cpl_ok(&cpl))
		return rc;
	nvp_drive_note(drive, "Identify CNS %02Xh NSID %u: %s", cns, nsid,
		       nvp_status_text(&cpl.status, text));
	return 1;
}

static int learn_controller(struct nvp_drive *drive)
{
	struct nvp_facts *facts = &drive->facts;
	int rc = identify(drive, CNS_CONTROLLER, 0);

	memset(&facts->ctrl, 0, sizeof(facts->ctrl));
	facts->has_ctrl_nvm = false;
	facts->mdts_bytes = 0;
	if (rc)
		return rc < 0 ? rc : 0;
	nvp_decode_id_ctrl(nvp_buf_data(drive->scratch), NVP_IDENTIFY_BYTES, &facts->ctrl);
	if (!facts->has_cap) {
		facts->version = facts->ctrl.ver;
		facts->page_bytes = NVP_PAGE_BYTES;
	}
	/* In units of the smallest page (5.17.2.1, MDTS); 2^20 of them is no limit any more. */
	if (facts->ctrl.mdts && facts->ctrl.mdts < 20)
		facts->mdts_bytes = (uint64_t)(4096u << facts->cap.mpsmin) << facts->ctrl.mdts;
	if (facts->version < NVP_VERSION(2, 0, 0))
		return 0;
	rc = identify(drive, CNS_CONTROLLER_CSI, 0);
	if (rc)
		return rc < 0 ? rc : 0;
	facts->has_ctrl_nvm = !nvp_decode_id_ctrl_nvm(nvp_buf_data(drive->scratch),
						      NVP_IDENTIFY_BYTES, &facts->ctrl_nvm);
	return 0;
}

/* --- namespaces --------------------------------------------------------------------------- */

struct nsids {
	uint32_t *nsid;
	size_t nr, capacity;
};

static int add_nsid(struct nsids *list, uint32_t nsid)
{
	if (list->nr == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : NSIDS_PER_LIST;
		uint32_t *more = realloc(list->nsid, capacity * sizeof(*more));

		if (!more)
			return -ENOMEM;
		list->nsid = more;
		list->capacity = capacity;
	}
	list->nsid[list->nr++] = nsid;
	return 0;
}

static int compare_nsid(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Ascending and each once, whatever the drive sent. */
static void tidy(struct nsids *list)
{
	size_t kept = 0;

	if (list->nr)
		qsort(list->nsid, list->nr, sizeof(*list->nsid), compare_nsid);
	for (size_t i = 0; i < list->nr; i++)
		if (!kept || list->nsid[i] != list->nsid[kept - 1])
			list->nsid[kept++] = list->nsid[i];
	list->nr = kept;
}

/* Before 1.1 there was no list: all of 1 to NN may be there. */
static int count_nsids(struct nvp_drive *drive, struct nsids *list)
{
	uint64_t nn = nvp_min_u64(drive->facts.ctrl.nn, MAX_NAMESPACES);
	int rc = 0;

	for (uint32_t nsid = 1; !rc && nsid <= nn; nsid++)
		rc = add_nsid(list, nsid);
	return rc;
}

static int list_nsids(struct nvp_drive *drive, struct nsids *list)
{
	struct nvp_nsid_list *page = malloc(sizeof(*page));
	uint32_t after = 0;
	int rc = 0;

	if (!page)
		return -ENOMEM;
	while (list->nr < MAX_NAMESPACES) {
		uint32_t highest = after;

		rc = identify(drive, CNS_ACTIVE_LIST, after);
		if (rc)
			break;
		nvp_decode_nsid_list(nvp_buf_data(drive->scratch), NVP_IDENTIFY_BYTES, page);
		for (unsigned i = 0; !rc && i < page->nr; i++) {
			if (page->nsid[i] == NVP_NSID_ALL)
				continue;
			highest = (uint32_t)nvp_max_u64(highest, page->nsid[i]);
			rc = add_nsid(list, page->nsid[i]);
		}
		/* The next list starts above what we have; a list that goes nowhere is the last. */
		if (rc || page->nr < NSIDS_PER_LIST || highest == after)
			break;
		after = highest;
	}
	free(page);
	return rc < 0 ? rc : 0;
}

static int reserve(struct nvp_drive *drive, size_t nr)
{
	struct nvp_ns *ns;

	if (nr <= drive->ns_capacity)
		return 0;
	ns = realloc(drive->ns, nr * sizeof(*ns));
	if (!ns)
		return -ENOMEM;
	drive->ns = ns;
	drive->ns_capacity = (unsigned)nr;
	return 0;
}

/* Can there be namespaces of other I/O command sets? CAP.CSS bit 6, where registers can be read. */
static bool has_command_sets(const struct nvp_drive *drive)
{
	const struct nvp_facts *facts = &drive->facts;

	if (drive->path & NVP_PATH_SIMULATED)
		return false; /* it says that it could, and has none */
	return facts->has_cap ? nvp_bit(facts->cap.css, 6)
			      : facts->version >= NVP_VERSION(1, 3, 0);
}

/* 1: of another I/O command set than the NVM Command Set; 0: no, or nothing says so. */
static int of_other_set(struct nvp_drive *drive, uint32_t nsid)
{
	struct nvp_ns_descriptors found;
	int rc = has_command_sets(drive) ? identify(drive, CNS_DESCRIPTORS, nsid) : 1;

	if (rc)
		return rc < 0 ? rc : 0;
	nvp_decode_ns_descriptors(nvp_buf_data(drive->scratch), NVP_IDENTIFY_BYTES, &found);
	return found.has_csi && found.csi != CSI_NVM;
}

/* 0, also of one that is left out: it cannot be asked, or has no size. */
static int learn_namespace(struct nvp_drive *drive, uint32_t nsid)
{
	struct nvp_facts *facts = &drive->facts;
	struct nvp_ns ns = { .nsid = nsid };
	int rc = identify(drive, CNS_NAMESPACE, nsid);

	if (rc)
		return rc < 0 ? rc : 0;
	nvp_decode_id_ns(nvp_buf_data(drive->scratch), NVP_IDENTIFY_BYTES, &ns.id);
	if (!ns.id.nsze_lbas)
		return 0;
	rc = of_other_set(drive, nsid);
	if (rc < 0)
		return rc;
	if (!rc) {
		memmove(&drive->ns[facts->nr_ns + 1], &drive->ns[facts->nr_ns],
			(facts->nr_all_ns - facts->nr_ns) * sizeof(ns));
		drive->ns[facts->nr_ns++] = ns;
	} else {
		drive->ns[facts->nr_all_ns] = ns;
	}
	facts->nr_all_ns++;
	return 0;
}

static int learn_namespaces(struct nvp_drive *drive)
{
	struct nvp_facts *facts = &drive->facts;
	uint32_t only = drive->base->only_nsid ? drive->base->only_nsid(drive->base_backend) : 0;
	struct nsids list = { 0 };
	int rc;

	facts->nr_ns = facts->nr_all_ns = 0;
	rc = facts->version && facts->version < NVP_VERSION(1, 1, 0) ? count_nsids(drive, &list)
								     : list_nsids(drive, &list);
	tidy(&list);
	if (!rc)
		rc = reserve(drive, list.nr);
	facts->ns = drive->ns;
	for (size_t i = 0; !rc && i < list.nr; i++)
		if (!only || list.nsid[i] == only)
			rc = learn_namespace(drive, list.nsid[i]);
	free(list.nsid);
	if (rc == -ENOMEM)
		return nvp_drive_fail(drive, NVP_ERR_BROKEN, rc, "no memory for the namespaces");
	return rc;
}

int nvp_drive_learn(struct nvp_drive *drive)
{
	int rc = learn_controller(drive);

	if (!rc)
		rc = learn_namespaces(drive);
	drive->facts.nr_vectors = drive->base->nr_vectors && drive->path & NVP_PATH_INTERRUPTS
					  ? drive->base->nr_vectors(drive->base_backend)
					  : 0;
	return rc;
}

int nvp_learn(struct nvp_drive *drive)
{
	return nvp_drive_learn(drive);
}

/* Number of Queues (section 5.27.1.5): ask for all; FFFFh itself is not allowed. */
int nvp_drive_negotiate_queues(struct nvp_drive *drive)
{
	struct nvp_cmd cmd = nvp_build_set_features(0x07, 0, false, 0xfffefffe);
	char text[NVP_STATUS_TEXT_BYTES];
	struct nvp_cpl cpl;
	int rc = nvp_exec_admin(drive, &cmd, &cpl);

	if (rc)
		return rc;
	drive->facts.nr_io_sq = drive->facts.nr_io_cq = 1;
	if (!nvp_cpl_ok(&cpl)) {
		nvp_drive_note(drive, "Set Features, Number of Queues: %s",
			       nvp_status_text(&cpl.status, text));
		return 0;
	}
	drive->facts.nr_io_sq = (cpl.dw0 & 0xffff) + 1;
	drive->facts.nr_io_cq = (cpl.dw0 >> 16) + 1;
	return 0;
}
