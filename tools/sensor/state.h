/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that outputs show, and the outputs.
 */
#ifndef EVTLOG_SENSOR_STATE_H
#define EVTLOG_SENSOR_STATE_H

#include <stdio.h>
#include <sys/types.h>

#include "record/source.h"
#include "records.h"
#include "table.h"

/*
 * @interval_s:	that rates are of: how long it was
 * @interval_ms: that was asked for
 * @start_ns, @now_ns: CLOCK_REALTIME
 * @clients, @skipped, @dropped: of the socket: connected now; lines that clients did not get for
 *		they did not read; clients that were dropped for it
 * @ganglia_errors: packets that could not be sent
 * @textfile_errors: times that the file could not be written
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

/* ---- lines.c: lines of JSON: evtlog-sensor(1) describes them ---- */

/** sensor_print_hello() - the first line that a client gets */
void sensor_print_hello(FILE *out, const struct sensor_state *state);

/** sensor_print_stats() - all counts, rates and histograms; @is_last: no more come */
void sensor_print_stats(FILE *out, const struct sensor_state *state, bool is_last);

/** sensor_print_record() - one record */
void sensor_print_record(FILE *out, const struct sensor_record *record);

/* ---- prometheus.c: a text file of Prometheus, for node_exporter's textfile collector ---- */

/** sensor_print_metrics() - in the text format 0.0.4, without times */
void sensor_print_metrics(FILE *out, const struct sensor_state *state);

/**
 * sensor_textfile_write() - replaces the file, whole
 * @group:	that may read it; (gid_t)-1: only its owner may
 *
 * Returns 0 or -errno.
 */
int sensor_textfile_write(const char *path, gid_t group, const struct sensor_state *state);

/*
 * ---- ganglia.c: rates, means and losses to gmond, as gmetric of Ganglia 3.1 and later does ----
 *
 * XDR over UDP, not encrypted, and not acknowledged.
 */

/*
 * @host:	this one's name, as packets have it
 * @metadata_ns: of CLOCK_MONOTONIC: when all metadata was sent last; 0: never
 * @metrics:	how many that was of
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
 * ganglia_open() - where to send
 * @target:	HOST:PORT, or [ADDRESS]:PORT
 *
 * Returns 0; -EINVAL it is not HOST:PORT; -errno; each after saying what is wrong.
 */
int ganglia_open(struct ganglia *ganglia, const char *target, uint64_t interval_ms);
void ganglia_close(struct ganglia *ganglia);

/** ganglia_send() - all metrics; what can not be sent is counted */
void ganglia_send(struct ganglia *ganglia, const struct sensor_state *state, uint64_t now_ns);

#endif /* EVTLOG_SENSOR_STATE_H */
