/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One host while its log is written as a Perfetto trace.
 */
#ifndef EVTLOG_PERFETTO_HOST_H
#define EVTLOG_PERFETTO_HOST_H

#include <evtlog/evtlog.h>

#include "export/sources.h"
#include "export/tasks.h"
#include "packet.h"
#include "print/fields.h"

/* What is said of the trace, as it happened to occur: see notes in export.c. */
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
 * @bundles:	of the CPUs that are wanted; @bundle_of_number: by a CPU's number, an index and one
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
	uint32_t *bundle_of_number;
	uint32_t notes;
	uint64_t written;
	uint64_t lost;
};

static inline void perfetto_note(struct perfetto_host *host, enum perfetto_note note)
{
	host->notes |= 1u << note;
}

/* NULL: the CPU is not wanted. */
static inline struct bundle *bundle_of(struct perfetto_host *host, uint32_t cpu)
{
	uint32_t number = cpu < EVTLOG_CPU_LIMIT ? host->bundle_of_number[cpu] : 0;

	return number ? &host->bundles[number - 1] : NULL;
}

/* ---- The events of a host as Perfetto's ftrace messages ---- */

/* An event of a CPU that is wanted, within the span. */
void perfetto_write(struct perfetto_host *host, struct bundle *bundle,
		    const struct evtlog_event *event);

/* Events are missing: from @from_ns to @to_ns of the log's time. */
void perfetto_write_loss(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			 uint64_t to_ns, uint64_t lost, uint64_t lost_buffers);

/* ---- Events that Perfetto has no message for: their names and fields as text ---- */

/* A record as the log describes it; a registered event as its format does. */
void perfetto_write_generic(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			    const struct evtlog_event *event);

/* What is no record: a loss, @from_ns of the trace's time. */
void perfetto_write_gap(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			uint64_t time_ns, uint64_t lost, uint64_t lost_buffers);

#endif /* EVTLOG_PERFETTO_HOST_H */
