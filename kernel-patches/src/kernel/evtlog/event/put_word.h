/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inline writers for records of a registered event with a payload of 8 bytes.
 *
 * As evtlog_event_put(), for a caller that writes many records in task context: the sampler.
 */
#ifndef EVTLOG_EVENT_PUT_WORD_H
#define EVTLOG_EVENT_PUT_WORD_H

#include <linux/bitops.h>
#include <linux/evtlog.h>

#include "event/table.h"
#include "ring.h"

/**
 * evtlog_event_words_begin() - begin a sequence of records, with interrupts off
 * @id:		from evtlog_event_register()
 *
 * Context: task context, interrupts on.  If true is returned, they are off until
 * evtlog_event_words_end(), which must follow within microseconds.
 * Return: false: nothing is recorded, or the event has a route.  Then call evtlog_event_put().
 */
static __always_inline bool evtlog_event_words_begin(unsigned int id)
{
	if (!evtlog_hook_on(event))
		return false;
	raw_local_irq_disable();
	if (likely(test_bit(id, evtlog_event_ids)))
		return true;
	raw_local_irq_enable();
	return false;
}

/**
 * evtlog_event_words_add() - write a record on the fast path
 * @tag:	EVTLOG_EVENT_TAG(id, 8)
 * @payload:	its 8 bytes
 *
 * Context: between evtlog_event_words_begin() and evtlog_event_words_end().
 * Return: false: nothing was done.  After the end, evtlog_event_put() writes it or counts the loss.
 */
static __always_inline bool evtlog_event_words_add(u32 tag, u64 payload)
{
	u64 *pos = this_cpu_read(evtlog_ring.pos);

	if (unlikely(evtlog_ring_is_full(pos + 1)) ||
	    unlikely(!evtlog_ring_try_write_at(&evtlog_ring, pos, tag, 2)))
		return false;
	pos[1] = payload;
	return true;
}

/** evtlog_event_words_end() - end the sequence; interrupts are on again */
static __always_inline void evtlog_event_words_end(void)
{
	raw_local_irq_enable();
}

#endif /* EVTLOG_EVENT_PUT_WORD_H */
