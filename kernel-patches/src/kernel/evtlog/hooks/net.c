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

/* The last word is @netns; a received message has its rx timestamp in front of it. */
static __always_inline void
fill_in(u64 *body, unsigned int words, const struct icmphdr *icmp, __be32 peer, __be32 local,
	unsigned int len, u64 rx_ticks, u64 netns)
{
	/* As on the wire: id and seq where messages of the type have them. */
	body[0] = (__force u16)icmp->un.echo.id |
		  (u64)(__force u16)icmp->un.echo.sequence << 16 |
		  (u64)(__force u32)peer << 32;
	body[1] = (__force u32)local | (u64)len << 32;
	if (words > 4)
		body[2] = rx_ticks;
	body[words - 2] = netns;
}

static __always_inline u32 tag_of(enum evtlog_type type, const struct icmphdr *icmp)
{
	return EVTLOG_TAG(type, icmp->type | icmp->code << 8);
}

static __always_inline void
write_icmp(enum evtlog_type type, unsigned int words, const struct icmphdr *icmp,
	   __be32 peer, __be32 local, unsigned int len, u64 rx_ticks, u64 netns)
{
	unsigned long flags;
	u64 *record;

	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(tag_of(type, icmp), words);
	if (record)
		fill_in(record + 1, words, icmp, peer, local, len, rx_ticks, netns);
	raw_local_irq_restore(flags);
}

static __always_inline bool read_received(struct sk_buff *skb, struct icmphdr *icmp)
{
	return likely(!skb_copy_bits(skb, 0, icmp, min_t(int, skb->len, sizeof(*icmp))));
}

/**
 * __evtlog_icmp_rx() - an ICMP message with a correct checksum was received
 * @skb:	at its ICMP header, which may be short; network header set
 *
 * If a message is shorter than a header, the missing part is recorded as 0.
 *
 * Context: icmp_rcv(): softirqs off, RCU.
 */
void __evtlog_icmp_rx(struct sk_buff *skb)
{
	u64 netns = netns_of(dev_net(skb->dev));
	const struct iphdr *ip = ip_hdr(skb);
	struct icmphdr icmp = { };

	if (!read_received(skb, &icmp))
		return;
	/* Softirqs stay off until it is recorded, so no other message comes in between. */
	this_cpu_write(evtlog_counters_icmp, COUNTED_BEFORE && !netns);
	write_icmp(EVTLOG_ICMP_RX, 5, &icmp, ip->saddr, ip->daddr, skb->len,
		   evtlog_rx_ticks(skb), netns);
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

/* A message as it is sent; @icmp and @ip may be in the packet. */
struct sent {
	struct icmphdr icmp_buffer;
	struct iphdr ip_buffer;
	const struct icmphdr *icmp;
	const struct iphdr *ip;
};

/* Returns false if the message is not this host's own, or another device shows it. */
static __always_inline bool find_sent(const struct sk_buff *skb, struct net_device *dev,
				      struct sent *sent)
{
	int at = skb_network_offset(skb);

	/* A VLAN tag may be in the packet already. */
	if (skb->skb_iif || vlan_get_protocol(skb) != htons(ETH_P_IP))
		return false;
	sent->ip = skb_header_pointer(skb, at, sizeof(sent->ip_buffer), &sent->ip_buffer);
	if (!sent->ip || sent->ip->protocol != IPPROTO_ICMP ||
	    sent->ip->frag_off & htons(IP_OFFSET))
		return false;
	sent->icmp = skb_header_pointer(skb, at + sent->ip->ihl * 4, sizeof(sent->icmp_buffer),
					&sent->icmp_buffer);
	/* Messages that packet sockets send are not sent by ICMP. */
	return sent->icmp && !(skb->sk && skb->sk->sk_family == PF_PACKET) &&
	       is_last_with_one_copy(dev);
}

static __always_inline unsigned int sent_length(const struct sent *sent)
{
	return ntohs(sent->ip->tot_len) - sent->ip->ihl * 4;
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
	struct sent sent;

	if (find_sent(skb, dev, &sent))
		write_icmp(EVTLOG_ICMP_TX, 4, sent.icmp, sent.ip->daddr, sent.ip->saddr,
			   sent_length(&sent), 0, sender_netns(skb, dev));
}
DEFINE_STATIC_CALL(evtlog_icmp_tx, __evtlog_icmp_tx);

/**
 * evtlog_icmp_rx_record() - build the record that __evtlog_icmp_rx() would write
 * @record:	the result
 *
 * Context: as __evtlog_icmp_rx().
 * Return: false: it would write none.
 */
bool evtlog_icmp_rx_record(struct sk_buff *skb, struct evtlog_icmp_record *record)
{
	struct icmphdr icmp = { };

	if (!read_received(skb, &icmp))
		return false;
	record->tag = tag_of(EVTLOG_ICMP_RX, &icmp);
	record->words = 5;
	fill_in(record->body, 5, &icmp, ip_hdr(skb)->saddr, ip_hdr(skb)->daddr, skb->len,
		evtlog_rx_ticks(skb), netns_of(dev_net(skb->dev)));
	return true;
}

/**
 * evtlog_icmp_tx_record() - build the record that __evtlog_icmp_tx() would write
 * @record:	the result
 *
 * Context: as __evtlog_icmp_tx().
 * Return: false: it would write none.
 */
bool evtlog_icmp_tx_record(struct sk_buff *skb, struct net_device *dev,
			   struct evtlog_icmp_record *record)
{
	struct sent sent;

	if (!find_sent(skb, dev, &sent))
		return false;
	record->tag = tag_of(EVTLOG_ICMP_TX, sent.icmp);
	record->words = 4;
	fill_in(record->body, 4, sent.icmp, sent.ip->daddr, sent.ip->saddr, sent_length(&sent), 0,
		sender_netns(skb, dev));
	return true;
}

static void set_fields(struct evtlog_icmp_fields *fields, const struct icmphdr *icmp,
		       __be32 peer, __be32 local, unsigned int len, u64 netns)
{
	*fields = (struct evtlog_icmp_fields){
		.type = icmp->type, .code = icmp->code,
		.id = ntohs(icmp->un.echo.id), .seq = ntohs(icmp->un.echo.sequence),
		.peer = ntohl(peer), .local = ntohl(local), .len = len, .netns = netns,
	};
}

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
	u64 netns = netns_of(dev_net(skb->dev));
	struct icmphdr icmp = { };

	if (!read_received(skb, &icmp))
		return false;
	/* Also for a rejected message: a CPU's part of a run may begin with it, see counters.c. */
	this_cpu_write(evtlog_counters_icmp, COUNTED_BEFORE && !netns);
	set_fields(fields, &icmp, ip_hdr(skb)->saddr, ip_hdr(skb)->daddr, skb->len, netns);
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
	struct sent sent;

	if (!find_sent(skb, dev, &sent))
		return false;
	set_fields(fields, sent.icmp, sent.ip->daddr, sent.ip->saddr, sent_length(&sent),
		   sender_netns(skb, dev));
	return true;
}
