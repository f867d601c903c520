// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes pcapng (draft-ietf-opsawg-pcapng): a section, its interfaces, their packets in the order
 * of time, and their statistics.
 *
 *	block	| type | length | body, padded to 4 | length |
 *	option	| code | length | value, padded to 4 |
 */
#include <stdlib.h>
#include <string.h>

#include <evtlog/version.h>

#include "lib/base/array.h"
#include "pcapng.h"

#define SECTION		0x0a0d0d0au
#define INTERFACE	1u
#define STATISTICS	5u
#define PACKET		6u
#define LINKTYPE_IPV6	229
#define LINKTYPE_IPV4	228	/* begins with the IP header; 101, RAW, is ambiguous in libpcap */

/* A record has no more bytes of a packet. */
#define PACKET_MOST	4096

/* Option codes. Except for the first two, they depend on the block. */
enum {
	END = 0,
	COMMENT = 1,
	SECTION_PROGRAM = 4,
	INTERFACE_NAME = 2,
	INTERFACE_DESCRIPTION = 3,
	INTERFACE_RESOLUTION = 9,
	PACKET_FLAGS = 2,
	STATISTICS_RECEIVED = 4,
	STATISTICS_DROPPED = 5,
};

/* @at: offset of its bytes, followed by its comment */
struct pcapng_packet {
	int64_t time_ns;
	size_t number;
	size_t at;
	uint32_t count;
	uint32_t comment;
	uint32_t length;
	uint32_t interface;
	uint32_t protocol;
};

/* A block under construction. */
struct block {
	uint8_t *bytes;
	size_t length;
};

static void put(struct block *block, const void *bytes, size_t count)
{
	static const uint8_t zeros[4];
	size_t padding = -count & 3;

	/* The caller's buffer is larger than any block. */
	memcpy(block->bytes + block->length, bytes, count);
	memcpy(block->bytes + block->length + count, zeros, padding);
	block->length += count + padding;
}

static void put_u32(struct block *block, uint32_t value)
{
	put(block, &value, sizeof(value));
}

static void put_option(struct block *block, uint16_t code, const void *value, uint16_t count)
{
	uint16_t head[2] = { code, count };

	put(block, head, sizeof(head));
	if (count)
		put(block, value, count);
}

static void begin(struct block *block, uint32_t type)
{
	block->length = 0;
	put_u32(block, type);
	put_u32(block, 0);
}

static void finish_block(struct block *block, FILE *out)
{
	uint32_t length = block->length + 4;

	put_u32(block, length);
	memcpy(block->bytes + 4, &length, sizeof(length));
	fwrite(block->bytes, 1, block->length, out);
}

struct pcapng_interface *pcapng_interface(struct pcapng *pcapng, uint32_t host,
					  enum path_station station, unsigned int version)
{
	for (size_t i = 0; i < pcapng->interface_count; i++) {
		struct pcapng_interface *at = &pcapng->interfaces[i];

		if (at->host == host && at->station == station && at->version == version)
			return at;
	}
	return NULL;
}

static int make_interface(struct pcapng *pcapng, uint32_t host, enum path_station station,
			  unsigned int version, struct pcapng_interface **interfacep)
{
	int error;

	*interfacep = pcapng_interface(pcapng, host, station, version);
	if (*interfacep)
		return 0;
	error = array_reserve(&pcapng->interfaces, &pcapng->interface_capacity,
			      pcapng->interface_count, sizeof(*pcapng->interfaces));
	if (error)
		return error;
	*interfacep = &pcapng->interfaces[pcapng->interface_count++];
	**interfacep = (struct pcapng_interface){
		.host = host, .station = station, .version = version,
	};
	return 0;
}

int pcapng_add(struct pcapng *pcapng, uint32_t host, enum path_station station,
	       unsigned int protocol, int64_t time_ns, const uint8_t *ip, size_t count,
	       uint32_t length, const char *comment)
{
	size_t comment_bytes = strlen(comment);
	struct pcapng_interface *interface;
	int error = make_interface(pcapng, host, station, count ? ip[0] >> 4 : 4, &interface);

	count = count < PACKET_MOST ? count : PACKET_MOST;
	if (!error)
		error = array_reserve(&pcapng->packets, &pcapng->capacity, pcapng->count,
				      sizeof(*pcapng->packets));
	if (!error)
		error = array_reserve_more(&pcapng->bytes, &pcapng->bytes_capacity, pcapng->length,
					   count + comment_bytes, 1);
	if (error)
		return error;
	interface->seen++;
	pcapng->packets[pcapng->count] = (struct pcapng_packet){
		.time_ns = time_ns, .number = pcapng->count, .at = pcapng->length,
		.count = count, .comment = comment_bytes, .length = length,
		.interface = interface - pcapng->interfaces, .protocol = protocol,
	};
	pcapng->count++;
	memcpy(pcapng->bytes + pcapng->length, ip, count);
	memcpy(pcapng->bytes + pcapng->length + count, comment, comment_bytes);
	pcapng->length += count + comment_bytes;
	return 0;
}

void pcapng_keep(struct pcapng *pcapng, unsigned int protocols)
{
	size_t kept = 0;

	for (size_t i = 0; i < pcapng->count; i++) {
		const struct pcapng_packet *packet = &pcapng->packets[i];

		if (packet->protocol & protocols)
			pcapng->packets[kept++] = *packet;
		else
			pcapng->interfaces[packet->interface].seen--;
	}
	pcapng->count = kept;
}

static int compare_packets(const void *x, const void *y)
{
	const struct pcapng_packet *a = x, *b = y;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static void write_section(struct block *block, FILE *out)
{
	static const char program[] = "evtlog path";
	uint16_t version[2] = { 1, 0 };
	int64_t unknown = -1;

	begin(block, SECTION);
	put_u32(block, 0x1a2b3c4d);
	put(block, version, sizeof(version));
	put(block, &unknown, sizeof(unknown));
	put_option(block, SECTION_PROGRAM, program, sizeof(program) - 1);
	put_option(block, END, NULL, 0);
	finish_block(block, out);
}

static void write_interface(struct block *block, FILE *out, const char *host,
			    const struct pcapng_interface *interface)
{
	const struct path_station_kind *kind = &path_stations[interface->station];
	uint16_t link[2] = { interface->version == 6 ? LINKTYPE_IPV6 : LINKTYPE_IPV4, 0 };
	uint8_t nanoseconds = 9;
	char name[256];

	snprintf(name, sizeof(name), "%s:%s", host, kind->function);
	begin(block, INTERFACE);
	put(block, link, sizeof(link));
	put_u32(block, 0);
	put_option(block, INTERFACE_NAME, name, strlen(name));
	put_option(block, INTERFACE_DESCRIPTION, kind->what, strlen(kind->what));
	put_option(block, INTERFACE_RESOLUTION, &nanoseconds, 1);
	put_option(block, END, NULL, 0);
	finish_block(block, out);
}

static void write_packet(const struct pcapng *pcapng, struct block *block, FILE *out,
			 const struct pcapng_packet *packet)
{
	enum path_station station = pcapng->interfaces[packet->interface].station;
	uint32_t flags = path_is_sender(station) ? 2 : 1;	/* outbound, inbound */
	const uint8_t *bytes = pcapng->bytes + packet->at;

	begin(block, PACKET);
	put_u32(block, packet->interface);
	put_u32(block, (uint64_t)packet->time_ns >> 32);
	put_u32(block, packet->time_ns);
	put_u32(block, packet->count);
	put_u32(block, packet->length);
	put(block, bytes, packet->count);
	put_option(block, COMMENT, bytes + packet->count, packet->comment);
	put_option(block, PACKET_FLAGS, &flags, sizeof(flags));
	put_option(block, END, NULL, 0);
	finish_block(block, out);
}

static void write_statistics(struct block *block, FILE *out, uint32_t number,
			     const struct pcapng_interface *interface, int64_t time_ns)
{
	begin(block, STATISTICS);
	put_u32(block, number);
	put_u32(block, (uint64_t)time_ns >> 32);
	put_u32(block, time_ns);
	put_option(block, STATISTICS_RECEIVED, &interface->seen, sizeof(interface->seen));
	put_option(block, STATISTICS_DROPPED, &interface->dropped, sizeof(interface->dropped));
	put_option(block, END, NULL, 0);
	finish_block(block, out);
}

void pcapng_write(struct pcapng *pcapng, FILE *out,
		  const char *(*name)(const void *context, uint32_t host), const void *context)
{
	uint8_t room[PACKET_MOST + 1024];
	struct block block = { .bytes = room };
	int64_t last_ns = 0;

	if (pcapng->count)
		qsort(pcapng->packets, pcapng->count, sizeof(*pcapng->packets), compare_packets);
	write_section(&block, out);
	for (size_t i = 0; i < pcapng->interface_count; i++)
		write_interface(&block, out, name(context, pcapng->interfaces[i].host),
				&pcapng->interfaces[i]);
	for (size_t i = 0; i < pcapng->count; i++) {
		write_packet(pcapng, &block, out, &pcapng->packets[i]);
		last_ns = pcapng->packets[i].time_ns;
	}
	for (size_t i = 0; i < pcapng->interface_count; i++)
		write_statistics(&block, out, i, &pcapng->interfaces[i], last_ns);
}

void pcapng_free(struct pcapng *pcapng)
{
	free(pcapng->interfaces);
	free(pcapng->packets);
	free(pcapng->bytes);
}
