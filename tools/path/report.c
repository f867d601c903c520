// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the paths of packets as text, JSON or CSV.
 */
#include <inttypes.h>
#include <stdio.h>

#include "common/csv.h"
#include "common/json.h"
#include "records.h"
#include "report.h"

const char *path_report_reason(const struct path_report *report, uint32_t host, uint16_t reason,
			       char *text)
{
	return path_reason(evtlog_meta(report->source->hosts[host].file, "kernel"), reason, text);
}

/* The next packet to show, from *@at on; NULL after the last. */
static const struct path_packet *next_packet(const struct path_report *report, size_t *at,
					     uint64_t *shown)
{
	while (*at < report->packets->count && *shown < report->limit) {
		const struct path_packet *packet = &report->packets->at[(*at)++];

		if (!packet->count || !path_filter_has_packet(report->filter, packet))
			continue;
		++*shown;
		return packet;
	}
	return NULL;
}

static const char *name_of(enum path_station station)
{
	return path_stations[station].function;
}

/* ---- Text ---- */

static void show_hops(const struct path_summary *summary)
{
	if (!summary->hop_count)
		return;
	printf("\n%-60s %8s %12s %12s %12s %12s\n", "from station to station, times in us", "count",
	       "min", "median", "p99", "max");
	for (size_t i = 0; i < summary->hop_count; i++) {
		const struct path_hop *hop = &summary->hops[i];
		char text[80];

		snprintf(text, sizeof(text), "%s > %s%s", name_of(hop->from), name_of(hop->to),
			 hop->is_network ? " (network)" : "");
		printf("%-60s %8zu %12.3f %12.3f %12.3f %12.3f\n", text, hop->count,
		       hop->times[0] / 1e3, path_hop_share(hop, 0.5) / 1e3,
		       path_hop_share(hop, 0.99) / 1e3, hop->times[hop->count - 1] / 1e3);
		if (hop->negative)
			printf("%-60s %8" PRIu64 " of them received before they were sent, by these clocks\n",
			       "", hop->negative);
	}
}

static void show_endings(const struct path_report *report)
{
	const struct path_summary *summary = report->summary;

	if (summary->ending_count)
		printf("\n%8s  %s\n", "packets", "end of the path");
	for (size_t i = 0; i < summary->ending_count; i++) {
		const struct path_ending *at = &summary->endings[i];
		const char *host = report->source->hosts[at->host].name;
		char text[PATH_REASON_TEXT];

		if (at->station == PATH_DROP)
			printf("%8" PRIu64 "  %s: dropped after %s: %s\n", at->count, host,
			       name_of(at->from),
			       path_report_reason(report, at->host, at->reason, text));
		else
			printf("%8" PRIu64 "  %s: %s %s\n", at->count, host,
			       path_is_end(at->station) ? "read by the program:" : "last seen at",
			       name_of(at->station));
	}
}

static void show_packet(const struct path_report *report, const struct path_packet *packet)
{
	const struct path_key *key = &packet->key, *last = &packet->last;
	char source[PATH_ADDRESS_TEXT], destination[PATH_ADDRESS_TEXT], text[PATH_REASON_TEXT];

	printf("\n%s %s:%u > %s:%u, %u bytes, IP id %u%s\n", path_protocol_name(key),
	       path_address(key->source, source), key->source_port,
	       path_address(key->destination, destination), key->destination_port, packet->length,
	       key->id, packet->is_ambiguous ? ", several packets look alike" : "");
	if (!path_key_same_flow(key, last))
		printf("  translated to %s:%u > %s:%u\n",
		       path_address(last->source, source), last->source_port,
		       path_address(last->destination, destination), last->destination_port);
	for (size_t i = 0; i < packet->count; i++) {
		const struct path_visit *visit = &packet->visits[i];

		printf("  %.9f ", (visit->time_ns - report->source->begin_ns) / 1e9);
		if (i)
			printf("%+12.3f us", (visit->time_ns - visit[-1].time_ns) / 1e3);
		else
			printf("%15s", "");
		printf("  %s cpu %u", report->source->hosts[visit->host].name, visit->cpu);
		if (visit->pid != EVTLOG_PID_UNKNOWN)
			printf(" pid %-6u", visit->pid);
		printf("  %s", name_of(visit->station));
		if (visit->station == PATH_DROP)
			printf(": %s", path_report_reason(report, visit->host, visit->reason, text));
		putchar('\n');
	}
}

static void show_clocks(const struct path_report *report)
{
	const struct path_source *source = report->source;

	if (source->count < 2)
		return;
	printf("clock       of %s\n", source->reference);
	for (size_t i = 0; i < source->count; i++)
		if (source->hosts[i].error_ns == UINT64_MAX)
			printf("            %s: error unknown\n", source->hosts[i].name);
		else
			printf("            %s: error <= %.3f us\n", source->hosts[i].name,
			       source->hosts[i].error_ns / 1e3);
}

void path_report_text(const struct path_report *report)
{
	const struct path_summary *summary = report->summary;
	const struct path_packet *packet;
	uint64_t shown = 0;
	size_t at = 0;

	printf("packets     %" PRIu64 ": read %" PRIu64 ", dropped %" PRIu64 ", other ends %" PRIu64
	       "\n", summary->total, summary->read, summary->dropped,
	       summary->total - summary->read - summary->dropped);
	printf("matches     %" PRIu64 " of packets with equal headers and payload, by their order\n",
	       summary->ambiguous);
	if (report->packets->strays)
		printf("strays      %" PRIu64 " records of packets whose beginning was not recorded\n",
		       report->packets->strays);
	if (report->packets->fragments)
		printf("fragments   %" PRIu64 " records of fragments, which count with their first\n",
		       report->packets->fragments);
	if (report->packets->parts)
		printf("parts       %" PRIu64 " received segments of larger ones, which count with their first\n",
		       report->packets->parts);
	if (report->gaps)
		printf("gaps        %" PRIu64 " times without data\n", report->gaps);
	show_clocks(report);
	show_hops(summary);
	show_endings(report);
	if (!report->with_packets)
		return;
	while ((packet = next_packet(report, &at, &shown)))
		show_packet(report, packet);
}

/* ---- JSON and CSV ---- */

static void hosts_json(const struct path_report *report, struct json *json)
{
	const struct path_source *source = report->source;

	json_array(json, "hosts");
	for (size_t i = 0; i < source->count; i++) {
		json_object(json, NULL);
		json_string(json, "host", source->hosts[i].name);
		if (source->hosts[i].error_ns == UINT64_MAX)
			json_null(json, "clock_error_ns");
		else
			json_u64(json, "clock_error_ns", source->hosts[i].error_ns);
		json_end(json);
	}
	json_end(json);
}

static void hops_json(const struct path_summary *summary, struct json *json)
{
	json_array(json, "hops");
	for (size_t i = 0; i < summary->hop_count; i++) {
		const struct path_hop *hop = &summary->hops[i];

		json_object(json, NULL);
		json_string(json, "from", name_of(hop->from));
		json_string(json, "to", name_of(hop->to));
		json_bool(json, "network", hop->is_network);
		json_u64(json, "count", hop->count);
		json_u64(json, "negative", hop->negative);
		json_u64(json, "min_ns", hop->times[0]);
		json_u64(json, "median_ns", path_hop_share(hop, 0.5));
		json_u64(json, "p99_ns", path_hop_share(hop, 0.99));
		json_u64(json, "max_ns", hop->times[hop->count - 1]);
		json_end(json);
	}
	json_end(json);
}

static void endings_json(const struct path_report *report, struct json *json)
{
	char text[PATH_REASON_TEXT];

	json_array(json, "endings");
	for (size_t i = 0; i < report->summary->ending_count; i++) {
		const struct path_ending *at = &report->summary->endings[i];

		json_object(json, NULL);
		json_string(json, "host", report->source->hosts[at->host].name);
		json_string(json, "station", name_of(at->from));
		json_string(json, "reason", at->station != PATH_DROP ? NULL :
			    path_report_reason(report, at->host, at->reason, text));
		json_bool(json, "read", path_is_end(at->station));
		json_u64(json, "count", at->count);
		json_end(json);
	}
	json_end(json);
}

static void visit_json(const struct path_report *report, struct json *json,
		       const struct path_visit *visit)
{
	char text[PATH_REASON_TEXT];

	json_object(json, NULL);
	json_string(json, "host", report->source->hosts[visit->host].name);
	json_string(json, "station", name_of(visit->station));
	json_fixed(json, "time", visit->time_ns - report->source->begin_ns, 9);
	json_u64(json, "cpu", visit->cpu);
	if (visit->pid == EVTLOG_PID_UNKNOWN)
		json_null(json, "pid");
	else
		json_u64(json, "pid", visit->pid);
	if (visit->station == PATH_DROP)
		json_string(json, "reason",
			    path_report_reason(report, visit->host, visit->reason, text));
	json_end(json);
}

static void packet_json(const struct path_report *report, struct json *json,
			const struct path_packet *packet)
{
	char text[PATH_ADDRESS_TEXT];

	json_object(json, NULL);
	json_string(json, "protocol", path_protocol_name(&packet->key));
	json_string(json, "source", path_address(packet->key.source, text));
	json_u64(json, "source_port", packet->key.source_port);
	json_string(json, "destination", path_address(packet->key.destination, text));
	json_u64(json, "destination_port", packet->key.destination_port);
	if (!path_key_same_flow(&packet->key, &packet->last)) {
		json_object(json, "translated");
		json_string(json, "source", path_address(packet->last.source, text));
		json_u64(json, "source_port", packet->last.source_port);
		json_string(json, "destination", path_address(packet->last.destination, text));
		json_u64(json, "destination_port", packet->last.destination_port);
		json_end(json);
	}
	json_u64(json, "bytes", packet->length);
	json_u64(json, "ip_id", packet->key.id);
	json_bool(json, "ambiguous", packet->is_ambiguous);
	json_array(json, "stations");
	for (size_t i = 0; i < packet->count; i++)
		visit_json(report, json, &packet->visits[i]);
	json_end(json);
	json_end(json);
}

void path_report_json(const struct path_report *report)
{
	const struct path_summary *summary = report->summary;
	const struct path_packet *packet;
	struct json json;
	uint64_t shown = 0;
	size_t at = 0;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_u64(&json, "packets", summary->total);
	json_u64(&json, "read", summary->read);
	json_u64(&json, "dropped", summary->dropped);
	json_u64(&json, "ambiguous", summary->ambiguous);
	json_u64(&json, "strays", report->packets->strays);
	json_u64(&json, "fragments", report->packets->fragments);
	json_u64(&json, "parts", report->packets->parts);
	json_u64(&json, "gaps", report->gaps);
	if (report->has_file)
		left_out_json(&report->left_out, &json);
	json_string(&json, "clock", report->source->reference);
	hosts_json(report, &json);
	json_object(&json, "stations");
	for (enum path_station i = 0; i < PATH_STATIONS; i++)
		if (summary->visits[i])
			json_u64(&json, name_of(i), summary->visits[i]);
	json_end(&json);
	hops_json(summary, &json);
	endings_json(report, &json);
	if (report->with_packets) {
		json_array(&json, "ways");
		while ((packet = next_packet(report, &at, &shown)))
			packet_json(report, &json, packet);
		json_end(&json);
	}
	json_end(&json);
}

void path_report_csv(const struct path_report *report)
{
	char text[PATH_ADDRESS_TEXT];
	const struct path_packet *packet;
	struct csv csv;
	uint64_t shown = 0;
	size_t at = 0;

	csv_head(&csv, stdout, "packet,protocol,source,source_port,destination,destination_port,"
		 "bytes,ip_id,ambiguous,host,station,time_ns,cpu,pid,reason");
	while ((packet = next_packet(report, &at, &shown)))
		for (size_t i = 0; i < packet->count; i++) {
			const struct path_visit *visit = &packet->visits[i];

			csv_u64(&csv, shown);
			csv_text(&csv, path_protocol_name(&packet->key));
			csv_text(&csv, path_address(packet->key.source, text));
			csv_u64(&csv, packet->key.source_port);
			csv_text(&csv, path_address(packet->key.destination, text));
			csv_u64(&csv, packet->key.destination_port);
			csv_u64(&csv, packet->length);
			csv_u64(&csv, packet->key.id);
			csv_bool(&csv, packet->is_ambiguous);
			csv_text(&csv, report->source->hosts[visit->host].name);
			csv_text(&csv, name_of(visit->station));
			csv_s64(&csv, visit->time_ns - report->source->begin_ns);
			csv_u64(&csv, visit->cpu);
			if (visit->pid == EVTLOG_PID_UNKNOWN)
				csv_empty(&csv);
			else
				csv_u64(&csv, visit->pid);
			if (visit->station == PATH_DROP)
				csv_text(&csv, path_report_reason(report, visit->host,
								  visit->reason, text));
			else
				csv_empty(&csv);
			csv_end(&csv);
		}
}
