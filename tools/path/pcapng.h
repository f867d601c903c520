/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes packets at their stations as pcapng, which Wireshark, tshark and tcpdump read.
 *
 * Stage: after packets.c, parallel to the report. Each station of a host is an interface.
 * pcapng_write() writes all at the end, as visits are not always added in the order of time.
 */
#ifndef EVTLOG_PATH_PCAPNG_H
#define EVTLOG_PATH_PCAPNG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stations.h"

struct pcapng_packet;

/*
 * @interfaces:	by host, station and IP version
 * @bytes:	of all packets and comments
 */
struct pcapng {
	struct pcapng_interface *interfaces;
	size_t interface_count;
	size_t interface_capacity;
	struct pcapng_packet *packets;
	size_t count;
	size_t capacity;
	uint8_t *bytes;
	size_t length;
	size_t bytes_capacity;
};

/*
 * @version:	of IP, as an interface has one link type
 * @seen:	number of packets
 * @dropped:	number of packets that were dropped after this station
 */
struct pcapng_interface {
	uint32_t host;
	enum path_station station;
	unsigned int version;
	uint64_t seen;
	uint64_t dropped;
};

/*
 * pcapng_add() - keep a packet
 * @protocol:	PATH_UDP, PATH_TCP or PATH_ICMP
 * @time_ns:	since 1970
 * @ip, @count:	its bytes from the IP header on
 * @length:	of the whole packet
 * @comment:	text for the packet
 *
 * Returns 0 or -ENOMEM.
 */
int pcapng_add(struct pcapng *pcapng, uint32_t host, enum path_station station,
	       unsigned int protocol, int64_t time_ns, const uint8_t *ip, size_t count,
	       uint32_t length, const char *comment);

/* Removes packets of other protocols than these. */
void pcapng_keep(struct pcapng *pcapng, unsigned int protocols);

/* The interface of a station; NULL if no packet was added there. */
struct pcapng_interface *pcapng_interface(struct pcapng *pcapng, uint32_t host,
					  enum path_station station, unsigned int version);

/* Writes the file; @name: returns the name of a host. The caller checks @out for errors. */
void pcapng_write(struct pcapng *pcapng, FILE *out,
		  const char *(*name)(const void *context, uint32_t host), const void *context);

void pcapng_free(struct pcapng *pcapng);

#endif /* EVTLOG_PATH_PCAPNG_H */
