// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes records of probes, by the formats of their fields in the log.
 *
 * Stage: between a log's events and packets.c. A user's own probe of the same function lacks
 * fields, and is skipped.
 */
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "lib/base/array.h"
#include "records.h"

enum { SKB, LEN, PAGED, HEAD, REASON, READ, SK, SEQUENCE, TO, FIELDS };

static const char *const field_names[FIELDS] = {
	"skb", "len", "paged", "head", "reason", "read", "sk", "sequence", "to",
};

/*
 * An event type of a host.
 *
 * @station:	PATH_STATIONS if it is not of a station
 * @has:	bits of @field that are set
 */
struct path_format {
	enum path_station station;
	unsigned int has;
	struct evtlog_event_field field[FIELDS];
};

static unsigned int wanted_fields(enum path_station station)
{
	const struct path_station_kind *kind = &path_stations[station];
	unsigned int wanted = kind->skb ? 1u << SKB : 1u << LEN;

	if (kind->bytes != PATH_NO_BYTES)
		wanted |= 1u << LEN | 1u << HEAD;
	if (station == PATH_DROP)
		wanted |= 1u << REASON;
	if (station == PATH_TCP_SENDMSG)
		wanted |= 1u << SK | 1u << SEQUENCE;
	if (station == PATH_TCP_MERGE)
		wanted |= 1u << TO;
	return wanted;
}

static void make_format(struct path_format *to, const struct evtlog_event_format *from)
{
	memset(to, 0, sizeof(*to));
	to->station = from ? path_station_of_event(from->name) : PATH_STATIONS;
	if (to->station == PATH_STATIONS)
		return;
	for (uint32_t i = 0; i < from->field_count; i++)
		for (unsigned int k = 0; k < FIELDS; k++)
			if (!strcmp(from->fields[i].name, field_names[k])) {
				to->field[k] = from->fields[i];
				to->has |= 1u << k;
			}
	if ((to->has & wanted_fields(to->station)) != wanted_fields(to->station))
		to->station = PATH_STATIONS;
}

static const struct path_format *find_format(struct path_records *records,
					     const struct evtlog_file *file, uint32_t host,
					     uint32_t id)
{
	uint64_t key = (uint64_t)host << 16 | id;
	uint32_t number = key_table_find(&records->table, key);

	if (number != KEY_NONE)
		return &records->at[number];
	number = records->count;
	if (array_reserve(&records->at, &records->capacity, records->count, sizeof(*records->at)) ||
	    key_table_add(&records->table, key, number))
		return NULL;
	make_format(&records->at[records->count++], evtlog_event_format(file, id));
	return &records->at[number];
}

static uint64_t number_of(const struct path_format *format, unsigned int field,
			  const void *payload, size_t bytes)
{
	size_t field_bytes;
	const void *at;

	if (!(format->has & 1u << field))
		return 0;
	at = evtlog_event_field_at(&format->field[field], payload, bytes, &field_bytes);
	return at ? evtlog_event_field_u64(at, field_bytes) : 0;
}

/* The time and host of @record's visit are already set. */
static void fill_record(struct path_record *record, const struct path_format *format,
			const struct evtlog_event *event)
{
	uint32_t paged;
	size_t bytes;
	const void *payload = evtlog_event_payload(event, &bytes);

	record->visit.cpu = event->cpu;
	record->visit.pid = event->pid;
	record->visit.station = format->station;
	record->visit.reason = number_of(format, REASON, payload, bytes);
	record->skb = number_of(format, SKB, payload, bytes);
	record->length = number_of(format, LEN, payload, bytes);
	record->socket = number_of(format, SK, payload, bytes);
	record->sequence = number_of(format, SEQUENCE, payload, bytes);
	record->to = number_of(format, TO, payload, bytes);
	if (!(format->has & 1u << HEAD))
		return;
	/* Probes of evtlog 0.10 copied memory: other data follows the packet's first part. */
	paged = number_of(format, PAGED, payload, bytes);
	record->bytes = evtlog_event_field_at(&format->field[HEAD], payload, bytes, &record->count);
	if (!record->bytes || paged > record->length)
		record->count = 0;
	else if (record->count > record->length - paged)
		record->count = record->length - paged;
}

/* True: the program only looked, and the packet is still in the socket's queue. */
static bool is_peek(const struct path_format *format, const struct evtlog_event *event)
{
	size_t bytes;
	const void *payload = evtlog_event_payload(event, &bytes);

	return (int64_t)number_of(format, READ, payload, bytes) < 0;
}

int path_records_take(struct path_records *records, struct packets *packets,
		      const struct evtlog_file *file, uint32_t host,
		      const struct evtlog_event *event, int64_t time_ns)
{
	struct path_record record = { .visit = { .time_ns = time_ns, .host = host } };
	const struct path_format *format;

	if (event->known != EVTLOG_EVENT)
		return 0;
	format = find_format(records, file, host, evtlog_event_id(event));
	if (!format)
		return -ENOMEM;
	if (format->station == PATH_STATIONS || is_peek(format, event))
		return 0;
	records->seen |= 1u << format->station;
	fill_record(&record, format, event);
	return path_packets_take(packets, &record);
}

static void put_address(uint8_t to[PATH_ADDRESS_BYTES], uint32_t address)
{
	to[10] = to[11] = 0xff;
	memcpy(to + 12, &address, sizeof(address));
}

/* Time from the arrival of a message to its record; 0 if it was not measured */
static int64_t since_arrival_ns(const struct evtlog_file *file, const struct evtlog_event *event)
{
	uint64_t arrival = event->words[3], hz = evtlog_ticks_hz(file);

	if (event->known != EVTLOG_ICMP_RX || !arrival || !hz || arrival > event->ticks)
		return 0;
	return (event->ticks - arrival) * 1e9 / hz;
}

int path_records_take_icmp(struct packets *packets, const struct evtlog_file *file, uint32_t host,
			   const struct evtlog_event *event, int64_t time_ns)
{
	bool sent = event->known == EVTLOG_ICMP_TX;
	const struct path_visit visit = {
		.time_ns = time_ns - since_arrival_ns(file, event),
		.host = host, .cpu = event->cpu, .pid = event->pid,
		.station = sent ? PATH_QUEUE : PATH_ICMP_IN,
	};
	const uint64_t *words = event->words;
	uint32_t peer = words[1] >> 32, local = words[2];
	struct path_key key;

	if (words[sent ? 3 : 4])
		return 0;
	/* Two keys are the same if all their bytes are. */
	memset(&key, 0, sizeof(key));
	key.version = 4;
	key.protocol = IPPROTO_ICMP;
	put_address(key.source, sent ? local : peer);
	put_address(key.destination, sent ? peer : local);
	key.source_port = key.destination_port = be16toh((uint16_t)words[1]);
	key.sequence = (uint32_t)evtlog_data(words, 0, 8) << 24 | evtlog_data(words, 8, 8) << 16 |
		       be16toh((uint16_t)(words[1] >> 16));
	return path_packets_add(packets, &key, &visit);
}

void path_records_free(struct path_records *records)
{
	key_table_free(&records->table);
	free(records->at);
}

bool path_records_in(const struct evtlog_file *file)
{
	const struct evtlog_event_format *format;

	for (size_t i = 0; (format = evtlog_event_format_at(file, i)); i++)
		if (path_station_of_event(format->name) != PATH_STATIONS)
			return true;
	return false;
}

/* ---- enum skb_drop_reason of Linux 6.1, the version of evtlog's kernel patch ---- */

/* SKB_DROP_REASON_... of include/net/dropreason.h, in its order, from 1 on */
static const char *const of_6_1[] = {
	"NOT_DROPPED_YET",
	"NOT_SPECIFIED", "NO_SOCKET", "PKT_TOO_SMALL", "TCP_CSUM", "SOCKET_FILTER", "UDP_CSUM",
	"NETFILTER_DROP", "OTHERHOST", "IP_CSUM", "IP_INHDR", "IP_RPFILTER",
	"UNICAST_IN_L2_MULTICAST", "XFRM_POLICY", "IP_NOPROTO", "SOCKET_RCVBUFF", "PROTO_MEM",
	"TCP_MD5NOTFOUND", "TCP_MD5UNEXPECTED", "TCP_MD5FAILURE", "SOCKET_BACKLOG",
	"TCP_FLAGS", "TCP_ZEROWINDOW", "TCP_OLD_DATA", "TCP_OVERWINDOW", "TCP_OFOMERGE",
	"TCP_RFC7323_PAWS", "TCP_INVALID_SEQUENCE", "TCP_RESET", "TCP_INVALID_SYN",
	"TCP_CLOSE", "TCP_FASTOPEN", "TCP_OLD_ACK", "TCP_TOO_OLD_ACK", "TCP_ACK_UNSENT_DATA",
	"TCP_OFO_QUEUE_PRUNE", "TCP_OFO_DROP", "IP_OUTNOROUTES", "BPF_CGROUP_EGRESS",
	"IPV6DISABLED", "NEIGH_CREATEFAIL", "NEIGH_FAILED", "NEIGH_QUEUEFULL", "NEIGH_DEAD",
	"TC_EGRESS", "QDISC_DROP", "CPU_BACKLOG", "XDP", "TC_INGRESS", "UNHANDLED_PROTO",
	"SKB_CSUM", "SKB_GSO_SEG", "SKB_UCOPY_FAULT", "DEV_HDR", "DEV_READY", "FULL_RING",
	"NOMEM", "HDR_TRUNC", "TAP_FILTER", "TAP_TXFILTER", "ICMP_CSUM", "INVALID_PROTO",
	"IP_INADDRERRORS", "IP_INNOROUTES", "PKT_TOO_BIG", "TC_CHAIN_NOTFOUND",
};

const char *path_reason(const char *release, unsigned int number, char text[PATH_REASON_TEXT])
{
	if (release && !strncmp(release, "6.1.", 4) && number < sizeof(of_6_1) / sizeof(*of_6_1))
		return of_6_1[number];
	snprintf(text, PATH_REASON_TEXT, "reason %u", number);
	return text;
}
