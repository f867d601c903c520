// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes logs as an OTF2 archive: reads host after host.
 *
 * Nothing goes from one host to another, so that of each host only its own events are in order;
 * memory does not grow with their number.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/command.h"
#include "common/error.h"
#include "common/progress.h"
#include "cpu.h"
#include "definitions.h"
#include "export.h"
#include "input/log-set.h"
#include "input/open-log.h"
#include "input/types.h"
#include "lib/merge/iterator.h"
#include "memory.h"
#include "offsets.h"
#include "program.h"
#include "regions.h"
#include "schedule.h"
#include "thread.h"

/* Each is a file, and readers of OTF2 open all at once. */
#define LOCATIONS_MANY	1000
/* At least */
#define LOCATIONS_OF_CPU	3

/*
 * @wanted:	files whose hosts are wanted
 * @offsets:	of each file, and of the program
 * @nodes:	of each file the machine in the system tree
 * @program:	whose trace is written too, if its reader is there
 * @from_ns, @to_ns: of the host that is read, by its log's time
 */
struct exporting {
	const struct otf2_options *opts;
	struct logs logs;
	bool *wanted;
	struct offsets *offsets;
	uint32_t *nodes;
	struct program program;
	size_t hosts;
	struct output out;
	struct iterator iterator;
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t begin_ns;
	uint64_t end_ns;
	int64_t real_ns;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	interrupted = number;
}

/* ---- One host ---- */

static void start_writing(struct exporting *exporting, struct host *host, uint64_t time_ns)
{
	schedule_gaps(host, &exporting->iterator.lanes, time_ns);
	host->writing = true;
	for (unsigned int i = 0; i < host->cpu_count; i++)
		cpu_open(host, &host->cpus[i], time_ns);
	threads_open(host, time_ns);
}

static int read_events(struct exporting *exporting, struct host *host, struct progress *progress)
{
	struct iterator *iterator = &exporting->iterator;
	uint64_t last_ns = host->begin_ns;
	const struct iterator_event *at;
	uint16_t count = 0;
	int result;

	while ((result = iterator_next(iterator, &at)) > 0) {
		const struct evtlog_event *event = at->event;

		if (event->time_ns >= exporting->to_ns)
			break;
		last_ns = event->time_ns;
		if (__builtin_expect(!host->writing, 0) && last_ns >= exporting->from_ns)
			start_writing(exporting, host, exporting->from_ns);
		schedule_gaps(host, &iterator->lanes, last_ns);
		result = schedule_take(host, event);
		if (result || exporting->out.archive.error)
			return result;
		if (++count)
			continue;
		if (interrupted)
			return -EINTR;
		progress_update(progress, iterator_position(iterator));
	}
	if (result < 0)
		return result;
	if (!host->writing)
		start_writing(exporting, host, exporting->from_ns);
	if (exporting->to_ns != UINT64_MAX)
		last_ns = exporting->to_ns;
	else if (evtlog_end_ns(host->file) > last_ns)
		last_ns = evtlog_end_ns(host->file);
	schedule_gaps(host, &iterator->lanes, last_ns);
	for (unsigned int i = 0; i < host->cpu_count; i++)
		cpu_close(host, &host->cpus[i], last_ns);
	threads_close(host, last_ns);
	return 0;
}

static int read_host(struct exporting *exporting, struct host *host)
{
	bool later = exporting->from_ns > evtlog_begin_ns(host->file);
	struct progress progress;
	int error;

	error = iterator_of_log(&exporting->iterator, host->file,
				later ? exporting->from_ns : 0, NULL);
	progress_begin(&progress, host->name, exporting->iterator.all_bytes);
	if (!error)
		error = read_events(exporting, host, &progress);
	progress_end(&progress);
	iterator_end(&exporting->iterator);
	return error;
}

/* The part of this host that is wanted, by its own clock. */
static void set_span(struct exporting *exporting, size_t number)
{
	const struct filter *filter = exporting->opts->filter;
	struct evtlog_file *file = exporting->logs.files[number].file;
	uint64_t begin_ns = evtlog_begin_ns(file);
	int64_t start_ns = exporting->begin_ns;

	exporting->from_ns = begin_ns;
	exporting->to_ns = UINT64_MAX;
	if (exporting->logs.count == 1) {
		exporting->from_ns += filter->from_ns;
		if (filter->to_ns < UINT64_MAX - begin_ns)
			exporting->to_ns = begin_ns + filter->to_ns;
		return;
	}
	if (filter->from_ns)
		exporting->from_ns = evtlog_clocksync_raw(exporting->logs.hosts, number,
							  start_ns + filter->from_ns);
	if (filter->to_ns < (uint64_t)INT64_MAX - start_ns)
		exporting->to_ns = evtlog_clocksync_raw(exporting->logs.hosts, number,
							start_ns + filter->to_ns);
	if (exporting->from_ns < begin_ns)
		exporting->from_ns = begin_ns;
}

/* Without them something is not shown. */
static void warn_of_types(const struct log_set_file *log)
{
	uint64_t types = types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_SCHED_WAKING) |
			 types_bit(EVTLOG_SCHED_MIGRATE_TASK);
	char *text = types_text(log->file, types_that_are(log->file, types, EVTLOG_RECORDED_OFF));

	if (text)
		pr_warn("%s: not recorded: %s: the archive lacks what they tell", log->path, text);
	free(text);
}

static int export_host(struct exporting *exporting, size_t number, uint32_t *first)
{
	const struct log_set_file *log = &exporting->logs.files[number];
	struct offsets *offsets = &exporting->offsets[number];
	struct evtlog_host_cursor cursor;
	struct host host = {
		.out = &exporting->out,
		.file = log->file,
		.name = log->name,
		.first = *first,
		.wanted = exporting->opts->filter->cpus,
		.threads = exporting->program.threads,
		.thread_count = exporting->program.thread_count,
	};
	int error;

	set_span(exporting, number);
	if (exporting->logs.count > 1) {
		evtlog_host_cursor_start(&cursor, exporting->logs.hosts, number);
		host.cursor = &cursor;
		offsets_take(offsets, exporting->logs.hosts, number, log->file);
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
		error = read_host(exporting, &host);
	if (!error)
		definitions_host(&host, exporting->hosts > 1);
	offsets->cpus[1] = host.first;
	offsets->streams[1] = exporting->out.next_location;
	*first = host.first;
	exporting->nodes[number] = host.node;
	if (!host.has_samples)
		warn_of_types(log);
	schedule_free(&host);
	fields_free(&host.fields);
	evtlog_tasks_free(host.names);
	return error;
}

/* ---- All of them ---- */

static int choose_hosts(struct exporting *exporting)
{
	const struct choice *choice = exporting->opts->hosts;

	exporting->wanted = calloc(exporting->logs.count, sizeof(*exporting->wanted));
	exporting->offsets = calloc(exporting->logs.count + 1, sizeof(*exporting->offsets));
	exporting->nodes = calloc(exporting->logs.count, sizeof(*exporting->nodes));
	if (!exporting->wanted || !exporting->offsets || !exporting->nodes) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < exporting->logs.count; i++) {
		const struct log_set_file *file = &exporting->logs.files[i];
		const char *host = evtlog_meta(file->file, "host");

		exporting->wanted[i] = host_filter_fits(choice, file->name) ||
				       (host && host_filter_fits(choice, host));
		exporting->hosts += exporting->wanted[i];
	}
	return exporting->hosts ? EXIT_OK :
	       log_set_refuse_hosts(&exporting->logs, "export", "hosts", choice->text);
}

/* Said before anything long is done. */
static int check_span(const struct exporting *exporting)
{
	const struct filter *filter = exporting->opts->filter;
	uint64_t length_ns = exporting->end_ns - exporting->begin_ns;

	if (filter->from_ns >= filter->to_ns)
		return misuse("export", "--from is not before --to");
	if (!filter->from_ns || filter->from_ns < length_ns)
		return EXIT_OK;
	pr_err("--from: %.6f s is after the end, which is %.6f s after the start",
	       filter->from_ns / 1e9, length_ns / 1e9);
	return EXIT_MISUSE;
}

static void warn_of_many(uint32_t cpus)
{
	if (cpus * LOCATIONS_OF_CPU >= LOCATIONS_MANY)
		pr_warn("%u CPUs: OTF2 has a file for each CPU and each of its streams, and readers open all of them; choose hosts with --hosts or CPUs with --cpus, or use --streams 0",
			cpus);
}

/* Its records are of all CPUs, in one order: of no CPU it is known when it did what. */
static int refuse_global(const struct exporting *exporting)
{
	for (size_t i = 0; i < exporting->logs.count; i++) {
		const struct log_set_file *log = &exporting->logs.files[i];

		if (!exporting->wanted[i] || !log_is_global(log->file))
			continue;
		pr_err("%s: it is of a global named buffer, which has no lanes of CPUs; evtlog dump, stat and merge read it",
		       log->path);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

static void count_cpus(struct exporting *exporting)
{
	const bool *cpus = exporting->opts->filter->cpus;

	for (size_t i = 0; i < exporting->logs.count; i++) {
		struct evtlog_file *file = exporting->logs.files[i].file;

		for (unsigned int k = 0; exporting->wanted[i] && k < evtlog_cpu_count(file); k++)
			exporting->out.cpu_count += !cpus || cpus[evtlog_cpu_number(file, k)];
	}
	exporting->out.next_location = exporting->out.cpu_count;
}

/* OTF2 holds a file open for each location. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int say_error(const struct log_set_file *log, int error)
{
	pr_err("%s: %s", log->path, strerror(-error));
	return EXIT_FAILED;
}

/* ---- A program's trace ---- */

/* Before anything is written: what it is, and whether its times can be those of the logs. */
static int open_program(struct exporting *exporting)
{
	const struct otf2_options *opts = exporting->opts;
	struct program *program = &exporting->program;
	const char **names;
	int status;

	if (!opts->with)
		return EXIT_OK;
	names = calloc(exporting->logs.count, sizeof(*names));
	if (!names) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < exporting->logs.count; i++)
		names[i] = exporting->wanted[i] ? exporting->logs.files[i].name : NULL;
	status = program_open(program, opts->with);
	if (status == EXIT_OK)
		status = program_place(program, names, exporting->logs.count,
				       exporting->out.cpu_count);
	free(names);
	if (status != EXIT_OK)
		return status;
	if (exporting->logs.count > 1)
		program->hosts = exporting->logs.hosts;
	return program_relate(program, exporting->logs.files, exporting->logs.count, opts->with_clock);
}

/* The archive is as long as both are. */
static void take_span(struct exporting *exporting)
{
	const struct program *program = &exporting->program;

	/* Without events it is nowhere. */
	if (!exporting->opts->with || program->begin_ns > program->end_ns)
		return;
	if (program->begin_ns < exporting->begin_ns) {
		exporting->real_ns -= exporting->begin_ns - program->begin_ns;
		exporting->begin_ns = program->begin_ns;
	}
	if (program->end_ns > exporting->end_ns)
		exporting->end_ns = program->end_ns;
}

/* The largest of the clocks, and of the hosts that it was on. */
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

/* How right its times are, as those of hosts say it; of a stamp nobody knows. */
static void take_program_offsets(struct exporting *exporting)
{
	struct program *program = &exporting->program;
	struct offsets *offsets = &exporting->offsets[exporting->logs.count];
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
	/* Readers need buffers of that size. */
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
		pr_info("%s: its times are those of %s, as exact as the stamp is; the log's own error is %" PRIu64 " ns",
			program->path, program_clock_name(clock->kind), clock->error_ns);
	else if (clock->agrees_ns != UINT64_MAX)
		pr_info("%s: its times are those of %s, within %" PRIu64 " ns; its stamp agrees within %" PRIu64 " ns",
			program->path, program_clock_name(clock->kind), clock->error_ns,
			clock->agrees_ns);
	else
		pr_info("%s: its times are those of %s, within %" PRIu64 " ns", program->path,
			program_clock_name(clock->kind), clock->error_ns);
	if (foreign)
		pr_info("%s: times of processes on other hosts than %s: %zu of %zu processes by their own host's clock, the others by %s's%s",
			program->path, exporting->logs.files[program->number].name, others, foreign,
			exporting->logs.files[program->number].name,
			program->corrects ? ", as the trace has clock offsets" : "");
	if (program->skipped_events || program->skipped_definitions)
		pr_warn("%s: not taken over: %" PRIu64 " events and %" PRIu64 " definitions of kinds that evtlog does not know or that refer to nothing",
			program->path, program->skipped_events, program->skipped_definitions);
	if (unseen)
		pr_warn("%s: of %zu threads whose number it tells the log knows %zu: is it of another run, or of a container?",
			program->path, program->thread_count - twins,
			program->thread_count - twins - unseen);
	if (twins)
		pr_warn("%s: %zu locations tell the thread's number of another location: what the kernel did is shown once, with the first",
			program->path, twins);
}

static int write_all(struct exporting *exporting)
{
	bool several = exporting->hosts > 1;
	struct output *out = &exporting->out;
	uint32_t first = 0;

	regions_begin(out);
	if (exporting->opts->with)
		regions_begin_threads(out);
	definitions_begin(out, several);
	for (size_t i = 0; i < exporting->logs.count; i++) {
		int error = exporting->wanted[i] ? export_host(exporting, i, &first) : 0;

		/* The latter was said. */
		if (error == -EINTR || error == -ENODATA)
			return EXIT_FAILED;
		if (error)
			return say_error(&exporting->logs.files[i], error);
		if (out->archive.error)
			break;
	}
	/* Later it is of no use any more. */
	if (interrupted)
		return EXIT_FAILED;
	write_program(exporting);
	if (interrupted)
		return EXIT_FAILED;
	if (exporting->program.error && !out->archive.error)
		return program_say(&exporting->program);
	take_span(exporting);
	take_program_offsets(exporting);
	definitions_clock(out, exporting->begin_ns, exporting->end_ns, exporting->real_ns);
	offsets_write(exporting->offsets, exporting->logs.count + 1, &out->archive);
	return archive_finish(&out->archive);
}

static int write_archive(struct exporting *exporting)
{
	struct output *out = &exporting->out;
	int status = open_program(exporting);

	if (status == EXIT_OK)
		status = archive_begin(&out->archive, exporting->opts->directory);
	out->interval_ns = exporting->opts->interval_ns;
	out->stream_limit = exporting->opts->streams;
	if (status == EXIT_OK)
		status = write_all(exporting);
	archive_discard(&out->archive);
	if (status == EXIT_OK)
		say_program(exporting);
	program_close(&exporting->program);
	free(out->shared.counts);
	return status;
}

static int prepare(struct exporting *exporting)
{
	const struct log_set_file *first = &exporting->logs.files[0];
	int status = choose_hosts(exporting);

	if (status == EXIT_OK)
		status = refuse_global(exporting);
	if (status != EXIT_OK)
		return status;
	count_cpus(exporting);
	warn_of_many(exporting->out.cpu_count);
	raise_limit();
	if (exporting->logs.count > 1) {
		exporting->begin_ns = log_set_begin_ns(&exporting->logs);
		exporting->end_ns = log_set_end_ns(&exporting->logs);
	} else {
		exporting->begin_ns = evtlog_begin_ns(first->file);
		exporting->end_ns = evtlog_end_ns(first->file);
	}
	exporting->real_ns = evtlog_real_ns(first->file, evtlog_begin_ns(first->file));
	return check_span(exporting);
}

static void say_short(const struct exporting *exporting)
{
	if (exporting->out.streams_short && exporting->opts->streams >= OTF2_STREAMS)
		pr_info("%" PRIu64 " times a task waited for a CPU and is not shown: all %u streams of its CPU were taken; use a larger --streams",
			exporting->out.streams_short, exporting->opts->streams);
}

static int verdict(const struct logs *logs)
{
	return logs->count > 1 ? log_set_verdict(logs) :
				 log_verdict(logs->files[0].file, logs->files[0].path);
}

int otf2_export(const struct otf2_options *opts, char **paths, size_t count)
{
	struct log_set_options clocks = { .options.assume_ntp = opts->assume_ntp };
	struct exporting exporting = { .opts = opts };
	int status = archive_check(opts->directory);

	if (status == EXIT_OK)
		status = log_set_open(&exporting.logs, paths, count, &clocks);
	if (status != EXIT_OK)
		return status;
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
	if (exporting.logs.count > 1)
		status = log_set_relate(&exporting.logs, &clocks, true);
	if (status == EXIT_OK)
		status = prepare(&exporting);
	if (status == EXIT_OK)
		status = write_archive(&exporting);
	if (status == EXIT_OK)
		say_short(&exporting);
	if (status == EXIT_OK)
		status = verdict(&exporting.logs);
	free(exporting.offsets);
	free(exporting.nodes);
	free(exporting.wanted);
	log_set_close(&exporting.logs);
	if (interrupted && status == EXIT_FAILED) {
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return status;
}
