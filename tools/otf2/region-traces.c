// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens region traces of processes: finds their files, logs and threads.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/error.h"
#include "lib/base/array.h"
#include "region-traces.h"
#include "thread.h"

#define BOOT_BYTES	16

static int no_memory(void)
{
	pr_err("%s", strerror(ENOMEM));
	return EXIT_FAILED;
}

/* ---- Files ---- */

static int add_file(struct region_traces *traces, const char *path)
{
	struct region_traced *traced;

	if (array_reserve(&traces->files, &traces->capacity, traces->count, sizeof(*traces->files)))
		return no_memory();
	traced = &traces->files[traces->count++];
	*traced = (struct region_traced) { 0 };
	return region_trace_open(&traced->file, path);
}

/* ".1234", ".1234.1" */
static bool is_numbers(const char *text)
{
	for (unsigned int i = 0; i < 2 && *text == '.'; i++) {
		text++;
		if (!isdigit((unsigned char)*text))
			return false;
		while (isdigit((unsigned char)*text))
			text++;
		if (!*text)
			return true;
	}
	return false;
}

static char *directory_of(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');

	*name = slash ? slash + 1 : path;
	return slash ? strndup(path, slash - path + 1) : strdup("");
}

/* Adds the traces of a directory that are named @name and numbers. */
static int add_all_of(struct region_traces *traces, const char *directory, const char *name)
{
	struct dirent **entries;
	int count = scandir(*directory ? directory : ".", &entries, NULL, alphasort);
	int status = EXIT_OK;
	size_t length = strlen(name);

	if (count < 0)
		return EXIT_OK;
	for (int i = 0; i < count; i++) {
		char *path = NULL;

		if (status == EXIT_OK && !strncmp(entries[i]->d_name, name, length) &&
		    is_numbers(entries[i]->d_name + length)) {
			if (asprintf(&path, "%s%s", directory, entries[i]->d_name) < 0)
				status = no_memory();
			/* A profile may have the same name. */
			else if (region_trace_is_one(path))
				status = add_file(traces, path);
			free(path);
		}
		free(entries[i]);
	}
	free(entries);
	return status;
}

int region_traces_find(struct region_traces *traces, const char *path)
{
	size_t before = traces->count;
	struct stat stat_of;
	const char *name;
	char *directory;
	int status;

	if (!stat(path, &stat_of) && !S_ISDIR(stat_of.st_mode))
		return add_file(traces, path);
	directory = directory_of(path, &name);
	if (!directory)
		return no_memory();
	status = add_all_of(traces, directory, name);
	free(directory);
	if (status != EXIT_OK || traces->count > before)
		return status;
	pr_err("%s: no traces of regions: neither this file nor %s.PID exists; give the value of EVTLOG_TRACE_FILE, or one of its files",
	       path, path);
	return EXIT_FAILED;
}

/* ---- Logs ---- */

/* Prints a boot id as in logs: "f9168c5e-...". */
static void print_boot(char *text, const uint8_t *boot_id)
{
	for (unsigned int i = 0; i < BOOT_BYTES; i++)
		text += sprintf(text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
				boot_id[i]);
}

static int say_other(const struct region_traced *traced, const struct logs *logs,
		     const bool *wanted)
{
	const struct region_trace_header *header = &traced->file.header;
	static const uint8_t none[BOOT_BYTES];

	if (!memcmp(header->boot_id, none, BOOT_BYTES)) {
		pr_err("%s: contains no host and boot id", traced->file.path);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < logs->count; i++) {
		if (!wanted[i] || strcmp(logs->files[i].name, header->host))
			continue;
		if (evtlog_meta(logs->files[i].file, "system_boot_id"))
			pr_err("%s: is of another boot of %s than the log: give the log of the run in which the program ran",
			       traced->file.path, header->host);
		else
			pr_err("%s: the log of %s contains no boot id: it is of a logd before 0.11.0",
			       traced->file.path, header->host);
		return EXIT_FAILED;
	}
	pr_err("%s: its process was on %s, and no log is of this host: give the logs of all hosts of the program",
	       traced->file.path, header->host[0] ? header->host : "an unknown host");
	return EXIT_FAILED;
}

static int find_log(struct region_traced *traced, const struct logs *logs, const bool *wanted)
{
	char boot[64];

	print_boot(boot, traced->file.header.boot_id);
	for (size_t i = 0; i < logs->count; i++) {
		const char *of_log = evtlog_meta(logs->files[i].file, "system_boot_id");

		if (!wanted[i] || !of_log || strcmp(of_log, boot))
			continue;
		traced->host = i;
		return EXIT_OK;
	}
	return say_other(traced, logs, wanted);
}

static bool is_within(const struct region_traced *traced, const struct logs *logs)
{
	const struct evtlog_file *log = logs->files[traced->host].file;

	return traced->file.begin_ns <= evtlog_end_ns(log) &&
	       traced->file.end_ns >= evtlog_begin_ns(log);
}

/* Leaves out files without a part in the log, and files without regions. */
static int leave_out(struct region_traces *traces, const struct logs *logs)
{
	size_t kept = 0;

	for (size_t i = 0; i < traces->count; i++) {
		struct region_traced *traced = &traces->files[i];
		bool is_empty = !traced->file.thread_count;

		if (!is_empty && !is_within(traced, logs)) {
			traces->outside++;
			continue;
		}
		traces->shorter += traced->file.is_short;
		traces->unsaved += traced->file.is_open;
		if (is_empty) {
			traces->empty++;
		} else {
			struct region_traced moved = *traced;

			*traced = traces->files[kept];
			traces->files[kept++] = moved;
		}
	}
	if (kept) {
		while (traces->count > kept)
			region_trace_close(&traces->files[--traces->count].file);
		return EXIT_OK;
	}
	if (traces->outside)
		pr_err("%s: no part of it is within the log: it is of another run",
		       traces->files[0].file.path);
	else
		pr_err("%s: has no regions", traces->files[0].file.path);
	return EXIT_FAILED;
}

int region_traces_open(struct region_traces *traces, char *const *paths, size_t count,
		       const struct logs *logs, const bool *wanted)
{
	int status = EXIT_OK;

	for (size_t i = 0; i < count && status == EXIT_OK; i++)
		status = region_traces_find(traces, paths[i]);
	for (size_t i = 0; i < traces->count && status == EXIT_OK; i++)
		status = find_log(&traces->files[i], logs, wanted);
	if (status == EXIT_OK && traces->count)
		status = leave_out(traces, logs);
	return status;
}

/* ---- Threads ---- */

/* Returns the number of a thread in the log; 0 if unknown. */
static uint32_t tid_in_log(const struct region_traced *traced,
			   const struct region_trace_thread *thread)
{
	uint64_t namespace = traced->file.header.pid_namespace;
	uint32_t tid = thread->kernel_tid;

	if (!tid && (!namespace || namespace == REGION_TRACE_FIRST_NAMESPACE))
		tid = thread->tid;
	return tid < 1u << EVTLOG_PID_BITS ? tid : 0;
}

int region_traces_threads(struct region_traces *traces, uint32_t groups)
{
	size_t count = 0;

	for (size_t i = 0; i < traces->count; i++)
		count += traces->files[i].file.thread_count;
	traces->groups = groups;
	traces->threads = calloc(count + 1, sizeof(*traces->threads));
	if (!traces->threads)
		return -ENOMEM;
	for (size_t i = 0; i < traces->count; i++) {
		const struct region_traced *traced = &traces->files[i];

		for (size_t k = 0; k < traced->file.thread_count; k++) {
			uint32_t tid = tid_in_log(traced, &traced->file.threads[k]);

			if (tid)
				traces->threads[traces->thread_count++] = (struct thread) {
					.tid = tid, .host = traced->host,
					.location.group = groups + i,
				};
			else
				traces->foreign++;
		}
	}
	return 0;
}

/* ---- Results ---- */

void region_traces_offsets(struct region_traces *traces, const struct log_set_file *logs,
			   const struct offsets *hosts, struct offsets *offsets)
{
	for (size_t i = 0; i < traces->count; i++) {
		const struct region_traced *traced = &traces->files[i];
		uint64_t error_ns = traced->file.error_ns +
				    evtlog_clock_error_ns(logs[traced->host].file), most_ns = 0;

		for (unsigned int k = 0; k < hosts[traced->host].points; k++)
			if (hosts[traced->host].error_ns[k] > most_ns)
				most_ns = hosts[traced->host].error_ns[k];
		error_ns += most_ns;
		if (error_ns > traces->error_ns)
			traces->error_ns = error_ns;
		offsets[i] = (struct offsets) {
			.streams = { traced->first, traced->first + traced->file.thread_count },
			.points = traces->begin_ns < traces->end_ns ? 2 : 0,
			.time_ns = { traces->begin_ns, traces->end_ns },
			.error_ns = { error_ns, error_ns },
		};
	}
}

static void say_missing(const struct region_traces *traces)
{
	const char *first = traces->files[0].file.path;

	if (traces->outside || traces->empty)
		pr_info("%zu more traces of regions are left out: %zu have no part within the log, %zu have no region",
			traces->outside + traces->empty, traces->outside, traces->empty);
	if (traces->lost)
		pr_warn("%s: begins and ends of regions that are missing, because they could not be written: %" PRIu64,
			first, traces->lost);
	if (traces->cut)
		pr_warn("%s: traces of regions that could not be written to the program's end: %" PRIu64
			"; open regions end with the trace", first, traces->cut);
	if (traces->shorter)
		pr_warn("%s: traces of regions that are truncated: %" PRIu64
			"; copy them again; open regions end with the trace", first,
			traces->shorter);
	if (traces->unsaved)
		pr_warn("%s: traces of regions that are unfinished: %" PRIu64
			"; their program still runs or was killed", first, traces->unsaved);
	if (traces->threads_missed)
		pr_warn("%s: threads without a trace of regions, because there was no space: %" PRIu64, first,
			traces->threads_missed);
	if (traces->missed)
		pr_warn("%s: regions that are counted as part of their outer regions, because there was no space: %"
			PRIu64, first, traces->missed);
	if (traces->bad)
		pr_warn("%s: parts of traces of regions that are missing or can't be read: %" PRIu64
			"; open regions end before them", first, traces->bad);
	if (traces->unmatched)
		pr_warn("%s: ends of regions that had not begun: %" PRIu64, first, traces->unmatched);
	if (traces->open)
		pr_info("%s: regions that were open when a trace ended: %" PRIu64
			"; they end with it", first, traces->open);
}

static void say_threads(const struct region_traces *traces)
{
	size_t unseen = 0, twins = 0;

	for (size_t i = 0; i < traces->thread_count; i++) {
		unseen += !traces->threads[i].seen && !traces->threads[i].twin;
		twins += traces->threads[i].twin;
	}
	if (traces->foreign)
		pr_warn("threads of another pid namespace, whose ids in the log are unknown: %zu; their events of the kernel are shown only on CPUs",
			traces->foreign);
	if (unseen)
		pr_warn("of %zu threads with regions, %zu are in the log", traces->thread_count - twins,
			traces->thread_count - twins - unseen);
	if (twins)
		pr_info("%zu threads have the id of another thread with regions: events of the kernel are shown once, with the first",
			twins);
}

bool region_traces_lack(const struct region_traces *traces)
{
	return traces->lost || traces->cut || traces->shorter || traces->bad;
}

void region_traces_say(const struct region_traces *traces)
{
	size_t threads = 0;

	if (!traces->count)
		return;
	for (size_t i = 0; i < traces->count; i++)
		threads += traces->files[i].file.thread_count;
	pr_info("%s%s: %zu processes, %zu threads, %" PRIu64 " begins and ends of regions; times are those of CLOCK_MONOTONIC_RAW, within %" PRIu64 " ns",
		traces->files[0].file.path, traces->count > 1 ? " and others" : "", traces->count,
		threads, traces->events, traces->error_ns);
	say_missing(traces);
	say_threads(traces);
}
