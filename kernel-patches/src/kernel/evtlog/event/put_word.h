/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record of a registered event that has 8 bytes, written where it is called.
 *
 * As evtlog_event_put(), for a caller that writes many of them in task context: the sampler.
 */
#ifndef EVTLOG_EVENT_PUT_WORD_H
#define EVTLOG_EVENT_PUT_WORD_H

#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/irqflags.h>

#include "event/table.h"
#include "ring.h"

/**
 * evtlog_event_put_word() - log a registered event of 8 bytes
 * @id:		of evtlog_event_register()
 * @payload:	the bytes
 *
 * Context: task context, interrupts on.
 * Return: as evtlog_event_put().
 */
static __always_inline int evtlog_event_put_word(unsigned int id, u64 payload)
{
	int error = 0;
	u64 *record;

	if (!evtlog_hook_on(event))
		return -ENODATA;
	raw_local_irq_disable();
	/* It goes elsewhere. */
	if (unlikely(!test_bit(id, evtlog_event_ids))) {
		raw_local_irq_enable();
		return evtlog_event_put(id, &payload, sizeof(payload));
	}
	record = evtlog_reserve_irqoff(EVTLOG_EVENT_TAG(id, sizeof(payload)), 2);
	if (likely(record))
		record[1] = payload;
	else
		error = this_cpu_read(evtlog_ring.recording) ? -ENOBUFS : -ENODATA;
	raw_local_irq_enable();
	return error;
}

#endif /* EVTLOG_EVENT_PUT_WORD_H */
