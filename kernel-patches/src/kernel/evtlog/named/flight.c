// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a flight recorder: the remaining buffers become a log.
 *
 * If a CPU has overwritten buffers, it has lost the formats of all events with the first one.  They
 * replace the records of its oldest remaining buffer.  Sequence numbers begin at 0 again.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>

#include "named/named.h"

static size_t room_of(const struct evtlog_named *n)
{
	return (n->geometry.buffer_kb * 1024 - sizeof(struct evtlog_buffer_header)) / sizeof(u64);
}

/**
 * evtlog_named_flight_formats() - copy the formats of its events, while they are known
 * @n:		open
 * @words:	set to their length
 *
 * Return: records for evtlog_named_flight_end(); NULL: not a flight recorder, or no memory.
 */
u64 *evtlog_named_flight_formats(struct evtlog_named *n, size_t *words)
{
	*words = 0;
	return n->overwrites ? evtlog_event_route_formats(&n->route, room_of(n), words) : NULL;
}

/* Replaces a buffer's records by formats; its begin becomes equal to its end. */
static void replace(struct evtlog_buffer_header *h, const u64 *formats, size_t words)
{
	u64 *record = (u64 *)(h + 1);
	size_t at;

	memcpy(record, formats, words * sizeof(*formats));
	for (at = 0; at < words; at += evtlog_record_words(record[at]))
		evtlog_store_word(&record[at], (u32)h->end_ticks, record[at] >> 32);
	h->used_bytes = sizeof(*h) + words * sizeof(*record);
	h->begin = h->end;
	h->begin_ticks = h->end_ticks;
	h->lost[EVTLOG_LOST_FULL] = 0;
}

static struct evtlog_buffer_header *buffer_of(struct evtlog_ring *r, u64 number)
{
	return r->buffer[number % r->nr_buffers];
}

/* Returns the begin of the remaining buffers of a CPU. */
static u64 end_cpu(struct evtlog_named_cpu *c, const u64 *formats, size_t words)
{
	struct evtlog_ring *r = &c->ring;
	u64 first = r->tail, number, sequence, from;

	if (!c->overwritten || first == r->head)
		return 0;
	sequence = buffer_of(r, first)->sequence;
	for (number = first; number != r->head; number++)
		buffer_of(r, number)->sequence -= sequence;
	r->sequence -= sequence;
	buffer_of(r, first)->flags |= EVTLOG_BUFFER_FIRST;
	from = buffer_of(r, first)->begin_ticks;
	if (words && first + 1 != r->head) {
		from = buffer_of(r, first)->end_ticks;
		replace(buffer_of(r, first), formats, words);
		c->overwritten++;
	}
	return from;
}

/**
 * evtlog_named_flight_end() - make a log of the remaining buffers
 * @n:		any named buffer that has ended, before readers can see that it has
 * @formats:	from evtlog_named_flight_formats(); freed
 * @words:	length of @formats
 *
 * Return: time from which on all events are in the log, ticks; 0: from its beginning.
 */
u64 evtlog_named_flight_end(struct evtlog_named *n, u64 *formats, size_t words)
{
	unsigned int cpu;
	u64 from = 0;

	for_each_possible_cpu(cpu)
		from = max(from, end_cpu(per_cpu_ptr(n->cpus, cpu), formats, words));
	kvfree(formats);
	return from;
}
