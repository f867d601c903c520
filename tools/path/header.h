/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the first bytes of a packet: addresses, ports, and what distinguishes packets.
 *
 * IPv4 and IPv6 with UDP, TCP or ICMP echo; other packets are refused.
 */
#ifndef EVTLOG_PATH_HEADER_H
#define EVTLOG_PATH_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stations.h"

#define PATH_ADDRESS_BYTES	16

/*
 * Header fields that do not change on the path, except by address translation. Ports are in host
 * byte order. Two keys are the same if all their bytes are.
 *
 * @source, @destination: IPv4 addresses are in the last 4 bytes, after ::ffff:0:0
 * @source_port, @destination_port: of an echo: both are its identifier
 * @id:		of the IPv4 header, 0 in datagrams of unconnected sockets; for IPv6 the lower half
 *		of the fragment's identification
 * @version:	4 or 6
 * @sequence:	of TCP; of an echo: type, code and number
 * @payload:	hash of the first payload bytes of UDP or an echo
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
 * @ip:		offset of the IP header in the bytes
 * @ip_bytes, @transport_bytes: lengths of the headers; IPv6 includes its extensions
 * @length:	of the packet, from the IP header on; @payload: without headers
 * @is_fragment: the datagram has several; @is_later: not the first, which has the ports
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
 * path_header_read() - parse the headers of a packet
 * @station:	where @bytes were recorded
 * @count:	number of @bytes
 * @length:	of the packet there, as in its struct sk_buff
 *
 * Return: true; false if it is another kind of packet, or its IP header is damaged.
 */
bool path_header_read(struct path_header *header, enum path_station station,
		      const uint8_t *bytes, size_t count, uint32_t length);

/* Sets the length and checksum of the IP header, as the kernel does after the station. */
void path_header_complete(uint8_t *ip, size_t count, uint32_t length);

/* PATH_UDP, PATH_TCP or PATH_ICMP */
unsigned int path_key_protocol(const struct path_key *key);
/* "udp", "tcp" or "icmp" */
const char *path_protocol_name(const struct path_key *key);

/* "10.0.0.1" or "fd00::1" */
#define PATH_ADDRESS_TEXT	46
const char *path_address(const uint8_t address[PATH_ADDRESS_BYTES], char text[PATH_ADDRESS_TEXT]);

bool path_key_same(const struct path_key *a, const struct path_key *b);
/* Compares addresses, ports and protocol. */
bool path_key_same_flow(const struct path_key *a, const struct path_key *b);
/* Returns true if translating an address and port can turn one key into the other. */
bool path_key_translated(const struct path_key *a, const struct path_key *b);
uint64_t path_key_hash(const struct path_key *key);
/* Negative, 0 or positive, in an arbitrary order. */
int path_key_compare(const struct path_key *a, const struct path_key *b);

/**
 * path_bytes_fit() - check whether bytes that start after some header are of a packet
 * @ip, @ip_count: the packet from its IP header on
 * @bytes, @count: the bytes to check
 */
bool path_bytes_fit(const struct path_header *header, const uint8_t *ip, size_t ip_count,
		    const uint8_t *bytes, size_t count);

#endif /* EVTLOG_PATH_HEADER_H */
