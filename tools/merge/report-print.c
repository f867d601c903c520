// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the report on the hosts of a merge.
 */
#include <inttypes.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/linebuf.h"
#include "report.h"

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
