// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows packets on each host by the address of their struct sk_buff.
 *
 * The kernel reuses this memory for other packets. A visit belongs to the same packet if the
 * headers are the same, a drop if its bytes are the packet's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/abi.h>

#include "lib/base/array.h"
#include "live.h"
#include "packets.h"

int path_packets_init(struct packets *packets, size_t hosts)
{
	memset(packets, 0, sizeof(*packets));
	packets->hosts = calloc(hosts ? hosts : 1, sizeof(*packets->hosts));
	if (!packets->hosts)
		return -ENOMEM;
	packets->host_count = hosts;
	return 0;
}

void path_packets_free(struct packets *packets)
{
	for (size_t i = 0; i < packets->host_count; i++) {
		struct path_host *host = &packets->hosts[i];

		for (size_t k = 0; k < host->live_count; k++) {
			free(host->lives[k].ip);
			free(host->lives[k].added);
		}
		free(host->lives);
		free(host->sockets);
		free(host->sendings);
		key_table_free(&host->live);
		key_table_free(&host->sending);
		key_table_free(&host->first);
		key_table_free(&host->socket);
	}
	for (size_t i = 0; i < packets->count; i++)
		free(packets->at[i].visits);
	free(packets->hosts);
	free(packets->at);
	memset(packets, 0, sizeof(*packets));
}

void path_packets_forget(struct packets *packets, uint32_t number)
{
	struct path_host *host = &packets->hosts[number];

	for (size_t i = 0; i < host->live_count; i++) {
		host->lives[i].packet = NO_PACKET;
		host->lives[i].has_early = false;
		host->lives[i].added_count = 0;
	}
	for (size_t i = 0; i < host->socket_count; i++)
		host->sockets[i].count = 0;
	for (size_t i = 0; i < host->sending_count; i++)
		host->sendings[i].is_open = host->sendings[i].is_in_socket = false;
	key_table_clear(&host->first);
}

int path_packet_add(struct path_packet *packet, const struct path_visit *visit)
{
	if (packet->count == packet->capacity) {
		size_t capacity = packet->capacity ? 2 * (size_t)packet->capacity : 8;
		struct path_visit *visits;

		/* In a loop of devices, further visits show nothing new. */
		if (capacity > UINT16_MAX)
			return 0;
		visits = reallocarray(packet->visits, capacity, sizeof(*visits));
		if (!visits)
			return -ENOMEM;
		packet->visits = visits;
		packet->capacity = capacity;
	}
	packet->visits[packet->count++] = *visit;
	return 0;
}

static int find_live(struct path_host *host, uint64_t skb, struct path_live **livep)
{
	uint32_t number = key_table_find(&host->live, skb);
	struct path_live *live;
	int error;

	if (number == KEY_NONE) {
		number = host->live_count;
		error = array_reserve(&host->lives, &host->live_capacity, host->live_count,
				      sizeof(*host->lives));
		if (!error)
			error = key_table_add(&host->live, skb, number);
		if (error)
			return error;
		live = &host->lives[host->live_count++];
		memset(live, 0, sizeof(*live));
		live->skb = skb;
		live->packet = NO_PACKET;
	}
	*livep = &host->lives[number];
	return 0;
}

static int keep_bytes(struct path_live *live, const uint8_t *ip, size_t count)
{
	if (live->ip_capacity < count) {
		uint8_t *more = realloc(live->ip, count);

		if (!more)
			return -ENOMEM;
		live->ip = more;
		live->ip_capacity = count;
	}
	memcpy(live->ip, ip, count);
	live->ip_count = count;
	return 0;
}

/* ---- Sending ---- */

/* A task makes one packet at a time. If its pid is unknown, use the CPU. */
static uint64_t task_of(const struct path_visit *visit)
{
	return visit->pid == EVTLOG_PID_UNKNOWN ? UINT64_C(1) << 32 | visit->cpu : visit->pid;
}

static int find_sending(struct path_host *host, const struct path_record *record,
			struct path_sending **sendingp)
{
	uint64_t task = task_of(&record->visit);
	uint32_t number = key_table_find(&host->sending, task);
	int error;

	if (number == KEY_NONE) {
		number = host->sending_count;
		error = array_reserve(&host->sendings, &host->sending_capacity, number,
				      sizeof(*host->sendings));
		if (!error)
			error = key_table_add(&host->sending, task, number);
		if (error)
			return error;
		host->sendings[host->sending_count++] = (struct path_sending){ .length = 0 };
	}
	*sendingp = &host->sendings[number];
	return 0;
}

static int take_socket(struct path_host *host, const struct path_record *record)
{
	struct path_sending *sending;
	int error = find_sending(host, record, &sending);

	if (error)
		return error;
	sending->socket = record->visit;
	sending->socket_length = record->length;
	sending->is_in_socket = true;
	return 0;
}

/* A protocol takes over the data of @sending's task, which is no longer at the socket. */
static struct path_begin begin_of(struct path_sending *sending, const struct path_record *record)
{
	struct path_begin begin = { .visit = record->visit };

	begin.has_socket = sending->is_in_socket && sending->socket_length == record->length &&
			   record->visit.time_ns - sending->socket.time_ns <= PATH_WAY_NS;
	begin.socket = sending->socket;
	sending->is_in_socket = false;
	/* An IPv6 socket that sends to an IPv4 address. */
	if (sending->is_open && sending->begin.visit.station == PATH_SENDMSG6 &&
	    record->visit.station == PATH_SENDMSG && sending->length == record->length)
		begin.has_socket = sending->begin.has_socket;
	return begin;
}

static int take_sendmsg(struct path_host *host, const struct path_record *record)
{
	struct path_sending *sending;
	int error = find_sending(host, record, &sending);

	if (error)
		return error;
	sending->begin = begin_of(sending, record);
	sending->length = record->length;
	sending->is_open = true;
	return 0;
}

static int take_write(struct path_host *host, const struct path_record *record)
{
	struct path_sending *sending;
	struct path_begin begin;
	int error = find_sending(host, record, &sending);

	if (error)
		return error;
	begin = begin_of(sending, record);
	return path_stream_write(host, record, &begin);
}

/* Where the task began to send data of this length; NULL if unknown. */
static const struct path_begin *sending_of(struct path_host *host, const struct path_record *record,
					   const struct path_header *header)
{
	uint32_t number = key_table_find(&host->sending, task_of(&record->visit));
	struct path_sending *sending;

	if (number == KEY_NONE)
		return NULL;
	sending = &host->sendings[number];
	if (!sending->is_open ||
	    header->length != header->ip_bytes + header->transport_bytes + sending->length)
		return NULL;
	sending->is_open = false;
	return &sending->begin;
}

/* ---- The path of a packet ---- */

static int emit(struct packets *packets, const struct path_live *live,
		const struct path_visit *visit)
{
	const struct path_packet *packet = &packets->at[live->packet];

	return packets->see ? packets->see(packets->context, visit, &packet->key, live->ip,
					   live->ip_count, live->header.length) : 0;
}

static int add_visit(struct packets *packets, const struct path_live *live,
		     const struct path_visit *visit)
{
	int error = path_packet_add(&packets->at[live->packet], visit);

	return error ? error : emit(packets, live, visit);
}

static struct path_packet *new_packet(struct packets *packets, const struct path_key *key)
{
	struct path_packet *packet;

	if (array_reserve(&packets->at, &packets->capacity, packets->count, sizeof(*packets->at)))
		return NULL;
	packet = &packets->at[packets->count++];
	memset(packet, 0, sizeof(*packet));
	packet->key = packet->last = *key;
	return packet;
}

int path_packets_add(struct packets *packets, const struct path_key *key,
		     const struct path_visit *visit)
{
	struct path_packet *packet = new_packet(packets, key);

	return packet ? path_packet_add(packet, visit) : -ENOMEM;
}

static uint64_t fragment_key(const struct path_key *key)
{
	struct path_key common = *key;

	common.source_port = common.destination_port = 0;
	common.sequence = common.payload = 0;
	return path_key_hash(&common);
}

/* The kernel reassembles a datagram in the struct sk_buff of the last fragment to arrive. */
static void take_fragment(struct packets *packets, struct path_host *host, struct path_live *live,
			  const struct path_header *header, enum path_station station)
{
	uint32_t number = KEY_NONE;

	packets->fragments++;
	if (path_is_deliver(station))
		number = key_table_find(&host->first, fragment_key(&header->key));
	live->packet = number == KEY_NONE ? NO_PACKET : number;
	live->has_early = false;
	/* The datagram does not begin with these bytes. */
	live->header = *header;
	live->ip_count = 0;
}

/* Where a program began to send the packet at a sender's station; NULL if unknown. */
static const struct path_begin *sent_by(struct path_host *host, const struct path_live *live,
					const struct path_record *record,
					const struct path_header *header)
{
	enum path_station station = record->visit.station;

	if (path_key_protocol(&header->key) == PATH_UDP && path_stations[station].makes_ip)
		return sending_of(host, record, header);
	if (station == PATH_TCP_OUT || station == PATH_TCP_OUT6)
		return path_stream_write_of(host, record->socket, header);
	if (live->has_early && live->early.station == PATH_TCP_XMIT)
		return path_stream_write_of(host, live->socket, header);
	return NULL;
}

/* Returns true if the early visit, which has no bytes, is of @record's packet. */
static bool is_early_of(const struct path_live *live, const struct path_record *record,
			const struct path_header *header)
{
	if (!live->has_early)
		return false;
	if (live->early.station == PATH_TCP_XMIT)
		return path_key_protocol(&header->key) == PATH_TCP &&
		       path_is_sender(record->visit.station);
	return path_is_deliver(record->visit.station);
}

/* Starts a packet at the sender's first station, or at the first that was recorded. */
static int begin_packet(struct packets *packets, struct path_host *host, struct path_live *live,
			const struct path_record *record, const struct path_header *header)
{
	const struct path_begin *sending = sent_by(host, live, record, header);
	struct path_packet *packet = new_packet(packets, &header->key);
	int error = 0;

	if (!packet)
		return -ENOMEM;
	live->packet = packets->count - 1;
	packet->length = header->length;
	packet->payload = packet->arrived = header->payload;
	live->added_count = 0;
	if (sending && sending->has_socket)
		error = add_visit(packets, live, &sending->socket);
	if (!error && sending)
		error = add_visit(packets, live, &sending->visit);
	if (!error && is_early_of(live, record, header))
		error = add_visit(packets, live, &live->early);
	live->has_early = false;
	return error;
}

/* There is no header yet: the next station has it. */
static int take_xmit(struct path_live *live, const struct path_record *record)
{
	live->packet = NO_PACKET;
	live->has_early = true;
	live->early = record->visit;
	live->socket = record->socket;
	return 0;
}

/*
 * Addresses and ports are translated only between these stations. If they change elsewhere, the
 * memory has another packet.
 */
static bool may_translate(enum path_station from, enum path_station to)
{
	if (from == PATH_RECEIVE)
		return to == PATH_QUEUE || to == PATH_TCP_OUT6 || path_is_deliver(to);
	return path_is_sender(from) && from < PATH_QUEUE && to == PATH_QUEUE;
}

/* Returns true if @header is of another packet than the last one in this memory. */
static bool is_other(const struct packets *packets, const struct path_live *live,
		     const struct path_record *record, const struct path_header *header)
{
	enum path_station station = record->visit.station, last;
	const struct path_packet *packet;

	if (path_stations[station].makes_ip || live->packet == NO_PACKET)
		return true;
	packet = &packets->at[live->packet];
	last = path_last(packet)->station;
	/* A segment that is sent again can have the same memory. */
	if (station == PATH_TCP_OUT6 && last != PATH_RECEIVE)
		return true;
	if (path_key_same(&packet->last, &header->key))
		return false;
	return !may_translate(last, station) || packet->length != header->length ||
	       record->visit.time_ns - path_last(packet)->time_ns > PATH_WAY_NS ||
	       !path_key_translated(&packet->last, &header->key);
}

static int take_header(struct packets *packets, struct path_host *host, struct path_live *live,
		       const struct path_record *record, const struct path_header *header)
{
	const struct path_station_kind *kind = &path_stations[record->visit.station];
	bool is_new = is_other(packets, live, record, header);
	int error;

	/* Keep the packet's first bytes, to compare those of a drop with them. */
	error = keep_bytes(live, record->bytes + header->ip, record->count - header->ip);
	if (error)
		return error;
	if (live->ip_count > header->length)
		live->ip_count = header->length;
	if (kind->makes_ip)
		path_header_complete(live->ip, live->ip_count, header->length);
	live->header = *header;
	if (is_new)
		error = begin_packet(packets, host, live, record, header);
	if (!error)
		packets->at[live->packet].last = header->key;
	if (!error && header->is_fragment && path_is_deliver(record->visit.station))
		error = key_table_add(&host->first, fragment_key(&header->key), live->packet);
	return error ? error : add_visit(packets, live, &record->visit);
}

static int take_bytes(struct packets *packets, struct path_host *host, struct path_live *live,
		      const struct path_record *record)
{
	const struct path_station_kind *kind = &path_stations[record->visit.station];
	struct path_header header;

	if (!path_header_read(&header, record->visit.station, record->bytes, record->count,
			      record->length)) {
		/* Another kind of packet, or its headers are not in its linear part. */
		live->packet = NO_PACKET;
		live->has_early = record->visit.station == PATH_RECEIVE && !record->count;
		live->early = record->visit;
		return 0;
	}
	if (!(kind->protocols & path_key_protocol(&header.key)))
		return 0;
	if (header.is_later) {
		take_fragment(packets, host, live, &header, record->visit.station);
		return 0;
	}
	return take_header(packets, host, live, record, &header);
}

/* Returns true if the record is of @packet: the memory may have another packet by now. */
static bool is_of(const struct path_live *live, const struct path_packet *packet,
		  const struct path_record *record)
{
	if (!record->count)
		return record->length == packet->payload;
	return path_bytes_fit(&live->header, live->ip, live->ip_count, record->bytes,
			      record->count);
}

static int take_drop(struct packets *packets, struct path_live *live,
		     const struct path_record *record)
{
	const struct path_packet *packet;
	enum path_station last;

	if (live->packet == NO_PACKET)
		return 0;
	packet = &packets->at[live->packet];
	if (!is_of(live, packet, record))
		return 0;
	/* Already dropped or read: fragments freed with it have no reason of their own. */
	last = path_last(packet)->station;
	if (last == PATH_DROP || path_is_end(last))
		return 0;
	/* If this was the last reference, the memory gets another packet later. */
	return add_visit(packets, live, &record->visit);
}

/* The last record of a packet: its memory gets another packet then. */
static int take_read(struct packets *packets, struct path_live *live,
		     const struct path_record *record)
{
	struct path_packet *packet = &packets->at[live->packet];
	int error;

	if (path_is_end(path_last(packet)->station)) {
		/* It was counted as read with another segment, but was not added to that one. */
		packet->visits[packet->count - 1] = record->visit;
		error = 0;
	} else {
		error = add_visit(packets, live, &record->visit);
	}
	if (!error)
		error = path_stream_read(packets, live, &record->visit);
	live->packet = NO_PACKET;
	return error;
}

int path_packets_take(struct packets *packets, const struct path_record *record)
{
	struct path_host *host = &packets->hosts[record->visit.host];
	enum path_station station = record->visit.station;
	struct path_live *live;
	int error;

	if (path_is_socket(station))
		return take_socket(host, record);
	if (path_is_sendmsg(station))
		return take_sendmsg(host, record);
	if (station == PATH_TCP_SENDMSG)
		return take_write(host, record);
	if (station == PATH_TCP_MERGE)
		return path_stream_add(packets, host, record);
	error = find_live(host, record->skb, &live);
	if (error)
		return error;
	if (station == PATH_DROP)
		return take_drop(packets, live, record);
	if (station == PATH_TCP_XMIT)
		return take_xmit(live, record);
	if (path_stations[station].bytes != PATH_NO_BYTES)
		return take_bytes(packets, host, live, record);
	if (live->packet == NO_PACKET) {
		packets->strays++;
		return 0;
	}
	if (path_is_end(station))
		return take_read(packets, live, record);
	return add_visit(packets, live, &record->visit);
}
