// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens logs and hands their stations' records on.
 *
 * A probe's record is taken apart by the fields that its format in the log tells: of a probe
 * that somebody else made of the same function, fields are missing, and it is skipped.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/progress.h"
#include "input/open-log.h"
#include "lib/base/array.h"
#include "lib/merge/iterator.h"
#include "read.h"

#define PROGRESS_EVENTS	(1u << 18)

/* ---- Opening ---- */

/* A log may say anything. */
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
	int status = EXIT_OK;

	if (source->log)
		return log_verdict(source->log, source->path);
	if (!source->merged)
		return log_set_verdict(&source->logs);
	for (size_t i = 0; i < source->report.count; i++) {
		const struct report_host *host = &source->report.hosts[i];

		if (!host->lost && !host->damaged_places && host->complete)
			continue;
		pr_warn("%s: %s: %" PRIu64 " events lost during recording, %" PRIu64
			" places damaged or missing%s", source->path, host->name, host->lost,
			host->damaged_places,
			host->complete ? "" : ", the end of the run is missing");
		status = EXIT_EVENTS_LOST;
	}
	return status;
}

/* ---- Records ---- */

enum { SKB, LEN, PAGED, HEAD, REASON, READ, SK, SEQUENCE, TO, FIELDS };

static const char *const field_names[FIELDS] = {
	"skb", "len", "paged", "head", "reason", "read", "sk", "sequence", "to",
};

/*
 * A registered event of a host.
 *
 * @station:	PATH_STATIONS: none
 * @has:	bits of @field that are there
 */
struct path_format {
	enum path_station station;
	unsigned int has;
	struct evtlog_event_field field[FIELDS];
};

struct formats {
	struct key_table table;
	struct path_format *at;
	size_t count;
	size_t capacity;
};

static unsigned int wanted_fields(enum path_station station)
{
	const struct path_station_kind *kind = &path_stations[station];
	unsigned int wanted = kind->skb ? 1u << SKB : 1u << LEN;

	if (kind->bytes != PATH_NO_BYTES)
		wanted |= 1u << LEN | 1u << PAGED | 1u << HEAD;
	if (station == PATH_DROP)
		wanted |= 1u << REASON;
	if (station == PATH_TCP_SENDMSG)
		wanted |= 1u << SK | 1u << SEQUENCE;
	if (station == PATH_TCP_MERGE)
		wanted |= 1u << TO;
	return wanted;
}

static void make_format(struct path_format *to, const struct evtlog_event_format *from)
{
	memset(to, 0, sizeof(*to));
	to->station = from ? path_station_of_event(from->name) : PATH_STATIONS;
	if (to->station == PATH_STATIONS)
		return;
	for (uint32_t i = 0; i < from->field_count; i++)
		for (unsigned int k = 0; k < FIELDS; k++)
			if (!strcmp(from->fields[i].name, field_names[k])) {
				to->field[k] = from->fields[i];
				to->has |= 1u << k;
			}
	if ((to->has & wanted_fields(to->station)) != wanted_fields(to->station))
		to->station = PATH_STATIONS;
}

static const struct path_format *find_format(struct formats *formats,
					     const struct path_source *source, size_t host,
					     uint32_t id)
{
	uint64_t key = (uint64_t)host << 16 | id;
	uint32_t number = key_table_find(&formats->table, key);

	if (number != KEY_NONE)
		return &formats->at[number];
	number = formats->count;
	if (array_reserve(&formats->at, &formats->capacity, formats->count, sizeof(*formats->at)) ||
	    key_table_add(&formats->table, key, number))
		return NULL;
	make_format(&formats->at[formats->count++],
		    evtlog_event_format(source->hosts[host].file, id));
	return &formats->at[number];
}

static uint64_t number_of(const struct path_format *format, unsigned int field,
			  const void *payload, size_t bytes)
{
	size_t field_bytes;
	const void *at;

	if (!(format->has & 1u << field))
		return 0;
	at = evtlog_event_field_at(&format->field[field], payload, bytes, &field_bytes);
	return at ? evtlog_event_field_u64(at, field_bytes) : 0;
}

static void make_record(struct path_record *record, const struct path_format *format,
			const struct iterator_event *at)
{
	uint32_t paged;
	size_t bytes;
	const void *payload = evtlog_event_payload(at->event, &bytes);

	memset(record, 0, sizeof(*record));
	record->visit.time_ns = at->time_ns;
	record->visit.host = at->log;
	record->visit.cpu = at->event->cpu;
	record->visit.pid = at->event->pid;
	record->visit.station = format->station;
	record->visit.reason = number_of(format, REASON, payload, bytes);
	record->skb = number_of(format, SKB, payload, bytes);
	record->length = number_of(format, LEN, payload, bytes);
	record->socket = number_of(format, SK, payload, bytes);
	record->sequence = number_of(format, SEQUENCE, payload, bytes);
	record->to = number_of(format, TO, payload, bytes);
	if (!(format->has & 1u << HEAD))
		return;
	/* Behind its first memory there is something else. */
	paged = number_of(format, PAGED, payload, bytes);
	record->bytes = evtlog_event_field_at(&format->field[HEAD], payload, bytes, &record->count);
	if (!record->bytes || paged > record->length)
		record->count = 0;
	else if (record->count > record->length - paged)
		record->count = record->length - paged;
}

/* Only looking does not take it out of the socket's queue. */
static bool is_peek(const struct path_format *format, const struct iterator_event *at)
{
	size_t bytes;
	const void *payload = evtlog_event_payload(at->event, &bytes);

	return (int64_t)number_of(format, READ, payload, bytes) < 0;
}

static int take(struct path_source *source, struct packets *packets, struct formats *formats,
		const struct iterator_event *at, unsigned int *seen)
{
	const struct path_format *format;
	struct path_record record;

	if (at->event->known != EVTLOG_EVENT)
		return 0;
	format = find_format(formats, source, at->log, evtlog_event_id(at->event));
	if (!format)
		return -ENOMEM;
	if (format->station == PATH_STATIONS || is_peek(format, at))
		return 0;
	*seen |= 1u << format->station;
	make_record(&record, format, at);
	return path_packets_take(packets, &record);
}

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
		     uint64_t to_ns, uint64_t *gaps, unsigned int *seen)
{
	const struct iterator_window window = {
		.begin_ns = source->begin_ns, .from_ns = from_ns, .to_ns = to_ns,
	};
	const struct iterator_event *at;
	struct iterator iterator = { 0 };
	struct formats formats = { 0 };
	struct progress progress;
	uint32_t events = 0;
	int result;

	result = start(source, &iterator, &window);
	progress_begin(&progress, "path", iterator.all_bytes);
	while (!result && (result = iterator_next(&iterator, &at)) > 0) {
		bool is_gap = at->event->kind == EVTLOG_EVENT_GAP;

		result = 0;
		*gaps += is_gap;
		if (is_gap)
			path_packets_forget(packets, at->log);
		else if (at->event->kind == EVTLOG_EVENT_RECORD && iterator_wants(&iterator, at))
			result = take(source, packets, &formats, at, seen);
		if (!(++events % PROGRESS_EVENTS))
			progress_update(&progress, iterator_position(&iterator));
	}
	progress_end(&progress);
	iterator_end(&iterator);
	key_table_free(&formats.table);
	free(formats.at);
	if (!result)
		return EXIT_OK;
	pr_err("%s: %s", source->path, result == -ENODATA || result == -EBADMSG ?
	       "damaged or truncated; merge the hosts' files again" : strerror(-result));
	return EXIT_FAILED;
}
