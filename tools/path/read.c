// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens logs and passes their records on.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "lib/base/array.h"
#include "lib/merge/iterator.h"
#include "read.h"
#include "records.h"

#define PROGRESS_EVENTS	(1u << 18)

/* ---- Opening ---- */

/* A log can contain any bytes: replace control characters. */
static char *printable(const char *name)
{
	char *copy = strdup(name ? name : "?");

	for (char *at = copy; at && *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			*at = '?';
	return copy;
}

static int open_log(struct path_source *source, const char *path)
{
	source->log = log_open_events(path);
	if (!source->log)
		return EXIT_FAILED;
	source->hosts = calloc(1, sizeof(*source->hosts));
	if (!source->hosts)
		goto no_memory;
	source->count = 1;
	source->hosts[0].name = printable(evtlog_meta(source->log, "host"));
	if (!source->hosts[0].name)
		goto no_memory;
	source->hosts[0].file = source->log;
	source->begin_ns = evtlog_begin_ns(source->log);
	return EXIT_OK;
no_memory:
	pr_err("%s: %s", path, strerror(ENOMEM));
	return EXIT_FAILED;
}

static int take_report(struct path_source *source)
{
	const struct report *report = &source->report;

	source->hosts = calloc(report->count + 1, sizeof(*source->hosts));
	if (!source->hosts)
		return -ENOMEM;
	source->count = report->count;
	source->begin_ns = report->begin_ns;
	source->reference = report->reference;
	for (size_t i = 0; i < report->count; i++) {
		source->hosts[i].name = printable(report->hosts[i].name);
		if (!source->hosts[i].name)
			return -ENOMEM;
		source->hosts[i].error_ns = report->hosts[i].clock.bound_ns;
		source->hosts[i].file = source->merged ? evtlog_merged_file(source->merged, i) :
							 source->logs.files[i].file;
	}
	return 0;
}

static int open_merged(struct path_source *source, const char *path)
{
	struct evtlog_error error = { 0 };

	if (evtlog_merged_open(path, &source->merged, &error)) {
		pr_err("%s: %s", path, error.reason);
		return EXIT_FAILED;
	}
	real_points_read(&source->real, source->merged);
	if (!report_of_merged(&source->report, source->merged) && !take_report(source))
		return EXIT_OK;
	pr_err("%s: %s", path, strerror(ENOMEM));
	return EXIT_FAILED;
}

static int open_hosts(struct path_source *source, char **paths, size_t count,
		      const struct log_set_options *options)
{
	int status = log_set_open(&source->logs, paths, count, options);

	if (status == EXIT_OK)
		status = log_set_relate(&source->logs, options, true);
	if (status != EXIT_OK)
		return status;
	real_points_make(&source->real, &source->logs);
	if (!report_of_log_set(&source->report, &source->logs, options) && !take_report(source))
		return EXIT_OK;
	pr_err("path: %s", strerror(ENOMEM));
	return EXIT_FAILED;
}

int path_source_open(struct path_source *source, char **paths, size_t count,
		     const struct log_set_options *options)
{
	memset(source, 0, sizeof(*source));
	source->path = count == 1 ? paths[0] : "path";
	if (count == 1 && evtlog_is_merged(paths[0]))
		return open_merged(source, paths[0]);
	if (count == 1)
		return open_log(source, paths[0]);
	return open_hosts(source, paths, count, options);
}

void path_source_close(struct path_source *source)
{
	report_free(&source->report);
	if (source->logs.files)
		log_set_close(&source->logs);
	evtlog_merged_close(source->merged);
	evtlog_close(source->log);
	for (size_t i = 0; i < source->count; i++)
		free(source->hosts[i].name);
	free(source->hosts);
}

int64_t path_source_real(const struct path_source *source, int64_t time_ns)
{
	return source->log ? evtlog_real_ns(source->log, time_ns) :
			     real_at(&source->real, time_ns);
}

int path_source_verdict(const struct path_source *source)
{
	if (source->log)
		return log_verdict(source->log, source->path);
	if (!source->merged)
		return log_set_verdict(&source->logs);
	return report_verdict(&source->report, source->path);
}

/* ---- Records ---- */

static int start(struct path_source *source, struct iterator *iterator,
		 const struct iterator_window *window)
{
	if (source->log)
		return iterator_of_log(iterator, source->log, 0, window);
	if (!source->merged)
		return iterator_of_hosts(iterator, source->logs.hosts, source->logs.handles,
					 source->logs.count, 0, window);
	iterator_of_merged(iterator, source->merged, window);
	return 0;
}

int path_source_read(struct path_source *source, struct packets *packets, uint64_t from_ns,
		     uint64_t to_ns, uint64_t *gaps, struct left_out *read,
		     unsigned int *seen)
{
	const struct iterator_window window = {
		.begin_ns = source->begin_ns, .from_ns = from_ns, .to_ns = to_ns,
	};
	const struct iterator_event *at;
	struct iterator iterator = { 0 };
	struct path_records records = { 0 };
	struct progress progress;
	uint32_t events = 0;
	int result;

	result = start(source, &iterator, &window);
	progress_begin(&progress, "path", iterator.all_bytes);
	while (!result && (result = iterator_next(&iterator, &at)) > 0) {
		bool is_gap = at->event->kind == EVTLOG_EVENT_GAP, is_wanted;

		result = 0;
		*gaps += is_gap;
		is_wanted = at->event->kind == EVTLOG_EVENT_RECORD && iterator_wants(&iterator, at);
		if (is_wanted)
			left_out_count(read, at->event);
		if (is_gap)
			path_packets_forget(packets, at->log);
		else if (is_wanted)
			result = path_records_take(&records, packets, source->hosts[at->log].file,
						   at->log, at->event, at->time_ns);
		if (!(++events % PROGRESS_EVENTS))
			progress_update(&progress, iterator_position(&iterator));
	}
	progress_end(&progress);
	iterator_end(&iterator);
	*seen = records.seen;
	path_records_free(&records);
	if (!result)
		return EXIT_OK;
	pr_err("%s: %s", source->path, result == -ENODATA || result == -EBADMSG ?
	       "damaged or truncated; merge the hosts' files again" : strerror(-result));
	return EXIT_FAILED;
}
