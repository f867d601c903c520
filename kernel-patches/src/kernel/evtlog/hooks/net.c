// SPDX-License-Identifier: GPL-2.0-only
/*
 * ICMP events: messages received and sent.
 *
 * Called from net/ through linux/evtlog.h.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/icmp.h>
#include <linux/if_vlan.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "counters.h"
#include "hooks/icmp.h"
#include "ring.h"

/* The kernel counts a received message before its hook; a module's probe comes before both. */
#define COUNTED_BEFORE	!IS_ENABLED(MODULE)

/* The number of a namespace in records: 0 for the first one, as no other namespace has it. */
static u64 netns_of(const struct net *net)
{
	return net_eq(net, &init_net) ? 0 : net->net_cookie;
}

/*
 * Returns the namespace of a message that a device is about to send.  A macvlan passes messages of
 * another namespace to a device of the first one, with their socket.  A socket by which the kernel
 * answers belongs to this namespace only while it sends, and afterwards to the first one.
 */
static u64 sender_netns(const struct sk_buff *skb, const struct net_device *dev)
{
	u64 netns = netns_of(dev_net(dev));

	return netns || !skb->sk ? netns : netns_of(sock_net(skb->sk));
}

static __always_inline void make_record(struct evtlog_icmp_record *r, enum evtlog_type type,
					const struct icmphdr *icmp, __be32 peer, __be32 local,
					unsigned int len, u64 rx_ticks, u64 netns)
{
	r->tag = EVTLOG_TAG(type, icmp->type | icmp->code << 8);
	r->words = type == EVTLOG_ICMP_RX ? 5 : 4;
	/* As on the wire: id and seq where messages of the type have them. */
	r->body[0] = (__force u16)icmp->un.echo.id | (u64)(__force u16)icmp->un.echo.sequence << 16 |
		     (u64)(__force u32)peer << 32;
	r->body[1] = (__force u32)local | (u64)len << 32;
	if (type == EVTLOG_ICMP_RX)
		r->body[2] = rx_ticks;
	r->body[r->words - 2] = netns;
}

static void write_record(const struct evtlog_icmp_record *r)
{
	unsigned long flags;
	u64 *record;

	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(r->tag, r->words);
	if (record)
		memcpy(record + 1, r->body, (r->words - 1) * sizeof(*record));
	raw_local_irq_restore(flags);
}

static void set_fields(struct evtlog_icmp_fields *fields, const struct evtlog_icmp_record *r)
{
	*fields = (struct evtlog_icmp_fields){
		.type = (u8)(r->tag >> EVTLOG_TYPE_BITS),
		.code = (u8)(r->tag >> (EVTLOG_TYPE_BITS + 8)),
		.id = ntohs((__force __be16)r->body[0]),
		.seq = ntohs((__force __be16)(r->body[0] >> 16)),
		.peer = ntohl((__force __be32)(r->body[0] >> 32)),
		.local = ntohl((__force __be32)r->body[1]),
		.len = r->body[1] >> 32, .netns = r->body[r->words - 2],
	};
}

/**
 * evtlog_icmp_rx_record() - build the record that __evtlog_icmp_rx() writes
 * @record:	the result; the missing part of a short message is 0 in it
 *
 * Context: as __evtlog_icmp_rx().
 * Return: false: it writes none.
 */
bool evtlog_icmp_rx_record(struct sk_buff *skb, struct evtlog_icmp_record *record)
{
	struct icmphdr icmp = { };

	if (unlikely(skb_copy_bits(skb, 0, &icmp, min_t(int, skb->len, sizeof(icmp)))))
		return false;
	make_record(record, EVTLOG_ICMP_RX, &icmp, ip_hdr(skb)->saddr, ip_hdr(skb)->daddr, skb->len,
		    evtlog_rx_ticks(skb), netns_of(dev_net(skb->dev)));
	return true;
}

/* Softirqs stay off until the message is recorded, so no other message comes in between. */
static void note_counted(const struct evtlog_icmp_record *record)
{
	this_cpu_write(evtlog_counters_icmp, COUNTED_BEFORE && !record->body[record->words - 2]);
}

/**
 * __evtlog_icmp_rx() - an ICMP message with a correct checksum was received
 * @skb:	at its ICMP header, which may be short; network header set
 *
 * Context: icmp_rcv(): softirqs off, RCU.
 */
void __evtlog_icmp_rx(struct sk_buff *skb)
{
	struct evtlog_icmp_record record;

	if (!evtlog_icmp_rx_record(skb, &record))
		return;
	note_counted(&record);
	write_record(&record);
}
DEFINE_STATIC_CALL(evtlog_icmp_rx, __evtlog_icmp_rx);

/* These devices show a message again for each port. */
static bool is_bridge(const struct net_device *dev)
{
	return netif_is_bridge_master(dev) || netif_is_ovs_master(dev);
}

static int upper_is_bridge(struct net_device *dev, struct netdev_nested_priv *unused)
{
	return is_bridge(dev);
}

/*
 * Each device that a message passes on its way out shows the message again.  Only the lowest device
 * counts, or the bridge above it.
 */
static bool is_last_with_one_copy(struct net_device *dev)
{
	struct netdev_nested_priv unused = { };
	bool is_last;

	if (!list_empty(&dev->adj_list.lower) && !is_bridge(dev))
		return false;
	rcu_read_lock();
	is_last = !netdev_walk_all_upper_dev_rcu(dev, upper_is_bridge, &unused);
	rcu_read_unlock();
	return is_last;
}

/**
 * evtlog_icmp_tx_record() - build the record that __evtlog_icmp_tx() writes
 * @record:	the result
 *
 * Context: as __evtlog_icmp_tx().
 * Return: false: it writes none; the message is not this host's own, or another device shows it.
 */
bool evtlog_icmp_tx_record(struct sk_buff *skb, struct net_device *dev,
			   struct evtlog_icmp_record *record)
{
	int at = skb_network_offset(skb);
	const struct icmphdr *icmp;
	struct icmphdr icmp_buffer;
	const struct iphdr *ip;
	struct iphdr ip_buffer;

	/* A VLAN tag may be in the packet already. */
	if (skb->skb_iif || vlan_get_protocol(skb) != htons(ETH_P_IP))
		return false;
	ip = skb_header_pointer(skb, at, sizeof(ip_buffer), &ip_buffer);
	if (!ip || ip->protocol != IPPROTO_ICMP || ip->frag_off & htons(IP_OFFSET))
		return false;
	icmp = skb_header_pointer(skb, at + ip->ihl * 4, sizeof(icmp_buffer), &icmp_buffer);
	/* Messages that packet sockets send are not sent by ICMP. */
	if (!icmp || (skb->sk && skb->sk->sk_family == PF_PACKET) || !is_last_with_one_copy(dev))
		return false;
	make_record(record, EVTLOG_ICMP_TX, icmp, ip->daddr, ip->saddr,
		    ntohs(ip->tot_len) - ip->ihl * 4, 0, sender_netns(skb, dev));
	return true;
}

/**
 * __evtlog_icmp_tx() - a driver is about to get a packet
 * @skb:	network header set; ignored unless it is ICMP of this host
 * @dev:	the driver's device
 *
 * Called after netfilter, fragmentation and the device's queue, so that dropped or forwarded
 * packets are not logged.  Each message is logged once, with its first fragment.  It is logged
 * again if a driver without room gives it back, or if a bond sends it on every link.
 *
 * Context: xmit_one(), BH off.
 */
void __evtlog_icmp_tx(struct sk_buff *skb, struct net_device *dev)
{
	struct evtlog_icmp_record record;

	if (evtlog_icmp_tx_record(skb, dev, &record))
		write_record(&record);
}
DEFINE_STATIC_CALL(evtlog_icmp_tx, __evtlog_icmp_tx);

/**
 * evtlog_icmp_rx_fields() - read a message's fields for a filter of __evtlog_icmp_rx()
 * @fields:	the result
 *
 * Context: as __evtlog_icmp_rx(); called by a filter's stub.
 * Return: false: the stub calls the hook, which writes no record.
 */
bool evtlog_icmp_rx_fields(struct sk_buff *skb, struct net_device *unused,
			   struct evtlog_icmp_fields *fields)
{
	struct evtlog_icmp_record record;

	if (!evtlog_icmp_rx_record(skb, &record))
		return false;
	/* Also for a rejected message: a CPU's part of a run may begin with it, see counters.c. */
	note_counted(&record);
	set_fields(fields, &record);
	return true;
}

/**
 * evtlog_icmp_tx_fields() - read a message's fields for a filter of __evtlog_icmp_tx()
 * @fields:	the result
 *
 * Context: as __evtlog_icmp_tx(); called by a filter's stub.
 * Return: false: the stub calls the hook, which writes no record.
 */
bool evtlog_icmp_tx_fields(struct sk_buff *skb, struct net_device *dev,
			   struct evtlog_icmp_fields *fields)
{
	struct evtlog_icmp_record record;

	if (!evtlog_icmp_tx_record(skb, dev, &record))
		return false;
	set_fields(fields, &record);
	return true;
}
