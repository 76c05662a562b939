/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What supervisor and worker say to each other: one message a record of a SOCK_SEQPACKET pair. */
#ifndef NVP_RUN_WIRE_H
#define NVP_RUN_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/run/ctx.h"

#define NVP_BODY_BYTES 61440	/* of the text behind a message, its NUL included */

/* Worker to supervisor. After those marked "answered" the worker waits for an answer. */
enum nvp_msg_kind {
	NVP_MSG_DRIVE = 1,	/* the drive is open; body: members of the `drive` event */
	NVP_MSG_OPEN_FAILED,	/* body: why, plain text; the worker ends */
	NVP_MSG_EVENT,		/* type, body: its members */
	NVP_MSG_CASE_BEGIN,	/* number; body: members of `case.begin` */
	NVP_MSG_CASE_END,	/* result; answered: go on or stop */
	NVP_MSG_UNDO,		/* undo; answered: it is in the file, or not */
	NVP_MSG_UNDONE,		/* undo, ok; body: plain text or empty */
	NVP_MSG_REOPEN,		/* the drive has to be opened anew; body: why; the worker ends */
	NVP_MSG_GIVE_UP,	/* nothing more can run on this drive; body: why; the worker ends */
	NVP_MSG_REFUSED,	/* the drive must not be changed; body: why; the worker ends */
	NVP_MSG_GOODBYE,	/* all done; the worker ends */
};

enum nvp_answer { NVP_ANSWER_GO = 1, NVP_ANSWER_STOP };

struct nvp_message {
	uint32_t kind;
	uint32_t type;		/* enum nvp_event_type of NVP_MSG_EVENT */
	uint64_t t_ns;		/* drive clock */
	uint32_t number;	/* place in the plan, from 1 */
	bool ok;		/* NVP_MSG_UNDONE */
	bool counts_failed;	/* NVP_MSG_EVENT: a check that fails its case */
	char model[41], firmware[9];	/* NVP_MSG_DRIVE */
	union {
		struct nvp_case_result result;
		struct nvp_undo undo;
	};
};

/* A message as received: body is NUL-terminated. */
struct nvp_received {
	struct nvp_message message;
	char body[NVP_BODY_BYTES];
};

/* 0 or a negative errno. A body that is too long is not sent but refused: -EMSGSIZE. */
int nvp_wire_send(int fd, const struct nvp_message *message, const char *body);
/* 1 a message, 0 the other side is gone, -EAGAIN none there (non-blocking), or a negative errno. */
int nvp_wire_receive(int fd, struct nvp_received *received);
int nvp_wire_answer(int fd, enum nvp_answer answer);
/* Waits. NVP_ANSWER_*, or a negative errno (-EPIPE: the supervisor is gone). */
int nvp_wire_wait_answer(int fd);

#endif
