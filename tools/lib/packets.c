// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the two records of each packet: sent by one host, received by another.
 *
 * Stage: between the records of all hosts and the bounds they give.  It does not
 * compare clocks: what can't be told from something else is dropped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hosts.h"

/* An address of a host that sent from it or received at it. */
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
	if (records->count == records->room) {
		size_t room = 2 * records->room + 4096;
		struct packet_record *at;

		at = reallocarray(records->at, room, sizeof(*at));
		if (!at)
			return -ENOMEM;
		records->at = at;
		records->room = room;
	}
	records->at[records->count++] = *record;
	return 0;
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

/* By the two hosts, then by the time of the lower one; those from it come first. */
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

/* ---- Whose addresses are whose ---- */

/* Sorted, without doubles.  A host has few addresses: they are put in as they come. */
struct claims {
	struct claim *at;
	size_t count;
	size_t room;
};

static int claims_add(struct claims *claims, uint32_t address, uint32_t host)
{
	if (claims->count &&
	    claims->at[claims->count - 1].address == address &&
	    claims->at[claims->count - 1].host == host)
		return 0;
	if (claims->count == claims->room) {
		size_t room = 2 * claims->room + 256;
		struct claim *at = reallocarray(claims->at, room, sizeof(*at));

		if (!at)
			return -ENOMEM;
		claims->at = at;
		claims->room = room;
	}
	claims->at[claims->count++] = (struct claim) { address, host };
	return 0;
}

/* Leaves the addresses that more than one host has, each once. */
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

static void drop(struct host *hosts, const struct packet_record *records,
		 size_t count)
{
	for (size_t i = 0; i < count; i++)
		hosts[records[i].host].clock.dropped++;
}

/* @count records of one packet, or of several that have the same names. */
static bool match(struct host *hosts, const struct packet_record *records,
		  size_t count, const struct claims *shared,
		  struct packet *packet)
{
	const struct packet_record *sent = &records[0], *received = &records[1];

	/* Lost on its way, or the other host did not record. */
	if (count == 1)
		return false;
	if (count > 2 || sent->received || !received->received ||
	    sent->host == received->host || is_loopback(sent->source) ||
	    claims_shared(shared, sent->source) ||
	    claims_shared(shared, sent->destination)) {
		drop(hosts, records, count);
		return false;
	}
	*packet = (struct packet) {
		.sent_ns = sent->time_ns,
		.received_ns = received->time_ns,
		.from = sent->host,
		.to = received->host,
	};
	return true;
}

int packets_match(struct host *hosts, size_t count,
		  struct packet_records *records, struct packets *packets)
{
	struct claims shared = { 0 };
	size_t kept = 0, end;
	int result;

	packets->at = NULL;
	packets->count = 0;
	/* Clocks that nobody trusts give no bounds. */
	for (size_t i = 0; i < records->count; i++)
		if (!hosts[records->at[i].host].clock.tsc_bad)
			records->at[kept++] = records->at[i];
	records->count = kept;
	if (!kept)
		return 0;
	result = find_shared(records, &shared);
	if (result)
		goto out;
	qsort(records->at, records->count, sizeof(*records->at),
	      compare_records);
	packets->at = calloc(records->count / 2 + 1, sizeof(*packets->at));
	if (!packets->at) {
		result = -ENOMEM;
		goto out;
	}
	for (size_t i = 0; i < records->count; i = end) {
		const struct packet_record *first = &records->at[i];

		for (end = i + 1; end < records->count &&
		     same_packet(first, &records->at[end]); end++)
			;
		packets->count += match(hosts, first, end - i, &shared,
					&packets->at[packets->count]);
	}
	if (packets->count)
		qsort(packets->at, packets->count, sizeof(*packets->at),
		      compare_packets);
out:
	free(shared.at);
	return result;
}
