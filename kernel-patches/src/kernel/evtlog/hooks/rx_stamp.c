// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rx timestamp of packets: the time when a packet entered the network stack.
 *
 * Called from net/core/dev.c for each packet, and by code that records a received message.
 *
 * Each CPU keeps only the time of its last packet.  This may not be the packet that is recorded,
 * because drivers hand over several packets before the first is processed.  But the recorded packet
 * also passed here, on this CPU, so the time is its own or a later one.  It is never too early, as
 * a bound on clocks requires.  Nothing that could be mistaken, such as a packet's address, is
 * compared.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/evtlog.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/skbuff.h>

#include "clock.h"
#include "feature.h"
#include "hooks/icmp.h"

static DEFINE_PER_CPU(u64, last_rx);

/* Older times are from an earlier use, and may be from before a packet came. */
static u64 since;

/**
 * __evtlog_rx_stamp() - a packet enters the network stack
 *
 * Context: __netif_receive_skb_core(): BH off.
 */
void __evtlog_rx_stamp(void)
{
	this_cpu_write(last_rx, evtlog_ticks64());
}

/**
 * evtlog_rx_ticks() - return the time when a packet entered the network stack
 * @skb:	received by this CPU
 *
 * A packet that waited in between, for user space or an asynchronous cipher, may have come in on
 * another CPU.  Its context shows this: it has no time.
 *
 * Context: while the packet is received.
 * Return: ticks, not before the packet came and not after now; 0: unknown.
 */
u64 evtlog_rx_ticks(const struct sk_buff *skb)
{
	u64 last = this_cpu_read(last_rx);

	/* If the hook is off, the last packet may be long ago. */
	if (!evtlog_hook_on(icmp_rx))
		return 0;
	if (!in_serving_softirq() || secpath_exists(skb))
		return 0;
	return last > READ_ONCE(since) ? last : 0;
}

/* Packets will be stamped from now on; the key of icmp_rx is still off. */
static void begin(u64 types)
{
	WRITE_ONCE(since, evtlog_ticks64());
}

static struct evtlog_feature rx_stamp __ro_after_init = {
	.name = "rx_stamp",
	.events = BIT_ULL(EVTLOG_ICMP_RX),
	.events_on = begin,
};
evtlog_feature(rx_stamp);
