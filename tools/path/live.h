/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of a host's packets while its records are read.
 *
 * Only for packets.c and stream.c.
 */
#ifndef EVTLOG_PATH_LIVE_H
#define EVTLOG_PATH_LIVE_H

#include "packets.h"

#define NO_PACKET	SIZE_MAX

/*
 * A struct sk_buff that was seen.
 *
 * @packet:	its packet, or NO_PACKET
 * @early:	a visit without bytes, if @has_early: they could not be read or did not exist yet
 * @socket:	of PATH_TCP_XMIT, if @early is a visit there
 * @ip, @ip_count: the packet's bytes; @ip_capacity: room for them
 * @added:	numbers of packets whose data may have been added to this one
 */
struct path_live {
	uint64_t skb;
	size_t packet;
	struct path_header header;
	struct path_visit early;
	uint64_t socket;
	bool has_early;
	uint8_t *ip;
	size_t ip_count;
	size_t ip_capacity;
	uint32_t *added;
	size_t added_count;
	size_t added_capacity;
};

/* Where a program sends: at its socket, if @has_socket, then in UDP or TCP. */
struct path_begin {
	struct path_visit socket;
	struct path_visit visit;
	bool has_socket;
};

/*
 * Data that a task is sending.
 *
 * @length:	of the data that UDP has, if @is_open
 * @socket, @socket_length: data that no protocol has yet, if @is_in_socket
 */
struct path_sending {
	struct path_begin begin;
	uint32_t length;
	bool is_open;
	struct path_visit socket;
	uint32_t socket_length;
	bool is_in_socket;
};

/* A program's write to a TCP socket. */
struct path_write {
	struct path_begin begin;
	uint32_t sequence;
	uint32_t length;
};

/* Number of last writes kept: unacknowledged data may be sent again. */
#define PATH_WRITES	256

struct path_socket {
	struct path_write writes[PATH_WRITES];
	uint64_t count;
};

/*
 * @live:	index in @lives, by skb
 * @sending:	index in @sendings, by task
 * @socket:	index in @sockets, which contain the programs' writes, by TCP socket
 * @first:	number of a packet, by the fields that all fragments of a datagram share
 */
struct path_host {
	struct key_table live;
	struct path_live *lives;
	size_t live_count;
	size_t live_capacity;
	struct key_table sending;
	struct path_sending *sendings;
	size_t sending_count;
	size_t sending_capacity;
	struct key_table first;
	struct key_table socket;
	struct path_socket *sockets;
	size_t socket_count;
	size_t socket_capacity;
};

#endif /* EVTLOG_PATH_LIVE_H */
