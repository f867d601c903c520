// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the locations of threads with regions: their events and definitions.
 *
 * OTF2 requires correct nesting, whatever a file contains.  So the end of a region also ends the
 * regions inside it, and regions that are open at the end of the thread end there.
 */
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "definitions.h"
#include "export/run.h"
#include "region-traces.h"
#include "thread.h"

/* Limits of the library for a thread; regions with larger numbers are named "?". */
#define NUMBERS_MAX	8192
#define DEPTH_MAX	256

struct name {
	char *text;
	uint32_t region;
};

/*
 * The state for one thread.
 * @regions:	by number; 0: no name so far (region 0 of the archive is never a program's)
 * @open:	@depth open regions: numbers, and regions of the archive
 * @skipped:	number of open regions deeper than DEPTH_MAX
 * @raw_ns, @last_ns: latest time, in the file's and in the archive's times
 * @gaps:	number of gaps in its file
 */
struct writing {
	struct region_traces *traces;
	OTF2_EvtWriter *writer;
	struct evtlog_host_cursor *cursor;
	uint32_t regions[NUMBERS_MAX + 1];
	struct {
		uint32_t number;
		uint32_t region;
	} open[DEPTH_MAX];
	unsigned int depth;
	uint64_t skipped;
	uint64_t raw_ns;
	uint64_t last_ns;
	uint64_t *gaps;
};

/* ---- Names ---- */

static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static void free_name(void *at)
{
	struct name *name = at;

	free(name->text);
	free(name);
}

void region_traces_close(struct region_traces *traces)
{
	for (size_t i = 0; i < traces->count; i++) {
		region_trace_close(&traces->files[i].file);
		free(traces->files[i].events);
	}
	free(traces->files);
	tdestroy(traces->names, free_name);
	*traces = (struct region_traces) { 0 };
}

static uint32_t define(struct region_traces *traces, const char *text)
{
	struct archive *archive = &traces->out->archive;
	uint32_t string = archive_string(archive, text);
	OTF2_Paradigm paradigm = OTF2_PARADIGM_USER;

	/* Regions from evtlog's own libraries */
	if (!strncmp(text, "MPI_", 4))
		paradigm = OTF2_PARADIGM_MPI;
	else if (!strncmp(text, "OpenMP ", 7))
		paradigm = OTF2_PARADIGM_OPENMP;
	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteRegion(archive->global, archive->regions, string, string,
						 traces->kind, OTF2_REGION_ROLE_FUNCTION, paradigm,
						 OTF2_REGION_FLAG_NONE, ARCHIVE_NO_STRING, 0, 0));
	return archive->regions++;
}

/* Returns the region with a name, shared by all threads and processes; 0 without memory. */
static uint32_t region_of(struct region_traces *traces, const char *text, size_t length)
{
	struct name *name = calloc(1, sizeof(*name)), **found;

	if (!name)
		return 0;
	name->text = strndup(text, length);
	found = name->text ? tsearch(name, &traces->names, compare_names) : NULL;
	if (found && *found == name) {
		name->region = define(traces, name->text);
		return name->region;
	}
	free_name(name);
	return found ? (*found)->region : 0;
}

/* ---- Events ---- */

static uint64_t shown_ns(struct writing *writing, uint64_t raw_ns)
{
	struct region_traces *traces = writing->traces;
	uint64_t time_ns;

	if (raw_ns > writing->raw_ns)
		writing->raw_ns = raw_ns;
	time_ns = writing->raw_ns;
	if (writing->cursor) {
		int64_t on_axis = evtlog_host_cursor_time(writing->cursor, writing->raw_ns);

		/* A program can begin before time 0 of the timeline. */
		time_ns = on_axis > 0 ? on_axis : 0;
	}
	if (time_ns < writing->last_ns)
		time_ns = writing->last_ns;
	writing->last_ns = time_ns;
	if (time_ns < traces->begin_ns)
		traces->begin_ns = time_ns;
	if (time_ns > traces->end_ns)
		traces->end_ns = time_ns;
	return time_ns;
}

static void check(struct writing *writing, OTF2_ErrorCode error)
{
	archive_check_error(&writing->traces->out->archive, error);
}

static void leave(struct writing *writing, uint64_t time_ns)
{
	writing->depth--;
	check(writing, OTF2_EvtWriter_Leave(writing->writer, NULL, time_ns,
					    writing->open[writing->depth].region));
}

static void take_enter(struct writing *writing, const struct region_trace_event *event)
{
	uint32_t number = event->number <= NUMBERS_MAX ? event->number : 0;
	uint64_t time_ns = shown_ns(writing, event->time_ns);

	if (writing->depth == DEPTH_MAX || writing->skipped) {
		writing->skipped++;
		return;
	}
	if (!writing->regions[number])
		writing->regions[number] = region_of(writing->traces, "?", 1);
	writing->open[writing->depth].number = event->number;
	writing->open[writing->depth].region = writing->regions[number];
	writing->depth++;
	check(writing, OTF2_EvtWriter_Enter(writing->writer, NULL, time_ns,
					    writing->regions[number]));
}

/* Leaves a region and the regions inside it. */
static void take_leave(struct writing *writing, const struct region_trace_event *event)
{
	uint64_t time_ns = shown_ns(writing, event->time_ns);
	unsigned int depth = writing->depth;

	if (writing->skipped) {
		writing->skipped--;
		return;
	}
	while (depth && writing->open[depth - 1].number != event->number)
		depth--;
	if (!depth) {
		writing->traces->unmatched++;
		return;
	}
	while (writing->depth >= depth)
		leave(writing, time_ns);
}

static void leave_all(struct writing *writing, uint64_t raw_ns)
{
	uint64_t time_ns;

	writing->skipped = 0;
	if (!writing->depth)
		return;
	time_ns = shown_ns(writing, raw_ns);
	while (writing->depth)
		leave(writing, time_ns);
}

static int take_event(struct writing *writing, const struct region_trace_event *event)
{
	struct region_traces *traces = writing->traces;
	uint32_t region;

	switch (event->what) {
	case TRACE_ENTER:
		take_enter(writing, event);
		traces->events++;
		return 0;
	case TRACE_LEAVE:
		take_leave(writing, event);
		traces->events++;
		return 0;
	case TRACE_NAME:
		region = region_of(traces, event->text, event->length);
		if (!region)
			return -ENOMEM;
		if (event->number && event->number <= NUMBERS_MAX)
			writing->regions[event->number] = region;
		return 0;
	case TRACE_FLUSH: {
		uint64_t begin_ns = shown_ns(writing, event->time_ns);

		check(writing, OTF2_EvtWriter_BufferFlush(writing->writer, NULL, begin_ns,
							  shown_ns(writing, event->until_ns)));
		return 0;
	}
	default:
		++*writing->gaps;
		leave_all(writing, event->time_ns);
		return 0;
	}
}

static int read_thread(struct writing *writing, struct region_trace_reader *reader)
{
	struct archive *archive = &writing->traces->out->archive;
	struct region_trace_event event = { 0 };
	uint64_t count = 0;
	int result;

	while ((result = region_trace_next(reader, &event)) > 0) {
		result = take_event(writing, &event);
		if (result || archive->error)
			return result;
		if (__builtin_expect(!(++count & 0xffff), 0) && interrupted)
			return -EINTR;
	}
	if (result)
		return result;
	writing->traces->open += writing->depth;
	leave_all(writing, reader->thread->end_ns);
	return 0;
}

static int write_thread(struct writing *writing, const struct region_traced *traced, size_t number)
{
	struct archive *archive = &writing->traces->out->archive;
	struct region_trace_reader reader;
	int error = region_trace_reader_start(&reader, &traced->file, &traced->file.threads[number]);

	writing->writer = OTF2_Archive_GetEvtWriter(archive->handle, traced->first + number);
	if (!writing->writer)
		archive_check_error(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	else if (!error)
		error = read_thread(writing, &reader);
	if (writing->writer) {
		check(writing, OTF2_EvtWriter_GetNumberOfEvents(writing->writer,
								&traced->events[number]));
		check(writing, OTF2_Archive_CloseEvtWriter(archive->handle, writing->writer));
	}
	region_trace_reader_end(&reader);
	return error;
}

static int write_file(struct region_traces *traces, struct region_traced *traced)
{
	struct writing *writing = malloc(sizeof(*writing));
	struct evtlog_host_cursor cursor;
	uint64_t gaps = 0;
	int error = 0;

	traced->first = traces->out->next_location;
	traces->out->next_location += traced->file.thread_count;
	traced->events = calloc(traced->file.thread_count, sizeof(*traced->events));
	if (!writing || !traced->events)
		error = -ENOMEM;
	for (size_t i = 0; i < traced->file.thread_count && !error; i++) {
		*writing = (struct writing) { .traces = traces, .gaps = &gaps };
		if (traces->hosts) {
			evtlog_host_cursor_start(&cursor, traces->hosts, traced->host);
			writing->cursor = &cursor;
		}
		error = write_thread(writing, traced, i);
		if (traces->out->archive.error)
			break;
	}
	/* A chunk missing in the middle of a thread is counted in both. */
	traces->bad += gaps > traced->file.bad_chunks ? gaps : traced->file.bad_chunks;
	traces->lost += traced->file.header.lost;
	traces->missed += traced->file.header.missed;
	traces->threads_missed += traced->file.header.threads_missed;
	traces->cut += !!traced->file.header.error;
	free(writing);
	return error;
}

/* ---- Definitions ---- */

static void define_group(struct region_traces *traces, size_t number, uint32_t node)
{
	const struct region_trace_header *header = &traces->files[number].file.header;
	struct archive *archive = &traces->out->archive;
	char name[80];

	if (header->rank >= 0)
		snprintf(name, sizeof(name), "rank %" PRId32 ": %.16s (%" PRIu32 ")", header->rank,
			 header->comm, header->pid);
	else
		snprintf(name, sizeof(name), "%.16s (%" PRIu32 ")", header->comm, header->pid);
	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteLocationGroup(archive->global, traces->groups + number,
				archive_string(archive, name), OTF2_LOCATION_GROUP_TYPE_PROCESS, node,
				OTF2_UNDEFINED_LOCATION_GROUP));
}

static void define_thread(struct region_traces *traces, size_t number, size_t thread, uint32_t tid)
{
	const struct region_traced *traced = &traces->files[number];
	const struct region_trace_thread *of = &traced->file.threads[thread];
	struct archive *archive = &traces->out->archive;
	OTF2_AttributeValue value = { .uint64 = of->kernel_tid ? of->kernel_tid : of->tid };
	char name[80];

	snprintf(name, sizeof(name), "%s (%" PRIu32 ")", of->comm, of->tid);
	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteLocation(archive->global, traced->first + thread,
				archive_string(archive, name), OTF2_LOCATION_TYPE_CPU_THREAD,
				traced->events[thread], traces->groups + number));
	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteLocationProperty(archive->global, traced->first + thread, tid,
							   OTF2_TYPE_UINT64, value));
}

/* Defines the log's locations of the threads. */
static void define_kernel(struct region_traces *traces)
{
	struct archive *archive = &traces->out->archive;

	for (size_t i = 0; i < traces->thread_count; i++)
		thread_define(&traces->threads[i], archive);
}

int region_traces_write(struct region_traces *traces, struct output *out, const uint32_t *nodes)
{
	uint32_t tid;
	int error = 0;

	traces->out = out;
	traces->begin_ns = UINT64_MAX;
	traces->kind = archive_string(&out->archive, "region of a program");
	tid = archive_string(&out->archive, "TID");
	for (size_t i = 0; i < traces->count && !error && !out->archive.error; i++)
		error = write_file(traces, &traces->files[i]);
	if (error || out->archive.error)
		return error;
	for (size_t i = 0; i < traces->count; i++) {
		define_group(traces, i, nodes[traces->files[i].host]);
		for (size_t k = 0; k < traces->files[i].file.thread_count; k++)
			define_thread(traces, i, k, tid);
	}
	define_kernel(traces);
	return 0;
}
