/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A USBTMC instrument that the kernel believes in: the far side of USB/IP (vhci_hcd). */
#ifndef NVP_TESTS_USBIP_DEVICE_H
#define NVP_TESTS_USBIP_DEVICE_H

#include <pthread.h>

#include "tests/unit/relay_far.h"

struct usbip_device {
	pthread_t thread;
	int fd, stop[2];
	struct far far;		/* the instrument behind it; far.fd is one end of a pipe */
	int answers;		/* the other */
	uint32_t waiting;	/* the read that no answer has come for; 0: none */
	uint8_t tag;		/* of that request */
	unsigned clears;	/* of the instrument, that were asked for */
};

/* Plug it in; the model is a supply of relay_far.h. 0, or -1 where vhci_hcd is not there. */
int usbip_plug_in(struct usbip_device *d, struct far_device *model);
void usbip_pull_out(struct usbip_device *d);

#endif
