// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report on the hosts of a merge: collects its data, and prints it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/linebuf.h"
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

/* ---- Printing ---- */

static void put_right(struct line *line, const char *text, unsigned int width)
{
	for (size_t length = strlen(text); length < width; length++)
		line_char(line, ' ');
	line_text(line, text);
}

/* Prints ns in a readable unit. */
static void put_ns(struct line *line, int64_t ns, unsigned int width)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char text[40];

	if (size < 10000)
		snprintf(text, sizeof(text), "%" PRId64 " ns", ns);
	else if (size < 10000000)
		snprintf(text, sizeof(text), "%.3f us", ns / 1e3);
	else if (size < 10000000000)
		snprintf(text, sizeof(text), "%.3f ms", ns / 1e6);
	else
		snprintf(text, sizeof(text), "%.6f s", ns / 1e9);
	put_right(line, text, width);
}

static void put_u64(struct line *line, uint64_t value, unsigned int width)
{
	line_char(line, ' ');
	line_u64(line, value, width, ' ');
}

static const char *remark(const struct report *report, const struct report_host *host)
{
	const struct evtlog_host_clock *clock = &host->clock;

	if (clock->violations)
		return "VIOLATIONS: received before sent";
	if (clock->method == EVTLOG_CLOCK_NONE)
		return "not calibrated";
	if (clock->tsc_bad)
		return "clock not trusted by the kernel";
	if (clock->method == EVTLOG_CLOCK_NTP)
		return report->ntp_disproved_ns ?
		       "assumed; packets disprove it for other hosts" :
		       "assumed, not verified";
	if (clock->rho_raised)
		return "rate varies more than --rho";
	if (!host->complete)
		return "end of the run missing";
	if (host->damaged_places)
		return "parts damaged or missing";
	return "";
}

static void rate_text(const struct evtlog_host_clock *clock, char *text, size_t capacity)
{
	double error = clock->rate_error_ppb / 1e3;

	if (clock->method == EVTLOG_CLOCK_REFERENCE)
		snprintf(text, capacity, "0 ppm");
	else if (clock->rate_error_ppb == UINT64_MAX)
		snprintf(text, capacity, "%.3f +-? ppm", clock->rate_ppb / 1e3);
	else
		snprintf(text, capacity, "%.3f +-%.*f ppm", clock->rate_ppb / 1e3,
			 error < 10 ? 3 : error < 100 ? 1 : 0, error);
}

static void show_host(const struct report *report, const struct report_host *host,
		      unsigned int width, FILE *out)
{
	const struct evtlog_host_clock *clock = &host->clock;
	struct line line;
	char rate[64];

	line.length = 0;
	line_escaped(&line, host->name, strlen(host->name));
	line_column(&line, width + 1);
	line_text(&line, evtlog_clock_method_name(clock->method));
	line_column(&line, width + 11);
	if (clock->method == EVTLOG_CLOCK_NONE) {
		put_right(&line, "-", 17);
		put_right(&line, "-", 22);
		put_right(&line, "unknown", 14);
	} else {
		put_ns(&line, clock->offset_ns, 17);
		rate_text(clock, rate, sizeof(rate));
		put_right(&line, rate, 22);
		put_ns(&line, clock->bound_ns, 14);
	}
	put_u64(&line, clock->packets, 9);
	put_u64(&line, host->lost, 9);
	if (report->counted)
		put_u64(&line, host->gaps, 6);
	else
		put_right(&line, "-", 7);
	line_text(&line, "  ");
	line_text(&line, remark(report, host));
	while (line.length && line.text[line.length - 1] == ' ')
		line.length--;
	line_print(&line, out);
}

/* Prints the assumption for clock errors and rates, and violations. */
static void show_rho(const struct report *report, FILE *out)
{
	uint64_t rho_ppb = 0, violations = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct evtlog_host_clock *clock = &report->hosts[i].clock;

		if (clock->method == EVTLOG_CLOCK_PACKETS && clock->rho_ppb > rho_ppb)
			rho_ppb = clock->rho_ppb;
		violations += clock->violations;
	}
	if (rho_ppb)
		fprintf(out, "Rates may vary by %g ppm (rho) about their mean; the given errors include this.\n",
			rho_ppb / 1e3);
	if (violations)
		fprintf(out, "VIOLATIONS: %" PRIu64 " packets received before they were sent, counted for both hosts: order is wrong, clock errors are right.\n",
			violations);
}

void report_show(const struct report *report, FILE *out)
{
	unsigned int width = 4;

	for (size_t i = 0; i < report->count; i++)
		if (strlen(report->hosts[i].name) > width)
			width = strlen(report->hosts[i].name);
	fprintf(out, "%-*s %-9s %17s %21s %13s %9s %9s %6s\n", width, "host",
		"clock", "offset", "rate", "clock error", "packets", "lost",
		"gaps");
	for (size_t i = 0; i < report->count; i++)
		show_host(report, &report->hosts[i], width, out);
	show_rho(report, out);
	if (report->ntp_disproved_ns)
		fprintf(out, "Packets show that real-time clocks differ by %.6f s; assumed clocks are no better than that.\n",
			report->ntp_disproved_ns / 1e9);
}

int report_verdict(const struct report *report, const char *path)
{
	int status = EXIT_OK;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_host *host = &report->hosts[i];

		if (host->lost || host->damaged_places) {
			pr_warn("%s: %s: %" PRIu64 " events lost during recording, %" PRIu64
				" places damaged or missing", path, host->name, host->lost,
				host->damaged_places);
			status = EXIT_EVENTS_LOST;
		}
		if (!host->complete) {
			pr_warn("%s: %s: the end of the run is missing", path, host->name);
			status = EXIT_EVENTS_LOST;
		}
	}
	return status;
}

/* ---- JSON ---- */

static void bound_json(struct json *json, const char *key,
		       const struct evtlog_host_clock *clock, uint64_t bound_ns)
{
	if (clock->method == EVTLOG_CLOCK_NONE || bound_ns == UINT64_MAX)
		json_null(json, key);
	else
		json_u64(json, key, bound_ns);
}

static void clock_json(struct json *json, const struct evtlog_host_clock *clock)
{
	json_string(json, "method", evtlog_clock_method_name(clock->method));
	if (clock->method == EVTLOG_CLOCK_NONE)
		json_null(json, "offset_ns");
	else
		json_s64(json, "offset_ns", clock->offset_ns);
	bound_json(json, "clock_error_ns", clock, clock->bound_ns);
	bound_json(json, "best_clock_error_ns", clock, clock->best_bound_ns);
	json_s64(json, "rate_ppb", clock->rate_ppb);
	if (clock->method == EVTLOG_CLOCK_NONE || clock->rate_error_ppb == UINT64_MAX)
		json_null(json, "rate_error_ppb");
	else
		json_u64(json, "rate_error_ppb", clock->rate_error_ppb);
	json_u64(json, "rho_ppb", clock->rho_ppb);
	json_bool(json, "rho_raised", clock->rho_raised);
	json_u64(json, "packets", clock->packets);
	json_u64(json, "packets_dropped", clock->dropped);
	json_u64(json, "packets_foreign", clock->foreign);
	json_u64(json, "violations", clock->violations);
	json_u64(json, "segments", clock->segments);
	json_u64(json, "hops", clock->hops);
	json_bool(json, "clock_trusted", !clock->tsc_bad);
}

static void boot_json(struct json *json, const uint8_t *id)
{
	char text[37], *at = text;

	for (int i = 0; i < 16; i++)
		at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ?
			      "-" : "", id[i]);
	json_string(json, "boot_id", text);
}

static void host_json(struct json *json, const struct report *report,
		      const struct report_host *host)
{
	json_object(json, NULL);
	json_string(json, "host", host->host);
	json_string(json, "name", host->name);
	json_u64(json, "run", host->run);
	json_string(json, "run_name", host->run_name);
	boot_json(json, host->boot_id);
	clock_json(json, &host->clock);
	json_s64(json, "start_ns", host->begin_ns);
	json_s64(json, "end_ns", host->end_ns);
	json_u64(json, "cpus", host->cpus);
	json_u64(json, "lost", host->lost);
	json_u64(json, "missing_buffers", host->missing_buffers);
	json_u64(json, "damaged_places", host->damaged_places);
	if (report->counted)
		json_u64(json, "gaps", host->gaps);
	else
		json_null(json, "gaps");
	json_bool(json, "closed", host->closed);
	json_bool(json, "complete", host->complete);
	json_end(json);
}

void report_json(const struct report *report, FILE *out)
{
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_string(&json, "reference", report->reference);
	json_bool(&json, "assume_ntp", report->assume_ntp);
	json_u64(&json, "ntp_disproved_ns", report->ntp_disproved_ns);
	json_s64(&json, "start_ns", report->begin_ns);
	json_s64(&json, "end_ns", report->end_ns);
	if (report->counted) {
		json_u64(&json, "events", report->events);
		json_u64(&json, "order_unknown", report->doubtful);
		json_bool(&json, "read_to_end", report->whole);
	}
	json_array(&json, "hosts");
	for (size_t i = 0; i < report->count; i++)
		host_json(&json, report, &report->hosts[i]);
	json_end(&json);
	json_end(&json);
}
