// SPDX-License-Identifier: GPL-2.0-or-later
// From an address to a backend, before the worker is forked: what must exist, lock, serial number.

#include "core/drive/prepare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/drive/controller.h"
#include "core/drive/kernel.h"
#include "core/drive/vfio.h"

enum kind { KIND_SIM, KIND_KERNEL, KIND_PCI, KIND_BORROWED };

struct nvp_prepared {
	enum kind kind;
	const struct nvp_drive_ops *ops;
	void *backend; /* what open gets */
	char *address;
	const char *serial;
};

static const struct nvp_drive_ops *const backends[] = {
	&nvp_drive_sim, &nvp_drive_kernel, &nvp_drive_pci, NULL,
};

const struct nvp_drive_ops *const *nvp_drive_backends(void)
{
	return backends;
}

/* --- which kind is it? -------------------------------------------------------------------- */

/* What people write, up to the first digit or colon, and the form that they may have meant. */
static const struct {
	const char *word, *form;
} forms[] = {
	{ "sim", "sim:" },
	{ "nvme", "/dev/nvme0 or /dev/nvme0n1" },
	{ "dev/nvme", "/dev/nvme0 or /dev/nvme0n1" },
	{ "pci", "pci:0000:01:00.0" },
};

static const char *form_word(const void *list, size_t i)
{
	(void)list;
	return forms[i].word;
}

static int unknown_address(const char *address, struct nvp_err *err)
{
	const char *near, *form = "sim: or /dev/nvme0n1";
	char word[32];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(address, ":0123456789"), address);
	near = nvp_nearest(word, form_word, NULL, NVP_ARRAY_SIZE(forms));
	for (size_t i = 0; near && i < NVP_ARRAY_SIZE(forms); i++)
		if (!strcmp(near, forms[i].word))
			form = forms[i].form;
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "drive \"%s\": no such form of address", address);
	nvp_err_advice(err, "nearest valid form: %s", form);
	return -EINVAL;
}

static int prepare_sim(struct nvp_prepared *prepared, uint64_t seed, unsigned position,
		       struct nvp_err *err)
{
	prepared->kind = KIND_SIM;
	prepared->ops = &nvp_drive_sim;
	prepared->backend = nvp_bar_sim.prepare(prepared->address, seed, position, err);
	if (!prepared->backend)
		return nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s", prepared->address);
	prepared->serial = nvp_bar_sim.prepared_serial(prepared->backend);
	return 0;
}

static int prepare_kernel(struct nvp_prepared *prepared, struct nvp_err *err)
{
	prepared->kind = KIND_KERNEL;
	prepared->ops = &nvp_drive_kernel;
	prepared->backend = nvp_kernel_prepare("", prepared->address, err);
	if (!prepared->backend)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EIO, "open %s", prepared->address);
	prepared->serial = nvp_kernel_serial(prepared->backend);
	return 0;
}

/* Only the drive itself knows its serial number here: it is opened for that, and let go again. */
static int prepare_pci(struct nvp_prepared *prepared, struct nvp_err *err)
{
	struct nvp_vfio_prepared *vfio = nvp_vfio_prepare("", prepared->address, err);
	struct nvp_drive *drive;

	prepared->kind = KIND_PCI;
	prepared->ops = &nvp_drive_pci;
	prepared->backend = vfio;
	if (!vfio)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EIO, "open %s", prepared->address);
	drive = nvp_drive_open(prepared, NULL, 1, err);
	if (!drive) {
		nvp_vfio_discard(vfio);
		return -EIO;
	}
	nvp_vfio_learn(vfio, drive);
	nvp_drive_close(drive);
	prepared->serial = vfio->serial;
	return 0;
}

struct nvp_prepared *nvp_drive_prepare(const char *address, uint64_t seed, unsigned position,
				       struct nvp_err *err)
{
	bool pci = !strncmp(address, "pci:", 4);
	struct nvp_prepared *prepared;
	int rc;

	if (strncmp(address, "sim:", 4) && !pci && address[0] != '/') {
		unknown_address(address, err);
		return NULL;
	}
	prepared = calloc(1, sizeof(*prepared));
	if (prepared)
		prepared->address = strdup(address);
	if (!prepared || !prepared->address) {
		nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "open %s: out of memory", address);
		free(prepared);
		return NULL;
	}
	if (address[0] == '/')
		rc = prepare_kernel(prepared, err);
	else if (pci)
		rc = prepare_pci(prepared, err);
	else
		rc = prepare_sim(prepared, seed, position, err);
	if (rc) {
		free(prepared->address);
		free(prepared);
		return NULL;
	}
	return prepared;
}

struct nvp_prepared *nvp_prepared_of(const struct nvp_drive_ops *ops, void *backend,
				     const char *address, const char *serial)
{
	struct nvp_prepared *prepared = calloc(1, sizeof(*prepared));

	if (!prepared)
		return NULL;
	prepared->kind = KIND_BORROWED;
	prepared->ops = ops;
	prepared->backend = backend;
	prepared->address = strdup(address);
	prepared->serial = serial;
	return prepared;
}

void nvp_drive_discard(struct nvp_prepared *prepared)
{
	if (!prepared)
		return;
	if (prepared->kind == KIND_SIM)
		nvp_bar_sim.discard(prepared->backend);
	else if (prepared->kind == KIND_KERNEL)
		nvp_kernel_discard(prepared->backend);
	else if (prepared->kind == KIND_PCI)
		nvp_vfio_discard(prepared->backend);
	free(prepared->address);
	free(prepared);
}

/* --- what is known of it ------------------------------------------------------------------ */

bool nvp_prepared_is_simulated(const struct nvp_prepared *prepared)
{
	return prepared->kind == KIND_SIM;
}

const char *nvp_prepared_address(const struct nvp_prepared *prepared)
{
	return prepared->address;
}

const char *nvp_prepared_serial(const struct nvp_prepared *prepared)
{
	return prepared->serial;
}

const char *nvp_prepared_model(const struct nvp_prepared *prepared)
{
	if (prepared->kind == KIND_SIM)
		return nvp_bar_sim.prepared_model(prepared->backend);
	if (prepared->kind == KIND_PCI)
		return ((const struct nvp_vfio_prepared *)prepared->backend)->model;
	return prepared->kind == KIND_KERNEL ? nvp_kernel_model(prepared->backend) : "";
}

const char *nvp_prepared_controller(const struct nvp_prepared *prepared)
{
	return prepared->kind == KIND_KERNEL ? nvp_kernel_controller(prepared->backend) : "";
}

static int pci_in_use(const struct nvp_vfio_prepared *vfio, char *text, size_t bytes)
{
	snprintf(text, bytes, "%s", vfio->in_use_text);
	return vfio->in_use;
}

int nvp_prepared_in_use(const struct nvp_prepared *prepared, char *text, size_t bytes)
{
	if (bytes)
		text[0] = '\0';
	if (prepared->kind == KIND_PCI)
		return pci_in_use(prepared->backend, text, bytes);
	return prepared->kind == KIND_KERNEL ? nvp_kernel_in_use(prepared->backend, text, bytes)
					     : 0;
}

bool nvp_prepared_holds(const struct nvp_prepared *prepared, const char *path, char *text,
			size_t bytes)
{
	struct stat st;

	if (bytes)
		text[0] = '\0';
	return prepared->kind == KIND_KERNEL && !stat(path, &st) &&
	       nvp_kernel_holds(prepared->backend, major(st.st_dev), minor(st.st_dev), text, bytes);
}

const struct nvp_drive_ops *nvp_prepared_ops(const struct nvp_prepared *prepared)
{
	return prepared->ops;
}

void *nvp_prepared_backend(const struct nvp_prepared *prepared)
{
	return prepared->backend;
}
