// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of registered events: as many bytes as the caller says, where they stay.
 *
 * Callers are modules and probes.  table.c registers; ring.h has the place.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <asm/unaligned.h>

#include "event/table.h"
#include "ring.h"

/* What a quarter of the smallest buffer holds behind the first word. */
#define FITS_ANY_BUFFER		EVTLOG_EVENT_TEXT_MAX

/* Up to here, words are copied one by one. */
#define COPY_WORDS_MAX		16

static noinline __cold bool is_too_large(size_t bytes)
{
	return bytes > EVTLOG_EVENT_BYTES_MAX ||
	       bytes + sizeof(u64) > this_cpu_read(evtlog_ring.buffer_bytes) / 4;
}

static noinline __cold int refuse(bool is_large)
{
	if (!this_cpu_read(evtlog_ring.recording))
		return -ENODATA;
	if (!is_large)
		return -ENOBUFS;
	evtlog_drop_large();
	return -EMSGSIZE;
}

/*
 * Begins a record: interrupts stay off, and an event of what the caller calls meanwhile, say in
 * an exception, finds the slow way closed: no buffer is handed over with half a record.
 */
static __always_inline int begin(unsigned int id, size_t bytes, unsigned long *flags,
				 u64 **payload)
{
	unsigned int words = 1 + (bytes + 7) / 8;
	bool is_large = false;
	int error = -EINVAL;
	u64 *record;

	if (unlikely(in_nmi())) {
		evtlog_drop_nmi();
		return -EBUSY;
	}
	raw_local_irq_save(*flags);
	if (unlikely(id > EVTLOG_EVENT_ID_MAX || !test_bit(id, evtlog_event_ids)))
		goto out;
	if (unlikely(bytes > FITS_ANY_BUFFER) && unlikely(is_too_large(bytes))) {
		is_large = true;
		goto lost;
	}
	record = evtlog_reserve_irqoff(EVTLOG_EVENT_TAG(id, bytes), words);
	if (unlikely(!record))
		goto lost;
	this_cpu_write(evtlog_ring.busy, true);
	if (bytes % 8)
		record[words - 1] = 0;
	*payload = record + 1;
	return 0;
lost:
	error = refuse(is_large);
out:
	raw_local_irq_restore(*flags);
	return error;
}

static __always_inline void commit(unsigned long flags)
{
	/* Who hands the buffer over, on this CPU, comes behind the caller's stores. */
	barrier();
	this_cpu_write(evtlog_ring.busy, false);
	raw_local_irq_restore(flags);
}

static __always_inline void copy(u64 *to, const void *from, size_t bytes)
{
	u8 *rest;

	if (bytes > COPY_WORDS_MAX * sizeof(*to)) {
		memcpy(to, from, bytes);
		return;
	}
	for (; bytes >= sizeof(*to); bytes -= sizeof(*to), from += sizeof(*to))
		*to++ = get_unaligned((const u64 *)from);
	for (rest = (u8 *)to; bytes; bytes--)
		*rest++ = *(const u8 *)from++;
}

/**
 * evtlog_event_reserve() - begin a record of a registered event, in place
 * @id:		of evtlog_event_register()
 * @bytes:	of the payload, 0 to EVTLOG_EVENT_BYTES_MAX
 * @flags:	for evtlog_event_commit()
 *
 * The caller fills in all @bytes, for what was there is of an older record; soon, for
 * interrupts are off on this CPU; and without a fault: user memory is copied before.
 *
 * Context: any.  In an NMI nothing is written, and the loss is counted.
 * Return: the payload, at a multiple of 8 bytes; evtlog_event_commit() must follow.  NULL: no
 * run records this type now, @id is not registered, or the record is counted as lost: in an
 * NMI, no buffer was free, or it is larger than a quarter of a buffer.
 */
void *evtlog_event_reserve(int id, size_t bytes, unsigned long *flags)
{
	u64 *payload;

	if (!evtlog_hook_on(event) || begin(id, bytes, flags, &payload))
		return NULL;
	return payload;
}
EXPORT_SYMBOL_GPL(evtlog_event_reserve);

/**
 * evtlog_event_commit() - the record is complete
 * @flags:	of the evtlog_event_reserve() before, which gave a place
 *
 * Context: as evtlog_event_reserve() left it, on the same CPU.
 */
void evtlog_event_commit(unsigned long flags)
{
	commit(flags);
}
EXPORT_SYMBOL_GPL(evtlog_event_commit);

/**
 * evtlog_event_put() - log a registered event
 * @id:		of evtlog_event_register()
 * @data:	the payload, in kernel memory; copied
 * @bytes:	of it, 0 to EVTLOG_EVENT_BYTES_MAX
 *
 * Context: any.  In an NMI nothing is written, and the loss is counted.
 * Return: 0; -ENODATA no run records this type now; -EINVAL @id is not registered; -EBUSY
 * called in an NMI; -ENOBUFS no buffer was free; -EMSGSIZE it is larger than a quarter of a
 * buffer, or than EVTLOG_EVENT_BYTES_MAX.  The last three are counted as lost.
 */
int evtlog_event_put(int id, const void *data, size_t bytes)
{
	unsigned long flags;
	u64 *payload;
	int error;

	if (!evtlog_hook_on(event))
		return -ENODATA;
	error = begin(id, bytes, &flags, &payload);
	if (unlikely(error))
		return error;
	copy(payload, data, bytes);
	commit(flags);
	return 0;
}
EXPORT_SYMBOL_GPL(evtlog_event_put);
