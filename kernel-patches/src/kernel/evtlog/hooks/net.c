// SPDX-License-Identifier: GPL-2.0-only
/*
 * ICMP events: what was received and what was sent.
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
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "counters.h"
#include "hooks/rx_stamp.h"
#include "ring.h"

/* A namespace as records tell it: the first one has no number that could be another's. */
static u64 netns_of(const struct net *net)
{
	return net_eq(net, &init_net) ? 0 : net->net_cookie;
}

/*
 * Whose message a device is about to send: a macvlan gives those of another namespace to
 * a device of the first one, the socket goes with them.  One that answers for
 * the kernel is of its namespace only while it sends, and of the first one afterwards.
 */
static u64 sender_netns(const struct sk_buff *skb, const struct net_device *dev)
{
	u64 netns = netns_of(dev_net(dev));

	return netns || !skb->sk ? netns : netns_of(sock_net(skb->sk));
}

/* The last word is @netns; what was received has its rx timestamp before it. */
static __always_inline void
write_icmp(enum evtlog_type type, unsigned int words, const struct icmphdr *icmp,
	   __be32 peer, __be32 local, unsigned int len, u64 rx_ticks, u64 netns)
{
	unsigned long flags;
	u64 *record;

	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(type, icmp->type |
						  icmp->code << 8), words);
	if (record) {
		/* As on the wire: id and seq where the type has them. */
		record[1] = (__force u16)icmp->un.echo.id |
			    (u64)(__force u16)icmp->un.echo.sequence << 16 |
			    (u64)(__force u32)peer << 32;
		record[2] = (__force u32)local | (u64)len << 32;
		if (words > 4)
			record[3] = rx_ticks;
		record[words - 1] = netns;
	}
	raw_local_irq_restore(flags);
}

/**
 * __evtlog_icmp_rx() - an ICMP message with a right checksum was received
 * @skb:	at its ICMP header, which may be short; network header set
 *
 * Of one shorter than a header is told what there is.
 *
 * Context: icmp_rcv(): softirqs off, RCU.
 */
void __evtlog_icmp_rx(struct sk_buff *skb)
{
	u64 netns = netns_of(dev_net(skb->dev));
	const struct iphdr *ip = ip_hdr(skb);
	struct icmphdr icmp = { };

	if (unlikely(skb_copy_bits(skb, 0, &icmp, min_t(int, skb->len, sizeof(icmp)))))
		return;
	/* Softirqs are off until it is recorded: no other message comes between. */
	this_cpu_write(evtlog_counters_icmp, !netns);
	write_icmp(EVTLOG_ICMP_RX, 5, &icmp, ip->saddr, ip->daddr, skb->len,
		   evtlog_rx_ticks(skb), netns);
}

/* Shows a message again for each port. */
static bool is_bridge(const struct net_device *dev)
{
	return netif_is_bridge_master(dev) || netif_is_ovs_master(dev);
}

static int upper_is_bridge(struct net_device *dev, struct netdev_nested_priv *unused)
{
	return is_bridge(dev);
}

/*
 * Of the devices that a message passes on its way out, each has it once more: the lowest
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
 * __evtlog_icmp_tx() - a driver is about to get a packet
 * @skb:	network header set; what is not ICMP of this host's own is passed over
 * @dev:	the driver's device
 *
 * After netfilter, fragmentation and the device's queue, so that what was dropped or
 * merely forwarded is not logged.  Each message is logged once, by its first fragment;
 * but again if a driver that has no room gives it back, or where a bond sends it
 * on every link.
 *
 * Context: xmit_one(), BH off.
 */
void __evtlog_icmp_tx(struct sk_buff *skb, struct net_device *dev)
{
	struct icmphdr icmp_buffer;
	const struct icmphdr *icmp;
	struct iphdr ip_buffer;
	const struct iphdr *ip;
	int at = skb_network_offset(skb);

	/* A tag of a VLAN may be in the packet already. */
	if (skb->skb_iif || vlan_get_protocol(skb) != htons(ETH_P_IP))
		return;
	ip = skb_header_pointer(skb, at, sizeof(ip_buffer), &ip_buffer);
	if (!ip || ip->protocol != IPPROTO_ICMP || ip->frag_off & htons(IP_OFFSET))
		return;
	icmp = skb_header_pointer(skb, at + ip->ihl * 4, sizeof(icmp_buffer),
				  &icmp_buffer);
	/* What a packet socket sends is not ICMP's. */
	if (!icmp || (skb->sk && skb->sk->sk_family == PF_PACKET) ||
	    !is_last_with_one_copy(dev))
		return;
	write_icmp(EVTLOG_ICMP_TX, 4, icmp, ip->daddr, ip->saddr,
		   ntohs(ip->tot_len) - ip->ihl * 4, 0, sender_netns(skb, dev));
}
