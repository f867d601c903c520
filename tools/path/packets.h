/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets, and the stations at which they were recorded.
 *
 * Stage: between the probes' records (read.c) and the report. On one host, a packet is followed
 * by its struct sk_buff as long as its headers are the same. match.c joins the packets of
 * different hosts.
 *
 *	records -> path_packets_take() -> packets of each host -> path_packets_match() -> paths
 */
#ifndef EVTLOG_PATH_PACKETS_H
#define EVTLOG_PATH_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "header.h"
#include "lib/base/key-table.h"
#include "stations.h"

/* A visit of a packet at a station. @reason: of a drop, the kernel's number */
struct path_visit {
	int64_t time_ns;
	uint32_t host;
	uint32_t cpu;
	uint32_t pid;
	uint16_t reason;
	uint8_t station;
};

/*
 * @key:	headers at the first visit; @last: at the last visit; they differ if a host
 *		translated addresses
 * @length:	from the IP header on
 * @payload:	bytes after the header of TCP or UDP; @arrived: the same of the received packet
 * @visits:	ordered by time on each host; none: the packet is part of another one now
 * @is_matched:	its visits are of two hosts, or of two struct sk_buff
 * @is_ambiguous: other packets were the same: the match is a guess, by order
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
 * The fields of a probe's record.
 *
 * @skb:	0: none
 * @length:	of the packet; at PATH_SOCKET, PATH_SENDMSG, PATH_TCP_SENDMSG of the data sent
 * @socket:	at PATH_TCP_SENDMSG, PATH_TCP_XMIT, PATH_TCP_OUT and PATH_TCP_OUT6
 * @sequence:	of the first byte at PATH_TCP_SENDMSG
 * @to:		the struct sk_buff to which PATH_TCP_MERGE may add this one
 * @bytes, @count: those of the packet, without other memory
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
 * @strays:	visits of packets whose first visit was not recorded
 * @fragments:	visits of fragments that are not the first
 * @ambiguous:	matches that are guesses
 * @parts:	received segments that were parts of larger ones, and are counted with their first
 * @see:	called for each visit with the packet's bytes from the IP header on; may be NULL
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

/* Returns 0 or -ENOMEM; call path_packets_free() in any case. */
int path_packets_init(struct packets *packets, size_t hosts);
void path_packets_free(struct packets *packets);

/* Adds a record; those of a host are in order of time. Returns 0, -ENOMEM or see()'s result. */
int path_packets_take(struct packets *packets, const struct path_record *record);

/* Adds a packet with one visit, for records without an sk_buff. Returns 0 or -ENOMEM. */
int path_packets_add(struct packets *packets, const struct path_key *key,
		     const struct path_visit *visit);

/* Records of a host were lost: forget the packets that were under way there. */
void path_packets_forget(struct packets *packets, uint32_t host);

/**
 * path_packets_match() - join sent and received packets, after all records
 * @error_ns:	for each host, the largest error of its times
 *
 * Return: 0 or -ENOMEM.
 */
int path_packets_match(struct packets *packets, const uint64_t *error_ns);

/* The longest time for which a packet is under way. */
#define PATH_WAY_NS	INT64_C(2000000000)

int path_packet_add(struct path_packet *packet, const struct path_visit *visit);

static inline const struct path_visit *path_last(const struct path_packet *packet)
{
	return &packet->visits[packet->count - 1];
}

/*
 * ---- stream.c: the two ends of TCP, where writes, segments and reads differ ----
 *
 * The data of a write is sent in segments; segments that wait to be read are merged. Functions
 * return 0 or -ENOMEM.
 */

struct path_begin;

/* A program writes to a socket. */
int path_stream_write(struct path_host *host, const struct path_record *record,
		      const struct path_begin *begin);

/* The write that contains a segment's first byte; NULL if no data, or if not recorded. */
const struct path_begin *path_stream_write_of(struct path_host *host, uint64_t sk,
					      const struct path_header *header);

/* The kernel tries to add a segment to another one. */
int path_stream_add(struct packets *packets, struct path_host *host,
		    const struct path_record *record);

/* A segment is read, together with the segments that were added to it. */
int path_stream_read(struct packets *packets, struct path_live *live,
		     const struct path_visit *visit);

#endif /* EVTLOG_PATH_PACKETS_H */
