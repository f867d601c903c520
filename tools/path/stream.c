// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the write that a TCP segment belongs to, and the segments that are read together.
 */
#include <string.h>

#include "lib/base/array.h"
#include "live.h"
#include "packets.h"

int path_stream_write(struct path_host *host, const struct path_record *record,
		      const struct path_begin *begin)
{
	uint32_t number = key_table_find(&host->socket, record->socket);
	struct path_socket *socket;
	int error;

	if (number == KEY_NONE) {
		number = host->socket_count;
		error = array_reserve(&host->sockets, &host->socket_capacity, host->socket_count,
				      sizeof(*host->sockets));
		if (!error)
			error = key_table_add(&host->socket, record->socket, number);
		if (error)
			return error;
		host->sockets[host->socket_count++].count = 0;
	}
	socket = &host->sockets[number];
	socket->writes[socket->count++ % PATH_WRITES] = (struct path_write){
		.begin = *begin, .sequence = record->sequence, .length = record->length,
	};
	return 0;
}

const struct path_begin *path_stream_write_of(struct path_host *host, uint64_t sk,
					      const struct path_header *header)
{
	uint32_t number = key_table_find(&host->socket, sk);
	const struct path_socket *socket;

	if (number == KEY_NONE || !header->payload)
		return NULL;
	socket = &host->sockets[number];
	/* Last write first: if a write was cut short, the next one has its rest. */
	for (uint64_t i = socket->count; i && i + PATH_WRITES > socket->count; i--) {
		const struct path_write *write = &socket->writes[(i - 1) % PATH_WRITES];

		if (header->key.sequence - write->sequence < write->length)
			return &write->begin;
	}
	return NULL;
}

static struct path_live *live_of(struct path_host *host, uint64_t skb)
{
	uint32_t number = key_table_find(&host->live, skb);

	return number == KEY_NONE || host->lives[number].packet == NO_PACKET ?
	       NULL : &host->lives[number];
}

int path_stream_add(struct packets *packets, struct path_host *host,
		    const struct path_record *record)
{
	struct path_live *from = live_of(host, record->skb), *to = live_of(host, record->to);
	int error;

	if (!from || !to ||
	    !path_key_same_flow(&packets->at[from->packet].key, &packets->at[to->packet].key))
		return 0;
	error = array_reserve(&to->added, &to->added_capacity, to->added_count, sizeof(*to->added));
	if (!error)
		to->added[to->added_count++] = from->packet;
	return error;
}

int path_stream_read(struct packets *packets, struct path_live *live,
		     const struct path_visit *visit)
{
	int error = 0;

	for (size_t i = 0; i < live->added_count && !error; i++) {
		struct path_packet *packet = &packets->at[live->added[i]];

		if (!path_is_end(path_last(packet)->station))
			error = path_packet_add(packet, visit);
	}
	live->added_count = 0;
	return error;
}
