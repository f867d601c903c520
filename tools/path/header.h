/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a packet's first bytes say of it: addresses, ports, and what tells it from others.
 *
 * IPv4 with UDP or TCP; all else is refused.
 */
#ifndef EVTLOG_PATH_HEADER_H
#define EVTLOG_PATH_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stations.h"

/*
 * What does not change on the way.  Addresses and ports as numbers of the host's order.
 *
 * @id:		of the IP header; 0 in datagrams of sockets that are not connected
 * @sequence:	TCP
 * @payload:	hash of UDP's first bytes
 */
struct path_key {
	uint32_t source;
	uint32_t destination;
	uint16_t source_port;
	uint16_t destination_port;
	uint16_t id;
	uint16_t protocol;
	uint32_t sequence;
	uint32_t payload;
};

/*
 * @ip:		where the IP header begins in the bytes
 * @ip_bytes, @transport_bytes: of the headers
 * @length:	of the packet, from the IP header on; @payload: behind the headers
 * @is_fragment: of more than one; @is_later: not the first, which has the ports
 */
struct path_header {
	struct path_key key;
	uint32_t ip;
	uint32_t ip_bytes;
	uint32_t transport_bytes;
	uint32_t length;
	uint32_t payload;
	bool is_fragment;
	bool is_later;
};

/**
 * path_header_read() - take the headers apart
 * @station:	that @bytes were recorded at
 * @count:	of @bytes
 * @length:	of the packet there, as its struct sk_buff says
 *
 * Return: true; false: it is no UDP or TCP of IPv4, or its IP header is damaged.
 */
bool path_header_read(struct path_header *header, enum path_station station,
		      const uint8_t *bytes, size_t count, uint32_t length);

/* Fills in the IP header's length and checksum, which the kernel does behind the station. */
void path_header_complete(uint8_t *ip, size_t count, uint32_t length);

bool path_key_same(const struct path_key *a, const struct path_key *b);
uint64_t path_key_hash(const struct path_key *key);
/* Negative, 0, positive: any order. */
int path_key_compare(const struct path_key *a, const struct path_key *b);

/**
 * path_bytes_fit() - whether bytes that begin behind some header are of a packet
 * @ip, @ip_count: the packet from its IP header on
 * @bytes, @count: what is to be of it
 */
bool path_bytes_fit(const struct path_header *header, const uint8_t *ip, size_t ip_count,
		    const uint8_t *bytes, size_t count);

#endif /* EVTLOG_PATH_HEADER_H */
