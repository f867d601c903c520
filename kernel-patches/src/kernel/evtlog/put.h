/* SPDX-License-Identifier: GPL-2.0-only */
/* evtlog_put() as static calls, which filters of its events replace */
#ifndef EVTLOG_PUT_H
#define EVTLOG_PUT_H

#include <linux/static_call_types.h>

struct evtlog_entry;

int __evtlog_put_now(struct evtlog_entry *entry);
int __evtlog_put_at(struct evtlog_entry *entry);
DECLARE_STATIC_CALL(evtlog_put_now, __evtlog_put_now);
DECLARE_STATIC_CALL(evtlog_put_at, __evtlog_put_at);

#endif /* EVTLOG_PUT_H */
