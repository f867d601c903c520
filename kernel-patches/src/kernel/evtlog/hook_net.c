// SPDX-License-Identifier: GPL-2.0-only
/*
 * ICMP events: what was received and what was sent.
 *
 * Stage: called from net/ipv4/ through linux/evtlog.h.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/icmp.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <net/ip.h>

#include "ring.h"

/* @words is 4 for what was received: its arrival goes with it. */
static __always_inline void
write_icmp(enum evtlog_type type, unsigned int words, const struct icmphdr *icmp,
	   __be32 peer, __be32 local, unsigned int len, u64 arrival)
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
		if (words > 3)
			record[3] = arrival;
	}
	raw_local_irq_restore(flags);
}

/**
 * __evtlog_icmp_rx() - an ICMP message with a right checksum was received
 * @skb:	ICMP header pulled, network header set
 *
 * Context: icmp_rcv(): receive softirq, RCU.
 */
void __evtlog_icmp_rx(struct sk_buff *skb)
{
	const struct iphdr *ip = ip_hdr(skb);

	/* The ICMP header is pulled already. */
	write_icmp(EVTLOG_ICMP_RX, 4, icmp_hdr(skb), ip->saddr, ip->daddr,
		   skb->len + sizeof(struct icmphdr), 0);
}

/**
 * __evtlog_icmp_tx() - a packet of this host's own is about to leave
 * @skb:	network header set; what is not ICMP is passed over
 *
 * After netfilter and fragmentation, so that what was dropped or merely
 * forwarded is not logged, and each message only once (first fragment).  Before the
 * device's queue: a bond or bridge beneath would show it several times.
 *
 * Context: ip_finish_output2(), BH off or not.
 */
void __evtlog_icmp_tx(struct sk_buff *skb)
{
	const struct iphdr *ip = ip_hdr(skb);
	struct icmphdr buffer;
	const struct icmphdr *icmp;

	if (ip->protocol != IPPROTO_ICMP || skb->skb_iif ||
	    ip->frag_off & htons(IP_OFFSET))
		return;
	icmp = skb_header_pointer(skb, skb_network_offset(skb) + ip->ihl * 4,
				  sizeof(buffer), &buffer);
	if (!icmp)
		return;
	write_icmp(EVTLOG_ICMP_TX, 3, icmp, ip->daddr, ip->saddr,
		   ntohs(ip->tot_len) - ip->ihl * 4, 0);
}
