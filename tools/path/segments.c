// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Joins TCP segments by sequence numbers, if sender and receiver have different segments.
 *
 * The sender's kernel makes one packet of many segments, the device divides it, and the
 * receiver's kernel merges consecutive ones. match.c has joined those with the same first bytes.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "packets.h"

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

int path_segments_match(struct packets *packets, const uint64_t *error_ns)
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
