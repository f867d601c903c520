// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes KernelShark's entries from a host's events: one for each event that `evtlog dump` shows.
 *
 * Plug-ins process each entry once, here.  KernelShark's own sched_events changes the pid of a
 * context switch to the next task's.
 */
#include <errno.h>
#include <stdlib.h>

#include "common/error.h"
#include "lib/base/array.h"
#include "methods.h"
#include "scheduler.h"

/*
 * @filtered:	the stream has filters, which can hide entries
 * @cpus:	highest number of a CPU with entries, plus 1
 * @used:	by number: CPUs with entries
 */
struct loading {
	struct kshark_data_stream *stream;
	struct kshark_context *context;
	struct host *host;
	struct kshark_entry **rows;
	size_t count;
	size_t capacity;
	bool filtered;
	int cpus;
	bool used[INT16_MAX + 1];
};

static struct host *host_of(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface = stream->interface;

	return interface->handle;
}

/* Lets plug-ins change the entry, then applies the filters to the changed entry. */
static void process(struct loading *loading, struct kshark_entry *entry,
		    const struct evtlog_event *event)
{
	struct plugin_record record;

	if (loading->stream->event_handlers)
		scheduler_record(&record, loading->host, event, entry->offset);
	kshark_postprocess_entry(loading->stream, &record, entry);
	if (entry->pid >= 0)
		kshark_hash_id_add(loading->stream->tasks, entry->pid);
	if (loading->filtered)
		kshark_apply_filters(loading->context, loading->stream, entry);
}

static int take(void *context, const struct iterator_event *at, uint64_t position)
{
	const struct evtlog_event *event = at->event;
	struct loading *loading = context;
	struct kshark_entry *entry;
	int id = event_id(event);

	if (event->cpu > INT16_MAX)
		return -EOVERFLOW;
	if (array_reserve(&loading->rows, &loading->capacity, loading->count,
			  sizeof(*loading->rows)))
		return -ENOMEM;
	entry = malloc(sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	*entry = (struct kshark_entry) {
		.visible = 0xff,
		.stream_id = loading->stream->stream_id,
		.event_id = id,
		.cpu = event->cpu,
		/* EVTLOG_PID_UNKNOWN becomes -1, which KernelShark does not draw. */
		.pid = event->pid,
		.offset = position,
		.ts = at->time_ns,
	};
	loading->rows[loading->count++] = entry;
	loading->used[event->cpu] = true;
	if (entry->cpu >= loading->cpus)
		loading->cpus = entry->cpu + 1;
	if (id >= EVENT_ID_REGISTERED && id < EVENT_ID_END)
		loading->host->seen[id] = true;
	process(loading, entry, event);
	return 0;
}

/* Registers CPUs without entries as idle, as KernelShark then does not plot them. */
static void register_idle(struct loading *loading)
{
	loading->stream->n_cpus = loading->cpus;
	for (int cpu = 0; cpu < loading->cpus; cpu++)
		if (!loading->used[cpu])
			kshark_hash_id_add(loading->stream->idle_cpus, cpu);
}

static void free_rows(struct kshark_entry **rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(rows[i]);
	free(rows);
}

static int load(struct loading *loading)
{
	int error;

	loading->host = host_of(loading->stream);
	loading->filtered = kshark_filter_is_set(loading->context, loading->stream->stream_id);
	scheduler_attach(loading->context, loading->stream, loading->host);
	loading->host->loaded = true;
	error = host_each(loading->host, take, loading);
	if (error == -EOVERFLOW)
		pr_err("%s: a CPU has a number above %d, which KernelShark can't show",
		       loading->stream->file, INT16_MAX);
	if (!error)
		register_idle(loading);
	return error;
}

/* Frees the entries after an error; first makes plug-ins drop their pointers to the entries. */
static void forget(struct loading *loading)
{
	scheduler_attach(loading->context, loading->stream, loading->host);
	free_rows(loading->rows, loading->count);
}

ssize_t load_entries(struct kshark_data_stream *stream, struct kshark_context *context,
		     struct kshark_entry ***rowsp)
{
	struct loading *loading = calloc(1, sizeof(*loading));
	ssize_t result;
	int error;

	if (!loading)
		return -ENOMEM;
	loading->stream = stream;
	loading->context = context;
	error = load(loading);
	if (error) {
		forget(loading);
		result = error;
	} else {
		*rowsp = loading->rows;
		result = loading->count;
	}
	free(loading);
	return result;
}

static void fill_columns(struct kshark_entry **rows, size_t count, int16_t *events, int16_t *cpus,
			 int32_t *pids, int64_t *offsets, int64_t *times)
{
	for (size_t i = 0; i < count; i++) {
		if (events)
			events[i] = rows[i]->event_id;
		if (cpus)
			cpus[i] = rows[i]->cpu;
		if (pids)
			pids[i] = rows[i]->pid;
		if (offsets)
			offsets[i] = rows[i]->offset;
		if (times)
			times[i] = rows[i]->ts;
	}
}

ssize_t load_matrix(struct kshark_data_stream *stream, struct kshark_context *context,
		    int16_t **events, int16_t **cpus, int32_t **pids, int64_t **offsets,
		    int64_t **times)
{
	struct kshark_entry **rows = NULL;
	ssize_t count = load_entries(stream, context, &rows);
	size_t total;

	if (count < 0)
		return count;
	total = count;
	if (kshark_data_matrix_alloc(total, events, cpus, pids, offsets, times))
		fill_columns(rows, total, events ? *events : NULL, cpus ? *cpus : NULL,
			     pids ? *pids : NULL, offsets ? *offsets : NULL,
			     times ? *times : NULL);
	else
		count = -ENOMEM;
	free_rows(rows, total);
	return count;
}
