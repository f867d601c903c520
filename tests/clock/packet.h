/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a simulated ping's record to the clock model's input.
 *
 * Stage: between world.h and the model's internal interface.
 */
#ifndef PACKET_H
#define PACKET_H

#include "lib/clocksync/clocksync.h"
#include "world.h"

/* @own, @peer: IPv4 addresses of the host that made the record, and of the other host */
static inline struct packet_record packet_of(const struct world_record *record, uint32_t own,
					     uint32_t peer)
{
	return (struct packet_record) {
		.time_ns = record->raw_ns,
		.source = record->received ? peer : own,
		.destination = record->received ? own : peer,
		.id = record->id,
		.sequence = record->sequence,
		.host = record->host,
		.received = record->received,
		.type = record->type,
	};
}

#endif /* PACKET_H */
