/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What write.c and global.c do with each record.
 */
#ifndef EVTLOG_NAMED_RECORD_H
#define EVTLOG_NAMED_RECORD_H

#include <linux/errno.h>

#include "filter/filter.h"
#include "named/named.h"

/* What the writer tells of an event, which is none. */
static __always_inline bool evtlog_named_is_format(u32 tag)
{
	return (tag & EVTLOG_TYPE_MAX) == EVTLOG_EVENT_FORMAT;
}

/**
 * evtlog_named_refuses() - is a record rejected, or too large?
 * @tag:	of the record
 * @bytes:	behind its first word
 *
 * Context: as of a route's @reserve.
 * Return: 0; -ECANCELED the filter rejects it; -EMSGSIZE, which the caller counts.
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
 * evtlog_named_note() - a record is begun: note what is in its buffer
 * @c:		whose ring it is in
 * @tag:	of the record
 * @urgent:	pass it on
 *
 * Context: as of a route's @reserve.
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
 * evtlog_named_should_pass_on() - is the current buffer as full as its reader wants it?
 * @c:		whose ring it is
 *
 * Context: as of a route's @commit.
 */
static __always_inline bool
evtlog_named_should_pass_on(const struct evtlog_named_cpu *c)
{
	const struct evtlog_ring *r = &c->ring;

	return c->urgent || c->records - c->before >= READ_ONCE(c->mark_records) ||
	       (void *)r->pos - (void *)(r->current_header + 1) >= READ_ONCE(c->mark_bytes);
}

#endif /* EVTLOG_NAMED_RECORD_H */
