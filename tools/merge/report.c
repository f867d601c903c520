// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects the data of the report on the hosts of a merge.
 *
 * report-print.c prints it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/open-log.h"
#include "report.h"

static void of_file(struct report_host *host, const struct logs *logs,
		    size_t number)
{
	const struct log_set_file *file = &logs->files[number];
	struct evtlog_summary summary;

	evtlog_summarize(file->file, &summary);
	*host = (struct report_host) {
		.host = evtlog_meta(file->file, "host"),
		.name = file->name,
		.run_name = evtlog_meta(file->file, "run_name"),
		.run = evtlog_run(file->file),
		.clock = *evtlog_clocksync_clock(logs->hosts, number),
		.begin_ns = evtlog_clocksync_time(logs->hosts, number,
						  evtlog_begin_ns(file->file)),
		.end_ns = evtlog_clocksync_time(logs->hosts, number,
						evtlog_end_ns(file->file)),
		.cpus = evtlog_cpu_count(file->file),
		.lost = log_lost(file->file),
		.missing_buffers = summary.missing_buffers,
		.damaged_places = log_damages(file->file),
		.gaps = file->gaps,
		.closed = summary.closed,
		.complete = summary.complete,
	};
	memcpy(host->boot_id, evtlog_boot_id(file->file), sizeof(host->boot_id));
	host->clock.tsc_bad |= summary.tsc_bad;
}

int report_of_log_set(struct report *report, const struct logs *logs,
		      const struct log_set_options *opts)
{
	size_t reference = evtlog_clocksync_reference(logs->hosts);

	*report = (struct report) {
		.reference = logs->files[reference].name,
		.assume_ntp = opts->options.assume_ntp,
		.ntp_disproved_ns = evtlog_clocksync_ntp_disproved(logs->hosts),
		.begin_ns = log_set_begin_ns(logs),
		.end_ns = log_set_end_ns(logs),
	};
	report->hosts = calloc(logs->count + 1, sizeof(*report->hosts));
	if (!report->hosts)
		return -ENOMEM;
	report->count = logs->count;
	for (size_t i = 0; i < logs->count; i++)
		of_file(&report->hosts[i], logs, i);
	return 0;
}

void report_free(struct report *report)
{
	free(report->hosts);
	report->hosts = NULL;
	report->count = 0;
}

/* ---- Lines of a merged file ---- */

/* All numbers of a host block, with their keys. */
#define NUMBERS(X) \
	X(run, "%" PRIu64, run) \
	X(offset_ns, "%" PRId64, clock.offset_ns) \
	X(rate_ppb, "%" PRId64, clock.rate_ppb) \
	X(rate_error_ppb, "%" PRIu64, clock.rate_error_ppb) \
	X(bound_ns, "%" PRIu64, clock.bound_ns) \
	X(best_bound_ns, "%" PRIu64, clock.best_bound_ns) \
	X(rho_ppb, "%" PRIu64, clock.rho_ppb) \
	X(rho_raised, "%d", clock.rho_raised) \
	X(packets, "%" PRIu64, clock.packets) \
	X(packets_dropped, "%" PRIu64, clock.dropped) \
	X(packets_foreign, "%" PRIu64, clock.foreign) \
	X(violations, "%" PRIu64, clock.violations) \
	X(segments, "%" PRIu32, clock.segments) \
	X(hops, "%" PRIu32, clock.hops) \
	X(tsc_bad, "%d", clock.tsc_bad) \
	X(begin_ns, "%" PRId64, begin_ns) \
	X(end_ns, "%" PRId64, end_ns) \
	X(cpus, "%" PRIu64, cpus) \
	X(lost, "%" PRIu64, lost) \
	X(missing_buffers, "%" PRIu64, missing_buffers) \
	X(damaged_places, "%" PRIu64, damaged_places) \
	X(closed, "%d", closed) \
	X(complete, "%d", complete)

void report_lines(const struct report_host *host, FILE *out)
{
	fprintf(out, "name=%s\nmethod=%s\nboot_id=", host->name,
		evtlog_clock_method_name(host->clock.method));
	for (int i = 0; i < 16; i++)
		fprintf(out, "%02x", host->boot_id[i]);
	putc('\n', out);
#define X(key, format, member) fprintf(out, #key "=" format "\n", host->member);
	NUMBERS(X)
#undef X
}

static uint64_t number_of(const char *text)
{
	if (!text)
		return 0;
	return *text == '-' ? (uint64_t)strtoll(text, NULL, 10) :
	       strtoull(text, NULL, 10);
}

static enum evtlog_clock_method method_of(const char *text)
{
	for (int method = EVTLOG_CLOCK_NONE; method <= EVTLOG_CLOCK_NTP; method++)
		if (text && !strcmp(text, evtlog_clock_method_name(method)))
			return method;
	return EVTLOG_CLOCK_NONE;
}

static void read_boot_id(uint8_t id[16], const char *text)
{
	for (int i = 0; text && i < 16; i++)
		if (sscanf(text + 2 * i, "%2hhx", &id[i]) != 1)
			return;
}

static void of_lines(struct report_host *host, const struct evtlog_merged *merged,
		     size_t number)
{
	const struct evtlog_file *file = evtlog_merged_file(merged, number);
	const char *name = evtlog_merged_host_meta(merged, number, "name");

	host->host = evtlog_meta(file, "host");
	host->name = name ? name : "?";
	host->run_name = evtlog_meta(file, "run_name");
	host->clock.method = method_of(evtlog_merged_host_meta(merged, number,
							       "method"));
	read_boot_id(host->boot_id,
		     evtlog_merged_host_meta(merged, number, "boot_id"));
#define X(key, format, member) \
	host->member = number_of(evtlog_merged_host_meta(merged, number, #key));
	NUMBERS(X)
#undef X
}

int report_of_merged(struct report *report, const struct evtlog_merged *merged)
{
	const struct evtlog_merged_end *end = evtlog_merged_end(merged);
	const char *reference = evtlog_merged_meta(merged, "reference");

	*report = (struct report) {
		.reference = reference ? reference : "?",
		.assume_ntp = number_of(evtlog_merged_meta(merged, "assume_ntp")),
		.ntp_disproved_ns = number_of(evtlog_merged_meta(merged,
								 "ntp_disproved_ns")),
		.begin_ns = number_of(evtlog_merged_meta(merged, "begin_ns")),
		.end_ns = number_of(evtlog_merged_meta(merged, "end_ns")),
	};
	report->hosts = calloc(evtlog_merged_hosts(merged) + 1,
			       sizeof(*report->hosts));
	if (!report->hosts)
		return -ENOMEM;
	report->count = evtlog_merged_hosts(merged);
	for (size_t i = 0; i < report->count; i++) {
		of_lines(&report->hosts[i], merged, i);
		if (end)
			report->hosts[i].gaps = end->gaps[i];
	}
	if (end) {
		report->counted = true;
		report->whole = end->whole;
		report->events = end->events;
		report->doubtful = end->doubtful;
	}
	return 0;
}
