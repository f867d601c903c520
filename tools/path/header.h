/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a packet's first bytes say of it: addresses, ports, and what tells it from others.
 *
 * IPv4 and IPv6 with UDP, TCP or an echo of ICMP; all else is refused.
 */
#ifndef EVTLOG_PATH_HEADER_H
#define EVTLOG_PATH_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stations.h"

#define PATH_ADDRESS_BYTES	16

/*
 * What does not change on the way, but by translation of addresses.  Ports as numbers of the
 * host's order.  Two are the same if all of their bytes are.
 *
 * @source, @destination: IPv4's stand in the last 4 bytes, behind ::ffff:0:0
 * @source_port, @destination_port: of an echo: its identifier, both
 * @id:		of IPv4's header, 0 in datagrams of sockets that are not connected; of IPv6 the
 *		lower half of a fragment's
 * @version:	4 or 6
 * @sequence:	TCP; of an echo: type, code and number
 * @payload:	hash of UDP's or the echo's first bytes
 */
struct path_key {
	uint8_t source[PATH_ADDRESS_BYTES];
	uint8_t destination[PATH_ADDRESS_BYTES];
	uint16_t source_port;
	uint16_t destination_port;
	uint16_t id;
	uint8_t protocol;
	uint8_t version;
	uint32_t sequence;
	uint32_t payload;
};

/*
 * @ip:		where the IP header begins in the bytes
 * @ip_bytes, @transport_bytes: of the headers; IPv6's with those of its extensions
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
 * Return: true; false: it is another kind of packet, or its IP header is damaged.
 */
bool path_header_read(struct path_header *header, enum path_station station,
		      const uint8_t *bytes, size_t count, uint32_t length);

/* Fills in the IP header's length and checksum, which the kernel does behind the station. */
void path_header_complete(uint8_t *ip, size_t count, uint32_t length);

/* PATH_UDP, PATH_TCP or PATH_ICMP */
unsigned int path_key_protocol(const struct path_key *key);
/* "udp", "tcp" or "icmp" */
const char *path_protocol_name(const struct path_key *key);

/* "10.0.0.1" or "fd00::1" */
#define PATH_ADDRESS_TEXT	46
const char *path_address(const uint8_t address[PATH_ADDRESS_BYTES], char text[PATH_ADDRESS_TEXT]);

bool path_key_same(const struct path_key *a, const struct path_key *b);
/* Addresses, ports and protocol */
bool path_key_same_flow(const struct path_key *a, const struct path_key *b);
/* One may be the other with an end's address and port translated. */
bool path_key_translated(const struct path_key *a, const struct path_key *b);
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
