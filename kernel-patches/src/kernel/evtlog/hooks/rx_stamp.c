// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rx timestamp of packets: when each was first seen, as early as the network stack has it.
 *
 * Called from net/core/dev.c for each packet, and asked by what records a received message.
 *
 * A CPU keeps one time: when the last packet came.  It needs not be this packet's own, for
 * drivers hand over several before the first is looked at; but since this one
 * passed here too, on this CPU, the last time is its own or a later one: never too
 * early, which a bound on clocks must not be.  Nothing that could be mistaken,
 * such as a packet's address, is compared.
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

/* Older times are of an earlier use, and may be from before a packet came. */
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
 * evtlog_rx_ticks() - when did this packet enter the network stack?
 * @skb:	received by this CPU
 *
 * What waited in between, for user space or an asynchronous cipher, may have
 * come in elsewhere, and says so by its context.
 *
 * Context: as it is received.
 * Return: ticks, not earlier than it came and not later than now; 0: it was not looked for.
 */
u64 evtlog_rx_ticks(const struct sk_buff *skb)
{
	u64 last = this_cpu_read(last_rx);

	/* What was seen last may be long ago when this does not look any more. */
	if (!evtlog_hook_on(icmp_rx))
		return 0;
	if (!in_serving_softirq() || secpath_exists(skb))
		return 0;
	return last > READ_ONCE(since) ? last : 0;
}

/* Packets are about to be looked at, from now on: the key of icmp_rx is still off. */
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
