// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Joins packets that were sent with packets that were received elsewhere: by their headers, and TCP
 * segments by sequence numbers.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "packets.h"

/*
 * ---- TCP segments, if sender and receiver have different ones ----
 *
 * The sender's kernel makes one packet of many segments, the device divides it, and the
 * receiver's kernel merges consecutive ones. Segments with the same first bytes are joined by
 * their headers before.
 */

/* Larger than any packet. */
#define BYTES_MAX	(1u << 20)

/*
 * A TCP packet with data.
 *
 * @received:	its first visit at a receiver; NULL if there is none
 */
struct segment {
	struct path_packet *packet;
	const struct path_visit *received;
};

struct segments {
	struct segment *at;
	size_t count;
	struct packets *packets;
	const uint64_t *error_ns;
};

/* By addresses and ports; all are TCP. */
static int compare_flows(const struct path_key *a, const struct path_key *b)
{
	return memcmp(a, b, offsetof(struct path_key, id));
}

static int compare_segments(const void *x, const void *y)
{
	const struct path_key *a = &((const struct segment *)x)->packet->key;
	const struct path_key *b = &((const struct segment *)y)->packet->key;
	int order = compare_flows(a, b);

	return order ? order : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static const struct path_visit *first_received(const struct path_packet *packet)
{
	for (size_t i = 0; i < packet->count; i++)
		if (packet->visits[i].station > PATH_DEVICE &&
		    packet->visits[i].station != PATH_DROP)
			return &packet->visits[i];
	return NULL;
}

static bool is_sent(const struct segment *segment)
{
	return path_is_sender(segment->packet->visits->station);
}

/* Returns true if the times allow that @sent was received as @received. */
static bool is_one_way(const struct segments *segments, const struct path_visit *sent,
		       const struct path_visit *received)
{
	int64_t error_ns = sent->host == received->host ? 0 :
			   segments->error_ns[sent->host] + segments->error_ns[received->host];

	return sent->time_ns <= received->time_ns + error_ns &&
	       sent->time_ns >= received->time_ns - PATH_WAY_NS;
}

/* Returns true if @part's first byte is in @whole, as it was sent or as it arrived. */
static bool has(const struct segment *whole, const struct segment *part, bool by_sent)
{
	uint32_t bytes = by_sent ? whole->packet->payload : whole->packet->arrived;

	return part->packet->key.sequence - whole->packet->key.sequence < bytes;
}

/* @part was sent, and received as part of @whole, which precedes it in the stream. */
static int join_whole(const struct segment *part, const struct segment *whole)
{
	const struct path_packet *from = whole->packet;
	int error = 0;

	for (size_t i = whole->received - from->visits; i < from->count && !error; i++)
		error = path_packet_add(part->packet, &from->visits[i]);
	part->packet->is_matched = true;
	return error;
}

static int match_segment(struct segments *segments, size_t number)
{
	struct segment *part = &segments->at[number];
	const struct path_packet *packet = part->packet;

	for (size_t i = number; i--; ) {
		const struct segment *whole = &segments->at[i];

		if (compare_flows(&whole->packet->key, &packet->key) ||
		    packet->key.sequence - whole->packet->key.sequence > BYTES_MAX)
			break;
		if (!whole->packet->count)
			continue;
		if (!part->received && whole->received && has(whole, part, false) &&
		    is_one_way(segments, path_last(packet), whole->received))
			return join_whole(part, whole);
		if (!is_sent(part) && is_sent(whole) && has(whole, part, true) &&
		    is_one_way(segments, whole->packet->visits, part->received)) {
			segments->packets->parts++;
			part->packet->count = 0;
			return 0;
		}
	}
	return 0;
}

static int match_segments(struct packets *packets, const uint64_t *error_ns)
{
	struct segments segments = { .packets = packets, .error_ns = error_ns };
	int error = 0;

	segments.at = calloc(packets->count + 1, sizeof(*segments.at));
	if (!segments.at)
		return -ENOMEM;
	for (size_t i = 0; i < packets->count; i++) {
		struct path_packet *packet = &packets->at[i];

		if (packet->count && packet->payload && packet->key.protocol == 6)
			segments.at[segments.count++] = (struct segment){
				.packet = packet, .received = first_received(packet),
			};
	}
	qsort(segments.at, segments.count, sizeof(*segments.at), compare_segments);
	for (size_t i = 0; i < segments.count && !error; i++) {
		const struct segment *segment = &segments.at[i];

		/* A packet that was dropped before it was sent was not received. */
		if (!is_sent(segment) || (!segment->received &&
					  path_last(segment->packet)->station != PATH_DROP))
			error = match_segment(&segments, i);
	}
	free(segments.at);
	return error;
}

/*
 * ---- All packets, by their headers ----
 *
 * Packets with the same headers are matched in the order of time. If two of them were under way
 * at the same time, the match is a guess, which is counted.
 */

/* The largest number of hosts that forward a packet. */
#define HOPS_MAX	64

/*
 * The last visit of a packet that was sent, or the first of one that was received.
 *
 * @is_segment:	first recorded at the driver, made from a larger packet of the same host
 * @is_doubtful: another received packet could be this one
 */
struct half {
	int64_t time_ns;
	uint64_t error_ns;
	size_t packet;
	uint32_t host;
	bool is_received;
	bool is_segment;
	bool is_used;
	bool is_doubtful;
};

/*
 * @joined:	in this round
 * @takes_all:	packets that begin at the driver count as sent, though their origin is unknown
 */
struct halves {
	struct half *at;
	size_t count;
	size_t joined;
	bool takes_all;
	struct packets *packets;
};

/* Some drivers free a sent packet with the function for drops: ignore this visit. */
static size_t sent_visits(const struct path_packet *packet)
{
	size_t count = packet->count;

	if (count > 1 && packet->visits[count - 1].station == PATH_DROP &&
	    packet->visits[count - 2].station == PATH_DEVICE)
		count--;
	return count;
}

static void add_half(struct halves *halves, size_t number, const uint64_t *error_ns)
{
	const struct path_packet *packet = &halves->packets->at[number];
	const struct path_visit *first = packet->visits;
	const struct path_visit *last = first + sent_visits(packet) - 1;
	bool is_segment = first->station == PATH_DEVICE && !halves->takes_all;
	bool is_received = first->station > PATH_DEVICE || is_segment;
	const struct path_visit *at = is_received ? first : last;

	if (!is_received && at->station != PATH_QUEUE && at->station != PATH_DEVICE)
		return;
	halves->at[halves->count++] = (struct half){
		.time_ns = at->time_ns, .error_ns = error_ns[at->host], .packet = number,
		.host = at->host, .is_received = is_received, .is_segment = is_segment,
	};
}

/* The headers between both hosts: a host on the path may have translated addresses. */
static const struct path_key *key_of(const struct packets *packets, const struct half *half)
{
	const struct path_packet *packet = &packets->at[half->packet];

	return half->is_received ? &packet->key : &packet->last;
}

static int compare_halves(const void *x, const void *y, void *context)
{
	const struct half *a = x, *b = y;
	const struct packets *packets = context;
	int order = path_key_compare(key_of(packets, a), key_of(packets, b));

	if (!order)
		order = a->is_received - b->is_received;
	/* Segments at the driver come before received packets, whatever the clock errors. */
	if (!order)
		order = b->is_segment - a->is_segment;
	if (!order)
		order = (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
	return order ? order : (a->packet > b->packet) - (a->packet < b->packet);
}

static bool may_precede(const struct half *sent, const struct half *received)
{
	int64_t error_ns = sent->host == received->host ? 0 :
			   sent->error_ns + received->error_ns;

	if (received->is_segment && sent->host != received->host)
		return false;
	return sent->time_ns <= received->time_ns + error_ns &&
	       sent->time_ns >= received->time_ns - PATH_WAY_NS;
}

static int join(struct packets *packets, const struct half *sent, const struct half *received,
		bool is_ambiguous)
{
	struct path_packet *to = &packets->at[sent->packet], *from = &packets->at[received->packet];
	int error = 0;

	to->count = sent_visits(to);
	for (size_t i = 0; i < from->count && !error; i++)
		error = path_packet_add(to, &from->visits[i]);
	to->arrived = from->arrived;
	to->last = from->last;
	to->is_matched = true;
	to->is_ambiguous |= is_ambiguous;
	packets->ambiguous += is_ambiguous;
	from->count = 0;
	return error;
}

/* @group has one key: first @sent halves that were sent, then those that were received. */
static int match_group(struct halves *halves, struct half *group, size_t sent, size_t count)
{
	size_t first = 0;
	int error = 0;

	for (size_t i = sent; i < count && !error; i++) {
		bool is_ambiguous;

		if (i > sent && group[i - 1].is_segment && !group[i].is_segment)
			first = 0;
		while (first < sent && (group[first].is_used ||
					group[first].time_ns < group[i].time_ns - PATH_WAY_NS))
			first++;
		if (first == sent || !may_precede(&group[first], &group[i]))
			continue;
		is_ambiguous = group[first].is_doubtful;
		if (first + 1 < sent && may_precede(&group[first + 1], &group[i])) {
			/* Either may be this packet, so the other is doubtful as well. */
			group[first + 1].is_doubtful = true;
			is_ambiguous = true;
		}
		group[first].is_used = true;
		halves->joined++;
		error = join(halves->packets, &group[first], &group[i], is_ambiguous);
	}
	return error;
}

/* Joins each packet once; forwarded packets need more calls. Returns 1, 0: none, -ENOMEM. */
static int match_once(struct halves *halves, const uint64_t *error_ns)
{
	struct packets *packets = halves->packets;
	int error = 0;

	halves->count = 0;
	halves->joined = 0;
	for (size_t i = 0; i < packets->count; i++)
		if (packets->at[i].count)
			add_half(halves, i, error_ns);
	qsort_r(halves->at, halves->count, sizeof(*halves->at), compare_halves, packets);
	for (size_t i = 0, end; i < halves->count && !error; i = end) {
		const struct path_key *key = key_of(packets, &halves->at[i]);
		size_t sent = 0;

		for (end = i; end < halves->count &&
		     path_key_same(key, key_of(packets, &halves->at[end])); end++)
			sent += !halves->at[end].is_received;
		error = match_group(halves, halves->at + i, sent, end - i);
	}
	return error ? error : halves->joined > 0;
}

int path_packets_match(struct packets *packets, const uint64_t *error_ns)
{
	struct halves halves = { .packets = packets };
	int result = 1;

	halves.at = calloc(packets->count + 1, sizeof(*halves.at));
	if (!halves.at)
		return -ENOMEM;
	for (int hop = 0; hop < HOPS_MAX && result > 0; hop++)
		result = match_once(&halves, error_ns);
	halves.takes_all = true;
	if (!result)
		result = match_once(&halves, error_ns);
	free(halves.at);
	return result < 0 ? result : match_segments(packets, error_ns);
}
