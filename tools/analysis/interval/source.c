// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sources of interval counters, events and the sampler's passes, and what each can provide.
 *
 * Called by host.c and report.c.
 */
#include <inttypes.h>

#include "interval.h"
#include "lib/stream/task-names.h"

/* ---- Events ---- */

static uint64_t events_span_ns(const struct interval_counters *now)
{
	return usage_span_ns(&now->usage);
}

static uint64_t events_busy_ns(const struct interval_counters *now)
{
	return usage_busy_ns(&now->usage);
}

static void events_notes(const struct interval_host *host, const struct interval_counters *now,
			 FILE *out)
{
	if (now->lost)
		fputs("  lost", out);
	else if (now->offline_ns)
		fputs("  offline", out);
	else if (!now->exact && !(host->unknown & 1u << SCHED_RUNNABLE))
		fputs("  partial", out);
}

const struct interval_source interval_events = {
	.name = "events",
	.has_times = true,
	.read = interval_events_read,
	.span_ns = events_span_ns,
	.busy_ns = events_busy_ns,
	.notes = events_notes,
};

/* ---- Samples ---- */

static uint64_t samples_span_ns(const struct interval_counters *now)
{
	return now->span_ns;
}

/* The part of the interval for which passes saw a runnable task */
static uint64_t samples_busy_ns(const struct interval_counters *now)
{
	const struct interval_passes *sampled = &now->sampled;

	return sampled->seen_ns ?
	       (uint64_t)((double)now->span_ns * sampled->busy_ns / sampled->seen_ns) : 0;
}

static void samples_notes(const struct interval_host *host, const struct interval_counters *now,
			  FILE *out)
{
	bool all = now == &host->total;

	if (all)
		fprintf(out, "  passes %" PRIu64 ", missed %" PRIu64, host->passes, host->missed);
	if (!host->incomplete)
		return;
	if (all)
		fprintf(out, ", incomplete %" PRIu64, host->incomplete);
	else
		fputs("  lost", out);
}

const struct interval_source interval_samples = {
	.name = "samples",
	.has_passes = true,
	.read = interval_samples_read,
	.span_ns = samples_span_ns,
	.busy_ns = samples_busy_ns,
	.notes = samples_notes,
};

/* ---- End of the snapshot of tasks at a log's start ---- */

static int read_cpu(struct evtlog_file *file, unsigned int slot, uint64_t *end_ns)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	unsigned int others = 0;
	int result = evtlog_stream_new(file, slot, &stream);

	if (result)
		return result;
	while (others < SNAPSHOT_PATIENCE && (result = evtlog_stream_next(stream, &event)) > 0) {
		others++;
		if (event->known != EVTLOG_TASK)
			continue;
		others = 0;
		if (*end_ns == UINT64_MAX || event->time_ns > *end_ns)
			*end_ns = event->time_ns;
	}
	evtlog_stream_free(stream);
	return result < 0 ? result : 0;
}

int interval_snapshot_end(struct evtlog_file *file, uint64_t *end_ns)
{
	unsigned int count = evtlog_cpu_count(file);
	int error = 0;

	*end_ns = UINT64_MAX;
	for (unsigned int slot = 0; !error && slot < count; slot++)
		error = read_cpu(file, slot, end_ns);
	return error;
}
