// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel's driver must not be given, and which of its answers are not the drive's.

#include <nvproof/cmd.h>
#include <nvproof/decode.h>

#include <errno.h>
#include <stdlib.h>

#include "core/drive/kernel.h"

/* The queues, the event requests, the keep-alive timer and the aborts are the kernel's own. */
static const char *admin_refusal(uint8_t opcode)
{
	switch (opcode) {
	case NVP_ADMIN_DELETE_SQ:
	case NVP_ADMIN_CREATE_SQ:
	case NVP_ADMIN_DELETE_CQ:
	case NVP_ADMIN_CREATE_CQ:
		return "the kernel owns the queues";
	case NVP_ADMIN_ABORT:
		return "the commands that could be aborted are the kernel's";
	case NVP_ADMIN_ASYNC_EVENT:
		return "the kernel owns the asynchronous event requests";
	case NVP_ADMIN_KEEP_ALIVE:
		return "the kernel runs the keep-alive timer";
	case NVP_ADMIN_VIRTUALIZATION:
		return "resources of controllers would change under the kernel";
	case NVP_ADMIN_DOORBELL_BUFFER:
		return "the kernel's doorbells would no longer be seen";
	case NVP_ADMIN_FABRICS:
		return "the kernel owns the connection";
	}
	return NULL;
}

static const char *feature_refusal(uint8_t fid)
{
	switch (fid) {
	case 0x07:
		return "Number of Queues: the kernel owns the queues";
	case 0x08:
		return "Interrupt Coalescing: the kernel owns the interrupts";
	case 0x09:
		return "Interrupt Vector Configuration: the kernel owns the interrupts";
	case 0x0b:
		return "Asynchronous Event Configuration: the kernel owns the events";
	case 0x0d:
		return "Host Memory Buffer: its memory is the kernel's";
	case 0x0f:
		return "Keep Alive Timer: the kernel runs it";
	}
	return NULL;
}

const char *nvp_kernel_refusal(bool io, const struct nvp_sqe *sqe)
{
	const char *why = NULL;

	if (sqe->bytes[1] & 0x03)
		return "the kernel does not pass FUSE on";
	if (sqe->bytes[1] & 0xc0)
		return "the kernel does not pass PSDT on";
	if (sqe->bytes[1])
		return "the kernel does not pass reserved bits of Command Dword 0 on";
	if (io)
		return NULL;
	why = admin_refusal(nvp_sqe_opcode(sqe));
	if (!why && nvp_sqe_opcode(sqe) == NVP_ADMIN_SET_FEATURES)
		why = feature_refusal((uint8_t)nvp_sqe_dw(sqe, 10));
	return why;
}

/* In version 2 the calls take a handle in place of the file. */
bool nvp_kernel_library_fits(const char *version)
{
	char *end;

	return version && strtoul(version, &end, 10) == 1 && *end == '.';
}

static int host_error(int code, const char **reason)
{
	switch (code) {
	case -EINTR:
		*reason = "the kernel cancelled the command (it is not sent again)";
		return -EIO;
	case -ENODEV:
	case -ENXIO:
		*reason = "the kernel says that the drive is gone";
		return -ENODEV;
	case -EINVAL:
		*reason = "the kernel did not take the command (length, namespace or flags)";
		return -EIO;
	case -EACCES:
	case -EPERM:
		*reason = "the kernel does not permit the command";
		return -EIO;
	case -ENOTTY:
		*reason = "the kernel's driver does not know this call";
		return -EIO;
	case -ENOMEM:
		*reason = "the kernel has no memory for the command";
		return -EIO;
	}
	*reason = "the kernel gave an error of its own";
	return -EIO;
}

int nvp_kernel_answer(int result, uint64_t elapsed_ns, uint64_t timeout_ns,
		      struct nvp_status *status, const char **reason)
{
	*reason = "";
	if (result < 0)
		return host_error(result, reason);
	*status = nvp_status_from_field((uint16_t)result);
	if (status->sct == NVP_SCT_PATH && status->sc >= 0x70 && status->sc <= 0x7f) {
		*reason = "the kernel gave the command up (path status)";
		return -EIO;
	}
	/* On its timeout the kernel aborts; then the drive's "Abort Requested" is our own doing. */
	if (nvp_status_is(status, NVP_SCT_GENERIC, NVP_SC_ABORT_REQUESTED) &&
	    elapsed_ns >= timeout_ns) {
		*reason = "the kernel aborted the command at its timeout";
		return -EIO;
	}
	return 0;
}
