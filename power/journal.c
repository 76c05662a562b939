// SPDX-License-Identifier: GPL-2.0-or-later
// Writing a journal: credits before doorbells, and rings and acknowledgements in their order.

#include "power/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/checksum.h"
#include "power/journal_format.h"

struct nvp_journal {
	int fd;
	bool sync;
	int error; /* the first one */
	uint32_t frame;	 /* number of the next */
	uint32_t rung, credit; /* operations of the cycle */
	bool promised; /* the stream that waits raises the credit */
	struct nvp_journal_slots slots;

	/* the stream that was not written yet */
	uint32_t nr_tokens, nr_bits, nr_operands;
	uint8_t codes[NVP_STREAM_TOKENS * 3 / 8 + 1];
	uint8_t operands[NVP_STREAM_TOKENS * 3];

	uint8_t out[NVP_FRAME_HEAD_BYTES + NVP_FRAME_MOST_BYTES + NVP_FRAME_TAIL_BYTES];
};

static uint8_t *payload(struct nvp_journal *j)
{
	return j->out + NVP_FRAME_HEAD_BYTES;
}

static int write_all(struct nvp_journal *j, const uint8_t *bytes, size_t nr_bytes)
{
	while (nr_bytes) {
		ssize_t done = write(j->fd, bytes, nr_bytes);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -EIO;
		bytes += done;
		nr_bytes -= (size_t)done;
	}
	return 0;
}

/* The payload stands in out already. A file that could not be written once is written no more. */
static int put_frame(struct nvp_journal *j, enum nvp_frame_type type, size_t nr_bytes, bool sync)
{
	size_t all = NVP_FRAME_HEAD_BYTES + nr_bytes;

	if (j->error)
		return j->error;
	nvp_put_le16(j->out, NVP_FRAME_MARK);
	j->out[2] = (uint8_t)type;
	j->out[3] = 0;
	nvp_put_le32(j->out + 4, (uint32_t)nr_bytes);
	nvp_put_le32(j->out + 8, j->frame++);
	nvp_put_le32(j->out + all, nvp_crc32c(j->out, all));
	j->error = write_all(j, j->out, all + NVP_FRAME_TAIL_BYTES);
	if (!j->error && sync && j->sync && fdatasync(j->fd))
		j->error = -errno;
	return j->error;
}

static int put_stream(struct nvp_journal *j, bool sync)
{
	uint8_t *at = payload(j);
	uint32_t nr_codes = (j->nr_bits + 7) / 8;

	if (!j->nr_tokens && !j->promised)
		return j->error;
	nvp_put_le32(at, j->credit);
	nvp_put_le16(at + 4, (uint16_t)j->nr_tokens);
	nvp_put_le16(at + 6, (uint16_t)nr_codes);
	at += NVP_STREAM_HEAD_BYTES;
	memcpy(at, j->codes, nr_codes);
	memcpy(at + nr_codes, j->operands, j->nr_operands);
	memset(j->codes, 0, nr_codes);
	nr_codes += j->nr_operands + NVP_STREAM_HEAD_BYTES;
	j->nr_tokens = j->nr_bits = j->nr_operands = 0;
	j->promised = false;
	return put_frame(j, NVP_FRAME_STREAM, nr_codes, sync);
}

static void code(struct nvp_journal *j, unsigned value, unsigned bits)
{
	for (; bits; bits--, value >>= 1, j->nr_bits++)
		j->codes[j->nr_bits / 8] |= (uint8_t)((value & 1) << j->nr_bits % 8);
	j->nr_tokens++;
}

static void operand(struct nvp_journal *j, uint8_t value)
{
	j->operands[j->nr_operands++] = value;
}

static int if_full(struct nvp_journal *j)
{
	return j->nr_tokens < NVP_STREAM_TOKENS ? j->error : put_stream(j, false);
}

/* ---- what the campaign calls ---- */

struct nvp_journal *nvp_journal_new(const char *path, const struct nvp_journal_begin *begin,
				    bool sync, struct nvp_err *err)
{
	struct nvp_journal *j = calloc(1, sizeof(*j));
	struct nvp_journal_begin copy = *begin;
	struct nvp_fields_at f;
	char version[40] = "";

	if (!j) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "journal %s", path);
		return NULL;
	}
	j->sync = sync;
	j->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	if (j->fd < 0) {
		nvp_err_set(err, NVP_ERR_BROKEN, -errno, "journal %s: %s", path, strerror(errno));
		free(j);
		return NULL;
	}
	if (begin->version)
		snprintf(version, sizeof(version), "%s", begin->version);
	f = (struct nvp_fields_at){ .out = payload(j), .bytes = NVP_FRAME_MOST_BYTES };
	nvp_journal_begin_fields(&f, &copy, version);
	j->error = write_all(j, (const uint8_t *)NVP_JOURNAL_MAGIC, NVP_JOURNAL_MAGIC_BYTES);
	if (put_frame(j, NVP_FRAME_BEGIN, f.at, true)) {
		nvp_err_set(err, NVP_ERR_BROKEN, j->error, "journal %s: %s", path,
			    strerror(-j->error));
		close(j->fd);
		free(j);
		return NULL;
	}
	return j;
}

int nvp_journal_close(struct nvp_journal *j)
{
	int rc;

	if (!j)
		return 0;
	rc = put_stream(j, true);
	if (close(j->fd) && !rc)
		rc = -errno;
	free(j);
	return rc;
}

int nvp_journal_cycle(struct nvp_journal *j, const struct nvp_journal_cycle *cycle)
{
	struct nvp_journal_cycle copy = *cycle;
	struct nvp_fields_at f;

	if (!j)
		return 0;
	put_stream(j, false);
	j->rung = j->credit = 0;
	j->slots = (struct nvp_journal_slots){ 0 };
	f = (struct nvp_fields_at){ .out = payload(j), .bytes = NVP_FRAME_MOST_BYTES };
	nvp_journal_cycle_fields(&f, &copy);
	return put_frame(j, NVP_FRAME_CYCLE, f.at, true);
}

int nvp_journal_ring(struct nvp_journal *j, uint32_t nr)
{
	if (!j || !nr)
		return 0;
	if (nr > NVP_JOURNAL_SLOTS)
		return -EINVAL;
	for (uint32_t i = 0; i < nr; i++) {
		if (nvp_journal_slot_take(&j->slots) < 0)
			return -ENOSPC;
	}
	if (nr == 1) {
		code(j, 1, 2);
	} else {
		code(j, 3, 3);
		operand(j, (uint8_t)(nr - 2));
	}
	j->rung += nr;
	if (j->rung <= j->credit)
		return if_full(j);
	j->credit = j->rung + NVP_JOURNAL_BATCH;
	j->promised = true;
	return put_stream(j, true);
}

int nvp_journal_ack(struct nvp_journal *j, uint8_t slot)
{
	if (!j)
		return 0;
	if (!nvp_journal_slot_give(&j->slots, slot))
		return -EINVAL;
	code(j, 0, 1);
	operand(j, slot);
	return if_full(j);
}

int nvp_journal_error(struct nvp_journal *j, uint8_t slot, uint8_t sct, uint8_t sc)
{
	if (!j)
		return 0;
	if (!nvp_journal_slot_give(&j->slots, slot))
		return -EINVAL;
	code(j, 7, 3);
	operand(j, slot);
	operand(j, sct);
	operand(j, sc);
	return if_full(j);
}

int nvp_journal_event(struct nvp_journal *j, enum nvp_journal_event event, uint64_t value)
{
	if (!j)
		return 0;
	if ((unsigned)event >= NVP_JOURNAL_NR_EVENTS)
		return -EINVAL;
	put_stream(j, false);
	if (event == NVP_JOURNAL_RESET || event == NVP_JOURNAL_BACK)
		j->slots = (struct nvp_journal_slots){ 0 };
	payload(j)[0] = (uint8_t)event;
	nvp_put_le64(payload(j) + 1, value);
	return put_frame(j, NVP_FRAME_EVENT, 9, true);
}

int nvp_journal_settled(struct nvp_journal *j, const struct nvp_journal_settled *settled,
			uint32_t nr)
{
	if (!j)
		return 0;
	put_stream(j, false);
	while (nr) {
		uint32_t now = (uint32_t)nvp_min_u64(nr, NVP_SETTLED_MOST);
		uint8_t *at = payload(j);

		nvp_put_le32(at, now);
		at += 4;
		for (uint32_t i = 0; i < now; i++, at += NVP_SETTLED_BYTES) {
			nvp_put_le32(at, settled[i].block);
			nvp_put_le64(at + 4, settled[i].version);
		}
		put_frame(j, NVP_FRAME_SETTLED, (size_t)(at - payload(j)), true);
		settled += now;
		nr -= now;
	}
	return j->error;
}
