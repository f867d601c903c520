// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses headers of IPv4, IPv6, UDP, TCP and ICMP echo.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "header.h"

#define IP_LEAST	20
#define IP6_BYTES	40
#define UDP_BYTES	8
#define TCP_LEAST	20
#define ECHO_BYTES	8
/* Number of payload bytes that are hashed to identify a datagram. */
#define PAYLOAD_HASHED	16

static uint32_t be16(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

static uint32_t be32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

static uint16_t ip_sum(const uint8_t *ip, size_t count)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < count; i += 2)
		sum += be16(ip + i);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static bool is_ip4(const uint8_t *ip, size_t count, bool has_sum)
{
	size_t head = count >= IP_LEAST ? (ip[0] & 15) * 4 : 0;

	return head >= IP_LEAST && head <= count && ip[0] >> 4 == 4 &&
	       (!has_sum || ip_sum(ip, head) == 0xffff);
}

/* IPv6 has no header checksum: only the version can be checked here. */
static bool is_ip6(const uint8_t *ip, size_t count)
{
	return count >= IP6_BYTES && ip[0] >> 4 == 6;
}

static bool is_ip(uint32_t type, const uint8_t *ip, size_t count)
{
	return type == 0x0800 ? is_ip4(ip, count, true) : type == 0x86dd && is_ip6(ip, count);
}

/* Finds the IP header: after Ethernet with or without a VLAN tag, or at 0; else SIZE_MAX. */
static size_t find_ip(enum path_station station, const uint8_t *bytes, size_t count)
{
	const struct path_station_kind *kind = &path_stations[station];

	if (kind->bytes == PATH_FROM_LINK) {
		if (count > 14 && is_ip(be16(bytes + 12), bytes + 14, count - 14))
			return 14;
		if (count > 18 && be16(bytes + 12) == 0x8100 &&
		    is_ip(be16(bytes + 16), bytes + 18, count - 18))
			return 18;
	}
	return is_ip4(bytes, count, !kind->makes_ip) || is_ip6(bytes, count) ? 0 : SIZE_MAX;
}

/* FNV-1a */
static uint32_t hash_bytes(const uint8_t *bytes, size_t count)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

static bool read_udp(struct path_header *header, const uint8_t *udp, size_t count)
{
	size_t payload;

	if (count < UDP_BYTES)
		return false;
	header->transport_bytes = UDP_BYTES;
	payload = be16(udp + 4) > UDP_BYTES ? be16(udp + 4) - UDP_BYTES : 0;
	payload = payload < PAYLOAD_HASHED ? payload : PAYLOAD_HASHED;
	if (payload > count - UDP_BYTES)
		payload = count - UDP_BYTES;
	header->key.payload = hash_bytes(udp + UDP_BYTES, payload);
	return true;
}

static bool read_tcp(struct path_header *header, const uint8_t *tcp, size_t count)
{
	if (count < TCP_LEAST)
		return false;
	header->transport_bytes = (tcp[12] >> 4) * 4;
	header->key.sequence = be32(tcp + 4);
	return header->transport_bytes >= TCP_LEAST;
}

/* Only requests and replies: no program waits for other ICMP messages. */
static bool read_echo(struct path_header *header, const uint8_t *icmp, size_t count)
{
	bool is_echo = header->key.protocol == IPPROTO_ICMP ? icmp[0] == 8 || icmp[0] == 0 :
							      icmp[0] == 128 || icmp[0] == 129;
	size_t payload = count - ECHO_BYTES;

	if (count < ECHO_BYTES || !is_echo)
		return false;
	header->transport_bytes = ECHO_BYTES;
	header->key.source_port = header->key.destination_port = be16(icmp + 4);
	header->key.sequence = (uint32_t)icmp[0] << 24 | icmp[1] << 16 | be16(icmp + 6);
	payload = payload < PAYLOAD_HASHED ? payload : PAYLOAD_HASHED;
	header->key.payload = hash_bytes(icmp + ECHO_BYTES, payload);
	return true;
}

static bool read_transport(struct path_header *header, const uint8_t *at, size_t count)
{
	if (header->is_later)
		return true;
	if (count < 4)
		return false;
	if (path_key_protocol(&header->key) == PATH_ICMP)
		return read_echo(header, at, count);
	header->key.source_port = be16(at);
	header->key.destination_port = be16(at + 2);
	return header->key.protocol == IPPROTO_UDP ? read_udp(header, at, count) :
						     read_tcp(header, at, count);
}

static void take_ip4(struct path_header *header, const uint8_t *ip)
{
	uint32_t fragment = be16(ip + 6);

	header->ip_bytes = (ip[0] & 15) * 4;
	header->is_later = fragment & 0x1fff;
	header->is_fragment = fragment & 0x3fff;
	header->key.version = 4;
	header->key.id = be16(ip + 4);
	header->key.protocol = ip[9];
	memset(header->key.source + 10, 255, 2);
	memset(header->key.destination + 10, 255, 2);
	memcpy(header->key.source + 12, ip + 12, 4);
	memcpy(header->key.destination + 12, ip + 16, 4);
}

/* Skips extension headers. Returns false if the bytes end before the transport header. */
static bool take_ip6(struct path_header *header, const uint8_t *ip, size_t count)
{
	size_t at = IP6_BYTES;
	uint8_t next = ip[6];

	header->key.version = 6;
	memcpy(header->key.source, ip + 8, PATH_ADDRESS_BYTES);
	memcpy(header->key.destination, ip + 24, PATH_ADDRESS_BYTES);
	while (next == IPPROTO_HOPOPTS || next == IPPROTO_ROUTING || next == IPPROTO_DSTOPTS ||
	       next == IPPROTO_FRAGMENT) {
		if (at + 8 > count)
			return false;
		if (next == IPPROTO_FRAGMENT) {
			header->is_fragment = true;
			header->is_later = be16(ip + at + 2) & 0xfff8;
			header->key.id = be16(ip + at + 6);
		}
		next = ip[at];
		/* In a fragment header, this byte is reserved and 0. */
		at += 8 + ip[at + 1] * 8;
	}
	header->key.protocol = next;
	header->ip_bytes = at;
	return true;
}

/* The packet's length in its IP header; 0 if it is not set yet. */
static uint32_t packet_length(const uint8_t *ip)
{
	if (ip[0] >> 4 == 4)
		return be16(ip + 2);
	return be16(ip + 4) ? IP6_BYTES + be16(ip + 4) : 0;
}

bool path_header_read(struct path_header *header, enum path_station station,
		      const uint8_t *bytes, size_t count, uint32_t length)
{
	size_t at = find_ip(station, bytes, count);
	const uint8_t *ip;
	uint32_t total;

	if (at == SIZE_MAX || length < at + IP_LEAST)
		return false;
	memset(header, 0, sizeof(*header));
	ip = bytes + at;
	count -= at;
	header->ip = at;
	total = packet_length(ip);
	/* Short frames have padding after the packet. */
	header->length = length - at;
	if (!path_stations[station].makes_ip && total && total < header->length)
		header->length = total;
	if (count > header->length)
		count = header->length;
	if (ip[0] >> 4 == 4)
		take_ip4(header, ip);
	else if (!take_ip6(header, ip, count))
		return false;
	if (!path_key_protocol(&header->key) || count < header->ip_bytes ||
	    !read_transport(header, ip + header->ip_bytes, count - header->ip_bytes))
		return false;
	header->payload = header->ip_bytes + header->transport_bytes;
	header->payload = header->length > header->payload ? header->length - header->payload : 0;
	return true;
}

void path_header_complete(uint8_t *ip, size_t count, uint32_t length)
{
	size_t head = (ip[0] & 15) * 4;
	uint16_t sum;

	if (ip[0] >> 4 == 6 && count >= IP6_BYTES) {
		ip[4] = (length - IP6_BYTES) >> 8;
		ip[5] = length - IP6_BYTES;
	}
	if (ip[0] >> 4 != 4 || head > count)
		return;
	ip[2] = length >> 8;
	ip[3] = length;
	ip[10] = ip[11] = 0;
	sum = ~ip_sum(ip, head);
	ip[10] = sum >> 8;
	ip[11] = sum;
}

unsigned int path_key_protocol(const struct path_key *key)
{
	switch (key->protocol) {
	case IPPROTO_UDP:
		return PATH_UDP;
	case IPPROTO_TCP:
		return PATH_TCP;
	case IPPROTO_ICMP:
		return key->version == 4 ? PATH_ICMP : 0;
	case IPPROTO_ICMPV6:
		return key->version == 6 ? PATH_ICMP : 0;
	default:
		return 0;
	}
}

const char *path_protocol_name(const struct path_key *key)
{
	unsigned int protocol = path_key_protocol(key);

	return protocol == PATH_UDP ? "udp" : protocol == PATH_TCP ? "tcp" : "icmp";
}

const char *path_address(const uint8_t address[PATH_ADDRESS_BYTES], char text[PATH_ADDRESS_TEXT])
{
	static const uint8_t ip4[12] = { [10] = 255, [11] = 255 };
	bool is_ip4 = !memcmp(address, ip4, sizeof(ip4));

	inet_ntop(is_ip4 ? AF_INET : AF_INET6, is_ip4 ? address + 12 : address, text,
		  PATH_ADDRESS_TEXT);
	return text;
}

bool path_key_same_flow(const struct path_key *a, const struct path_key *b)
{
	return !memcmp(a, b, offsetof(struct path_key, id)) && a->protocol == b->protocol;
}

static bool same_end(const struct path_key *a, const struct path_key *b, bool of_source)
{
	return of_source ? a->source_port == b->source_port &&
			   !memcmp(a->source, b->source, sizeof(a->source)) :
			   a->destination_port == b->destination_port &&
			   !memcmp(a->destination, b->destination, sizeof(a->destination));
}

/* An echo has its identifier as both ports, so translation can change both ends. */
bool path_key_translated(const struct path_key *a, const struct path_key *b)
{
	return a->version == b->version && a->protocol == b->protocol && a->id == b->id &&
	       a->sequence == b->sequence && a->payload == b->payload &&
	       (same_end(a, b, true) || same_end(a, b, false) ||
		path_key_protocol(a) == PATH_ICMP);
}

bool path_key_same(const struct path_key *a, const struct path_key *b)
{
	return !memcmp(a, b, sizeof(*a));
}

int path_key_compare(const struct path_key *a, const struct path_key *b)
{
	return memcmp(a, b, sizeof(*a));
}

uint64_t path_key_hash(const struct path_key *key)
{
	const uint8_t *bytes = (const uint8_t *)key;
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < sizeof(*key); i++)
		hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
	return hash;
}

/* True: the byte does not change on the path, unlike length, TTL and checksums. */
static bool is_steady(const struct path_header *header, size_t at)
{
	size_t behind = at - header->ip_bytes;

	if (at < header->ip_bytes && header->key.version == 6)
		return at == 6 || at >= 8;
	if (at < header->ip_bytes)
		return at >= 12 || at == 0 || at == 4 || at == 5 || at == 9;
	if (header->is_later || behind >= header->transport_bytes)
		return true;
	switch (path_key_protocol(&header->key)) {
	case PATH_UDP:
		return behind < 6;
	case PATH_TCP:
		return behind != 16 && behind != 17;
	default:
		return behind != 2 && behind != 3;
	}
}

static bool fits_at(const struct path_header *header, const uint8_t *ip, size_t ip_count,
		    size_t at, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count && at + i < ip_count; i++)
		if (ip[at + i] != bytes[i] && is_steady(header, at + i))
			return false;
	return true;
}

bool path_bytes_fit(const struct path_header *header, const uint8_t *ip, size_t ip_count,
		    const uint8_t *bytes, size_t count)
{
	size_t transport = header->ip_bytes, payload = transport + header->transport_bytes;

	if (fits_at(header, ip, ip_count, 0, bytes, count) ||
	    fits_at(header, ip, ip_count, transport, bytes, count) ||
	    fits_at(header, ip, ip_count, payload, bytes, count))
		return true;
	return count > 14 && fits_at(header, ip, ip_count, 0, bytes + 14, count - 14);
}
