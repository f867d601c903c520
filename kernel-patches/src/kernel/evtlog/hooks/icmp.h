/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of an ICMP message for a filter, and its record for a named buffer; and the time at which
 * a packet entered the network stack.
 */
#ifndef EVTLOG_HOOKS_ICMP_H
#define EVTLOG_HOOKS_ICMP_H

#include <linux/types.h>

struct net_device;
struct sk_buff;

/* The slots of a filter; numbers in the CPU's byte order */
struct evtlog_icmp_fields {
	u64 type, code, id, seq, peer, local, len, netns;
};

/* @tag: 32 bits of the record's first word.  @body: the words after it */
struct evtlog_icmp_record {
	u32 tag;
	unsigned int words;
	u64 body[4];
};

bool evtlog_icmp_rx_record(struct sk_buff *skb, struct evtlog_icmp_record *record);
bool evtlog_icmp_tx_record(struct sk_buff *skb, struct net_device *dev,
			   struct evtlog_icmp_record *record);
bool evtlog_icmp_rx_fields(struct sk_buff *skb, struct net_device *unused,
			   struct evtlog_icmp_fields *fields);
bool evtlog_icmp_tx_fields(struct sk_buff *skb, struct net_device *dev,
			   struct evtlog_icmp_fields *fields);

/* rx_stamp.c */
u64 evtlog_rx_ticks(const struct sk_buff *skb);

#endif /* EVTLOG_HOOKS_ICMP_H */
