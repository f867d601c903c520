/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sensor knows as a text file of Prometheus, for node_exporter's textfile collector.
 */
#ifndef EVTLOG_SENSOR_PROMETHEUS_H
#define EVTLOG_SENSOR_PROMETHEUS_H

#include <stdio.h>
#include <sys/types.h>

#include "state.h"

/** sensor_print_metrics() - in the text format 0.0.4, without times */
void sensor_print_metrics(FILE *out, const struct sensor_state *state);

/**
 * sensor_textfile_write() - replaces the file, whole
 * @group:	that may read it; (gid_t)-1: only its owner may
 *
 * Returns 0 or -errno.
 */
int sensor_textfile_write(const char *path, gid_t group, const struct sensor_state *state);

#endif /* EVTLOG_SENSOR_PROMETHEUS_H */
