// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes logs as a trace for Perfetto, one host after the other.
 *
 * The memory needed grows with the number of CPUs and tasks, not with the number of events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "export.h"
#include "export/run.h"
#include "host.h"
#include "packet.h"

/* Perfetto's limit; see ftrace_tokenizer.cc. */
#define CPUS_MAX	1024

#define FILE_BUFFER_BYTES	(256u << 10)

static const char *const notes[PERFETTO_NOTES] = {
	[PERFETTO_NOTE_PRIO] = "priorities are 140, which no task has, except in sched_wakeup_new: logs do not contain them",
	[PERFETTO_NOTE_CALLS] = "system calls have neither arguments nor a return value: logs do not contain them",
	[PERFETTO_NOTE_EXEC] = "filename of sched_process_exec is the task's new name: logs do not contain the path",
	[PERFETTO_NOTE_EXIT] = "exit codes are left out: sched_process_exit has no field for them",
	[PERFETTO_NOTE_FORK] = "clone_flags of task_newtask only distinguish threads from processes: logs do not contain the others",
	[PERFETTO_NOTE_LOST] = "lost_events of a bundle means that events are missing; evtlog_gap has their number and the begin of the gap",
	[PERFETTO_NOTE_CUT] = "some fields of registered events are left out: they are longer than 24 KiB together",
};

/*
 * @clocks, @names: by log: the host's clock, and the name of its member in the archive
 * @notes:	bits of enum perfetto_note, of all hosts
 */
struct exporting {
	const struct perfetto_options *opts;
	struct sources sources;
	struct atomic_file file;
	struct reading reading;
	struct host_clock *clocks;
	char (*names)[TAR_NAME_BYTES];
	uint32_t notes;
};

/* ---- One host ---- */

static int open_bundles(struct exporting *exporting, struct perfetto_host *host)
{
	const bool *cpus = exporting->opts->sources.filter->cpus;
	unsigned int count = evtlog_cpu_count(host->file);
	int error = 0;

	host->bundles = calloc(count + 1, sizeof(*host->bundles));
	if (!host->bundles)
		return -ENOMEM;
	host->bundle_count = count;
	for (unsigned int i = 0; !error && i < count; i++) {
		unsigned int cpu = evtlog_cpu_number(host->file, i);

		if (!cpus || cpus[cpu])
			error = bundle_begin(&host->bundles[i], host->out, cpu);
	}
	return error;
}

static void start_writing(struct perfetto_host *host)
{
	uint64_t from_ns = host->span.from_ns;

	host->writing = true;
	packet_clocks(host->out, &host->clock, host->file, from_ns);
	packet_system(host->out, host->file, host->name);
	packet_tasks(host->out, &host->tasks, host_clock_ns(&host->clock, from_ns));
}

/* Writes losses that begin before the end of the span and end after it. */
static void emit_lost_end(struct perfetto_host *host, const struct lanes *lanes, uint64_t end_ns)
{
	for (unsigned int i = 0; i < lanes->count; i++) {
		const struct evtlog_event *event = lanes->heap[i].event;
		struct bundle *bundle = bundle_of(host, event->cpu);

		if (bundle && event->kind == EVTLOG_EVENT_GAP && event->from_ns < end_ns &&
		    event->time_ns >= end_ns && (event->lost || event->lost_buffers))
			perfetto_write_loss(host, bundle, event->from_ns, end_ns, event->lost,
					    event->lost_buffers);
	}
}

static int read_events(struct exporting *exporting, struct perfetto_host *host)
{
	struct reading *reading = &exporting->reading;
	const struct evtlog_event *event;
	int result;

	while ((result = reading_next(reading, &event)) > 0) {
		struct bundle *bundle = bundle_of(host, event->cpu);
		int error;

		if (__builtin_expect(!host->writing, 0) && event->time_ns >= host->span.from_ns)
			start_writing(host);
		error = tasks_learn(&host->tasks, &reading->iterator.lanes, event);
		if (__builtin_expect(error, 0))
			return error;
		if (bundle && host->writing)
			perfetto_write(host, bundle, event);
		tasks_follow(&host->tasks, event);
		/* Write errors are reported when the file is closed. */
		if (__builtin_expect(!reading->count, 0) && ferror(host->out))
			return 0;
	}
	if (result < 0)
		return result;
	if (!host->writing)
		start_writing(host);
	if (host->span.to_ns != UINT64_MAX)
		emit_lost_end(host, &reading->iterator.lanes, host->span.to_ns);
	return 0;
}

static void finish_host(struct exporting *exporting, struct perfetto_host *host)
{
	uint64_t end_ns = host->span.to_ns != UINT64_MAX ? host->span.to_ns :
							   evtlog_end_ns(host->file);
	const char *texts[PERFETTO_NOTES];
	unsigned int count = 0;

	for (unsigned int i = 0; i < host->bundle_count; i++)
		bundle_flush(&host->bundles[i]);
	packet_clocks(host->out, &host->clock, host->file, end_ns);
	for (unsigned int i = 0; i < PERFETTO_NOTES; i++)
		if (host->notes & 1u << i)
			texts[count++] = notes[i];
	packet_attributes(host->out, &host->clock, host->file, host->lost, texts, count);
	exporting->notes |= host->notes;
}

static int export_host(struct exporting *exporting, size_t number)
{
	const struct log_set_file *log = &exporting->sources.logs.files[number];
	struct perfetto_host host = {
		.file = log->file,
		.name = log->name,
		.clock = exporting->clocks[number],
		.span = sources_span(&exporting->sources, number),
		.out = exporting->file.out,
	};
	int error = tasks_begin(&host.tasks, log->file);

	if (!error)
		error = fields_init(&host.fields, log->file, host.tasks.names);
	if (!error)
		error = open_bundles(exporting, &host);
	if (!error)
		error = reading_begin(&exporting->reading, log->file, log->name, host.span);
	if (!error)
		error = read_events(exporting, &host);
	reading_end(&exporting->reading);
	if (!error)
		finish_host(exporting, &host);
	for (unsigned int i = 0; i < host.bundle_count; i++)
		bundle_end(&host.bundles[i]);
	free(host.bundles);
	fields_free(&host.fields);
	tasks_end(&host.tasks);
	return error;
}

/* ---- All hosts ---- */

/* Names the archive's members: no name contains a path, and all names differ. */
static void name_members(struct exporting *exporting)
{
	for (size_t i = 0; i < exporting->sources.logs.count; i++) {
		const char *host = exporting->sources.logs.files[i].name;
		char *name = exporting->names[i];
		bool again = false;

		if (!exporting->sources.wanted[i])
			continue;
		snprintf(name, TAR_NAME_BYTES, "%.60s.pftrace", *host ? host : "host");
		for (char *at = name; *at; at++)
			if (*at == '/' || (unsigned char)*at <= ' ' || (unsigned char)*at >= 0x7f ||
			    (at == name && *at == '.'))
				*at = '_';
		for (size_t k = 0; k < i; k++)
			again |= !strcmp(exporting->names[k], name);
		if (again)
			snprintf(name, TAR_NAME_BYTES, "host%zu.pftrace", i);
	}
}

static int write_host(void *context, size_t number)
{
	struct exporting *exporting = context;
	struct tar tar;
	int error;

	if (exporting->sources.hosts == 1)
		return export_host(exporting, number);
	tar_member_begin(&tar, exporting->file.out, exporting->names[number]);
	error = export_host(exporting, number);
	return error ? error : tar_member_end(&tar);
}

static int write_manifest(struct exporting *exporting)
{
	struct tar tar;

	tar_member_begin(&tar, exporting->file.out, "perfetto_manifest.json");
	manifest_write(exporting->file.out, &exporting->sources, exporting->names,
		       exporting->clocks);
	return tar_member_end(&tar);
}

static int write_hosts(struct exporting *exporting)
{
	const struct sources *sources = &exporting->sources;
	bool archive = sources->hosts > 1;
	int error = archive ? write_manifest(exporting) : 0;
	int status;

	if (error)
		return sources_say(&sources->logs.files[0], error);
	status = export_hosts(sources, write_host, exporting, "trace");
	if (status == EXIT_OK && archive)
		tar_end(exporting->file.out);
	return status;
}

static int write_file(struct exporting *exporting)
{
	int status = atomic_file_open(&exporting->file, exporting->opts->path);

	if (status != EXIT_OK)
		return status;
	setvbuf(exporting->file.out, NULL, _IOFBF, FILE_BUFFER_BYTES);
	status = write_hosts(exporting);
	if (status == EXIT_OK && !interrupted)
		status = atomic_file_close(&exporting->file, 0);
	else
		status = EXIT_FAILED;
	atomic_file_discard(&exporting->file);
	if (status == EXIT_OK)
		notes_say_some(notes, exporting->notes, exporting->opts->path);
	return status;
}

/* Reports errors and warnings before the export starts. */
static int check(const struct exporting *exporting)
{
	const struct sources *sources = &exporting->sources;

	if (sources->hosts > 1 && !strcmp(exporting->opts->path, "-"))
		return misuse("export", "--perfetto: several hosts need an archive, which can't be written to standard output: name a file, or choose a host with --host");
	for (size_t i = 0; i < sources->logs.count; i++) {
		const struct log_set_file *log = &sources->logs.files[i];
		unsigned int count = evtlog_cpu_count(log->file);

		if (sources->wanted[i] && count && evtlog_cpu_number(log->file, count - 1) >= CPUS_MAX)
			pr_warn("%s: Perfetto refuses CPUs from %u on: leave them out with --cpu 0-%u",
				log->path, CPUS_MAX, CPUS_MAX - 1);
	}
	return EXIT_OK;
}

static int write_all(void *context)
{
	struct exporting *exporting = context;
	size_t count = exporting->sources.logs.count;
	int status = check(exporting);

	if (status != EXIT_OK)
		return status;
	exporting->clocks = calloc(count, sizeof(*exporting->clocks));
	exporting->names = calloc(count, sizeof(*exporting->names));
	if (exporting->clocks && exporting->names) {
		for (size_t i = 0; i < count; i++)
			host_clock_start(&exporting->clocks[i], &exporting->sources, i);
		name_members(exporting);
		status = write_file(exporting);
	} else {
		pr_err("%s", strerror(ENOMEM));
		status = EXIT_FAILED;
	}
	free(exporting->clocks);
	free(exporting->names);
	return status;
}

int perfetto_export(const struct perfetto_options *opts, char **paths, size_t count)
{
	struct exporting exporting = { .opts = opts };
	int status = output_check("export", "--perfetto", opts->path, paths, count);

	if (status != EXIT_OK)
		return status;
	return export_run(&exporting.sources, &opts->sources, paths, count, write_all, &exporting);
}
