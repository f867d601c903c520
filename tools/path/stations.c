// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stations of a packet, and the text of their probes.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stations.h"

#define PATH_ALL	(PATH_UDP | PATH_TCP | PATH_ICMP)

const struct path_station_kind path_stations[PATH_STATIONS] = {
	[PATH_SOCKET] = {
		.function = "inet_sendmsg", .what = "the program sends",
		.more = "len=arg3:u64", .protocols = PATH_UDP | PATH_TCP,
	},
	[PATH_SOCKET6] = {
		.function = "inet6_sendmsg", .what = "the program sends",
		.more = "len=arg3:u64", .protocols = PATH_UDP | PATH_TCP, .is_ip6 = true,
	},
	[PATH_SENDMSG] = {
		.function = "udp_sendmsg", .what = "UDP has the data to send",
		.more = "len=arg3:u64", .protocols = PATH_UDP,
	},
	[PATH_SENDMSG6] = {
		.function = "udpv6_sendmsg", .what = "UDP has the data to send",
		.more = "len=arg3:u64", .protocols = PATH_UDP, .is_ip6 = true,
	},
	[PATH_TCP_SENDMSG] = {
		.function = "tcp_sendmsg_locked", .what = "TCP has the data to send",
		.more = "sk=arg1,sequence=arg1->%u:u32,len=arg3:u64", .protocols = PATH_TCP,
	},
	/* Compilers can inline ip_local_out(), but not this function: it is called by pointer. */
	[PATH_TCP_XMIT] = {
		.function = "ip_queue_xmit", .what = "TCP sends the segment",
		.skb = "arg2", .more = "sk=arg1", .protocols = PATH_TCP,
	},
	[PATH_UDP_OUT] = {
		.function = "ip_send_skb", .what = "the datagram is complete",
		.skb = "arg2", .protocols = PATH_UDP | PATH_ICMP, .bytes = PATH_FROM_IP,
		.makes_ip = true,
	},
	[PATH_UDP_OUT6] = {
		.function = "ip6_send_skb", .what = "the datagram is complete",
		.skb = "arg1", .protocols = PATH_UDP | PATH_ICMP, .bytes = PATH_FROM_IP,
		.makes_ip = true, .is_ip6 = true,
	},
	[PATH_TCP_OUT] = {
		.function = "ip_local_out", .what = "the segment is complete",
		.skb = "arg3", .more = "sk=arg2", .protocols = PATH_TCP, .bytes = PATH_FROM_IP,
		.makes_ip = true,
	},
	[PATH_TCP_OUT6] = {
		.function = "ip6_output", .what = "the segment is complete, or forwarded",
		.skb = "arg3", .more = "sk=arg2", .protocols = PATH_TCP, .bytes = PATH_FROM_IP,
		.is_ip6 = true,
	},
	[PATH_QUEUE] = {
		.function = "__dev_queue_xmit", .what = "it enters the queue of the device",
		.skb = "arg1", .protocols = PATH_ALL, .bytes = PATH_FROM_LINK,
	},
	[PATH_DEVICE] = {
		.function = "dev_hard_start_xmit", .what = "the driver takes it",
		.skb = "arg1", .protocols = PATH_ALL, .bytes = PATH_FROM_LINK,
	},
	[PATH_RECEIVE] = {
		.function = "__netif_receive_skb_core", .what = "the receiver's softirq has it",
		.skb = "arg1->0", .protocols = PATH_ALL, .bytes = PATH_FROM_IP,
		.is_static = true,
	},
	[PATH_DELIVER] = {
		.function = "ip_local_deliver", .what = "it is for this host",
		.skb = "arg1", .protocols = PATH_ALL, .bytes = PATH_FROM_IP,
	},
	[PATH_DELIVER6] = {
		.function = "ip6_input", .what = "it is for this host",
		.skb = "arg1", .protocols = PATH_ALL, .bytes = PATH_FROM_IP, .is_ip6 = true,
	},
	[PATH_UDP_SOCKET] = {
		.function = "__udp_enqueue_schedule_skb", .what = "it enters the queue of the socket",
		.skb = "arg2", .protocols = PATH_UDP,
	},
	[PATH_TCP_SOCKET] = {
		.function = "tcp_v4_rcv", .what = "TCP has it",
		.skb = "arg1", .protocols = PATH_TCP,
	},
	[PATH_TCP_SOCKET6] = {
		.function = "tcp_v6_rcv", .what = "TCP has it",
		.skb = "arg1", .protocols = PATH_TCP, .is_ip6 = true,
	},
	[PATH_ICMP_IN] = {
		.function = "icmp_rcv", .what = "ICMP has it",
		.skb = "arg1", .protocols = PATH_ICMP,
	},
	[PATH_ICMP_IN6] = {
		.function = "icmpv6_rcv", .what = "ICMP has it",
		.skb = "arg1", .protocols = PATH_ICMP, .is_ip6 = true,
	},
	[PATH_TCP_MERGE] = {
		.function = "skb_try_coalesce", .what = "it is added to the segment before it",
		.skb = "arg2", .more = "to=arg1", .protocols = PATH_TCP,
	},
	[PATH_UDP_READ] = {
		.function = "skb_consume_udp", .what = "the program has read it",
		.skb = "arg2", .more = "read=arg3:s32", .protocols = PATH_UDP,
	},
	[PATH_TCP_READ] = {
		.function = "skb_attempt_defer_free", .what = "the program has read all of it",
		.skb = "arg1", .protocols = PATH_TCP,
	},
	[PATH_DROP] = {
		.function = "kfree_skb_reason", .what = "it is dropped",
		.skb = "arg1", .more = "reason=arg2:u32", .protocols = PATH_ALL,
		.bytes = PATH_FROM_SOMEWHERE,
	},
};

/*
 * Matches "_constprop_0" of a clone, cut to the length of an event's name, and then "_2" if
 * another event has the same name.
 */
static bool is_suffix(const char *text)
{
	const char *clone = "_constprop_";

	if (*text && *text != '_')
		return false;
	while (*clone && *text == *clone) {
		text++;
		clone++;
	}
	/* A single underscore may belong to the number. */
	while (isdigit((unsigned char)*text) || (*text == '_' && isdigit((unsigned char)text[1])))
		text++;
	return !*text;
}

enum path_station path_station_of_event(const char *name)
{
	for (enum path_station i = 0; i < PATH_STATIONS; i++) {
		size_t length = strlen(path_stations[i].function);

		if (!strncmp(name, path_stations[i].function, length) && is_suffix(name + length))
			return i;
	}
	return PATH_STATIONS;
}

unsigned int path_protocols_of(unsigned int stations)
{
	unsigned int protocols = 0;

	for (enum path_station i = 0; i < PATH_STATIONS; i++) {
		unsigned int of = path_stations[i].protocols;

		if (stations & 1u << i && !(of & (of - 1)))
			protocols |= of;
	}
	return protocols ? protocols : PATH_ALL;
}

char *path_probe(enum path_station station, const char *function,
		 const struct path_offsets *offsets, unsigned int bytes)
{
	const struct path_station_kind *kind = &path_stations[station];
	const char *comma = kind->more ? "," : "";
	char more[96], *text;
	int length;

	snprintf(more, sizeof(more), kind->more ? kind->more : "", offsets->write_seq);
	if (!kind->skb)
		length = asprintf(&text, "%s(%s)", function, more);
	else if (kind->bytes == PATH_NO_BYTES)
		length = asprintf(&text, "%s(skb=%s%s%s)", function, kind->skb, comma, more);
	else
		length = asprintf(&text,
				  "%s(skb=%s%s%s,len=%s->%u:u32,head=packet(%s)[0:%u])",
				  function, kind->skb, comma, more, kind->skb, offsets->len,
				  kind->skb, bytes);
	return length < 0 ? NULL : text;
}
