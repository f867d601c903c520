/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places in the kernel at which a packet is seen: their functions and their probes.
 *
 * Stage: first of the path's.  `evtlog path add` inserts the probes, packets.c reads what
 * they recorded.  It reads no log.
 */
#ifndef EVTLOG_PATH_STATIONS_H
#define EVTLOG_PATH_STATIONS_H

#include <stdbool.h>
#include <stddef.h>

struct path_offsets;

/* In the order in which a packet gets there. */
enum path_station {
	PATH_SOCKET,
	PATH_SOCKET6,
	PATH_SENDMSG,
	PATH_SENDMSG6,
	PATH_TCP_SENDMSG,
	PATH_TCP_XMIT,
	PATH_UDP_OUT,
	PATH_UDP_OUT6,
	PATH_TCP_OUT,
	PATH_TCP_OUT6,
	PATH_QUEUE,
	PATH_DEVICE,
	PATH_RECEIVE,
	PATH_DELIVER,
	PATH_DELIVER6,
	PATH_UDP_SOCKET,
	PATH_TCP_SOCKET,
	PATH_TCP_SOCKET6,
	PATH_ICMP_IN,
	PATH_ICMP_IN6,
	PATH_TCP_MERGE,
	PATH_UDP_READ,
	PATH_TCP_READ,
	PATH_DROP,
	PATH_STATIONS
};

enum { PATH_UDP = 1, PATH_TCP = 2, PATH_ICMP = 4 };

/* Where a station's bytes begin. */
enum path_bytes {
	PATH_NO_BYTES,
	PATH_FROM_IP,		/* with the IP header */
	PATH_FROM_LINK,		/* with the link's header, if the device has one */
	PATH_FROM_SOMEWHERE,	/* behind headers that are done with */
};

/*
 * @function:	of the kernel; its name is the station's
 * @what:	the packet does there, for the manual and --help
 * @skb:	argument that has the packet's struct sk_buff, as a probe has it; NULL: there is none
 *		yet
 * @more:	arguments, as a probe has them; NULL: no more.  %u in them: where a socket has the
 *		sequence number of what is written next
 * @protocols:	bits: whose packets come here
 * @makes_ip:	the IP header has neither length nor checksum yet
 * @is_static:	the compiler may have given the function another name
 * @is_ip6:	the function is not in a kernel without IPv6
 */
struct path_station_kind {
	const char *function;
	const char *what;
	const char *skb;
	const char *more;
	unsigned int protocols;
	enum path_bytes bytes;
	bool makes_ip;
	bool is_static;
	bool is_ip6;
};

extern const struct path_station_kind path_stations[PATH_STATIONS];

/*
 * Headers of Ethernet with a tag, IP and UDP and what of the payload tells it from others: of
 * IPv4, and of IPv6.
 */
#define PATH_BYTES_LEAST	64
#define PATH_BYTES_DEFAULT	88
#define PATH_BYTES_MAX		2048

/* The station whose probe an event of this name is of; PATH_STATIONS: none. */
enum path_station path_station_of_event(const char *name);

/*
 * Those that have stations of their own among these bits; all, if none has.  Of others only a part
 * of the way is known.
 */
unsigned int path_protocols_of(unsigned int stations);

static inline bool path_is_sender(enum path_station station)
{
	return station <= PATH_DEVICE;
}

/* A program sends, by IPv4 or IPv6, and the protocol has not got it. */
static inline bool path_is_socket(enum path_station station)
{
	return station == PATH_SOCKET || station == PATH_SOCKET6;
}

/* It has: there is no packet yet. */
static inline bool path_is_sendmsg(enum path_station station)
{
	return station == PATH_SENDMSG || station == PATH_SENDMSG6;
}

/* It is for this host. */
static inline bool path_is_deliver(enum path_station station)
{
	return station == PATH_DELIVER || station == PATH_DELIVER6;
}

static inline bool path_is_end(enum path_station station)
{
	return station == PATH_UDP_READ || station == PATH_TCP_READ;
}

/**
 * path_probe() - the text of a station's probe
 * @bytes:	of each packet
 *
 * Return: a malloc()ed text; NULL: no memory.
 */
char *path_probe(enum path_station station, const char *function,
		 const struct path_offsets *offsets, unsigned int bytes);

#endif /* EVTLOG_PATH_STATIONS_H */
