/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of a registered event that have 8 bytes, written where they are made.
 *
 * As evtlog_event_put(), for a caller that writes many of them in task context: the sampler.
 */
#ifndef EVTLOG_EVENT_PUT_WORD_H
#define EVTLOG_EVENT_PUT_WORD_H

#include <linux/bitops.h>
#include <linux/evtlog.h>

#include "event/table.h"
#include "ring.h"

/**
 * evtlog_event_words_begin() - write records one behind the other, with interrupts off
 * @id:		of evtlog_event_register()
 *
 * Context: task context, interrupts on; if it returns true they are off until
 * evtlog_event_words_end(), which is to come after some microseconds.
 * Return: false: nothing is recorded, or the event goes elsewhere: evtlog_event_put() knows.
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
 * evtlog_event_words_add() - write one if that is quickly done
 * @tag:	EVTLOG_EVENT_TAG(id, 8)
 * @payload:	its 8 bytes
 *
 * Context: between evtlog_event_words_begin() and evtlog_event_words_end().
 * Return: false: nothing was done; evtlog_event_put() does it, or counts the loss, after the end.
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

/** evtlog_event_words_end() - they are complete; interrupts are on again */
static __always_inline void evtlog_event_words_end(void)
{
	raw_local_irq_enable();
}

#endif /* EVTLOG_EVENT_PUT_WORD_H */
