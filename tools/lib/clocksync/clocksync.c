// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Relates the clocks of the hosts of several files.
 *
 * Stage: between open files and programs that need one timeline.  It reads each file once, for
 * packets, and keeps nothing else of it.  The arithmetic is in packet-match.c and solve.c;
 * timeline.c converts times with the result.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clocksync.h"
#include "lib/file/file.h"
#include "lib/stream/stream.h"

/* Latest time of a clock, 73 years after boot; sums of such times do not overflow. */
#define TIME_MAX	(INT64_C(1) << 61)
/* Bytes of buffers between two calls of progress(). */
#define PROGRESS_BYTES	(8u << 20)

/* State of evtlog_clocksync_new(). */
struct making {
	struct evtlog_clocksync *hosts;
	struct evtlog_file *const *files;
	struct evtlog_clocksync_options options;
	struct evtlog_error *error;
	struct packet_records records;
	struct packets packets;
	uint64_t done_bytes;
	uint64_t all_bytes;
	uint64_t reported_bytes;
};

static int __attribute__((format(printf, 3, 4)))
fail(struct evtlog_error *error, int result, const char *format, ...)
{
	va_list args;

	if (!error)
		return result;
	error->offset = 0;
	va_start(args, format);
	vsnprintf(error->reason, sizeof(error->reason), format, args);
	va_end(args);
	return result;
}

static const char *host_name(const struct evtlog_file *file)
{
	const char *name = evtlog_meta(file, "host");

	return name ? name : "";
}

static int compare_boots(const struct evtlog_file *a, const struct evtlog_file *b)
{
	int order = strcmp(host_name(a), host_name(b));

	return order ? order : memcmp(evtlog_boot_id(a), evtlog_boot_id(b), 16);
}

static int compare_files(const void *x, const void *y, void *files_arg)
{
	struct evtlog_file *const *files = files_arg;
	size_t i = *(const size_t *)x, j = *(const size_t *)y;
	const struct evtlog_file *a = files[i], *b = files[j];
	int order = compare_boots(a, b);

	if (order)
		return order;
	if (evtlog_run(a) != evtlog_run(b))
		return evtlog_run(a) < evtlog_run(b) ? -1 : 1;
	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	if (a->source.size_bytes != b->source.size_bytes)
		return a->source.size_bytes < b->source.size_bytes ? -1 : 1;
	return (i > j) - (i < j);
}

static int64_t clamp(uint64_t ns)
{
	return ns > TIME_MAX ? TIME_MAX : (int64_t)ns;
}

static int64_t clamp_signed(int64_t ns)
{
	return ns < -TIME_MAX ? -TIME_MAX : ns > TIME_MAX ? TIME_MAX : ns;
}

static void note_file(struct host *host, const struct evtlog_file *file)
{
	uint64_t error_ns = evtlog_clock_error_ns(file);

	int64_t begin_ns = clamp(file->begin_ns), end_ns = clamp(file->end_ns);

	if (begin_ns < host->begin_ns)
		host->begin_ns = begin_ns;
	if (end_ns > host->end_ns)
		host->end_ns = end_ns;
	if (clamp(error_ns) > (int64_t)host->error_ns)
		host->error_ns = clamp(error_ns);
}

static int group_files(struct making *making)
{
	struct evtlog_clocksync *hosts = making->hosts;
	const struct evtlog_file *last = NULL;
	struct host *host = NULL;

	hosts->order = calloc(hosts->file_count, sizeof(*hosts->order));
	hosts->host_of = calloc(hosts->file_count, sizeof(*hosts->host_of));
	hosts->hosts = calloc(hosts->file_count, sizeof(*hosts->hosts));
	if (!hosts->order || !hosts->host_of || !hosts->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < hosts->file_count; i++) {
		hosts->order[i] = i;
		making->all_bytes += making->files[i]->summary.raw_bytes;
	}
	qsort_r(hosts->order, hosts->file_count, sizeof(*hosts->order),
		compare_files, (void *)making->files);
	for (size_t i = 0; i < hosts->file_count; i++) {
		const struct evtlog_file *file = making->files[hosts->order[i]];

		if (!last || compare_boots(last, file)) {
			host = &hosts->hosts[hosts->host_count++];
			host->first = hosts->order[i];
			host->name = host_name(file);
			host->boot_id = evtlog_boot_id(file);
			host->begin_ns = INT64_MAX;
			host->clock.segments = 1;
			host->real_known = !__builtin_sub_overflow(
				evtlog_real_ns(file, file->begin_ns),
				(int64_t)file->begin_ns, &host->real_offset_ns);
		}
		note_file(host, file);
		hosts->host_of[hosts->order[i]] = host - hosts->hosts;
		last = file;
	}
	return 0;
}

/* ---- Packets ---- */

static void note_event(const struct evtlog_event *event,
		       const struct clock *clock, struct packet_record *record)
{
	const uint64_t *words = event->words;
	uint32_t peer = words[1] >> 32, local = words[2];
	uint64_t ticks = event->ticks;

	record->received = event->known == EVTLOG_ICMP_RX;
	if (record->received && words[3])
		ticks = words[3];
	record->type = evtlog_data(words, 0, 8);
	record->time_ns = clock_ns(clock, ticks);
	record->source = record->received ? peer : local;
	record->destination = record->received ? local : peer;
	record->id = words[1];
	record->sequence = words[1] >> 16;
}

/* In other namespaces, any user can use any address, including another host's. */
static bool is_of_wanted_netns(const struct evtlog_clocksync_options *options,
			       const struct evtlog_event *event)
{
	uint64_t netns = event->words[event->known == EVTLOG_ICMP_RX ? 4 : 3];

	if (options->any_netns || (!netns && !options->netns_count))
		return true;
	for (size_t i = 0; i < options->netns_count; i++)
		if (options->netns[i] == netns)
			return true;
	return false;
}

static void report_progress(struct making *making, uint64_t position)
{
	uint64_t done = making->done_bytes + position;

	if (!making->options.progress ||
	    done - making->reported_bytes < PROGRESS_BYTES)
		return;
	making->reported_bytes = done;
	making->options.progress(making->options.progress_arg, done,
				 making->all_bytes);
}

static int read_stream(struct making *making, struct evtlog_file *file,
		       unsigned int slot, uint32_t host)
{
	const struct clock *clock = file_clock(file, slot);
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	int result;

	result = evtlog_stream_new(file, slot, &stream);
	if (result)
		return result;
	stream_only(stream, UINT64_C(1) << EVTLOG_ICMP_RX | UINT64_C(1) << EVTLOG_ICMP_TX);
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		struct packet_record record = { .host = host };

		if (event->kind == EVTLOG_EVENT_BUFFER)
			report_progress(making, evtlog_stream_position(stream));
		if (event->known != EVTLOG_ICMP_RX &&
		    event->known != EVTLOG_ICMP_TX)
			continue;
		note_event(event, clock, &record);
		if (!packet_type_matches(record.type) ||
		    record.time_ns > TIME_MAX)
			continue;
		if (!is_of_wanted_netns(&making->options, event)) {
			making->hosts->hosts[host].clock.foreign++;
			continue;
		}
		result = packet_record_add(&making->records, &record);
		if (result)
			break;
	}
	making->done_bytes += evtlog_stream_position(stream);
	evtlog_stream_free(stream);
	return result;
}

static int read_files(struct making *making)
{
	struct evtlog_clocksync *hosts = making->hosts;
	int result = 0;

	for (size_t i = 0; i < hosts->file_count && !result; i++) {
		struct evtlog_file *file = making->files[hosts->order[i]];
		size_t number = hosts->host_of[hosts->order[i]];

		for (unsigned int slot = 0;
		     slot < evtlog_cpu_count(file) && !result; slot++)
			result = read_stream(making, file, slot, number);
		/* Known only after reading; the error of each CPU's clock is unknown. */
		if (file->summary.tsc_bad)
			hosts->hosts[number].clock.tsc_bad = true;
	}
	return result;
}

/* ---- The reference ---- */

static int choose_reference(struct making *making)
{
	struct evtlog_clocksync *hosts = making->hosts;
	const char *name = making->options.reference;

	if (!name) {
		hosts->reference = network_reference(hosts->hosts,
						     hosts->host_count,
						     &making->packets);
		return 0;
	}
	for (size_t i = 0; i < hosts->host_count; i++) {
		if (strcmp(hosts->hosts[i].name, name))
			continue;
		hosts->reference = i;
		return 0;
	}
	return fail(making->error, -ENOENT, "no file is of host %s", name);
}

uint64_t host_rate_error(uint64_t error_ns, int64_t span_ns, uint64_t rho_ppb)
{
	unsigned __int128 error;

	if (span_ns <= 0 || error_ns > TIME_MAX)
		return UINT64_MAX;
	error = ((unsigned __int128)error_ns * 1000000000 + span_ns - 1) /
		(uint64_t)span_ns + rho_ppb;
	return error > UINT64_MAX ? UINT64_MAX : error;
}

int host_own_timeline(struct host *host, uint64_t bound_ns)
{
	host->timeline.nodes = calloc(1, sizeof(*host->timeline.nodes));
	if (!host->timeline.nodes)
		return -ENOMEM;
	host->timeline.nodes->bound_ns = bound_ns;
	host->timeline.count = 1;
	host->clock.bound_ns = bound_ns;
	host->clock.best_bound_ns = bound_ns;
	return 0;
}

/*
 * Compares REALTIMEs with packets, where packets relate hosts.  If REALTIMEs differ by more than
 * assumed, this difference becomes the assumed error of the hosts that no packet relates.
 */
static void test_ntp(struct making *making)
{
	struct evtlog_clocksync *hosts = making->hosts;
	const struct host *reference = &hosts->hosts[hosts->reference];
	const struct evtlog_file *file = making->files[reference->first];
	int64_t most = 0, least = 0;
	uint64_t slack = 0, apart;

	for (size_t i = 0; i < hosts->host_count; i++) {
		const struct host *host = &hosts->hosts[i];
		int64_t at[2] = { host->begin_ns, host->end_ns };

		if (host->clock.method != EVTLOG_CLOCK_PACKETS)
			continue;
		for (int k = 0; k < 2; k++) {
			uint64_t bound = timeline_bound(&host->timeline, at[k]);
			int64_t ahead;

			if (bound > TIME_MAX)
				continue;
			ahead = clamp_signed(ntp_ahead(host,
						       making->files[host->first],
						       file, at[k]));
			if (ahead > most)
				most = ahead;
			if (ahead < least)
				least = ahead;
			bound += reference->error_ns;
			if (bound > slack)
				slack = bound;
		}
	}
	apart = most - least;
	/* Two such clocks are compared: both bounds count. */
	if (apart <= making->options.ntp_error_ns + 2 * slack)
		return;
	hosts->ntp_disproved_ns = apart;
	making->options.ntp_error_ns = apart + 2 * slack;
}

static bool all_related(const struct evtlog_clocksync *hosts)
{
	for (size_t i = 0; i < hosts->host_count; i++)
		if (!hosts->hosts[i].timeline.count)
			return false;
	return true;
}

static int relate_others(struct making *making)
{
	struct evtlog_clocksync *hosts = making->hosts;
	struct host *reference = &hosts->hosts[hosts->reference];
	int result = 0;

	if (making->options.assume_ntp && !all_related(hosts))
		test_ntp(making);
	for (size_t i = 0; i < hosts->host_count && !result; i++) {
		struct host *host = &hosts->hosts[i];

		if (host->timeline.count)
			continue;
		if (making->options.assume_ntp)
			result = ntp_relate(host, making->files[host->first],
					    reference,
					    making->files[reference->first],
					    making->options.ntp_error_ns);
		else
			result = host_own_timeline(host, UINT64_MAX);
	}
	return result;
}

static int make(struct making *making)
{
	struct evtlog_clocksync *hosts = making->hosts;
	struct host *reference;
	int result = group_files(making);

	/* Even with a single host: only reading its file shows what is missing in it. */
	if (!result)
		result = read_files(making);
	if (!result)
		result = packets_match(hosts->hosts, hosts->host_count,
				       &making->records, &making->packets);
	free(making->records.at);
	making->records.at = NULL;
	if (result)
		return result;
	result = choose_reference(making);
	if (result)
		return result;
	reference = &hosts->hosts[hosts->reference];
	reference->clock.method = EVTLOG_CLOCK_REFERENCE;
	result = host_own_timeline(reference, reference->error_ns);
	if (!result)
		result = network_solve(hosts->hosts, hosts->host_count,
				       hosts->reference,
				       making->options.rho_ppb,
				       &making->packets);
	return result ? result : relate_others(making);
}

int evtlog_clocksync_new(struct evtlog_file *const *files, size_t count,
			 const struct evtlog_clocksync_options *options,
			 struct evtlog_clocksync **hostsp, struct evtlog_error *error)
{
	struct making making = { .files = files, .error = error };
	int result;

	*hostsp = NULL;
	if (!count || count > HOSTS_MAX)
		return fail(error, -EINVAL, count ? "too many files" :
			    "there are no files");
	if (options)
		making.options = *options;
	if (!making.options.rho_ppb)
		making.options.rho_ppb = EVTLOG_RHO_PPB;
	if (!making.options.ntp_error_ns)
		making.options.ntp_error_ns = EVTLOG_NTP_ERROR_NS;
	if (error)
		error->reason[0] = '\0';
	making.hosts = calloc(1, sizeof(*making.hosts));
	if (!making.hosts)
		return fail(error, -ENOMEM, "out of memory");
	making.hosts->file_count = count;
	result = make(&making);
	free(making.records.at);
	free(making.packets.at);
	if (result) {
		evtlog_clocksync_free(making.hosts);
		if (error && !error->reason[0])
			fail(error, result, "%s", strerror(-result));
		return result;
	}
	*hostsp = making.hosts;
	return 0;
}

void evtlog_clocksync_free(struct evtlog_clocksync *hosts)
{
	if (!hosts)
		return;
	for (size_t i = 0; i < hosts->host_count; i++)
		free(hosts->hosts[i].timeline.nodes);
	free(hosts->hosts);
	free(hosts->order);
	free(hosts->host_of);
	free(hosts);
}
