/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks and counts for each record, for write.c and global.c */
#ifndef EVTLOG_NAMED_RECORD_H
#define EVTLOG_NAMED_RECORD_H

#include <linux/errno.h>

#include "filter/filter.h"
#include "named/named.h"

/* Returns true for the format of an event, which is not an event itself. */
static __always_inline bool evtlog_named_is_format(u32 tag)
{
	return (tag & EVTLOG_TYPE_MAX) == EVTLOG_EVENT_FORMAT;
}

/**
 * evtlog_named_refuses() - check if a record is rejected or too large
 * @tag:	of the record
 * @bytes:	length after its first word
 *
 * Context: as a route's @reserve.
 * Return: 0; -ECANCELED: the filter rejects it; -EMSGSIZE: the caller counts the loss.
 */
static __always_inline int
evtlog_named_refuses(struct evtlog_named *n, u32 tag, unsigned int bytes)
{
	if (unlikely(n->filter) && !evtlog_named_is_format(tag) &&
	    !(n->route.accepts ? n->route.accepts() : evtlog_filter_run(n->filter, NULL))) {
		this_cpu_inc(n->cpus->rejected);
		return -ECANCELED;
	}
	if (unlikely(bytes > EVTLOG_EVENT_BYTES_MAX ||
		     bytes + sizeof(u64) > n->geometry.buffer_kb * 1024 / 4))
		return -EMSGSIZE;
	return 0;
}

/**
 * evtlog_named_note() - a record is begun: note what its buffer contains
 * @c:		part whose ring has the record
 * @tag:	of the record
 * @urgent:	it must be handed over
 *
 * Context: as a route's @reserve.
 */
static __always_inline void evtlog_named_note(struct evtlog_named_cpu *c, u32 tag, bool urgent)
{
	if (c->ring.closed != c->since_buffer) {
		c->since_buffer = c->ring.closed;
		c->before = c->records;
		c->urgent = false;
		WRITE_ONCE(c->due, false);
	}
	c->urgent |= urgent;
	c->records += !evtlog_named_is_format(tag);
}

/**
 * evtlog_named_should_pass_on() - return true if the current buffer must be handed over now
 * @c:		part whose ring has the buffer
 *
 * Context: as a route's @commit.
 */
static __always_inline bool
evtlog_named_should_pass_on(const struct evtlog_named_cpu *c)
{
	const struct evtlog_ring *r = &c->ring;

	return c->urgent || c->records - c->before >= READ_ONCE(c->mark_records) ||
	       (void *)r->pos - (void *)(r->current_header + 1) >= READ_ONCE(c->mark_bytes);
}

#endif /* EVTLOG_NAMED_RECORD_H */
