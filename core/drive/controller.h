/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own driver for an NVMe controller, over the BAR contract. */
#ifndef NVP_DRIVE_CONTROLLER_H
#define NVP_DRIVE_CONTROLLER_H

#include <nvproof/bar.h>
#include <nvproof/drive_ops.h>

/* extra: NVP_PATH_* bits beside those that follow from the BAR contract. */
void *nvp_controller_open(const struct nvp_bar_ops *bar_ops, const struct nvp_drive_open *open,
			  uint32_t extra, struct nvp_err *err);
/* All slots of the ops but name, help and open. */
void nvp_controller_close(void *backend);
uint32_t nvp_controller_path(void *backend);
const struct nvp_clock *nvp_controller_clock(void *backend);
void *nvp_controller_buf_alloc(void *backend, size_t bytes, uint64_t *iova);
void nvp_controller_buf_free(void *backend, void *memory, size_t bytes);
struct nvp_ring *nvp_controller_ring_new(void *backend, uint32_t entries, unsigned entry_bytes,
					 uint64_t *iova);
void nvp_controller_ring_free(void *backend, struct nvp_ring *ring);
void nvp_controller_ring_clear(void *backend, struct nvp_ring *ring);
int nvp_controller_post(void *backend, struct nvp_ring *sq, uint32_t slot,
			const struct nvp_sqe *sqe);
void nvp_controller_peek(void *backend, struct nvp_ring *cq, uint32_t slot, void *cqe);
const volatile uint8_t *nvp_controller_phase_byte(void *backend, struct nvp_ring *cq,
						  uint32_t slot);
int nvp_controller_doorbell(void *backend, uint16_t qid, bool head, uint32_t value);
int nvp_controller_reg_read(void *backend, uint64_t offset, unsigned bytes, uint64_t *value);
int nvp_controller_reg_write(void *backend, uint64_t offset, unsigned bytes, uint64_t value);
int nvp_controller_config_read(void *backend, unsigned offset, unsigned bytes, uint32_t *value);
int nvp_controller_config_write(void *backend, unsigned offset, unsigned bytes, uint32_t value);
unsigned nvp_controller_nr_vectors(void *backend);
bool nvp_controller_vector_take(void *backend, unsigned vector);
uint32_t nvp_controller_resets(void *backend);
int nvp_controller_reset(void *backend, enum nvp_reset kind, struct nvp_err *err);
int nvp_controller_reattach(void *backend, uint64_t until_ns, struct nvp_err *err);
int nvp_controller_power(void *backend, bool on);
uint64_t nvp_controller_dma_faults(void *backend, struct nvp_dma_fault *last);
const char *nvp_controller_came_back(void *backend);

#define NVP_CONTROLLER_SLOTS			\
	.close = nvp_controller_close,		\
	.path = nvp_controller_path,		\
	.clock = nvp_controller_clock,		\
	.buf_alloc = nvp_controller_buf_alloc,	\
	.buf_free = nvp_controller_buf_free,	\
	.ring_new = nvp_controller_ring_new,	\
	.ring_free = nvp_controller_ring_free,	\
	.ring_clear = nvp_controller_ring_clear,	\
	.post = nvp_controller_post,		\
	.peek = nvp_controller_peek,		\
	.phase_byte = nvp_controller_phase_byte,	\
	.doorbell = nvp_controller_doorbell,	\
	.reg_read = nvp_controller_reg_read,	\
	.reg_write = nvp_controller_reg_write,	\
	.config_read = nvp_controller_config_read,	\
	.config_write = nvp_controller_config_write,	\
	.nr_vectors = nvp_controller_nr_vectors,	\
	.vector_take = nvp_controller_vector_take,	\
	.resets = nvp_controller_resets,	\
	.reset = nvp_controller_reset,		\
	.reattach = nvp_controller_reattach,	\
	.power = nvp_controller_power,		\
	.dma_faults = nvp_controller_dma_faults,	\
	.came_back = nvp_controller_came_back

/* The simulated drive behind the BAR contract (bar_sim.c). */
extern const struct nvp_bar_ops nvp_bar_sim;
extern const struct nvp_drive_ops nvp_drive_sim;
/* The kernel's driver (kernel.c). */
extern const struct nvp_drive_ops nvp_drive_kernel;

#endif
