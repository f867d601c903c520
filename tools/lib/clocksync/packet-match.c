// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the two records of each packet: sent by one host, received by another.
 *
 * Stage: between the records of all hosts and the bounds that packets give.  It does not compare
 * clocks.  Ambiguous records are dropped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clocksync.h"
#include "lib/base/array.h"

/* An address that a host sent from or received at. */
struct claim {
	uint32_t address;
	uint32_t host;
};

bool packet_type_matches(unsigned int type)
{
	switch (type) {
	case 0:			/* echo reply */
	case 8:			/* echo */
	case 13:		/* timestamp */
	case 14:		/* timestamp reply */
		return true;
	default:
		return false;
	}
}

int packet_record_add(struct packet_records *records,
		      const struct packet_record *record)
{
	int error = array_reserve(&records->at, &records->capacity, records->count,
				  sizeof(*record));

	if (!error)
		records->at[records->count++] = *record;
	return error;
}

static bool is_loopback(uint32_t address)
{
	return *(const uint8_t *)&address == 127;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static uint64_t addresses(const struct packet_record *record)
{
	return (uint64_t)record->source << 32 | record->destination;
}

static uint64_t names(const struct packet_record *record)
{
	return (uint64_t)record->type << 32 | (uint32_t)record->id << 16 |
	       record->sequence;
}

static bool same_packet(const struct packet_record *a,
			const struct packet_record *b)
{
	return addresses(a) == addresses(b) && names(a) == names(b);
}

/* By packet, then sent before received, then by host and time. */
static int compare_records(const void *x, const void *y)
{
	const struct packet_record *a = x, *b = y;
	int order = compare_u64(addresses(a), addresses(b));

	if (!order)
		order = compare_u64(names(a), names(b));
	if (!order)
		order = (int)a->received - (int)b->received;
	if (!order)
		order = compare_u64(a->host, b->host);
	return order ? order : compare_u64(a->time_ns, b->time_ns);
}

static int compare_claims(const void *x, const void *y)
{
	const struct claim *a = x, *b = y;
	int order = compare_u64(a->address, b->address);

	return order ? order : compare_u64(a->host, b->host);
}

/* By the two hosts, then by the time of the lower one; packets from the lower one come first. */
static int compare_packets(const void *x, const void *y)
{
	const struct packet *a = x, *b = y;
	bool a_up = a->from < a->to, b_up = b->from < b->to;
	int order = compare_u64(a_up ? a->from : a->to, b_up ? b->from : b->to);

	if (!order)
		order = compare_u64(a_up ? a->to : a->from,
				    b_up ? b->to : b->from);
	if (!order)
		order = compare_u64(a_up ? a->sent_ns : a->received_ns,
				    b_up ? b->sent_ns : b->received_ns);
	if (!order)
		order = (int)b_up - (int)a_up;
	if (!order)
		order = compare_u64(a->sent_ns, b->sent_ns);
	return order ? order : compare_u64(a->received_ns, b->received_ns);
}

/* ---- Addresses of hosts ---- */

/* Appended in the order of records; claims_keep_shared() sorts them and removes duplicates. */
struct claims {
	struct claim *at;
	size_t count;
	size_t capacity;
};

static int claims_add(struct claims *claims, uint32_t address, uint32_t host)
{
	int error;

	if (claims->count &&
	    claims->at[claims->count - 1].address == address &&
	    claims->at[claims->count - 1].host == host)
		return 0;
	error = array_reserve(&claims->at, &claims->capacity, claims->count,
			      sizeof(*claims->at));
	if (!error)
		claims->at[claims->count++] = (struct claim) { address, host };
	return error;
}

/* Keeps only the addresses that more than one host has, each once. */
static void claims_keep_shared(struct claims *claims)
{
	size_t kept = 0;

	if (claims->count)
		qsort(claims->at, claims->count, sizeof(*claims->at),
		      compare_claims);
	for (size_t i = 1; i < claims->count; i++) {
		const struct claim *claim = &claims->at[i];

		if (claim[-1].address != claim->address ||
		    claim[-1].host == claim->host)
			continue;
		if (!kept || claims->at[kept - 1].address != claim->address)
			claims->at[kept++] = *claim;
	}
	claims->count = kept;
}

static bool claims_shared(const struct claims *claims, uint32_t address)
{
	size_t low = 0, high = claims->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (claims->at[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < claims->count && claims->at[low].address == address;
}

static int find_shared(const struct packet_records *records,
		       struct claims *claims)
{
	int result = 0;

	for (size_t i = 0; i < records->count && !result; i++) {
		const struct packet_record *record = &records->at[i];
		uint32_t own = record->received ? record->destination :
			       record->source;

		if (!is_loopback(own))
			result = claims_add(claims, own, record->host);
	}
	claims_keep_shared(claims);
	return result;
}

/* ---- Packets ---- */

static void sort(struct packets *packets)
{
	if (packets->count)
		qsort(packets->at, packets->count, sizeof(*packets->at),
		      compare_packets);
}

size_t packets_find(const struct packets *packets, uint32_t a, uint32_t b)
{
	const struct packet pair = { 0, 0, a < b ? a : b, a < b ? b : a };
	size_t low = 0, high = packets->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_packets(&packets->at[middle], &pair) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void drop(struct host *hosts, const struct packet_record *records,
		 size_t count)
{
	for (size_t i = 0; i < count; i++)
		hosts[records[i].host].clock.dropped++;
}

/* Returns true if hosts share neither address, and the source is not a loopback address. */
static bool usable(const struct packet_record *record,
		   const struct claims *shared)
{
	return !is_loopback(record->source) &&
	       !claims_shared(shared, record->source) &&
	       !claims_shared(shared, record->destination);
}

/* How to treat a group of records with equal addresses, type, id and sequence number. */
enum group { GROUP_LOST, GROUP_SHARED, GROUP_PACKET, GROUP_REPEATED };

static enum group look(const struct packet_record *records, size_t count,
		       const struct claims *shared)
{
	/* Lost in transit, or the other host did not record. */
	if (count == 1)
		return GROUP_LOST;
	if (!usable(records, shared))
		return GROUP_SHARED;
	if (count > 2)
		return GROUP_REPEATED;
	if (records[0].received || !records[1].received)
		return GROUP_REPEATED;
	return records[0].host == records[1].host ? GROUP_SHARED : GROUP_PACKET;
}

static size_t group_end(const struct packet_records *records, size_t begin)
{
	size_t end = begin + 1;

	while (end < records->count &&
	       same_packet(&records->at[begin], &records->at[end]))
		end++;
	return end;
}

static void match_own(const struct packet_records *records,
		      const struct claims *shared, struct packets *packets)
{
	size_t end;

	for (size_t i = 0; i < records->count; i = end) {
		const struct packet_record *at = &records->at[i];

		end = group_end(records, i);
		if (look(at, end - i, shared) != GROUP_PACKET)
			continue;
		packets->at[packets->count++] = (struct packet) {
			.sent_ns = at[0].time_ns,
			.received_ns = at[1].time_ns,
			.from = at[0].host,
			.to = at[1].host,
		};
	}
	sort(packets);
}

/* Matches packets with equal ids and sequence numbers, as far as they can be distinguished. */
static void match_repeated(struct host *hosts,
			   const struct packet_records *records,
			   const struct claims *shared, struct packets *packets)
{
	struct packets known = *packets;
	struct rough rough = { 0 };
	size_t end;

	for (size_t i = 0; i < records->count; i = end) {
		const struct packet_record *at = &records->at[i];
		size_t count = 0;
		enum group group;

		end = group_end(records, i);
		group = look(at, end - i, shared);
		if (group == GROUP_REPEATED)
			count = repeats_match(hosts, at, end - i, &known,
					      &rough, &packets->at[packets->count]);
		if (group == GROUP_SHARED || (group == GROUP_REPEATED && !count))
			drop(hosts, at, end - i);
		packets->count += count;
	}
	if (packets->count > known.count)
		sort(packets);
}

/* Sorts the records; a record that is in two files is kept once. */
static void sort_records(struct packet_records *records)
{
	size_t kept = 1;

	qsort(records->at, records->count, sizeof(*records->at),
	      compare_records);
	for (size_t i = 1; i < records->count; i++)
		if (compare_records(&records->at[i], &records->at[kept - 1]))
			records->at[kept++] = records->at[i];
	records->count = kept;
}

int packets_match(struct host *hosts, size_t count,
		  struct packet_records *records, struct packets *packets)
{
	struct claims shared = { 0 };
	size_t kept = 0;
	int result;

	packets->at = NULL;
	packets->count = 0;
	/* Untrusted clocks give no bounds. */
	for (size_t i = 0; i < records->count; i++)
		if (!hosts[records->at[i].host].clock.tsc_bad)
			records->at[kept++] = records->at[i];
	records->count = kept;
	if (!kept)
		return 0;
	result = find_shared(records, &shared);
	if (result)
		goto out;
	sort_records(records);
	packets->at = calloc(records->count / 2 + 1, sizeof(*packets->at));
	if (!packets->at) {
		result = -ENOMEM;
		goto out;
	}
	match_own(records, &shared, packets);
	match_repeated(hosts, records, &shared, packets);
out:
	free(shared.at);
	return result;
}
