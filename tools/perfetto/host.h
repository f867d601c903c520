/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of one host while its log is written as a Perfetto trace.
 */
#ifndef EVTLOG_PERFETTO_HOST_H
#define EVTLOG_PERFETTO_HOST_H

#include <evtlog/evtlog.h>

#include "export/sources.h"
#include "export/tasks.h"
#include "lib/file/file.h"
#include "packet.h"
#include "print/fields.h"

/* Differences between log and trace.  The trace has a note about each that occurs: export.c. */
enum perfetto_note {
	PERFETTO_NOTE_PRIO,
	PERFETTO_NOTE_CALLS,
	PERFETTO_NOTE_EXEC,
	PERFETTO_NOTE_EXIT,
	PERFETTO_NOTE_FORK,
	PERFETTO_NOTE_LOST,
	PERFETTO_NOTE_CUT,
	PERFETTO_NOTES
};

/*
 * @bundles:	by slot of the CPU; without memory if the CPU is not wanted
 * @notes:	bits of enum perfetto_note
 */
struct perfetto_host {
	struct evtlog_file *file;
	const char *name;
	struct host_clock clock;
	struct export_tasks tasks;
	struct fields fields;
	struct span span;
	bool writing;
	FILE *out;
	struct bundle *bundles;
	unsigned int bundle_count;
	uint32_t notes;
	uint64_t written;
	uint64_t lost;
};

static inline void perfetto_note(struct perfetto_host *host, enum perfetto_note note)
{
	host->notes |= 1u << note;
}

/* Returns NULL if the CPU is not wanted. */
static inline struct bundle *bundle_of(struct perfetto_host *host, uint32_t cpu)
{
	uint32_t slot = file_slot(host->file, cpu);

	return slot != NO_SLOT && host->bundles[slot].memory ? &host->bundles[slot] : NULL;
}

/* ---- events.c: the events of a host as Perfetto's ftrace messages ---- */

/* Writes an event of a wanted CPU within the span. */
void perfetto_write(struct perfetto_host *host, struct bundle *bundle,
		    const struct evtlog_event *event);

/* Writes a loss of events from @from_ns to @to_ns, in the log's time. */
void perfetto_write_loss(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			 uint64_t to_ns, uint64_t lost, uint64_t lost_buffers);

/* ---- generic.c: events for which Perfetto has no message, with named fields ---- */

/* Writes a record with the fields that the log describes; a registered event with its own. */
void perfetto_write_generic(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			    const struct evtlog_event *event);

/* Writes a loss as an event; @from_ns and @time_ns, its end, are in the trace's time. */
void perfetto_write_gap(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			uint64_t time_ns, uint64_t lost, uint64_t lost_buffers);

#endif /* EVTLOG_PERFETTO_HOST_H */
