/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A registered event: between table.c, tell.c and send.c.
 */
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
 * @going:	once it is gone: in the list of those
 * @by_name:	until its name is given back
 * @id:		in records
 * @gone:	unregistered; its id is not given anew in the run in which that was
 * @run:	in which its format was told last; once it is gone: in which it went
 * @fixed:	what writes it knows where it goes, and does not learn of another place
 * @bytes:	of @text
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

/* Guards all of the table.  Held while formats are told, which may take a second. */
extern struct mutex evtlog_event_lock;
/* All, by their ids; gone ones too, whose ids are still taken. */
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
