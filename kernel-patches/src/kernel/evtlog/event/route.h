/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an event's records go, if not to the rings of runs: each id has one destination.
 *
 * put.c and the slow path of probes look up routes here.  Ids in evtlog_event_ids go to the rings
 * of runs and are not looked up, so an event without a route has no extra cost.
 */
#ifndef EVTLOG_EVENT_ROUTE_H
#define EVTLOG_EVENT_ROUTE_H

#include <linux/types.h>

struct evtlog_ring;

#define EVTLOG_EVENT_ROUTES_MAX	16

/**
 * struct evtlog_event_route - a destination of events
 * @name:	events may be registered for the route by this name
 * @events:	names separated by commas; "udp_*" is all names that begin so.  Such events go
 *		there, whether registered before or later
 * @urgent:	names in the same format: events of the route that are handed over at once
 * @reserve:	begins a record with @bytes after its first word, which contains @tag.  Returns 0
 *		and the record; -ENOBUFS, -EMSGSIZE: counted as lost; -ECANCELED: rejected by a
 *		filter
 * @commit:	completes the record
 * @drop:	counts a loss by EVTLOG_LOST_NMI or EVTLOG_LOST_NESTED; also in an NMI
 * @is_one:	records of all CPUs go to one ring, so each format is recorded once
 * @is_for_builtins: no event can be registered for it by name: its filter is for other fields
 * @in_runs:	its events and their formats are nevertheless in the rings of runs
 * @put:	writes a whole record, as evtlog_event_put(); NULL: use @reserve and @commit
 * @forgotten:	called when an event of the route is unregistered, the table's lock held; or NULL
 * @filter:	returns the text of an event's filter, for its format in runs, valid until
 *		interrupts are on; NULL: no filter.  Or NULL
 * @ring:	per-CPU ring for writers that need no commit: they use evtlog_ring_try_reserve() for
 *		records that are not urgent and that @accepts accepts, and @reserve if that fails.
 *		NULL: no such ring
 * @accepts:	machine code of a filter; changes rax, r11 and the flags; NULL: all is accepted
 * @records, @rejected: per-CPU counters for such writers
 * @open:	per-CPU: equals @number while machine code that contains @ring's address may write
 *		there.  Still valid after the route is removed
 * @number:	unique number of the route
 * @index:	set by evtlog_event_route_add()
 *
 * Context of the functions: interrupts off; @reserve and @commit not in an NMI.
 */
struct evtlog_event_route {
	const char *name;
	const char *events;
	const char *urgent;
	int (*reserve)(struct evtlog_event_route *route, u32 tag, unsigned int bytes, bool urgent,
		       u64 **record);
	void (*commit)(struct evtlog_event_route *route);
	void (*drop)(struct evtlog_event_route *route, unsigned int cause);
	bool is_one;
	bool is_for_builtins;
	bool in_runs;
	int (*put)(struct evtlog_event_route *route, unsigned int id, const void *data,
		   size_t bytes);
	void (*forgotten)(struct evtlog_event_route *route, unsigned int id);
	const char *(*filter)(struct evtlog_event_route *route, unsigned int id);
	struct evtlog_ring __percpu *ring;
	bool (*accepts)(void);
	u64 __percpu *records;
	u64 __percpu *rejected;
	u32 __percpu *open;
	u32 number;
	unsigned int index;
};

/* send.c */
int evtlog_event_route_add(struct evtlog_event_route *route, char *culprit, size_t size);
void evtlog_event_route_remove(struct evtlog_event_route *route);
bool evtlog_event_route_copy(int id, struct evtlog_event_route *copy);
int evtlog_event_divert(int id, struct evtlog_event_route *route);
void evtlog_event_undivert(int id, struct evtlog_event_route *route);
struct seq_file;
void evtlog_event_route_show(struct seq_file *m, const struct evtlog_event_route *route);

/* tell.c */
u64 *evtlog_event_route_formats(const struct evtlog_event_route *route, size_t most, size_t *words);

/* table.c */
int evtlog_event_register_fixed(const char *name, const char *fields, const char *lines,
				const char *route);

/* route.c */
bool evtlog_event_names_have(const char *names, const char *name, size_t length);
struct evtlog_event_route *evtlog_event_route_find(const char *name);
struct evtlog_event_route *evtlog_event_route_wanting(const char *name, size_t length);
struct evtlog_event_route *evtlog_event_route_of(unsigned int id);
bool evtlog_event_is_routed(unsigned int id);
bool evtlog_event_is_urgent(unsigned int id);
void evtlog_event_route_set(unsigned int id, const struct evtlog_event_route *route, bool urgent);
int evtlog_event_route_open(struct evtlog_event_route *route);
void evtlog_event_route_wait(void);
void evtlog_event_route_close(struct evtlog_event_route *route);
int evtlog_event_route_reserve(unsigned int id, size_t bytes, u64 **record, unsigned int *index);
void evtlog_event_route_commit(unsigned int index);
int evtlog_event_route_put(unsigned int id, const void *data, size_t bytes);

/* put.c */
int evtlog_event_write(unsigned int id, const void *data, size_t bytes);

#endif /* EVTLOG_EVENT_ROUTE_H */
