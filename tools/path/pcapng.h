/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes packets at their stations as pcapng, which Wireshark, tshark and tcpdump read.
 *
 * Stage: beside the report.  An interface stands for a station of a host.  Nothing is written
 * before pcapng_finish(): visits come in the order of time but for those that show late.
 */
#ifndef EVTLOG_PATH_PCAPNG_H
#define EVTLOG_PATH_PCAPNG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stations.h"

struct pcapng_packet;

/*
 * @interfaces:	numbers by host and station; UINT32_MAX: none yet
 * @bytes:	of all packets
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
 * @seen:	packets
 * @dropped:	of them, those that got no further
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
 * @protocol:	PATH_UDP or another
 * @time_ns:	since 1970
 * @ip, @count:	its bytes from the IP header on
 * @length:	of the whole packet
 * @comment:	what is said of it
 *
 * Returns 0 or -ENOMEM.
 */
int pcapng_add(struct pcapng *pcapng, uint32_t host, enum path_station station,
	       unsigned int protocol, int64_t time_ns, const uint8_t *ip, size_t count,
	       uint32_t length, const char *comment);

/* Drops packets of other protocols than these. */
void pcapng_keep(struct pcapng *pcapng, unsigned int protocols);

/* A station's interface; NULL: it has no packet. */
struct pcapng_interface *pcapng_interface(struct pcapng *pcapng, uint32_t host,
					  enum path_station station, unsigned int version);

/* Writes it; @name: of a host.  Errors are @out's. */
void pcapng_write(struct pcapng *pcapng, FILE *out,
		  const char *(*name)(const void *context, uint32_t host), const void *context);

void pcapng_free(struct pcapng *pcapng);

#endif /* EVTLOG_PATH_PCAPNG_H */
