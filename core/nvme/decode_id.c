// SPDX-License-Identifier: GPL-2.0-or-later
// Identify structures as values: CNS 00h 01h 02h 03h 06h 07h 08h 1Ch, the registers, and the CQE.

#include <nvproof/decode.h>

#include <errno.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/text.h"
#include "core/nvme/fields.h"

void nvp_decode_cqe(const void *bytes, struct nvp_cpl *cpl)
{
	const uint8_t *b = bytes;
	uint16_t word = nvp_le16(b + 14);

	*cpl = (struct nvp_cpl) {
		.dw0 = nvp_le32(b),
		.dw1 = nvp_le32(b + 4),
		.sqhd = nvp_le16(b + 8),
		.sqid = nvp_le16(b + 10),
		.cid = nvp_le16(b + 12),
		.phase = word & 1,
		.has_queue_fields = true,
		.status = nvp_status_from_cqe(word),
	};
}

void nvp_decode_cap(uint64_t cap, struct nvp_cap *out)
{
	*out = (struct nvp_cap) {
		.mqes_z = (uint32_t)nvp_bits(cap, 0, 16),
		.cqr = nvp_bit(cap, 16),
		.ams = (uint8_t)nvp_bits(cap, 17, 2),
		.to_500ms = (uint32_t)nvp_bits(cap, 24, 8),
		.dstrd = (uint8_t)nvp_bits(cap, 32, 4),
		.nssrs = nvp_bit(cap, 36),
		.css = (uint8_t)nvp_bits(cap, 37, 8),
		.bps = nvp_bit(cap, 45),
		.cps = (uint8_t)nvp_bits(cap, 46, 2),
		.mpsmin = (uint8_t)nvp_bits(cap, 48, 4),
		.mpsmax = (uint8_t)nvp_bits(cap, 52, 4),
		.pmrs = nvp_bit(cap, 56),
		.cmbs = nvp_bit(cap, 57),
		.nsss = nvp_bit(cap, 58),
		.crwms = nvp_bit(cap, 59),
		.crims = nvp_bit(cap, 60),
	};
}

/* A field of the table t as the type of the member that takes it. */
#define GET(type, key) ((type)nvp_field_get(t, b, key))

int nvp_decode_id_ctrl(const void *b, size_t nr_bytes, struct nvp_id_ctrl *out)
{
	const struct nvp_field_table *t = &nvp_fields_id_ctrl;
	const struct nvp_field *nqn;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	*out = (struct nvp_id_ctrl) {
		.vid = GET(uint16_t, "vid"),
		.ssvid = GET(uint16_t, "ssvid"),
		.cmic = GET(uint8_t, "cmic"),
		.mdts = GET(uint8_t, "mdts"),
		.cntlid = GET(uint16_t, "cntlid"),
		.ver = GET(uint32_t, "ver"),
		.rtd3r_us = GET(uint32_t, "rtd3r"),
		.rtd3e_us = GET(uint32_t, "rtd3e"),
		.oaes = GET(uint32_t, "oaes"),
		.ctratt = GET(uint32_t, "ctratt"),
		.cntrltype = GET(uint8_t, "cntrltype"),
		.oacs = GET(uint16_t, "oacs"),
		.acl_z = GET(uint8_t, "acl"),
		.aerl_z = GET(uint8_t, "aerl"),
		.frmw = GET(uint8_t, "frmw"),
		.lpa = GET(uint8_t, "lpa"),
		.elpe_z = GET(uint8_t, "elpe"),
		.npss_z = GET(uint8_t, "npss"),
		.apsta = GET(uint8_t, "apsta"),
		.wctemp_k = GET(uint16_t, "wctemp"),
		.cctemp_k = GET(uint16_t, "cctemp"),
		.sqes = GET(uint8_t, "sqes"),
		.cqes = GET(uint8_t, "cqes"),
		.maxcmd = GET(uint16_t, "maxcmd"),
		.nn = GET(uint32_t, "nn"),
		.oncs = GET(uint16_t, "oncs"),
		.fuses = GET(uint16_t, "fuses"),
		.fna = GET(uint8_t, "fna"),
		.sanicap = GET(uint32_t, "sanicap"),
		.vwc = GET(uint8_t, "vwc"),
		.awun_z = GET(uint16_t, "awun"),
		.awupf_z = GET(uint16_t, "awupf"),
		.acwu_z = GET(uint16_t, "acwu"),
		.ocfs = GET(uint16_t, "ocfs"),
		.nwpc = GET(uint8_t, "nwpc"),
		.mtfa_100ms = GET(uint16_t, "mtfa"),
		.fwug = GET(uint8_t, "fwug"),
		.edstt_min = GET(uint16_t, "edstt"),
		.dsto = GET(uint8_t, "dsto"),
		.hctma = GET(uint16_t, "hctma"),
		.mntmt_k = GET(uint16_t, "mntmt"),
		.mxtmt_k = GET(uint16_t, "mxtmt"),
		.pels_64k = GET(uint32_t, "pels"),
		.sgls = GET(uint32_t, "sgls"),
		.mnan = GET(uint32_t, "mnan"),
	};
	nvp_ascii_text((const uint8_t *)b + nvp_field_find(t, "sn")->offset, 20, out->sn);
	nvp_ascii_text((const uint8_t *)b + nvp_field_find(t, "mn")->offset, 40, out->mn);
	nvp_ascii_text((const uint8_t *)b + nvp_field_find(t, "fr")->offset, 8, out->fr);
	nqn = nvp_field_find(t, "subnqn");
	nvp_ascii_text((const uint8_t *)b + nqn->offset,
		       strnlen((const char *)b + nqn->offset, nqn->bytes), out->subnqn);
	return 0;
}

/* Which LBA format is in use, and what it says, if anything (NVM Command Set 1.0, 4.1.5.1). */
static void choose_format(const uint8_t *b, struct nvp_id_ns *out)
{
	unsigned nulbaf = (unsigned)nvp_field_get(&nvp_fields_id_ns, b, "nulbaf");
	unsigned nr_formats = out->nlbaf_z + 1u + nulbaf;
	const struct nvp_lba_format *format;

	out->format_index = out->flbas & 0xf;
	if (nr_formats > 16)	/* up to 16 formats the upper bits are to be ignored */
		out->format_index |= (unsigned)nvp_bits(out->flbas, 5, 2) << 4;
	if (out->format_index >= nr_formats)
		return;
	format = &out->lbaf[out->format_index];
	if (format->lbads < 9 || format->lbads > 31)
		return;
	out->lba_bytes = UINT32_C(1) << format->lbads;
	out->metadata_bytes = format->ms_bytes;
}

int nvp_decode_id_ns(const void *b, size_t nr_bytes, struct nvp_id_ns *out)
{
	const struct nvp_field_table *t = &nvp_fields_id_ns;
	const uint8_t *format = (const uint8_t *)b + 128;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	*out = (struct nvp_id_ns) {
		.nsze_lbas = GET(uint64_t, "nsze"),
		.ncap_lbas = GET(uint64_t, "ncap"),
		.nuse_lbas = GET(uint64_t, "nuse"),
		.nsfeat = GET(uint8_t, "nsfeat"),
		.nlbaf_z = GET(uint8_t, "nlbaf"),
		.flbas = GET(uint8_t, "flbas"),
		.mc = GET(uint8_t, "mc"),
		.dpc = GET(uint8_t, "dpc"),
		.dps = GET(uint8_t, "dps"),
		.nmic = GET(uint8_t, "nmic"),
		.rescap = GET(uint8_t, "rescap"),
		.fpi = GET(uint8_t, "fpi"),
		.dlfeat = GET(uint8_t, "dlfeat"),
		.nawun_z = GET(uint16_t, "nawun"),
		.nawupf_z = GET(uint16_t, "nawupf"),
		.nacwu_z = GET(uint16_t, "nacwu"),
		.nabsn_z = GET(uint16_t, "nabsn"),
		.nabo = GET(uint16_t, "nabo"),
		.nabspf_z = GET(uint16_t, "nabspf"),
		.noiob = GET(uint16_t, "noiob"),
		.npwg_z = GET(uint16_t, "npwg"),
		.npwa_z = GET(uint16_t, "npwa"),
		.npdg_z = GET(uint16_t, "npdg"),
		.npda_z = GET(uint16_t, "npda"),
		.nows_z = GET(uint16_t, "nows"),
		.mssrl_lbas = GET(uint16_t, "mssrl"),
		.mcl_lbas = GET(uint32_t, "mcl"),
		.msrc_z = GET(uint8_t, "msrc"),
	};
	memcpy(out->nvmcap, (const uint8_t *)b + nvp_field_find(t, "nvmcap")->offset, 16);
	memcpy(out->nguid, (const uint8_t *)b + nvp_field_find(t, "nguid")->offset, 16);
	memcpy(out->eui64, (const uint8_t *)b + nvp_field_find(t, "eui64")->offset, 8);
	for (size_t i = 0; i < NVP_ARRAY_SIZE(out->lbaf); i++, format += 4) {
		out->lbaf[i].ms_bytes = nvp_le16(format);
		out->lbaf[i].lbads = format[2];
		out->lbaf[i].rp = format[3] & 3;
	}
	choose_format(b, out);
	return 0;
}

int nvp_decode_id_ctrl_nvm(const void *b, size_t nr_bytes, struct nvp_id_ctrl_nvm *out)
{
	const struct nvp_field_table *t = &nvp_fields_id_ctrl_nvm;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	out->vsl = GET(uint8_t, "vsl");
	out->wzsl = GET(uint8_t, "wzsl");
	out->wusl = GET(uint8_t, "wusl");
	out->dmrl = GET(uint8_t, "dmrl");
	out->dmrsl_lbas = GET(uint32_t, "dmrsl");
	out->dmsl_lbas = GET(uint64_t, "dmsl");
	return 0;
}

int nvp_decode_id_ns_independent(const void *b, size_t nr_bytes,
				 struct nvp_id_ns_independent *out)
{
	const struct nvp_field_table *t = &nvp_fields_id_ns_independent;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < t->bytes)
		return -EMSGSIZE;
	out->nsfeat = GET(uint8_t, "nsfeat");
	out->nmic = GET(uint8_t, "nmic");
	out->rescap = GET(uint8_t, "rescap");
	out->fpi = GET(uint8_t, "fpi");
	out->nsattr = GET(uint8_t, "nsattr");
	out->nstat = GET(uint8_t, "nstat");
	out->anagrpid = GET(uint32_t, "anagrpid");
	out->nvmsetid = GET(uint16_t, "nvmsetid");
	out->endgid = GET(uint16_t, "endgid");
	return 0;
}

int nvp_decode_nsid_list(const void *bytes, size_t nr_bytes, struct nvp_nsid_list *out)
{
	const uint8_t *b = bytes;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < NVP_IDENTIFY_BYTES)
		return -EMSGSIZE;
	out->ascending = true;
	while (out->nr < NVP_ARRAY_SIZE(out->nsid)) {
		uint32_t nsid = nvp_le32(b + 4 * out->nr);

		if (!nsid)
			break;
		if (out->nr && nsid <= out->nsid[out->nr - 1])
			out->ascending = false;
		out->nsid[out->nr++] = nsid;
	}
	out->zero_tail = nvp_all_zero(b + 4 * out->nr, NVP_IDENTIFY_BYTES - 4 * out->nr);
	return 0;
}

/* What is known of a descriptor type (figure "Namespace Identification Descriptor"). */
struct nid_target {
	bool *has;
	uint8_t *value;
	size_t bytes;
};

static struct nid_target target_of(struct nvp_ns_descriptors *out, uint8_t nidt)
{
	switch (nidt) {
	case 1:
		return (struct nid_target) { .has = &out->has_eui64, .value = out->eui64,
					      .bytes = sizeof(out->eui64) };
	case 2:
		return (struct nid_target) { .has = &out->has_nguid, .value = out->nguid,
					      .bytes = sizeof(out->nguid) };
	case 3:
		return (struct nid_target) { .has = &out->has_uuid, .value = out->uuid,
					      .bytes = sizeof(out->uuid) };
	case 4:
		return (struct nid_target) { .has = &out->has_csi, .value = &out->csi,
					      .bytes = sizeof(out->csi) };
	default:
		return (struct nid_target) { .has = NULL };
	}
}

static void take_descriptor(struct nvp_ns_descriptors *out, uint8_t nidt, uint8_t nidl,
			    const uint8_t *nid)
{
	struct nid_target target = target_of(out, nidt);

	out->nr++;
	if (!target.has) {
		out->nr_unknown++;
	} else if (nidl != target.bytes) {
		out->length_wrong = true;
	} else if (*target.has) {
		out->duplicate = true;	/* the first one stands */
	} else {
		*target.has = true;
		memcpy(target.value, nid, target.bytes);
	}
}

int nvp_decode_ns_descriptors(const void *bytes, size_t nr_bytes, struct nvp_ns_descriptors *out)
{
	const uint8_t *b = bytes;
	size_t at = 0;

	memset(out, 0, sizeof(*out));
	if (nr_bytes < NVP_IDENTIFY_BYTES)
		return -EMSGSIZE;
	/* A length of 0 ends the list; so does the end of the structure. */
	while (at + 4 <= NVP_IDENTIFY_BYTES && b[at + 1]) {
		uint8_t nidl = b[at + 1];

		if (nidl > NVP_IDENTIFY_BYTES - at - 4) {
			out->overrun = true;
			return 0;
		}
		take_descriptor(out, b[at], nidl, b + at + 4);
		at += 4u + nidl;
	}
	if (at + 4 > NVP_IDENTIFY_BYTES && !nvp_all_zero(b + at, NVP_IDENTIFY_BYTES - at))
		out->overrun = true;	/* not even a header fits */
	return 0;
}

int nvp_decode_io_command_sets(const void *bytes, size_t nr_bytes, struct nvp_io_command_sets *out)
{
	memset(out, 0, sizeof(*out));
	if (nr_bytes < NVP_IDENTIFY_BYTES)
		return -EMSGSIZE;
	for (size_t i = 0; i < NVP_ARRAY_SIZE(out->combination); i++)
		out->combination[i] = nvp_le64((const uint8_t *)bytes + 8 * i);
	return 0;
}
