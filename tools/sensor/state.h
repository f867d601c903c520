/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state shown by all outputs, and the outputs.
 */
#ifndef EVTLOG_SENSOR_STATE_H
#define EVTLOG_SENSOR_STATE_H

#include <stdio.h>
#include <sys/types.h>

#include "record/source.h"
#include "table.h"

/*
 * @interval_s:	measured length of the interval, for rates
 * @interval_ms: requested length
 * @start_ns, @now_ns: CLOCK_REALTIME
 * @clients:	clients of the socket, now
 * @skipped:	lines that clients did not get because they did not read
 * @dropped:	clients disconnected because they did not read
 * @ganglia_errors: packets that could not be sent
 * @textfile_errors: failed writes of the file
 */
struct sensor_state {
	const struct named_source *source;
	const struct sensor_table *table;
	uint64_t interval_ms;
	double interval_s;
	uint64_t start_ns, now_ns;
	size_t clients;
	uint64_t skipped, dropped;
	uint64_t ganglia_errors;
	uint64_t textfile_errors;
};

static inline uint64_t sensor_lost(const struct sensor_state *state)
{
	uint64_t lost = 0;

	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
		lost += state->source->lost[cause];
	return lost;
}

/* ---- lines.c: lines of JSON, described in evtlog-sensor(1) ---- */

/** sensor_print_hello() - print the first line for a client */
void sensor_print_hello(FILE *out, const struct sensor_state *state);

/** sensor_print_stats() - print all counts, rates and histograms; @is_last: it is the last line */
void sensor_print_stats(FILE *out, const struct sensor_state *state, bool is_last);

/** sensor_print_record() - print one record */
void sensor_print_record(FILE *out, const struct sensor_record *record);

/* ---- prometheus.c: a text file for the textfile collector of Prometheus' node_exporter ---- */

/** sensor_print_metrics() - print all metrics in the text format 0.0.4, without times */
void sensor_print_metrics(FILE *out, const struct sensor_state *state);

/**
 * sensor_textfile_write() - replace the file atomically
 * @group:	group that may read it; (gid_t)-1: only its owner
 *
 * Returns 0 or -errno.
 */
int sensor_textfile_write(const char *path, gid_t group, const struct sensor_state *state);

/*
 * ---- ganglia.c: sends rates, means and losses to gmond, like gmetric of Ganglia 3.1 or later ----
 *
 * XDR over UDP, without encryption and acknowledgement.
 */

/*
 * @host:	this host's name, as in packets
 * @metadata_ns: CLOCK_MONOTONIC when all metadata was last sent, 0 if never
 * @metrics:	number of metrics at that time
 * @errors:	packets that could not be sent
 */
struct ganglia {
	int fd;
	char host[65];
	uint32_t interval_s;
	uint64_t metadata_ns;
	size_t metrics;
	uint64_t errors;
};

/**
 * ganglia_open() - set the destination
 * @target:	HOST:PORT, or [ADDRESS]:PORT
 *
 * Prints errors.  Returns 0; -EINVAL if @target is not HOST:PORT; or another -errno.
 */
int ganglia_open(struct ganglia *ganglia, const char *target, uint64_t interval_ms);
void ganglia_close(struct ganglia *ganglia);

/** ganglia_send() - send all metrics; packets that cannot be sent are counted */
void ganglia_send(struct ganglia *ganglia, const struct sensor_state *state, uint64_t now_ns);

#endif /* EVTLOG_SENSOR_STATE_H */
