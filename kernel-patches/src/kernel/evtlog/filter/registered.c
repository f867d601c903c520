// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of events that modules register: by the names of their fields.
 *
 * Called by events.c, under its lock.  An event with a filter gets a route (event/route.h).  Events
 * without a filter still test only one bit.  A record that is written in place is built in other
 * memory, and copied to the ring if it is accepted.  function.c makes the filter's code.
 */
#include <linux/err.h>
#include <linux/evtlog.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "code/text.h"
#include "event/route.h"
#include "event/table.h"
#include "filter/hook.h"
#include "proc.h"
#include "ring.h"
#include "run.h"

#define FILTERS_MAX	32

/*
 * struct registered - an event's filter
 * @id:		id of the event
 * @gone:	True: the event is unregistered; the filter is freed at the next change
 * @accepts:	machine code
 * @rejected:	per-CPU: number of rejected records
 * @text:	text as written
 */
struct registered {
	unsigned int id;
	bool gone;
	bool (*accepts)(const void *payload, size_t bytes);
	u64 __percpu *rejected;
	char name[EVTLOG_EVENT_NAME_MAX + 1];
	char text[];
};

/* Read by writers of records with interrupts off; changed under the lock of events.c. */
static struct registered *filters[FILTERS_MAX];

/* struct scratch - a CPU's record that is written in place */
struct scratch {
	bool busy;
	u32 tag;
	unsigned int bytes;
	u64 record[1 + EVTLOG_EVENT_BYTES_MAX / sizeof(u64)];
};

static struct scratch __percpu *scratch;

static struct registered *find(unsigned int id)
{
	unsigned int i;

	for (i = 0; i < FILTERS_MAX; i++) {
		struct registered *f = READ_ONCE(filters[i]);

		if (f && f->id == id && !READ_ONCE(f->gone))
			return f;
	}
	return NULL;
}

static int write(unsigned int id, const void *data, size_t bytes)
{
	struct registered *f = find(id);

	/* The event is being unregistered.  Without its filter, no record is written. */
	if (!f)
		return -EINVAL;
	if (!f->accepts(data, bytes)) {
		this_cpu_inc(*f->rejected);
		return -ECANCELED;
	}
	return evtlog_event_write(id, data, bytes);
}

/* As in struct evtlog_event_route */
static int put(struct evtlog_event_route *route, unsigned int id, const void *data, size_t bytes)
{
	if (evtlog_ring_is_idle())
		return -ENODATA;
	return write(id, data, bytes);
}

static int reserve(struct evtlog_event_route *route, u32 tag, unsigned int bytes, bool urgent,
		   u64 **record)
{
	struct scratch *s = this_cpu_ptr(scratch);

	if (evtlog_ring_is_idle())
		return -ENODATA;
	if (bytes > EVTLOG_EVENT_BYTES_MAX) {
		evtlog_drop_large();
		return -EMSGSIZE;
	}
	/* An exception while another record is built */
	if (s->busy) {
		evtlog_drop_nested();
		return -ENOBUFS;
	}
	s->busy = true;
	s->tag = tag;
	s->bytes = bytes;
	*record = s->record;
	return 0;
}

static void commit(struct evtlog_event_route *route)
{
	struct scratch *s = this_cpu_ptr(scratch);

	write(s->tag >> EVTLOG_TYPE_BITS & EVTLOG_EVENT_ID_MAX, s->record + 1, s->bytes);
	barrier();
	s->busy = false;
}

static void drop(struct evtlog_event_route *route, unsigned int cause)
{
	if (cause == EVTLOG_LOST_NMI)
		evtlog_drop_nmi();
	else
		evtlog_drop_nested();
}

static void forgotten(struct evtlog_event_route *route, unsigned int id)
{
	struct registered *f;

	/* A write to the file may replace the filter at the same time. */
	rcu_read_lock();
	f = find(id);
	if (f)
		WRITE_ONCE(f->gone, true);
	rcu_read_unlock();
}

static const char *filter(struct evtlog_event_route *route, unsigned int id)
{
	const struct registered *f = find(id);

	return f ? f->text : NULL;
}

static struct evtlog_event_route route = {
	.name = "!filter",	/* not a name of a buffer */
	.in_runs = true,
	.put = put,
	.reserve = reserve,
	.commit = commit,
	.drop = drop,
	.forgotten = forgotten,
	.filter = filter,
};

/* "NAME:OFFSET:BYTES:KIND ...", checked at registration.  Text and bytes are not numbers. */
static void take_fields(struct filter_layout *l)
{
	char *at = strchr(l->text, '\n') + 1, *field;

	at[strcspn(at, "\n")] = '\0';
	while ((field = strsep(&at, " ")) && l->nr < FILTER_PAYLOAD_FIELDS_MAX) {
		char *name = strsep(&field, ":");
		unsigned int offset, bytes;
		char kind;

		if (!field || sscanf(field, "%u:%u:%c", &offset, &bytes, &kind) != 3 ||
		    !evtlog_event_kind_is_number(kind))
			continue;
		l->offset[l->nr] = offset;
		if (kind == 'n' || kind == '4')
			l->swapped |= 1ULL << l->nr;
		l->fields[l->nr] = (struct evtlog_filter_field){
			.name = name, .slot = l->nr, .width = bytes, .is_signed = kind == 'd',
		};
		l->nr++;
	}
}

static void free_filter(struct registered *f)
{
	if (!f)
		return;
	evtlog_text_free(f->accepts);
	free_percpu(f->rejected);
	kfree(f);
}

static struct registered *make(const char *name, struct filter_layout *l, const char *text, char *error,
			       size_t size)
{
	struct evtlog_filter *filter;
	struct registered *f;
	void *code;

	take_fields(l);
	filter = evtlog_filter_compile(text, l->fields, l->nr, error, size);
	if (!filter)
		return ERR_PTR(-EINVAL);
	code = filter_payload_function(l, filter);
	evtlog_filter_free(filter);
	if (IS_ERR(code))
		return code;
	f = kzalloc(struct_size(f, text, strlen(text) + 1), GFP_KERNEL);
	if (f) {
		f->accepts = code;
		f->rejected = alloc_percpu(u64);
		strscpy(f->name, name, sizeof(f->name));
		strcpy(f->text, text);
	}
	if (f && f->rejected)
		return f;
	if (!f)
		evtlog_text_free(code);
	free_filter(f);
	return ERR_PTR(-ENOMEM);
}

/* Frees the filters of unregistered events. */
static void free_gone(void)
{
	unsigned int i;

	for (i = 0; i < FILTERS_MAX; i++) {
		struct registered *f = filters[i];

		if (!f || !f->gone)
			continue;
		WRITE_ONCE(filters[i], NULL);
		evtlog_event_route_wait();
		free_filter(f);
	}
}

static unsigned int place_of(int id)
{
	unsigned int i, place = FILTERS_MAX;

	for (i = 0; i < FILTERS_MAX; i++) {
		if (filters[i] && filters[i]->id == id)
			return i;
		if (!filters[i] && place == FILTERS_MAX)
			place = i;
	}
	return place;
}

static int exchange(int id, struct registered *f)
{
	unsigned int place = place_of(id);
	struct registered *before;
	int error = 0;

	if (place == FILTERS_MAX)
		return -ENOSPC;
	before = filters[place];
	if (f) {
		f->id = id;
		WRITE_ONCE(filters[place], f);
		/* The event may have been unregistered meanwhile, with its previous filter. */
		error = evtlog_event_divert(id, &route);
		if (error)
			WRITE_ONCE(filters[place], NULL);
	} else if (before) {
		evtlog_event_undivert(id, &route);
		WRITE_ONCE(filters[place], NULL);
	}
	evtlog_event_route_wait();
	free_filter(before);
	return error;
}

static int change(int id, const char *name, struct filter_layout *l, const char *text, char *error,
		  size_t size)
{
	struct registered *f = NULL;
	int status;

	if (!scratch)
		scratch = __alloc_percpu(sizeof(*scratch), sizeof(u64));
	if (!scratch)
		return -ENOMEM;
	if (*text)
		f = make(name, l, text, error, size);
	if (IS_ERR(f))
		return PTR_ERR(f);
	status = evtlog_run_change_begin();
	if (!status) {
		status = exchange(id, f);
		evtlog_run_change_end();
	}
	if (status)
		free_filter(f);
	if (status == -EEXIST)
		status = evtlog_refuse(error, size, -EINVAL,
				       "%s goes to a named buffer, or is a probe's; give the buffer or the probe the filter", name);
	return status;
}

/**
 * filter_registered_change() - set or remove the filter of a registered event
 * @name:	name of the event
 * @text:	text of the filter; empty: remove it
 * @error:	the reason, with -EINVAL
 *
 * Context: the lock of events.c is held.
 * Return: 0; -EINVAL; -EBUSY: a run is being recorded; -ENOSPC: too many filters; -ENOMEM.
 */
int filter_registered_change(const char *name, const char *text, char *error, size_t size)
{
	struct filter_layout *l = kzalloc(sizeof(*l), GFP_KERNEL);
	int id, status;

	if (!l)
		return -ENOMEM;
	free_gone();
	id = evtlog_event_find(name, l->text, sizeof(l->text));
	if (id < 0) {
		status = evtlog_refuse(error, size, -EINVAL,
			"%.32s is neither a type that can have a filter nor an event of a module", name);
	} else {
		status = change(id, name, l, text, error, size);
	}
	kfree(l);
	return status;
}

#ifdef MODULE
/* Frees all filters; no event is registered any more. */
void filter_registered_exit(void)
{
	free_gone();
	free_percpu(scratch);
}
#endif

/**
 * filter_registered_show() - list the filters of registered events
 *
 * Context: as above.
 */
void filter_registered_show(struct seq_file *m)
{
	unsigned int i, cpu;

	for (i = 0; i < FILTERS_MAX; i++) {
		const struct registered *f = filters[i];
		u64 sum = 0;

		if (!f || f->gone)
			continue;
		for_each_possible_cpu(cpu)
			sum += data_race(*per_cpu_ptr(f->rejected, cpu));
		seq_printf(m, "%s rejected %llu if %s\n", f->name, sum, f->text);
	}
}
