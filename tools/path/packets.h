/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets and the stations they were seen at.
 *
 * Stage: between the probes' records (read.c) and the report.  On a host a packet is followed by
 * its struct sk_buff as long as its headers are the same; match.c and segments.c join what hosts
 * have of it.
 *
 *	records -> path_packets_take() -> each host's packets -> path_packets_match() -> whole ways
 */
#ifndef EVTLOG_PATH_PACKETS_H
#define EVTLOG_PATH_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "header.h"
#include "lib/base/key-table.h"
#include "stations.h"

/* A time when a packet was at a station.  @reason: of a drop, as the kernel numbers it */
struct path_visit {
	int64_t time_ns;
	uint32_t host;
	uint32_t cpu;
	uint32_t pid;
	uint16_t reason;
	uint8_t station;
};

/*
 * @key:	where it was seen first; @last: where it was seen last, which is another behind a
 *		host that translates addresses
 * @length:	from the IP header on
 * @payload:	behind TCP's or UDP's header; @arrived: the same of what was received
 * @visits:	in the order of time on each host; none: it is part of another packet now
 * @is_matched:	its visits are of two hosts, or of two struct sk_buff
 * @is_ambiguous: others were the same: which of them came where is a guess by order
 */
struct path_packet {
	struct path_key key;
	struct path_key last;
	uint32_t length;
	uint32_t payload;
	uint32_t arrived;
	uint16_t count;
	uint16_t capacity;
	struct path_visit *visits;
	bool is_matched;
	bool is_ambiguous;
};

/*
 * A record of a probe, as its fields say.
 *
 * @skb:	0: none
 * @length:	of the packet; of PATH_SOCKET, PATH_SENDMSG and PATH_TCP_SENDMSG of what is sent
 * @socket:	of PATH_TCP_SENDMSG, PATH_TCP_XMIT, PATH_TCP_OUT and PATH_TCP_OUT6
 * @sequence:	of the first byte of PATH_TCP_SENDMSG
 * @to:		the struct sk_buff that PATH_TCP_MERGE may add this one to
 * @bytes, @count: of the packet, as far as they are its own
 */
struct path_record {
	struct path_visit visit;
	uint64_t skb;
	uint64_t socket;
	uint64_t to;
	uint32_t sequence;
	uint32_t length;
	const uint8_t *bytes;
	size_t count;
};

struct path_host;
struct path_live;

/*
 * @strays:	visits of packets whose beginning was not recorded
 * @fragments:	visits of fragments that are not the first
 * @ambiguous:	matches that are a guess
 * @parts:	received segments that were parts of larger ones, with whose first they count
 * @see:	if not NULL: told of each visit of a packet, and of its bytes from the IP header on
 */
struct packets {
	struct path_packet *at;
	size_t count;
	size_t capacity;
	struct path_host *hosts;
	size_t host_count;
	uint64_t strays;
	uint64_t fragments;
	uint64_t ambiguous;
	uint64_t parts;
	int (*see)(void *context, const struct path_visit *visit, const struct path_key *key,
		   const uint8_t *ip, size_t count, uint32_t length);
	void *context;
};

/* 0 or -ENOMEM; path_packets_free() it in any case. */
int path_packets_init(struct packets *packets, size_t hosts);
void path_packets_free(struct packets *packets);

/* Takes a record; of each host in the order of time.  0, -ENOMEM, or what see() returned. */
int path_packets_take(struct packets *packets, const struct path_record *record);

/* Records of a host were lost: nothing is known of what was on its way there. */
void path_packets_forget(struct packets *packets, uint32_t host);

/**
 * path_packets_match() - join sent and received packets
 * @error_ns:	for each host: its times are right within this
 *
 * All records are taken.  Return: 0 or -ENOMEM.
 */
int path_packets_match(struct packets *packets, const uint64_t *error_ns);

/*
 * For path_packets_match(): segments of TCP that are not received as they were sent.  What one
 * host sends as several another may put together, and the reverse: told by sequence numbers.
 */
int path_segments_match(struct packets *packets, const uint64_t *error_ns);

/* A packet is not on its way for longer. */
#define PATH_WAY_NS	INT64_C(2000000000)

int path_packet_add(struct path_packet *packet, const struct path_visit *visit);

static inline const struct path_visit *path_last(const struct path_packet *packet)
{
	return &packet->visits[packet->count - 1];
}

/*
 * ---- stream.c: TCP's two ends, where bytes and packets are not the same ----
 *
 * What a program writes goes out in segments, and segments that wait to be read are joined.
 * Functions return 0 or -ENOMEM.
 */

struct path_begin;

/* A program writes. */
int path_stream_write(struct path_host *host, const struct path_record *record,
		      const struct path_begin *begin);

/* The writing of a segment's first byte; NULL: it has none, or that was not recorded. */
const struct path_begin *path_stream_write_of(struct path_host *host, uint64_t sk,
					      const struct path_header *header);

/* A segment may be added to another, which is the kernel's to decide. */
int path_stream_add(struct packets *packets, struct path_host *host,
		    const struct path_record *record);

/* A segment is read, and so are those that were added to it. */
int path_stream_read(struct packets *packets, struct path_live *live,
		     const struct path_visit *visit);

#endif /* EVTLOG_PATH_PACKETS_H */
