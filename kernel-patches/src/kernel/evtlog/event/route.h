/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an event's records go, if not to the rings of runs: each id has one place.
 *
 * put.c and the probes' slow way ask here.  Ids in evtlog_event_ids go to the rings of runs, and
 * are not looked up: an event that has no route is not a word dearer.
 */
#ifndef EVTLOG_EVENT_ROUTE_H
#define EVTLOG_EVENT_ROUTE_H

#include <linux/types.h>

struct evtlog_ring;

#define EVTLOG_EVENT_ROUTES_MAX	16

/**
 * struct evtlog_event_route - a place where events may go
 * @name:	events may be registered for it by that
 * @events:	names divided by commas, "udp_*" is all that begin so: those registered before and
 *		later go there
 * @urgent:	the same: of those that go there, which are passed on at once
 * @reserve:	begins a record: of @bytes behind its first word, of which @tag is 32 bits.  0, and
 *		the record; -ENOBUFS, -EMSGSIZE: counted as lost; -ECANCELED: a filter rejects it
 * @commit:	the record is complete
 * @drop:	counts a loss by EVTLOG_LOST_NMI or EVTLOG_LOST_NESTED, in an NMI, too
 * @is_one:	all CPUs' records go to one ring, which formats are told once
 * @is_for_builtins: no event can be registered for it by its name: its filter does not know their fields
 * @in_runs:	its events are in the rings of runs all the same, and their formats told there
 * @put:	writes a record at once; NULL: by @reserve and @commit.  As evtlog_event_put()
 * @forgotten:	an event that was sent there is unregistered; or NULL.  The table's lock is held
 * @filter:	the text of an event's filter, which its format tells in runs; NULL: it has none.  Or
 *		NULL.  Valid until interrupts are on
 * @ring:	per-CPU: writers that need not commit may write there by evtlog_ring_try_reserve(), what
 *		is not urgent and @accepts accepts, and @reserve where that does not do; NULL: nowhere
 * @accepts:	a filter's machine code, which changes rax, r11 and the flags; NULL: all is accepted
 * @records, @rejected: per-CPU: what such a writer counts
 * @open:	per-CPU: is @number as long as machine code that has @ring's address may write there.
 *		It is there when the route is not any more
 * @number:	no other route's
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
size_t evtlog_event_route_formats(const struct evtlog_event_route *route, u64 *to, size_t words);

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
