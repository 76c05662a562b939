// SPDX-License-Identifier: GPL-2.0-or-later
// Commands under way: found by CID, reused, and never forgotten while the controller has them.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/drive/door.h"

#define OUTSTANDING (1u << NVP_FLIGHT_POSTED | 1u << NVP_FLIGHT_EXPOSED)
/* FFFFh in the Error Information log means "no particular command" (NVMe Base 2.0, 5.16.1.2). */
#define CID_NOBODY  0xffff

void nvp_flights_init_list(struct nvp_flights *list)
{
	list->first = NULL;
	list->end = &list->first;
}

void nvp_flights_add(struct nvp_flights *list, struct nvp_flight *flight)
{
	flight->next = NULL;
	*list->end = flight;
	list->end = &flight->next;
}

struct nvp_flight *nvp_flights_take(struct nvp_flights *list)
{
	struct nvp_flight *flight = list->first;

	if (!flight)
		return NULL;
	list->first = flight->next;
	if (!list->first)
		list->end = &list->first;
	flight->next = NULL;
	return flight;
}

void nvp_flights_remove(struct nvp_flights *list, struct nvp_flight *flight)
{
	for (struct nvp_flight **at = &list->first; *at; at = &(*at)->next) {
		if (*at != flight)
			continue;
		*at = flight->next;
		if (!*at)
			list->end = at;
		flight->next = NULL;
		return;
	}
}

int nvp_flights_init(struct nvp_sq *sq)
{
	uint32_t buckets = 64;

	while (buckets < sq->entries && buckets < NVP_NR_QIDS)
		buckets *= 2;
	sq->bucket_mask = buckets - 1;
	sq->bucket = calloc(buckets, sizeof(*sq->bucket));
	sq->completed = calloc(1, NVP_NR_QIDS / 8);
	nvp_flights_init_list(&sq->pending);
	return sq->bucket && sq->completed ? 0 : -ENOMEM;
}

static void destroy(struct nvp_drive *drive, struct nvp_flight *flight)
{
	if (flight->list_memory)
		drive->base->buf_free(drive->base_backend, flight->list_memory, flight->list_bytes);
	free(flight);
}

void nvp_flights_destroy(struct nvp_sq *sq)
{
	struct nvp_flight *flight, *next;

	for (uint32_t i = 0; sq->bucket && i <= sq->bucket_mask; i++) {
		for (flight = sq->bucket[i]; flight; flight = next) {
			next = flight->bucket_next;
			if (flight->state == NVP_FLIGHT_DONE)
				nvp_flights_remove(&sq->cq->kept, flight);
			destroy(sq->drive, flight);
		}
	}
	for (flight = sq->free; flight; flight = next) {
		next = flight->next;
		destroy(sq->drive, flight);
	}
	free(sq->bucket);
	free(sq->completed);
}

struct nvp_flight *nvp_flight_new(struct nvp_sq *sq)
{
	struct nvp_flight *flight = sq->free;

	if (flight) {
		sq->free = flight->next;
		flight->next = NULL;
		return flight;
	}
	flight = calloc(1, sizeof(*flight));
	if (flight)
		flight->sq = sq;
	return flight;
}

void nvp_flight_insert(struct nvp_flight *flight, uint16_t cid)
{
	struct nvp_flight **at = &flight->sq->bucket[cid & flight->sq->bucket_mask];

	/* At the end: of two with one CID the older is found first. */
	while (*at)
		at = &(*at)->bucket_next;
	flight->cid = cid;
	flight->bucket_next = NULL;
	*at = flight;
}

void nvp_flight_release(struct nvp_flight *flight)
{
	struct nvp_sq *sq = flight->sq;
	struct nvp_flight **at = &sq->bucket[flight->cid & sq->bucket_mask];

	while (*at && *at != flight)
		at = &(*at)->bucket_next;
	if (*at)
		*at = flight->bucket_next;
	flight->bucket_next = NULL;
	flight->state = NVP_FLIGHT_FREE;
	flight->next = sq->free;
	sq->free = flight;
}

struct nvp_flight *nvp_flight_find(const struct nvp_sq *sq, uint16_t cid, unsigned states)
{
	struct nvp_flight *flight = sq->bucket[cid & sq->bucket_mask];

	for (; flight; flight = flight->bucket_next)
		if (flight->cid == cid && states & 1u << flight->state)
			return flight;
	return NULL;
}

/* CIDs go round all 65535 values, so that a completion of long ago is not taken for a new one. */
bool nvp_flight_pick_cid(struct nvp_sq *sq, uint16_t *cid)
{
	for (unsigned tried = 0; tried < NVP_NR_QIDS; tried++) {
		uint16_t candidate = sq->next_cid++;

		if (candidate == CID_NOBODY || nvp_flight_find(sq, candidate, ~0u))
			continue;
		*cid = candidate;
		return true;
	}
	return false;
}

void nvp_flight_end(struct nvp_flight *flight, enum nvp_flight_state state)
{
	if (!(OUTSTANDING & 1u << flight->state))
		return;
	if (flight->state == NVP_FLIGHT_POSTED)
		nvp_flights_remove(&flight->sq->pending, flight);
	flight->state = (uint8_t)state;
	flight->sq->nr_outstanding--;
	flight->sq->drive->nr_outstanding--;
	if (flight->buf)
		nvp_buf_release(flight->buf);
	if (flight->meta)
		nvp_buf_release(flight->meta);
	flight->buf = flight->meta = NULL;
}

void nvp_flights_cancel(struct nvp_sq *sq)
{
	for (uint32_t i = 0; i <= sq->bucket_mask; i++)
		for (struct nvp_flight *f = sq->bucket[i]; f; f = f->bucket_next)
			nvp_flight_end(f, NVP_FLIGHT_CANCELLED);
}

void nvp_flights_forget(struct nvp_sq *sq)
{
	struct nvp_flight *flight, *next;

	for (uint32_t i = 0; i <= sq->bucket_mask; i++) {
		for (flight = sq->bucket[i]; flight; flight = next) {
			next = flight->bucket_next;
			if (flight->state == NVP_FLIGHT_CANCELLED) {
				nvp_flight_release(flight);
			} else if (flight->state == NVP_FLIGHT_DONE) {
				nvp_flights_remove(&sq->cq->kept, flight);
				nvp_flight_release(flight);
			}
		}
	}
}
