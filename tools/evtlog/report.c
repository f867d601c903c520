// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reports on the hosts of a merge.
 *
 * Stage: beside the events that a merge gives.
 */
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "line.h"
#include "log.h"
#include "report.h"

static void put_right(struct line *line, const char *text, unsigned int width)
{
	for (size_t length = strlen(text); length < width; length++)
		line_char(line, ' ');
	line_text(line, text);
}

/* ns in the unit that people read best. */
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

static const char *remark(const struct cluster_file *file,
			  const struct evtlog_host_clock *clock,
			  const struct evtlog_summary *summary)
{
	if (clock->violations)
		return "VIOLATIONS: received before sent";
	if (clock->method == EVTLOG_CLOCK_NONE)
		return "not calibrated";
	if (clock->tsc_bad || summary->tsc_bad)
		return "its kernel does not trust its clock";
	if (clock->method == EVTLOG_CLOCK_NTP)
		return "assumed: nothing proves it";
	if (clock->rho_raised)
		return "its rate wanders more than was said";
	if (!summary->complete)
		return "the end of the run is missing";
	if (log_damages(file->file))
		return "parts are damaged or missing";
	return "";
}

static void show_host(const struct cluster *cluster, size_t number,
		      unsigned int width, FILE *out)
{
	const struct cluster_file *file = &cluster->files[number];
	const struct evtlog_host_clock *clock;
	struct evtlog_summary summary;
	struct line line = { 0 };
	char rate[32];

	clock = evtlog_hosts_clock(cluster->hosts, number);
	evtlog_summarize(file->file, &summary);
	line_escaped(&line, file->name, strlen(file->name));
	line_column(&line, width + 1);
	line_text(&line, evtlog_clock_method_name(clock->method));
	line_column(&line, width + 11);
	if (clock->method == EVTLOG_CLOCK_NONE) {
		put_right(&line, "-", 17);
		put_right(&line, "-", 13);
		put_right(&line, "unknown", 14);
	} else {
		put_ns(&line, clock->offset_ns, 17);
		snprintf(rate, sizeof(rate), "%.3f ppm", clock->rate_ppb / 1e3);
		put_right(&line, rate, 13);
		put_ns(&line, clock->bound_ns, 14);
	}
	put_u64(&line, clock->packets, 9);
	put_u64(&line, log_lost(file->file), 9);
	put_u64(&line, file->gaps, 6);
	line_text(&line, "  ");
	line_text(&line, remark(file, clock, &summary));
	while (line.length && line.text[line.length - 1] == ' ')
		line.length--;
	line_print(&line, out);
}

void report_show(const struct cluster *cluster, FILE *out)
{
	unsigned int width = 4;

	for (size_t i = 0; i < cluster->count; i++)
		if (strlen(cluster->files[i].name) > width)
			width = strlen(cluster->files[i].name);
	fprintf(out, "%-*s %-9s %17s %12s %13s %9s %9s %6s\n", width, "host",
		"clock", "offset", "rate", "right within", "packets", "lost",
		"gaps");
	for (size_t i = 0; i < cluster->count; i++)
		show_host(cluster, i, width, out);
}

/* ---- JSON ---- */

static void bound_json(struct json *json, const char *key, uint64_t bound_ns)
{
	if (bound_ns == UINT64_MAX)
		json_null(json, key);
	else
		json_u64(json, key, bound_ns);
}

static void clock_json(struct json *json, const struct evtlog_host_clock *clock)
{
	bool known = clock->method != EVTLOG_CLOCK_NONE;

	json_string(json, "method", evtlog_clock_method_name(clock->method));
	if (known)
		json_s64(json, "offset_ns", clock->offset_ns);
	else
		json_null(json, "offset_ns");
	bound_json(json, "bound_ns", known ? clock->bound_ns : UINT64_MAX);
	bound_json(json, "best_bound_ns", known ? clock->best_bound_ns : UINT64_MAX);
	json_s64(json, "rate_ppb", clock->rate_ppb);
	json_u64(json, "rho_ppb", clock->rho_ppb);
	json_bool(json, "rho_raised", clock->rho_raised);
	json_u64(json, "packets", clock->packets);
	json_u64(json, "packets_dropped", clock->dropped);
	json_u64(json, "violations", clock->violations);
	json_u64(json, "segments", clock->segments);
	json_u64(json, "hops", clock->hops);
}

static void boot_json(struct json *json, const uint8_t *id)
{
	char text[37], *at = text;

	for (int i = 0; i < 16; i++)
		at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ?
			      "-" : "", id[i]);
	json_string(json, "boot_id", text);
}

static void host_json(struct json *json, const struct cluster *cluster,
		      size_t number, bool whole)
{
	const struct cluster_file *file = &cluster->files[number];
	struct evtlog_summary summary;
	const char *host = evtlog_meta(file->file, "host");

	evtlog_summarize(file->file, &summary);
	json_object(json, NULL);
	json_string(json, "host", host);
	json_string(json, "name", file->name);
	json_u64(json, "run", evtlog_run(file->file));
	json_string(json, "run_name", evtlog_meta(file->file, "run_name"));
	boot_json(json, evtlog_boot_id(file->file));
	clock_json(json, evtlog_hosts_clock(cluster->hosts, number));
	json_s64(json, "begin_ns",
		 evtlog_hosts_time(cluster->hosts, number,
				   evtlog_begin_ns(file->file)));
	json_s64(json, "end_ns",
		 evtlog_hosts_time(cluster->hosts, number,
				   evtlog_end_ns(file->file)));
	json_u64(json, "cpus", evtlog_cpu_count(file->file));
	json_u64(json, "lost", log_lost(file->file));
	json_u64(json, "missing_buffers", summary.missing_buffers);
	if (whole)
		json_u64(json, "gaps", file->gaps);
	else
		json_null(json, "gaps");
	json_u64(json, "damaged_places", evtlog_damage_count(file->file));
	json_bool(json, "closed", summary.closed);
	json_bool(json, "complete", summary.complete);
	json_end(json);
}

void report_json(const struct cluster *cluster, const struct cluster_wish *wish,
		 const struct report_counts *counts, FILE *out)
{
	size_t reference = evtlog_hosts_reference(cluster->hosts);
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_string(&json, "reference", cluster->files[reference].name);
	json_bool(&json, "assume_ntp", wish->options.assume_ntp);
	json_s64(&json, "begin_ns", cluster_begin_ns(cluster));
	json_s64(&json, "end_ns", cluster_end_ns(cluster));
	if (counts) {
		json_u64(&json, "events", counts->events);
		json_u64(&json, "order_unknown", counts->doubtful);
		json_bool(&json, "read_to_end", counts->whole);
	}
	json_array(&json, "hosts");
	for (size_t i = 0; i < cluster->count; i++)
		host_json(&json, cluster, i, counts && counts->whole);
	json_end(&json);
	json_end(&json);
}
