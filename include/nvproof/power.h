/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power: relays as a case and the campaign see them. */
#ifndef NVPROOF_POWER_H
#define NVPROOF_POWER_H

#include <stdbool.h>
#include <stdint.h>

#include <nvproof/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A relay that switches the supply of one drive, by its address (DESIGN section 2): "sim",
 * "gpiod:CHIP/LINE", "exec:PROGRAM", ... Requests are asynchronous: arm returns at once, the
 * caller goes on submitting and reaping, poll delivers what happened.
 */
struct nvp_relay;

enum nvp_power_action { NVP_POWER_OFF = 0, NVP_POWER_ON = 1 };

enum nvp_power_when_kind {
	NVP_POWER_NOW = 0,
	NVP_POWER_AT,		/* at a time of the drive's clock */
	NVP_POWER_ON_COMMAND,	/* when the n-th command of an opcode is exposed */
};

struct nvp_power_when {
	enum nvp_power_when_kind kind;
	uint64_t at_ns;		/* NVP_POWER_AT */
	uint8_t opcode;		/* NVP_POWER_ON_COMMAND: I/O opcode */
	uint64_t nth;		/* NVP_POWER_ON_COMMAND: from 1 */
};

/* How far a request has come; each step is delivered once, in this order. */
enum nvp_power_step {
	NVP_POWER_NOTHING = 0,
	NVP_POWER_COMMANDED,	/* given to the device */
	NVP_POWER_DONE,		/* the device says it has switched */
	NVP_POWER_READ_BACK,	/* the state was read from the device (those that can) */
};

/* 0 or a negative errno: -EBUSY while another request is under way. */
int nvp_power_arm(struct nvp_relay *relay, enum nvp_power_action action,
		  const struct nvp_power_when *when, struct nvp_err *err);
/* The next step of the request; its time on the drive's clock in *at_ns. Never waits. */
enum nvp_power_step nvp_power_poll(struct nvp_relay *relay, uint64_t *at_ns);

/* A kind of relay, one file each in power/. Required: scheme, help, open, close, set. */
struct nvp_relay_ops {
	const char *scheme;	/* "sim", "gpiod", ... */
	const char *help;	/* one line: the form of the address */
	void *(*open)(const char *address, struct nvp_err *err);
	void (*close)(void *device);
	int (*set)(void *device, enum nvp_power_action action, struct nvp_err *err);
	/* optional: read the state back; 1 on, 0 off, or a negative errno */
	int (*state)(void *device, struct nvp_err *err);
};

#ifdef __cplusplus
}
#endif
#endif
