/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The formats of registered events that a log tells: its EVENT_FORMAT records.
 *
 * Stage: beside an open file.  <evtlog/event-format.h> is what readers ask.
 */
#ifndef EVTLOG_LIB_FILE_EVENT_FORMATS_H
#define EVTLOG_LIB_FILE_EVENT_FORMATS_H

#include <evtlog/event-format.h>

struct event_formats;
struct evtlog_file;

/* Nothing is read yet.  NULL when out of memory. */
struct event_formats *event_formats_new(struct evtlog_file *file);
void event_formats_free(struct event_formats *formats);

/*
 * Learns from a format's text, not NUL-terminated; of what is not well-formed, nothing.  The first
 * format of an id holds.  Returns 0 or -ENOMEM.
 */
int event_formats_learn_text(struct event_formats *formats, uint32_t id, const void *text,
			     size_t bytes);

#endif /* EVTLOG_LIB_FILE_EVENT_FORMATS_H */
