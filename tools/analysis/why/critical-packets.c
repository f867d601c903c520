// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the packet that an interrupt received, for the critical path.
 *
 * Records of ICMP, and of the probes of evtlog path.  Only the time around the interrupt is read:
 * in larger windows if the packet was sent before the first one.
 */
#include <errno.h>
#include <stdlib.h>

#include "critical.h"
#include "lib/merge/iterator.h"

#define WINDOW_NS	INT64_C(20000000)
#define WINDOW_GROWTH	10
/* A packet can wake a task before the softirq has recorded it. */
#define LATER_NS	INT64_C(10000000)

int critical_packets_init(struct critical_packets *packets, const struct query_logs *logs)
{
	size_t count = logs->set.count;

	packets->error_ns = calloc(count, sizeof(*packets->error_ns));
	packets->recorded = calloc(count, sizeof(*packets->recorded));
	if (!packets->error_ns || !packets->recorded)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct evtlog_file *file = logs->set.files[i].file;

		packets->recorded[i] = path_records_in(file) ||
				       evtlog_recorded(file, EVTLOG_ICMP_RX) != EVTLOG_RECORDED_OFF;
		if (count > 1)
			packets->error_ns[i] =
				evtlog_clocksync_clock(logs->set.hosts, i)->bound_ns;
		/* As in evtlog path: for an unknown error, packets show the order. */
		if (packets->error_ns[i] == UINT64_MAX)
			packets->error_ns[i] = 1000000000;
	}
	return 0;
}

void critical_packets_free(struct critical_packets *packets)
{
	path_packets_free(&packets->packets);
	free(packets->error_ns);
	free(packets->recorded);
}

static int take(struct packets *packets, struct path_records *records,
		const struct evtlog_file *file, size_t log, const struct evtlog_event *event,
		int64_t time)
{
	if (event->kind == EVTLOG_EVENT_GAP)
		path_packets_forget(packets, log);
	if (event->kind != EVTLOG_EVENT_RECORD)
		return 0;
	if (event->known == EVTLOG_ICMP_TX || event->known == EVTLOG_ICMP_RX)
		return path_records_take_icmp(packets, file, log, event, time);
	return path_records_take(records, packets, file, log, event, time);
}

/* Each host's records must be in order of time; between hosts no order is needed. */
static int read_log(struct packets *packets, const struct query_logs *logs, size_t log,
		    int64_t from, int64_t to)
{
	uint64_t raw_from = from > 0 ? why_raw_time(logs, log, from) : 0;
	uint64_t raw_to = why_raw_time(logs, log, to);
	struct evtlog_file *file = logs->set.files[log].file;
	struct path_records records = { 0 };
	struct iterator iterator = { 0 };
	const struct iterator_event *at;
	int result;

	result = iterator_of_log(&iterator, file, raw_from, NULL);
	while (!result && (result = iterator_next(&iterator, &at)) > 0) {
		const struct evtlog_event *event = at->event;

		result = 0;
		if (event->time_ns > raw_to)
			break;
		if (event->time_ns >= raw_from || event->kind != EVTLOG_EVENT_RECORD)
			result = take(packets, &records, file, log, event,
				      why_row_time(logs, log, event->time_ns));
	}
	iterator_end(&iterator);
	path_records_free(&records);
	return result;
}

/* Reads all packets that arrive from @from to @to.  Returns 0 or -errno. */
static int load(struct critical_packets *packets, const struct query_logs *logs, int64_t from,
		int64_t to)
{
	int error;

	packets->loaded = false;
	path_packets_free(&packets->packets);
	error = path_packets_init(&packets->packets, logs->set.count);
	for (size_t i = 0; i < logs->set.count && !error; i++)
		if (packets->recorded[i])
			error = read_log(&packets->packets, logs, i,
					 from - (int64_t)packets->error_ns[i],
					 to + LATER_NS + (int64_t)packets->error_ns[i]);
	if (!error)
		error = path_packets_match(&packets->packets, packets->error_ns);
	packets->loaded = !error;
	packets->from = from;
	packets->to = to;
	return error;
}

static bool is_received(const struct path_visit *visit)
{
	return visit->station > PATH_DEVICE && visit->station != PATH_DROP &&
	       !path_is_end(visit->station);
}

/* The packet's visits before @number: its first one at this host, and the sender's first one */
static bool trace_back(const struct path_packet *packet, size_t number,
		       struct critical_packet *found)
{
	uint32_t host = packet->visits[number].host;

	while (number && packet->visits[number - 1].host == host &&
	       is_received(&packet->visits[number - 1]))
		number--;
	found->packet = packet;
	found->received = packet->visits[number];
	if (!number)
		return false;
	host = packet->visits[--number].host;
	while (number && packet->visits[number - 1].host == host &&
	       path_is_sender(packet->visits[number - 1].station))
		number--;
	found->sent = packet->visits[number];
	return path_is_sender(found->sent.station);
}

/* Returns 1; 0: no packet was received; -ENOENT: its sender is not known. */
static int find(const struct packets *packets, size_t log, int64_t cpu, int64_t from, int64_t to,
		struct critical_packet *found)
{
	const struct path_visit *last = NULL;
	int result = 0;

	for (size_t i = 0; i < packets->count; i++) {
		const struct path_packet *packet = &packets->at[i];

		for (size_t k = 0; k < packet->count; k++) {
			const struct path_visit *visit = &packet->visits[k];

			if (visit->host != log || visit->cpu != cpu || visit->time_ns < from ||
			    visit->time_ns > to || !is_received(visit) ||
			    (last && visit->time_ns < last->time_ns))
				continue;
			last = visit;
			result = trace_back(packet, k, found) ? 1 : -ENOENT;
		}
	}
	return result;
}

int critical_packets_find(struct critical_packets *packets, const struct query_logs *logs,
			  size_t log, int64_t cpu, int64_t from, int64_t to,
			  struct critical_packet *found)
{
	int64_t window = WINDOW_NS;
	int result = -ENOENT;

	if (!packets->recorded[log])
		return 0;
	if (packets->loaded && from >= packets->from && to <= packets->to)
		result = find(&packets->packets, log, cpu, from, to, found);
	while (result == -ENOENT && window <= PATH_WAY_NS) {
		result = load(packets, logs, from - window, to);
		if (!result)
			result = find(&packets->packets, log, cpu, from, to, found);
		window *= WINDOW_GROWTH;
	}
	return result == -ENOENT ? 0 : result;
}
