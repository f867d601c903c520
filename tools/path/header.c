// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes apart headers of IPv4, UDP and TCP.
 */
#include <netinet/in.h>
#include <string.h>

#include "header.h"

#define IP_LEAST	20
#define UDP_BYTES	8
#define TCP_LEAST	20
/* Of a datagram's payload, so many bytes tell it from others. */
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

static bool is_ip(const uint8_t *ip, size_t count, bool has_sum)
{
	size_t head = count >= IP_LEAST ? (ip[0] & 15) * 4 : 0;

	return head >= IP_LEAST && head <= count && ip[0] >> 4 == 4 &&
	       (!has_sum || ip_sum(ip, head) == 0xffff);
}

/* Ethernet, with or without a VLAN's tag; or no header.  SIZE_MAX: no IP. */
static size_t find_ip(enum path_station station, const uint8_t *bytes, size_t count)
{
	const struct path_station_kind *kind = &path_stations[station];

	if (kind->bytes == PATH_FROM_LINK) {
		if (count > 14 && be16(bytes + 12) == 0x0800 && is_ip(bytes + 14, count - 14, true))
			return 14;
		if (count > 18 && be16(bytes + 12) == 0x8100 && be16(bytes + 16) == 0x0800 &&
		    is_ip(bytes + 18, count - 18, true))
			return 18;
	}
	return is_ip(bytes, count, !kind->makes_ip) ? 0 : SIZE_MAX;
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

static bool read_transport(struct path_header *header, const uint8_t *at, size_t count)
{
	if (header->is_later)
		return true;
	if (count < 4)
		return false;
	header->key.source_port = be16(at);
	header->key.destination_port = be16(at + 2);
	return header->key.protocol == IPPROTO_UDP ? read_udp(header, at, count) :
						     read_tcp(header, at, count);
}

bool path_header_read(struct path_header *header, enum path_station station,
		      const uint8_t *bytes, size_t count, uint32_t length)
{
	size_t at = find_ip(station, bytes, count);
	uint32_t total, fragment;
	const uint8_t *ip;

	if (at == SIZE_MAX || length < at + IP_LEAST)
		return false;
	memset(header, 0, sizeof(*header));
	ip = bytes + at;
	count -= at;
	header->ip = at;
	header->ip_bytes = (ip[0] & 15) * 4;
	total = be16(ip + 2);
	/* What is behind it fills a short frame up. */
	header->length = length - at;
	if (!path_stations[station].makes_ip && total && total < header->length)
		header->length = total;
	fragment = be16(ip + 6);
	header->is_later = fragment & 0x1fff;
	header->is_fragment = fragment & 0x3fff;
	header->key.id = be16(ip + 4);
	header->key.protocol = ip[9];
	header->key.source = be32(ip + 12);
	header->key.destination = be32(ip + 16);
	if (ip[9] != IPPROTO_UDP && ip[9] != IPPROTO_TCP)
		return false;
	if (count > header->length)
		count = header->length;
	if (count < header->ip_bytes ||
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

	if (head > count)
		return;
	ip[2] = length >> 8;
	ip[3] = length;
	ip[10] = ip[11] = 0;
	sum = ~ip_sum(ip, head);
	ip[10] = sum >> 8;
	ip[11] = sum;
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

/* Bytes that are the same all the way: no length, checksum or TTL of IP, no checksum behind. */
static bool is_steady(const struct path_header *header, size_t at)
{
	size_t behind = at - header->ip_bytes;

	if (at < header->ip_bytes)
		return at >= 12 || at == 0 || at == 4 || at == 5 || at == 9;
	if (header->is_later || behind >= header->transport_bytes)
		return true;
	return header->key.protocol == IPPROTO_UDP ? behind < 6 : behind != 16 && behind != 17;
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
