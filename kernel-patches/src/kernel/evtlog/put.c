// SPDX-License-Identifier: GPL-2.0-only
/*
 * evtlog_put(): records an event of any kernel code, such as drivers and modules.
 */
#include <linux/evtlog.h>
#include <linux/export.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "put.h"
#include "ring.h"

static __always_inline int write(struct evtlog_entry *entry, bool fill_in_time)
{
	u32 tag = EVTLOG_TAG(fill_in_time ? EVTLOG_PUT : EVTLOG_PUT_AT, entry->id);
	unsigned long flags;
	u64 data, *record;
	int error = 0;

	if (in_nmi()) {
		evtlog_drop_nmi();
		return -EBUSY;
	}
	memcpy(&data, entry->data, sizeof(data));

	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(tag, fill_in_time ? 2 : 3);
	if (record) {
		record[1] = data;
		if (fill_in_time)
			entry->timestamp = evtlog_record_ticks(record);
		else
			record[2] = entry->timestamp;
	} else {
		error = this_cpu_read(evtlog_ring.recording) ? -ENOBUFS : -ENODATA;
	}
	raw_local_irq_restore(flags);
	return error;
}

/**
 * __evtlog_put_now() - evtlog_put() with the present time
 * @entry:	as for evtlog_put(); its id is valid, and the hook of its type is on
 *
 * A filter can replace this function, see linux/evtlog.h.
 *
 * Context: any.
 * Return: as evtlog_put().
 */
int __evtlog_put_now(struct evtlog_entry *entry)
{
	return write(entry, true);
}
DEFINE_STATIC_CALL(evtlog_put_now, __evtlog_put_now);

/**
 * __evtlog_put_at() - evtlog_put() with the caller's time
 * @entry:	as for evtlog_put(); its id is valid, and the hook of its type is on
 *
 * Context: any.
 * Return: as evtlog_put().
 */
int __evtlog_put_at(struct evtlog_entry *entry)
{
	return write(entry, false);
}
DEFINE_STATIC_CALL(evtlog_put_at, __evtlog_put_at);

/**
 * evtlog_put() - log an event
 * @entry:	the event; copied
 * @fill_in_time: true: the event happens now; the time is taken here and stored in
 *		@entry->timestamp.  False: the caller's @entry->timestamp, in ticks, is recorded in
 *		addition to the time of the call
 *
 * As in Reuter and Tichy 2003, section 2, but it may also be called from hard interrupts.
 *
 * Context: any.  In an NMI nothing is written, and the loss is counted.
 * Return: 0; -EINVAL: @entry->id does not fit 26 bits; -ENODATA: no run records this type now;
 * -ECANCELED: a filter rejects the event; -EBUSY: called in an NMI; -ENOBUFS: no buffer was free.
 * The last two are counted as lost.
 */
int evtlog_put(struct evtlog_entry *entry, bool fill_in_time)
{
	if (entry->id > EVTLOG_DATA_MAX)
		return -EINVAL;
	if (fill_in_time && evtlog_hook_on(put))
		return static_call(evtlog_put_now)(entry);
	if (!fill_in_time && evtlog_hook_on(put_at))
		return static_call(evtlog_put_at)(entry);
	return -ENODATA;
}
EXPORT_SYMBOL_GPL(evtlog_put);
