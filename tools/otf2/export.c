// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes logs as an OTF2 archive, one host after the other.
 *
 * No message goes from one host to another, so events need to be in order only within a host.
 * Memory does not grow with the number of events.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "common/command.h"
#include "common/error.h"
#include "cpu.h"
#include "definitions.h"
#include "export.h"
#include "export/run.h"
#include "export/sources.h"
#include "host.h"
#include "program.h"
#include "region-traces.h"
#include "regions.h"
#include "thread.h"

/* Warn from this number on: each location is a file, and readers of OTF2 open all at once. */
#define LOCATIONS_MANY	1000
/* Fewest locations of a CPU */
#define LOCATIONS_OF_CPU	3

/* If the stamp differs this much from a clock, it is not of this clock. */
#define STAMP_FAR_NS	UINT64_C(100000000)

/*
 * @offsets:	for each log, the program, and each region trace
 * @nodes:	for each log, its machine in the system tree
 * @program:	trace of a program, if one is written too
 * @regions:	region traces, if some are written too
 * @threads:	threads of @program, followed by threads of @regions
 * @lacks_regions: parts of region traces are missing
 * @begin_ns, @end_ns, @real_ns: as in struct sources, extended by @program and @regions
 */
struct exporting {
	const struct otf2_options *opts;
	struct sources sources;
	struct offsets *offsets;
	uint32_t *nodes;
	struct program program;
	struct region_traces regions;
	struct thread *threads;
	size_t thread_count;
	bool lacks_regions;
	struct output out;
	struct reading reading;
	uint64_t begin_ns;
	uint64_t end_ns;
	int64_t real_ns;
};

/* ---- One host ---- */

static int start_writing(struct exporting *exporting, struct host *host, uint64_t time_ns)
{
	int error = schedule_gaps(host, &exporting->reading.iterator.lanes, time_ns);

	if (error)
		return error;
	host->writing = true;
	for (unsigned int i = 0; i < host->cpu_count; i++)
		cpu_open(host, &host->cpus[i], time_ns);
	threads_open(host, time_ns);
	passes_open(host, time_ns);
	return 0;
}

static int read_events(struct exporting *exporting, struct host *host)
{
	struct reading *reading = &exporting->reading;
	uint64_t last_ns = host->begin_ns;
	const struct evtlog_event *event;
	int result;

	while ((result = reading_next(reading, &event)) > 0) {
		last_ns = event->time_ns;
		result = 0;
		if (__builtin_expect(!host->writing, 0) && last_ns >= reading->span.from_ns)
			result = start_writing(exporting, host, reading->span.from_ns);
		if (!result)
			result = schedule_gaps(host, &reading->iterator.lanes, last_ns);
		if (!result)
			result = schedule_take(host, event);
		if (result || exporting->out.archive.error)
			return result;
	}
	if (!result && !host->writing)
		result = start_writing(exporting, host, reading->span.from_ns);
	if (result)
		return result;
	if (reading->span.to_ns != UINT64_MAX)
		last_ns = reading->span.to_ns;
	else if (evtlog_end_ns(host->file) > last_ns)
		last_ns = evtlog_end_ns(host->file);
	result = schedule_gaps(host, &reading->iterator.lanes, last_ns);
	if (result)
		return result;
	if (host->has_samples)
		passes_end(host, last_ns);
	for (unsigned int i = 0; i < host->cpu_count; i++)
		cpu_close(host, &host->cpus[i], last_ns);
	threads_close(host, last_ns);
	return 0;
}

static int read_host(struct exporting *exporting, struct host *host, struct span span)
{
	int error = reading_begin(&exporting->reading, host->file, host->name, span);

	if (!error)
		error = read_events(exporting, host);
	reading_end(&exporting->reading);
	return error;
}

static int export_host(struct exporting *exporting, size_t number, uint32_t *first)
{
	const struct log_set_file *log = &exporting->sources.logs.files[number];
	struct offsets *offsets = &exporting->offsets[number];
	struct evtlog_host_cursor cursor;
	struct host host = {
		.out = &exporting->out,
		.file = log->file,
		.name = log->name,
		.is_of_tree = evtlog_tree_pid(log->file),
		.first = *first,
		.wanted = exporting->opts->sources.filter->cpus,
		.threads = exporting->threads,
		.thread_count = exporting->thread_count,
	};
	int error;

	if (exporting->sources.logs.count > 1) {
		evtlog_host_cursor_start(&cursor, exporting->sources.logs.hosts, number);
		host.cursor = &cursor;
		offsets_take(offsets, exporting->sources.logs.hosts, number, log->file);
	}
	error = samples_choose(log->file, exporting->opts->source);
	if (error == -ENODATA)
		pr_err("%s: --source samples: it has no complete pass of the sampler; record with --sample, or use --source events",
		       log->path);
	if (error < 0)
		return error;
	host.has_samples = error > 0;
	offsets->cpus[0] = host.first;
	offsets->streams[0] = exporting->out.next_location;
	error = threads_begin(&host, number);
	if (!error)
		error = evtlog_tasks_new(log->file, &host.names);
	if (!error)
		error = fields_init(&host.fields, log->file, host.names);
	if (!error)
		error = schedule_init(&host);
	if (!error)
		error = read_host(exporting, &host, sources_span(&exporting->sources, number));
	if (!error)
		definitions_host(&host, exporting->sources.hosts > 1);
	offsets->cpus[1] = host.first;
	offsets->streams[1] = exporting->out.next_location;
	*first = host.first;
	exporting->nodes[number] = host.node;
	if (!host.has_samples)
		sources_warn_of_types(log, SCHED_TYPES, "archive");
	schedule_free(&host);
	fields_free(&host.fields);
	evtlog_tasks_free(host.names);
	return error;
}

/* ---- All hosts ---- */

#define MANY_WHY	"OTF2 has a file for each CPU and each of its streams, and readers open all of them; " \
			"choose hosts with --host or CPUs with --cpu, or use "

static bool are_many(uint32_t cpus)
{
	return cpus * LOCATIONS_OF_CPU >= LOCATIONS_MANY;
}

/* Warns before anything is written. */
static void warn_of_many_cpus(uint32_t cpus)
{
	if (are_many(cpus))
		pr_warn("%u CPUs: " MANY_WHY "--streams 0", cpus);
}

/* Warns after all is written: some CPUs may have had many waiting tasks. */
static void warn_of_many_locations(const struct output *out)
{
	if (!are_many(out->cpu_count) && out->next_location >= LOCATIONS_MANY)
		pr_warn("%" PRIu64 " locations: " MANY_WHY "a smaller --streams", out->next_location);
}

/* ---- A program's trace ---- */

/* Opens the trace before anything is written, and relates its times to those of the logs. */
static int open_program(struct exporting *exporting)
{
	const struct otf2_options *opts = exporting->opts;
	struct program *program = &exporting->program;
	const char **names;
	int status;

	if (!opts->with)
		return EXIT_OK;
	names = calloc(exporting->sources.logs.count, sizeof(*names));
	if (!names) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < exporting->sources.logs.count; i++)
		names[i] = exporting->sources.wanted[i] ? exporting->sources.logs.files[i].name : NULL;
	status = program_open(program, opts->with);
	if (status == EXIT_OK)
		status = program_place(program, names, exporting->sources.logs.count,
				       exporting->out.cpu_count + exporting->regions.count);
	free(names);
	if (status != EXIT_OK)
		return status;
	if (exporting->sources.logs.count > 1)
		program->hosts = exporting->sources.logs.hosts;
	return program_relate(program, exporting->sources.logs.files, exporting->sources.logs.count,
			      opts->with_clock);
}

/* Extends the time of the archive to a span of the program or of region traces. */
static void take_span(struct exporting *exporting, uint64_t begin_ns, uint64_t end_ns)
{
	/* No events were written. */
	if (begin_ns > end_ns)
		return;
	if (begin_ns < exporting->begin_ns) {
		exporting->real_ns -= exporting->begin_ns - begin_ns;
		exporting->begin_ns = begin_ns;
	}
	if (end_ns > exporting->end_ns)
		exporting->end_ns = end_ns;
}

/* ---- Traces of regions ---- */

/* Opens the traces before anything is written, and finds their logs. */
static int open_regions(struct exporting *exporting)
{
	const struct otf2_options *opts = exporting->opts;
	struct region_traces *regions = &exporting->regions;
	const struct sources *sources = &exporting->sources;
	int status = region_traces_open(regions, opts->regions, opts->region_count, &sources->logs,
					sources->wanted);

	if (status != EXIT_OK)
		return status;
	if (sources->logs.count > 1)
		regions->hosts = sources->logs.hosts;
	if (!region_traces_threads(regions, exporting->out.cpu_count))
		return EXIT_OK;
	pr_err("%s", strerror(ENOMEM));
	return EXIT_FAILED;
}

/* Joins the threads of the program and of region traces in one array; both point to their part. */
static int join_threads(struct exporting *exporting)
{
	struct program *program = &exporting->program;
	struct region_traces *regions = &exporting->regions;

	exporting->thread_count = program->thread_count + regions->thread_count;
	exporting->threads = calloc(exporting->thread_count + 1, sizeof(*exporting->threads));
	if (!exporting->threads) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	if (program->thread_count)
		memcpy(exporting->threads, program->threads,
		       program->thread_count * sizeof(*program->threads));
	memcpy(exporting->threads + program->thread_count, regions->threads,
	       regions->thread_count * sizeof(*regions->threads));
	free(program->threads);
	free(regions->threads);
	program->threads = exporting->threads;
	regions->threads = exporting->threads + program->thread_count;
	return EXIT_OK;
}

static int write_regions(struct exporting *exporting)
{
	struct region_traces *regions = &exporting->regions;
	int error;

	if (!regions->count)
		return EXIT_OK;
	error = region_traces_write(regions, &exporting->out, exporting->nodes);
	if (!error)
		return EXIT_OK;
	if (error != -EINTR)
		pr_err("%s: can't be read: %s", regions->files[0].file.path, strerror(-error));
	return EXIT_FAILED;
}

/* Returns the largest error of the program's clocks plus the largest error of its hosts. */
static uint64_t program_error_ns(const struct exporting *exporting)
{
	const struct program *program = &exporting->program;
	uint64_t most_ns = 0, clock_ns = program->clock.error_ns;

	for (size_t i = 0; i < program->ids[ID_LOCATION_GROUP].count; i++) {
		size_t number = program_clock_number(program, program->groups[i].host);
		const struct program_clock *clock = program_clock_at(program, number);
		const struct offsets *host = &exporting->offsets[program->groups[i].host];

		if (clock->error_ns > clock_ns)
			clock_ns = clock->error_ns;
		for (unsigned int k = 0; k < host->points; k++)
			if (host->error_ns[k] > most_ns)
				most_ns = host->error_ns[k];
	}
	return clock_ns + most_ns;
}

/* Sets the clock error of the program's locations, as for hosts; for a stamp it is unknown. */
static void take_program_offsets(struct exporting *exporting)
{
	struct program *program = &exporting->program;
	struct offsets *offsets = &exporting->offsets[exporting->sources.logs.count];
	uint64_t error_ns;

	if (!exporting->opts->with)
		return;
	error_ns = program_error_ns(exporting);
	program->clock.error_ns = error_ns;
	*offsets = (struct offsets) {
		.streams = { program->ids[ID_LOCATION].base,
			     program->ids[ID_LOCATION].base + program->ids[ID_LOCATION].count },
		.points = program->clock.kind == CLOCK_OF_STAMP ? 0 : 2,
		.time_ns = { exporting->begin_ns, exporting->end_ns },
		.error_ns = { error_ns, error_ns },
	};
}

static void write_program(struct exporting *exporting)
{
	struct program *program = &exporting->program;
	struct output *out = &exporting->out;

	if (!exporting->opts->with) {
		definitions_messages(out, NULL, 0);
		return;
	}
	program->interrupted = &interrupted;
	program_number(program, out);
	program_catch_errors(program);
	/* OTF2's readers need buffers of this size. */
	memory_limit(false);
	program_write_events(program);
	if (!program->error && !out->archive.error)
		program_write_definitions(program, exporting->nodes);
	memory_limit(true);
	archive_catch_errors(&out->archive);
}

static void say_program(const struct exporting *exporting)
{
	const struct program *program = &exporting->program;
	const struct program_clock *clock = &program->clock;
	size_t unseen = 0, twins = 0, others = 0, foreign = 0;

	if (!exporting->opts->with)
		return;
	for (size_t i = 0; i < program->ids[ID_LOCATION_GROUP].count; i++) {
		bool is_other = program->groups[i].host != program->number;

		others += is_other && program_clock_number(program, program->groups[i].host) != program->number;
		foreign += is_other;
	}
	for (size_t i = 0; i < program->thread_count; i++) {
		unseen += !program->threads[i].seen && !program->threads[i].twin;
		twins += program->threads[i].twin;
	}
	if (clock->kind == CLOCK_OF_STAMP)
		pr_info("%s: its times are those of %s, as exact as the stamp; the log's own error is %" PRIu64 " ns",
			program->path, program_clock_name(clock->kind), clock->error_ns);
	else if (clock->agrees_ns != UINT64_MAX && clock->agrees_ns >= STAMP_FAR_NS)
		pr_warn("%s: its times are those of %s, within %" PRIu64 " ns, by --with-clock; its stamp of CLOCK_REALTIME disagrees by %.3f s",
			program->path, program_clock_name(clock->kind), clock->error_ns,
			clock->agrees_ns / 1e9);
	else if (clock->agrees_ns != UINT64_MAX)
		pr_info("%s: its times are those of %s, within %" PRIu64 " ns; its stamp agrees within %" PRIu64 " ns",
			program->path, program_clock_name(clock->kind), clock->error_ns,
			clock->agrees_ns);
	else
		pr_info("%s: its times are those of %s, within %" PRIu64 " ns", program->path,
			program_clock_name(clock->kind), clock->error_ns);
	if (foreign)
		pr_info("%s: times of processes on other hosts than %s: %zu of %zu processes by their own host's clock, the others by %s's%s",
			program->path, exporting->sources.logs.files[program->number].name, others, foreign,
			exporting->sources.logs.files[program->number].name,
			program->corrects ? ", because the trace has clock offsets" : "");
	if (program->skipped_events || program->skipped_definitions)
		pr_warn("%s: left out: %" PRIu64 " events and %" PRIu64 " definitions of unknown kinds or with invalid references",
			program->path, program->skipped_events, program->skipped_definitions);
	if (unseen)
		pr_warn("%s: of %zu threads with a thread id, %zu are in the log: is it of another run, or of a container?",
			program->path, program->thread_count - twins,
			program->thread_count - twins - unseen);
	if (twins)
		pr_warn("%s: %zu locations have the thread id of another location: events of the kernel are shown once, with the first",
			program->path, twins);
}

static int write_all(struct exporting *exporting)
{
	bool several = exporting->sources.hosts > 1;
	struct output *out = &exporting->out;
	uint32_t first = 0;

	regions_begin(out);
	if (exporting->thread_count)
		regions_begin_threads(out);
	definitions_begin(out, several);
	for (size_t i = 0; i < exporting->sources.logs.count; i++) {
		int error = exporting->sources.wanted[i] ? export_host(exporting, i, &first) : 0;

		/* -ENODATA was already reported. */
		if (error == -EINTR || error == -ENODATA)
			return EXIT_FAILED;
		if (error)
			return sources_say(&exporting->sources.logs.files[i], error);
		if (out->archive.error)
			break;
	}
	/* Signals after these two checks are ignored. */
	if (interrupted || write_regions(exporting) != EXIT_OK)
		return EXIT_FAILED;
	write_program(exporting);
	if (interrupted)
		return EXIT_FAILED;
	if (exporting->program.error && !out->archive.error)
		return program_say(&exporting->program);
	if (exporting->opts->with)
		take_span(exporting, exporting->program.begin_ns, exporting->program.end_ns);
	if (exporting->regions.count)
		take_span(exporting, exporting->regions.begin_ns, exporting->regions.end_ns);
	take_program_offsets(exporting);
	region_traces_offsets(&exporting->regions, exporting->sources.logs.files, exporting->offsets,
			      &exporting->offsets[exporting->sources.logs.count + 1]);
	definitions_clock(out, exporting->begin_ns, exporting->end_ns, exporting->real_ns);
	offsets_write(exporting->offsets, exporting->sources.logs.count + 1 + exporting->regions.count,
		      &out->archive);
	return archive_finish(&out->archive);
}

/* Allocates the offsets of logs, program and region traces. */
static int take_offsets(struct exporting *exporting)
{
	size_t count = exporting->sources.logs.count + 1 + exporting->regions.count;

	exporting->offsets = calloc(count, sizeof(*exporting->offsets));
	if (exporting->offsets)
		return EXIT_OK;
	pr_err("%s", strerror(ENOMEM));
	return EXIT_FAILED;
}

static int write_archive(struct exporting *exporting)
{
	struct output *out = &exporting->out;
	int status = open_regions(exporting);

	/* The program's location groups follow those of region traces, as they are written. */
	if (status == EXIT_OK)
		status = open_program(exporting);
	if (status == EXIT_OK)
		status = join_threads(exporting);
	if (status == EXIT_OK)
		status = take_offsets(exporting);
	if (status == EXIT_OK)
		status = archive_begin(&out->archive, exporting->opts->directory);
	out->records = records_new();
	if (!out->records && status == EXIT_OK) {
		pr_err("%s", strerror(ENOMEM));
		status = EXIT_FAILED;
	}
	out->interval_ns = exporting->opts->interval_ns;
	out->stream_limit = exporting->opts->streams;
	if (status == EXIT_OK)
		status = write_all(exporting);
	archive_discard(&out->archive);
	if (status == EXIT_OK) {
		say_program(exporting);
		region_traces_say(&exporting->regions);
		exporting->lacks_regions = region_traces_lack(&exporting->regions);
	}
	/* After join_threads(), the array belongs to @exporting. */
	if (exporting->threads)
		exporting->program.threads = NULL;
	else
		free(exporting->regions.threads);
	program_close(&exporting->program);
	region_traces_close(&exporting->regions);
	free(exporting->threads);
	records_free(out->records);
	free(out->shared.counts);
	return status;
}

static int prepare(struct exporting *exporting)
{
	struct sources *sources = &exporting->sources;

	exporting->nodes = calloc(sources->logs.count, sizeof(*exporting->nodes));
	if (!exporting->nodes) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	exporting->begin_ns = sources->begin_ns;
	exporting->end_ns = sources->end_ns;
	exporting->real_ns = sources->real_ns;
	exporting->out.cpu_count = sources_cpu_count(sources);
	exporting->out.next_location = exporting->out.cpu_count;
	warn_of_many_cpus(exporting->out.cpu_count);
	/* OTF2 keeps a file open for each location. */
	files_limit_raise();
	return EXIT_OK;
}

static void say_after(const struct exporting *exporting)
{
	warn_of_many_locations(&exporting->out);
	if (exporting->out.streams_short && exporting->opts->streams >= OTF2_STREAMS)
		pr_info("%" PRIu64 " waits of tasks for a CPU are not shown: all %u streams of the CPU were in use; use a larger --streams",
			exporting->out.streams_short, exporting->opts->streams);
}

static int export_archive(void *context)
{
	struct exporting *exporting = context;
	int status = prepare(exporting);

	if (status == EXIT_OK)
		status = write_archive(exporting);
	if (status == EXIT_OK) {
		say_after(exporting);
		status = exporting->lacks_regions ? EXIT_EVENTS_LOST : EXIT_OK;
	}
	free(exporting->offsets);
	free(exporting->nodes);
	return status;
}

int otf2_export(const struct otf2_options *opts, char **paths, size_t count)
{
	struct exporting exporting = { .opts = opts };
	int status = directory_check("otf2", opts->directory, "archive");

	if (status != EXIT_OK)
		return status;
	return export_run(&exporting.sources, &opts->sources, paths, count, export_archive, &exporting);
}
