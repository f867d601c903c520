// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control messages as REMOTE records.
 *
 * Stage: between the receive path and the ring.
 */
#include <linux/evtlog.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "remote/command.h"
#include "ring.h"

#define GROUP_KIND_SHIFT	8
#define BROADCAST_SHIFT		12
#define NAME_WORDS		2
#define REMOTE_WORDS		(6 + NAME_WORDS)

/* The end is where paths of one program's groups differ. */
static void store_name_end(u64 *words, const struct evtlog_receipt *receipt)
{
	size_t bytes = min_t(size_t, receipt->name_bytes, NAME_WORDS * sizeof(u64));

	memset(words, 0, NAME_WORDS * sizeof(u64));
	memcpy(words, receipt->name + receipt->name_bytes - bytes, bytes);
}

static void write_irqoff(const struct evtlog_receipt *receipt)
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
	store_name_end(&record[6], receipt);
}

/**
 * evtlog_receipt_write() - write a control message's record
 * @receipt:	the message
 *
 * Context: any but NMI.  Nothing where no run records this type.
 */
void evtlog_receipt_write(const struct evtlog_receipt *receipt)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	write_irqoff(receipt);
	raw_local_irq_restore(flags);
}
