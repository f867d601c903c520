// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The input logs of an export, with the wanted hosts, CPUs and times.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "input/types.h"
#include "sources.h"

static int choose_hosts(struct sources *sources)
{
	const struct choice *choice = sources->opts->hosts;

	sources->wanted = calloc(sources->logs.count, sizeof(*sources->wanted));
	if (!sources->wanted) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < sources->logs.count; i++) {
		const struct log_set_file *file = &sources->logs.files[i];
		const char *host = evtlog_meta(file->file, "host");

		sources->wanted[i] = host_filter_fits(choice, file->name) ||
				     (host && host_filter_fits(choice, host));
		sources->hosts += sources->wanted[i];
	}
	return sources->hosts ? EXIT_OK :
	       log_set_refuse_hosts(&sources->logs, "export", choice->text);
}

/* A global buffer has the records of all CPUs in one order, so there is no state of each CPU. */
static int refuse_global(const struct sources *sources)
{
	for (size_t i = 0; i < sources->logs.count; i++) {
		const struct log_set_file *log = &sources->logs.files[i];

		if (!sources->wanted[i] || !log_is_global(log->file))
			continue;
		pr_err("%s: is the log of a global named buffer, without lanes of CPUs; use evtlog dump or evtlog stat",
		       log->path);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* Reports wrong options before any long work. */
static int check_span(const struct sources *sources)
{
	const struct filter *filter = sources->opts->filter;
	uint64_t length_ns = sources->end_ns - sources->begin_ns;

	if (filter->from_ns >= filter->to_ns)
		return misuse("export", "--from is not before --to");
	if (!filter->from_ns || filter->from_ns < length_ns)
		return EXIT_OK;
	pr_err("--from: %.6f s is after the end, which is %.6f s after the start",
	       filter->from_ns / 1e9, length_ns / 1e9);
	return EXIT_MISUSE;
}

static void take_times(struct sources *sources)
{
	struct evtlog_file *first = sources->logs.files[0].file;

	sources->begin_ns = log_set_begin_ns(&sources->logs);
	sources->end_ns = log_set_end_ns(&sources->logs);
	sources->real_ns = evtlog_real_ns(first, evtlog_begin_ns(first));
}

static int refuse_cpus(const struct sources *sources)
{
	bool *cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(*cpus));
	char text[200] = "unknown";

	for (size_t i = 0; cpus && i < sources->logs.count; i++) {
		struct evtlog_file *file = sources->logs.files[i].file;

		for (unsigned int k = 0; sources->wanted[i] && k < evtlog_cpu_count(file); k++)
			if (evtlog_cpu_number(file, k) < EVTLOG_CPU_LIMIT)
				cpus[evtlog_cpu_number(file, k)] = true;
	}
	if (cpus)
		filter_cpus_text(cpus, text, sizeof(text));
	free(cpus);
	return misuse("export", "--cpu: no host has such a CPU; there are CPUs %s", text);
}

int sources_open(struct sources *sources, const struct sources_options *opts, char **paths,
		 size_t count)
{
	struct log_set_options clocks = { .options.assume_ntp = opts->assume_ntp };
	int status;

	*sources = (struct sources) { .opts = opts };
	status = log_set_open(&sources->logs, paths, count, &clocks);
	if (status != EXIT_OK)
		return status;
	if (sources->logs.count > 1)
		status = log_set_relate(&sources->logs, &clocks, true);
	if (status == EXIT_OK)
		status = choose_hosts(sources);
	if (status == EXIT_OK)
		status = refuse_global(sources);
	if (status != EXIT_OK)
		return status;
	take_times(sources);
	if (opts->filter->cpus && !sources_cpu_count(sources))
		return refuse_cpus(sources);
	return check_span(sources);
}

void sources_close(struct sources *sources)
{
	free(sources->wanted);
	log_set_close(&sources->logs);
}

struct span sources_span(const struct sources *sources, size_t number)
{
	const struct filter *filter = sources->opts->filter;
	uint64_t begin_ns = evtlog_begin_ns(sources->logs.files[number].file);
	struct span span = { .from_ns = begin_ns, .to_ns = UINT64_MAX };
	int64_t start_ns = sources->begin_ns;

	if (sources->logs.count == 1) {
		span.from_ns += filter->from_ns;
		if (filter->to_ns < UINT64_MAX - begin_ns)
			span.to_ns = begin_ns + filter->to_ns;
		return span;
	}
	if (filter->from_ns)
		span.from_ns = evtlog_clocksync_raw(sources->logs.hosts, number,
						    start_ns + filter->from_ns);
	if (filter->to_ns < (uint64_t)INT64_MAX - start_ns)
		span.to_ns = evtlog_clocksync_raw(sources->logs.hosts, number,
						  start_ns + filter->to_ns);
	if (span.from_ns < begin_ns)
		span.from_ns = begin_ns;
	return span;
}

uint32_t sources_cpu_count(const struct sources *sources)
{
	const bool *cpus = sources->opts->filter->cpus;
	uint32_t count = 0;

	for (size_t i = 0; i < sources->logs.count; i++) {
		struct evtlog_file *file = sources->logs.files[i].file;

		for (unsigned int k = 0; sources->wanted[i] && k < evtlog_cpu_count(file); k++)
			count += !cpus || cpus[evtlog_cpu_number(file, k)];
	}
	return count;
}

void sources_warn_of_types(const struct log_set_file *log, uint64_t types, const char *what)
{
	types_warn(log->file, log->path, types, what);
}

int sources_verdict(const struct sources *sources)
{
	const struct logs *logs = &sources->logs;

	return logs->count > 1 ? log_set_verdict(logs) :
				 log_verdict(logs->files[0].file, logs->files[0].path);
}

int sources_say(const struct log_set_file *log, int error)
{
	pr_err("%s: %s", log->path, strerror(-error));
	return EXIT_FAILED;
}

/* ---- Exported times of a host ---- */

static int64_t real_of_raw(const struct evtlog_file *file)
{
	uint64_t begin_ns = evtlog_begin_ns(file);

	return evtlog_real_ns(file, begin_ns) - (int64_t)begin_ns;
}

void host_clock_start(struct host_clock *clock, const struct sources *sources, size_t number)
{
	const struct logs *logs = &sources->logs;
	const struct evtlog_host_clock *about;

	if (logs->count == 1) {
		*clock = (struct host_clock) {
			.real_ns = real_of_raw(logs->files[number].file),
			.error_ns = evtlog_clock_error_ns(logs->files[number].file),
		};
		return;
	}
	about = evtlog_clocksync_clock(logs->hosts, number);
	*clock = (struct host_clock) {
		.related = true,
		.ahead_ns = about->offset_ns,
		.real_ns = real_of_raw(logs->files[evtlog_clocksync_reference(logs->hosts)].file) -
			   about->offset_ns,
		.error_ns = about->bound_ns,
	};
	evtlog_host_cursor_start(&clock->cursor, logs->hosts, number);
}
