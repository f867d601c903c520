/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a packet was first seen.
 *
 * Stage: between the entry of the network stack and what logs a message's receipt.
 */
#ifndef EVTLOG_ARRIVAL_H
#define EVTLOG_ARRIVAL_H

#include <linux/types.h>

struct sk_buff;

u64 evtlog_arrival(const struct sk_buff *skb);

#endif /* EVTLOG_ARRIVAL_H */
