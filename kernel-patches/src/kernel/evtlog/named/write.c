// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of named buffers: begins and commits them, and hands over buffers.
 *
 * Called by event/ and by probes.  read.c wakes readers.
 */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "named/named.h"
#include "named/record.h"

static struct evtlog_named *named_of(struct evtlog_event_route *route)
{
	return container_of(route, struct evtlog_named, route);
}

/* This CPU's counter contains the ring's run number: see ring_lost_none() in ring.c. */
static void count_lost(struct evtlog_named_cpu __percpu *cpus, unsigned int cause)
{
	this_cpu_inc(cpus->ring.lost[cause]);
}

/* Nothing else moves the tail of a flight recorder before it has ended. */
static void give_up_oldest(struct evtlog_named_cpu *c)
{
	if (evtlog_ring_waiting(&c->ring)) {
		c->overwritten++;
		evtlog_ring_release(&c->ring);
	}
}

/*
 * Enables the fast path, up to the reader's watermark: a record that reaches it, or is urgent, is
 * committed.  If a reader changes it, the buffer is handed over, which disables the fast path.
 */
static void let_fast_in(struct evtlog_named_cpu *c)
{
	struct evtlog_ring *r = &c->ring;
	u64 mark = READ_ONCE(c->mark_bytes), *first = (u64 *)(r->current_header + 1);
	bool may = r->current_header && c->owner->route.ring && !c->urgent && !c->due &&
		   READ_ONCE(c->mark_records) == U32_MAX && mark >= sizeof(u64);
	u64 *end = may ? r->limit : NULL;

	if (may && mark < (void *)r->limit - (void *)first)
		end = (void *)first + mark - sizeof(u64);
	WRITE_ONCE(r->end, end);
}

/* On a CPU that has come up, before its next record */
static noinline void write_formats(struct evtlog_event_route *route, struct evtlog_named_cpu *c)
{
	const u64 *format = c->formats, *end = format + c->formats_words;
	unsigned int bytes;
	u64 *record;

	c->formats_due = false;
	for (; format < end; format += evtlog_record_words(*format)) {
		bytes = (evtlog_record_words(*format) - 1) * sizeof(*format);
		/* One that finds no room is lost and counted. */
		if (evtlog_named_reserve(route, *format >> 32, bytes, false, &record))
			continue;
		memcpy(record + 1, format + 1, bytes);
		evtlog_named_commit(route);
	}
}

/* The route's @reserve */
int evtlog_named_reserve(struct evtlog_event_route *route, u32 tag, unsigned int bytes,
			 bool urgent, u64 **record)
{
	struct evtlog_named *n = named_of(route);
	struct evtlog_named_cpu *c = this_cpu_ptr(n->cpus);
	struct evtlog_ring *r = &c->ring;
	int error;

	evtlog_assert_alone();
	if (unlikely(r->busy)) {
		count_lost(n->cpus, EVTLOG_LOST_NESTED);
		return -ENOBUFS;
	}
	if (unlikely(c->formats_due))
		write_formats(route, c);
	/* From here on, functions called by the filter may also have events that go here. */
	r->busy++;
	barrier();
	error = evtlog_named_refuses(n, tag, bytes);
	if (likely(!error)) {
		if (n->overwrites && !evtlog_ring_has_place(r, 1 + (bytes + 7) / 8))
			give_up_oldest(c);
		*record = evtlog_ring_write_row(r, tag, 1 + (bytes + 7) / 8, 1, NULL);
		if (likely(*record)) {
			evtlog_named_note(c, tag, urgent);
			return 0;
		}
		error = -ENOBUFS;
	} else if (error == -EMSGSIZE) {
		count_lost(n->cpus, EVTLOG_LOST_LARGE);
	}
	barrier();
	r->busy--;
	return error;
}

/* The route's @commit */
void evtlog_named_commit(struct evtlog_event_route *route)
{
	struct evtlog_named_cpu *c = this_cpu_ptr(named_of(route)->cpus);

	/* On this CPU, the buffer is handed over only after the caller's stores. */
	barrier();
	if (unlikely(evtlog_named_should_pass_on(c)))
		evtlog_named_pass_on(c);
	let_fast_in(c);
	barrier();
	c->ring.busy--;
}

/* The route's @drop */
void evtlog_named_drop(struct evtlog_event_route *route, unsigned int cause)
{
	count_lost(named_of(route)->cpus, cause);
}

/**
 * evtlog_named_pass_on() - hand over this CPU's buffer although it is not full
 * @c:		the CPU's part
 *
 * If no other buffer is free, it is only noted as due, and the reader asks again.
 *
 * Context: interrupts off, on the ring's CPU, or the global ring's lock is held; all of the record
 * is stored.
 */
void evtlog_named_pass_on(struct evtlog_named_cpu *c)
{
	struct evtlog_ring *r = &c->ring;

	if (!r->current_header)
		return;
	WRITE_ONCE(r->end, NULL);
	if (c->owner->overwrites && !evtlog_ring_may_pass_on(r))
		give_up_oldest(c);
	if (!evtlog_ring_may_pass_on(r)) {
		WRITE_ONCE(c->due, true);
		/*
		 * A buffer may have been returned just before this was seen.  Pairs with the one in
		 * evtlog_named_returned().
		 */
		smp_mb();
		if (!evtlog_ring_may_pass_on(r))
			return;
	}
	WRITE_ONCE(c->due, false);
	if (c->owner->shared)
		evtlog_named_global_close(c->owner);
	else
		evtlog_ring_pass_on(r);
}

/* Called by the ring, perhaps with the run queue locked: as in notify.c. */
void evtlog_named_handed_over(struct evtlog_ring *r)
{
	preempt_disable();
	/* On a dying CPU the irq_work would never run, and would block all later ones. */
	if (cpu_online(smp_processor_id()))
		irq_work_queue(&container_of(r, struct evtlog_named_cpu, ring)->work);
	preempt_enable();
}
