/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rx timestamp of packets: when each was first seen.
 */
#ifndef EVTLOG_RX_STAMP_H
#define EVTLOG_RX_STAMP_H

#include <linux/types.h>

struct sk_buff;

u64 evtlog_rx_ticks(const struct sk_buff *skb);

#endif /* EVTLOG_RX_STAMP_H */
