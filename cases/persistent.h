/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps over the Persistent Event log: a context for as long as it is read, and what is in it. */
#ifndef NVP_CASES_PERSISTENT_H
#define NVP_CASES_PERSISTENT_H

#include "cases/common.h"

#define PERSISTENT_LID 0x0d
#define PERSISTENT_PIECE_BYTES 4096u
#define PERSISTENT_MOST_BYTES (16u << 20)	/* of a log that is still read */

enum persistent_action { PERSISTENT_READ = 0, PERSISTENT_ESTABLISH = 1, PERSISTENT_RELEASE = 2,
			 PERSISTENT_HEADER = 3 };

/* The log as one context gave it. */
struct persistent {
	struct nvp_persistent_log header;
	struct nvp_buf *buf;
};

/* Get Log Page with this action into buf at offset, whatever the drive answers. */
static inline bool persistent_get(struct nvp_t *t, enum persistent_action action, uint64_t offset,
				  uint32_t bytes, struct nvp_buf *buf, struct nvp_cpl *cpl)
{
	struct nvp_cmd cmd = case_with_data(nvp_build_get_log(PERSISTENT_LID, NVP_NSID_ALL, bytes,
							      offset, true, (uint8_t)action), buf);

	cmd.data_offset = (size_t)offset;
	return CASE_TRAVELS(t, nvp_exec_admin(nvp_t_drive(t), &cmd, cpl));
}

/* Deferred: no context is left; buf has 512 bytes. */
static inline void persistent_release_at_end(struct nvp_t *t, void *buf)
{
	struct nvp_cmd cmd = nvp_build_get_log(PERSISTENT_LID, NVP_NSID_ALL, 512, 0, true,
					       PERSISTENT_RELEASE);
	struct nvp_cpl cpl;

	cmd.data = buf;
	(void)nvp_exec_admin(nvp_t_drive(t), &cmd, &cpl);
}

/* The drive has the log, and no context; false: the case has ended. buf: 512 bytes. */
static inline bool persistent_begin(struct nvp_t *t, struct nvp_buf *buf)
{
	struct nvp_cpl cpl;

	if (!(nvp_t_facts(t)->ctrl.lpa & 1 << 4)) {
		nvp_skip_at(t, __FILE__, __LINE__, "no persistent event log (LPA bit 4)");
		return false;
	}
	if (!buf)
		return false;
	nvp_defer(t, persistent_release_at_end, buf);
	return persistent_get(t, PERSISTENT_RELEASE, 0, 512, buf, &cpl);
}

/* What the context that exists has, its header first; has to succeed. */
static inline bool persistent_read(struct nvp_t *t, enum persistent_action first,
				   struct persistent *log)
{
	struct nvp_buf *head = nvp_t_buf(t, 512);
	struct nvp_cpl cpl;
	uint64_t at = 0;

	if (!head || !persistent_get(t, first, 0, 512, head, &cpl) || !CASE_SUCCEEDS(t, &cpl))
		return false;
	nvp_decode_persistent_log(nvp_buf_data(head), 512, &log->header);
	if (log->header.bytes < 512 || log->header.bytes > PERSISTENT_MOST_BYTES) {
		nvp_skip_at(t, __FILE__, __LINE__, "the log has %llu bytes, says its header",
			    (unsigned long long)log->header.bytes);
		return false;
	}
	log->buf = nvp_t_buf(t, (size_t)(log->header.bytes + 3) & ~(size_t)3);
	while (log->buf && at < log->header.bytes) {
		uint64_t left = (log->header.bytes - at + 3) & ~3ULL;
		uint32_t bytes = left < PERSISTENT_PIECE_BYTES ? (uint32_t)left :
								 PERSISTENT_PIECE_BYTES;

		if (!persistent_get(t, PERSISTENT_READ, at, bytes, log->buf, &cpl) ||
		    !CASE_SUCCEEDS(t, &cpl))
			return false;
		at += bytes;
	}
	return log->buf;
}

/* All of it as of now, in a context of its own. */
static inline bool persistent_now(struct nvp_t *t, struct persistent *log)
{
	struct nvp_buf *buf = nvp_t_buf(t, 512);

	return persistent_begin(t, buf) && persistent_read(t, PERSISTENT_ESTABLISH, log);
}

/* The event at *at, which then is behind it; false: there is none, or it passes the end. */
static inline bool persistent_next(const struct persistent *log, uint64_t *at,
				   struct nvp_persistent_event *event)
{
	if (!*at)
		*at = log->header.header_bytes;
	if (*at >= log->header.bytes ||
	    nvp_decode_persistent_event(nvp_buf_data(log->buf) + *at,
					(size_t)(log->header.bytes - *at), event))
		return false;
	*at += event->bytes;
	return true;
}

/* The bytes of an event, from its header on. */
static inline const uint8_t *persistent_bytes(const struct persistent *log, uint64_t behind,
					      const struct nvp_persistent_event *event)
{
	return nvp_buf_data(log->buf) + behind - event->bytes;
}

/* Events of exactly these bytes from `at` on. Walks over raw lengths: it is asked often. */
static inline unsigned persistent_count(const struct persistent *log, uint64_t at,
					const uint8_t *bytes, uint32_t nr_bytes)
{
	const uint8_t *b = nvp_buf_data(log->buf);
	uint64_t end = log->header.bytes;
	unsigned nr = 0;

	while (at + 24 <= end) {
		uint32_t length = 3u + b[at + 2] + (b[at + 22] | (uint32_t)b[at + 23] << 8);

		nr += length == nr_bytes && at + length <= end && !memcmp(b + at, bytes, nr_bytes);
		at += length;
	}
	return nr;
}

static inline bool persistent_has(const struct persistent *log, const uint8_t *bytes,
				  uint32_t nr_bytes)
{
	return persistent_count(log, log->header.header_bytes, bytes, nr_bytes);
}

/*
 * Events of this type in `after` that are not in `before`; *newest is the first of them. Two events
 * can have the same bytes (a timestamp begins anew at power-on): as many as `before` had are old,
 * and they are those that stand last.
 */
static inline unsigned persistent_new(const struct persistent *before,
				      const struct persistent *after, uint8_t type,
				      struct nvp_persistent_event *newest)
{
	uint64_t at = 0, old = before->header.header_bytes;
	struct nvp_persistent_event event;
	unsigned nr = 0;

	while (persistent_next(after, &at, &event)) {
		const uint8_t *bytes = persistent_bytes(after, at, &event);

		if (event.type == type &&
		    persistent_count(after, at - event.bytes, bytes, event.bytes) >
			    persistent_count(before, old, bytes, event.bytes) &&
		    !nr++)
			*newest = event;
	}
	return nr;
}

/* Has the drive said that it records this type? */
static inline bool persistent_supports(const struct persistent *log, uint8_t type)
{
	return log->header.supported[type / 8] >> type % 8 & 1;
}

#endif
