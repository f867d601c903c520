// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of registered events: the caller chooses the number of bytes, and writes them in place.
 *
 * Callers are modules and probes.  table.c registers events; ring.h has the ring.
 */
#include <linux/bitops.h>
#include <linux/evtlog.h>
#include <linux/export.h>
#include <linux/string.h>
#include <asm/unaligned.h>

#include "event/route.h"
#include "event/table.h"
#include "ring.h"

/* A payload that fits into a quarter of the smallest buffer, after the first word */
#define FITS_ANY_BUFFER		EVTLOG_EVENT_TEXT_MAX

/* Up to this size, words are copied one by one. */
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
 * Bits in the flags for evtlog_event_commit() if the record has a route: a mark, whether interrupts
 * were on, and the route's index.  Apart from these bits, the flags mean that interrupts were off.
 * So evtlog_event_commit() tests the mark only if interrupts are off in the flags.
 */
#define ROUTED			(1UL << 63)
#define ROUTED_IRQS_ON		(1UL << 62)
#define ROUTED_INDEX_SHIFT	48
#define ROUTED_INDEX_MASK	0xffUL

static_assert(EVTLOG_EVENT_ROUTES_MAX - 1 <= ROUTED_INDEX_MASK);

/* As begin(), for an event that has a route.  The caller must call commit_routed(). */
static int begin_routed(unsigned int id, size_t bytes, unsigned long *flags, u64 **payload)
{
	unsigned long was_on;
	unsigned int index;
	u64 *record;
	int error;

	if (id > EVTLOG_EVENT_ID_MAX)
		return -EINVAL;
	raw_local_irq_save(*flags);
	error = evtlog_event_route_reserve(id, bytes, &record, &index);
	if (error) {
		raw_local_irq_restore(*flags);
		return error;
	}
	was_on = raw_irqs_disabled_flags(*flags) ? 0 : ROUTED_IRQS_ON;
	if (bytes % 8)
		record[(bytes + 7) / 8] = 0;
	*payload = record + 1;
	raw_local_save_flags(*flags);
	*flags |= ROUTED | was_on | (unsigned long)index << ROUTED_INDEX_SHIFT;
	return 0;
}

static noinline __cold void commit_routed(unsigned long flags)
{
	evtlog_event_route_commit(flags >> ROUTED_INDEX_SHIFT & ROUTED_INDEX_MASK);
	if (flags & ROUTED_IRQS_ON)
		raw_local_irq_enable();
}

/* Returns true if the route was closed after begin() had looked: the event is in runs again. */
static bool has_come_back(unsigned int id, int error)
{
	return error == -EINVAL && id <= EVTLOG_EVENT_ID_MAX && test_bit(id, evtlog_event_ids);
}

static noinline __cold void *reserve_routed(unsigned int id, size_t bytes, unsigned long *flags)
{
	u64 *payload;
	int error = begin_routed(id, bytes, flags, &payload);

	if (error && has_come_back(id, error))
		return evtlog_event_reserve(id, bytes, flags);
	return error ? NULL : payload;
}

static noinline __cold int put_routed(unsigned int id, const void *data, size_t bytes)
{
	unsigned long flags;
	u64 *payload;
	int error;

	if (id > EVTLOG_EVENT_ID_MAX)
		return -EINVAL;
	raw_local_irq_save(flags);
	error = evtlog_event_route_put(id, data, bytes);
	raw_local_irq_restore(flags);
	if (error != -ENOSYS)
		return error;
	error = begin_routed(id, bytes, &flags, &payload);
	if (error && has_come_back(id, error))
		return evtlog_event_put(id, data, bytes);
	if (error)
		return error;
	memcpy(payload, data, bytes);
	commit_routed(flags);
	return 0;
}

static noinline __cold int drop_nmi(unsigned int id)
{
	unsigned int index;
	u64 *record;

	if (id <= EVTLOG_EVENT_ID_MAX && evtlog_event_is_routed(id))
		return evtlog_event_route_reserve(id, 0, &record, &index);
	evtlog_drop_nmi();
	return -EBUSY;
}

/*
 * Begins a record.  Interrupts stay off.  An event in code that the caller runs meanwhile, such as
 * an exception, cannot use the slow path, so no buffer is handed over with half a record.  Returns
 * -EINVAL if nothing was done: the event may have a route.
 */
static __always_inline int begin(unsigned int id, size_t bytes, unsigned long *flags,
				 u64 **payload)
{
	unsigned int words = 1 + (bytes + 7) / 8;
	bool is_large = false;
	int error = -EINVAL;
	u64 *record;

	if (unlikely(in_nmi()))
		return drop_nmi(id);
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
	this_cpu_inc(evtlog_ring.busy);
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

static __always_inline void close_record(void)
{
	/* On this CPU, a buffer is handed over only after the caller's stores. */
	barrier();
	this_cpu_dec(evtlog_ring.busy);
}

static __always_inline void commit(unsigned long flags)
{
	close_record();
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
 * evtlog_event_write() - write a record to the rings of runs, even if the event has a route
 * @id:		registered
 * @data:	the payload
 *
 * Context: interrupts off, not an NMI.
 * Return: as evtlog_event_put().
 */
noinline int evtlog_event_write(unsigned int id, const void *data, size_t bytes)
{
	unsigned int words = 1 + (bytes + 7) / 8;
	u64 *record;

	if (bytes > FITS_ANY_BUFFER && is_too_large(bytes))
		return refuse(true);
	record = evtlog_reserve_irqoff(EVTLOG_EVENT_TAG(id, bytes), words);
	if (!record)
		return refuse(false);
	if (bytes % 8)
		record[words - 1] = 0;
	copy(record + 1, data, bytes);
	return 0;
}

/**
 * evtlog_event_reserve() - begin a record of a registered event, in place
 * @id:		from evtlog_event_register()
 * @bytes:	length of the payload, 0 to EVTLOG_EVENT_BYTES_MAX
 * @flags:	for evtlog_event_commit()
 *
 * The caller must fill in all @bytes, because the memory has old data.  It must do so quickly,
 * because interrupts are off on this CPU, and without page faults: user memory is copied before.
 *
 * Context: any.  In an NMI nothing is written, and the loss is counted.
 * Return: the payload, aligned to 8 bytes; evtlog_event_commit() must follow.  NULL: no run records
 * this type now, @id is not registered, or the record is counted as lost: in an NMI, no buffer was
 * free, or it is larger than a quarter of a buffer.
 */
void *evtlog_event_reserve(int id, size_t bytes, unsigned long *flags)
{
	u64 *payload;

	int error;

	if (!evtlog_hook_on(event))
		return NULL;
	error = begin(id, bytes, flags, &payload);
	if (unlikely(error))
		return error == -EINVAL ? reserve_routed(id, bytes, flags) : NULL;
	return payload;
}
EXPORT_SYMBOL_GPL(evtlog_event_reserve);

/**
 * evtlog_event_commit() - complete a record
 * @flags:	from the successful evtlog_event_reserve()
 *
 * Context: as evtlog_event_reserve() left it, on the same CPU.
 */
void evtlog_event_commit(unsigned long flags)
{
	/* On UML flags are a number, and with ROUTED they would look as if interrupts were on. */
	if (!IS_ENABLED(CONFIG_UML) && likely(!raw_irqs_disabled_flags(flags))) {
		close_record();
		raw_local_irq_enable();
	} else if (flags & ROUTED) {
		commit_routed(flags);
	} else {
		commit(flags);
	}
}
EXPORT_SYMBOL_GPL(evtlog_event_commit);

/**
 * evtlog_event_put() - log a registered event
 * @id:		from evtlog_event_register()
 * @data:	the payload, in kernel memory; copied
 * @bytes:	length of the payload, 0 to EVTLOG_EVENT_BYTES_MAX
 *
 * Context: any.  In an NMI nothing is written, and the loss is counted.
 * Return: 0; -ENODATA: no run records this type now; -EINVAL: @id is not registered; -EBUSY: called
 * in an NMI; -ENOBUFS: no buffer was free; -EMSGSIZE: larger than a quarter of a buffer, or than
 * EVTLOG_EVENT_BYTES_MAX.  The last three are counted as lost.  -ECANCELED: rejected by the event's
 * filter, or by the filter of its named buffer.
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
		return error == -EINVAL ? put_routed(id, data, bytes) : error;
	copy(payload, data, bytes);
	commit(flags);
	return 0;
}
EXPORT_SYMBOL_GPL(evtlog_event_put);
