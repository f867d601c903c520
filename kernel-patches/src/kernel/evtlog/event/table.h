/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that kernel code registers at run time */
#ifndef EVTLOG_EVENT_TABLE_H
#define EVTLOG_EVENT_TABLE_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/linux/evtlog.h>

/* Size of a format's text; with its record's first word, a quarter of the smallest buffer */
#define EVTLOG_EVENT_TEXT_MAX	1016
#define EVTLOG_EVENT_NAME_MAX	31

/*
 * A bit for each registered id that goes to runs.  Writers test it with interrupts off.
 * evtlog_event_unregister() clears it, then waits until all writers have turned interrupts on.
 */
extern unsigned long evtlog_event_ids[(EVTLOG_EVENT_ID_MAX + 1) / BITS_PER_LONG];

/* table.c */
int evtlog_event_find(const char *name, char *text, size_t size);
void evtlog_event_keep_name(int id, bool keeps);
void evtlog_event_forget(int id);
void evtlog_event_exit(void);

/* fields.c */
bool evtlog_event_kind_is_number(char kind);
bool evtlog_event_name_is_valid(const char *name);
int evtlog_event_fields_check(const char *fields);

#endif /* EVTLOG_EVENT_TABLE_H */
