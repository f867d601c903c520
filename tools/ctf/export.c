// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes logs as CTF traces: one host after the other, each to its own directory.
 *
 * Memory grows with CPUs and tasks, not with events.  Readers find a trace by its metadata, and it
 * is written after the events of all hosts.  So readers ignore the files of a killed command.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "export.h"
#include "export/directory.h"
#include "export/run.h"
#include "host.h"

/* Memory for the current packets of all CPUs of a host */
#define PACKETS_BYTES	(16u << 20)

struct exporting {
	const struct ctf_options *opts;
	struct sources sources;
	struct directory directory;
	struct ctf_host *hosts;
	struct reading reading;
};

/* ---- One host ---- */

/* Readers match streams and metadata by this UUID. */
static void ctf_trace_uuid(const struct evtlog_file *file, uint8_t uuid[CTF_UUID_BYTES])
{
	const char *host = evtlog_meta(file, "host");
	uint64_t run = evtlog_run(file);
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, CTF_UUID_BYTES);
	crypto_generichash_update(&state, evtlog_boot_id(file), 16);
	crypto_generichash_update(&state, (const uint8_t *)&run, sizeof(run));
	if (host)
		crypto_generichash_update(&state, (const uint8_t *)host, strlen(host));
	crypto_generichash_final(&state, uuid, CTF_UUID_BYTES);
	/* Version 8 of RFC 9562: the writer defines the content. */
	uuid[6] = (uuid[6] & 0xf) | 0x80;
	uuid[8] = (uuid[8] & 0x3f) | 0x80;
}

/* Makes a file name from the name of a host: without '/' and control characters, and not hidden. */
static void directory_name(char *name, size_t size, const char *host, unsigned int again)
{
	int length = snprintf(name, size - 16, "%s", *host ? host : "host");

	if (length >= (int)size - 16)
		length = size - 17;
	for (int i = 0; i < length; i++)
		if (name[i] == '/' || (unsigned char)name[i] < ' ' || (!i && name[i] == '.'))
			name[i] = '_';
	if (again)
		snprintf(name + length, 16, ".%u", again + 1);
}

static int make_directory(struct exporting *exporting, struct ctf_host *host)
{
	int parent = open(exporting->directory.temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[200];
	int error = parent < 0 ? -errno : 0;

	for (unsigned int again = 0; !error; again++) {
		directory_name(name, sizeof(name), host->name, again);
		if (!mkdirat(parent, name, 0700))
			break;
		if (errno != EEXIST)
			error = -errno;
	}
	if (!error) {
		host->all.directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (host->all.directory < 0)
			error = -errno;
	}
	if (parent >= 0)
		close(parent);
	return error;
}

static int open_streams(struct exporting *exporting, struct ctf_host *host)
{
	const bool *cpus = exporting->opts->sources.filter->cpus;
	unsigned int count = evtlog_cpu_count(host->file);
	uint64_t begin_ns = host_clock_ns(&host->clock, host->span.from_ns);
	int error = 0;

	host->streams = calloc(count + 1, sizeof(*host->streams));
	host->cpu_of_number = calloc(EVTLOG_CPU_LIMIT, sizeof(*host->cpu_of_number));
	if (!host->streams || !host->cpu_of_number)
		return -ENOMEM;
	host->all.packet_bytes = PACKETS_BYTES / (count ? count : 1);
	if (host->all.packet_bytes < CTF_PACKET_MIN_BYTES)
		host->all.packet_bytes = CTF_PACKET_MIN_BYTES;
	if (host->all.packet_bytes > CTF_PACKET_MAX_BYTES)
		host->all.packet_bytes = CTF_PACKET_MAX_BYTES;
	for (unsigned int i = 0; !error && i < count; i++) {
		unsigned int cpu = evtlog_cpu_number(host->file, i);

		if (cpus && !cpus[cpu])
			continue;
		error = ctf_stream_open(&host->streams[host->stream_count++], &host->all, cpu,
					begin_ns);
		host->cpu_of_number[cpu] = host->stream_count;
	}
	return error;
}

/* Writes the losses of gaps that begin in the span and end after it: their events are not read. */
static void write_lost_end(struct ctf_host *host, const struct lanes *lanes, uint64_t end_ns)
{
	for (unsigned int i = 0; i < lanes->count; i++) {
		const struct evtlog_event *event = lanes->heap[i].event;
		struct ctf_stream *stream = ctf_stream_of(host, event->cpu);

		if (!stream || event->kind != EVTLOG_EVENT_GAP || event->from_ns >= end_ns ||
		    event->time_ns < end_ns || !(event->lost || event->lost_buffers))
			continue;
		ctf_write_loss(host, stream, event->from_ns, end_ns, event->lost,
			       event->lost_buffers);
	}
}

static void close_streams(struct ctf_host *host, uint64_t end_ns)
{
	uint64_t shown_ns = end_ns ? host_clock_ns(&host->clock, end_ns) : 0;

	for (unsigned int i = 0; i < host->stream_count; i++)
		ctf_stream_close(&host->streams[i], shown_ns);
	host->stream_count = 0;
}

static void start_writing(struct ctf_host *host)
{
	host->writing = true;
	if (host->span.from_ns > evtlog_begin_ns(host->file) && host->stream_count)
		ctf_write_tasks(host, &host->streams[0], host->span.from_ns);
}

static int read_events(struct exporting *exporting, struct ctf_host *host)
{
	struct reading *reading = &exporting->reading;
	const struct evtlog_event *event;
	int result;

	while ((result = reading_next(reading, &event)) > 0) {
		struct ctf_stream *stream = ctf_stream_of(host, event->cpu);
		int error;

		if (__builtin_expect(!host->writing, 0) && event->time_ns >= host->span.from_ns)
			start_writing(host);
		error = tasks_learn(&host->tasks, &reading->iterator.lanes, event);
		if (!error && stream && host->writing)
			error = ctf_write(host, stream, event);
		tasks_follow(&host->tasks, event);
		if (__builtin_expect(error || host->all.error, 0))
			return error ? error : host->all.error;
	}
	if (result < 0)
		return result;
	if (!host->writing)
		start_writing(host);
	if (host->span.to_ns != UINT64_MAX)
		write_lost_end(host, &reading->iterator.lanes, host->span.to_ns);
	return 0;
}

static int export_host(struct exporting *exporting, size_t number)
{
	const struct log_set_file *log = &exporting->sources.logs.files[number];
	struct ctf_host *host = &exporting->hosts[number];
	const char *machine;
	uint64_t end_ns;
	int error, written;

	host->file = log->file;
	host->is_of_tree = evtlog_tree_pid(log->file);
	host->name = log->name;
	host->span = sources_span(&exporting->sources, number);
	host_clock_start(&host->clock, &exporting->sources, number);
	ctf_trace_uuid(log->file, host->all.uuid);
	ctf_types_init(host);
	machine = evtlog_meta(log->file, "machine");
	host->names_calls = !machine || !strcmp(machine, "x86_64");
	written = make_directory(exporting, host);
	if (!written)
		written = open_streams(exporting, host);
	/* @all.error has errors of writing, @error has errors of reading the log. */
	host->all.error = written;
	error = written ? 0 : tasks_begin(&host->tasks, log->file);
	if (!written && !error)
		error = fields_init(&host->fields, log->file, host->tasks.names);
	if (!written && !error)
		error = reading_begin(&exporting->reading, log->file, log->name, host->span);
	if (!written && !error)
		error = read_events(exporting, host);
	reading_end(&exporting->reading);
	end_ns = host->span.to_ns != UINT64_MAX ? host->span.to_ns : evtlog_end_ns(log->file);
	close_streams(host, error ? 0 : end_ns);
	fields_free(&host->fields);
	tasks_end(&host->tasks);
	free(host->streams);
	free(host->cpu_of_number);
	host->streams = NULL;
	host->cpu_of_number = NULL;
	return error;
}

/* ---- All hosts ---- */

static int say_unwritten(const struct exporting *exporting, int error)
{
	pr_err("%s: can't be written: %s", exporting->opts->directory, strerror(-error));
	return EXIT_FAILED;
}

static int write_host(void *context, size_t number)
{
	struct exporting *exporting = context;
	int error = export_host(exporting, number);

	if (exporting->hosts[number].all.error && !interrupted)
		return say_unwritten(exporting, exporting->hosts[number].all.error);
	return error;
}

static int write_metadata(struct exporting *exporting)
{
	int error = 0;

	for (size_t i = 0; !error && i < exporting->sources.logs.count; i++)
		if (exporting->sources.wanted[i])
			error = ctf_metadata_write(&exporting->hosts[i], &exporting->sources, i);
	if (!error)
		error = directory_finish(&exporting->directory);
	return error ? say_unwritten(exporting, error) : EXIT_OK;
}

/* Prints how the traces differ from traces of LTTng. */
static void say_notes(const struct exporting *exporting)
{
	uint32_t notes = 0;

	for (size_t i = 0; i < exporting->sources.logs.count; i++)
		notes |= exporting->hosts[i].notes;
	notes_say_some(ctf_notes, notes, exporting->opts->directory);
}

static int write_all(void *context)
{
	struct exporting *exporting = context;
	const size_t count = exporting->sources.logs.count;
	int status;

	files_limit_raise();
	exporting->hosts = calloc(count, sizeof(*exporting->hosts));
	if (!exporting->hosts) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < count; i++)
		exporting->hosts[i].all.directory = -1;
	status = directory_begin(&exporting->directory, exporting->opts->directory);
	if (status == EXIT_OK)
		status = export_hosts(&exporting->sources, write_host, exporting, "trace");
	if (status == EXIT_OK)
		status = write_metadata(exporting);
	if (status == EXIT_OK)
		say_notes(exporting);
	for (size_t i = 0; i < count; i++) {
		if (exporting->hosts[i].all.directory >= 0)
			close(exporting->hosts[i].all.directory);
		free(exporting->hosts[i].events);
	}
	directory_discard(&exporting->directory);
	free(exporting->hosts);
	return status;
}

int ctf_export(const struct ctf_options *opts, char **paths, size_t count)
{
	struct exporting exporting = { .opts = opts };
	int status = directory_check("ctf", opts->directory, "traces");

	if (status != EXIT_OK)
		return status;
	return export_run(&exporting.sources, &opts->sources, paths, count, write_all, &exporting);
}
