/* SPDX-License-Identifier: GPL-2.0-only */
/* A registered event: shared by table.c, tell.c and send.c */
#ifndef EVTLOG_EVENT_EVENT_H
#define EVTLOG_EVENT_EVENT_H

#include <linux/idr.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "ring.h"

struct evtlog_event_route;

/*
 * struct evtlog_event - a registered event
 * @going:	in the list of unregistered events
 * @by_name:	in the hash of names, until the name is released
 * @id:		in records
 * @gone:	unregistered; the id is not reused in the run in which this happened
 * @fixed:	its writers look up its route once and do not notice a change
 * @run:	in which its format was recorded last; if @gone: in which it was unregistered
 * @bytes:	length of @text
 * @text:	the format, "NAME\nFIELDS\n"
 */
struct evtlog_event {
	struct list_head going;
	struct hlist_node by_name;
	unsigned int id;
	bool gone;
	bool fixed;
	u64 run;
	size_t bytes;
	char text[];
};

/* Guards the table.  Held while formats are recorded, which may take a second. */
extern struct mutex evtlog_event_lock;
/* All events by id; also unregistered ones whose ids are still reserved */
extern struct idr evtlog_event_all;

static inline size_t evtlog_event_name_length(const struct evtlog_event *event)
{
	return strchr(event->text, '\n') - event->text;
}

static inline u64 evtlog_event_current_run(void)
{
	return READ_ONCE(evtlog_epoch) >> EVTLOG_EPOCH_RUN_SHIFT;
}

/* table.c */
struct evtlog_event *evtlog_event_by_id(int id);

/* tell.c */
bool evtlog_event_is_in_runs(unsigned int id);
void evtlog_event_tell(struct evtlog_event *event, unsigned long patience);
void evtlog_event_tell_route(const struct evtlog_event *event, struct evtlog_event_route *route);

/* send.c */
void evtlog_event_send_to(struct evtlog_event *event, struct evtlog_event_route *route);

#endif /* EVTLOG_EVENT_EVENT_H */
