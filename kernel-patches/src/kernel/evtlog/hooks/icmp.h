/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ICMP message's fields, for a filter before its hook, and its record, for a named buffer; and
 * when a packet was first seen.
 */
#ifndef EVTLOG_HOOKS_ICMP_H
#define EVTLOG_HOOKS_ICMP_H

#include <linux/types.h>

struct net_device;
struct sk_buff;

/* The slots of a filter; numbers in the CPU's order. */
struct evtlog_icmp_fields {
	u64 type, code, id, seq, peer, local, len, netns;
};

/* What follows a record's first word, of which @tag is 32 bits. */
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
