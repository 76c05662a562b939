// SPDX-License-Identifier: GPL-2.0-or-later
// Register accesses that survive the function being taken away: the one place that meets SIGBUS.

#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#include "core/drive/bar_vfio_device.h"

/* Where to go on when an access of this thread raises SIGBUS; NULL outside accesses. */
static __thread sigjmp_buf *escape;

static void on_sigbus(int number, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	if (escape)
		siglongjmp(*escape, 1);
	/* Not ours: the instruction is tried again, and now it ends the process. */
	signal(number, SIG_DFL);
}

void nvp_vfio_catch_sigbus(struct sigaction *before)
{
	/* Not deferred, since the handler is left by a jump that keeps no mask. */
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_NODEFER };

	action.sa_sigaction = on_sigbus;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, before);
}

void nvp_vfio_release_sigbus(const struct sigaction *before)
{
	sigaction(SIGBUS, before, NULL);
}

/* Nothing promises that an offset is aligned: x86 does such an access all the same. */
struct any16 { uint16_t value; } __attribute__((packed));
struct any32 { uint32_t value; } __attribute__((packed));

static uint64_t load(const volatile uint8_t *at, unsigned bytes)
{
	uint64_t low;

	switch (bytes) {
	case 1:
		return *at;
	case 2:
		return ((const volatile struct any16 *)at)->value;
	case 4:
		return ((const volatile struct any32 *)at)->value;
	default:
		/* Two of 4, the low one first (PCIe Transport 1.0, 3.1), as drives are used to. */
		low = ((const volatile struct any32 *)at)->value;
		return low | (uint64_t)((const volatile struct any32 *)(at + 4))->value << 32;
	}
}

static void store(volatile uint8_t *at, unsigned bytes, uint64_t value)
{
	switch (bytes) {
	case 1:
		*at = (uint8_t)value;
		break;
	case 2:
		((volatile struct any16 *)at)->value = (uint16_t)value;
		break;
	case 4:
		((volatile struct any32 *)at)->value = (uint32_t)value;
		break;
	default:
		((volatile struct any32 *)at)->value = (uint32_t)value;
		((volatile struct any32 *)(at + 4))->value = (uint32_t)(value >> 32);
	}
}

bool nvp_vfio_load(const volatile uint8_t *at, unsigned bytes, uint64_t *value)
{
	sigjmp_buf here;

	if (sigsetjmp(here, 0)) {
		escape = NULL;
		return false;
	}
	escape = &here;
	__asm__ volatile("" ::: "memory");
	*value = load(at, bytes);
	__asm__ volatile("" ::: "memory");
	escape = NULL;
	return true;
}

bool nvp_vfio_store(volatile uint8_t *at, unsigned bytes, uint64_t value)
{
	sigjmp_buf here;

	if (sigsetjmp(here, 0)) {
		escape = NULL;
		return false;
	}
	escape = &here;
	__asm__ volatile("" ::: "memory");
	store(at, bytes, value);
	__asm__ volatile("" ::: "memory");
	escape = NULL;
	return true;
}
