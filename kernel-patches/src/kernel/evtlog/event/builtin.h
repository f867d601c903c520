/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Built-in events that go to a named buffer.
 */
#ifndef EVTLOG_EVENT_BUILTIN_H
#define EVTLOG_EVENT_BUILTIN_H

#include <linux/types.h>

struct evtlog_event_route;
struct seq_file;

const char *evtlog_builtin_find(const char *names, u64 *types);
u64 evtlog_builtin_taken(u64 types);
bool evtlog_builtin_are_all(const char *names);
void evtlog_builtin_route(u64 types, struct evtlog_event_route *route, void **stubs);
void evtlog_builtin_free_stubs(void **stubs);
void evtlog_builtin_close(u64 types);
void evtlog_builtin_unroute(u64 types);
void evtlog_builtin_show(struct seq_file *m, u64 types);

#endif /* EVTLOG_EVENT_BUILTIN_H */
