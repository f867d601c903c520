// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control messages as REMOTE records.
 *
 * Stage: between the receive path and the ring.
 */
#include <linux/evtlog.h>

#include "receipt.h"
#include "ring.h"

#define GROUP_KIND_SHIFT	8
#define BROADCAST_SHIFT		12
#define REMOTE_WORDS		6

/**
 * evtlog_receipt_write_irqoff() - write a control message's record
 * @receipt:	the message
 *
 * Context: interrupts off, not an NMI.  Nothing where no run records this type.
 */
void evtlog_receipt_write_irqoff(const struct evtlog_receipt *receipt)
{
	u64 *record;

	if (!evtlog_hook_on(remote))
		return;
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_REMOTE,
			receipt->operation |
			(receipt->group_kind & 0xf) << GROUP_KIND_SHIFT |
			receipt->is_broadcast << BROADCAST_SHIFT), REMOTE_WORDS);
	if (!record)
		return;
	record[1] = receipt->request | (u64)(__force u32)receipt->sender << 32;
	record[2] = receipt->arrival;
	record[3] = receipt->nonce;
	record[4] = receipt->group;
	record[5] = receipt->duration_ns;
}
