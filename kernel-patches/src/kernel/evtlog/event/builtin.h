/* SPDX-License-Identifier: GPL-2.0-only */
/* Built-in events that go to a named buffer */
#ifndef EVTLOG_EVENT_BUILTIN_H
#define EVTLOG_EVENT_BUILTIN_H

#include <linux/types.h>
#include <uapi/linux/evtlog.h>

struct evtlog_event_route;
struct evtlog_ring;
struct seq_file;
struct static_call_key;

/*
 * struct evtlog_place - where a type's records go.  Writers read it with interrupts off
 * @ring, @accepts, @records, @rejected: of the route; @ring is also NULL if the type is urgent
 * @route:	NULL: nowhere, because the route is just added or removed
 * @urgent:	records are handed over at once
 */
struct evtlog_place {
	struct evtlog_ring __percpu *ring;
	bool (*accepts)(void);
	u64 __percpu *records;
	u64 __percpu *rejected;
	struct evtlog_event_route *route;
	bool urgent;
};

/* One for each type */
extern struct evtlog_place evtlog_places[EVTLOG_TYPE_MAX + 1];
/* Time when types were last sent to a route: NMIs that began earlier leave no record. */
extern u64 evtlog_places_since;

/*
 * struct evtlog_builtin - the call site of a hook
 * @type:	of its records; two hooks may have the same type
 * @key, @trampoline: of the site's static call
 * @to_run, @to_route: functions that it calls
 */
struct evtlog_builtin {
	u8 type;
	struct static_call_key *key;
	void *trampoline;
	void *to_run;
	void *to_route;
};

/* An upper limit of evtlog_nr_builtins */
#define EVTLOG_BUILTINS_MAX	48

extern const struct evtlog_builtin evtlog_builtins[];
extern const unsigned int evtlog_nr_builtins;

const char *evtlog_builtin_find(const char *names, u64 *types);
u64 evtlog_builtin_taken(u64 types);
bool evtlog_builtin_is_possible(const char *name);
bool evtlog_builtin_are_all(const char *names);
void evtlog_builtin_route(u64 types, struct evtlog_event_route *route, void **stubs);
void evtlog_builtin_free_stubs(void **stubs);
void evtlog_builtin_close(u64 types);
void evtlog_builtin_unroute(u64 types);
void evtlog_builtin_show(struct seq_file *m, u64 types);

#endif /* EVTLOG_EVENT_BUILTIN_H */
