// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records the formats of registered events: one EVENT_FORMAT for each.
 *
 * Called by table.c and send.c, and at each start of a run.
 */
#include <linux/evtlog.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "event/event.h"
#include "event/route.h"
#include "event/table.h"
#include "feature.h"
#include "notify.h"
#include "ring.h"

#define FILTER_LINE	"filter "
/* Length of the line without the filter's text, but with its end */
#define FILTER_LINE_BYTES	strlen(FILTER_LINE "\n")

static u32 format_tag(const struct evtlog_event *event, size_t bytes)
{
	return EVTLOG_EVENT_TAG(event->id, bytes) ^ EVTLOG_EVENT ^ EVTLOG_EVENT_FORMAT;
}

/* The event's filter in runs; NULL: none, or there is no room for it.  Interrupts are off. */
static const char *filter_of(const struct evtlog_event *event)
{
	struct evtlog_event_route *route = evtlog_event_route_of(event->id);

	if (!route || !route->filter || event->bytes + FILTER_LINE_BYTES > EVTLOG_EVENT_TEXT_MAX)
		return NULL;
	return route->filter(route, event->id);
}

/* @length: of @filter; a text that is too long is cut off */
static void write_format(const struct evtlog_event *event, const char *filter, size_t length)
{
	size_t line = filter ? FILTER_LINE_BYTES + length : 0, bytes = event->bytes + line;
	unsigned int words = 1 + DIV_ROUND_UP(bytes, 8);
	u64 *record = evtlog_reserve_irqoff(format_tag(event, bytes), words);
	char *to = (char *)(record + 1);

	if (!record)
		return;
	record[words - 1] = 0;
	memcpy(to, event->text, event->bytes);
	if (!filter)
		return;
	to += event->bytes;
	memcpy(to, FILTER_LINE, strlen(FILTER_LINE));
	memcpy(to + strlen(FILTER_LINE), filter, length);
	to[line - 1] = '\n';
}

/**
 * evtlog_event_tell() - record an event's format in a run
 * @patience:	time until when to wait for room, in jiffies; then it is lost and counted
 *
 * Context: the table's lock is held, may sleep.
 */
void evtlog_event_tell(struct evtlog_event *event, unsigned long patience)
{
	size_t most = evtlog_event_route_of(event->id) ? EVTLOG_EVENT_TEXT_MAX : event->bytes;
	unsigned int words = 1 + DIV_ROUND_UP(most, 8);
	const char *filter;
	unsigned long flags;

	evtlog_wait_for_room(words, patience);
	event->run = evtlog_event_current_run();
	raw_local_irq_save(flags);
	filter = filter_of(event);
	write_format(event, filter, filter ? strnlen(filter, EVTLOG_EVENT_TEXT_MAX -
						     event->bytes - FILTER_LINE_BYTES) : 0);
	raw_local_irq_restore(flags);
}

struct telling {
	const struct evtlog_event *event;
	struct evtlog_event_route *route;
};

/* Called on each CPU, interrupts off.  A format that finds no room is lost and counted. */
static void tell_route_here(void *data)
{
	const struct telling *t = data;
	const struct evtlog_event *event = t->event;
	u64 *record;

	if (t->route->reserve(t->route, format_tag(event, event->bytes), event->bytes, false,
			      &record))
		return;
	record[DIV_ROUND_UP(event->bytes, 8)] = 0;
	memcpy(record + 1, event->text, event->bytes);
	t->route->commit(t->route);
}

static void tell_route_here_irqoff(struct telling *telling)
{
	unsigned long flags;

	local_irq_save(flags);
	tell_route_here(telling);
	local_irq_restore(flags);
}

/**
 * evtlog_event_tell_route() - record an event's format in its route
 * @route:	each CPU's part gets the format, because each part can be read by itself
 *
 * Context: the table's lock is held, may sleep.
 */
void evtlog_event_tell_route(const struct evtlog_event *event, struct evtlog_event_route *route)
{
	struct telling telling = { .event = event, .route = route };

	if (route->is_one)
		tell_route_here_irqoff(&telling);
	else
		on_each_cpu(tell_route_here, &telling, true);
}

/* Copies the formats of a route's events, at most @most words.  @to: NULL: only counts the words. */
static size_t copy_formats(const struct evtlog_event_route *route, u64 *to, size_t most)
{
	struct evtlog_event *event;
	size_t used = 0;
	int id;

	idr_for_each_entry(&evtlog_event_all, event, id) {
		size_t needed = 1 + DIV_ROUND_UP(event->bytes, 8);

		if (event->gone || evtlog_event_route_of(id) != route || used + needed > most)
			continue;
		if (to) {
			evtlog_store_word(to + used, 0, format_tag(event, event->bytes));
			to[used + needed - 1] = 0;
			memcpy(to + used + 1, event->text, event->bytes);
		}
		used += needed;
	}
	return used;
}

/**
 * evtlog_event_route_formats() - return the EVENT_FORMATs of a route's events, without times
 * @route:	open
 * @most:	greatest number of words; events for which there is no room are left out
 * @words:	set to the length of the records
 *
 * Context: task context, may sleep.
 * Return: the records, to be freed with kvfree(); NULL: no event, or no memory.
 */
u64 *evtlog_event_route_formats(const struct evtlog_event_route *route, size_t most, size_t *words)
{
	u64 *formats = NULL;

	mutex_lock(&evtlog_event_lock);
	*words = copy_formats(route, NULL, most);
	if (*words)
		formats = kvmalloc_array(*words, sizeof(*formats), GFP_KERNEL);
	*words = formats ? copy_formats(route, formats, most) : 0;
	mutex_unlock(&evtlog_event_lock);
	return formats;
}

/* Returns true if the event's records are in the rings of runs. */
bool evtlog_event_is_in_runs(unsigned int id)
{
	const struct evtlog_event_route *route = evtlog_event_route_of(id);

	return !route || route->in_runs;
}

static void tell_formats(void)
{
	unsigned long patience = jiffies + HZ;
	struct evtlog_event *event;
	int id;

	mutex_lock(&evtlog_event_lock);
	idr_for_each_entry(&evtlog_event_all, event, id) {
		if (!event->gone && evtlog_event_is_in_runs(event->id))
			evtlog_event_tell(event, patience);
	}
	mutex_unlock(&evtlog_event_lock);
}

static struct evtlog_feature event __ro_after_init = {
	.name = "event",
	.run_started = tell_formats,
};
evtlog_feature(event);
