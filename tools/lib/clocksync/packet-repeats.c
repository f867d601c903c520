// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Matches packets whose ids and sequence numbers occur more than once: sequence numbers wrap.
 *
 * The difference of the two clocks is roughly known from the packets that are already matched,
 * or else from REALTIME.  A packet is matched if only one record is then possible, and if the
 * packets of its group are much further apart than the uncertainty.
 */
#include "clocksync.h"

/* Longest time from sending to receiving. */
#define TRAVEL_MAX_NS	INT64_C(2000000000)
/* If nothing else is known, REALTIMEs are assumed to agree within this. */
#define REAL_ERROR_NS	INT64_C(5000000000)
/* Rates of two clocks differ by at most 1 / RATE_PART. */
#define RATE_PART	2000
/* A larger group is not from ping. */
#define REPEATS_MAX	4096

typedef __int128 s128;

static s128 span(const struct host *host)
{
	return (s128)host->end_ns - host->begin_ns;
}

/* Returns false if the difference of the clocks is unknown. */
static bool find_bounds(const struct host *hosts, uint32_t from, uint32_t to,
			 const struct packets *packets, s128 *lower,
			 s128 *upper)
{
	const struct host *a = &hosts[from], *b = &hosts[to];
	bool above = false, below = false;
	size_t first = packets_find(packets, from, to);
	s128 drift = (span(a) > span(b) ? span(a) : span(b)) / RATE_PART;

	for (size_t i = first; i < packets->count; i++) {
		const struct packet *packet = &packets->at[i];
		s128 upward = (s128)packet->received_ns - packet->sent_ns;

		if (packet->from == from && packet->to == to) {
			if (!above || upward < *upper)
				*upper = upward;
			above = true;
		} else if (packet->from == to && packet->to == from) {
			if (!below || -upward > *lower)
				*lower = -upward;
			below = true;
		} else {
			break;
		}
	}
	if (above && below) {
		*lower -= drift;
		*upper += drift;
		return *lower <= *upper;
	}
	if (!a->real_known || !b->real_known)
		return false;
	*lower = (s128)a->real_offset_ns - b->real_offset_ns;
	*upper = *lower + drift + REAL_ERROR_NS;
	*lower -= drift + REAL_ERROR_NS;
	return true;
}

static bool ask(struct rough *rough, const struct host *hosts, uint32_t from,
		uint32_t to, const struct packets *packets)
{
	if (!rough->asked || rough->from != from || rough->to != to) {
		rough->known = find_bounds(hosts, from, to, packets,
					   &rough->lower, &rough->upper);
		rough->from = from;
		rough->to = to;
		rough->asked = true;
	}
	return rough->known;
}

static bool can_be(const struct packet_record *sent,
		   const struct packet_record *received, s128 lower, s128 upper)
{
	s128 ahead = (s128)received->time_ns - sent->time_ns;

	return ahead >= lower && ahead <= upper + TRAVEL_MAX_NS;
}

/* Returns true if all records are of one host and at least 2 * @window apart. */
static bool apart(const struct packet_record *records, size_t count, s128 window)
{
	for (size_t i = 1; i < count; i++) {
		s128 gap = (s128)records[i].time_ns - records[i - 1].time_ns;

		if (records[i].host != records[0].host || gap < 2 * window)
			return false;
	}
	return true;
}

size_t repeats_match(const struct host *hosts,
		     const struct packet_record *records, size_t count,
		     const struct packets *known, struct rough *rough,
		     struct packet *to)
{
	const struct packet_record *received = records;
	const struct packet_record *end = records + count;
	size_t sent_count, matched = 0;

	while (received < end && !received->received)
		received++;
	sent_count = received - records;
	if (!sent_count || received == end || count > REPEATS_MAX ||
	    records->host == received->host ||
	    !ask(rough, hosts, records->host, received->host, known) ||
	    !apart(records, sent_count,
		   rough->upper - rough->lower + TRAVEL_MAX_NS))
		return 0;
	for (const struct packet_record *r = received; r < end; r++)
		if (r->host != received->host)
			return 0;
	for (size_t i = 0; i < sent_count; i++) {
		const struct packet_record *r = received;

		/* If a packet was received several times, the first copy gives the best bound. */
		while (r < end && !can_be(&records[i], r, rough->lower,
						rough->upper))
			r++;
		if (r == end)
			continue;
		to[matched++] = (struct packet) {
			.sent_ns = records[i].time_ns,
			.received_ns = r->time_ns,
			.from = records[i].host,
			.to = r->host,
		};
	}
	return matched;
}
