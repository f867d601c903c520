// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads logs, joins the visits of packets, and prints the result.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "path.h"
#include "pcapng.h"
#include "records.h"
#include "report.h"

struct path {
	const struct path_options *options;
	struct path_filter filter;
	struct path_source source;
	struct packets packets;
	struct path_summary summary;
	struct path_report report;
	struct pcapng pcapng;
};

static int keep_visit(void *context, const struct path_visit *visit, const struct path_key *key,
		      const uint8_t *ip, size_t count, uint32_t length)
{
	struct path *path = context;
	char comment[160], reason[PATH_REASON_TEXT];
	int at;

	if (!path_filter_has(&path->filter, key))
		return 0;
	at = snprintf(comment, sizeof(comment), "cpu %u", visit->cpu);
	if (visit->pid != EVTLOG_PID_UNKNOWN)
		at += snprintf(comment + at, sizeof(comment) - at, ", pid %u", visit->pid);
	if (visit->station == PATH_DROP)
		snprintf(comment + at, sizeof(comment) - at, ", reason %s",
			 path_report_reason(&path->report, visit->host, visit->reason, reason));
	return pcapng_add(&path->pcapng, visit->host, visit->station, path_key_protocol(key),
			  path_source_real(&path->source, visit->time_ns), ip, count, length,
			  comment);
}

static const char *host_name(const void *context, uint32_t host)
{
	const struct path *path = context;

	return path->source.hosts[host].name;
}

/* A packet whose last visit is a drop was dropped after the station before it. */
static void count_drops(struct path *path)
{
	for (size_t i = 0; i < path->packets.count; i++) {
		const struct path_packet *packet = &path->packets.at[i];
		struct pcapng_interface *interface;

		if (packet->count < 2 || path_last(packet)->station != PATH_DROP ||
		    !path_filter_has_packet(&path->filter, packet))
			continue;
		interface = pcapng_interface(&path->pcapng, path_last(packet)->host,
					     path_last(packet)[-1].station, packet->last.version);
		if (interface)
			interface->dropped++;
	}
}

static int write_pcapng(struct path *path)
{
	struct atomic_file file;
	int status;

	if (!path->options->pcapng)
		return EXIT_OK;
	status = atomic_file_open(&file, path->options->pcapng);
	if (status != EXIT_OK)
		return status;
	count_drops(path);
	pcapng_write(&path->pcapng, file.out, host_name, path);
	return atomic_file_close(&file, 0);
}

static bool is_chosen(const struct path_filter *filter)
{
	return filter->bits || filter->port || filter->protocols;
}

static int say_empty(const struct path *path, unsigned int seen)
{
	if (!seen)
		pr_err("%s: has no records of stations of packets; before a run, insert the probes with 'evtlog path add udp'",
		       path->source.path);
	else if (is_chosen(&path->options->filter))
		pr_err("%s: no packet matches --address, --port and --protocol", path->source.path);
	else
		pr_err("%s: no packet can be followed; before a run, insert the probes with 'evtlog path add'",
		       path->source.path);
	return EXIT_FAILED;
}

static void show(const struct path *path)
{
	/* The pcapng file is on standard output: print nothing else. */
	if (path->options->pcapng && !strcmp(path->options->pcapng, "-"))
		return;
	switch (path->options->form) {
	case PATH_JSON:
		path_report_json(&path->report);
		break;
	case PATH_CSV:
		path_report_csv(&path->report);
		break;
	case PATH_TEXT:
		path_report_text(&path->report);
		break;
	}
}

/* After all records were read. */
static int finish_path(struct path *path, unsigned int seen)
{
	uint64_t *error_ns = calloc(path->source.count + 1, sizeof(*error_ns));
	int error = error_ns ? 0 : -ENOMEM, status;

	/* If the clock error is unknown, assume 1 s: the order of packets decides. */
	for (size_t i = 0; !error && i < path->source.count; i++)
		error_ns[i] = path->source.hosts[i].error_ns == UINT64_MAX ?
			      1000000000 : path->source.hosts[i].error_ns;
	/* By default, only protocols that have probes of their own. */
	if (!path->filter.protocols)
		path->filter.protocols = path_protocols_of(seen);
	pcapng_keep(&path->pcapng, path->filter.protocols);
	if (!error)
		error = path_packets_match(&path->packets, error_ns);
	if (!error)
		error = path_summarize(&path->summary, &path->packets, &path->filter);
	free(error_ns);
	if (error) {
		pr_err("path: %s", strerror(-error));
		return EXIT_FAILED;
	}
	if (!path->summary.total)
		return say_empty(path, seen);
	path->report.left_out.records[EVTLOG_EVENT] -= path->pcapng.count;
	status = write_pcapng(path);
	if (status == EXIT_OK)
		show(path);
	if (status == EXIT_OK && path->options->pcapng)
		left_out_say(&path->report.left_out, path->options->pcapng);
	return status;
}

static int read_and_show(struct path *path)
{
	const struct path_options *options = path->options;
	unsigned int seen = 0;
	int status;

	if (path_packets_init(&path->packets, path->source.count)) {
		pr_err("path: %s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	path->filter = options->filter;
	path->report = (struct path_report){
		.source = &path->source, .packets = &path->packets, .summary = &path->summary,
		.filter = &path->filter, .with_packets = options->with_packets,
		.limit = options->limit, .has_file = options->pcapng,
	};
	if (options->pcapng) {
		path->packets.see = keep_visit;
		path->packets.context = path;
	}
	status = path_source_read(&path->source, &path->packets, options->from_ns, options->to_ns,
				  &path->report.gaps, &path->report.left_out, &seen);
	if (status == EXIT_OK)
		status = finish_path(path, seen);
	if (status == EXIT_OK)
		status = finish(path_source_verdict(&path->source));
	return status;
}

int path_show(const struct path_options *options, char **paths, size_t count)
{
	struct path path = { .options = options };
	int status = EXIT_OK;

	if (options->pcapng)
		status = output_check("path", "--pcapng", options->pcapng, paths, count);
	if (status != EXIT_OK)
		return status;
	status = path_source_open(&path.source, paths, count, &options->clocks);
	if (status == EXIT_OK)
		status = read_and_show(&path);
	path_summary_free(&path.summary);
	path_packets_free(&path.packets);
	pcapng_free(&path.pcapng);
	path_source_close(&path.source);
	return status;
}
