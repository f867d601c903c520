// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of registered events, and what it tells readers: the EVENT_FORMAT of each.
 *
 * Callers are modules and probes, while they load and unload.  put.c writes their records.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "buffers.h"
#include "event/table.h"
#include "feature.h"
#include "publish.h"
#include "ring.h"
#include "run.h"

/*
 * struct event - a registered event
 * @going:	once it is gone: in the list of those
 * @by_name:	until its name is given back
 * @id:		in records
 * @gone:	unregistered; its id is not given anew in the run in which that was
 * @run:	in which its format was told last; once it is gone: in which it went
 * @bytes:	of @text
 * @text:	the format, "NAME\nFIELDS\n"
 */
struct event {
	struct list_head going;
	struct hlist_node by_name;
	unsigned int id;
	bool gone;
	u64 run;
	size_t bytes;
	char text[];
};

unsigned long evtlog_event_ids[(EVTLOG_EVENT_ID_MAX + 1) / BITS_PER_LONG];

/* Guards all below.  Held while formats are told, which may take a second. */
static DEFINE_MUTEX(table_lock);
/* All, by their ids; gone ones too, whose ids are still taken. */
static DEFINE_IDR(events);
static DEFINE_HASHTABLE(names, 8);
/* In the order in which they went. */
static LIST_HEAD(gone);

static u64 current_run(void)
{
	return READ_ONCE(evtlog_epoch) >> EVTLOG_EPOCH_RUN_SHIFT;
}

static bool ring_is_short_of_room(unsigned int words)
{
	unsigned long flags;
	bool is_short;

	raw_local_irq_save(flags);
	evtlog_ring_look(this_cpu_ptr(&evtlog_ring));
	is_short = this_cpu_read(evtlog_ring.recording) &&
		   !evtlog_ring_has_place(this_cpu_ptr(&evtlog_ring), words);
	raw_local_irq_restore(flags);
	return is_short;
}

/* While a run records, and up to @patience, waits for room; then the format is lost and counted. */
static void tell_format(struct event *event, unsigned long patience)
{
	unsigned int words = 1 + DIV_ROUND_UP(event->bytes, 8);
	unsigned long flags;
	u64 *record;

	while (ring_is_short_of_room(words) && time_before(jiffies, patience) &&
	       !signal_pending(current))
		schedule_timeout_interruptible(1);

	event->run = current_run();
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_EVENT_TAG(event->id, event->bytes) ^
				       EVTLOG_EVENT ^ EVTLOG_EVENT_FORMAT, words);
	if (record) {
		record[words - 1] = 0;
		memcpy(record + 1, event->text, event->bytes);
	}
	raw_local_irq_restore(flags);
}

static void tell_formats(void)
{
	unsigned long patience = jiffies + HZ;
	struct event *event;
	int id;

	mutex_lock(&table_lock);
	idr_for_each_entry(&events, event, id) {
		if (!event->gone)
			tell_format(event, patience);
	}
	mutex_unlock(&table_lock);
}

/* Frees those that are gone, and their ids: no record of a run under way has them. */
static void forget_gone(void)
{
	bool under_way = evtlog_publish_is_under_way();
	struct event *event, *next;
	u64 run = current_run();

	list_for_each_entry_safe(event, next, &gone, going) {
		/* So did all behind it. */
		if (under_way && event->run == run)
			break;
		idr_remove(&events, event->id);
		list_del(&event->going);
		kfree(event);
	}
}

static size_t name_length(const struct event *event)
{
	return strchr(event->text, '\n') - event->text;
}

static unsigned int name_hash(const struct event *event)
{
	return full_name_hash(NULL, event->text, name_length(event));
}

static bool name_is_taken(const struct event *event)
{
	size_t bytes = name_length(event) + 1;
	const struct event *other;

	hash_for_each_possible(names, other, by_name, name_hash(event)) {
		if (!strncmp(other->text, event->text, bytes))
			return true;
	}
	return false;
}

static int add(struct event *event)
{
	int id;

	forget_gone();
	if (name_is_taken(event))
		return -EEXIST;
	id = idr_alloc_cyclic(&events, event, 1, EVTLOG_EVENT_ID_MAX + 1, GFP_KERNEL);
	if (id < 0)
		return id;
	event->id = id;
	hash_add(names, &event->by_name, name_hash(event));
	tell_format(event, jiffies + HZ);
	/* No record of it comes before its format, but for those of a run that begins just now. */
	set_bit(id, evtlog_event_ids);
	return id;
}

/**
 * evtlog_event_register_lines() - as evtlog_event_register(), with more to tell readers
 * @name, @fields: as there
 * @lines:	what follows the fields' line, each line ending in a newline; or empty
 *
 * Context, return: as there.
 */
int evtlog_event_register_lines(const char *name, const char *fields, const char *lines)
{
	size_t bytes = strlen(name) + strlen(fields) + strlen(lines) + 2;
	int payload = evtlog_event_fields_check(fields);
	struct event *event;
	int id;

	if (payload < 0 || !evtlog_event_name_is_valid(name) || bytes > EVTLOG_EVENT_TEXT_MAX)
		return -EINVAL;
	if (payload + sizeof(u64) > READ_ONCE(evtlog_geometry.buffer_kb) * 1024UL / 4)
		return -EMSGSIZE;
	event = kzalloc(struct_size(event, text, bytes + 1), GFP_KERNEL);
	if (!event)
		return -ENOMEM;
	event->bytes = bytes;
	scnprintf(event->text, bytes + 1, "%s\n%s\n%s", name, fields, lines);

	mutex_lock(&table_lock);
	id = add(event);
	mutex_unlock(&table_lock);
	if (id < 0)
		kfree(event);
	return id;
}

/**
 * evtlog_event_register() - let kernel code log an event of its own
 * @name:	as of C, at most 31 characters; readers show it
 * @fields:	of the payload: "NAME:OFFSET:BYTES:KIND ...", one blank between, as abi.h says.
 *		Empty: readers show bytes
 *
 * Both are copied.  May be called while a run records, which is told the format then.
 *
 * Context: task context, may sleep: up to a second if a run records and no buffer is free.
 * Return: the event's id, 1 to EVTLOG_EVENT_ID_MAX, until evtlog_event_unregister();
 * -EINVAL @name or @fields is malformed or too long; -EMSGSIZE a payload with all fields is
 * larger than a quarter of a buffer, as buffers are now; -EEXIST the name is taken;
 * -ENOSPC no id is left in this run; -ENOMEM.
 */
int evtlog_event_register(const char *name, const char *fields)
{
	return evtlog_event_register_lines(name, fields, "");
}
EXPORT_SYMBOL_GPL(evtlog_event_register);

static struct event *find(int id)
{
	struct event *event = id > 0 ? idr_find(&events, id) : NULL;

	return event && !event->gone ? event : NULL;
}

/**
 * evtlog_event_release_name() - another event may have this one's name from now on
 * @id:		of evtlog_event_register(), or negative: nothing is done
 *
 * Records of it may still come; evtlog_event_forget() or evtlog_event_keep_name() follows.
 *
 * Context: task context, may sleep.
 */
void evtlog_event_release_name(int id)
{
	struct event *event;

	mutex_lock(&table_lock);
	event = find(id);
	if (event)
		hash_del(&event->by_name);
	mutex_unlock(&table_lock);
}

/**
 * evtlog_event_keep_name() - no other event may have this one's name, after all
 * @id:		of evtlog_event_release_name()
 *
 * Who has it by now has it, too.
 *
 * Context: task context, may sleep.
 */
void evtlog_event_keep_name(int id)
{
	struct event *event;

	mutex_lock(&table_lock);
	event = find(id);
	if (event && !hash_hashed(&event->by_name))
		hash_add(names, &event->by_name, name_hash(event));
	mutex_unlock(&table_lock);
}

/**
 * evtlog_event_forget() - an event is not logged any more
 * @id:		of evtlog_event_register(), or negative: nothing is done
 *
 * As evtlog_event_unregister(), but waits for nobody: the caller knows that nobody puts it.
 *
 * Context: task context, may sleep.
 */
void evtlog_event_forget(int id)
{
	struct event *event;

	mutex_lock(&table_lock);
	event = find(id);
	if (event) {
		clear_bit(id, evtlog_event_ids);
		/* A run that has begun just now, and whose records may have it. */
		if (event->run != current_run())
			tell_format(event, jiffies + HZ);
		hash_del(&event->by_name);
		event->gone = true;
		event->run = current_run();
		list_add_tail(&event->going, &gone);
	}
	mutex_unlock(&table_lock);
}

/**
 * evtlog_event_unregister() - an event is not logged any more
 * @id:		of evtlog_event_register(), or negative: nothing is done
 *
 * Also while a run records and the event is put on other CPUs: they get -EINVAL from now on, and
 * all that they had begun is complete when this returns.
 *
 * Context: task context, may sleep.
 */
void evtlog_event_unregister(int id)
{
	if (id <= 0 || id > EVTLOG_EVENT_ID_MAX)
		return;
	evtlog_event_forget(id);
	/* Writers have interrupts off, which RCU waits for. */
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(evtlog_event_unregister);

static struct evtlog_feature event __ro_after_init = {
	.name = "event",
	.run_started = tell_formats,
};
evtlog_feature(event);
