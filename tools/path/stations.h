/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places in the kernel at which packets are recorded: their functions and their probes.
 *
 * Stage: the first of `evtlog path`. `evtlog path add` inserts the probes, packets.c reads their
 * records. It reads no log.
 */
#ifndef EVTLOG_PATH_STATIONS_H
#define EVTLOG_PATH_STATIONS_H

#include <stdbool.h>
#include <stddef.h>

/* In the order in which a packet passes them. */
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

/* Where the recorded bytes of a station begin. */
enum path_bytes {
	PATH_NO_BYTES,
	PATH_FROM_IP,		/* at the IP header */
	PATH_FROM_LINK,		/* at the link header, if the device has one */
	PATH_FROM_SOMEWHERE,	/* after headers that were removed */
};

/*
 * @function:	of the kernel; its name is the station's name
 * @what:	what happens there, for the manual and --help
 * @skb:	the argument with the packet's struct sk_buff, as in a probe; NULL: no packet yet
 * @more:	further arguments, as in a probe; NULL: none. %u is the offset, in the socket, of
 *		the next sequence number to write
 * @protocols:	bits: protocols whose packets pass here
 * @makes_ip:	length and checksum are not yet in the IP header
 * @is_static:	the compiler may have changed the name of the function
 * @is_ip6:	kernels without IPv6 do not have the function
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
 * Ethernet header with a VLAN tag, IP, UDP and the hashed part of the payload: for IPv4, for
 * IPv6.
 */
#define PATH_BYTES_LEAST	64
#define PATH_BYTES_DEFAULT	88
#define PATH_BYTES_MAX		2048

/* The station of an event with this name; PATH_STATIONS if there is none. */
enum path_station path_station_of_event(const char *name);

/*
 * The protocols that have stations of their own in @stations; all, if there are none. Only parts
 * of the paths of other protocols are known.
 */
unsigned int path_protocols_of(unsigned int stations);

static inline bool path_is_sender(enum path_station station)
{
	return station <= PATH_DEVICE;
}

/* A program sends by IPv4 or IPv6; the protocol does not have the data yet. */
static inline bool path_is_socket(enum path_station station)
{
	return station == PATH_SOCKET || station == PATH_SOCKET6;
}

/* The protocol has the data; there is no packet yet. */
static inline bool path_is_sendmsg(enum path_station station)
{
	return station == PATH_SENDMSG || station == PATH_SENDMSG6;
}

/* The packet is for this host. */
static inline bool path_is_deliver(enum path_station station)
{
	return station == PATH_DELIVER || station == PATH_DELIVER6;
}

static inline bool path_is_end(enum path_station station)
{
	return station == PATH_UDP_READ || station == PATH_TCP_READ;
}

/*
 * ---- offsets.c: offsets of members of kernel structures that probes read ----
 *
 * From the running kernel's BTF, or a file made when the kernel was built. Nothing is guessed.
 */

#define PATH_BTF	"/sys/kernel/btf/vmlinux"

/* In bytes, in sk_buff; @write_seq is in tcp_sock, 0 if unknown. */
struct path_offsets {
	unsigned int len;
	unsigned int data_len;
	unsigned int data;
	unsigned int write_seq;
};

/**
 * path_offsets_of_btf() - read offsets from a file such as /sys/kernel/btf/vmlinux
 *
 * Return: 0; -ENOENT: no such file; -EBADMSG: not BTF, or damaged; -ESRCH: no struct sk_buff in
 * it, or not with these members; -ENOMEM; -errno of reading.
 */
int path_offsets_of_btf(struct path_offsets *offsets, const char *path);

/**
 * path_offsets_of_file() - read offsets from lines such as "sk_buff.data 192"
 *
 * Other lines are skipped. Return: as above, except -EBADMSG.
 */
int path_offsets_of_file(struct path_offsets *offsets, const char *path);

/** path_btf_offset() - find a member's offset in bytes: 0, -EBADMSG, -ESRCH or -ENOMEM */
int path_btf_offset(const void *btf, size_t length, const char *structure, const char *member,
		    unsigned int *offset);

/* ---- The probes ---- */

/**
 * path_probe() - the text of a station's probe
 * @bytes:	number of bytes to record of each packet
 *
 * Return: a text that the caller frees; NULL if out of memory.
 */
char *path_probe(enum path_station station, const char *function,
		 const struct path_offsets *offsets, unsigned int bytes);

#endif /* EVTLOG_PATH_STATIONS_H */
