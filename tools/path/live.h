/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a host's packets while its records are read.
 *
 * For packets.c and stream.c alone.
 */
#ifndef EVTLOG_PATH_LIVE_H
#define EVTLOG_PATH_LIVE_H

#include "packets.h"

#define NO_PACKET	SIZE_MAX

/*
 * A struct sk_buff that was seen.
 *
 * @packet:	that it has, or NO_PACKET
 * @early:	a visit whose bytes could not be read yet, or were not made, if @has_early
 * @socket:	of PATH_TCP_XMIT, if @early is that
 * @ip, @ip_count: the packet's bytes; @ip_capacity: room for them
 * @added:	packets whose data may have been added to this one's, by number
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
 * What a task sends.
 *
 * @length:	of what UDP got, if @is_open
 * @socket, @socket_length: what no protocol has yet, if @is_in_socket
 */
struct path_sending {
	struct path_begin begin;
	uint32_t length;
	bool is_open;
	struct path_visit socket;
	uint32_t socket_length;
	bool is_in_socket;
};

/* A program's writing to a socket of TCP. */
struct path_write {
	struct path_begin begin;
	uint32_t sequence;
	uint32_t length;
};

/* The last of them, so many: what the peer has not acknowledged may be sent again. */
#define PATH_WRITES	256

struct path_socket {
	struct path_write writes[PATH_WRITES];
	uint64_t count;
};

/*
 * @live:	numbers of @lives by skb
 * @sending:	numbers of @sendings by task
 * @sockets:	what programs write to sockets of TCP; @socket: their numbers
 * @first:	numbers of packets by what all of a datagram's fragments have in common
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
